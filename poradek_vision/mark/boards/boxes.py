"""Boxes (x, y, width, height) of pieces of ink: int64 arrays (..., 4), px."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.pictures import Box


def inside(small: npt.NDArray[np.int64], large: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Whether boxes (..., 4) lie within others."""
    first = (large[..., :2] < small[..., :2]).all(-1)
    last = (small[..., :2] + small[..., 2:] < large[..., :2] + large[..., 2:]).all(-1)
    return np.asarray(first & last)


def overlap(a: npt.NDArray[np.int64], b: npt.NDArray[np.int64], axis: int) -> npt.NDArray[np.int64]:
    """How far boxes (..., 4) overlap along an axis; less than 0 where there is a gap."""
    last = np.minimum(a[..., axis] + a[..., 2 + axis], b[..., axis] + b[..., 2 + axis])
    return np.asarray(last - np.maximum(a[..., axis], b[..., axis]))


def around(boxes: npt.NDArray[np.int64]) -> Box:
    """The box round some boxes (N, 4)."""
    left, top = boxes[:, :2].min(0).tolist()
    right, bottom = (boxes[:, :2] + boxes[:, 2:]).max(0).tolist()
    return left, top, right - left, bottom - top


def under(box: Box, head: Box, turn: int) -> bool:
    """Whether a box lies close under another, and not in it, when both are turned counterclockwise by some quarters."""
    axis, down = (1, 1 if turn == 0 else -1) if turn % 2 == 0 else (0, 1 if turn == 3 else -1)
    middles = [2 * each[axis] + each[2 + axis] for each in (box, head)]
    gap = (abs(middles[0] - middles[1]) - box[2 + axis] - head[2 + axis]) / 2
    along = 1 - axis
    shared = min(box[along] + box[2 + along], head[along] + head[2 + along]) - max(box[along], head[along])
    close = -0.3 * min(box[2 + axis], head[2 + axis]) < gap < 0.8 * max(box[2 + axis], head[2 + axis])
    return close and (middles[0] - middles[1]) * down > 0 and shared > 0.5 * min(box[2 + along], head[2 + along])


def part_of(part: Box, whole: Box) -> bool:
    """Whether a box is a small part of another: a letter of a word that is read as a whole speaks for no other team."""
    inside = all(whole[k] <= part[k] and part[k] + part[2 + k] <= whole[k] + whole[2 + k] for k in (0, 1))
    return inside and part[2] * part[3] < 0.6 * whole[2] * whole[3]


def nearly_one(box: Box, other: Box) -> bool:
    """Whether two boxes share nearly all of the larger of them."""
    wide, high = (min(box[k] + box[2 + k], other[k] + other[2 + k]) - max(box[k], other[k]) for k in (0, 1))
    return wide > 0 and high > 0 and wide * high > 0.85 * max(box[2] * box[3], other[2] * other[3])


def same_place(box: Box, other: Box) -> bool:
    """Whether two boxes share much of the smaller of them."""
    wide, high = (min(box[k] + box[2 + k], other[k] + other[2 + k]) - max(box[k], other[k]) for k in (0, 1))
    smaller = min(box[2] * box[3], other[2] * other[3])
    return wide > 0 and high > 0 and wide * high > 0.3 * smaller
