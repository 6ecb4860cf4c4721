"""A grid from four corners that a person pointed at: lines refine it where there are some, else it stays as given."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from find.drawn_sheets import TILTED, lay, photo_of, photograph, worst_px
from poradek_vision.find import FindSettings, fit_corners
from poradek_vision.geometry import fit_homography, project

GROWTH = FindSettings().growth
ROWS = ("RYGB.", "B.RY.", "GYB.R", "YR.GB", ".BGRY")
BOARD_QUAD = [[0, 0], [5, 0], [5, 5], [0, 5]]
BOARD = np.stack(np.meshgrid(np.arange(6.0), np.arange(6.0)), -1)
CLUMSY_PX = np.array([[5.0, -4], [-6, 3], [4, 5], [-3, -6]])


def corners_of(laid):
    return laid.crossings()[[0, 0, 5, 5], [0, 5, 5, 0]]


@pytest.mark.parametrize("bend_mm", [0.0, 3.0], ids=["flat", "bent"])
def test_lines_refine_what_a_clumsy_finger_gave(bend_mm):
    laid = lay(5, quad=TILTED, rows=ROWS, bend_mm=bend_mm)
    given = corners_of(laid) + CLUMSY_PX
    grid = fit_corners(photograph(laid), given, 5, 5, GROWTH)
    assert worst_px(grid, laid) < 0.5 * np.hypot(*CLUMSY_PX.T).max()
    inner = np.array(grid.crossings)[1:-1, 1:-1] - laid.crossings()[1:-1, 1:-1]
    assert np.hypot(*np.moveaxis(inner, -1, 0)).max() < 1.0
    assert (grid.rows, grid.cols, grid.how, grid.team_index) == (5, 5, "by hand", None)


def test_without_any_line_the_corners_stand_as_given():
    given = corners_of(lay(5, quad=TILTED))
    grid = fit_corners(photo_of(np.full((800, 600, 3), 210, np.uint8)), given, 5, 5, GROWTH)
    assert_allclose(np.array(grid.crossings)[[0, 0, 5, 5], [0, 5, 5, 0]], given, atol=1e-6)
    assert_allclose(np.array(grid.crossings), project(fit_homography(BOARD_QUAD, given), BOARD), atol=1e-6)
    assert grid.error_px == 0


def test_the_board_is_turned_as_its_corners_are_given():
    laid = lay(5, quad=TILTED, rows=ROWS)
    grid = fit_corners(photograph(laid), np.roll(corners_of(laid), -1, axis=0), 5, 5, GROWTH)
    assert_allclose(np.array(grid.crossings), np.rot90(laid.crossings()), atol=1.5)


def test_corners_are_told_in_pixels_of_the_file():
    given = corners_of(lay(5, quad=TILTED))
    half = photo_of(np.full((400, 300, 3), 210, np.uint8), scale=0.5)
    grid = fit_corners(half, given, 5, 5, GROWTH)
    assert_allclose(np.array(grid.crossings)[[0, 0, 5, 5], [0, 5, 5, 0]], given, atol=1e-6)


def test_three_corners_on_a_line_are_refused():
    with pytest.raises(ValueError, match="homography"):
        fit_corners(
            photo_of(np.full((80, 60, 3), 210, np.uint8)), np.array([[5.0, 5], [25, 5], [45, 5], [5, 45]]), 5, 5, GROWTH
        )
