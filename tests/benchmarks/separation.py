"""Foretold confusions against real ones: two colours that come closer step by step, each in every light.

    python tests/benchmarks/separation.py [--boards 2] [--seeds 1 2 3 4] [--lights shade lamp] [--steps 0.18 0.26]

Confusions come by boards, on which a glare or a cast moves all stickers of a colour alike: two boards show anything
from none to three times as many as were foretold. So each seed has a card and boards of its own, and what they show is
pooled.

One colour stays red while the other goes from red towards orange; the same with blue and light blue. For each step a
card is photographed and calibrated from, and boards in the same light are read with that palette. ``foretold`` and
``real`` are shares of stickers taken for the other colour of the pair, ``silent`` those among them without a flag.
"""

from __future__ import annotations

import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))  # before numpy

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from phones import SETTINGS, SIZE, laid_flat
from synth import make_game, make_scene, save_shot
from synth.look import PIGMENTS, Rgb
from synth.phones import CAMP_PHONES, MORE_PIGMENTS, CampLight, colour_game, phone_look

from poradek_vision.cells import read_cells, separations
from poradek_vision.files import PhotoFile, find_palettes
from poradek_vision.model import Palette
from poradek_vision.pipeline import Setup, calibrate, learn_from_cards

PAIRS = (("R", "O"), ("B", "L"))
STEPS = (0.06, 0.12, 0.18, 0.26, 0.36)
CODES = "ROBL"


@dataclass(frozen=True)
class Seen:
    """A pair at one step in one light: noise widths and what was foretold, and what the boards showed."""

    widths: float
    foretold: float
    cells: int
    wrong: int
    silent: int


def pooled(some: Sequence[Seen]) -> Seen:
    """What several cards foretold, on the mean, and what all boards showed."""
    widths, foretold = (
        sum(values) / len(some) for values in zip(*((one.widths, one.foretold) for one in some), strict=True)
    )
    cells, wrong, silent = map(sum, zip(*((one.cells, one.wrong, one.silent) for one in some), strict=True))
    return Seen(widths, foretold, cells, wrong, silent)


def main() -> None:
    """Render, calibrate, read, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=2)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--steps", type=float, nargs="+", default=STEPS)
    parser.add_argument("--lights", nargs="+", default=["shade", "lamp"])
    asked = parser.parse_args()
    for step in asked.steps:
        for light in asked.lights:
            found = [measure(step, light, asked.boards, seed) for seed in asked.seeds]
            for pair in PAIRS:
                seen = pooled([one[pair] for one in found])
                print(
                    f"{'-'.join(pair)} {light:6s} step {step:.2f}  {seen.widths:5.1f} widths"
                    f"  foretold {100 * seen.foretold:6.2f} %  real {100 * seen.wrong / max(seen.cells, 1):6.2f} %"
                    f"  of {seen.cells:3d}, silent {seen.silent}",
                    flush=True,
                )


def measure(step: float, light: CampLight, boards: int, seed: int) -> dict[tuple[str, str], Seen]:
    """One card and some boards with pairs of colours that far apart."""
    game = colour_game(make_game(3), CODES)
    setup = Setup(game, find_palettes([]))
    pigments = [(code, pigment) for pair in PAIRS for code, pigment in zip(pair, between(*pair, step), strict=True)]
    read: list[tuple[str, str, bool]] = []
    with TemporaryDirectory() as folder:
        for board in range(boards + 1):
            at = 1000 * seed + round(100 * step) + 100 * board
            look = phone_look(CAMP_PHONES[0], light, tuple(pigments), at)
            shot = make_scene(at, game=game, sheets=["card" if board == 0 else (0, SIZE)], look=look)
            file = PhotoFile("photo.jpg", save_shot(Path(folder), "photo.jpg", shot))
            if board == 0:
                palette = unrefused(file, setup)
                pairs = {
                    (one.first, one.second): one for one in separations(palette, SETTINGS.samples, SETTINGS.separation)
                }
                continue
            cells = read_cells(laid_flat(file, setup)[0], SIZE, SIZE, True, (), palette, SETTINGS).cells
            read += [(t, c.colour, bool(c.flags)) for t, c in zip("".join(shot.boards[0].rows), cells, strict=True)]
    found = {}
    for pair in PAIRS:
        mine = [
            (code, flagged)
            for truth, code, flagged in read
            if truth in pair
            for code in [code if code != truth else ""]
        ]
        wrong = [flagged for code, flagged in mine if code in pair]
        found[pair] = Seen(pairs[pair].widths, pairs[pair].confused, len(mine), len(wrong), wrong.count(False))
    return found


def unrefused(file: PhotoFile, setup: Setup) -> Palette:
    """The palette of a card, also where its colours would be refused."""
    bold = replace(setup.cells, separation=replace(setup.cells.separation, least_widths=-99.0))
    return calibrate(learn_from_cards([file], setup).lessons, None, "x", replace(setup, cells=bold), "").palette


def between(first: str, second: str, step: float) -> tuple[Rgb, Rgb]:
    """The middle of the first colour's range, and what lies a step on the way to that of the second."""
    ends = [[(a + b) / 2 for a, b in zip(*(PIGMENTS | MORE_PIGMENTS)[code], strict=True)] for code in (first, second)]
    red, green, blue = ends[0]
    other = [(1 - step) * a + step * b for a, b in zip(*ends, strict=True)]
    return (red, green, blue), (other[0], other[1], other[2])


if __name__ == "__main__":
    main()
