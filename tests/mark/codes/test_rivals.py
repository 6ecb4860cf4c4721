"""Codes at their own best places."""

import cv2
import numpy as np
import pytest

from poradek_vision.mark.codes.layouts import Blur
from poradek_vision.mark.codes.places import Look, light_free, responses
from poradek_vision.mark.codes.rivals import rival_strengths

COUNT = 8


@pytest.fixture
def look():
    """The ink of one code, upright, 24 px wide, with its middle at (59.5, 59.5)."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    ink = np.zeros((120, 120), np.uint8)
    ink[48:72, 48:72] = (
        200 - cv2.resize(dictionary.generateImageMarker(3, 6), (24, 24), None, 0, 0, cv2.INTER_NEAREST) // 2
    )
    return Look(cv2.GaussianBlur(ink, (0, 0), 1.5), COUNT, Blur(0.4), 2, 1.0)


def strengths_at(look, place):
    """How strong each code is at a place."""
    return responses(look, light_free(look, place[:, None]), place[:, 3])[0, 0].clip(0)


def test_a_code_is_as_strong_from_beside_as_at_its_place(look):
    there, beside = np.array([[59.5, 59.5, 24.0, 0.0]]), np.array([[61.5, 58.0, 25.5, 6.0]])
    at_its_place, seen_beside = strengths_at(look, there)[3], strengths_at(look, beside)[3]
    assert seen_beside < 0.9 * at_its_place
    found = rival_strengths(look, beside)[0]
    assert found[3] == pytest.approx(at_its_place, rel=0.02)
    assert found.argmax() == 3


def test_other_codes_are_stronger_at_places_of_their_own(look):
    there = np.array([[59.5, 59.5, 24.0, 0.0]])
    others = np.arange(4 * COUNT) != 3
    gained = rival_strengths(look, there)[0] - strengths_at(look, there)
    assert abs(gained[3]) < 1
    assert gained[others].max() > 5
    assert (gained[others] > -1).all()
