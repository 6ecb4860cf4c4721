"""Whether a wider look, or one for chalk, may show more."""

import numpy as np
import pytest

from mark.boards.drawn_board import MARGIN, draw_board, printed
from poradek_vision.mark.boards.looks import goes_beyond, has_chalk


def on_ground(board, sheet_cells, ground):
    """A board whose sheet ends so many cells beyond its grid, on a ground."""
    pixels, edge = board.pixels.copy(), round((MARGIN - sheet_cells) * board.px_per_cell)
    inner = pixels[edge:-edge, edge:-edge].copy()
    pixels[:] = ground
    pixels[edge:-edge, edge:-edge] = inner
    return type(board)(pixels, board.px_per_cell, board.origin_cells, board.seen)


@pytest.mark.parametrize("paper", [(235, 232, 222), (178, 143, 102)])
def test_paper_that_fills_what_is_seen_may_go_on(paper):
    board = draw_board(printed("B"), paper=paper)
    assert goes_beyond(board, 4, 4)
    assert not goes_beyond(on_ground(board, 2.0, (70, 95, 50)), 4, 4)


def test_shade_on_the_paper_does_not_end_it():
    board = draw_board(printed("B"))
    pixels = board.pixels.copy()
    pixels[: len(pixels) // 2] = (0.45 * pixels[: len(pixels) // 2]).astype(np.uint8)
    assert goes_beyond(type(board)(pixels, board.px_per_cell, board.origin_cells, board.seen), 4, 4)


@pytest.mark.parametrize("paper", [(45, 52, 48), (178, 143, 102)])
def test_chalk_is_seen_and_a_pen_is_none(paper):
    assert has_chalk(draw_board(printed("B"), pen=(238, 238, 232), paper=paper), 4, 4)
    assert not has_chalk(draw_board(printed("B"), pen=(30, 30, 40), paper=paper), 4, 4)


def test_nothing_on_white_paper_is_chalk():
    assert not has_chalk(draw_board(printed("KRTCI")), 4, 4)
