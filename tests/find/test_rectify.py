"""A rectified board shows what was drawn where it was drawn, and says what it has not seen."""

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from find.drawn_sheets import SWATCHES, TILTED, lay, photo_of, photograph, square_on
from poradek_vision.find import rectify
from poradek_vision.geometry import fit_homography, plain_matrix, plain_points, project
from poradek_vision.model import GridFit

ROWS = ("RYGB.", "B.RY.", "GYB.R", "YR.GB", ".BGRY")
BOARD = np.stack(np.meshgrid(np.arange(6.0), np.arange(6.0)), -1)


def grid_of(crossings) -> GridFit:
    """The grid that a finder would give for exact crossings."""
    homography = fit_homography(BOARD.reshape(-1, 2), np.reshape(crossings, (-1, 2)))
    return GridFit(5, 5, plain_matrix(homography), tuple(plain_points(line) for line in crossings), 0.0, "printed")


def at(rectified, u, v):
    """The colour at a board point."""
    (u0, v0), px = rectified.origin_cells, rectified.px_per_cell
    return rectified.pixels[round((v - v0) * px - 0.5), round((u - u0) * px - 0.5)].astype(int)


@pytest.mark.parametrize("bend_mm", [0.0, 5.0], ids=["flat", "bent"])
@pytest.mark.parametrize("px", [16, 40], ids=["averaged", "enlarged"])
def test_cells_show_what_was_stuck_on_them(px, bend_mm):
    laid = lay(5, quad=TILTED, rows=ROWS, bend_mm=bend_mm)
    rectified = rectify(photograph(laid, noise=0), grid_of(laid.crossings()), px, (0, 0, 5, 5))
    assert rectified.pixels.shape == (5 * px, 5 * px, 3)
    for row, line in enumerate(ROWS):
        for col, code in enumerate(line):
            for du, dv in ((0.5, 0.5), (0.25, 0.3), (0.75, 0.7)):
                assert_allclose(at(rectified, col + du, row + dv), SWATCHES.get(code, (238, 238, 234)), atol=6)


@pytest.mark.parametrize("bend_mm", [0.0, 5.0], ids=["flat", "bent"])
def test_grid_lines_run_straight_along_the_cell_borders(bend_mm):
    laid = lay(5, quad=TILTED, bend_mm=bend_mm)
    rectified = rectify(photograph(laid, noise=0), grid_of(laid.crossings()), 40, (-0.2, -0.2, 5.2, 5.2))
    grey = rectified.pixels.min(-1).astype(int)
    for picture in (grey, grey.T):
        for line in range(6):
            middle = round((line + 0.2) * 40)
            for along in (0.5, 1.5, 2.5, 3.5, 4.5):
                profile = 234 - picture[round((along + 0.2) * 40), middle - 6 : middle + 6]
                assert abs(np.average(np.arange(12) - 5.5, weights=np.maximum(profile, 0))) < 1.0


def test_the_margin_shows_ruler_frame_and_fiducials():
    laid = lay(5, quad=TILTED)
    rectified = rectify(photograph(laid, noise=0), grid_of(laid.crossings()), 24, (-1.1, -1.1, 6.1, 6.1))
    assert rectified.origin_cells == (-1.1, -1.1)
    for k in range(5):
        black = k % 2 == 0
        for u, v in ((k + 0.5, -0.375), (k + 0.5, 5.375), (-0.375, k + 0.5), (5.375, k + 0.5)):
            assert (at(rectified, u, v).mean() < 110) == black
    assert at(rectified, -0.25, -0.25).mean() < 110  # the black border of the tag at the top left


def test_what_lies_outside_the_photo_is_unseen():
    laid = lay(5, quad=square_on((100.0, 400.7), 540))
    crossings = laid.crossings()
    rectified = rectify(photograph(laid), grid_of(crossings), 16, (-0.75, -0.75, 5.75, 5.75))
    u = (np.arange(rectified.seen.shape[1]) + 0.5) / 16 - 0.75
    x = crossings[0, 0, 0] + u * (crossings[0, 5, 0] - crossings[0, 0, 0]) / 5
    assert (x < -1).any()
    assert not rectified.seen[:, x < -1].any()
    assert rectified.seen[:, x > 1].all()


def test_many_pixels_of_the_photo_are_averaged():
    """Noise of a photo with far more pixels than asked for is evened out; a plain resampling would keep it."""
    laid = lay(5, quad=square_on((600.3, 800.7), 1100))
    photo = photograph(laid, size=(1200, 1600), noise=12, over=1)
    rectified = rectify(photo, grid_of(laid.crossings()), 16, (0, 0, 5, 5))
    spread = [
        np.std(rectified.pixels[row * 16 + 4 : row * 16 + 12, col * 16 + 4 : col * 16 + 12])
        for row in range(5)
        for col in range(5)
    ]
    assert np.mean(spread) < 12 / 3


def test_a_photo_decoded_at_half_size_gives_the_same_board():
    laid = lay(5, quad=TILTED, rows=ROWS, bend_mm=3.0)
    photo = photograph(laid, noise=0)
    half = photo_of(cv2.resize(photo.pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), scale=0.5)
    whole, small = (rectify(p, grid_of(laid.crossings()), 12, (0, 0, 5, 5)) for p in (photo, half))
    inner = np.s_[4:8]
    for row in range(5):
        for col in range(5):
            cells = [r.pixels[row * 12 : row * 12 + 12, col * 12 : col * 12 + 12][inner, inner] for r in (whole, small)]
            assert_allclose(cells[0].mean((0, 1)), cells[1].mean((0, 1)), atol=4)


def test_the_picture_can_not_be_changed_and_says_its_frame():
    laid = lay(5)
    rectified = rectify(photograph(laid), grid_of(laid.crossings()), 10, (-0.5, 0, 2.5, 1))
    assert rectified.pixels.shape == (10, 30, 3)
    assert (rectified.px_per_cell, rectified.origin_cells) == (10, (-0.5, 0))
    assert not rectified.pixels.flags.writeable
    assert not rectified.seen.flags.writeable


def test_without_bend_every_pixel_is_where_the_homography_says():
    """A photo whose colours are its coordinates tells where each pixel was taken."""
    ramp = np.zeros((256, 256, 3), np.uint8)
    ramp[..., 0], ramp[..., 1] = np.arange(256), np.arange(256)[:, None]
    crossings = project([[30.0, 4, 40], [-3, 31, 50], [0.01, 0.02, 1]], BOARD)
    rectified = rectify(photo_of(ramp), grid_of(crossings), 20, (0, 0, 5, 5))
    centres = (np.stack(np.meshgrid(np.arange(100), np.arange(100)), -1) + 0.5) / 20
    expected = project(grid_of(crossings).photo_from_board, centres)
    assert_allclose(rectified.pixels[..., :2], expected, atol=1.0)
    assert_array_equal(rectified.pixels[..., 2], 0)
