"""Which cells of a lattice are the board: what the pieces of line that are seen say for every window."""

import numpy as np
import pytest

from poradek_vision.find.ruled.choice import _best, _weigh

SIZES = (3, 4, 5, 6)
NO_STICKERS = np.zeros((9, 9))


def make_lines(row=2, col=2, size=4):
    """How clear the pieces of vertical and horizontal lines of 9 × 9 cells are: those of one board, elsewhere paper."""
    down, across = np.full((9, 10), -1.0), np.full((10, 9), -1.0)
    down[row : row + size, col : col + size + 1] = 1
    across[row : row + size + 1, col : col + size] = 1
    return down, across


@pytest.mark.parametrize(("row", "col", "size"), [(2, 2, 4), (1, 3, 3), (2, 2, 6), (3, 1, 5)])
def test_the_board_s_own_window_wins_by_far(row, col, size):
    score, second, *window = _best(*make_lines(row, col, size), NO_STICKERS, SIZES)
    assert window == [size, row, col]
    assert score == 2 * size * (size + 1)
    assert (score - second) / size > 2


def test_a_line_beside_the_border_is_no_part_of_the_board():
    down, across = make_lines()
    down[2:6, 1] = 1
    score, second, *window = _best(down, across, NO_STICKERS, SIZES)
    assert window == [4, 2, 2]
    assert (score - second) / 4 > 1


def test_a_row_more_that_stickers_hide_in_part_counts():
    down, across = make_lines(size=5)
    down[6, 3:6] = across[7, 3:6] = 0
    assert _best(down, across, NO_STICKERS, SIZES)[2:] == (5, 2, 2)


def test_stickers_beside_a_window_speak_against_it():
    stickers = NO_STICKERS.copy()
    stickers[2:6, 6] = 1
    before, after = (_weigh(*make_lines(), seen, 4)[1, 1] for seen in (NO_STICKERS, stickers))
    assert before - after == 4


def test_a_lattice_too_small_for_every_size_has_no_window():
    down, across = make_lines()
    assert _best(down, across, NO_STICKERS, (8, 12)) is None
