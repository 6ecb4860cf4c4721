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
    noise_times: float = 4.0
    strong_share: float = 0.45
    """Ink is darker than ``least_dark`` and than the grain of the paper, or than a share of the darkest ink."""
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


def thresholds(darkness: Float32Array, page: npt.NDArray[np.bool_], settings: StrokeSettings) -> list[float]:
    """Two ideas of what ink is."""
    if not page.any():
        return []
    values = darkness[page]
    low = max(settings.least_dark, settings.noise_times * plain(values)[1])
    high = settings.strong_share * float(np.percentile(values, 99.8))
    return [low, high] if high > 1.3 * low else [low]


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
