"""Many hands from few: the middle lines of written fonts, drawn anew by any pen, and bent at random."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
from skimage.morphology import skeletonize

U8Array = npt.NDArray[np.uint8]


def middle_lines(glyphs: U8Array) -> U8Array:
    """The middle lines (255) of the strokes of glyphs (N, H, W), one pixel wide."""
    return np.stack([skeletonize(glyph > 127) for glyph in glyphs]).astype(np.uint8) * np.uint8(255)


def by_another_pen(lines: U8Array, rng: np.random.Generator, most: int = 16) -> U8Array:
    """Middle lines (H, W) as ink of some width up to ``most`` px, as even as a pen's."""
    size = int(rng.integers(3, most + 1))
    inked = cv2.dilate(lines, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    return cv2.GaussianBlur(inked, (0, 0), 1.0)


def bent(ink: U8Array, strength: float, rng: np.random.Generator) -> U8Array:
    """Ink (S, S) displaced smoothly, by about ``strength`` of its side."""
    size = len(ink)
    coarse = int(rng.integers(3, 6))
    moves = rng.normal(0, strength * size, (2, coarse, coarse)).astype(np.float32)
    y, x = np.mgrid[:size, :size].astype(np.float32)
    dx, dy = (cv2.resize(move, (size, size), interpolation=cv2.INTER_CUBIC) for move in moves)
    return cv2.remap(ink, x + dx, y + dy, cv2.INTER_LINEAR)
