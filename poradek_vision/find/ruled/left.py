"""What a photo holds besides the boards that were found in it: where others may lie, to be searched from closer."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.ruled.evidence import Evidence, Part
from poradek_vision.find.ruled.heat import Heat, Maps, hot_parts, without
from poradek_vision.find.ruled.heat_lattice import lattices_in, outline_of
from poradek_vision.geometry import FloatArray, fill

_LEAST_STICKERS = 4
"""As many of one size near each other may be a board's."""
_NEAR = 4.0
"""How near each is to the next of them, sides of a sticker: three cells or so."""
_ALIKE, _ASPECT = 0.4, 2.0
"""Ratio of the sides of stickers of one board, and of the sides of one's box, at the worst."""
_LEAST_PX, _MOST_SHARE = 12, 0.02
"""Area of a sticker, px of the picture at half the work size, and its share of that at most."""


def parts_left(
    maps: Maps,
    evidence: Evidence,
    taken: Sequence[FloatArray],
    sizes: Sequence[int],
    *,
    finer: bool,
    most_hot: int,
) -> tuple[Part, ...]:
    """Where in a decoded photo a board may lie besides those that are known, as the network sees it.

    1. Round each lattice that is seen in what is left of its map.
    2. Where none is, if asked: round those in a map twice as fine, which takes four times as long.
    3. Round what else is hottest.

    Parameters
    ----------
    maps : Maps
    evidence : Evidence
        Of the whole photo.
    taken : sequence of ndarray of shape (N, 2)
        Outlines of what is known, decoded px.
    sizes : sequence of int
        Sides that a board may have, in cells.
    finer : bool
    most_hot : int
        How many such hot parts, each of which takes as long as a small photo.

    Returns
    -------
    tuple of (left, top, right, bottom)
        Decoded px, the hottest first; none where no board can be.
    """
    size = (maps.rgb.shape[1], maps.rgb.shape[0])
    known = [evidence.work_px(outline) for outline in taken]
    left = _without_all(maps.fine(evidence.scale), known)
    seen = _warm(left, sizes)
    hot = hot_parts(_without_all(left, seen), evidence, size, MARGIN)
    if finer and not seen:
        seen = _warm(_without_all(maps.fine(evidence.scale, _FINER), known), sizes)
    return (
        *(round_box(evidence.decoded_px(outline), size, MARGIN) for outline in seen),
        *hot[:most_hot],
    )


def _without_all(heat: Heat, outlines: Sequence[FloatArray]) -> Heat:
    """A map without what is within some outlines, work px."""
    for outline in outlines:
        heat = without(heat, outline)
    return heat


_FINER = 2
"""How many times finer the photo is shown then."""


def _warm(heat: Heat, sizes: Sequence[int]) -> list[FloatArray]:
    """The outlines (4, 2), work px, of lattices in a map that may be boards'."""
    return [outline_of(lattice) for lattice, best in lattices_in(heat, sizes) if best.mean > LEAST_WARM]


LEAST_WARM = 0.45
"""Mean heat of a lattice that is looked at from closer: of 12 boards beside others all have 0.5, of what is none in 60
photos of one board nothing has 0.4."""


def shows_cells(maps: Maps, sizes: Sequence[int]) -> bool:
    """Whether the network sees cells in a picture: that takes a fifth of the time of a search for boards.

    Parameters
    ----------
    maps : Maps
    sizes : sequence of int
        Sides that a board may have, in cells.
    """
    return any(best.mean > _COLD for _, best in lattices_in(maps.fine(), sizes))


_COLD = 0.3
"""Mean heat of a lattice up to which there is no board where it is looked at from closer: of 19 parts of rendered
photos that held one the coldest had 0.43, of 47 that held none 40 had nothing at all."""


def round_box(points: FloatArray, size: Sequence[int], margin: float) -> Part:
    """The part of a picture of a size (width, height) round points (N, 2) px, with a share of their extent beside them.

    Examples
    --------
    >>> round_box(np.array([[10.0, 20], [30, 60]]), (50, 500), 0.5)
    (0, 0, 50, 80)
    """
    low, high = points.min(0), points.max(0)
    more = margin * (high - low).max()
    (left, top), (right, bottom) = (np.clip(edge, 0, size).astype(int).tolist() for edge in (low - more, high + more))
    return left, top, right, bottom


def stickers_left(evidence: Evidence, taken: Sequence[FloatArray]) -> list[FloatArray]:
    """Where in a photo stickers lie together besides what is known, with paper round each of them.

    Parameters
    ----------
    evidence : Evidence
        Of the whole photo.
    taken : sequence of ndarray of shape (N, 2)
        Outlines of what is known, decoded px.

    Returns
    -------
    list of ndarray of shape (N, 2)
        Corners of the stickers, decoded px, those of most stickers first.
    """
    stickers = cv2.resize(evidence.stickers, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_NEAREST).astype(np.uint8)
    for outline in taken:
        fill(stickers, evidence.work_px(outline) / 2, 0)
    return [evidence.decoded_px(2 * points) for points in stickers_together(stickers)]


def stickers_together(stickers: npt.NDArray[np.uint8]) -> list[FloatArray]:
    """Where several stickers of one size lie near each other, those with most first.

    Parameters
    ----------
    stickers : ndarray of shape (h, w), uint8
        1 on those that are not known, at half the work size.

    Returns
    -------
    list of ndarray of shape (N, 2)
        Corners of the stickers, px of that picture.
    """
    together = groups(_sticker_boxes(stickers))
    return [np.concatenate([group[:, :2], group[:, :2] + group[:, 2:4]]) for group in together]


def _sticker_boxes(stickers: npt.NDArray[np.uint8]) -> FloatArray:
    """What may be a sticker: left, top, width, height, area, (N, 5) px."""
    boxes = cv2.connectedComponentsWithStats(stickers, connectivity=4)[2][1:]
    boxes = boxes[(boxes[:, 4] > _LEAST_PX) & (boxes[:, 4] < _MOST_SHARE * stickers.size)]
    return np.asarray(boxes[np.argsort(-boxes[:, 4], kind="stable")[:_MOST_BOXES]], np.float64)


_MOST_BOXES = 400
"""The largest, for time: leaves and gravel have more."""
MARGIN = 0.8
"""Paper round a part, as a share of its longer side: a board is told by what is round it."""


def groups(boxes: FloatArray) -> list[FloatArray]:
    """Those of some boxes, left, top, width, height and area (N, 5), that are alike and near each other, largest first.

    Examples
    --------
    >>> x, y, one = np.array([0, 12, 1, 13, 25]), np.array([0, 0, 13, 12, 1]), np.ones(5)
    >>> stickers = np.stack([x, y, 9 * one, 8 * one, 70 * one], 1)
    >>> [len(group) for group in groups(np.concatenate([stickers, stickers[:4] + [99, 0, 0, 0, 0]]))]
    [5, 4]
    >>> groups(stickers[:3]), groups(stickers * [9, 9, 1, 1, 1])
    ([], [])
    """
    sides = boxes[:, 2:4]
    boxes = boxes[sides.max(1, initial=0) < _ASPECT * sides.min(1, initial=np.inf)]
    middle, side = boxes[:, :2] + boxes[:, 2:4] / 2, np.sqrt(boxes[:, 4])
    away = np.hypot(*np.moveaxis(middle[:, None] - middle, -1, 0))
    alike = (side > _ALIKE * side[:, None]) & (side * _ALIKE < side[:, None])
    label = _linked((away < _NEAR * np.minimum(side, side[:, None])) & alike)
    found = [boxes[label == one] for one in np.unique(label)]
    return sorted((group for group in found if len(group) >= _LEAST_STICKERS), key=lambda group: -len(group))


def _linked(near: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """The first (N,) that each is linked to, directly or by others, where (N, N) tells who is near whom."""
    label = np.arange(len(near))
    while np.any(label != (lower := np.where(near, label, len(near)).min(1, initial=len(near)))):
        label = lower
    return label
