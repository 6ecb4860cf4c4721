"""The no man's land: how many owners are right, in doubt, or wrong without a word, and how long a photo takes.

    python tests/benchmarks/land.py [--count 102] [--seed 1] [--megapixels 3] [--marks aruco|pen]

Renders photos of printed 12×12 sheets, a third each easy, medium and hard, and reads them on one core. Time is CPU time
of everything - decoding, finding, judging, debug picture, points, picture of the land - in units of D, one full decode
of the same file measured in the same run; rounds take turns, and the medians are compared; it is measured with
``--megapixels 12`` only. Washed-out and hidden cells don't count. A sheet whose fiducials are not seen is read like one
ruled by hand: any side may be up.
"""

from __future__ import annotations

import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))  # before numpy

import argparse
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from synth.album import save_shot
from synth.command import DIFFICULTIES, enlarged
from synth.look import random_look
from synth.scene import Shot, make_game, make_scene

from poradek_vision.files import PhotoFile, find_palettes, load_content
from poradek_vision.model import EMPTY, BoardReading, Failure, Flag, Game
from poradek_vision.overlay import encode_jpeg, paint_board, paint_land
from poradek_vision.pipeline import Setup, read_content, score
from poradek_vision.settle import turn

ROUNDS = 3


def main() -> None:
    """Render, read, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=102)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--megapixels", type=float, default=3.0)
    parser.add_argument("--marks", choices=["aruco", "pen"], default="aruco")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    game = make_game(8)
    setup = Setup(game, find_palettes([]))
    totals = {level: Counter[str]() for level in DIFFICULTIES}
    shares = []
    with tempfile.TemporaryDirectory() as folder:
        for k in range(asked.count):
            level = DIFFICULTIES[k % 3]
            shot = render(int(np.random.default_rng([asked.seed, k]).integers(1 << 31)), k, asked, game)
            path = save_shot(Path(folder), f"{k:03d}_{level}.jpg", shot)
            totals[level] += judged(path, shot, setup)
            if asked.megapixels > 11:
                shares.append(measured(path, setup))
    for level, count in {**totals, "all": sum(totals.values(), Counter())}.items():
        owned = max(1, count["owned"])
        print(
            f"{level:7s} photos {count['photos']:3d}  not found {count['not found']}  owners {count['owned']:5d}"
            f"  right {100 * count['right'] / owned:6.2f} %  in doubt {100 * count['doubt'] / owned:5.2f} %"
            f"  not seen {count['unseen']}  wrong in silence {count['silent']}"
        )
    if shares:
        print(f"time: median {statistics.median(shares):.2f} D, worst {max(shares):.2f} D")


def render(seed: int, k: int, asked: argparse.Namespace, game: Game) -> Shot:
    """A photo of a no man's land."""
    look = enlarged(random_look(seed, DIFFICULTIES[k % 3]), asked.megapixels)
    look = replace(look, stickers=replace(look.stickers, marks=asked.marks))
    return make_scene(seed, game=game, sheets=["no_mans_land"], look=look)


def judged(path: Path, shot: Shot, setup: Setup) -> Counter[str]:
    """How the owners of one photo were read."""
    _, outcome = read_content(load_content(PhotoFile(path.name, path)), setup)
    if isinstance(outcome, Failure):
        return Counter({"photos": 1, "not found": 1})
    (truth,), reading = shot.boards, outcome[0]
    turns = range(4) if reading.grid.how == "ruled" else range(1)
    return max((compared(reading, k, truth, setup.game) for k in turns), key=lambda count: count["right"])


def compared(reading: BoardReading, quarters: int, truth: object, game: Game) -> Counter[str]:
    """Owners of a reading, turned, against the truth."""
    names = {team.mark: team.name for team in game.teams}
    skipped = set(truth.washed)
    count = Counter({"photos": 1})
    whole = Flag.GRID_UNCERTAIN in reading.grid.flags  # then every cell is in doubt
    for cell in turn(reading.cells, reading.grid.rows, quarters):
        row, col = cell.row, cell.col
        if truth.rows[row][col] == EMPTY or (row, col) in skipped or truth.hidden[row][col] > 0.1:
            continue
        right = cell.owner == names[truth.owners[row][col]]
        count["owned"] += 1
        count["right"] += right
        count["doubt"] += Flag.OWNER_UNCLEAR in cell.flags
        count["unseen"] += cell.colour == EMPTY  # whose it is was not asked: that is a matter of colours
        count["silent"] += not right and cell.colour != EMPTY and not (cell.flags or whole)
    return count


def measured(path: Path, setup: Setup) -> float:
    """Time of everything, in D."""
    data = np.frombuffer(path.read_bytes(), np.uint8)

    def everything() -> None:
        photo, outcome = read_content(load_content(PhotoFile(path.name, path)), setup)
        if isinstance(outcome, Failure):
            return
        for board in outcome:
            encode_jpeg(paint_board(photo, board, setup.game))
        encode_jpeg(paint_land(score([outcome], (), setup).results, setup.game))

    stages = [lambda: cv2.imdecode(data, cv2.IMREAD_COLOR), everything]
    seconds: list[list[float]] = [[] for _ in stages]
    for _ in range(ROUNDS):
        for k, stage in enumerate(stages):
            start = time.process_time()
            stage()
            seconds[k].append(time.process_time() - start)
    decode, whole = map(statistics.median, seconds)
    return whole / decode


if __name__ == "__main__":
    main()
