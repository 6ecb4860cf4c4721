"""A row and a column that hold the names of columns and rows are no part of a board."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from find.form.test_telling import CELL, MARGIN, SIZE, digit, drawn
from poradek_vision.find import FormSettings, cut_grid, labelled_side

INK = (40, 40, 44)


def names(picture, x, y):
    """Letters over the columns, numbers before the rows."""
    row, col = (y - MARGIN) // CELL, (x - MARGIN) // CELL
    if bool(row) != bool(col):
        cv2.putText(picture, "?ABC"[col] if col else str(row), (x + 20, y + 42), 2, 1.0, INK, 2, cv2.LINE_AA)


def all_bare(*stuck):
    bare = np.ones((SIZE, SIZE), np.bool_)
    for place in stuck:
        bare[place] = False
    return bare


def test_names_are_told_by_their_row_and_column():
    assert labelled_side(*drawn(names), all_bare(), FormSettings()) == 0


def test_a_sticker_among_them_makes_them_a_boards_cells():
    assert labelled_side(*drawn(names), all_bare((0, 2)), FormSettings()) is None


@pytest.mark.parametrize("paint", [None, digit])
def test_where_no_cell_or_every_cell_is_written_in_there_are_no_names(paint):
    assert labelled_side(*drawn(paint), all_bare(), FormSettings()) is None


def test_a_cut_grid_keeps_its_crossings_and_its_cells_in_doubt():
    _, grid = drawn()
    grid = replace(grid, unsure=((0, 1), (2, 3)))
    cut = cut_grid(grid, slice(1, 4), slice(1, 4))
    assert (cut.rows, cut.cols, cut.unsure) == (3, 3, ((1, 2),))
    assert cut.crossings[0][0] == (MARGIN + CELL, MARGIN + CELL)
    np.testing.assert_allclose(np.array(cut.photo_from_board)[:2, 2], MARGIN + CELL, atol=1e-6)
