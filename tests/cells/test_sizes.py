"""Small stickers: dots in the middle of wide cells count as squares that fill them."""

import cv2
import numpy as np
import pytest
from lit_boards import INK, Drawn, Sticker, cell_at, flagged, read, rows_of, stickers_of

from poradek_vision.model import EMPTY, Flag

ROWS = ("RYGB.", "BB.YR", "..GR.", "GYB.G", "R.Y.B")


@pytest.mark.parametrize("paper", [None, (1.0, 1.0, 1.0), (0.62, 0.45, 0.28)], ids=["printed", "white", "brown"])
@pytest.mark.parametrize("side", [0.25, 0.3, 0.4, 0.5])
def test_dots_are_right_and_sure(side, paper):
    cells, _ = read(Drawn(5, stickers_of(ROWS, side=side, disk=True, right=0.06, down=-0.04), paper=paper))
    assert rows_of(cells) == ROWS
    assert flagged(cells) == {}


def test_dots_far_from_the_middle_of_their_cells_are_right():
    cells, _ = read(Drawn(5, stickers_of(ROWS, side=0.35, disk=True, right=0.17, down=0.12)))
    assert rows_of(cells) == ROWS


@pytest.mark.parametrize("side", [0.2, 0.3])
def test_a_few_dots_among_larger_stickers_are_never_silently_empty(side):
    dots = (Sticker(2, 0, "R", side, disk=True), Sticker(4, 1, "B", side, disk=True))
    cells, _ = read(Drawn(5, (*stickers_of(ROWS), *dots)))
    for row, col, colour in ((2, 0, "R"), (4, 1, "B")):
        cell = cell_at(cells, row, col)
        assert cell.colour == colour or Flag.UNEVEN_CORE in cell.flags


def test_one_dot_alone_on_a_board_is_never_silently_empty():
    cells, _ = read(Drawn(4, (Sticker(1, 2, "G", 0.25, disk=True),)))
    assert cell_at(cells, 1, 2).flags
    assert [cell.colour for cell in cells if cell.row != 1] == [EMPTY] * 12


def test_crosses_by_a_coloured_pen_are_no_dots():
    def crosses(surface, u, v):
        across, down = u % 1 - 0.5, v % 1 - 0.5
        near = (abs(across) < 0.2) & (abs(down) < 0.2)
        surface[near & ((abs(across - down) < 0.05) | (abs(across + down) < 0.05))] = (0.5, 0.04, 0.05)

    cells, _ = read(Drawn(4, paint=crosses))
    assert all(cell.colour == EMPTY or cell.flags for cell in cells)


@pytest.mark.parametrize("letter", "BR8OX1M")
@pytest.mark.parametrize("pen", [2, 4])
def test_letters_by_a_coloured_pen_are_no_sure_stickers(letter, pen):
    def letters(surface, u, v):
        px, written = round(1 / (u[0, 1] - u[0, 0])), np.zeros(u.shape, np.uint8)
        for row, col in np.ndindex(3, 3):
            x, y = (round(px * (k + 0.35 - start)) for k, start in ((col, u[0, 0]), (row + 0.3, v[0, 0])))
            cv2.putText(written, letter, (x, y), cv2.FONT_HERSHEY_DUPLEX, 0.018 * px, 255, pen)
        surface[written > 0] = (0.5, 0.04, 0.05)

    cells, _ = read(Drawn(3, paint=letters))
    assert all(cell.colour == EMPTY or cell.flags for cell in cells)


def test_specks_of_dirt_are_no_dots():
    def specks(surface, u, v):
        surface[((u - 0.5) ** 2 + (v - 1.5) ** 2 < 0.005) | ((u - 2.4) ** 2 + (v - 2.5) ** 2 < 0.004)] = INK

    cells, _ = read(Drawn(4, paint=specks))
    assert rows_of(cells) == ("....",) * 4
