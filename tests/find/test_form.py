"""Writing in empty cells: a form's, not a board's."""

import cv2
import numpy as np
import pytest

from poradek_vision.find import FormSettings, written_share
from poradek_vision.geometry import plain_matrix
from poradek_vision.model import GridFit, Photo

SIZE, CELL, MARGIN = 4, 60, 30


def drawn(paint=None, squared=False):
    """A photo of a grid, and the grid."""
    side = SIZE * CELL + 2 * MARGIN
    picture = np.full((side, side, 3), 245, np.uint8)
    if squared:
        picture[::12] = picture[:, ::12] = (205, 215, 230)
    for line in range(SIZE + 1):
        at = MARGIN + line * CELL
        cv2.line(picture, (MARGIN, at), (side - MARGIN, at), (40, 40, 44), 2)
        cv2.line(picture, (at, MARGIN), (at, side - MARGIN), (40, 40, 44), 2)
    if paint:
        for row, col in np.ndindex(SIZE, SIZE):
            paint(picture, MARGIN + col * CELL, MARGIN + row * CELL)
    picture.setflags(write=False)
    photo = Photo("IMG_1.jpg", "", "", picture, 1.0, (side, side))
    lines = MARGIN + CELL * np.arange(SIZE + 1.0)
    crossings = tuple(tuple((float(x), float(y)) for x in lines) for y in lines)
    homography = plain_matrix(np.array([[CELL, 0, MARGIN], [0, CELL, MARGIN], [0, 0, 1.0]]))
    return photo, GridFit(SIZE, SIZE, homography, crossings, 0.1, "ruled")


def share(photo, grid, empty=None):
    everywhere = np.ones((SIZE, SIZE), np.bool_)
    return written_share(photo, grid, everywhere if empty is None else empty, FormSettings())


def digit(picture, x, y):
    cv2.putText(picture, "17", (x + 12, y + 30), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (40, 40, 44), 2, cv2.LINE_AA)


def test_a_calendars_cells_are_written_in():
    assert share(*drawn(digit)) == 1.0


@pytest.mark.parametrize("squared", [False, True])
def test_empty_cells_are_not_whatever_the_paper(squared):
    assert share(*drawn(squared=squared)) == 0.0


def test_only_empty_cells_count():
    photo, grid = drawn(digit)
    assert share(photo, grid, np.zeros((SIZE, SIZE), np.bool_)) == 0.0


def test_stickers_and_shadows_are_no_writing():
    def shade(picture, x, y):
        picture[y + 8 : y + 52, x + 8 : x + 52] = (120, 122, 128)

    assert share(*drawn(shade)) == 0.0
