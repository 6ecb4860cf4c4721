"""How well hand-made boards are read, on rendered photos: found, cells, teams, and what is no board.

    python tests/benchmarks/handmade.py [PHOTOS] [WITHOUT]

PHOTOS boards of random looks, a third each easy, medium and hard, and WITHOUT photos of each kind without a board.
"""

import os
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests")]

import numpy as np
from synth.drawing import random_drawing
from synth.handmade import HandLook, random_hand_look, shoot_hand_made
from synth.no_board import SCENES, shoot_no_board

from poradek_vision.files import load_palettes
from poradek_vision.model import BoardReading, Failure, Flag, Game, Photo, Team
from poradek_vision.pipeline import Setup, read_photo

FIRST_SEED = 1000
GAME = Game(sizes=(8, 6, 5, 4, 3), teams=tuple(Team(f"Team {mark}", mark) for mark in "ABCDEFG12345"))


def read(pixels, setup):
    pixels = np.ascontiguousarray(pixels)
    pixels.setflags(write=False)
    outcome = read_photo(Photo("photo.jpg", "", "", pixels, 1.0, pixels.shape[1::-1]), setup)
    return () if isinstance(outcome, Failure) else outcome


def judge_cells(reading: BoardReading, rows: list[str]) -> Counter[str]:
    """Count cells, over the turn of the truth that fits best: on a hand-made board no side is up for sure."""
    size = len(rows)
    truth = np.array([list(row) for row in rows])
    seen = np.full((size, size), "?")
    doubted = np.full((size, size), Flag.GRID_UNCERTAIN in reading.grid.flags)
    for cell in reading.cells:
        seen[cell.row, cell.col] = cell.colour
        doubted[cell.row, cell.col] |= bool(set(cell.flags) - {Flag.OWNER_UNCLEAR})
    wrong = min((seen != np.rot90(truth, turns) for turns in range(4)), key=np.sum)
    return Counter(
        cells=size * size, wrong=int(wrong.sum()), unflagged=int((wrong & ~doubted).sum()), flagged=int(doubted.sum())
    )


def judge(look: HandLook, seed: int, setup: Setup) -> Counter[str]:
    shot = shoot_hand_made(look, seed)
    readings = read(shot.pixels, setup)
    right = [reading for reading in readings if reading.grid.rows == look.size]
    counts = Counter(boards=1, found=len(right[:1]), sure_of_another_size=0)
    for reading in readings:
        counts["sure_of_another_size"] += reading.grid.rows != look.size and not reading.grid.flags
    for reading in right[:1]:
        counts.update(judge_cells(reading, shot.rows))
        if look.size != GAME.no_mans_land:
            team, sure = reading.mark.team, not reading.mark.flags
            counts["teams"] += 1
            counts["teams_right"] += sure and team == f"Team {look.mark}"
            counts["teams_wrong"] += sure and team != f"Team {look.mark}"
    return counts


def judge_drawings(setup: Setup) -> Counter[str]:
    """Drawings of every size, with and without a margin, upright and slanted, each in one of the four turns."""
    counts: Counter[str] = Counter(drawings=0, all_right_none_flagged=0)
    for size in range(3, 13):
        own = replace(setup, game=replace(GAME, sizes=(size,), no_mans_land=0))
        for to_edge, slanted in ((False, False), (False, True), (True, False), (True, True)):
            drawn = random_drawing(FIRST_SEED, size, to_edge, slanted)
            readings = [reading for reading in read(drawn.pixels, own) if reading.grid.rows == size]
            cells = judge_cells(readings[0], drawn.rows) if readings else Counter(wrong=1)
            counts["drawings"] += 1
            counts["all_right_none_flagged"] += not cells["wrong"] and not cells["flagged"]
    return counts


def main(photos: int = 60, without: int = 4) -> None:
    setup = Setup(GAME, load_palettes(ROOT / "calibration"))
    counts: Counter[str] = Counter()
    for seed in range(FIRST_SEED, FIRST_SEED + photos):
        counts.update(judge(random_hand_look(seed, seed % 3 / 2), seed, setup))
    print("  ".join(f"{name} {count}" for name, count in counts.items()))
    print("  ".join(f"{name} {count}" for name, count in judge_drawings(setup).items()))
    seeds = range(FIRST_SEED, FIRST_SEED + without)
    scored = sum(bool(read(shoot_no_board(name, seed), setup)) for name in SCENES for seed in seeds)
    print(f"photos without a board {without * len(SCENES)}  with a board found in them {scored}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
