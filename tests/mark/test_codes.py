"""Printed codes, read by correlation."""

import cv2
import numpy as np
import pytest

from poradek_vision.mark.codes import IDS, likeness_to_codes, read_codes
from poradek_vision.mark.stickers import Ink

DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
SIDE = 72


def ink_of(code: int, turn_deg: float = 0, blur: float = 0.7, hidden: float = 0) -> Ink:
    """A sticker with a code 22 px wide, a share of which something hides from the right."""
    marker = np.pad(255 - DICTIONARY.generateImageMarker(code, 66), 75).astype(np.float32) / 255
    turned = cv2.warpAffine(marker, cv2.getRotationMatrix2D((107.5, 107.5), turn_deg, 1), marker.shape)
    darkness = cv2.GaussianBlur(cv2.resize(turned, (SIDE, SIDE), interpolation=cv2.INTER_AREA), (0, 0), blur)
    seen = np.zeros((SIDE, SIDE), np.uint8)
    seen[15:57, 15:57] = 255
    seen[:, round(47 - 22 * hidden) :] *= hidden == 0
    darkness[seen == 0] = 0
    strokes = ((darkness > 0.4) * 255).astype(np.uint8)
    left, top, width, height = cv2.boundingRect(strokes)
    middle = (left + (width - 1) / 2, top + (height - 1) / 2)
    return Ink(darkness, seen, strokes, middle, middle, float(max(width, height)))


@pytest.mark.parametrize("turn_deg", [0, 12, 45, 90, 170, 281])
def test_every_code_is_read_in_every_turn(turn_deg):
    fits = read_codes([ink_of(code, turn_deg) for code in range(IDS)])
    assert fits.argmax(1).tolist() == list(range(IDS))
    assert fits.max() <= 1 + 1e-5


def test_a_blurred_code_is_read():
    fits = read_codes([ink_of(code, 20, blur=1.7) for code in range(6)])
    assert fits[:, :6].argmax(1).tolist() == list(range(6))


def test_a_code_hidden_by_a_third_is_read_beside_whole_ones():
    inks = [ink_of(code, 8) for code in range(4)] + [ink_of(code, 8, hidden=0.3) for code in range(4)]
    assert read_codes(inks)[:, :4].argmax(1).tolist() == [0, 1, 2, 3] * 2


def test_codes_look_like_codes_and_scribbles_do_not():
    codes = [ink_of(code, 30) for code in range(5)]
    scribble = np.zeros((SIDE, SIDE), np.float32)
    cv2.polylines(scribble, [np.array([[25, 48], [36, 24], [47, 48]])], False, 1.0, 3, cv2.LINE_AA)
    strokes = ((scribble > 0.4) * 255).astype(np.uint8)
    letter = Ink(scribble, codes[0].seen, strokes, (36.0, 36.0), (36.0, 36.0), 24.0)
    assert likeness_to_codes(codes) > 0.9
    assert likeness_to_codes([letter]) < 0.7


def test_no_stickers_have_no_codes():
    assert read_codes([]).shape == (0, IDS)
