"""What people draw round a mark or a name: a circle, or a line under it; it is no part of the writing."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.mark.boxes import around, inside, overlap
from poradek_vision.mark.pictures import Box, U8Array, bounding_box, eroded


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
        box, rest = boxes[k], [other for other in members if other != k]
        axis = int(box[3] > box[2])
        if not rest or box[2 + axis] < MOST_LETTER * box[3 - axis]:
            continue
        whole = np.array(around(boxes[rest]))
        apart = overlap(box, whole, 1 - axis) <= 0
        if apart and box[2 + axis] > 0.9 * whole[2 + axis] and whole[3 - axis] < _MOST_STROKE * whole[2 + axis]:
            return rest
    return members


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
    within = ink & eroded(filled, 0.3 * min(whole[2:]))[1:-1, 1:-1]
    box = bounding_box(within)
    shares = box[2] / whole[2], box[3] / whole[3]
    return (within, box) if min(shares) > 0.2 and max(shares) > 0.4 else (ink, whole)
