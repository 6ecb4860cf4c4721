"""Borders of ruled grids told from the edges of their paper."""

import cv2
import numpy as np
import pytest

from poradek_vision.find import RimSettings, on_papers_edge
from poradek_vision.geometry import plain_matrix
from poradek_vision.model import GridFit, Photo

SIZE, CELL, LEFT = 4, 50, 60
NONE = np.ones((SIZE, SIZE), np.bool_)


def edges(ends, empty=NONE, shade=1.0):
    """Which borders are taken for the paper's edges; ``ends`` names those that are."""
    side = SIZE * CELL + 2 * LEFT
    picture = np.full((side, side, 3), (66, 84, 40), np.uint8)
    left, top, right, bottom = (LEFT if name in ends else 12 for name in ("left", "top", "right", "bottom"))
    picture[top : side - bottom, left : side - right] = (226, 214, 196)
    for line in range(SIZE + 1):
        at = LEFT + line * CELL
        cv2.line(picture, (LEFT, at), (side - LEFT, at), (40, 50, 140), 2)
        cv2.line(picture, (at, LEFT), (at, side - LEFT), (40, 50, 140), 2)
    picture[:, side // 2 :] = (picture[:, side // 2 :] * shade).astype(np.uint8)
    picture.setflags(write=False)
    lines = LEFT + CELL * np.arange(SIZE + 1.0)
    crossings = tuple(tuple((float(x), float(y)) for x in lines) for y in lines)
    homography = plain_matrix(np.array([[CELL, 0, LEFT], [0, CELL, LEFT], [0, 0, 1.0]]))
    grid = GridFit(SIZE, SIZE, homography, crossings, 0.1, "ruled")
    found = on_papers_edge(Photo("IMG_1.jpg", "", "", picture, 1.0, (side, side)), grid, empty, RimSettings())
    return {name for name, edge in zip(("top", "right", "bottom", "left"), found, strict=True) if edge}


@pytest.mark.parametrize("ends", [(), ("left",), ("top",), ("right", "bottom")])
@pytest.mark.parametrize("shade", [1.0, 0.5])
def test_the_papers_edge_is_told_from_a_line_in_sun_and_shade(ends, shade):
    assert edges(ends, shade=shade) == set(ends)


def test_a_border_beside_stickers_is_one_wherever_the_paper_ends():
    beside = NONE.copy()
    beside[1, 0] = beside[SIZE - 1, 2] = False
    assert edges(("left", "bottom", "right"), beside) == {"right"}


def test_where_the_photo_ends_nothing_is_known():
    side = SIZE * CELL
    picture = np.full((side, side, 3), 230, np.uint8)
    picture.setflags(write=False)
    lines = CELL * np.arange(SIZE + 1.0)
    crossings = tuple(tuple((float(x), float(y)) for x in lines) for y in lines)
    grid = GridFit(SIZE, SIZE, plain_matrix(np.diag([CELL, CELL, 1.0])), crossings, 0.1, "ruled")
    assert not any(on_papers_edge(Photo("IMG_1.jpg", "", "", picture, 1.0, (side, side)), grid, NONE, RimSettings()))
