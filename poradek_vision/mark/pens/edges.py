"""Where and which way the edges of strokes run in windows: what a mark looks like, whatever it may mean."""

from __future__ import annotations

import numpy as np

from poradek_vision.mark.characters import WINDOW_PX
from poradek_vision.mark.pictures import Float32Array

_DIRECTIONS = 4
_WIDE_PX = 8
_STEP_PX = 4
_NARROW = 0.7
"""An edge counts for a direction where more of it than this share runs across that direction."""
_FLAT = 0.02
"""So little of edges is as good as none."""


def edges(windows: Float32Array) -> Float32Array:
    """How much of edges runs each way in each part of windows, as square roots, whatever the contrast.

    Two marks written alike have about the same, even where they are so blurred or so odd that it is not clear what
    they say.

    Parameters
    ----------
    windows : ndarray of shape (N, 32, 32), float32
        As :func:`characters.normalise` leaves them.

    Returns
    -------
    ndarray of shape (N, 196), float32
        4 directions in 7 × 7 parts that overlap.

    References
    ----------
    Dalal & Triggs, Histograms of Oriented Gradients for Human Detection, CVPR 2005.

    Examples
    --------
    >>> upright = np.zeros((1, 32, 32), np.float32)
    >>> upright[:, 4:28, 15:17] = 1
    >>> int(edges(upright).reshape(4, 49).sum(1).argmax())  # brightness changes along x
    0
    """
    across, down = np.zeros_like(windows), np.zeros_like(windows)
    across[:, :, 1:-1] = windows[:, :, 2:] - windows[:, :, :-2]
    down[:, 1:-1] = windows[:, 2:] - windows[:, :-2]
    least = np.float32(_NARROW) * np.hypot(across, down)
    parts = _parts()
    found = np.empty((len(windows), _DIRECTIONS, parts.shape[1], parts.shape[1]), np.float32)
    for k in range(_DIRECTIONS):
        angle = np.pi * k / _DIRECTIONS
        along = across * np.float32(np.cos(angle)) + down * np.float32(np.sin(angle))
        found[:, k] = parts.T @ np.maximum(np.abs(along) - least, 0) @ parts
    flat = found.reshape(len(windows), _DIRECTIONS * parts.shape[1] ** 2)
    usual = np.sqrt(np.mean(flat**2, axis=1, keepdims=True)) + np.float32(_FLAT)
    return np.asarray(np.sqrt(flat / usual), np.float32)


def _parts() -> Float32Array:
    """How much each pixel along a side belongs to each part, (32, 7)."""
    middles = np.arange(0, WINDOW_PX - _WIDE_PX + 1, _STEP_PX) + (_WIDE_PX - 1) / 2
    away = np.abs(np.arange(WINDOW_PX)[:, None] - middles) / (_WIDE_PX / 2)
    return np.asarray(np.maximum(1 - away, 0), np.float32)
