"""Lines between stickers that touch them: the pen's colour between two others, where nothing of the paper is left."""

from __future__ import annotations

import cv2
import numpy as np

from poradek_vision.find.ruled.evidence import Evidence, FloatPicture
from poradek_vision.geometry import FloatArray

_BLACK = np.float32(8)
"""Added to levels before dividing, so that noise in the dark does not pass for colour."""
_UNLIKE = 0.3
"""Share of the way from a sticker's colour to the pen's by which a colour may lie beside that way and counts half."""
_NEAR = 0.25
"""Difference between a sticker and the pen below which nothing between them is told, as a share of paper white."""


def pen_colour(evidence: Evidence, points: FloatArray) -> FloatPicture:
    """Colour of the pen, (3,) as shares of paper white, as it looks at points (N, 2) work px of lines on bare paper."""
    shares = _shares(evidence, *points[None].astype(np.float32).transpose(2, 0, 1))
    return np.asarray(np.median(shares, axis=(1, 2)), np.float32)


def tints(evidence: Evidence, points: FloatArray) -> FloatPicture:
    """How far from grey, held against the paper around, what lies at points (L, T, 2) work px is: (L, T), 0–1."""
    shares = _shares(evidence, *points.astype(np.float32).transpose(2, 0, 1))
    tinted: FloatPicture = 1 - shares.min(0) / np.maximum(shares.max(0), 1e-6)
    return tinted


def between(evidence: Evidence, pen: FloatPicture, x: FloatPicture, y: FloatPicture, gap: int) -> FloatPicture:
    """How like a pen's line on bare paper profiles across lines are, 0–1, whatever lies at both its sides.

    Each place is held against the colours ``gap`` places beside it: how far it has gone from there to the pen's
    colour, on the side where that is less. What lies beside that way is another colour, and counts less; where a
    sticker has the pen's own colour nothing is told.

    Parameters
    ----------
    evidence : Evidence
    pen : ndarray of shape (3,)
        As of :func:`pen_colour`.
    x, y : ndarray of shape (M, K)
        The profiles' places, work px.
    gap : int

    Returns
    -------
    ndarray of shape (M, K - 2 gap)
    """
    seen = _shares(evidence, x, y)
    core, sides = seen[..., gap:-gap], (seen[..., : -2 * gap], seen[..., 2 * gap :])
    return np.minimum(*(_share_of_way(core, side, pen) for side in sides))


def _share_of_way(seen: FloatPicture, side: FloatPicture, pen: FloatPicture) -> FloatPicture:
    """How far each colour (3, M, K) lies on the way from that beside it to the pen's, 0–1, less what lies off it."""
    way, gone = pen[:, None, None] - side, seen - side
    length = np.maximum(_dot(way, way), np.float32(1e-6))
    gone_along = _dot(gone, way)
    share = gone_along / length
    off = (_dot(gone, gone) - share * gone_along) / (np.float32(_UNLIKE**2) * length)
    told = np.minimum(length / np.float32(_NEAR**2), 1)
    return np.asarray(np.clip(share, 0, 1) * told / (1 + off), np.float32)


def _dot(first: FloatPicture, second: FloatPicture) -> FloatPicture:
    """Products (M, K) of colours (3, M, K): with the channels last they take three times as long."""
    products: FloatPicture = first * second
    products[0] += products[1]
    total: FloatPicture = np.add(products[0], products[2], out=products[0])
    return total


def _shares(evidence: Evidence, x: FloatPicture, y: FloatPicture) -> FloatPicture:
    """Colours at points (M, K) work px as shares of the paper's white there, (3, M, K)."""
    (height, width), (small_height, small_width) = evidence.levels.shape[:2], evidence.white.shape[:2]
    x_white = np.asarray((x + 0.5) * (small_width / width) - 0.5, np.float32)
    y_white = np.asarray((y + 0.5) * (small_height / height) - 0.5, np.float32)
    white = cv2.remap(evidence.white, x_white, y_white, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    levels = cv2.remap(evidence.levels, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = np.empty((3, *x.shape), np.float32)
    for one, level, its_white in zip(seen, cv2.split(levels), cv2.split(white), strict=True):
        np.divide(np.add(level, _BLACK, out=one, dtype=np.float32), its_white + _BLACK, out=one)
    return seen
