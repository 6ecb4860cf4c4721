"""What marks look like."""

import cv2
import numpy as np

from poradek_vision.mark.characters import normalise
from poradek_vision.mark.pens.edges import edges


def bar(angle_deg, width=3):
    """A stroke through the middle of a window."""
    window = np.zeros((32, 32), np.float32)
    reach = 11 * np.array([np.cos(np.deg2rad(angle_deg)), np.sin(np.deg2rad(angle_deg))])
    ends = [np.rint((15.5 + sign * reach) * 16).astype(int).tolist() for sign in (-1, 1)]
    cv2.line(window, *ends, 1.0, width, cv2.LINE_AA, 4)
    return window


def apart(one, other):
    return float(((one - other) ** 2).sum())


def test_contrast_does_not_matter():
    windows = normalise(np.stack([bar(60), 0.2 + 0.3 * bar(60)]))
    np.testing.assert_allclose(*edges(windows), atol=1e-3)


def test_a_little_turned_or_thicker_is_nearer_than_another_way():
    plain, turned, thick, level = edges(np.stack([bar(90), bar(80), bar(90, 5), bar(0)]))
    assert 3 * max(apart(plain, turned), apart(plain, thick)) < apart(plain, level)


def test_nothing_has_no_edges():
    assert not edges(np.zeros((1, 32, 32), np.float32)).any()


def test_no_windows_have_no_edges():
    assert edges(np.zeros((0, 32, 32), np.float32)).shape == (0, 196)
