"""Scores kept by strokes, which are no marks: four or more side by side, mostly with a fifth through them."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.mark.pictures import Float32Array, U8Array

_LEAST = 4
"""Strokes side by side: a letter has three at the most, a lying E."""
_MOST_LONG = 2.0
"""Longest for its height, so that names, which have as many strokes, are none."""
_INKED = 0.4
"""Of the darkest ink: what is darker is a stroke."""
_HIGH = 0.45
"""Least length of a stroke, per height: what slants more than the others, as in M and W, is cut shorter."""
_APART = 0.1
"""Least gap between two, per height: nearer pieces are of one."""
_UNLIKE = 0.25
"""By how much their slants may differ at the most: those of a W do by 0.4."""
_SLANTS = (-0.45, -0.3, -0.15, 0.0, 0.15, 0.3, 0.45)
"""How far strokes may slant, per height."""


def is_tally(darkness: Float32Array) -> bool:
    """Whether what is written (h, w) is such a score, upright or lying.

    Examples
    --------
    >>> strokes = np.zeros((30, 40), np.float32)
    >>> strokes[:, 5:8] = strokes[:, 14:17] = strokes[:, 23:26] = 1
    >>> is_tally(strokes)
    False
    >>> strokes[:, 32:35] = strokes[14:17] = 1
    >>> is_tally(strokes), is_tally(strokes.T)
    (True, True)
    """
    if max(darkness.shape) > _MOST_LONG * min(darkness.shape):
        return False
    ink = np.asarray(darkness > _INKED * darkness.max(), np.uint8)
    return any(_beside(turned, slant) >= _LEAST for turned in (ink, np.ascontiguousarray(ink.T)) for slant in _SLANTS)


def _beside(ink: U8Array, slant: float) -> int:
    """How many strokes of ink (h, w) stand side by side, if all slant about so; 0 for too few."""
    height, width = ink.shape
    aside = abs(slant) * height / 2
    upright = np.array([[1, slant, aside - slant * height / 2], [0, 1, 0]], np.float64)
    sheared = cv2.warpAffine(ink, upright, (width + round(2 * aside), height), flags=cv2.INTER_NEAREST)
    stroke = np.ones((max(round(_HIGH * height), 1), 1), np.uint8)
    long = cv2.morphologyEx(sheared, cv2.MORPH_OPEN, stroke, borderType=cv2.BORDER_CONSTANT, borderValue=(0,))
    columns = np.flatnonzero(long.any(0))
    apart = np.diff(columns) > max(_APART * height, 1)
    if np.count_nonzero(apart) + 1 < _LEAST:
        return 0
    stands = np.concatenate([[0], np.cumsum(apart)])
    y, x = np.nonzero(long)
    of = stands[np.searchsorted(columns, x)]
    slants = np.sort([_slant(y[of == k], x[of == k]) for k in np.unique(of)])
    return int((np.searchsorted(slants, slants + _UNLIKE, side="right") - np.arange(len(slants))).max(initial=0))


def _slant(y: npt.NDArray[np.intp], x: npt.NDArray[np.intp]) -> float:
    """How far a stroke with these pixels slants, per height."""
    spread = np.cov(np.stack([y, x]))
    return float(spread[0, 1] / max(spread[0, 0], 1e-9))
