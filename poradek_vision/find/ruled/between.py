"""Lines between stickers that touch them: the pen's colour between two others, where nothing of the paper is left."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.ruled.evidence import Evidence, FloatPicture
from poradek_vision.geometry import FloatArray, remap

_BLACK = 8
"""Added to levels before dividing, so that noise in the dark does not pass for colour."""
_UNLIKE = 0.3
"""Share of the way from a sticker's colour to the pen's by which a colour may lie beside that way and counts half."""
_NEAR = 0.25
"""Difference between a sticker and the pen below which nothing between them is told, as a share of paper white."""


def pen_colour(evidence: Evidence, points: FloatArray) -> FloatPicture:
    """Colour of the pen, (3,) as shares of paper white, as it looks at points (N, 2) work px of lines on bare paper."""
    return np.asarray(np.median(_shares(evidence, points[None].astype(np.float32)), axis=(0, 1)), np.float32)


def tints(evidence: Evidence, points: FloatArray) -> FloatPicture:
    """How far from grey, held against the paper around, what lies at points (L, T, 2) work px is: (L, T), 0–1."""
    shares = _shares(evidence, points.astype(np.float32))
    tinted: FloatPicture = 1 - shares.min(-1) / np.maximum(shares.max(-1), 1e-6)
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
    seen = _shares(evidence, np.stack([x, y], -1))
    core, sides = seen[:, gap:-gap], (seen[:, : -2 * gap], seen[:, 2 * gap :])
    return np.minimum(*(_share_of_way(core, side, pen) for side in sides))


def _share_of_way(seen: FloatPicture, side: FloatPicture, pen: FloatPicture) -> FloatPicture:
    """How far each colour (M, K, 3) lies on the way from that beside it to the pen's, 0–1, less what lies off it."""
    way, gone = pen - side, seen - side
    length = np.maximum(_dot(way, way), 1e-6)
    gone_along = _dot(gone, way)
    share = gone_along / length
    off = (_dot(gone, gone) - share * gone_along) / (_UNLIKE**2 * length)
    told = np.clip(length / _NEAR**2, 0, 1)
    return np.asarray(np.clip(share, 0, 1) * told / (1 + off), np.float32)


def _dot(first: FloatPicture, second: FloatPicture) -> FloatPicture:
    """Products (M, K) of colours (M, K, 3)."""
    return np.asarray(np.einsum("mkc,mkc->mk", first, second), np.float32)


def _shares(evidence: Evidence, points: npt.NDArray[np.float32]) -> FloatPicture:
    """Colours at points (M, K, 2) work px as shares of the paper's white there, (M, K, 3)."""
    (height, width), (small_height, small_width) = evidence.levels.shape[:2], evidence.white.shape[:2]
    x = np.asarray((points[..., 0] + 0.5) * (small_width / width) - 0.5, np.float32)
    y = np.asarray((points[..., 1] + 0.5) * (small_height / height) - 0.5, np.float32)
    white = cv2.remap(evidence.white, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen: FloatPicture = (remap(evidence.levels, points).astype(np.float32) + _BLACK) / (np.asarray(white) + _BLACK)
    return seen
