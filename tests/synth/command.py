"""The command line: a folder of photos of one game with its truth."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from synth.album import PHONES, game_toml, save_shot, save_truth, truth_entry
from synth.ground import one_of, photographs
from synth.look import Difficulty, Look, random_look
from synth.samples import make_samples
from synth.scene import SheetName, make_game, make_scene

DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard")
MOST_TEAMS = 36


def main(argv: Sequence[str] | None = None) -> int:
    """Make the photos that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python tests/synth", description=__doc__)
    parser.add_argument("--samples", action="store_true", help="make the sample game instead of a random set")
    parser.add_argument("out", type=Path, help="the folder to write to")
    parser.add_argument("--count", type=int, default=30, help="photos, each of another board of one game (most: 146)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--difficulty", choices=[*DIFFICULTIES, "mixed"], default="mixed")
    parser.add_argument("--megapixels", type=float, default=3.0)
    parser.add_argument("--grounds", type=Path, help="a folder of photographs to lay the sheets on")
    asked = parser.parse_args(argv)
    if not 1 <= asked.count <= 4 * MOST_TEAMS + 2:
        parser.error(f"--count {asked.count}: a game has 1 to {4 * MOST_TEAMS + 2} sheets")
    if asked.samples:
        make_samples(asked.out)
        return 0
    asked.out.mkdir(parents=True, exist_ok=True)
    grounds = photographs(asked.grounds) if asked.grounds else []
    make_set(asked.out, asked.count, asked.seed, asked.difficulty, asked.megapixels, grounds)
    return 0


def make_set(
    out: Path, count: int, seed: int, difficulty: str, megapixels: float, grounds: Sequence[Path] = ()
) -> None:
    """Photos of ``count`` sheets of one game: team boards, from the 3rd photo on also the 12×12 and the card."""
    game = make_game(min(MOST_TEAMS, max(3, math.ceil((count - 2) / 4))))
    boards: list[SheetName] = [(team, size) for team in range(len(game.teams)) for size in game.sizes]
    sheets = [*boards[: max(count - 2, 1)], "no_mans_land", "card"][:count]
    (out / "game.toml").write_text(game_toml(game), encoding="utf-8")
    entries = []
    for k, sheet in enumerate(sheets):
        rng = np.random.default_rng([seed, k])
        level = DIFFICULTIES[k * 7 % 3] if difficulty == "mixed" else next(d for d in DIFFICULTIES if d == difficulty)
        photo_seed = int(rng.integers(1 << 31))
        look = enlarged(random_look(photo_seed, level), megapixels)
        if grounds:
            look = replace(look, clutter=replace(look.clutter, ground=one_of(grounds, photo_seed)))
        shot = make_scene(photo_seed, game=game, sheets=[sheet], look=look)
        name = f"{k:03d}_{sheet if isinstance(sheet, str) else f'team{sheet[0]}_n{sheet[1]}'}_{level}.jpg"
        save_shot(out, name, shot, phone=PHONES[k % 2], orientation=(1, 6, 8, 3, 1)[int(rng.integers(5))])
        entries.append(truth_entry(name, shot, shot.boards[0], game))
    save_truth(out, entries)


def enlarged(look: Look, megapixels: float) -> Look:
    """The look in another resolution."""
    scale = math.sqrt(megapixels * 1e6 / (look.view.width * look.view.height))
    width, height = round(look.view.width * scale), round(look.view.height * scale)
    return replace(look, view=replace(look.view, width=width, height=height))
