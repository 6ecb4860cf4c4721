"""The paper round a hand-made grid."""

import cv2
import numpy as np
import pytest

from poradek_vision.mark.boards.page import PageSettings, bare_paper, cells_outside, find_page
from poradek_vision.model import Rectified

PX = 40
MARGIN = 2.5
SETTINGS = PageSettings()
GRAIN = 0.004


def scene(ground=None, light=None, n=3):
    """A sheet that reaches 1.5 cells beyond its grid, on a ground (3,), or that alone; in some light, (h, w)."""
    side = round((n + 2 * MARGIN) * PX)
    pixels = np.full((side, side, 3), (0.86, 0.85, 0.8))
    if ground is not None:
        inside = slice(PX, side - PX)
        on_sheet = pixels[inside, inside].copy()
        pixels[:] = ground
        pixels[inside, inside] = on_sheet
    if light is not None:
        pixels *= light[..., None]
    pixels += np.random.default_rng(4).normal(0, GRAIN, pixels.shape)
    return np.clip(pixels, 0, 1).astype(np.float32)


def page_of(pixels, n=3):
    """Where there is page, and how far outside the grid each pixel lies."""
    seen = np.ones(pixels.shape[:2], bool)
    small = Rectified((255 * pixels).astype(np.uint8), PX, (-MARGIN, -MARGIN), seen)
    outside = cells_outside(small, n, n)
    paper = bare_paper(pixels, (outside > 0.12) & (outside < 0.6), PX, SETTINGS)
    darkness = 1 - (pixels / paper).min(2)
    return find_page(paper, darkness - np.median(darkness), outside, seen, PX, SETTINGS), outside


def edge_of_shade(side, at, dark=0.35):
    """Light (side, side) that falls sharply to ``dark`` beyond a slanting line."""
    y, x = np.mgrid[:side, :side]
    sun = (x + 0.6 * y < at).astype(np.float64)
    return cv2.GaussianBlur(dark + (1 - dark) * sun, (0, 0), 1.5)


@pytest.mark.parametrize("dark", [0.3, 0.6])
def test_paper_goes_on_beyond_a_sharp_shade(dark):
    pixels = scene(light=edge_of_shade(320, 330, dark))
    page, outside = page_of(pixels)
    assert page[(outside > 0.2) & (outside < 2.3)].mean() > 0.97


def test_a_patch_of_sun_on_the_sheet_is_paper():
    light = np.full((320, 320), 0.4)
    cv2.circle(light, (160, 48), 26, 1.0, -1)
    page, _ = page_of(scene(light=cv2.GaussianBlur(light, (0, 0), 1.5)))
    assert page[30:60, 140:180].all()


@pytest.mark.parametrize("ground", [(0.25, 0.4, 0.2), (0.5, 0.33, 0.18)])
def test_grass_and_wood_are_no_paper(ground):
    page, outside = page_of(scene(ground))
    assert not page[outside > 1.8].any()
    assert page[(outside > 0.2) & (outside < 1.3)].all()


def test_a_burnt_out_sky_that_the_sheet_hides_is_no_paper():
    pixels = scene((0.3, 0.35, 0.2))
    cv2.circle(pixels, (0, 110), 26, (1.0, 1.0, 1.0), -1)
    page, _ = page_of(pixels)
    assert not page[95:125, 4:16].any()


def test_rough_ground_of_the_papers_hue_is_no_paper():
    pixels = scene((0.43, 0.425, 0.4))
    rough = np.random.default_rng(5).normal(0, 0.08, pixels.shape[:2]).astype(np.float32)
    on_sheet = pixels[PX:-PX, PX:-PX].copy()
    pixels *= 1 + cv2.GaussianBlur(rough, (0, 0), 2)[..., None] * 6
    pixels[PX:-PX, PX:-PX] = on_sheet
    page, outside = page_of(np.clip(pixels, 0, 1))
    assert page[outside > 1.9].mean() < 0.1
