"""The light on a board is found and divided out: reflectances come out as they were drawn."""

from dataclasses import replace

import numpy as np
import pytest
from lit_boards import (
    DAY,
    PIGMENTS,
    SETTINGS,
    SHADE,
    SUN,
    Drawn,
    edge_of_shade,
    even,
    stickers_of,
)
from numpy.testing import assert_allclose

from poradek_vision.cells.light import divide_light, mixed_light
from poradek_vision.colour import delta_e, lab_from_reflectance

ROWS = ("RYGB", "B.RY", "GY.B", "YBGR")
TOLERANCE = 3.0
"""Delta E."""
LIGHTS = {
    "even": DAY,
    "warm, 3000 K": even(0.85, 0.6, 0.36),
    "cold": even(0.62, 0.7, 0.88),
    "gradient": lambda u, v: np.repeat((0.85 * np.exp(-0.15 * (u + 0.4 * v)))[..., None], 3, -1),
}


def lit(drawn):
    return divide_light(drawn.rectified(), drawn.size, drawn.size, True, SETTINGS.light)


def middle(board, picture, row, col, half=0.2):
    """Median of a picture over the middle of a cell."""
    here = (np.abs(board.u - col - 0.5) < half) & (np.abs(board.v - row - 0.5) < half)
    return np.median(picture[here], axis=0)


SIDES = (0.6, 0.7, 0.8, 0.9)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("code", "RYGB.")
def test_reflectances_are_right_to_a_just_visible_difference(code, side):
    for light in LIGHTS.values():
        board = lit(Drawn(4, stickers_of(ROWS, side=side), light=light))
        assert worst_delta_e(board, ROWS, code) < TOLERANCE


def worst_delta_e(board, rows, code, cols=range(4)):
    """Of all cells of one colour, in some columns."""
    truth = lab_from_reflectance(PIGMENTS[code] if code != "." else np.ones(3))
    cells = [(row, col) for row, line in enumerate(rows) for col in cols if line[col] == code]
    return max(float(delta_e(lab_from_reflectance(middle(board, board.reflectance, *cell)), truth)) for cell in cells)


@pytest.mark.parametrize("light", LIGHTS.values(), ids=LIGHTS)
def test_the_white_is_that_of_the_light(light):
    board = lit(Drawn(4, light=light))
    truth = light(board.u, board.v)
    inner = (np.abs(board.u - 2) < 2) & (np.abs(board.v - 2) < 2) & ~board.ink
    assert np.abs(board.white[inner] / truth[inner] - 1).max() < 0.05


def test_paper_is_white_on_both_sides_of_a_shade_edge():
    board = lit(Drawn(4, light=edge_of_shade(0.5, 3.0, SUN, SHADE)))
    far = np.abs(board.u + 0.5 * board.v - 3.0) > 0.3
    paper = board.reflectance[far & ~board.ink & (np.abs(board.u - 2) < 2) & (np.abs(board.v - 2) < 2)]
    lab = lab_from_reflectance(paper)
    assert np.percentile(np.hypot(lab[:, 1], lab[:, 2]), 99) < 6
    assert np.percentile(np.abs(np.log(paper)), 99) < 0.2


@pytest.mark.parametrize("code", "RYGB")
def test_stickers_on_both_sides_of_a_shade_edge_keep_their_colours(code):
    rows = ("RRRR", "YYYY", "GGGG", "BBBB")
    board = lit(Drawn(4, stickers_of(rows, side=0.9), light=edge_of_shade(0.0, 2.0, SUN, SHADE)))
    assert worst_delta_e(board, rows, code, cols=(0, 3)) < TOLERANCE


def test_what_is_printed_is_ink_and_what_the_photo_lacks_is_outside():
    board = lit(Drawn(3, unseen_left=0.5))
    assert board.ink[(np.abs(board.u - 2) < 0.04) & (np.abs(board.v - 1.5) < 0.4)].all()
    assert not board.ink[(np.abs(board.u - 1.5) < 0.3) & (np.abs(board.v - 1.5) < 0.3)].any()
    assert not board.inside[board.u < 0.45].any()
    assert board.inside[board.u > 0.55].all()
    assert board.ink[~board.inside].all()


def test_a_board_without_a_frame_finds_its_light_from_what_is_bright():
    def no_frame(surface, u, v):
        surface[np.maximum(np.maximum(-u, u - 4), np.maximum(-v, v - 4)) > 0.1] = 1.0

    drawn = Drawn(4, stickers_of(ROWS, side=0.6), light=LIGHTS["warm, 3000 K"], paint=no_frame)
    board = divide_light(drawn.rectified(), 4, 4, False, SETTINGS.light)
    assert max(worst_delta_e(board, ROWS, code) for code in "RYGB.") < TOLERANCE


@pytest.mark.parametrize("tone", [(0, 0, 0), (255, 0, 0), (0, 0, 255), (255, 255, 0)])
def test_a_drawing_in_pure_colours_has_a_light(tone):
    drawn = Drawn(4).rectified()
    pixels = np.full_like(drawn.pixels, tone)
    pixels[:, ::17] = pixels[::17] = 90
    board = divide_light(replace(drawn, pixels=pixels), 4, 4, False, SETTINGS.light)
    for known in (board.reflectance, board.sun, board.shade, mixed_light(board.white, board.sun, board.shade)):
        assert np.isfinite(known).all()


def test_a_mixture_of_sun_and_shade_is_known_for_one_whatever_its_brightness():
    sun, shade = np.array([0.85, 0.8, 0.7]), np.array([0.15, 0.21, 0.34])
    part = np.array([[0.0], [0.3], [1.0]])
    mixtures = sun * (shade + part * (1 - shade))
    for light in (
        mixtures,
        1.7 * mixtures[2:],
        0.6 * mixtures[:1],
    ):  # also brighter than the sun, darker than the shade
        assert_allclose(mixed_light(light, sun, shade), light)


def test_light_as_bright_as_sun_and_as_blue_as_shade_is_no_mixture():
    sun, shade = np.array([0.85, 0.8, 0.7]), np.array([0.15, 0.21, 0.34])
    washed_out = sun * shade / shade.max()
    apart = np.log(washed_out / mixed_light(washed_out, sun, shade))
    assert apart[2] - apart[0] > 0.3
