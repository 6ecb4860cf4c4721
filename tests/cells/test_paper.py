"""Where paper likely is: on any paper, in any light, beside stickers and on any ground."""

import numpy as np
import pytest

from poradek_vision.cells.paper import PaperSettings, likely_paper

PX, SIZE, MARGIN = 16, 4, 0.75
STICKERS = np.array([[0.55, 0.02, 0.03], [0.85, 0.6, 0.02], [0.03, 0.3, 0.07], [0.02, 0.09, 0.42]])


def frame():
    """Board coordinates (h, w) of the pixels."""
    along = (np.arange(round((SIZE + 2 * MARGIN) * PX)) + 0.5) / PX - MARGIN
    return np.meshgrid(along, along)


def board(paper, side=0.7):
    """Linear light of a full board of stickers on a paper, and where the stickers are."""
    u, v = frame()
    light = np.broadcast_to(np.asarray(paper), (*u.shape, 3)).copy()
    stuck = (
        (np.maximum(np.abs(u % 1 - 0.5), np.abs(v % 1 - 0.5)) < side / 2) & (u > 0) & (u < SIZE) & (v > 0) & (v < SIZE)
    )
    light[stuck] = STICKERS[(np.floor(u) + 3 * np.floor(v)).astype(int) % 4][stuck]
    return light, stuck


def found(light):
    u, v = frame()
    return likely_paper(light, u, v, (SIZE, SIZE), np.zeros(u.shape, bool), PaperSettings())


@pytest.mark.parametrize("paper", [(0.9, 0.9, 0.9), (0.9, 0.8, 0.6), (0.5, 0.3, 0.14), (0.2, 0.21, 0.25)])
@pytest.mark.parametrize("side", [0.6, 0.95])
def test_paper_of_any_colour_is_found_and_no_sticker(paper, side):
    light, stuck = board(paper, side)
    known, alike = found(light)
    assert not (known & stuck).any()
    assert not (alike & stuck).any()
    assert alike[~stuck].mean() > 0.9


def test_the_ground_beside_the_paper_is_not_taken_for_it():
    light, stuck = board((0.9, 0.9, 0.88))
    u, v = frame()
    ground = (u < -0.3) | (v < -0.3)
    light[ground] = (0.1, 0.22, 0.05)
    known, alike = found(light)
    assert not (known & ground).any()
    assert alike[~stuck & ~ground].mean() > 0.9


def test_paper_in_sun_that_has_clipped_and_in_green_shade_is_found_in_both():
    light, stuck = board((1.0, 1.0, 1.0))
    u, v = frame()
    shade = u + v > SIZE
    light[shade & ~stuck] = (0.35, 0.66, 0.38)
    known, alike = found(light)
    assert not (known & stuck).any()
    assert alike[shade & ~stuck].mean() > 0.9
    assert alike[~shade & ~stuck].mean() > 0.9


@pytest.mark.parametrize("share", [0.07, 0.13, 0.3, 0.5])
def test_paper_in_the_blue_shade_of_a_clear_sky_is_found_and_no_sticker(share):
    light, stuck = board((0.85, 0.82, 0.76))
    u, v = frame()
    light[u + v > SIZE] *= share * np.array([0.74, 1.0, 1.48])
    light = light * np.random.default_rng(3).normal(1, 0.1, light.shape)
    known, alike = found(light)
    assert not (known & stuck).any()
    assert not (alike & stuck).any()
    assert alike[(u + v > SIZE + 0.2) & ~stuck].mean() > 0.9


def test_blue_ground_in_the_shade_round_the_paper_is_not_taken_for_it():
    light, stuck = board((0.9, 0.9, 0.88))
    u, v = frame()
    ground = (u < -0.3) | (v < -0.3)
    light[ground] = (0.06, 0.08, 0.12)
    known, alike = found(light)
    assert not ((known | alike) & (ground | stuck)).any()
