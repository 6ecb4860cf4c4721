"""What is printed on stickers, codes above all: their black squares have edges as straight and dark as lines."""

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
