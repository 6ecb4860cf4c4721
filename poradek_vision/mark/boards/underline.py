"""A line drawn under a mark or a name that touches it: an F on such a line looks like an E.

Lines that stand apart are pieces of their own, see :mod:`poradek_vision.mark.boards.surrounds`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.pictures import Box, FloatArray, U8Array, bounding_box


@dataclass(frozen=True, slots=True, eq=False)
class Underlined:
    """Writing without the line under it: its ink (h, w), its box there, and what is known of the line. Heavy.

    Attributes
    ----------
    ink : ndarray of shape (h, w), uint8
    box : Box
    foot : int
        The counterclockwise quarter turns that bring the line below the writing.
    clear : bool
        Whether the line is so much longer than the writing that no letter ends in it.
    """

    ink: U8Array
    box: Box
    foot: int
    clear: bool


def off_underlines(ink: U8Array) -> list[Underlined]:
    """Some ink (h, w) without a straight stroke that ends it on one of its sides and may be drawn under it.

    1. The side's outline, its lowest pixels column by column, and how thick the ink is there.
    2. A straight line through it where it is no thicker than a pen: it must go all along the side.
    3. What stands on it stands within: a letter's own stroke, as that of E or L, begins where the letter does. A single
       stroke on a line, as an upturned T is, is none.
    """
    turned = ((turn, np.ascontiguousarray(np.rot90(ink, turn))) for turn in range(4))
    found = [(turn, _off(upright)) for turn, upright in turned if _has_bar(upright)]
    return [
        Underlined(own, bounding_box(own), turn, clear)
        for turn, (rest, clear) in ((turn, rest) for turn, rest in found if rest)
        for own in (np.ascontiguousarray(np.rot90(rest, -turn)),)
    ]


_LEAST_LONG, _MOST_THICK = 0.75, 0.28
"""Of a side: what a line under writing takes of its length at least, and of the height at most."""
_LEAST_BEYOND = 0.1
"""Of its length: it reaches so far beyond what stands on it at either end, and by its own thickness."""
_CLEARLY_LONGER = 1.25
"""Than what stands on it is a line that no letter ends in: the strokes of H and K, which lie so when those are turned,
are as long as the rest is wide."""
_LEAST_HIGH, _MOST_STROKE = 0.5, 2.5
"""Of the whole height: what stands on it; what is longer and thinner than this may be a single stroke."""
_MOST_ASIDE = 0.3
"""Of its length: so near its middle stands what stands on it."""
_MOST_FEET = 0.75
"""Of its width: where it stands on more, its own lowest stroke lies along the line."""
_MOST_LONG = 2.0
"""What is longer than this, per height of what stands on it, is a letter's stem rather, with the flag of a 1 on it."""
_LONG = 1.7
"""A line of writing is longer than this, per height: its underline need not reach beyond it."""


def _has_bar(ink: U8Array) -> bool:
    """Whether some ink may end in a line below: nearly all its columns come down into the lowest part."""
    low = ink[-max(round(2 * _MOST_THICK * len(ink)), 1) :]
    return bool(low.any(0).mean() >= _LEAST_LONG)


def _off(ink: U8Array) -> tuple[U8Array, bool] | None:
    """Some ink (h, w) without the line below it, and whether it is clear that this is one; None where it is none."""
    height, width = ink.shape
    inked, rows, columns = ink.any(0), np.arange(height)[:, None], np.arange(width)
    lowest = height - 1 - ink[::-1].argmax(0)
    runs = lowest - np.where((ink == 0) & (rows < lowest), rows, -1).max(0)
    thick = float(np.sort(runs[inked])[round(0.3 * (np.count_nonzero(inked) - 1))])
    level = _straight(np.flatnonzero(inked & (runs <= 1.6 * thick + 1)), lowest, thick)
    if level is None or thick > _MOST_THICK * height:
        return None
    first, last = _longest(inked & (np.abs(lowest - level) <= max(0.6 * thick, 1.5)))
    top = level - 1.25 * thick
    rest = np.asarray(ink * ~((rows > top) & (columns >= first - 1) & (columns <= last + 1)), np.uint8)
    left, _, wide, high = bounding_box(rest)
    length = last - first
    if length < _LEAST_LONG * width or high < _LEAST_HIGH * height or high > _MOST_STROKE * wide:
        return None
    feet = np.flatnonzero((rest * (rows > top - thick - 1)).any(0))
    under = (columns > left) & (columns < left + wide - 1)
    beside = (columns >= first + 1) & (columns < last) & ~under
    under[feet] = False
    if width >= _LONG * height:
        stands = wide >= _LEAST_LONG * length
    else:
        stands = length <= _MOST_LONG * high and _stands_within(feet, first, last, thick)
    standing = (rest * (rows > top - 2)).any(0)
    own = np.count_nonzero(standing) > _MOST_FEET * wide or _thicker(runs[under], runs[beside])
    if own or not stands:
        return None
    return rest, bool(length > _CLEARLY_LONGER * wide)


def _stands_within(feet: npt.NDArray[np.intp], first: int, last: int, thick: float) -> bool:
    """Whether what stands on a line, in some columns, stands near its middle and well within its ends."""
    length = last - first
    if not len(feet) or abs(feet[0] + feet[-1] - first - last) > 2 * _MOST_ASIDE * length:
        return False
    return bool(min(feet[0] - first, last - feet[-1]) >= max(_LEAST_BEYOND * length, thick))


def _thicker(under: npt.NDArray[np.intp], beside: npt.NDArray[np.intp]) -> bool:
    """Whether a line is thicker under the writing than beside it: a stroke of the writing lies along it there."""
    return bool(len(under) and len(beside) and np.median(under) > 1.25 * np.median(beside) + 0.5)


def _straight(columns: npt.NDArray[np.intp], lowest: npt.NDArray[np.intp], thick: float) -> FloatArray | None:
    """The height of a straight line in each column, through the lowest pixels of most of some columns.

    Its slope is the median of those between columns half of them apart, as in Theil and Sen's estimate.
    """
    half = len(columns) // 2
    if half < 2:
        return None
    near, far = columns[:-half], columns[half:]
    slope = float(np.median((lowest[far] - lowest[near]) / (far - near)))
    offset = float(np.median(lowest[columns] - slope * columns))
    on = np.abs(lowest[columns] - slope * columns - offset) <= max(0.6 * thick, 1.5)
    if abs(slope) > _MOST_SLOPE or np.count_nonzero(on) < _LEAST_BARE * len(lowest):
        return None
    return np.asarray(slope * np.arange(len(lowest)) + offset)


_LEAST_BARE = 0.35
"""Share of the columns in which only the line is below."""
_MOST_SLOPE = 0.25


def _longest(mask: npt.NDArray[np.bool_]) -> tuple[int, int]:
    """First and last of the most columns in a row that are true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(np.int8), [0]])))
    starts, ends = edges[::2], edges[1::2]
    if not len(starts):
        return 0, 0
    best = int((ends - starts).argmax())
    return int(starts[best]), int(ends[best]) - 1
