"""Edges and lines are sighted where they are, to a tenth of a pixel, and nothing is sighted where there is nothing."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from poradek_vision.find.frame import BAR, Sites, join
from poradek_vision.find.sight import sight, views
from poradek_vision.find.surface import flat_surface

CELL_PX = 60.0
OFFSET_PX = 90.0
"""Board cell (0, 0) lies at photo pixel (90, 90)."""
SIZE = 300
WHITE, BLACK, STICKER = 230.0, 40.0, 110.0
SURFACE = flat_surface(
    np.array([[1 / CELL_PX, 0, -OFFSET_PX / CELL_PX], [0, 1 / CELL_PX, -OFFSET_PX / CELL_PX], [0, 0, 1.0]]), 2, 2
)
EXPECTED = OFFSET_PX + CELL_PX
"""Where the board's line 1 should be, px."""


def stripes(*stripes_px, axis=0, ground=WHITE, blur_px=0.8):
    """An RGB picture with bands (from, to, value) across ``axis``, exact to a thousandth of a pixel, gently blurred."""
    fine = 50
    centres = (np.arange(SIZE * fine) + 0.5) / fine - 0.5
    line = np.full(SIZE * fine, ground)
    for start, stop, value in stripes_px:
        line[(centres >= start) & (centres < stop)] = value
    steps = np.arange(-6 * fine, 6 * fine + 1) / fine
    kernel = np.exp(-0.5 * (steps / blur_px) ** 2)
    smooth = np.convolve(np.pad(line, 6 * fine, mode="edge"), kernel / kernel.sum(), mode="valid")
    along = smooth.reshape(SIZE, fine).mean(1)
    grey = np.tile(along, (SIZE, 1)) if axis == 0 else np.tile(along[:, None], (1, SIZE))
    return np.round(np.repeat(grey[..., None], 3, -1)).astype(np.uint8)


def line_at(middle):
    """A printed line, 1.8 px wide: 0.6 mm where a cell of 20 mm has 60 px."""
    return middle - 0.9, middle + 0.9, BLACK


def sites(kind, axis=0, at=1.0, width=0.03, count=5):
    """Places along the board's line ``at``."""
    points = np.empty((count, 2))
    points[:, axis], points[:, 1 - axis] = at, np.linspace(0.2, 1.8, count)
    return Sites(points, np.full(count, axis), np.full(count, kind), np.full(count, width))


@pytest.mark.parametrize("axis", [0, 1], ids=["vertical", "horizontal"])
@pytest.mark.parametrize(("reach", "off_px"), [(0.3, -3.7), (0.3, 0.0), (0.3, 2.9), (0.12, -0.4), (0.12, 0.2)])
@pytest.mark.parametrize("kind", [+1, -1], ids=["dark beyond", "dark before"])
def test_a_step_edge_is_found_to_a_tenth_of_a_pixel(reach, kind, off_px, axis):
    edge = EXPECTED + off_px
    band = (edge, edge + 18, BLACK) if kind > 0 else (edge - 18, edge, BLACK)
    seen = sight(views(stripes(band, axis=axis)), SURFACE, sites(kind, axis, width=0.2), reach)
    assert len(seen.points) == 5
    assert_allclose(seen.points[:, axis], edge, atol=0.1)
    assert_allclose(np.sort(seen.points[:, 1 - axis]), OFFSET_PX + CELL_PX * np.linspace(0.2, 1.8, 5), atol=1e-6)
    assert set(seen.value) == {1.0}
    assert set(seen.axis) == {axis}


@pytest.mark.parametrize("off_px", [-12.4, 8.9])
def test_an_edge_far_from_its_expected_place_is_found_to_half_a_pixel(off_px):
    edge = EXPECTED + off_px
    seen = sight(views(stripes((edge, edge + 18, BLACK))), SURFACE, sites(+1, width=0.2), 0.3)
    assert_allclose(seen.points[:, 0], np.full(5, edge), atol=0.5)


@pytest.mark.parametrize("axis", [0, 1], ids=["vertical", "horizontal"])
@pytest.mark.parametrize(("reach", "off_px"), [(0.3, -9.3), (0.3, 0.4), (0.3, 7.1), (0.12, -2.6), (0.12, 0.0)])
def test_a_dark_line_is_found_to_a_tenth_of_a_pixel(reach, off_px, axis):
    middle = EXPECTED + off_px
    seen = sight(views(stripes(line_at(middle), axis=axis)), SURFACE, sites(BAR, axis), reach)
    assert len(seen.points) == 5
    assert_allclose(seen.points[:, axis], middle, atol=0.1)


def test_edges_and_lines_are_sighted_together():
    middle = EXPECTED + 1.3
    both = join([sites(BAR), sites(+1, at=1.5, width=0.2)])
    seen = sight(views(stripes(line_at(middle), (EXPECTED + 30, SIZE, BLACK))), SURFACE, both, 0.2)
    assert_allclose(seen.points[seen.value == 1.0][:, 0], np.full(5, middle), atol=0.1)
    assert_allclose(seen.points[seen.value == 1.5][:, 0], np.full(5, EXPECTED + 30), atol=0.1)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("value", [STICKER, BLACK], ids=["sticker", "dark sticker"])
def test_the_edge_of_a_sticker_is_not_taken_for_a_line(side, value):
    """A cell whose own line is covered: the sticker ends near the place where the line should be."""
    edge = EXPECTED + 2
    band = (0, edge, value) if side == "left" else (edge, SIZE, value)
    assert len(sight(views(stripes(band)), SURFACE, sites(BAR), 0.3).points) == 0


def test_a_line_beside_a_sticker_is_still_the_line():
    middle = EXPECTED - 1.2
    seen = sight(views(stripes((0, middle - 7, STICKER), line_at(middle))), SURFACE, sites(BAR), 0.3)
    assert_allclose(seen.points[:, 0], np.full(5, middle), atol=0.1)


def test_a_line_survives_where_light_has_clipped_two_channels():
    pixels = np.full((SIZE, SIZE, 3), 255, np.uint8)
    pixels[..., 2] = stripes(line_at(EXPECTED + 0.7), ground=200.0)[..., 2]
    seen = sight(views(pixels), SURFACE, sites(BAR), 0.2)
    assert_allclose(seen.points[:, 0], np.full(5, EXPECTED + 0.7), atol=0.1)


@pytest.mark.parametrize("kind", [BAR, +1, -1])
@pytest.mark.parametrize("value", [0.0, 128.0, 255.0])
def test_nothing_is_sighted_on_a_flat_picture(kind, value):
    assert len(sight(views(stripes(ground=value)), SURFACE, sites(kind, width=0.1), 0.3).points) == 0


@pytest.mark.parametrize("kind", [+1, -1])
def test_a_step_that_is_dark_on_the_wrong_side_is_no_edge(kind):
    dark = (0, EXPECTED, BLACK) if kind > 0 else (EXPECTED, SIZE, BLACK)
    assert len(sight(views(stripes(dark)), SURFACE, sites(kind, width=0.2), 0.3).points) == 0


def test_nothing_is_sighted_outside_the_photo():
    beyond = sites(+1, at=4.2, width=0.2)
    assert len(sight(views(stripes((0, SIZE, BLACK))), SURFACE, beyond, 0.3).points) == 0
