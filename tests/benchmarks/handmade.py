"""How well hand-made boards are read, on rendered photos: found, lines, cells, teams, and what is no board.

    python tests/benchmarks/handmade.py [--seed 1000] [--flat 60] [--dots 15] [--scenes 30] [--many 6] [--pairs 6]
        [--beside 6] [--without 4] [--grounds FOLDER]

A third of all is easy, a third medium, a third hard. ``--flat`` boards on a ground in uneven light; ``--dots`` the same
with round stickers of 0.25 to 0.55 cells; ``--scenes`` with papers, stickers and lights of all sorts and a fooled
camera; ``--many`` with two to four boards in a photo; ``--pairs`` with two ruled on one sheet; ``--beside`` with a
printed sheet in it; ``--without`` photos of each kind without a board; ``--grounds`` lays boards on pieces of the
photographs in a folder. Sure errors are named.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests")]

import numpy as np
from synth import Difficulty
from synth.drawing import random_drawing
from synth.ground import one_of, photographs
from synth.hand_scene import MARKS, random_hand_scene
from synth.hand_sheet import HandSheet
from synth.handmade import random_hand_look, random_pair, shoot_hand_made, shoot_pair
from synth.no_board import SCENES, shoot_no_board
from synth.scene import make_game
from synth.truth import OCCLUDED_FROM

from poradek_vision.files import load_palettes
from poradek_vision.geometry import FloatArray
from poradek_vision.model import BoardReading, Failure, Flag, Game, Photo, Team
from poradek_vision.pipeline import Setup, read_photo

DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard")
GAME = Game(sizes=(8, 6, 5, 4, 3), teams=tuple(Team(f"Team {mark}", mark) for mark in MARKS))
NEAR_CELLS = 0.08


@dataclass(frozen=True)
class Truth:
    """A hand-made board in a photo: crossings (n+1, n+1, 2), rows, the team's mark, and which cells nobody can see."""

    crossings: FloatArray
    rows: Sequence[str]
    mark: str
    hidden: FloatArray


def read(pixels, setup):
    """The boards read in a photo."""
    pixels = np.ascontiguousarray(pixels)
    pixels.setflags(write=False)
    outcome = read_photo(Photo("photo.jpg", "", "", pixels, 1.0, pixels.shape[1::-1]), setup)
    return () if isinstance(outcome, Failure) else outcome


def flat(seed: int, grounds: Sequence[Path] = (), dots: bool = False) -> tuple[FloatArray, list[Truth]]:
    """A photo of one board, flat but for a bend, maybe with small round stickers."""
    look = random_hand_look(seed, seed % 3 / 2)
    if dots:
        look = replace(look, round_share=1.0, sticker=float(np.random.default_rng([seed, 1]).uniform(0.25, 0.55)))
    if grounds:
        look = replace(look, ground=one_of(grounds, seed))
    shot = shoot_hand_made(look, seed)
    return shot.pixels, [Truth(shot.crossings, shot.rows, look.mark, np.zeros((look.size, look.size)))]


def scene(seed: int, boards: int = 1, printed: int = 0, grounds: Sequence[Path] = ()) -> tuple[FloatArray, list[Truth]]:
    """A photo of boards in a scene; what is printed is not judged here."""
    sheets = [(seed % 6, 4)] * printed
    shot = random_hand_scene(seed, DIFFICULTIES[seed % 3], boards, sheets, grounds)
    truths = zip(shot.boards[printed:], shot.sheets[printed:], strict=True)
    return shot.pixels, [
        Truth(np.array(board.crossings), board.rows, sheet.look.mark, np.array(board.hidden))
        for board, sheet in truths
        if isinstance(sheet, HandSheet)
    ]


def pair(seed: int) -> tuple[FloatArray, list[Truth]]:
    """A photo of two boards on one sheet."""
    looks = random_pair(seed, seed % 3 / 2)
    shots = shoot_pair(looks, seed)
    truths = [
        Truth(shot.crossings, shot.rows, look.mark, np.zeros((look.size, look.size)))
        for shot, look in zip(shots, looks, strict=True)
    ]
    return shots[0].pixels, truths


def turned(reading: BoardReading, truth: Truth) -> tuple[int, float]:
    """Over which turn of the truth a reading fits its crossings best, and the worst distance of one, cells."""
    found = np.array(reading.grid.crossings)
    side = np.median(np.hypot(*np.moveaxis(np.diff(truth.crossings, axis=1), -1, 0)))
    worst = [np.hypot(*np.moveaxis(found - np.rot90(truth.crossings, k), -1, 0)).max() / side for k in range(4)]
    return int(np.argmin(worst)), min(worst)


def judge_cells(reading: BoardReading, truth: Truth, turn: int) -> Counter[str]:
    """Count cells that can be seen."""
    size = len(truth.rows)
    true, seen = np.rot90([list(row) for row in truth.rows], turn), np.full((size, size), "?")
    flagged, visible = np.zeros((size, size), bool), np.rot90(truth.hidden, turn) <= OCCLUDED_FROM
    for cell in reading.cells:
        seen[cell.row, cell.col] = cell.colour
        flagged[cell.row, cell.col] = bool(set(cell.flags) - {Flag.OWNER_UNCLEAR})
    wrong = (seen != true) & visible
    silent = wrong & ~flagged & (Flag.GRID_UNCERTAIN not in reading.grid.flags)
    for row, col in np.argwhere(silent):
        print(f"    row {row + 1}, column {col + 1}: {true[row, col]} read as {seen[row, col]}")
    counts = {"cells": visible, "wrong": wrong, "silent": silent, "flagged": flagged & visible}
    return Counter({name: int(which.sum()) for name, which in counts.items()})


def judge_board(readings: Sequence[BoardReading], truth: Truth) -> Counter[str]:
    """Count one board: that of the readings whose middle lies in it, if any does."""
    counts = Counter(boards=1)
    middle, reach = truth.crossings.mean((0, 1)), np.ptp(truth.crossings, axis=(0, 1)).min() / 4
    here = [r for r in readings if np.hypot(*(np.mean(r.grid.crossings, axis=(0, 1)) - middle)) < reach]
    if not here:
        return counts
    reading, sure = here[0], Flag.GRID_UNCERTAIN not in here[0].grid.flags
    if reading.grid.rows != len(truth.rows):
        return counts + Counter(other_size=1, sure_of_it=int(sure))
    turn, worst = turned(reading, truth)
    counts.update(found=1, lines=int(worst < NEAR_CELLS), off_and_sure=int(worst >= NEAR_CELLS and sure))
    counts.update(grid_in_doubt=int(not sure))
    counts.update(judge_cells(reading, truth, turn))
    if len(truth.rows) != GAME.no_mans_land:
        named = bool(reading.mark.team) and not reading.mark.flags
        right = reading.mark.team == f"Team {truth.mark}"
        counts.update(teams=1, teams_right=int(named and right), teams_wrong=int(named and not right))
    return counts


def judge(name: str, photos: Iterator[tuple[int, FloatArray, list[Truth]]], setup: Setup) -> None:
    """Print what came of some photos, by difficulty."""
    totals = {difficulty: Counter[str]() for difficulty in DIFFICULTIES}
    for seed, pixels, truths in photos:
        readings, counts = read(pixels, setup), totals[DIFFICULTIES[seed % 3]]
        mine = [reading for reading in readings if reading.grid.how == "ruled"]
        counts.update(photos=1, too_many=max(len(mine) - len(truths), 0))
        for truth in truths:
            board = judge_board(mine, truth)
            if board["silent"] or board["sure_of_it"] or board["off_and_sure"] or board["teams_wrong"]:
                print(f"  {name} of seed {seed}: {dict(board)}")
            counts.update(board)
    for difficulty, counts in totals.items():
        if counts["photos"]:
            print(f"{name:8s}{difficulty:8s}" + "  ".join(f"{what} {count}" for what, count in counts.items()))


def judge_drawings(seed: int, setup: Setup) -> None:
    """Drawings of every size, with and without a margin, upright and slanted, each in one of the four turns."""
    drawings = right = 0
    for size in range(3, 13):
        own = replace(setup, game=replace(GAME, sizes=(size,), no_mans_land=0))
        for to_edge, slanted in ((False, False), (False, True), (True, False), (True, True)):
            drawn = random_drawing(seed, size, to_edge, slanted)
            truth = Truth(drawn.crossings, drawn.rows, "", np.zeros((size, size)))
            counts = judge_board(read(drawn.pixels, own), truth)
            drawings += 1
            doubts = counts["wrong"] + counts["flagged"] + counts["grid_in_doubt"]
            right += bool(counts["found"]) and not doubts
    print(f"drawings {drawings}  all right, none in doubt {right}")


def judge_nothing(seeds: range, setup: Setup) -> None:
    """Photos of each kind without a board."""
    found = {name: [read(shoot_no_board(name, seed), setup) for seed in seeds] for name in SCENES}
    boards = {name: [reading for readings in each for reading in readings] for name, each in found.items()}
    named = [reading for each in boards.values() for reading in each if not reading.mark.flags]
    print(f"photos without a board {len(seeds) * len(SCENES)}  with one found in them", end=" ")
    print(sum(bool(readings) for each in found.values() for readings in each), end=" ")
    print({name: len(each) for name, each in boards.items() if each}, f" a team's for sure {len(named)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1000)
    counts = {"flat": 60, "dots": 15, "scenes": 30, "many": 6, "pairs": 6, "beside": 6, "without": 4}
    for name, count in counts.items():
        parser.add_argument(f"--{name}", type=int, default=count)
    parser.add_argument("--grounds", type=Path, help="a folder of photographs to lay boards on")
    asked = parser.parse_args()
    on = photographs(asked.grounds) if asked.grounds else []
    setup = Setup(GAME, load_palettes(ROOT / "calibration"))
    both = replace(setup, game=replace(make_game(6), teams=GAME.teams))  # a mark is one team's

    def seeds(count: int) -> range:
        return range(asked.seed, asked.seed + count)

    judge("flat", ((seed, *flat(seed, on)) for seed in seeds(asked.flat)), setup)
    judge("dots", ((seed, *flat(seed, on, dots=True)) for seed in seeds(asked.dots)), setup)
    judge("scenes", ((seed, *scene(seed, grounds=on)) for seed in seeds(asked.scenes)), setup)
    judge("many", ((seed, *scene(seed, 2 + seed // 3 % 3, grounds=on)) for seed in seeds(asked.many)), setup)
    judge("pairs", ((seed, *pair(seed)) for seed in seeds(asked.pairs)), setup)
    judge("beside", ((seed, *scene(seed, 1, 1, on)) for seed in seeds(asked.beside)), both)
    if asked.without:
        judge_drawings(asked.seed, setup)
        judge_nothing(seeds(asked.without), setup)


if __name__ == "__main__":
    main()
