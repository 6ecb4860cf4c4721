"""What is written round the grid of a hand-made board: dark strokes on its paper, gathered into lines.

All lengths are in pixels of the rectified picture unless their names say cells.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.mark.boxes import nearly_one
from poradek_vision.mark.labels import are_labels
from poradek_vision.mark.lines import LINE_HEIGHT_PX, LINE_WIDTH_PX
from poradek_vision.mark.pictures import Box, Float32Array, U8Array, blurred, dilated, disk
from poradek_vision.mark.pieces import Group, Piece, PieceSettings, find_pieces, gather
from poradek_vision.model import Rectified


@dataclass(frozen=True, slots=True)
class WritingSettings:
    """Numbers of finding writing, each with its unit; set on drawn boards."""

    pieces: PieceSettings = field(default_factory=PieceSettings)
    px_per_cell: int = 80
    """Of the rectified board."""
    coarse: int = 2
    """Writing is looked for in a picture smaller by this factor."""
    margin_cells: float = 2.6
    wide_margin_cells: float = 4.5
    """What is looked at round the grid, and where that leaves it in doubt: a long name beside the grid runs on."""
    stroke_cells: float = 0.45
    """Strokes are thinner than this."""
    gap_cells: float = 0.12
    """So near the grid nothing counts as writing: lines run on, stickers reach out."""
    least_dark: float = 0.07
    noise_times: float = 4.0
    strong_share: float = 0.45
    """Ink is darker than ``least_dark`` and than the grain of the paper, or than a share of the darkest ink."""
    smooth_cells: float = 0.03
    rim_px: int = 1
    """Of the smaller picture: strokes reach so far beyond what is surely ink."""
    fine_cells: float = 0.01
    """Blur before ink is told from paper, and before it is read."""
    most_tint: float = 0.2
    most_steep: float = 0.05
    """Paper goes on where its hue differs by no more than this from that beside the grid, or where no channel changes
    by more than this share per 1/20 of a cell."""
    most_shade: float = 0.1
    most_turning: float = 0.015
    """The same at the edge of a shadow, and how much the hue may change there."""
    brink_cells: float = 0.08
    """So near its edge paper does not look like paper."""
    edge_cells: float = 0.1
    """What comes nearer than half of this to the end of the page may be that end, or lie on it."""
    most_inked: float = 0.4
    """Share of an area of 2 by 2 cells that writing covers at most, or, where it reaches out of that, of 1 by 1 cell
    beside it: what has more is wood, cloth or leaves."""
    rule_cells: float = 3.0
    """Straight ink longer than this is ruled."""
    most_lines: int = 7
    """So many of the darkest are read at each threshold, along the rows and along the columns."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Some writing. Heavy.

    Attributes
    ----------
    darkness : ndarray of shape (h, w), float32
        Cut out of the rectified picture; 0 where other ink is.
    upright : bool
        Whether it runs along the grid's columns.
    long : bool
        Whether it is clearly longer than high; what is not and is no word's part is a single mark.
    lonely : bool
        Whether no other ink of about its size lies beside it: a part of a word is no mark.
    at_end : bool
        Whether some of it is at the end of the page, which may have cut it off.
    foot : int
        The counterclockwise quarter turns that bring the line drawn under it below it; -1 without one.
    box : Box
        Where it lies, px of the smaller picture.
    """

    darkness: Float32Array
    upright: bool
    long: bool
    lonely: bool
    at_end: bool
    foot: int
    box: Box

    @property
    def turns(self) -> tuple[int, ...]:
        """The counterclockwise quarter turns in which it may be upright; all four where it is not ``long``."""
        if not self.long:
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
    2. ``page``: what of it hangs together with the paper beside the grid.
    3. Ink at two thresholds, for pencil and for marker, in pieces; those that lie near each other along the rows, or
       along the columns, are one line.

    Parameters
    ----------
    rectified : Rectified
        The board with about ``settings.margin_cells`` round it, at ``settings.px_per_cell``.
    rows, cols : int
    settings : WritingSettings
    """
    small, px = _smaller(rectified, settings.coarse)
    pixels = blurred(small.pixels.astype(np.float32) / np.float32(255), settings.smooth_cells * px)
    paper = _paper(pixels, settings.stroke_cells * px)
    outside = _outside(small, rows, cols)
    paper = _of_one_hue(paper, (outside > settings.gap_cells) & (outside < _BESIDE_CELLS) & small.seen)
    page = _page(paper, outside, small.seen, px, settings)
    darkness = _darkness(_shares(pixels, paper))
    usual, grain = _plain(darkness[page & (outside < _BESIDE_CELLS)])
    darkness -= usual
    dark = (np.abs(darkness) > max(settings.least_dark, settings.noise_times * grain)) & (outside > settings.gap_cells)
    clear, page = _calm(dark, page, page | (outside <= settings.gap_cells), px, settings.most_inked)
    page_end = dilated((~page & (outside > settings.gap_cells)).astype(np.uint8), settings.edge_cells * px)
    found: list[tuple[Group, bool]] = []
    rings: list[Box] = []  # round a paler letter, too, which is no ink where only the darkest is
    for least in _thresholds(darkness, clear, settings):
        ink = _off_the_grid(_reaching(((darkness > least) & page).astype(np.uint8), clear), outside)
        ink = _without_rules(ink, settings.rule_cells * px)
        pieces = _without_labels(find_pieces(ink, darkness, page_end, px, settings.pieces), small, rows, cols)
        rings += [piece.box for piece in pieces if piece.ring]
        pieces = [piece for piece in pieces if not any(nearly_one(piece.box, ring) for ring in rings)]
        for upright, groups in enumerate(gather(pieces, px, settings.pieces)):
            known = [other for other, way in found if way == upright or not other.long]
            new = (group for group in groups if not any(group.same(other) for other in known))
            found += [(group, bool(upright)) for group in itertools.islice(new, settings.most_lines)]
    return tuple(_line(rectified, paper, group, upright, usual, settings) for group, upright in found)


def _calm(
    dark: npt.NDArray[np.bool_], page: npt.NDArray[np.bool_], sheet: npt.NDArray[np.bool_], px: int, most: float
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Where little of the sheet is dark all around within a cell, and where little is on one side at least.

    A ring round a mark near the end of the sheet has wood on its other side. What lies beyond the sheet tells nothing.
    """
    shares = []
    for side in (2 * px, px):
        inked, all_ = (
            cv2.boxFilter(each.astype(np.float32), -1, (side, side), borderType=cv2.BORDER_CONSTANT)
            for each in (dark & sheet, sheet)
        )
        shares.append(np.where(all_ > _LEAST_SHEET, inked / np.maximum(all_, np.float32(1e-6)), np.float32(1)))
    corners = np.zeros((px + 1, px + 1), np.uint8)
    corners[[0, 0, -1, -1], [0, -1, 0, -1]] = 1
    clear = page & (shares[0] < most)
    return clear, clear | (page & (cv2.erode(shares[1], corners) < most))


_LEAST_SHEET = 0.2
"""Share of a square that must be sheet to tell how much of it is dark."""


def _reaching(ink: U8Array, clear: npt.NDArray[np.bool_]) -> U8Array:
    """Pieces of ink of which enough lies where it is clear."""
    count, labels = cv2.connectedComponents(ink)
    shares = np.bincount(labels[clear], minlength=count) / np.maximum(np.bincount(labels.ravel(), minlength=count), 1)
    keep = shares > _LEAST_CLEAR
    keep[0] = False
    return np.asarray(keep[labels], np.uint8)


_LEAST_CLEAR = 0.25


def _off_the_grid(ink: U8Array, outside: Float32Array) -> U8Array:
    """Ink without long flat pieces close to the grid: its own border, where it bends or was ruled twice."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink)
    sides = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    flat = sides.max(1) > _LEAST_FLAT * sides.min(1)
    far = np.zeros(len(stats), np.bool_)
    far[labels[(ink > 0) & (outside > _BORDER_CELLS)]] = True
    return np.asarray((ink > 0) & ~(flat & ~far)[labels], np.uint8)


_BORDER_CELLS, _LEAST_FLAT = 0.45, 2.5
"""What lies nearer to the grid than this and is so much longer than wide is of its border."""


def _without_labels(pieces: Sequence[Piece], small: Rectified, rows: int, cols: int) -> list[Piece]:
    """Pieces of ink but for those that name the grid's rows and columns."""
    boxes = np.array([piece.box for piece in pieces], np.float64).reshape(-1, 4) / small.px_per_cell
    boxes[:, :2] += small.origin_cells
    labels = are_labels(boxes, rows, cols).tolist()
    return [piece for piece, label in zip(pieces, labels, strict=True) if not label]


def _smaller(rectified: Rectified, factor: int) -> tuple[Rectified, int]:
    """A rectified board at a part of its resolution, and its pixels per cell."""
    height, width = (side // factor for side in rectified.seen.shape)
    pixels = cv2.resize(rectified.pixels, (width, height), interpolation=cv2.INTER_AREA)
    seen = rectified.seen[: height * factor : factor, : width * factor : factor]
    px = rectified.px_per_cell // factor
    return Rectified(np.asarray(pixels, np.uint8), px, rectified.origin_cells, seen), px


def _paper(pixels: Float32Array, stroke: float) -> Float32Array:
    """Each channel without what is darker and thinner than ``stroke``: closed at half the resolution."""
    height, width = pixels.shape[:2]
    half = cv2.resize(pixels, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    closed = cv2.morphologyEx((half * 255).astype(np.uint8), cv2.MORPH_CLOSE, disk(stroke / 2))
    whole = cv2.resize(closed, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(whole, np.float32) / np.float32(255)


def _of_one_hue(paper: Float32Array, beside: npt.NDArray[np.bool_]) -> Float32Array:
    """Paper without the light that a pen of another hue gives back: no channel outshines the others by much.

    A purple ring on brown paper is brighter than that in blue, so that all that it goes round seemed dark there.
    """
    channels = cv2.split(paper)
    usual = [max(float(np.median(channel[beside])), 0.02) if beside.any() else 1.0 for channel in channels]
    ratios = [channel / np.float32(white) for channel, white in zip(channels, usual, strict=True)]
    least, most = functools.reduce(np.minimum, ratios), functools.reduce(np.maximum, ratios)
    bound = np.float32(_MOST_OTHER_HUE) * (ratios[0] + ratios[1] + ratios[2] - least - most)
    bounded = [np.minimum(ratio, bound) * np.float32(white) for ratio, white in zip(ratios, usual, strict=True)]
    return np.asarray(cv2.merge(bounded), np.float32)


_BESIDE_CELLS = 0.6
"""What lies so near the grid is on its paper."""
_MOST_OTHER_HUE = 1.1
"""How far one channel of paper may outshine the middle one, against paper beside the grid: shade is bluer than sun."""


def _shares(pixels: Float32Array, paper: Float32Array) -> list[Float32Array]:
    """Of the light of the paper how much pixels have, channel by channel.

    Here and below: along a last axis of three the same takes ten times as long.
    """
    pairs = zip(cv2.split(pixels), cv2.split(paper), strict=True)
    return [np.asarray(one / np.maximum(white, np.float32(0.02)), np.float32) for one, white in pairs]


def _darkness(shares: Sequence[Float32Array]) -> Float32Array:
    """How dark pixels are against their paper, in the channel that shows it best; 1 is black."""
    return np.asarray(1 - functools.reduce(np.minimum, shares), np.float32)


def _mean_darkness(shares: Sequence[Float32Array]) -> Float32Array:
    """How dark pixels are against their paper in the mean of the channels; 1 is black."""
    return np.asarray(1 - sum(shares) / np.float32(3), np.float32)


def _outside(rectified: Rectified, rows: int, cols: int) -> Float32Array:
    """How far each pixel lies outside the grid, cells; negative inside."""
    height, width = rectified.pixels.shape[:2]
    u = (np.arange(width) + 0.5) / rectified.px_per_cell + rectified.origin_cells[0]
    v = (np.arange(height) + 0.5) / rectified.px_per_cell + rectified.origin_cells[1]
    beyond_u, beyond_v = (np.maximum(-at, at - count).astype(np.float32) for at, count in ((u, cols), (v, rows)))
    return np.asarray(np.maximum(beyond_u[None], beyond_v[:, None]), np.float32)


def _page(
    paper: Float32Array, outside: Float32Array, seen: npt.NDArray[np.bool_], px: int, settings: WritingSettings
) -> npt.NDArray[np.bool_]:
    """Where there is paper round the grid, its writing included.

    Paper goes on from beside the grid where its hue stays the same, or its brightness changes smoothly: the light on
    it may change, and burn it out.
    """
    beside = (outside > settings.gap_cells) & (outside < _BESIDE_CELLS) & seen
    few = np.s_[::2, ::2]  # paper is not known any finer
    on = _goes_on(np.ascontiguousarray(paper[few]), beside[few], px / 2, settings).astype(np.uint8)
    firm = np.asarray(cv2.resize(on, outside.shape[::-1], interpolation=cv2.INTER_NEAREST), np.uint8)
    firm &= seen & (outside > 0)
    firm = np.asarray(cv2.morphologyEx(firm, cv2.MORPH_OPEN, disk(0.4 * px)), np.uint8)
    count, labels = cv2.connectedComponents(firm)
    shares = np.bincount(labels[beside], minlength=count)
    shares[0] = 0
    page = (shares > 0.1 * shares.sum()).astype(np.uint8)[labels]
    page = np.asarray(cv2.morphologyEx(page, cv2.MORPH_CLOSE, disk(0.4 * px)), np.uint8)
    page = _filled(np.where(outside <= settings.gap_cells, np.uint8(1), page))  # a bold ring leaves a bay at the grid
    page = dilated(page, 2 * settings.brink_cells * px)
    free = (page > 0) & (outside > settings.gap_cells) & seen
    free[[0, 1, -2, -1]] = free[:, [0, 1, -2, -1]] = False  # no paper is known beyond the picture's edge
    return np.asarray(free)


def _goes_on(
    paper: Float32Array, beside: npt.NDArray[np.bool_], px: float, settings: WritingSettings
) -> npt.NDArray[np.bool_]:
    """Where paper, known where it is ``beside`` the grid, can go on."""
    channels = [np.asarray(channel, np.float32) for channel in cv2.split(paper)]
    usual = [max(float(np.median(channel[beside])), 0.02) if beside.any() else 1.0 for channel in channels]
    ratios = [channel / np.float32(white) for channel, white in zip(channels, usual, strict=True)]
    level = sum(ratios) / np.float32(3)
    hues = [np.asarray(ratio / np.maximum(level, np.float32(0.02)), np.float32) for ratio in ratios]
    tint = functools.reduce(np.maximum, (np.abs(hue - 1) for hue in hues))
    alike = (level > 0.35) & (level < 2.5) & (tint < settings.most_tint)
    steep, turning = (functools.reduce(np.maximum, (_steepness(one, px) for one in each)) for each in (channels, hues))
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


def _plain(darkness: Float32Array) -> tuple[float, float]:
    """The usual darkness of paper, and its grain; 0 where there is none."""
    if not len(darkness):
        return 0.0, 0.0
    usual = float(np.median(darkness))
    return usual, 1.48 * float(np.median(np.abs(darkness - usual)))


def _thresholds(darkness: Float32Array, page: npt.NDArray[np.bool_], settings: WritingSettings) -> list[float]:
    """Two ideas of what ink is."""
    if not page.any():
        return []
    values = darkness[page]
    low = max(settings.least_dark, settings.noise_times * _plain(values)[1])
    high = settings.strong_share * float(np.percentile(values, 99.8))
    return [low, high] if high > 1.3 * low else [low]


def _without_rules(ink: U8Array, least: float) -> U8Array:
    """Ink without straight lines along or across that are longer than this: of ruled paper, or the grid run on."""
    for size in ((round(least), 1), (1, round(least))):
        rules = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones(size, np.uint8))
        ink = ink & ~np.asarray(cv2.dilate(rules, np.ones((3, 3), np.uint8)), np.uint8)
    return ink


def _line(
    rectified: Rectified, paper: Float32Array, group: Group, upright: bool, usual: float, settings: WritingSettings
) -> Line:
    """A group of pieces as a line along the columns (``upright``) or the rows."""
    darkness = _levelled(_cut(rectified, paper, group, usual, settings), group, upright)
    return Line(darkness, upright, group.long, group.lonely, group.at_end, group.foot, group.box)


def _levelled(darkness: Float32Array, group: Group, upright: bool) -> Float32Array:
    """A long line of writing (h, w) with its slope taken out, as all who write without rules have one."""
    if not group.long:
        return darkness
    turned = np.ascontiguousarray(darkness.T if upright else darkness)
    height, width = turned.shape
    inked = np.maximum(turned, 0)
    if not inked.any():
        return darkness
    masses, rows = inked.sum(0), np.arange(height, dtype=np.float32)
    middles = (rows @ inked) / np.maximum(masses, np.float32(1e-6))
    at = np.arange(width, dtype=np.float32)
    away = at - np.average(at, weights=masses)
    slope = float((masses * away * middles).sum() / np.maximum((masses * away**2).sum(), 1e-6))
    if abs(slope) * width < _LEAST_SLOPE * height:
        return darkness
    over = round(abs(slope) * width / 2)
    shear = np.array([[1, 0, 0], [-slope, 1, over + slope * (width - 1) / 2]])
    level = np.asarray(cv2.warpAffine(turned, shear, (width, height + 2 * over)), np.float32)
    inked_rows = np.flatnonzero(level.max(1) > 0.3 * level.max())
    level = level[inked_rows[0] : inked_rows[-1] + 1]
    if width < _LEAST_WORD * len(level):
        return darkness
    return np.ascontiguousarray(level.T if upright else level)


_LEAST_SLOPE, _LEAST_WORD = 0.12, 3.0
"""Of a line's height: what it rises from end to end at least, and how long it is then, to be levelled: of few letters
some weigh more below than others."""


def _cut(
    rectified: Rectified, paper: Float32Array, group: Group, usual: float, settings: WritingSettings
) -> Float32Array:
    """The darkness of a group of pieces and what is round them, with all pixels of the rectified picture."""
    factor, rim = settings.coarse, settings.rim_px
    left, top, width, height = group.box
    inked = dilated(np.pad(group.ink, rim), 0.12 * rectified.px_per_cell / factor)
    small = slice(top - rim, top + height + rim), slice(left - rim, left + width + rim)
    seen = rectified.pixels[tuple(slice(factor * side.start, factor * side.stop) for side in small)]
    size = seen.shape[1::-1]
    white = cv2.resize(paper[small], size, interpolation=cv2.INTER_LINEAR)
    near, own = (cv2.resize(each, size, interpolation=cv2.INTER_NEAREST) for each in (inked, np.pad(group.ink, rim)))
    pixels = blurred(seen.astype(np.float32) / np.float32(255), settings.fine_cells * rectified.px_per_cell)
    return _clearest(pixels, np.asarray(white, np.float32), own > 0, near > 0)


def _clearest(
    pixels: Float32Array, paper: Float32Array, ink: npt.NDArray[np.bool_], near: npt.NDArray[np.bool_]
) -> Float32Array:
    """How dark pixels are against what is ``near`` ink: in all channels, or in the one that shows it best.

    Photos keep colours at half their resolution: coloured ink has a halo in single channels.
    """
    darkness, shares = [], _shares(pixels, paper)
    for dark in (_darkness(shares), _mean_darkness(shares)):
        beside = dark[near & ~ink]
        darkness.append(dark - np.float32(np.median(beside) if len(beside) else 0))
    best, mean = (float(each[ink].mean()) for each in darkness)
    return np.asarray(darkness[int(mean > _CLEAR_IN_ALL * best)] * near, np.float32)


_CLEAR_IN_ALL = 0.3
"""Share of the darkness in the channel that shows ink best, that it has in the mean of all where these will do."""
