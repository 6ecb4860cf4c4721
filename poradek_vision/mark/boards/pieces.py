"""Pieces of ink, and which of them stand in one line.

A *piece* hangs together. Pieces stand in one line when the gaps between them are small against their height, so that
a child's big letters are joined as well as a pencil's small ones.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.mark.boards.boxes import around, inside, nearly_one, overlap
from poradek_vision.mark.boards.surrounds import MOST_LETTER, foot, go_round, within_rings, without_underlines
from poradek_vision.mark.boards.underline import Underlined, off_underlines
from poradek_vision.mark.pictures import Box, Float32Array, FloatArray, U8Array


@dataclass(frozen=True, slots=True)
class PieceSettings:
    """Numbers of gathering ink, each with its unit."""

    least_cells: float = 0.1
    """What is smaller both ways is dirt."""
    most_cells: tuple[float, float] = (8.0, 2.6)
    """Most length and height of a line."""
    least_high_cells: float = 0.2
    least_large_cells: float = 0.3
    least_alone_cells: float = 0.3
    """Least height of a line, and of its longer side, and that of a single mark: dirt is small."""
    gaps: tuple[float, ...] = (0.7, 1.7)
    """Letters of one word, and words of one line, are nearer than this, per height."""
    most_thin: float = 12.0
    """What is longer and thinner than this is no writing, but an edge or a ruled line."""
    most_full: float = 0.75
    stroke_cells: float = 0.35
    """What fills its box more than this and is no thin stroke is a thing that lies there."""
    most_pieces: int = 60


@dataclass(frozen=True, slots=True, eq=False)
class TouchingLine:
    """A line under some ink that touched it. Heavy.

    Attributes
    ----------
    ink : ndarray of shape (h + 2, w + 2), uint8
        Its own, in the box of what stands on it and one pixel round that.
    foot : int
        The counterclockwise quarter turns that bring it below.
    clear : bool
        Whether it is clear that it was no stroke of what stands on it.
    whole : Box
        Round both.
    """

    ink: U8Array
    foot: int
    clear: bool
    whole: Box


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A piece of ink: its box, its own ink in it (h, w), the sum of its darkness and the mean. Heavy.

    Whether it is ``at_end`` of the page: a shadow, or something that lies there; ``doubtful``, as part of such a piece
    or among much that is dark, as stones are; and a ``ring`` drawn round others.
    The ``line`` drawn under it, if that touched it and was taken away.
    """

    box: Box
    ink: U8Array
    mass: float
    mean: float
    at_end: bool
    ring: bool = False
    line: TouchingLine | None = None
    doubtful: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Pieces in one line. Heavy.

    Attributes
    ----------
    box : Box
        Round them.
    ink : ndarray of shape (h, w), uint8
        Theirs alone.
    mass : float
        The sum of its darkness, less where much other ink is near.
    lonely : bool
        Whether it may be a single mark: not too small, and nothing by the same pen and of its height stands beside it.
    at_end : bool
        Whether some of it, or a like thing beside it, is at the end of the page, or it lies among much that is dark.
    foot : int
        The counterclockwise quarter turns that bring the line drawn under it below it; -1 without one.
    line : TouchingLine or None
        That line, if it touched.
    after : tuple of int
        The turns in which something by the same pen and of its height stands before it, as in a date.
    """

    box: Box
    ink: U8Array
    mass: float
    lonely: bool
    at_end: bool
    foot: int
    line: TouchingLine | None
    after: tuple[int, ...]

    @property
    def long(self) -> bool:
        """Whether it is clearly longer than high."""
        return bool(max(self.box[2:]) >= 1.7 * min(self.box[2:]))

    def told_by(self, other: Group) -> bool:
        """Whether it is nearly the same as another, which may be a single mark if it may."""
        alike = nearly_one(self.box, other.box) and (self.line is None) == (other.line is None)
        return alike and self.lonely <= other.lonely


@dataclass(frozen=True, slots=True, eq=False)
class _Spots:
    """Where N pieces lie and how dark they are: boxes (N, 4), masses, means and which are at the page's end (N,)."""

    boxes: npt.NDArray[np.int64]
    masses: FloatArray
    means: FloatArray
    at_end: npt.NDArray[np.bool_]

    @staticmethod
    def of(pieces: Sequence[Piece]) -> _Spots:
        """Those of some pieces."""
        boxes = np.array([piece.box for piece in pieces], np.int64).reshape(-1, 4)
        return _Spots(
            boxes, *(np.array([getattr(piece, name) for piece in pieces]) for name in ("mass", "mean", "at_end"))
        )

    def some(self, which: npt.NDArray[np.bool_]) -> _Spots:
        """Those of some of the pieces."""
        return _Spots(self.boxes[which], self.masses[which], self.means[which], self.at_end[which])


def find_pieces(
    ink: U8Array, darkness: Float32Array, page_end: U8Array, px: int, settings: PieceSettings
) -> tuple[Piece, ...]:
    """The pieces of ink, without dirt; the darkest first. ``page_end`` is 1 where the page ends."""
    _, found, stats, _ = cv2.connectedComponentsWithStats(ink)
    labels = np.asarray(found, np.int32)
    sizes = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT])
    inked = np.flatnonzero(labels)
    masses = np.bincount(labels.ravel()[inked], darkness.ravel()[inked], minlength=len(stats))
    masses[sizes < settings.least_cells * px] = 0
    order = np.argsort(-masses, kind="stable")[: settings.most_pieces]
    ends = np.zeros(len(stats), np.bool_)
    ends[labels[page_end > 0]] = True
    pieces = [
        _piece(labels, int(label), stats[label], float(masses[label]), bool(ends[label]))
        for label in order
        if masses[label] > 0
    ]
    if not pieces:
        return ()
    rings = go_round(np.array([piece.box for piece in pieces]), [piece.ink for piece in pieces])
    return tuple(replace(piece, ring=bool(ring)) for piece, ring in zip(pieces, rings, strict=True))


def _piece(labels: npt.NDArray[np.int32], label: int, stats: npt.NDArray[np.int32], mass: float, at_end: bool) -> Piece:
    """One piece."""
    left, top, width, height = (int(value) for value in stats[:4])
    ink = (labels[top : top + height, left : left + width] == label).astype(np.uint8)
    return Piece((left, top, width, height), ink, mass, mass / int(stats[cv2.CC_STAT_AREA]), at_end)


def gather(pieces: Sequence[Piece], px: int, settings: PieceSettings) -> tuple[list[Group], list[Group]]:
    """Lines of pieces but for rings, along the rows, and along the columns; each the darkest first."""
    pieces = [piece for piece in pieces if not piece.ring]
    spots = _Spots.of(pieces)

    @functools.cache
    def joined(members: tuple[int, ...]) -> list[Piece]:
        return _joined_pieces(pieces, members)

    @functools.cache
    def group_of(members: tuple[int, ...], which: int) -> Group:
        return _group(spots, members, joined(members)[which], settings.least_alone_cells * px)

    along = []
    for axis in (0, 1):
        groups = [
            group_of(members, which)
            for members in _members(spots, axis, px, settings)
            for which, one in enumerate(joined(members))
            if _like_writing(one, axis, px, settings)
        ]
        along.append(sorted(groups, key=lambda group: -group.mass))
    return along[0], along[1]


def _members(spots: _Spots, axis: int, px: int, settings: PieceSettings) -> list[tuple[int, ...]]:
    """Indices of pieces that may be a line of writing along ``axis``, together or alone."""
    sizes = np.array(settings.most_cells)[[0, 1] if axis == 0 else [1, 0]] * px
    likely = np.flatnonzero((spots.boxes[:, 2:] < sizes).all(1))
    ways = (*((gap, True) for gap in settings.gaps), (settings.gaps[0], False))
    found = (group for gap, stacked in ways for group in _joined(spots, likely, axis, gap, stacked))
    groups = dict.fromkeys((*found, *((int(k),) for k in likely)))
    return [group for group in groups if _large_enough(around(spots.boxes[list(group)]), axis, px, settings)]


def _joined(
    spots: _Spots, members: npt.NDArray[np.intp], axis: int, gap: float, stacked: bool
) -> list[tuple[int, ...]]:
    """Indices of pieces, of those in ``members``, that hang together when gaps up to ``gap`` heights are bridged.

    ``stacked`` as :func:`_neighbours` has it.
    """
    boxes, means = spots.boxes[members], spots.means[members]
    near = _neighbours(boxes[:, None], means[:, None], boxes, means, axis, gap, stacked)
    names = np.arange(len(members))
    for _ in members:  # each takes the least name of its neighbours until all that hang together have one
        least = np.where(near, names, names[:, None]).min(1, initial=len(members))
        if np.array_equal(least, names):
            break
        names = least
    return [tuple(members[names == name].tolist()) for name in dict.fromkeys(names.tolist())]


def _neighbours(
    a: npt.NDArray[np.int64],
    a_means: FloatArray | float,
    b: npt.NDArray[np.int64],
    b_means: FloatArray,
    axis: int,
    gap: float,
    stacked: bool = True,
) -> npt.NDArray[np.bool_]:
    """Whether pieces of one pen stand beside each other along ``axis``, or one as an accent over the other.

    By their boxes (..., 4) and the means of their darkness. ``stacked``: also as the halves of a broken letter.
    """
    ratio = a_means / b_means
    heights = a[..., 3 - axis], b[..., 3 - axis]
    high, low = np.maximum(*heights), np.minimum(*heights)
    along, across = overlap(a, b, axis), overlap(a, b, 1 - axis)
    beside = -along < gap * np.minimum(high, 2.2 * low)
    over = (along > 0.4 * np.minimum(a[..., 2 + axis], b[..., 2 + axis])) & (-across < 0.45 * high)
    over &= stacked | (low < _MOST_ACCENT * high)
    alike = (ratio > 1 / _MOST_UNLIKE) & (ratio < _MOST_UNLIKE)
    return np.asarray(alike & np.where(across > 0.3 * low, beside, over))


_MOST_ACCENT = 0.45
"""How high an accent is, per height of its letter."""
_MOST_UNLIKE = 2.5
"""Ratio of the darkness of two pieces of one pen."""


def _joined_pieces(pieces: Sequence[Piece], members: Sequence[int]) -> list[Piece]:
    """Some of the pieces as one, without a line drawn under them, and without what is drawn round them; or both.

    Also without a line drawn under them that touches them, if it looks like one.
    """
    boxes = np.array([piece.box for piece in pieces])
    members = without_underlines(boxes, members)
    left, top, width, height = around(boxes[list(members)])
    ink = np.zeros((height, width), np.uint8)
    for k in members:
        x, y, wide, high = pieces[k].box
        ink[y - top : y - top + high, x - left : x - left + wide] |= pieces[k].ink
    mass = sum(pieces[k].mass for k in members)
    at_end, doubtful = (any(getattr(pieces[k], name) for k in members) for name in ("at_end", "doubtful"))
    ways = within_rings(ink)
    plain = [
        Piece(
            (left + x, top + y, wide, high),
            own[y : y + high, x : x + wide],
            mass,
            mass / float(own.sum()),
            at_end or (len(ways) > 1 and own is ink),  # a letter and its ring as one are as doubtful as what is cut off
            doubtful=doubtful,
        )
        for own, (x, y, wide, high) in ways
    ]
    return [*plain, *(_off_line(piece, found) for piece in plain for found in off_underlines(piece.ink))]


def _off_line(piece: Piece, found: Underlined) -> Piece:
    """A piece without the line under it that touches it."""
    x, y, wide, high = found.box
    line = np.pad(piece.ink & ~found.ink & 1, 1)[y : y + high + 2, x : x + wide + 2]
    box, ink = (piece.box[0] + x, piece.box[1] + y, wide, high), found.ink[y : y + high, x : x + wide]
    under = TouchingLine(line, found.foot, found.clear, piece.box)
    return replace(piece, box=box, ink=ink, mass=piece.mean * float(ink.sum()), line=under)


def _group(spots: _Spots, members: Sequence[int], one: Piece, least_alone: float) -> Group:
    """Some of the pieces, joined to one, among all others."""
    box = np.array(one.box)
    others = ~inside(spots.boxes, box)
    others[list(members)] = False
    rest = spots.some(others)
    reach = 0.5 * min(one.box[2:])
    gaps = np.minimum(overlap(box, rest.boxes, 0), overlap(box, rest.boxes, 1))
    near = float(rest.masses[gaps > -reach].sum())
    mass = one.mass * (one.mass / (one.mass + near)) ** 2 * (_AT_END if one.at_end or one.doubtful else 1.0)
    beside = rest.some(~rest.at_end)
    lonely = max(one.box[2:]) >= least_alone and _lonely(one, beside)
    all_ = spots.boxes[~spots.at_end & ~inside(spots.boxes, box)]
    turn = one.line.foot if one.line else foot(box, all_)
    after = _after(one, beside) if lonely else ()
    at_end = one.at_end or one.doubtful or (lonely and not _lonely(one, rest.some(rest.at_end)))
    return Group(one.box, one.ink, mass, lonely, at_end, turn, one.line, after)


_AT_END = 0.1
"""By so much less does ink at the page's end count."""


def _lonely(one: Piece, others: _Spots) -> bool:
    """Whether nothing by the same pen and of about the same height stands beside some ink, along either axis."""
    return not any(len(_beside(one, others, axis, 1.0)) for axis in (0, 1))


def _after(one: Piece, others: _Spots) -> tuple[int, ...]:
    """The turns in which something by the same pen and of about the same height stands before some ink."""
    found = [_beside(one, others, axis, _SAME_ROW)[:, axis] - one.box[axis] for axis in (0, 1)]
    turns = ((0, found[0] < 0), (1, found[1] < 0), (2, found[0] > 0), (3, found[1] > 0))
    return tuple(turn for turn, before in turns if before.any())


_SAME_ROW = 2.0
"""Of its height: what is nearer than this beside some writing belongs to it, as the numbers of a date."""


def _beside(one: Piece, others: _Spots, axis: int, gap: float) -> npt.NDArray[np.int64]:
    """The boxes (K, 4) of what is by the same pen and about as high, and nearer than ``gap`` heights along an axis."""
    box = np.array(one.box)
    heights = box[3 - axis] / others.boxes[:, 3 - axis]
    beside = _neighbours(box, one.mean, others.boxes, others.means, axis, gap)
    under = others.boxes[:, 3 - axis] > MOST_LETTER * others.boxes[:, 2 + axis]
    return np.asarray(others.boxes[beside & (heights > 0.5) & (heights < 2.0) & ~(under & (heights < 0.95))])


def _large_enough(box: Box, axis: int, px: int, settings: PieceSettings) -> bool:
    """Whether a box is as large as that of a line of writing along ``axis``."""
    return box[3 - axis] >= settings.least_high_cells * px and max(box[2:]) >= settings.least_large_cells * px


def _like_writing(group: Piece, axis: int, px: int, settings: PieceSettings) -> bool:
    """Whether joined pieces have the size and the shape of a line of writing along ``axis``."""
    along, across = group.box[2 + axis], group.box[3 - axis]
    long, short = max(across, along), min(across, along)
    longest, highest = settings.most_cells
    if along > longest * px or across > highest * px or not _large_enough(group.box, axis, px, settings):
        return False
    thin = short < settings.stroke_cells * px
    return long < settings.most_thin * short and bool(thin or group.ink.mean() < settings.most_full)
