"""Bold lines on squared paper: the board's, though the paper's own are as many and as clear."""

import cv2
import numpy as np
import pytest

from poradek_vision.find import RuledSettings, find_ruled
from poradek_vision.model import Photo

LEFT, TOP, HEIGHT, WIDTH = 395, 265, 900, 1200
STICKERS = ((190, 60, 60), (220, 190, 60), (60, 150, 80), (50, 110, 190))


def squared(size, per_cell, square, pen, ink, blur, seed):
    """A photo of a board along the squares of its paper, ``per_cell`` of them to a cell's side, all px."""
    rng = np.random.default_rng(seed)
    picture = np.full((HEIGHT, WIDTH, 3), 238, np.float32)
    for x in range(LEFT % square, WIDTH, square):
        cv2.line(picture, (x, 0), (x, HEIGHT), (165, 170, 190), 1)
    for y in range(TOP % square, HEIGHT, square):
        cv2.line(picture, (0, y), (WIDTH, y), (165, 170, 190), 1)
    cell = per_cell * square
    for k in range(size + 1):
        x, y = LEFT + k * cell + int(rng.integers(-3, 4)), TOP + k * cell + int(rng.integers(-3, 4))
        cv2.line(picture, (x, TOP - 20), (x, TOP + size * cell + 20), (ink,) * 3, pen, cv2.LINE_AA)
        cv2.line(picture, (LEFT - 20, y), (LEFT + size * cell + 20, y), (ink,) * 3, pen, cv2.LINE_AA)
    for row, col in np.ndindex(size, size):
        if rng.random() < 0.75:
            x, y = LEFT + col * cell, TOP + row * cell
            end = x + cell - 10, y + cell - 10
            cv2.rectangle(picture, (x + 9, y + 9), end, STICKERS[int(rng.integers(4))], -1)
    taken = cv2.GaussianBlur(picture, (0, 0), blur) + rng.normal(0, 4, picture.shape)
    pixels = np.clip(taken, 0, 255).astype(np.uint8)
    pixels.setflags(write=False)
    return Photo("IMG_1.jpg", "", "", pixels, 1.0, (WIDTH, HEIGHT))


@pytest.mark.parametrize(
    ("size", "per_cell", "square", "pen", "ink", "blur", "seed"),
    [(5, 6, 11, 7, 80, 1.0, 7), (4, 5, 14, 8, 80, 1.0, 5), (4, 4, 16, 8, 90, 1.2, 11)],
)
def test_a_board_by_a_bold_pen_is_no_part_of_its_squared_paper(size, per_cell, square, pen, ink, blur, seed):
    photo = squared(size, per_cell, square, pen, ink, blur, seed)
    (grid,) = find_ruled(photo, (6, 5, 4, 3, 12), RuledSettings()).grids
    assert (grid.rows, grid.flags) == (size, ())
    end = np.array([LEFT, TOP]) + size * per_cell * square
    assert np.allclose(grid.crossings[0][0], (LEFT, TOP), atol=8)
    assert np.allclose(grid.crossings[-1][-1], end, atol=8)
