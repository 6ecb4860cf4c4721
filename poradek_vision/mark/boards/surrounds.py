"""What people draw round a mark or a name: a circle, or a line under it; it is no part of the writing."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.mark.boards.boxes import around, inside, overlap
from poradek_vision.mark.pictures import Box, Float32Array, U8Array, bounding_box, disk


def go_round(boxes: npt.NDArray[np.int64], inks: Sequence[U8Array]) -> npt.NDArray[np.bool_]:
    """Which pieces of ink, by their boxes (N, 4) and their ink in these, go round others that are not much smaller."""
    within = inside(boxes, boxes[:, None])
    found = np.zeros(len(boxes), np.bool_)
    for k in np.flatnonzero(within.any(1)).tolist():
        inner = boxes[within[k]]
        if max(around(inner)[2:]) > _LEAST_INNER * boxes[k, 2:].max():
            within_it = inner - [*boxes[k, :2], 0, 0]
            thin = inks[k].mean() < _THIN_RING and _on_all_sides(inks[k], np.array(around(within_it)))
            found[k] = thin or _encloses(inks[k], within_it)
    return found


def _on_all_sides(ink: U8Array, box: npt.NDArray[np.int64]) -> bool:
    """Whether some ink (h, w) is seen in nearly all directions from the middle of a box: an E is open on one side."""
    y, x = np.nonzero(ink)
    left, top = box[:2] + box[2:] / 2
    ways = np.floor((np.arctan2(y - top, x - left) / np.pi + 1) / 2 * _WAYS).astype(np.int64) % _WAYS
    return len(np.unique(ways)) >= _LEAST_ROUND * _WAYS


_WAYS, _LEAST_ROUND = 36, 0.85
"""Directions that are looked in, and the share of them in which a ring is seen that does not close."""


_LEAST_INNER = 0.35
"""What a ring goes round is larger than this, per its own longer side."""
_THIN_RING = 0.4
"""What covers less of its box is a ring if others lie in that box and it nearly goes round them; what covers more must
close round them."""


def _encloses(ink: U8Array, boxes: npt.NDArray[np.int64]) -> bool:
    """Whether the middles of all boxes (N, 4) lie in the hole of some ink (h, w)."""
    hole = _filled(_closed(ink))[1:-1, 1:-1] & (1 - ink)
    x, y = (boxes[:, :2] + boxes[:, 2:] // 2).T
    return bool(hole[y, x].all())


def without_underlines(boxes: npt.NDArray[np.int64], members: Sequence[int]) -> Sequence[int]:
    """Indices of pieces, with boxes (N, 4), but for lines beside all others and as long as these.

    A bar on a single stroke, as in a T, is no such line.
    """
    for k in members:
        rest = [other for other in members if other != k]
        if rest and _underlines(boxes[k], np.array(around(boxes[rest]))) >= 0:
            return without_underlines(boxes, rest)
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


def within_rings(ink: U8Array) -> list[tuple[U8Array, Box]]:
    """What some ink may say, and its box: all of it, what lies in the ring or box drawn round it, or either.

    1. Its outline, its gaps closed: a ring or a box is as good as convex.
    2. The share of ink at each depth within the outline, and the first depth, beyond the ring, with the least of it.
    3. Where nearly none is there what lies deeper is written in a ring; where some is it may touch the ring, or the
       whole be a letter such as B. An O, of which nothing lies deeper, is a letter.
    """
    whole = ink, bounding_box(ink)
    filled = _filled(_closed(ink))
    outline = _outline(filled)
    if cv2.contourArea(outline) < _LEAST_CONVEX * cv2.contourArea(cv2.convexHull(outline)):
        return [whole]
    depths = np.asarray(cv2.distanceTransform(filled, cv2.DIST_L2, 3)[1:-1, 1:-1], np.float32)
    depth, share = _gap(ink, depths, _DEEPEST * min(whole[1][2:]))
    within = ink & (depths > depth)
    if share > _MOST_TOUCHING or not within.any():
        return [whole]
    box = bounding_box(within)
    shares = box[2] / whole[1][2], box[3] / whole[1][3]
    if min(shares) < (_LEAST_APART if share < _MOST_APART else _LEAST_WITHIN) or max(shares) < _LEAST_LONGER:
        return [whole]
    return [(within, box)] if share < _MOST_APART else [whole, (within, box)]


_LEAST_CONVEX = 0.9
_DEEPEST = 0.35
"""Of the shorter side: what is drawn round something is thinner."""
_MOST_APART, _MOST_TOUCHING = 0.04, 0.5
"""Share of the way round on which what lies in a ring touches it, where it stands apart, and where it may."""
_LEAST_APART, _LEAST_WITHIN, _LEAST_LONGER = 0.06, 0.2, 0.45
"""Least width and height of what lies in a ring, against this, where it stands apart (it may be a 1), and else; and the
least of the larger of these."""


def _closed(ink: U8Array) -> U8Array:
    """Ink with a margin of one pixel, and with the gap closed that a ring may have."""
    gap = _GAP * min(ink.shape)
    wide = np.pad(ink, 1 + round(gap))
    closed = np.asarray(cv2.morphologyEx(wide, cv2.MORPH_CLOSE, disk(gap)), np.uint8)
    return closed[round(gap) : -round(gap) or None, round(gap) : -round(gap) or None]


_GAP = 0.12
"""Of the shorter side."""


def _outline(mask: U8Array) -> npt.NDArray[np.int32]:
    """The longest way round what is in a mask."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(max(outlines, key=cv2.contourArea), np.int32)


def _filled(mask: U8Array) -> U8Array:
    """The largest thing in a mask, without its holes."""
    filled = np.zeros_like(mask)
    cv2.drawContours(filled, [_outline(mask)], -1, 1, -1)
    return filled


def _gap(ink: U8Array, depths: Float32Array, most: float) -> tuple[float, float]:
    """How deep within an outline, beyond the ring along it, least ink lies all around, and on what share of the way."""
    levels = depths.astype(np.int64)
    inked, all_ = (np.bincount(levels.ravel(), each)[1 : round(most) + 2] for each in (ink.ravel(), None))
    shares = inked / np.maximum(all_, 1)
    ring = int(shares.argmax()) if len(shares) else 0
    beyond = shares[ring:]
    if not len(beyond):
        return np.inf, 1.0
    first = int(np.flatnonzero(beyond <= max(float(beyond.min()), _MOST_APART))[0])
    return ring + first + 2.0, float(beyond[first])
