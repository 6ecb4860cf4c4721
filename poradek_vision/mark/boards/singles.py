"""A single character of a line of writing as a window for the reader of characters: all of it, or what ends it."""

from __future__ import annotations

import numpy as np

from poradek_vision.mark.characters import WINDOW_PX
from poradek_vision.mark.pictures import Float32Array, blurred, square_window

_FILL = 0.73
"""Share of a window's side that a character takes, its rim included."""
_INKED = 0.3
"""Of a line's darkest ink: a column with less is a gap."""
_LEAST_BEFORE, _LEAST_WIDE, _MOST_WIDE = 0.3, 0.15, 1.6
"""Where the last character may begin, per length of the line, and how wide it may be, per height."""


def whole(darkness: Float32Array) -> Float32Array:
    """A line (h, w) as the window of one character, (32, 32)."""
    height, width = darkness.shape
    side = max(height, width) / _FILL
    smooth = blurred(np.ascontiguousarray(darkness), max(0.4 * side / WINDOW_PX, 0.3))
    return square_window(smooth, ((width - 1) / 2, (height - 1) / 2), side, WINDOW_PX)


def tail(darkness: Float32Array) -> Float32Array | None:
    """What follows the widest gap of a line (h, w), as the window of one character; None where that is none.

    Examples
    --------
    >>> line = np.zeros((20, 80), np.float32)
    >>> line[:, :25] = line[:, 27:45] = line[4:16, 62:76] = 1
    >>> tail(line).shape, tail(line[:, :25])
    ((32, 32), None)
    """
    height, width = darkness.shape
    inked = np.flatnonzero(darkness.max(0) > _INKED * darkness.max())
    if len(inked) < 2:
        return None
    gaps = np.diff(inked)
    gaps[inked[1:] < _LEAST_BEFORE * width] = 0
    left, right = int(inked[1:][gaps.argmax()]), int(inked[-1]) + 1
    if gaps.max() < 2 or not _LEAST_WIDE * height < right - left < _MOST_WIDE * height:
        return None
    last = darkness[:, left:right]
    rows = np.flatnonzero(last.max(1) > _INKED * last.max())
    return whole(np.pad(last[rows[0] : rows[-1] + 1], 2))
