"""Turning a grid: the same lines counted from another corner."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from poradek_vision.find import rectify, turn_grid
from poradek_vision.geometry import plain_matrix, plain_points, project
from poradek_vision.model import GridFit, Photo

HOMOGRAPHY = np.array([[20.0, 3.0, 40.0], [-2.0, 22.0, 30.0], [0.01, 0.02, 1.0]])


def made_grid(rows=3, cols=3):
    board = np.stack(np.meshgrid(np.arange(cols + 1.0), np.arange(rows + 1.0)), -1)
    crossings = project(HOMOGRAPHY, board)
    return GridFit(rows, cols, plain_matrix(HOMOGRAPHY), tuple(plain_points(line) for line in crossings), 0.0, "ruled")


def made_photo():
    pixels = np.random.default_rng(1).integers(0, 256, (8, 8, 3), np.uint8).repeat(20, 0).repeat(20, 1)
    pixels.setflags(write=False)
    return Photo("IMG_1.jpg", "", "", pixels, 1.0, (160, 160))


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_the_rectified_picture_is_turned_counterclockwise(turns):
    before = rectify(made_photo(), made_grid(), 10, (-0.5, -0.5, 3.5, 3.5)).pixels
    after = rectify(made_photo(), turn_grid(made_grid(), turns), 10, (-0.5, -0.5, 3.5, 3.5)).pixels
    assert np.abs(np.rot90(before, turns).astype(int) - after).mean() < 1
    assert np.abs(before.astype(int) - after).mean() > 20


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_crossings_and_homography_agree(turns):
    grid = turn_grid(made_grid(2, 3), turns)
    lines = np.stack(np.meshgrid(np.arange(grid.cols + 1.0), np.arange(grid.rows + 1.0)), -1)
    assert_allclose(project(grid.photo_from_board, lines), grid.crossings, atol=1e-8)
    assert (grid.rows, grid.cols) == ((3, 2) if turns % 2 else (2, 3))


def test_four_quarter_turns_change_nothing():
    grid = made_grid()
    assert turn_grid(grid, 4) == grid
    assert turn_grid(turn_grid(grid, 1), 3).crossings == grid.crossings


@pytest.mark.parametrize("turns", [1, 2, 3, 4])
def test_the_same_cells_stay_in_doubt(turns):
    grid = replace(made_grid(), unsure=((0, 2), (1, 1)))
    turned = turn_grid(grid, turns)
    middles = [np.mean([np.mean(line[col : col + 2], axis=0) for line in turned.crossings[row : row + 2]], axis=0)
               for row, col in turned.unsure]  # fmt: skip
    before = [np.mean([np.mean(line[col : col + 2], axis=0) for line in grid.crossings[row : row + 2]], axis=0)
              for row, col in grid.unsure]  # fmt: skip
    assert_allclose(sorted(map(tuple, middles)), sorted(map(tuple, before)))
