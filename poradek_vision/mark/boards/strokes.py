"""How dark the strokes of a pen are against their paper, and which of what is dark may be such strokes."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.mark.pictures import Float32Array, U8Array


@dataclass(frozen=True, slots=True)
class StrokeSettings:
    """Numbers of telling ink, each with its unit; set on drawn boards."""

    least_dark: float = 0.07
    least_pale: float = 0.035
    noise_times: float = 4.0
    strong_share: float = 0.45
    """Ink is darker than ``least_dark`` and the paper's grain, or than a share of the darkest ink, also in its piece;
    than ``least_pale`` where there is no other."""
    rule_cells: float = 3.0
    """Straight ink longer than this is ruled."""


def light_shares(pixels: Float32Array, paper: Float32Array) -> list[Float32Array]:
    """Of the light of the paper how much pixels have, channel by channel.

    Here and below: along a last axis of three the same takes ten times as long.
    """
    pairs = zip(cv2.split(pixels), cv2.split(paper), strict=True)
    return [np.asarray(one / np.maximum(white, np.float32(0.02)), np.float32) for one, white in pairs]


def darkness_of(shares: Sequence[Float32Array]) -> Float32Array:
    """How dark pixels are against their paper, in the channel that shows it best; 1 is black."""
    return np.asarray(1 - functools.reduce(np.minimum, shares), np.float32)


def mean_darkness_of(shares: Sequence[Float32Array]) -> Float32Array:
    """How dark pixels are against their paper in the mean of the channels; 1 is black."""
    return np.asarray(1 - sum(shares) / np.float32(3), np.float32)


def plain(darkness: Float32Array) -> tuple[float, float]:
    """The usual darkness of paper, and its grain; 0 where there is none."""
    if not len(darkness):
        return 0.0, 0.0
    usual = float(np.median(darkness))
    return usual, 1.48 * float(np.median(np.abs(darkness - usual)))


def inks(
    darkness: Float32Array, page: npt.NDArray[np.bool_], clear: npt.NDArray[np.bool_], settings: StrokeSettings
) -> list[U8Array]:
    """Two ideas of what ink on a page (h, w) is: what is darker than paper, and the darkest of it, piece by piece.

    What blur, a stain or a shadow joins is so taken apart, and what is pale beside bold writing left out. ``clear``:
    where the page's own grain shows.
    """
    ink = _darker(darkness, page, clear, settings.least_dark, settings)
    _, found = cv2.connectedComponents(ink)
    labels = np.asarray(found, np.int32)
    peaks = np.zeros(int(labels.max()) + 1, np.float32)
    inked = ink > 0
    np.maximum.at(peaks, labels[inked], darkness[inked])
    most = float(np.percentile(darkness[clear], 99.8)) if clear.any() else 0.0
    strong = np.maximum(peaks, np.float32(most))[labels]
    return [ink, np.asarray(inked & (darkness > settings.strong_share * strong), np.uint8)]


def pale_ink(
    darkness: Float32Array, page: npt.NDArray[np.bool_], clear: npt.NDArray[np.bool_], settings: StrokeSettings
) -> U8Array:
    """What may be ink where there is no other."""
    return _darker(darkness, page, clear, settings.least_pale, settings)


def _darker(
    darkness: Float32Array,
    page: npt.NDArray[np.bool_],
    clear: npt.NDArray[np.bool_],
    least: float,
    settings: StrokeSettings,
) -> U8Array:
    """Where a page is darker than this, and than its grain; nowhere without a ``clear`` part."""
    if not clear.any():
        return np.zeros(page.shape, np.uint8)
    return np.asarray((darkness > max(least, settings.noise_times * plain(darkness[clear])[1])) & page, np.uint8)


def without_rules(ink: U8Array, least: float) -> U8Array:
    """Ink without straight lines along or across that are longer than this: of ruled paper, or the grid run on."""
    for size in ((round(least), 1), (1, round(least))):
        rules = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones(size, np.uint8))
        ink = ink & ~np.asarray(cv2.dilate(rules, np.ones((3, 3), np.uint8)), np.uint8)
    return ink


def reaching(ink: U8Array, clear: npt.NDArray[np.bool_]) -> U8Array:
    """Ink but for pieces of which too little lies where it is clear."""
    count, labels = cv2.connectedComponents(ink)
    shares = np.bincount(labels[clear], minlength=count) / np.maximum(np.bincount(labels.ravel(), minlength=count), 1)
    keep = shares > _LEAST_CLEAR
    keep[0] = False
    return np.asarray(keep[labels], np.uint8)


_LEAST_CLEAR = 0.25
"""Share of a piece."""


def touching(ink: U8Array, ends: U8Array) -> U8Array:
    """The pieces of some ink (h, w) that reach where ``ends`` is 1."""
    count, labels = cv2.connectedComponents(ink)
    reaches = np.zeros(count, np.uint8)
    reaches[labels[ends > 0]] = 1
    reaches[0] = 0
    return np.asarray(reaches[labels], np.uint8)


def off_the_grid(ink: U8Array, outside: Float32Array) -> U8Array:
    """Ink without long flat pieces close to the grid: its own border, where it bends or was ruled twice."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink)
    sides = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    flat = sides.max(1) > _LEAST_FLAT * sides.min(1)
    far = np.zeros(len(stats), np.bool_)
    far[labels[(ink > 0) & (outside > _BORDER_CELLS)]] = True
    return np.asarray((ink > 0) & ~(flat & ~far)[labels], np.uint8)


_BORDER_CELLS, _LEAST_FLAT = 0.45, 2.5
"""What lies nearer to the grid than this and is so much longer than wide is of its border."""
