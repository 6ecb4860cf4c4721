"""The sample boards ruled by hand: six photos, each there to prove one thing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2

from poradek_vision.model import Game, Team
from synth.album import game_toml
from synth.handmade import HandLook, HandShot, shoot_hand_made

AUTHOR = "rendered by tests/synth"
GAME = Game("Tábor 2027", no_mans_land=0, teams=(Team("Vlci", "A"), Team("Lišky", "B"), Team("Ježci", "C")))
_PHOTO_PX = (1050, 1400)
_QUALITY = 82


@dataclass(frozen=True, slots=True)
class HandSample:
    """One photo: its file's stem, the board's team, what it is there to prove, how it looks."""

    name: str
    team: str
    proves: str
    look: HandLook
    seed: int


def _look(mark: str, size: int, cell_mm: float, **more: object) -> HandLook:
    return HandLook(size=size, cell_mm=cell_mm, mark=mark, photo_px=_PHOTO_PX, noise=1.5, zoom=0.8, **more)  # type: ignore[arg-type]


HAND_SAMPLES = (
    HandSample(
        "vlci_6", "Vlci", "the usual case: a marker on white paper",
        _look("A", 6, 24, pen_mm=1.4), 11,
    ),
    HandSample(
        "vlci_4", "Vlci", "pencil on squared paper: hundreds of lines, of which ten are the board's",
        _look("A", 4, 27, ink="grey", pen_mm=0.9, kind="squared", ground="needles"), 12,
    ),
    HandSample(
        "lisky_5", "Lišky", "a blue pen on wrapping paper, which is not white",
        _look("B", 5, 25, ink="blue", paper="kraft", pen_mm=1.2), 13,
    ),
    HandSample(
        "lisky_3", "Lišky", "a red pen, the sheet upside down: the mark tells which side is up",
        _look("B", 3, 34, ink="red", roll_deg=176.0, ground="grass"), 14,
    ),
    HandSample(
        "jezci_4", "Ježci", "lined paper, curled; the mark is underlined near the border",
        _look("C", 4, 28, kind="lined", underline=True, bend=0.02, tilt=0.3), 15,
    ),
    HandSample(
        "jezci_6", "Ježci", "a green marker; stickers hide most of the lines",
        _look("C", 6, 24, ink="green", pen_mm=1.6, fill=0.95, sticker=0.85, ground="gravel"), 16,
    ),
)  # fmt: skip


def make_hand_sample(sample: HandSample) -> HandShot:
    """The photo of one sample."""
    return shoot_hand_made(sample.look, sample.seed)


def make_hand_samples(folder: Path) -> None:
    """Write the six with their truth and their game."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.toml").write_text(game_toml(GAME), encoding="utf-8", newline="\n")
    for sample in HAND_SAMPLES:
        shot = make_hand_sample(sample)
        coded = cv2.imencode(".jpg", shot.pixels[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1]
        (folder / f"{sample.name}.jpg").write_bytes(coded.tobytes())
        (folder / f"{sample.name}.truth.toml").write_text(_truth(sample, shot), encoding="utf-8", newline="\n")


def readme_rows() -> list[str]:
    """The samples as rows of the README's table."""
    width, height = _PHOTO_PX
    return [f"| `handmade/{s.name}.jpg` | {width}×{height} | uneven | {s.proves} |" for s in HAND_SAMPLES]


def _truth(sample: HandSample, shot: HandShot) -> str:
    """The text of a NAME.truth.toml."""
    corners = shot.crossings[[0, 0, -1, -1], [0, -1, -1, 0]].round(3).tolist()
    lines = [
        f'author = "{AUTHOR}"', 'light = "uneven"', "", "[[boards]]", 'kind = "team"', f'team = "{sample.team}"',
        f"size = {sample.look.size}", "rows = [", *(f'    "{row}",' for row in shot.rows), "]", f"corners = {corners}",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"
