"""Where paper may lie on rough ground: grass, leaves and gravel differ from pixel to pixel, paper hardly does."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray

_SIDE_PX = 300
"""Shorter side of the small picture that is looked at: there a blade of grass is about a pixel wide."""
_ROUGH, _BLACK = 0.02, 8.0
"""Difference from the mean of the pixels around up to which one is smooth, as a share of the level, and what is added
to that, so that noise in the dark does not pass for ground."""
_WINDOW_PX, _SHARE = 13, 0.4
"""So much of what is around is smooth where paper is, whatever lines and stickers lie on it."""
_LEAST_RADIUS = 0.06
"""Of the largest circle in a sheet, as a share of the photo's shorter side."""
_DRAWN_IN = 0.97
_MOST = 3


def smooth_outlines(pixels: npt.NDArray[np.uint8], taken: npt.NDArray[np.bool_] | None = None) -> list[FloatArray]:
    """Outlines of what is smooth as paper in a picture, the largest first.

    1. ``smooth``: pixels of the small picture that are like those around.
    2. ``paper``: where much of what is around is, in spots that have room for a board.
    3. The convex hull of each: sheets have no bays, and what is on them is rough.

    Parameters
    ----------
    pixels : ndarray of shape (H, W, 3), uint8
    taken : ndarray of shape (H, W), bool, optional
        Where nothing is sought.

    Returns
    -------
    list of ndarray of shape (N, 2)
        Px; none where nothing is smooth.

    Examples
    --------
    >>> ground = np.random.default_rng(1).integers(0, 255, (300, 400, 3), np.uint8)
    >>> smooth_outlines(ground)
    []
    >>> ground[100:200, 150:250] = 230
    >>> [np.round(edge(outline, axis=0) / 10) for outline in smooth_outlines(ground) for edge in (np.min, np.max)]
    [array([15., 10.]), array([25., 20.])]
    """
    by = max(1, round(min(pixels.shape[:2]) / _SIDE_PX))
    small = np.asarray(cv2.resize(pixels, None, fx=1 / by, fy=1 / by, interpolation=cv2.INTER_AREA), np.uint8)
    share = cv2.boxFilter(_is_smooth(small).astype(np.float32), -1, (_WINDOW_PX, _WINDOW_PX))
    paper = np.asarray(share > _SHARE, np.uint8)
    if taken is not None:
        there = cv2.resize(taken.view(np.uint8), paper.shape[::-1], interpolation=cv2.INTER_NEAREST)
        paper[there > 0] = 0
    room = _disk(2 * int(_LEAST_RADIUS * min(paper.shape) / 2) + 1)
    paper = np.asarray(cv2.morphologyEx(paper, cv2.MORPH_OPEN, room), np.uint8)
    paper = np.asarray(cv2.morphologyEx(paper, cv2.MORPH_CLOSE, _disk(_WINDOW_PX)), np.uint8)
    contours, _ = cv2.findContours(paper, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    hulls = sorted((cv2.convexHull(contour)[:, 0] for contour in contours), key=lambda hull: -cv2.contourArea(hull))
    return [(_within(hull) + 0.5) * by - 0.5 for hull in hulls[:_MOST]]


def _within(hull: npt.NDArray[np.number]) -> FloatArray:
    """A hull (N, 2) drawn in a little: a strip of ground left at a sheet's edge is like a line."""
    middle = hull.mean(0)
    return np.asarray(middle + _DRAWN_IN * (hull - middle), np.float64)


def _is_smooth(small: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Which pixels (h, w) of a picture are like those around, in every channel."""
    around = cv2.blur(small, (3, 3))
    apart = cv2.absdiff(small, around).max(-1)
    smooth: npt.NDArray[np.bool_] = apart < _ROUGH * (around.max(-1) + _BLACK)
    return smooth


def _disk(across: int) -> npt.NDArray[np.uint8]:
    """A disk of so many pixels across."""
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across)), np.uint8)
