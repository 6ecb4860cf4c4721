"""The paper round a hand-made grid: what it is like without what is written on it, and how far it reaches.

All lengths are in pixels of the smaller rectified picture unless their names say cells.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.mark.pictures import Float32Array, U8Array, blurred, dilated, disk
from poradek_vision.model import Rectified


@dataclass(frozen=True, slots=True)
class PageSettings:
    """Numbers of finding the paper, each with its unit; set on drawn boards."""

    stroke_cells: float = 0.45
    """Strokes are thinner than this."""
    gap_cells: float = 0.12
    """So near the grid nothing counts as writing: lines run on, stickers reach out."""
    most_tint: float = 0.2
    most_steep: float = 0.05
    """Paper goes on where its hue differs by no more than this from that beside the grid, or where no channel changes
    by more than this share per 1/20 of a cell."""
    most_shade: float = 0.1
    most_turning: float = 0.015
    """The same at the edge of a shadow, and how much the hue may change there."""
    most_light: float = 5.0
    shade_edge_cells: float = 0.3
    """How many times brighter or darker paper may be beyond the edge of a shadow, and how wide such an edge is."""
    brink_cells: float = 0.08
    """So near its edge paper does not look like paper."""
    most_inked: float = 0.4
    """Share of an area of 2 by 2 cells that writing covers at most, or, where it reaches out of that, of 1 by 1 cell
    beside it: what has more is wood, cloth or leaves."""


def smaller(rectified: Rectified, factor: int) -> Rectified:
    """A rectified board at a part of its resolution."""
    height, width = (side // factor for side in rectified.seen.shape)
    pixels = cv2.resize(rectified.pixels, (width, height), interpolation=cv2.INTER_AREA)
    seen = rectified.seen[: height * factor : factor, : width * factor : factor]
    return Rectified(np.asarray(pixels, np.uint8), rectified.px_per_cell // factor, rectified.origin_cells, seen)


def cells_outside(rectified: Rectified, rows: int, cols: int) -> Float32Array:
    """How far each pixel lies outside the grid, cells; negative inside."""
    height, width = rectified.pixels.shape[:2]
    u = (np.arange(width) + 0.5) / rectified.px_per_cell + rectified.origin_cells[0]
    v = (np.arange(height) + 0.5) / rectified.px_per_cell + rectified.origin_cells[1]
    beyond_u, beyond_v = (np.maximum(-at, at - count).astype(np.float32) for at, count in ((u, cols), (v, rows)))
    return np.asarray(np.maximum(beyond_u[None], beyond_v[:, None]), np.float32)


def bare_paper(pixels: Float32Array, beside: npt.NDArray[np.bool_], px: int, settings: PageSettings) -> Float32Array:
    """The paper (h, w, 3) without what is darker and thinner than a stroke, known where it is ``beside`` the grid.

    Each channel is closed, at half the resolution, and bounded by the others where strokes alone have another hue.
    """
    height, width = pixels.shape[:2]
    half = np.asarray(cv2.resize(pixels, (width // 2, height // 2), interpolation=cv2.INTER_AREA), np.float32)
    closed = cv2.morphologyEx((half * 255).astype(np.uint8), cv2.MORPH_CLOSE, disk(settings.stroke_cells * px / 2))
    known = np.asarray(cv2.resize(beside.astype(np.uint8), half.shape[1::-1], interpolation=cv2.INTER_NEAREST)) > 0
    paper = _of_one_hue(np.asarray(closed, np.float32) / np.float32(255), half, known, settings.stroke_cells * px / 2)
    return np.asarray(cv2.resize(paper, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _of_one_hue(paper: Float32Array, seen: Float32Array, beside: npt.NDArray[np.bool_], stroke: float) -> Float32Array:
    """Paper without the light that a pen of another hue gives back: no channel outshines the others in strokes alone.

    A purple ring on brown paper is brighter than that in blue, so that all that it goes round seemed dark there. Light
    of another hue, as in the shade, is wider than a ``stroke`` (px).
    """
    usual = [max(float(np.median(channel[beside])), 0.02) if beside.any() else 1.0 for channel in cv2.split(paper)]
    bounds = [_wider(hue, stroke) for hue in _hues(seen, usual)]
    ratios = [channel / np.float32(white) for channel, white in zip(cv2.split(paper), usual, strict=True)]
    middle = _middle(ratios)
    bounded = [
        np.minimum(ratio, bound * middle) * np.float32(white)
        for ratio, bound, white in zip(ratios, bounds, usual, strict=True)
    ]
    return np.asarray(cv2.merge(bounded), np.float32)


def _hues(seen: Float32Array, usual: Sequence[float]) -> list[Float32Array]:
    """How far each channel of a picture outshines the middle one, against paper beside the grid."""
    ratios = [channel / np.float32(white) for channel, white in zip(cv2.split(seen), usual, strict=True)]
    middle = np.maximum(_middle(ratios), np.float32(0.02))
    return [np.asarray(ratio / middle, np.float32) for ratio in ratios]


def _middle(channels: Sequence[Float32Array]) -> Float32Array:
    """The middle one of three channels, pixel by pixel."""
    least, most = functools.reduce(np.minimum, channels), functools.reduce(np.maximum, channels)
    return np.asarray(channels[0] + channels[1] + channels[2] - least - most, np.float32)


def _wider(hue: Float32Array, stroke: float) -> Float32Array:
    """How far a channel may outshine the middle one: as far as it does all over an area wider than a stroke."""
    wide = cv2.morphologyEx(hue, cv2.MORPH_OPEN, disk(stroke))
    return np.asarray(np.clip(wide, _LEAST_OTHER_HUE, _MOST_OTHER_HUE), np.float32)


BESIDE_CELLS = 0.6
"""What lies so near the grid is on its paper."""
_LEAST_OTHER_HUE, _MOST_OTHER_HUE = 1.02, 1.1
"""How far one channel of paper may outshine the middle one, against paper beside the grid: grain, and shade that is
bluer than sun."""


def find_page(
    paper: Float32Array,
    darkness: Float32Array,
    outside: Float32Array,
    seen: npt.NDArray[np.bool_],
    px: int,
    settings: PageSettings,
) -> npt.NDArray[np.bool_]:
    """Where there is paper round the grid, its writing included.

    Paper goes on from beside the grid where its hue stays the same, or its brightness changes smoothly: the light on
    it may change, and burn it out; and beyond the sharp edge of a shadow.
    """
    beside = (outside > settings.gap_cells) & (outside < BESIDE_CELLS) & seen
    few = np.s_[::2, ::2]  # paper is not known any finer
    coarse = np.ascontiguousarray(paper[few])
    about = _seen_paper(coarse, darkness[few], beside[few])
    steady = _doubled(_goes_on(coarse, about, px / 2, settings).astype(np.uint8), outside.shape)
    steady &= seen & (outside > 0)
    firm = np.asarray(cv2.morphologyEx(steady, cv2.MORPH_OPEN, disk(0.4 * px)), np.uint8)
    count, labels = cv2.connectedComponents(firm)
    shares = np.bincount(labels[beside], minlength=count)
    shares[0] = 0
    page = (shares > 0.1 * shares.sum()).astype(np.uint8)[labels]
    page |= _doubled(_with_other_light(page[few], steady[few], about, px / 2, settings), outside.shape)
    page = np.asarray(cv2.morphologyEx(page, cv2.MORPH_CLOSE, disk(0.4 * px)), np.uint8)
    page = _filled(np.where(outside <= settings.gap_cells, np.uint8(1), page))  # a bold ring leaves a bay at the grid
    page = dilated(page, 2 * settings.brink_cells * px)
    free = (page > 0) & (outside > settings.gap_cells) & seen
    free[[0, 1, -2, -1]] = free[:, [0, 1, -2, -1]] = False  # no paper is known beyond the picture's edge
    return np.asarray(free)


def _doubled(mask: U8Array, shape: tuple[int, ...]) -> U8Array:
    """A mask of every second pixel for all of a picture."""
    return np.asarray(cv2.resize(mask, shape[::-1], interpolation=cv2.INTER_NEAREST), np.uint8)


def _with_other_light(page: U8Array, steady: U8Array, seen: _Seen, px: float, settings: PageSettings) -> U8Array:
    """The page with the ``steady`` parts that lie beyond an edge of light from it and have its hue and grain.

    A sheet's own end has another hue, or something rougher beyond it: wood, leaves or cloth.
    """
    if not page.any():
        return page
    grain = max(float(np.median(seen.rough[page > 0])), _LEAST_GRAIN)
    rest = np.asarray(cv2.morphologyEx(steady & ~page, cv2.MORPH_OPEN, disk(0.2 * px)), np.uint8)
    _, found, stats, _ = cv2.connectedComponentsWithStats(rest)
    labels = np.asarray(found, np.int32)
    large = 1 + np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] > 0.1 * px**2)
    parts = [labels == k for k in large.tolist() if _is_alike(labels, k, stats[k].tolist(), seen, grain, settings)]
    rims = [part & ~(cv2.erode(part.astype(np.uint8), disk(3)) > 0) for part in parts]
    least = [_LEAST_SHARED[int(seen.burnt[part].mean() > _MOST_BURNT)] for part in parts]
    for _ in parts:
        near = dilated(page, 2 * settings.shade_edge_cells * px) > 0
        for part, rim, share in zip(parts, rims, least, strict=True):
            if near[rim].mean() > share:
                page = page | part.astype(np.uint8)
    return page


def _is_alike(
    labels: npt.NDArray[np.int32], k: int, stats: Sequence[int], seen: _Seen, grain: float,
    settings: PageSettings,
) -> bool:  # fmt: skip
    """Whether a part has the hue of the page and its grain: what is labelled so, in its box."""
    left, top, width, height = stats[:4]
    box = np.s_[top : top + height, left : left + width]
    part = labels[box] == k
    light, tint, rough = (float(np.median(each[box][part])) for each in (seen.level, seen.tint, seen.rough))
    bright = 1 / settings.most_light < light < settings.most_light
    return bright and tint < settings.most_tint and rough < _MOST_ROUGHER * grain


_LEAST_SHARED, _MOST_BURNT = (0.25, 0.5), 0.2
"""Share of the way round a part that is such an edge, and that of one of which more is burnt out: sky behind a sheet
touches it on one side, and has no hue then."""
_LEAST_GRAIN, _MOST_ROUGHER = 0.004, 2.5
"""Median darkness of paper at least, and how many times that of the page beyond the edge of a shadow."""


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """Paper against that beside the grid, (h, w): the channels' hues, how far the worst is off, and the level. Heavy.

    ``rough``: how dark it is, or how bright, against itself; ``burnt``: where it has no hue.
    """

    hues: tuple[Float32Array, ...]
    tint: Float32Array
    level: Float32Array
    rough: Float32Array
    burnt: npt.NDArray[np.bool_]


def _seen_paper(paper: Float32Array, darkness: Float32Array, beside: npt.NDArray[np.bool_]) -> _Seen:
    """What paper is like, known where it is ``beside`` the grid."""
    channels = [np.asarray(channel, np.float32) for channel in cv2.split(paper)]
    usual = [max(float(np.median(channel[beside])), 0.02) if beside.any() else 1.0 for channel in channels]
    ratios = [channel / np.float32(white) for channel, white in zip(channels, usual, strict=True)]
    level = np.asarray(sum(ratios) / np.float32(3), np.float32)
    hues = tuple(np.asarray(ratio / np.maximum(level, np.float32(0.02)), np.float32) for ratio in ratios)
    tint = functools.reduce(np.maximum, (np.abs(hue - 1) for hue in hues))
    burnt = functools.reduce(np.maximum, channels) > _BURNT
    return _Seen(hues, tint, level, np.abs(darkness), np.asarray(burnt))


_BURNT = 0.97
"""Of the brightest that a photo can show."""


def _goes_on(paper: Float32Array, seen: _Seen, px: float, settings: PageSettings) -> npt.NDArray[np.bool_]:
    """Where paper, known where it is beside the grid, can go on."""
    alike = (seen.level > 0.35) & (seen.level < 2.5) & (seen.tint < settings.most_tint)
    channels = [np.asarray(channel, np.float32) for channel in cv2.split(paper)]
    steep, turning = (
        functools.reduce(np.maximum, (_steepness(one, px) for one in each)) for each in (channels, seen.hues)
    )
    shade = (steep < settings.most_shade) & (turning < settings.most_turning)
    steady = (steep < settings.most_steep) | (alike & ((steep < 1.5 * settings.most_steep) | shade))
    return np.asarray(steady)


def _steepness(channel: Float32Array, px: float) -> Float32Array:
    """By what share the brightness of a channel changes over 1/20 of a cell."""
    logs = np.log(blurred(np.maximum(channel, np.float32(0.02)), 0.05 * px))
    down, right = np.gradient(logs)
    return np.asarray(cv2.magnitude(right, down) * np.float32(0.05 * px), np.float32)


def _filled(mask: U8Array) -> U8Array:
    """A mask without its holes."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(mask)
    cv2.drawContours(filled, outlines, -1, 1, -1)
    return filled


def calm_parts(
    dark: npt.NDArray[np.bool_],
    page: npt.NDArray[np.bool_],
    sheet: npt.NDArray[np.bool_],
    px: int,
    settings: PageSettings,
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Where little of the sheet is dark all around within a cell, and where little is on one side at least.

    A ring round a mark near the end of the sheet has wood on its other side. What lies beyond the sheet tells nothing.
    """
    most, shares = settings.most_inked, []
    for side in (2 * px, px):
        inked, all_ = (
            cv2.boxFilter(each.astype(np.float32), -1, (side, side), borderType=cv2.BORDER_CONSTANT)
            for each in (dark & sheet, sheet)
        )
        shares.append(np.where(all_ > _LEAST_SHEET, inked / np.maximum(all_, np.float32(1e-6)), np.float32(1)))
    corners = np.zeros((px + 1, px + 1), np.uint8)
    corners[[0, 0, -1, -1], [0, -1, 0, -1]] = 1
    clear = page & (shares[0] < most)
    busy = (page & ~clear & (cv2.erode(shares[1], corners) >= most)).astype(np.uint8)
    if not busy.any():
        return clear, page
    ground = cv2.morphologyEx(busy, cv2.MORPH_OPEN, disk(_LEAST_GROUND * px))  # bold writing is busy, too, but small
    return clear, page & ~(np.asarray(ground) > 0)


_LEAST_GROUND = 0.8
"""Cells: ground shows at least so wide."""
_LEAST_SHEET = 0.2
"""Share of a square that must be sheet to tell how much of it is dark."""
