"""Synthetic photos as files: JPEGs with a phone's EXIF, game.toml, truth.json."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from poradek_vision.model import EMPTY, Game
from synth.scene import Shot
from synth.truth import OCCLUDED_FROM, BoardTruth

_TURNS = {1: 0, 3: 2, 6: 1, 8: -1}
"""EXIF orientation -> quarter turns counter-clockwise from the upright photo to the stored one."""
_BOARD = {"team": "team", "no_mans_land": "shared", "card": "calibration"}


@dataclass(frozen=True, slots=True)
class Phone:
    """A camera's EXIF make and model."""

    make: str
    model: str


PHONES = (Phone("Borovice", "B7 Pro"), Phone("Lumen", "Rosa 5"))


def save_shot(
    folder: Path, name: str, shot: Shot, *, phone: Phone = PHONES[0], orientation: int = 1, quality: int | None = None
) -> Path:
    """Write ``folder/name`` as a JPEG whose pixels are stored turned as ``orientation`` (1, 3, 6 or 8) says."""
    exif = Image.Exif()
    exif[0x010F], exif[0x0110], exif[0x0112] = phone.make, phone.model, orientation
    stored = np.ascontiguousarray(np.rot90(shot.pixels, _TURNS[orientation]))
    look = shot.look.develop
    path = folder / name
    Image.fromarray(stored).save(path, "JPEG", quality=quality or look.quality, subsampling=look.subsampling, exif=exif)
    return path


def truth_entry(file: str, shot: Shot, board: BoardTruth, game: Game) -> dict[str, Any]:
    """One board's truth as a plain dictionary, for truth.json."""
    height, width = shot.pixels.shape[:2]
    team = None if board.team_index is None else game.teams[board.team_index]
    owned = board.owners is not None
    return {
        "file": file,
        "kind": "sheet",
        "board": _BOARD[board.kind],
        "n": 1 if board.kind == "card" else len(board.rows),
        "team": team and team.name,
        "team_text": team and team.name,
        "width": width,
        "height": height,
        "rows": board.rows,
        "owners": board.owners,
        "mark_style": shot.look.stickers.marks if owned else None,
        "teams": [{"index": k, "label": t.name, "mark": t.mark} for k, t in enumerate(game.teams)] if owned else None,
        "corners": board.corners,
        "crossings": board.crossings,
        "page_corners": board.page_corners,
        "occluded": [
            [r, c, share]
            for r, line in enumerate(board.hidden)
            for c, share in enumerate(line)
            if share > OCCLUDED_FROM
        ],
        "washed": board.washed,
        "over_stuck": board.over_stuck,
        "torn": board.torn,
        "own_cover_min": min(
            (
                share
                for line, row in zip(board.own_cover, board.rows, strict=True)
                for share, colour in zip(line, row, strict=True)
                if colour != EMPTY
            ),
            default=None,
        ),
        "foreign_cover_max": max(map(max, board.foreign_cover)),
        "light": shot.look.light.kind,
        "difficulty": shot.look.difficulty,
        "seed": shot.seed,
        "look": asdict(shot.look),
    }


def save_truth(folder: Path, entries: list[dict[str, Any]]) -> None:
    """Write truth.json."""
    text = json.dumps({"generator": "tests/synth", "photos": entries}, ensure_ascii=False, indent=1)
    (folder / "truth.json").write_text(text + "\n", encoding="utf-8")


def truth_toml(shot: Shot, game: Game, *, camera: str, author: str) -> str:
    """The truth about a photo as the text of a NAME.truth.toml."""
    lines = [f'author = "{author}"', f'camera = "{camera}"', f'light = "{shot.look.light.kind}"']
    for board in shot.boards:
        entry = truth_entry("", shot, board, game)
        lines += ["", "[[boards]]", f'kind = "{board.kind}"']
        lines += [f'team = "{entry["team"]}"'] if entry["team"] else []
        lines += [f"size = {len(board.rows)}", "rows = [", *(f'    "{row}",' for row in board.rows), "]"]
        if board.owners:
            lines += ["owners = [", *(f'    "{line}",' for line in board.owners), "]"]
        lines += [f"corners = {[list(corner) for corner in board.corners]}"]
        lines += [f"washed = {[list(cell) for cell in board.washed]}"]
        lines += [f"occluded = {[[row, col] for row, col, _ in entry['occluded']]}"]
    return "\n".join(lines) + "\n"


def game_toml(game: Game) -> str:
    """The game as the text of a game.toml."""
    lines = [
        f'title = "{game.title}"',
        f'language = "{game.language}"',
        f"sizes = {list(game.sizes)}",
        f"no_mans_land = {game.no_mans_land}",
        f"cell_mm = {game.cell_mm:g}",
    ]
    for team in game.teams:
        lines += ["", "[[teams]]", f'name = "{team.name}"', f'mark = "{team.mark}"']
    for colour in game.colours:
        lines += [
            "",
            "[[colours]]",
            f'code = "{colour.code}"',
            f'name = "{colour.name}"',
            f'swatch = "{colour.swatch}"',
        ]
    return "\n".join(lines) + "\n"
