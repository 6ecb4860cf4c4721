"""What is written round the grid of a hand-made board: dark strokes on its paper, gathered into lines.

All lengths are in pixels of the rectified picture unless their names say cells.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.mark.lines import LINE_HEIGHT_PX, LINE_WIDTH_PX
from poradek_vision.mark.pictures import (
    Box,
    Float32Array,
    U8Array,
    blurred,
    bounding_box,
    closed,
    dilated,
    disk,
    eroded,
)
from poradek_vision.model import Rectified


@dataclass(frozen=True, slots=True)
class WritingSettings:
    """Numbers of finding writing, each with its unit; set on drawn boards."""

    px_per_cell: int = 40
    """Of the rectified board."""
    margin_cells: float = 2.6
    """What is looked at round the grid."""
    stroke_cells: float = 0.3
    """Strokes are thinner than this."""
    gap_cells: float = 0.12
    """So near the grid nothing counts as writing: lines run on, stickers reach out."""
    least_dark: float = 0.07
    noise_times: float = 4.0
    strong_share: float = 0.45
    """Ink is darker than ``least_dark`` and than the grain of the paper, or than a share of the darkest ink."""
    smooth_cells: float = 0.03
    """Blur before ink is told from paper."""
    join_cells: tuple[float, float] = (0.5, 1.2)
    """Letters of one word, and words of one line, lie nearer than this."""
    least_cells: float = 0.35
    most_cells: tuple[float, float] = (7.0, 2.4)
    """Least height of a line; most length and height."""
    most_thin: float = 12.0
    """What is longer and thinner than this is no writing, but an edge or a ruled line."""
    most_full: float = 0.75
    """What fills its box more than this and is no thin stroke is a thing that lies there."""
    rule_cells: float = 3.0
    """Straight ink longer than this is ruled."""
    speck_cells: float = 0.12
    """What is smaller is dirt."""
    most_lines: int = 8
    """So many of the largest are read at each threshold, along the rows and along the columns."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Some writing. Heavy.

    Attributes
    ----------
    darkness : ndarray of shape (h, w), float32
        Cut out; 0 where other ink is.
    upright : bool
        Whether it runs along the grid's columns.
    lonely : bool
        Whether no other ink of about its size lies beside it: a part of a word is no mark.
    """

    darkness: Float32Array
    upright: bool
    lonely: bool

    @property
    def turns(self) -> tuple[int, ...]:
        """The counterclockwise quarter turns in which it may be upright; all four where it is about as high as long."""
        high, wide = self.darkness.shape
        if max(high, wide) < 1.7 * min(high, wide):
            return (0, 1, 2, 3)
        return (1, 3) if self.upright else (0, 2)

    def framed(self, quarter_turns: int) -> Float32Array:
        """The line turned counterclockwise and fitted into the frame of the reader of lines, (32, 128)."""
        turned = np.ascontiguousarray(np.rot90(self.darkness, quarter_turns))
        high = (LINE_HEIGHT_PX - 4) / turned.shape[0]
        wide = min(high, (LINE_WIDTH_PX - 4) / turned.shape[1])
        high = min(high, 1.6 * wide)
        size = (max(round(wide * turned.shape[1]), 1), max(round(high * turned.shape[0]), 1))
        fitted = cv2.resize(turned, size, interpolation=cv2.INTER_AREA if high < 1 else cv2.INTER_LINEAR)
        frame = np.zeros((LINE_HEIGHT_PX, LINE_WIDTH_PX), np.float32)
        top, left = (LINE_HEIGHT_PX - size[1]) // 2, (LINE_WIDTH_PX - size[0]) // 2
        frame[top : top + size[1], left : left + size[0]] = fitted
        return frame


def find_lines(rectified: Rectified, rows: int, cols: int, settings: WritingSettings) -> tuple[Line, ...]:
    """What may be writing round a grid.

    1. ``paper``: each channel without what is thin and dark; ``darkness`` against it.
    2. ``free``: the page, as far as there is paper like that beside the grid, and no sticker.
    3. Ink at two thresholds, for pencil and for marker; pieces that lie near each other along the rows, or along the
       columns, are one line.

    Parameters
    ----------
    rectified : Rectified
        The board with about ``settings.margin_cells`` round it, at ``settings.px_per_cell``.
    rows, cols : int
    settings : WritingSettings
    """
    px = rectified.px_per_cell
    pixels = blurred(rectified.pixels.astype(np.float32) / np.float32(255), settings.smooth_cells * px)
    paper = np.asarray(cv2.morphologyEx(pixels, cv2.MORPH_CLOSE, disk(settings.stroke_cells * px)), np.float32)
    free = _free(paper, _outside(rectified, rows, cols), rectified.seen, px, settings)
    darkness = (1 - pixels / np.maximum(paper, 0.02)).max(-1)
    if free.any():
        darkness -= np.median(darkness[free])
    found: list[tuple[Box, Line]] = []
    for least in _thresholds(darkness, free, settings):
        ink = _without_rules(((darkness > least) & free).astype(np.uint8), settings.rule_cells * px)
        ink = _without_specks(ink, settings.speck_cells * px)
        for upright, join in itertools.product((False, True), settings.join_cells):
            _gather(ink, darkness, upright, join * px, px, settings, found)
    return tuple(line for _, line in found)


def _outside(rectified: Rectified, rows: int, cols: int) -> Float32Array:
    """How far each pixel lies outside the grid, cells; negative inside."""
    height, width = rectified.pixels.shape[:2]
    u = (np.arange(width) + 0.5) / rectified.px_per_cell + rectified.origin_cells[0]
    v = (np.arange(height) + 0.5) / rectified.px_per_cell + rectified.origin_cells[1]
    beyond_u, beyond_v = np.maximum(-u, u - cols), np.maximum(-v, v - rows)
    return np.maximum(beyond_u[None], beyond_v[:, None]).astype(np.float32)


def _free(
    paper: Float32Array, outside: Float32Array, seen: npt.NDArray[np.bool_], px: int, settings: WritingSettings
) -> npt.NDArray[np.bool_]:
    """Where there is bare paper round the grid: as bright and of the same hue as what lies beside the grid."""
    beside = (outside > settings.gap_cells) & (outside < 0.6) & seen
    usual = np.median(paper[beside], axis=0) if beside.any() else np.ones(3)
    ratio = paper / np.maximum(usual, 0.02)
    level = ratio.mean(-1)
    tint = np.abs(ratio / np.maximum(level, 0.02)[..., None] - 1).max(-1)
    alike = ((level > 0.4) & (level < 2.2) & (tint < 0.2) & seen).astype(np.uint8)
    firm = eroded(closed(alike, 0.2 * px), 0.3 * px)
    count, labels = cv2.connectedComponents(firm)
    shares = np.bincount(labels[beside], minlength=count)
    shares[0] = 0
    page = shares[labels] > 0.1 * shares.sum()
    free = (dilated(page.astype(np.uint8), 0.12 * px) > 0) & (outside > settings.gap_cells)
    free[[0, 1, -2, -1]] = free[:, [0, 1, -2, -1]] = False  # no paper is known beyond the picture's edge
    return np.asarray(free)


def _thresholds(darkness: Float32Array, free: npt.NDArray[np.bool_], settings: WritingSettings) -> list[float]:
    """Two ideas of what ink is."""
    if not free.any():
        return []
    values = darkness[free]
    grain = 1.48 * float(np.median(np.abs(values - np.median(values))))
    low = max(settings.least_dark, settings.noise_times * grain)
    high = settings.strong_share * float(np.percentile(values, 99.8))
    return [low, high] if high > 1.3 * low else [low]


def _without_rules(ink: U8Array, least: float) -> U8Array:
    """Ink without straight lines along or across that are longer than this: of ruled paper, or the grid run on."""
    for size in ((round(least), 1), (1, round(least))):
        rules = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones(size, np.uint8))
        ink = ink & ~np.asarray(cv2.dilate(rules, np.ones((3, 3), np.uint8)), np.uint8)
    return ink


def _without_specks(ink: U8Array, least: float) -> U8Array:
    """Ink without pieces that are smaller than this both ways."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink)
    keep = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]) >= least
    keep[0] = False
    return np.where(keep[labels], np.uint8(1), np.uint8(0))


def _gather(
    ink: U8Array,
    darkness: Float32Array,
    upright: bool,
    join: float,
    px: int,
    settings: WritingSettings,
    found: list[tuple[Box, Line]],
) -> None:
    """Join ink into lines of one direction and add those that are new."""
    reach = (round(0.12 * px) | 1, round(join) | 1)
    kernel = np.ones(reach[::-1] if upright else reach, np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(ink, kernel))
    added = 0
    for label in np.argsort(-stats[1:, cv2.CC_STAT_AREA]) + 1:
        mask = _without_ring((labels == label) & (ink > 0))
        box = bounding_box(mask.astype(np.uint8))
        if not _like_writing(box, int(mask.sum()), upright, px, settings):
            continue
        turn = 1 if upright else 0
        if any(turn in line.turns and _same(box, other) for other, line in found):
            continue
        added += 1
        if added > settings.most_lines:
            return
        left, top, width, height = box
        near = dilated(mask[top : top + height, left : left + width].astype(np.uint8), 0.12 * px)
        cut = darkness[top : top + height, left : left + width] * near
        found.append((box, Line(cut.astype(np.float32), upright, _lonely(ink, mask, box))))


def _lonely(ink: U8Array, mask: npt.NDArray[np.bool_], box: Box) -> bool:
    """Whether nothing but what is thin, much smaller or round it lies beside a piece of ink."""
    left, top, width, height = box
    size = max(width, height)
    reach = round(1.2 * size)
    near = (slice(max(top - reach, 0), top + height + reach), slice(max(left - reach, 0), left + width + reach))
    rest = (ink[near] > 0) & ~mask[near]
    _, _, stats, _ = cv2.connectedComponentsWithStats(rest.astype(np.uint8))
    sizes = stats[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    beside = (sizes.min(1, initial=size) > 0.25 * size) & ~((sizes[:, 0] > width) & (sizes[:, 1] > height))
    return not beside.any()


def _without_ring(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """A piece of ink without the circle drawn round it, where what lies inside is more than a stroke of an O."""
    outlines, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=cv2.contourArea)
    hull, box = cv2.contourArea(cv2.convexHull(outline)), bounding_box(mask.astype(np.uint8))
    round_ = 0.7 < hull / (box[2] * box[3]) < 0.86 and cv2.contourArea(outline) > 0.93 * hull
    if not round_ or max(box[2:]) > 2.2 * min(box[2:]):
        return mask
    filled = np.zeros(mask.shape, np.uint8)
    cv2.drawContours(filled, [outline], -1, 1, -1)
    inside = mask & (eroded(filled, 0.3 * min(box[2:])) > 0)
    _, _, width, height = bounding_box(inside.astype(np.uint8))
    return inside if min(width / box[2], height / box[3]) > 0.2 and max(width / box[2], height / box[3]) > 0.4 else mask


def _like_writing(box: Box, area: int, upright: bool, px: int, settings: WritingSettings) -> bool:
    """Whether a piece of ink has the size and the shape of a line of writing."""
    across, along = (box[2], box[3]) if upright else (box[3], box[2])
    long, short = max(across, along), min(across, along)
    longest, highest = settings.most_cells
    if along > longest * px or across > highest * px:
        return False
    if across < settings.least_cells * px:
        return False
    return long < settings.most_thin * short and (
        short < settings.stroke_cells * px or area < settings.most_full * long * short
    )


def _same(a: Box, b: Box) -> bool:
    """Whether two boxes are nearly one."""
    wide = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    high = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    if wide <= 0 or high <= 0:
        return False
    return wide * high > 0.85 * max(a[2] * a[3], b[2] * b[3])
