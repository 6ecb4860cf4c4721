"""Pieces of ink, and which of them stand in one line.

A *piece* hangs together. Pieces stand in one line when the gaps between them are small against their height, so that
a child's big letters are joined as well as a pencil's small ones.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.mark.pictures import Box, Float32Array, U8Array, bounding_box, eroded


@dataclass(frozen=True, slots=True)
class PieceSettings:
    """Numbers of gathering ink, each with its unit."""

    least_cells: float = 0.1
    """What is smaller both ways is dirt."""
    most_cells: tuple[float, float] = (8.0, 2.6)
    """Most length and height of a line."""
    least_high_cells: float = 0.3
    least_large_cells: float = 0.45
    """Least height of a line, and of its longer side."""
    gaps: tuple[float, ...] = (0.7, 1.7)
    """Letters of one word, and words of one line, are nearer than this, per height."""
    most_thin: float = 12.0
    """What is longer and thinner than this is no writing, but an edge or a ruled line."""
    most_full: float = 0.75
    stroke_cells: float = 0.35
    """What fills its box more than this and is no thin stroke is a thing that lies there."""
    most_pieces: int = 60


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A piece of ink: its box, its own ink in it (h, w), the sum of its darkness and the mean. Heavy."""

    box: Box
    ink: U8Array
    mass: float
    mean: float


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
        Whether it is no part of a word: nothing by the same pen and of its height stands beside it.
    """

    box: Box
    ink: U8Array
    mass: float
    lonely: bool

    def same(self, other: Group) -> bool:
        """Whether two groups are nearly one."""
        wide, high = _overlap(self.box, other.box, 0), _overlap(self.box, other.box, 1)
        if wide <= 0 or high <= 0:
            return False
        return wide * high > 0.85 * max(self.box[2] * self.box[3], other.box[2] * other.box[3])


def find_pieces(ink: U8Array, darkness: Float32Array, px: int, settings: PieceSettings) -> tuple[Piece, ...]:
    """The pieces of ink, without dirt and without circles drawn round others; the darkest first."""
    _, found, stats, _ = cv2.connectedComponentsWithStats(ink)
    labels = np.asarray(found, np.int32)
    sizes = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT])
    masses = np.bincount(labels.ravel(), (darkness * (ink > 0)).ravel(), minlength=len(stats))
    masses[(sizes < settings.least_cells * px) | (np.arange(len(stats)) == 0)] = 0
    order = np.argsort(-masses, kind="stable")[: settings.most_pieces]
    pieces = [_piece(labels, int(label), stats[label], float(masses[label])) for label in order if masses[label] > 0]
    return tuple(piece for piece in pieces if not _is_ring(piece, pieces))


def _piece(labels: npt.NDArray[np.int32], label: int, stats: npt.NDArray[np.int32], mass: float) -> Piece:
    """One piece."""
    left, top, width, height = (int(value) for value in stats[:4])
    ink = (labels[top : top + height, left : left + width] == label).astype(np.uint8)
    return Piece((left, top, width, height), ink, mass, mass / int(stats[cv2.CC_STAT_AREA]))


def _is_ring(piece: Piece, pieces: Sequence[Piece]) -> bool:
    """Whether a piece is thin and goes round another that is not much smaller."""
    size = max(piece.box[2:])
    round_ = (other.box for other in pieces if _inside(other.box, piece.box))
    return piece.ink.mean() < 0.4 and any(max(box[2:]) > 0.35 * size for box in round_)


def _inside(small: Box, large: Box) -> bool:
    """Whether one box lies within another."""
    return all(large[k] < small[k] and small[k] + small[2 + k] < large[k] + large[2 + k] for k in (0, 1))


def gather(pieces: Sequence[Piece], upright: bool, px: int, settings: PieceSettings) -> list[Group]:
    """Lines of pieces along the rows, or ``upright`` along the columns; the darkest first."""
    axis = 1 if upright else 0
    longest, highest = (size * px for size in settings.most_cells)
    likely = [k for k, piece in enumerate(pieces) if piece.box[2 + axis] < longest and piece.box[3 - axis] < highest]
    found = dict.fromkeys(group for gap in settings.gaps for group in _joined(pieces, likely, axis, gap))
    joined = [(group, _as_one(pieces, group)) for group in dict.fromkeys((*found, *((k,) for k in likely)))]
    fitting = [_group(pieces, group, one) for group, one in joined if _like_writing(one, axis, px, settings)]
    return sorted(fitting, key=lambda group: -group.mass)


def _joined(pieces: Sequence[Piece], members: Sequence[int], axis: int, gap: float) -> list[tuple[int, ...]]:
    """Indices of pieces, of those in ``members``, that hang together when gaps up to ``gap`` heights are bridged."""
    parents = list(range(len(pieces)))

    def root(k: int) -> int:
        while parents[k] != k:
            k = parents[k]
        return k

    for a, b in itertools.combinations(members, 2):
        if _neighbours(pieces[a], pieces[b], axis, gap):
            parents[root(a)] = root(b)
    groups: dict[int, list[int]] = {}
    for k in members:
        groups.setdefault(root(k), []).append(k)
    return [tuple(group) for group in groups.values()]


def _neighbours(one: Piece, two: Piece, axis: int, gap: float) -> bool:
    """Whether two pieces of one pen stand beside each other along ``axis``, or one as an accent over the other."""
    if not 1 / _MOST_UNLIKE < one.mean / two.mean < _MOST_UNLIKE:
        return False
    a, b = one.box, two.box
    high = max(a[3 - axis], b[3 - axis])
    low = min(a[3 - axis], b[3 - axis])
    along, across = _overlap(a, b, axis), _overlap(a, b, 1 - axis)
    if across > 0.3 * low:
        return -along < gap * min(high, 2.2 * low)
    return along > 0.4 * min(a[2 + axis], b[2 + axis]) and -across < 0.45 * high


_MOST_UNLIKE = 2.5
"""Ratio of the darkness of two pieces of one pen."""


def _overlap(a: Box, b: Box, axis: int) -> int:
    """How far two boxes overlap along an axis; less than 0 where there is a gap."""
    return min(a[axis] + a[2 + axis], b[axis] + b[2 + axis]) - max(a[axis], b[axis])


def _as_one(pieces: Sequence[Piece], members: Sequence[int]) -> Piece:
    """Some of the pieces as one, without a circle drawn round them."""
    boxes = np.array([pieces[k].box for k in members])
    left, top = boxes[:, :2].min(0)
    width, height = (boxes[:, :2] + boxes[:, 2:]).max(0) - (left, top)
    ink = np.zeros((height, width), np.uint8)
    for k in members:
        x, y, wide, high = pieces[k].box
        ink[y - top : y - top + high, x - left : x - left + wide] |= pieces[k].ink
    inside, (x, y, wide, high) = _without_ring(ink)
    own = inside[y : y + high, x : x + wide]
    mass = sum(pieces[k].mass for k in members)
    return Piece((int(left) + x, int(top) + y, wide, high), own, mass, mass / float(own.sum()))


def _group(pieces: Sequence[Piece], members: Sequence[int], one: Piece) -> Group:
    """Some of the pieces, joined to one, among all others."""
    others = [piece for k, piece in enumerate(pieces) if k not in members and not _inside(one.box, piece.box)]
    near = sum(other.mass for other in others if _near(one.box, other.box, 0.5 * min(one.box[2:])))
    return Group(one.box, one.ink, one.mass * (one.mass / (one.mass + near)) ** 2, _lonely(one, others))


def _lonely(one: Piece, others: Sequence[Piece]) -> bool:
    """Whether nothing by the same pen and of about the same height stands beside some ink, along either axis."""
    return not any(
        _neighbours(one, other, axis, 1.0) and 0.5 < one.box[3 - axis] / other.box[3 - axis] < 2.0
        for other in others
        for axis in (0, 1)
    )


def _near(one: Box, other: Box, reach: float) -> bool:
    """Whether the gaps between two boxes are smaller than this along both axes."""
    return min(_overlap(one, other, 0), _overlap(one, other, 1)) > -reach


def _without_ring(ink: U8Array) -> tuple[U8Array, Box]:
    """Ink without the circle drawn round it, if what lies inside is more than a stroke of an O; and its box."""
    whole = bounding_box(ink)
    outlines, _ = cv2.findContours(np.pad(ink, 1), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=cv2.contourArea)
    hull, size = cv2.contourArea(cv2.convexHull(outline)), whole[2] * whole[3]
    round_ = 0.7 < hull / size < 0.86 and cv2.contourArea(outline) > 0.93 * hull
    if not round_ or max(whole[2:]) > 2.2 * min(whole[2:]):
        return ink, whole
    filled = np.zeros(np.add(ink.shape, 2), np.uint8)
    cv2.drawContours(filled, [outline], -1, 1, -1)
    inside = ink & eroded(filled, 0.3 * min(whole[2:]))[1:-1, 1:-1]
    box = bounding_box(inside)
    shares = box[2] / whole[2], box[3] / whole[3]
    return (inside, box) if min(shares) > 0.2 and max(shares) > 0.4 else (ink, whole)


def _like_writing(group: Piece, axis: int, px: int, settings: PieceSettings) -> bool:
    """Whether joined pieces have the size and the shape of a line of writing along ``axis``."""
    along, across = group.box[2 + axis], group.box[3 - axis]
    long, short = max(across, along), min(across, along)
    longest, highest = settings.most_cells
    if along > longest * px or across > highest * px or across < settings.least_high_cells * px:
        return False
    if long < settings.least_large_cells * px:
        return False
    thin = short < settings.stroke_cells * px
    return long < settings.most_thin * short and bool(thin or group.ink.mean() < settings.most_full)
