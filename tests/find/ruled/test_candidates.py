"""Which of several lattices is the board, and what takes its place."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from poradek_vision.find.ruled import RuledSettings, _in_place
from poradek_vision.find.ruled.candidates import Candidate, sift
from poradek_vision.find.ruled.choice import Choice
from poradek_vision.find.ruled.lattice import Lattice
from poradek_vision.find.ruled.looks import pen_px

CHOICE = Choice((0, 4, 0, 4), score=0.4, lead=2.0, share_seen=0.9, between=0.0, beyond=0.0, outside=0.0, stickers=5,
                written=0.0, rungs=0.9, split=0.0)  # fmt: skip
NEAR, FAR = (
    SimpleNamespace(
        decoded_px=lambda points, by=by: points * by, work_px=lambda points, by=by: points / by, drawing=True
    )
    for by in (1, 2)
)


def candidate(x, y, cell, **choice):
    """A board of 4×4 cells with its corner at (x, y)."""
    coefficients = np.zeros((2, 6, 6))
    coefficients[:, 0, 0], coefficients[:, 1, 0], coefficients[:, 0, 1] = (x, y), (cell, 0), (0, cell)
    return Candidate(Lattice(coefficients, np.zeros(2), (0, 4, 0, 4)), replace(CHOICE, **choice))


def test_of_two_the_clearer_is_the_board():
    clearer, other = candidate(0, 0, 50, score=0.5), candidate(20, 0, 50)
    assert sift([other, clearer], NEAR, RuledSettings())[0] == [clearer]


def test_one_that_may_as_well_lie_elsewhere_comes_last():
    clearer, other = candidate(0, 0, 60, score=0.5, lead=0.3), candidate(20, 0, 50)
    assert sift([clearer, other], NEAR, RuledSettings())[0] == [other]
    assert sift([clearer], NEAR, RuledSettings())[0] == [clearer]


@pytest.mark.parametrize(("score", "in_place"), [(0.5, True), (0.3, False)])
def test_what_is_seen_from_farther_takes_the_place_of_what_it_overlaps_if_it_is_clearer(score, in_place):
    here, elsewhere = (candidate(0, 0, 50), NEAR), (candidate(600, 0, 50), NEAR)
    bold = candidate(5, 5, 25, score=score)
    kept = [elsewhere, (bold, FAR)] if in_place else [here, elsewhere]
    assert _in_place([here, elsewhere], [bold], FAR, unless_clearer=RuledSettings()) == kept
    assert _in_place([here, elsewhere], [bold], FAR) == [elsewhere, (bold, FAR)]


def test_what_may_as_well_lie_elsewhere_gives_way_however_clear():
    squared, bold = (candidate(0, 0, 50, score=0.9, lead=0.1), NEAR), candidate(5, 5, 25, score=0.3)
    assert _in_place([squared], [bold], FAR, unless_clearer=RuledSettings()) == [(bold, FAR)]


@pytest.mark.parametrize("width", [3, 9])
def test_how_broad_lines_are_is_measured_across_them(width):
    ink = np.zeros((300, 300), np.float32)
    for line in range(50, 251, 50):
        ink[line - width // 2 : line + width // 2 + 1, 50:251] = 0.4
        ink[50:251, line - width // 2 : line + width // 2 + 1] = 0.4
    evidence = SimpleNamespace(ink=ink, colour=np.zeros_like(ink), size=(300, 300))
    assert pen_px(evidence, candidate(50, 50, 50).lattice, (0, 4, 0, 4)) == pytest.approx(width, abs=0.5)
