"""What is printed on stickers: codes' black squares have edges as straight and dark as lines, white leaves holes."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

_PAPER = 0.55
"""What shows this share of paper white between stickers is paper, and what lies there no print."""
_PAPER_SHARE = 0.08
"""Share of a print that may be as bright: noise."""
_LEAST_PX = 12
"""Area of the smallest print that could pass for lines, px."""
_ASPECT, _FILL, _BLACK = 0.45, 0.45, 0.35
"""Least ratio of a print's sides, share of the box round it that its outline fills, and of its outline that is dark: a
code's border alone is 0.56 of it, lines round a whole cell 0.25; those that cross between four stickers fill 0.3 of
their box at most, a piece of line between two all of its, which is long."""

_LIGHT_SHARE = 0.6
"""What is light is as bright as paper in this share of it at least: a price is written on the rest."""
_LEAST_LIGHT_PX = 4
"""Area of the smallest light print, px."""
_RIM = 0.25
"""How wide the rim of a light print is that is looked at, against the square root of its area."""
_RIM_COLOURED, _RIM_ALIKE = 0.8, 0.95
"""How much of that is coloured, and how much alike its hues are, as the length of their mean as directions: an empty
cell between lines of a coloured pen has half, most of what is left of paper between stickers and such lines several
hues; but not beside a sticker of the pen's own colour."""


def prints(coloured: npt.NDArray[np.uint8], least: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
    """1 on dark prints that colour surrounds, and on their rims.

    Parameters
    ----------
    coloured : ndarray of shape (H, W), uint8
        1 where a colour shows.
    least : ndarray of shape (H, W), float32
        Share of paper white in the channel that is darkest.

    Returns
    -------
    ndarray of shape (H, W), uint8

    Examples
    --------
    >>> sticker = np.ones((16, 16), np.uint8)
    >>> code, line, dark = sticker.copy(), sticker.copy(), np.full((16, 16), 0.1, np.float32)
    >>> code[4:12, 4:12] = 0
    >>> line[7:9, 2:14] = 0
    >>> int(prints(code, dark).sum()), int(prints(line, dark).sum()), int(prints(code, dark + 0.8).sum())
    (100, 0, 0)
    """
    count, *things, _ = cv2.connectedComponentsWithStats(1 - coloured, connectivity=4)
    labels, stats = (np.asarray(thing, np.int32) for thing in things)
    bright = np.bincount(labels.ravel(), (least > _PAPER).ravel().astype(np.float64), count)
    area = stats[:, cv2.CC_STAT_AREA]
    enclosed = (bright <= _PAPER_SHARE * area) & (area >= _LEAST_PX) & ~_at_edge(stats, coloured.shape)
    enclosed[0] = False
    compact = np.zeros(count, np.bool_)
    for label in np.flatnonzero(enclosed):
        compact[label] = _is_compact(labels, stats[label], int(label))
    found = compact[labels].astype(np.uint8)
    return np.asarray(cv2.dilate(found, np.ones((3, 3), np.uint8)), np.uint8)


def light_prints(
    coloured: npt.NDArray[np.uint8], least: npt.NDArray[np.float32], levels: npt.NDArray[np.uint8]
) -> npt.NDArray[np.uint8]:
    """1 on what is as light as paper, and what is written there, that a broad rim of one colour surrounds.

    Parameters
    ----------
    coloured, least
        As of :func:`prints`.
    levels : ndarray of shape (H, W, 3), uint8
        The picture, sRGB.

    Returns
    -------
    ndarray of shape (H, W), uint8

    Examples
    --------
    >>> sticker = np.pad(np.ones((16, 16), np.uint8), 1)
    >>> star, cell, light = sticker.copy(), sticker.copy(), np.ones((18, 18), np.float32)
    >>> star[6:12, 6:12] = 0
    >>> cell[2:16, 2:16] = 0
    >>> red = np.full((18, 18, 3), (200, 40, 40), np.uint8)
    >>> [int(light_prints(shape, light, red).sum()) for shape in (star, cell)]
    [36, 0]
    """
    count, *things, _ = cv2.connectedComponentsWithStats(1 - coloured, connectivity=4)
    labels, stats = (np.asarray(thing, np.int32) for thing in things)
    bright = np.bincount(labels.ravel(), (least > _PAPER).ravel().astype(np.float64), count)
    area = stats[:, cv2.CC_STAT_AREA]
    enclosed = (bright >= _LIGHT_SHARE * area) & (area >= _LEAST_LIGHT_PX) & ~_at_edge(stats, coloured.shape)
    enclosed[0] = False
    found = np.zeros(count, np.uint8)
    for label in np.flatnonzero(enclosed):
        left, top, width, height, size = stats[label].tolist()
        wide = max(round(_RIM * size**0.5), 1)
        part = np.s_[max(top - wide, 0) : top + height + wide, max(left - wide, 0) : left + width + wide]
        own = (labels[part] == label).astype(np.uint8)
        rim = cv2.dilate(own, np.ones((2 * wide + 1, 2 * wide + 1), np.uint8)) > own
        found[label] = _is_of_one_colour(coloured[part][rim], levels[part][rim])
    return found[labels]


def _is_of_one_colour(coloured: npt.NDArray[np.uint8], levels: npt.NDArray[np.uint8]) -> bool:
    """Whether nearly all pixels (N,) of a rim are coloured, and their levels (N, 3) have one hue."""
    if coloured.mean() < _RIM_COLOURED:
        return False
    red, green, blue = levels[coloured > 0].astype(np.float64).T
    hue = np.arctan2(np.sqrt(3) * (green - blue), 2 * red - green - blue)
    return bool(np.hypot(np.cos(hue).mean(), np.sin(hue).mean()) >= _RIM_ALIKE)


def _at_edge(stats: npt.NDArray[np.int32], shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Which things reach the picture's edge."""
    left, top, width, height = stats[:, :4].T
    reaches: npt.NDArray[np.bool_] = (left == 0) | (top == 0) | (left + width == shape[1]) | (top + height == shape[0])
    return reaches


def _is_compact(labels: npt.NDArray[np.int32], stats: npt.NDArray[np.int32], label: int) -> bool:
    """Whether a thing fills a box that is no strip."""
    left, top, width, height, area = stats.tolist()
    own = (labels[top : top + height, left : left + width] == label).astype(np.uint8)
    outline = max(cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0], key=len)
    sides = np.add(cv2.minAreaRect(outline)[1], 1)
    within = cv2.contourArea(outline) + len(outline) / 2  # from the middles of its pixels to their edges
    return bool(sides.min() >= _ASPECT * sides.max() and within >= _FILL * sides.prod() and area >= _BLACK * within)
