"""What is written round the grid of a hand-made board: dark strokes on its paper, gathered into lines.

All lengths are in pixels of the rectified picture unless their names say cells.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.mark.boards.boxes import nearly_one
from poradek_vision.mark.boards.labels import are_labels
from poradek_vision.mark.boards.page import (
    BESIDE_CELLS,
    PageSettings,
    bare_paper,
    calm_parts,
    cells_outside,
    find_page,
    smaller,
)
from poradek_vision.mark.boards.pieces import Group, Piece, PieceSettings, TouchingLine, find_pieces, gather
from poradek_vision.mark.boards.strokes import (
    StrokeSettings,
    darkness_of,
    inks,
    light_shares,
    mean_darkness_of,
    off_the_grid,
    pale_ink,
    plain,
    reaching,
    touching,
    without_rules,
)
from poradek_vision.mark.lines import LINE_HEIGHT_PX, LINE_WIDTH_PX
from poradek_vision.mark.pictures import Box, Float32Array, U8Array, blurred, dilated
from poradek_vision.model import Rectified


@dataclass(frozen=True, slots=True)
class WritingSettings:
    """Numbers of finding writing, each with its unit; set on drawn boards."""

    page: PageSettings = field(default_factory=PageSettings)
    strokes: StrokeSettings = field(default_factory=StrokeSettings)
    pieces: PieceSettings = field(default_factory=PieceSettings)
    px_per_cell: int = 80
    """Of the rectified board."""
    coarse: int = 2
    """Writing is looked for in a picture smaller by this factor."""
    margin_cells: float = 2.6
    wide_margin_cells: float = 4.5
    """What is looked at round the grid, and where that leaves it in doubt: a long name beside the grid runs on."""
    smooth_cells: float = 0.03
    rim_px: int = 1
    """Of the smaller picture: strokes reach so far beyond what is surely ink."""
    fine_cells: float = 0.01
    """Blur before ink is told from paper, and before it is read."""
    edge_cells: float = 0.1
    """What comes nearer than half of this to the end of the page may be that end, or lie on it."""
    most_brighter: float = 4.0
    most_brighter_chalk: float = 1.25
    """How many times brighter paper may seem under writing than round it, and under chalk, in the negative: there all
    that is between dark letters seems to be written on paper as bright as these."""
    least_chalk_cells: float = 0.45
    """Least longer side of a single mark in chalk, which is broad: gaps between dark strokes are tiny."""
    most_crowded: float = 0.3
    """Share of the page within a cell round some ink that is dark: round 97 marks on drawn and rendered boards at most
    0.16, between the lines of a text 0.25, round what lies between stones and on wood often more."""
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
        Whether some of it is at the end of the page, which may have cut it off, or among much that is dark.
    foot : int
        The counterclockwise quarter turns that bring the line drawn under it below it; -1 without one.
    after : tuple of int
        The turns in which something by the same pen and of its height stands before it, as in a date.
    box : Box
        Where it lies, px of the smaller picture.
    line : TouchingLine or None
        That line, if it touched and was taken away.
    """

    darkness: Float32Array
    upright: bool
    long: bool
    lonely: bool
    at_end: bool
    foot: int
    after: tuple[int, ...]
    box: Box
    line: TouchingLine | None

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

    1. The ``paper``, each channel without what is thin and dark; the ``page``, what of it hangs together with the paper
       beside the grid; the ``darkness`` against it.
    2. Two ideas of ink, for pencil and for marker, in pieces; those that lie near each other along the rows, or
       along the columns, are one line. Where nothing shows on the page, paler ink.

    Parameters
    ----------
    rectified : Rectified
        The board with about ``settings.margin_cells`` round it, at ``settings.px_per_cell``.
    rows, cols : int
    settings : WritingSettings
    """
    small = smaller(rectified, settings.coarse)
    sheet = _sheet(small, rows, cols, small.px_per_cell, settings)
    found: list[tuple[Group, bool]] = []
    rings: list[Box] = []  # round a paler letter, too, which is no ink where only the darkest is
    ideas = inks(sheet.darkness, sheet.page, sheet.clear, settings.strokes)
    beyond = touching(ideas[0], sheet.page_end)
    for ink in ideas:
        found += _groups_of(ink, beyond, sheet, small, (rows, cols), found, rings, settings)
    if all(group.at_end for group, _ in found):
        pale = pale_ink(sheet.darkness, sheet.page, sheet.clear, settings.strokes)
        found += _groups_of(pale, beyond, sheet, small, (rows, cols), found, rings, settings)
    return tuple(_line(rectified, sheet, group, upright, settings) for group, upright in found)


def _groups_of(
    ink: U8Array,
    beyond: U8Array,
    sheet: _Sheet,
    small: Rectified,
    shape: tuple[int, int],
    found: Sequence[tuple[Group, bool]],
    rings: list[Box],
    settings: WritingSettings,
) -> list[tuple[Group, bool]]:
    """Groups of some ink that are not ``found`` yet, and whether each runs along the columns.

    Where ``beyond`` is 1 ink hangs together with the page's end. ``rings``, drawn round something, grow by those that
    show.
    """
    px = small.px_per_cell
    ink = without_rules(off_the_grid(reaching(ink, sheet.clear), sheet.outside), settings.strokes.rule_cells * px)
    pieces = [
        replace(piece, doubtful=_hangs(piece, beyond) or sheet.crowded(piece.box, px, settings))
        for piece in find_pieces(ink, sheet.darkness, sheet.page_end, px, settings.pieces)
    ]
    rings += [piece.box for piece in pieces if piece.ring]
    letters = [piece for piece in pieces if not any(nearly_one(piece.box, ring) for ring in rings)]
    more: list[tuple[Group, bool]] = []
    for upright, groups in enumerate(gather(_without_labels(letters, small, *shape), px, settings.pieces)):
        known = [other for other, way in (*found, *more) if way == upright or not other.long]
        even = (group for group in groups if _brighter(sheet, group, px) < settings.most_brighter)
        new = (group for group in even if not any(group.told_by(other) for other in known))
        more += [(group, bool(upright)) for group in itertools.islice(new, settings.most_lines)]
    return more


def _hangs(piece: Piece, beyond: U8Array) -> bool:
    """Whether a piece of ink is part of what lies where ``beyond`` is 1."""
    left, top, width, height = piece.box
    return bool((piece.ink & beyond[top : top + height, left : left + width]).any())


@dataclass(frozen=True, slots=True, eq=False)
class _Sheet:
    """What is known round a grid, all in pixels (h, w) of the smaller picture. Heavy.

    ``paper`` (h, w, 3) without what is written on it, and its ``light`` at every second pixel; how far ``outside`` the
    grid, cells; where there is ``page``, all around it ``clear``, and where it ends; the ``darkness`` against paper,
    whose own is the ``usual`` one. ``counts``: the sums (h + 1, w + 1) of what of the page is dark, and of the page,
    above and left of each pixel.
    """

    paper: Float32Array
    light: Float32Array
    outside: Float32Array
    page: npt.NDArray[np.bool_]
    clear: npt.NDArray[np.bool_]
    page_end: U8Array
    darkness: Float32Array
    usual: float
    counts: tuple[npt.NDArray[np.int32], ...]

    def crowded(self, box: Box, px: int, settings: WritingSettings) -> bool:
        """Whether much of the page round a box is dark; not round what is as small as an accent on a letter."""
        left, top, width, height = box
        inner = left, top, left + width, top + height
        outer = max(left - px, 0), max(top - px, 0), left + width + px, top + height + px
        dark, page = (_total(count, outer) - _total(count, inner) for count in self.counts)
        small = max(width, height) < settings.pieces.least_alone_cells * px
        return not small and dark > settings.most_crowded * page


def _total(sums: npt.NDArray[np.int32], box: tuple[int, int, int, int]) -> int:
    """What lies in a box, its left, top, right and bottom, by the sums above and left of each pixel."""
    left, top, right, bottom = box
    right, bottom = min(right, sums.shape[1] - 1), min(bottom, sums.shape[0] - 1)
    return int(sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left])


def _sheet(small: Rectified, rows: int, cols: int, px: int, settings: WritingSettings) -> _Sheet:
    """The sheet round a grid."""
    pixels = blurred(small.pixels.astype(np.float32) / np.float32(255), settings.smooth_cells * px)
    outside = cells_outside(small, rows, cols)
    free = outside > settings.page.gap_cells
    paper = bare_paper(pixels, free & (outside < BESIDE_CELLS) & small.seen, px, settings.page)
    darkness = darkness_of(light_shares(pixels, paper))
    page = find_page(paper, darkness, outside, small.seen, px, settings.page)
    usual, grain = plain(darkness[page & (outside < BESIDE_CELLS)])
    darkness -= usual
    dark = free & (np.abs(darkness) > max(settings.strokes.least_dark, settings.strokes.noise_times * grain))
    clear, page = calm_parts(dark, page, page | ~free, px, settings.page)
    page_end = dilated((free & ~page).astype(np.uint8), settings.edge_cells * px)
    counts = tuple(np.asarray(cv2.integral(each.astype(np.uint8)), np.int32) for each in (dark & page, page))
    light = np.asarray(paper[::2, ::2].mean(2), np.float32)
    return _Sheet(paper, light, outside, page, clear, page_end, darkness, usual, counts)


def _brighter(sheet: _Sheet, group: Group, px: int) -> float:
    """How many times brighter paper seems where a group is than within a cell round it."""
    (left, top), (right, bottom) = (np.array(group.box[:2]) // 2, -(-np.add(group.box[:2], group.box[2:]) // 2))
    few = px // 2
    here = sheet.light[top:bottom, left:right]
    around = sheet.light[max(top - few, 0) : bottom + few, max(left - few, 0) : right + few]
    inner, outer = (float(np.median(each)) for each in (here, around))
    return inner / max(outer, 0.02)


def _without_labels(pieces: Sequence[Piece], small: Rectified, rows: int, cols: int) -> list[Piece]:
    """Pieces of ink but for those that name the grid's rows and columns."""
    boxes = np.array([piece.box for piece in pieces], np.float64).reshape(-1, 4) / small.px_per_cell
    boxes[:, :2] += small.origin_cells
    labels = are_labels(boxes, rows, cols).tolist()
    return [piece for piece, label in zip(pieces, labels, strict=True) if not label]


def _line(rectified: Rectified, sheet: _Sheet, group: Group, upright: bool, settings: WritingSettings) -> Line:
    """A group of pieces as a line along the columns (``upright``) or the rows."""
    darkness = _levelled(_cut(rectified, sheet.paper, group, settings), group, upright)
    return Line(
        darkness, upright, group.long, group.lonely, group.at_end, group.foot, group.after, group.box, group.line
    )


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


def _cut(rectified: Rectified, paper: Float32Array, group: Group, settings: WritingSettings) -> Float32Array:
    """The darkness of a group of pieces and what is round them, with all pixels of the rectified picture."""
    factor, rim = settings.coarse, settings.rim_px
    left, top, width, height = group.box
    inked = dilated(np.pad(group.ink, rim), 0.12 * rectified.px_per_cell / factor)
    if group.line:
        inked &= ~dilated(np.pad(group.line.ink, rim - 1), _RIM_PX) | np.pad(group.ink, rim)
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
    darkness, shares = [], light_shares(pixels, paper)
    for dark in (darkness_of(shares), mean_darkness_of(shares)):
        beside = dark[near & ~ink]
        darkness.append(dark - np.float32(np.median(beside) if len(beside) else 0))
    best, mean = (float(each[ink].mean()) for each in darkness)
    return np.asarray(darkness[int(mean > _CLEAR_IN_ALL * best)] * near, np.float32)


_RIM_PX = 3
"""Diameter: a line that is taken away is so much thicker than its ink."""
_CLEAR_IN_ALL = 0.3
"""Share of the darkness in the channel that shows ink best, that it has in the mean of all where these will do."""
