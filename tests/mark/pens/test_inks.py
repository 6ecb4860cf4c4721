"""The ink on stickers: what is theirs, and what lies beside them."""

import cv2
import numpy as np
import pytest

from poradek_vision.mark.pens.inks import sticker_inks
from poradek_vision.mark.pens.stickers import StickerSettings
from poradek_vision.model import CellReading, Rectified

PX = 48
YELLOW, GREEN = (240, 205, 50), (45, 150, 75)


def paper():
    """Two cells side by side and a quarter of a cell round them."""
    return np.full((round(1.5 * PX), round(2.5 * PX), 3), 225, np.uint8)


def stick(pixels, left, top, right, bottom, colour=YELLOW):
    """A sticker between points in cells of the board."""
    x0, y0, x1, y1 = (round((at + 0.25) * PX) for at in (left, top, right, bottom))
    pixels[y0:y1, x0:x1] = colour


def stroke(pixels, *points, width=0.08):
    """A pen's line through points in cells of the board."""
    line = np.rint((np.array(points) + 0.25) * PX).astype(np.int32)
    cv2.polylines(pixels, [line], False, (25, 25, 30), round(width * PX), cv2.LINE_AA)


def ink(pixels, colour="Y", cols=(0,)):
    """The ink of the sticker in the left cell."""
    soft = cv2.GaussianBlur(pixels, (0, 0), 0.8)
    picture = Rectified(soft, PX, (-0.25, -0.25), np.ones(soft.shape[:2], bool))
    return sticker_inks(picture, [CellReading(0, col, colour) for col in cols], StickerSettings())


def box(inks):
    """Middle and extent of the first mark, in cells of the board."""
    return (*(inks.middles[0] / PX - 0.25).round(2), round(inks.extents_px[0] / PX, 2))


def test_a_mark_lies_where_it_was_written():
    pixels = paper()
    stick(pixels, 0.1, 0.1, 0.9, 0.9)
    stroke(pixels, (0.45, 0.3), (0.45, 0.7))
    np.testing.assert_allclose(box(ink(pixels)), (0.45, 0.5, 0.48), atol=0.06)


@pytest.mark.parametrize("gap", [0.04, 0.08, 0.12])
def test_the_gap_to_a_neighbour_of_its_colour_is_no_ink(gap):
    pixels = paper()
    stick(pixels, 0.1, 0.1, 0.95, 0.9)
    stick(pixels, 0.95 + gap, 0.1, 1.9, 0.9)
    pixels[:, round((0.95 + 0.25) * PX) : round((0.95 + gap + 0.25) * PX)] = (90, 85, 60)  # its shadow
    stroke(pixels, (0.5, 0.3), (0.5, 0.7))
    inks = ink(pixels, cols=(0, 1))
    np.testing.assert_allclose(box(inks), (0.5, 0.5, 0.48), atol=0.06)
    assert inks.darkness[0, :, round(1.3 * PX) :].max() < 0.1


def test_strokes_that_part_a_sticker_are_its_ink():
    pixels = paper()
    stick(pixels, 0.2, 0.2, 0.8, 0.8)
    stroke(pixels, (0.2, 0.2), (0.8, 0.8))
    stroke(pixels, (0.8, 0.2), (0.2, 0.8))
    inks = ink(pixels)
    assert inks.extents_px[0] > 0.45 * PX
    np.testing.assert_allclose(inks.middles[0] / PX - 0.25, 0.5, atol=0.06)


def test_a_shadow_on_a_sticker_is_neither_ink_nor_its_edge():
    pixels = paper()
    stick(pixels, 0.1, 0.1, 0.9, 0.9)
    stroke(pixels, (0.3, 0.3), (0.7, 0.3), (0.7, 0.7))
    shaded = pixels.copy()
    shaded[round(0.75 * PX) :] = (shaded[round(0.75 * PX) :] * 0.6).astype(np.uint8)
    np.testing.assert_allclose(box(ink(shaded)), box(ink(pixels)), atol=0.06)


def test_what_lies_over_a_mark_is_told():
    pixels = paper()
    stick(pixels, 0.1, 0.1, 0.9, 0.9)
    stroke(pixels, (0.35, 0.35), (0.65, 0.35), (0.65, 0.65), (0.35, 0.65), width=0.12)
    whole = ink(pixels)
    stick(pixels, 0.0, 0.62, 1.0, 1.0, GREEN)
    assert whole.cut_px[0] == 0
    assert ink(pixels).cut_px[0] > 0.17 * PX
