"""Lines that are pale in places: those that fade are lines, what is pale between dark pieces is not."""

import numpy as np
import pytest

from poradek_vision.find.ruled.evidence import Evidence
from poradek_vision.find.ruled.pale import strength
from poradek_vision.find.ruled.trace import PER_CELL, Trace

SIZE, CELL = 4, 20
LINES = 2 * (SIZE + 1)
USUAL = np.ones((LINES, SIZE))


def place(board):
    return board * CELL + CELL


def make_trace(pieces, hidden=()):
    """A trace whose pieces (LINES, SIZE) are so dark; those hidden, (line, cell), lie under stickers."""
    ink = np.repeat(np.asarray(pieces, np.float32), PER_CELL, axis=1)
    covered = np.zeros((LINES, SIZE), np.float32)
    for line, cell in hidden:
        covered[line, cell] = 1
    axis, line = np.repeat([0, 1], SIZE + 1), np.tile(np.arange(SIZE + 1), 2)
    along, points = (np.arange(SIZE * PER_CELL) + 0.5) / PER_CELL, np.zeros((*ink.shape, 2))
    return Trace(axis, line, along, np.zeros(ink.shape), points, ink, np.repeat(covered, PER_CELL, axis=1))


def make_evidence(noise=0.0):
    side = (SIZE + 2) * CELL
    ink = np.full((side, side), noise, np.float32)
    nothing, levels = np.zeros_like(ink), np.zeros((side, side, 3), np.uint8)
    return Evidence(ink, nothing, nothing, nothing, levels, levels, levels.astype(np.float32), 1.0, (0, 0))


def of_line(row, hidden=(), noise=0.0, before=USUAL):
    pieces = np.ones((LINES, SIZE))
    pieces[2] = row
    return strength(make_evidence(noise), place, make_trace(pieces, hidden), before)[2]


def test_lines_as_dark_as_usual_have_full_strength():
    np.testing.assert_allclose(of_line([1, 1, 1, 1]), 1)


def test_a_line_that_fades_bit_by_bit_is_as_dark_as_it_is():
    np.testing.assert_allclose(of_line([1, 0.7, 0.4, 0.3]), [1, 0.7, 0.4, 0.4])


@pytest.mark.parametrize("row", [[1, 0.2, 1, 1], [1, 1, 1, 0.2]])
def test_a_pale_piece_among_dark_ones_is_none_of_the_line(row):
    np.testing.assert_allclose(of_line(row), 1)


def test_pieces_under_stickers_are_skipped():
    np.testing.assert_allclose(of_line([1, 0.0, 0.3, 1], hidden=[(2, 1)])[2], 1)


def test_what_is_hardly_darker_than_the_paper_is_no_line():
    np.testing.assert_allclose(of_line([0.2, 0.2, 0.2, 0.2], noise=0.1), 1)
    np.testing.assert_allclose(of_line([0.2, 0.2, 0.2, 0.2], noise=0.01), 0.2)


def test_a_strength_known_before_is_not_counted_twice():
    before = np.full((LINES, SIZE), 0.5)
    np.testing.assert_allclose(of_line([0.8, 0.8, 0.8, 0.8], before=before), 0.4)
