"""What people draw round a mark or a name: a circle, or a line under it; it is no part of the writing."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.mark.boxes import around, inside, overlap
from poradek_vision.mark.pictures import Box, Float32Array, U8Array, bounding_box


def goes_round(boxes: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Which boxes (N, 4) go round another that is not much smaller, (N,)."""
    sizes = boxes[:, 2:].max(1)
    inner = sizes > 0.35 * sizes[:, None]
    return np.asarray((inside(boxes, boxes[:, None]) & inner).any(1))


def without_underlines(boxes: npt.NDArray[np.int64], members: Sequence[int]) -> Sequence[int]:
    """Indices of pieces, with boxes (N, 4), but for a line beside all others and as long as these.

    A bar on a single stroke, as in a T, is no such line.
    """
    for k in members:
        rest = [other for other in members if other != k]
        if rest and _underlines(boxes[k], np.array(around(boxes[rest]))) >= 0:
            return rest
    return members


def foot(box: npt.NDArray[np.int64], others: npt.NDArray[np.int64]) -> int:
    """The counterclockwise quarter turns that bring the line drawn under what is in a box below it; -1 without one."""
    near = others[np.abs(others[:, :2] + others[:, 2:] / 2 - box[:2] - box[2:] / 2).max(1) < box[2:].max()]
    return max((_underlines(other, box) for other in near), default=-1)


def _underlines(line: npt.NDArray[np.int64], box: npt.NDArray[np.int64]) -> int:
    """Whether a piece is a line under, or beside, what is in a box: the turn that brings it below, or -1."""
    axis = int(line[3] > line[2])
    ratio, reach = line[2 + axis] / line[3 - axis], line[2 + axis] / box[2 + axis]
    thin = ratio >= MOST_LETTER or (ratio >= _LEAST_LINE and reach > _LONG_LINE)
    apart = overlap(line, box, 1 - axis) <= _TOUCHING * box[3 - axis]
    stroke = box[3 - axis] >= _MOST_STROKE * box[2 + axis]
    if not thin or not apart or reach <= 0.9 or stroke:
        return -1
    beyond = 2 * line[1 - axis] + line[3 - axis] > 2 * box[1 - axis] + box[3 - axis]
    return (3 if axis else 0) if beyond else (1 if axis else 2)


_LEAST_LINE, _LONG_LINE, _TOUCHING = 3.0, 1.25, 0.1
"""A thick line, or one that slopes, is longer than this per thickness, and than what it underlines; it may reach into
its box by so much of the height."""
MOST_LETTER = 5.0
"""What is longer and thinner than this, and longer than its neighbour, is a line under it."""
_MOST_STROKE = 2.5
"""What is longer and thinner than this may be a single stroke."""


def without_ring(ink: U8Array) -> tuple[U8Array, Box]:
    """Ink without the circle drawn round it, if what lies inside is more than a stroke of an O; and its box."""
    whole = bounding_box(ink)
    if max(whole[2:]) > 2.2 * min(whole[2:]):
        return ink, whole
    outlines, _ = cv2.findContours(np.pad(ink, 1), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=cv2.contourArea)
    hull, size = cv2.contourArea(cv2.convexHull(outline)), whole[2] * whole[3]
    round_ = 0.7 < hull / size < 0.86 and cv2.contourArea(outline) > 0.93 * hull
    if not round_:
        return ink, whole
    filled = np.zeros(np.add(ink.shape, 2), np.uint8)
    cv2.drawContours(filled, [outline], -1, 1, -1)
    depths = np.asarray(cv2.distanceTransform(filled, cv2.DIST_L2, 3)[1:-1, 1:-1], np.float32)
    within = ink & (depths > _gap_depth(ink, depths, 0.35 * min(whole[2:])))
    if not within.any():
        return ink, whole
    box = bounding_box(within)
    shares = box[2] / whole[2], box[3] / whole[3]
    return (within, box) if min(shares) > 0.2 and max(shares) > 0.4 else (ink, whole)


def _gap_depth(ink: U8Array, depths: Float32Array, most: float) -> float:
    """How deep within an outline nearly no ink lies all around; infinite where there is no such depth."""
    levels = depths.astype(np.int64)
    inked, all_ = (np.bincount(levels.ravel(), each)[1 : round(most) + 1] for each in (ink.ravel(), None))
    clear = np.flatnonzero(inked < _MOST_TOUCHING * all_)
    return float(clear[0] + 2) if len(clear) else np.inf


_MOST_TOUCHING = 0.15
"""Share of the way round between a circle and what lies in it on which they may touch."""
