"""How often cells are right, by their margin: where the numbers of ``CellSettings.trust`` come from.

    python tests/synth FOLDER --count 146 --seed 99 --difficulty hard
    python tests/benchmarks/confidence.py FOLDER [FOLDER ...]

For each range of margins: cells, right ones, and (right + 1/2) / (cells + 1), Jeffreys' estimate of the share, which a
handful of cells can't push to 1. Flagged cells are counted apart. Then the same in ranges of the confidence given: a
confidence is good when the share of right cells in its range is no smaller.
"""

from __future__ import annotations

import itertools
import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))  # before numpy

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from poradek_vision.files import PhotoFile, load_game, load_palettes, load_photo
from poradek_vision.model import EMPTY, CellReading, Failure
from poradek_vision.pipeline import Setup, read_photo

CALIBRATION = Path(__file__).parents[2] / "calibration"
MARGINS = (-100, 0, 4, 8, 12, 16, 20, 25, 30, 40, 50.1)
CONFIDENCES = (0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.01)


def main() -> None:
    """Read the folders and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    cells = [cell for folder in parser.parse_args().folders for cell in judged(folder)]
    for what, chosen in (
        ("stickers, not flagged", [c for c in cells if c[0].colour != EMPTY and not c[0].flags]),
        ("stickers, flagged", [c for c in cells if c[0].colour != EMPTY and c[0].flags]),
        ("empty, not flagged", [c for c in cells if c[0].colour == EMPTY and not c[0].flags]),
        ("empty, flagged", [c for c in cells if c[0].colour == EMPTY and c[0].flags]),
    ):
        table(f"{what}, by margin", [(cell.margin, right) for cell, right in chosen], MARGINS)
    table("all, by confidence", [(cell.confidence, right) for cell, right in cells], CONFIDENCES)


def judged(folder: Path) -> Iterator[tuple[CellReading, bool]]:
    """Every cell of the team boards in a folder of photos with truth, and whether it is right."""
    setup = Setup(load_game(folder / "game.toml"), load_palettes(CALIBRATION))
    for truth in json.loads((folder / "truth.json").read_text(encoding="utf-8"))["photos"]:
        outcome = read_photo(load_photo(PhotoFile(truth["file"], folder / truth["file"])), setup)
        hidden = {(row, col) for row, col, *_ in truth["occluded"]}
        if truth["board"] != "team" or isinstance(outcome, Failure) or outcome[0].grid.rows != truth["n"]:
            continue
        for cell in outcome[0].cells:
            if (cell.row, cell.col) not in hidden:
                yield cell, cell.colour == truth["rows"][cell.row][cell.col]


def table(title: str, seen: list[tuple[float, bool]], ranges: tuple[float, ...]) -> None:
    """Print how many are right in each range."""
    print(title)
    for low, high in itertools.pairwise(ranges):
        rights = [right for value, right in seen if low <= value < high]
        if rights:
            share = (sum(rights) + 0.5) / (len(rights) + 1)
            print(f"  {low:7.3f} … {high:7.3f}  {len(rights):6d} cells  {sum(rights):6d} right  {share:.4f}")


if __name__ == "__main__":
    main()
