"""Where a grid may begin: single cells between four straight pieces of line, judged by the lattice around them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.ruled.evidence import Evidence, FloatPicture
from poradek_vision.geometry import FloatArray

_MOST_SEGMENTS = 160
"""As many of those with most ink as of those that stand out most from the ground beside them, often the same: lines on
paper may be fainter than gravel, and lines between stickers that bear codes have no calm beside them."""
_SHORTEST_PX = 10.0
_ONE_WAY = np.array([0.34, 0.94])
"""LSD's segments have the dark side on one hand, so that a line's two edges run opposite ways: one of them is enough.
The limit lies at a slant, where lines of upright pictures don't."""
_CELL_PX = (13.0, 420.0)
"""Side of a cell, work px: 20 cells across a thumbnail, 2 across the whole picture."""
_MATES = 6
"""Next parallel pieces of line that may be a cell's other side."""
_PARALLEL, _ACROSS = 0.93, 0.77
"""Cosine above which two pieces are parallel, below which they cross: perspective turns lines by 20° at most."""
_MOST_CELLS = 700
"""Cells whose surroundings are looked at."""
_MOST_ROWS = 32000
"""cv2.remap takes fewer than 32768 rows at once."""
_MOST_SEEDS = 700
_LEAST_SCORE = 7.5
"""Of 24 pieces of line around a cell: on rendered photos boards show 8.6 and more, leaves, gravel and cloth up to 7."""
_ALIKE, _NEAR = 0.2, 3.5
"""Difference up to which two seeds' cells are alike, and distance up to which that means one lattice, cells."""
_ALONG = np.array([0.2, 0.4, 0.6, 0.8])


@dataclass(frozen=True, slots=True, eq=False)
class Seed:
    """A cell that may be a grid's: a corner and its two sides, each (2,), work px."""

    origin: FloatArray
    along: FloatArray
    down: FloatArray

    @property
    def middle(self) -> FloatArray:
        """The cell's centre, (2,)."""
        return self.origin + (self.along + self.down) / 2

    def like(self, other: Seed) -> bool:
        """Whether both say the same: cells of one size, a whole number of cells away from each other."""
        cells_from_px = np.linalg.inv(np.stack([other.along, other.down], 1))
        sides = np.abs(cells_from_px @ np.stack([self.along, self.down], 1))
        step = cells_from_px @ (self.origin - other.origin)
        return bool(
            np.abs(np.sort(sides.ravel()) - [0, 0, 1, 1]).max() < _ALIKE
            and np.abs(step).max() < _NEAR
            and np.abs(step - np.round(step)).max() < _ALIKE
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Segments:
    """Straight pieces of line: middle (N, 2), unit direction (N, 2), half length (N,), mean ink (N,)."""

    middle: FloatArray
    way: FloatArray
    half: FloatArray
    ink: FloatArray


def find_seeds(evidence: Evidence) -> list[Seed]:
    """The most promising cells of a photo, the best first.

    1. ``segments``: straight pieces of line (LSD on the ink at half size).
    2. ``pairs``: parallel ones beside each other; ``quads``: two neighbours among those that cross a pair.
    3. Each quad's sides make an affine lattice of 3×3 cells, scored by the ink on its lines and between them.

    References
    ----------
    Grompone von Gioi et al., LSD: a fast line segment detector with a false detection control, PAMI 32 (2010).
    """
    origin, along, down = _cells(_segments(evidence))
    if not len(origin):
        return []
    pooled = pool(np.minimum(evidence.ink, 0.25))
    own = np.argsort(-_own_sides(pooled, origin, along, down), kind="stable")
    own = own[_first_of_each(origin[own] + (along + down)[own] / 2, along[own], down[own])[:_MOST_CELLS]]
    origin, along, down = origin[own], along[own], down[own]
    score = _scores(pooled, origin, along, down)
    best = np.argsort(-score, kind="stable")[:_MOST_SEEDS]
    return [Seed(origin[k], along[k], down[k]) for k in best if score[k] > _LEAST_SCORE]


def _first_of_each(middle: FloatArray, along: FloatArray, down: FloatArray) -> npt.NDArray[np.intp]:
    """The first few of the cells (N, 2) that say about the same, in their order: a clear board has each many times."""
    size = np.log2(np.maximum(np.hypot(*along.T), np.hypot(*down.T)))
    place = np.column_stack([middle / _PLACE_PX, size / _PLACE_SIZE]).astype(np.int64) @ [1 << 32, 1 << 16, 1]
    order = np.argsort(place, kind="stable")
    first = np.searchsorted(place[order], place[order])
    kept: npt.NDArray[np.intp] = np.sort(order[np.arange(len(order)) - first < _OF_EACH])
    return kept


_PLACE_PX, _PLACE_SIZE = 8.0, 0.5
"""Cells whose middles and sizes (powers of two) differ by less say the same."""
_OF_EACH = 3
"""So many of these are kept: which is best is not known yet."""


def _segments(evidence: Evidence) -> _Segments:
    """Straight pieces of line, of two edges only one: those with most ink, and those clearest of the ground."""
    ink = np.minimum(evidence.ink * 600, 255).astype(np.uint8)
    half = cv2.resize(ink, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_NONE).detect(half)[0]
    ends = np.zeros((0, 4)) if found is None else np.asarray(found, np.float64).reshape(-1, 4) * 2 + 0.5
    run = ends[:, 2:] - ends[:, :2]
    length = np.hypot(run[:, 0], run[:, 1])
    keep = (length > _SHORTEST_PX) & (run @ _ONE_WAY > 0)
    ends, run, length = ends[keep], run[keep], length[keep]
    middle, way = (ends[:, :2] + ends[:, 2:]) / 2, run / length[:, None]
    pooled = pool(np.minimum(evidence.ink, 0.3))
    steps = np.linspace(-0.8, 0.8, 5)
    strength = sample(pooled, middle[:, None] + steps[:, None] * (way * length[:, None] / 2)[:, None]).mean(1)
    clear = strength / (_beside(_roughness(evidence), middle, way, steps[:, None] * length / 2) + _SMOOTH)
    best = _strongest(np.minimum(length, 150) * strength, np.minimum(length, 150) * clear)
    return _Segments(middle[best], way[best], length[best] / 2, strength[best])


def _strongest(*strengths: FloatArray) -> npt.NDArray[np.intp]:
    """The places of the highest values of each of some rankings (N,), each once, the first ranking's first."""
    orders = [np.argsort(-strength, kind="stable")[:_MOST_SEGMENTS] for strength in strengths]
    places, first = np.unique(np.concatenate(orders), return_index=True)
    strongest: npt.NDArray[np.intp] = places[np.argsort(first)]
    return strongest


_SMOOTH = 0.02
"""Roughness that paper may have, too, for its fibres, its print and the camera's noise."""
_BESIDE_PX = 10.0
"""Where beside a line the ground is looked at, work px: paper goes on there, and so do gravel, grass and needles."""
_GREEN, _DARK = 1, 8.0
"""The channel that is looked at, and what is added to levels before dividing: noise in the dark is not rough."""


def _roughness(evidence: Evidence) -> FloatPicture:
    """Mean difference of pixels from those around them, as a share of their level, at half the work size."""
    level = cv2.extractChannel(evidence.levels, _GREEN)
    half = cv2.resize(level, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.float32)
    around = cv2.blur(half, (3, 3))
    return np.asarray(cv2.blur(cv2.absdiff(half, around) / (around + np.float32(_DARK)), (5, 5)), np.float32)


def _beside(rough: FloatPicture, middle: FloatArray, way: FloatArray, along: FloatArray) -> FloatArray:
    """Roughness of the ground on the rougher side of each piece of line (N,), at places along it (S, N), work px."""
    aside = _BESIDE_PX * np.stack([-way[:, 1], way[:, 0]], 1)
    on = middle + along[..., None] * way
    sides = [np.median(sample(rough, (on + sign * aside - 0.5) / 2), axis=0) for sign in (-1, 1)]
    rougher: FloatArray = np.maximum(*sides)
    return rougher


def pool(picture: FloatPicture) -> FloatPicture:
    """The largest value within two pixels."""
    return np.asarray(cv2.dilate(picture, np.ones((5, 5), np.uint8)), np.float32)


def sample(picture: FloatPicture, points: FloatArray | FloatPicture) -> FloatPicture:
    """Values of a picture at points (..., 2), bilinear; 0 outside."""
    x, y = np.moveaxis(points, -1, 0).astype(np.float32)
    return sample_at(picture, x, y)


def sample_at(picture: FloatPicture, x: FloatPicture, y: FloatPicture) -> FloatPicture:
    """Values of a picture at points whose coordinates (..., K) lie apart: long rows are sampled, and made, faster."""
    if not x.size:
        return np.zeros(x.shape, np.float32)
    across, down = x.reshape(-1, x.shape[-1]), y.reshape(-1, x.shape[-1])
    parts = [
        cv2.remap(picture, across[k : k + _MOST_ROWS], down[k : k + _MOST_ROWS], cv2.INTER_LINEAR)
        for k in range(0, len(across), _MOST_ROWS)
    ]
    return np.asarray(np.concatenate(parts).reshape(x.shape), np.float32)


def _cells(segments: _Segments) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Origin and both sides of every cell that four pieces of line enclose, each (N, 2)."""
    empty = np.zeros((0, 2))
    if len(segments.half) < 4:
        return empty, empty, empty
    first, second, distance = _pairs(segments)
    if not len(first):
        return empty, empty, empty
    cosine = np.abs(segments.way @ segments.way.T)
    place = _crossing_places(segments, first, second, distance)
    place[(cosine[first] > _ACROSS) | (cosine[second] > _ACROSS)] = np.inf
    order = np.argsort(place, axis=1)
    sorted_place = np.take_along_axis(place, order, 1)
    quads = []
    for step in (1, 2, 3):
        with np.errstate(invalid="ignore"):
            gap = sorted_place[:, step:] - sorted_place[:, :-step]
        pair, at = np.nonzero((gap > 0.45 * distance[:, None]) & (gap < 2.2 * distance[:, None]))
        quads.append(np.stack([first[pair], second[pair], order[pair, at], order[pair, at + step]], 1))
    quad = np.concatenate(quads)
    return _corners(segments, quad)


def _pairs(segments: _Segments) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], FloatArray]:
    """Parallel pieces beside each other: both indices and their distance, the nearest few of each."""
    way, middle = segments.way, segments.middle
    normal = np.stack([-way[:, 1], way[:, 0]], 1)
    offset = middle[None] - middle[:, None]
    across = np.einsum("ijk,ik->ij", offset, normal)
    along = np.abs(np.einsum("ijk,ik->ij", offset, way))
    reach = segments.half[:, None] + segments.half[None]
    ratio = segments.ink[None] / np.maximum(segments.ink[:, None], 1e-6)
    good = (np.abs(way @ way.T) > _PARALLEL) & (across > _CELL_PX[0]) & (across < _CELL_PX[1])
    good &= (along < reach + 0.3 * across) & (ratio > 1 / 3) & (ratio < 3)
    ranked = np.where(good, across, np.inf)
    nearest = np.argsort(ranked, axis=1)[:, :_MATES]
    first = np.repeat(np.arange(len(way)), nearest.shape[1])
    second = nearest.ravel()
    distance = ranked[first, second]
    real = np.isfinite(distance)
    return first[real], second[real], distance[real]


def _crossing_places(
    segments: _Segments, first: npt.NDArray[np.intp], second: npt.NDArray[np.intp], distance: FloatArray
) -> FloatArray:
    """Where along each pair's middle line every piece crosses it, (P, K) px; infinite where it doesn't."""
    way = segments.way[first]
    centre = (segments.middle[first] + segments.middle[second]) / 2
    offset = segments.middle[None] - centre[:, None]
    turn = way[:, None, 0] * segments.way[None, :, 1] - way[:, None, 1] * segments.way[None, :, 0]
    turn = np.where(np.abs(turn) < 0.3, np.inf, turn)
    place = (offset[..., 0] * segments.way[None, :, 1] - offset[..., 1] * segments.way[None, :, 0]) / turn
    along_it = (offset[..., 0] * way[:, None, 1] - offset[..., 1] * way[:, None, 0]) / turn
    far = np.abs(along_it) > segments.half[None] + 0.6 * distance[:, None]
    reach = (segments.half[first] + segments.half[second])[:, None] + 1.2 * distance[:, None]
    return np.where(far | (np.abs(place) > reach) | np.isinf(turn), np.inf, place)


def _corners(segments: _Segments, quad: npt.NDArray[np.intp]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Origin and sides of the parallelogram nearest to four pieces (first, second, one across, next across)."""
    first, second, left, right = quad.T
    corners = np.stack(
        [_meet(segments, a, b) for a, b in ((first, left), (first, right), (second, right), (second, left))], 1
    )
    along = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    down = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
    origin = corners.mean(1) - (along + down) / 2
    sides = np.stack([np.hypot(*along.T), np.hypot(*down.T)])
    good = np.isfinite(corners).all((1, 2)) & (sides.min(0) > _CELL_PX[0] * 0.7) & (sides.max(0) < _CELL_PX[1])
    return origin[good], along[good], down[good]


def _meet(segments: _Segments, a: npt.NDArray[np.intp], b: npt.NDArray[np.intp]) -> FloatArray:
    """Where the lines through two pieces meet, (N, 2)."""
    offset = segments.middle[b] - segments.middle[a]
    turn = segments.way[a, 0] * segments.way[b, 1] - segments.way[a, 1] * segments.way[b, 0]
    t = (offset[:, 0] * segments.way[b, 1] - offset[:, 1] * segments.way[b, 0]) / turn
    met: FloatArray = segments.middle[a] + t[:, None] * segments.way[a]
    return met


def _own_sides(pooled: FloatPicture, origin: FloatArray, along: FloatArray, down: FloatArray) -> FloatArray:
    """Ink on the fainter sides of each cell."""
    ends = np.array([[[0, 0], [1, 0]], [[0, 1], [1, 1]], [[0, 0], [0, 1]], [[1, 0], [1, 1]]], np.float64)
    points = ends[:, :1] + _ALONG[:, None] * (ends[:, 1:] - ends[:, :1])
    sides: FloatArray = np.sort(_mean_ink(pooled, points, origin, along, down), axis=1)[:, :3].sum(1)
    return sides


def _mean_ink(
    pooled: FloatPicture, points: FloatArray, origin: FloatArray, along: FloatArray, down: FloatArray
) -> FloatArray:
    """Mean ink of pieces of line, whose points (P, S, 2) are in cells, in the lattice of each cell (N,): (N, P)."""
    u, v = points.reshape(-1, 2).T.astype(np.float32)
    x, y = (
        first[:, None] + right[:, None] * u + below[:, None] * v
        for first, right, below in np.stack([origin, along, down], 1).astype(np.float32).transpose(2, 1, 0)
    )
    ink: FloatArray = sample_at(pooled, x, y).reshape(len(origin), *points.shape[:2]).mean(2)
    return ink


def _scores(pooled: FloatPicture, origin: FloatArray, along: FloatArray, down: FloatArray) -> FloatArray:
    """Pieces of line seen in the 3×3 cells around each cell, less those seen between, where the first are enough."""

    def visible(ink: FloatArray, strength: FloatArray) -> FloatArray:
        clear: FloatArray = np.clip((ink / strength - 0.35) / 0.35, 0, 1).sum(1)
        return clear

    on = _mean_ink(pooled, _pieces(np.arange(-1.0, 3)), origin, along, down)
    strength = np.maximum(np.sort(on, axis=1)[:, -8:].mean(1), 0.03)[:, None]
    score = visible(on, strength)
    good = np.flatnonzero(score > _LEAST_SCORE)
    origin, along, down, strength = origin[good], along[good], down[good], strength[good]
    for part in (0.3, 0.5, 0.7):
        between = _mean_ink(pooled, _pieces(np.arange(-1.0, 2) + part), origin, along, down)
        score[good] -= visible(between, strength) / 2
    return score


def _pieces(lines: FloatArray) -> FloatArray:
    """Points (pieces, samples, 2) on the sides of 3×3 cells, at given line coordinates both ways."""
    cells = np.arange(-1.0, 2)
    at, cell, t = (a.ravel() for a in np.meshgrid(lines, cells, _ALONG, indexing="ij"))
    points = np.stack([at, cell + t], -1).reshape(-1, len(_ALONG), 2)
    return np.concatenate([points, points[..., ::-1]])
