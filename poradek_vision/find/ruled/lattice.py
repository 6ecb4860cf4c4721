"""A lattice of lines as a smooth map from cells to the picture, and how a seed grows into one.

Frame: *index* coordinates (u, v) in cells, the seed's corner at (0, 0); lines lie at whole numbers.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poradek_vision.find.ruled.evidence import Evidence, FloatPicture
from poradek_vision.find.ruled.seeds import Seed, sample_at
from poradek_vision.geometry import FloatArray, fit_homography, project

Place = Callable[[FloatArray], FloatArray]
"""Maps index coordinates (..., 2) to work px (..., 2)."""
Window = tuple[int, int, int, int]
"""First and last line along u, first and last along v."""

_T = np.array([0.14, 0.28, 0.42, 0.58, 0.72, 0.86])
_STRONGEST = 0.35
"""Ink beyond this is black enough."""
_DEGREE, _DEGREE_OF_FEW, _MANY_CELLS = 5, 3, 7
"""Of the polynomial; across up to seven cells curl is a cubic, and more would follow what is no line."""
_POWERS = np.array([(i, j) for total in range(_DEGREE + 1) for i in range(total + 1) for j in [total - i]])
_FREE = np.array([1e3, 1.0, 0.07, 0.008, 0.0008, 0.00008])
"""How large a coefficient of each degree may be, in cells: perspective and curl of paper, per cell."""
_NOISE = 0.04
"""Scatter of hand-drawn lines, cells."""
_SUPPORT = 0.3
"""Share of a strip's pieces seen (or of its cells with stickers) from which the lattice goes on."""
_ALIKE = 0.25
"""Difference up to which a cell's sides are those of a lattice's, cells."""
_TANGENT = 0.3
"""Beyond its window a lattice goes on as straight as over its last so many cells: its polynomial would run off."""
_BESIDE = 0.25
"""How far to both sides a line is darker than what is beside it, cells: ruled paper across it is dark everywhere."""
_BESIDE_SHARE = 0.3
"""What this share of the places beside a line is lighter than counts as no ink."""
_HIDDEN = 0.15
"""Weight against a line that is not seen where stickers hide it: whole lines are seldom hidden."""
_OUTSIDE = -0.5
"""The same where it lies outside the photo."""


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """A polynomial map from index coordinates to work px, which goes on straight beyond its window.

    Attributes
    ----------
    coefficients : ndarray of shape (2, 6, 6)
        Those of u^i v^j at [:, i, j], for x and y, counted from ``centre``; 0 where i + j > 5.
    centre : ndarray of shape (2,)
        Index coordinates.
    window : Window
        The lines that the map rests on.
    """

    coefficients: FloatArray
    centre: FloatArray
    window: Window

    def __call__(self, points: FloatArray) -> FloatArray:
        """Work px (..., 2) of index coordinates (..., 2)."""
        u0, u1, v0, v1 = self.window
        flat = np.ascontiguousarray(points.reshape(-1, 2).T)
        first, last = np.array([[u0], [v0]], np.float64), np.array([[u1], [v1]], np.float64)
        inner = np.minimum(np.maximum(flat, first), last)
        placed = self._polynomial(inner)
        moved = flat != inner
        out = np.flatnonzero(moved[0] | moved[1])
        if len(out):
            edge, beyond, at = inner[:, out], (flat - inner)[:, out], placed[:, out]
            back = np.where(edge > (first + last) / 2, -_TANGENT, _TANGENT)
            beside = np.concatenate([edge + back * [[1], [0]], edge + back * [[0], [1]]], 1)
            inward = self._polynomial(beside).reshape(2, 2, -1)
            placed[:, out] += ((inward - at[:, None]) / back * beyond).sum(1)
        return placed.T.reshape(points.shape)

    def over(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Work px of all index coordinates (u, v) of a grid, x and y apart: (2, U, V), in a tenth of the time."""
        u0, u1, v0, v1 = self.window
        (by_u, beyond_u), (by_v, beyond_v) = self._basis(u, u0, u1, 0), self._basis(v, v0, v1, 1)
        placed: FloatArray = by_u @ self.coefficients @ by_v.T
        if beyond_u.any() and beyond_v.any():  # at a corner it goes on straight along both axes, not bent by both
            placed -= beyond_u @ self.coefficients @ beyond_v.T
        return placed

    def _basis(self, t: FloatArray, first: float, last: float, axis: int) -> tuple[FloatArray, FloatArray]:
        """Powers (N, 6) of coordinates along one axis, straight beyond the window; and what of them lies beyond."""
        inner = np.minimum(np.maximum(t, first), last)
        out = np.flatnonzero(t != inner)
        back = np.where(inner[out] > (first + last) / 2, -_TANGENT, _TANGENT)
        powers = _powers(np.concatenate([inner, inner[out] + back]) - self.centre[axis], _DEGREE + 1).T
        powers, inward = powers[: len(t)], powers[len(t) :]
        beyond = np.zeros_like(powers)
        beyond[out] = (inward - powers[out]) * ((t - inner)[out] / back)[:, None]
        return powers + beyond, beyond

    def _polynomial(self, points: FloatArray) -> FloatArray:
        """Work px (2, N) of index coordinates (2, N) in the window."""
        least = 1 + (_DEGREE if self.coefficients[:, _DEGREE_OF_FEW + 1 :].any() else _DEGREE_OF_FEW)
        u, v = _powers(points - self.centre[:, None], least).swapaxes(0, 1)
        placed: FloatArray = np.einsum("in,kin->kn", u, self.coefficients[:, :least, :least] @ v)
        return placed

    def have_cell(self, seeds: Sequence[Seed]) -> npt.NDArray[np.bool_]:
        """Which seeds (N) have cells of this lattice's size and slant and lie among them."""
        u0, u1, v0, v1 = self.window
        board = np.array([[u0, v0], [u1, v0], [u1, v1], [u0, v1]], np.float64)
        index_from_work = fit_homography(self(board), board)
        corners = np.array([[seed.middle, seed.middle + seed.along, seed.middle + seed.down] for seed in seeds])
        middle, beside, below = project(index_from_work, corners.reshape(-1, 2)).reshape(-1, 3, 2).swapaxes(0, 1)
        sides = np.sort(np.abs(np.concatenate([beside - middle, below - middle], 1)), axis=1)
        among = np.all((middle > [u0, v0]) & (middle < [u1, v1]), axis=1)
        return np.asarray(among & (np.abs(sides - [0, 0, 1, 1]).max(1) < _ALIKE), np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """What was seen along the pieces of line of a window; a piece lies between two crossings.

    Attributes
    ----------
    axis, line, cell : ndarray of shape (P,), int
        0 for pieces of lines u = line in cell v = cell, 1 the other way round.
    index : ndarray of shape (P, S, 2)
        The samples' index coordinates.
    points, normal : ndarray of shape (P, S, 2)
        Where they should lie and the direction across the line, work px.
    shift : ndarray of shape (P, S)
        How far along ``normal`` the line was seen.
    cell_px : ndarray of shape (P, S)
        Side of a cell along ``normal``.
    ink : ndarray of shape (P, S)
        How dark it is there.
    strength : ndarray of shape (P,)
        Mean ink along the piece, where no sticker hides it.
    hidden : ndarray of shape (P,)
        Share of the piece under stickers.
    inside : ndarray of shape (P,), bool
        Whether the piece lies in the photo.
    """

    axis: npt.NDArray[np.intp]
    line: npt.NDArray[np.intp]
    cell: npt.NDArray[np.intp]
    index: FloatArray
    points: FloatArray
    normal: FloatArray
    shift: FloatArray
    cell_px: FloatArray
    ink: FloatArray
    strength: FloatArray
    hidden: FloatArray
    inside: npt.NDArray[np.bool_]


def look(evidence: Evidence, place: Place, window: Window, reach: float, offset: float = 0.0) -> Looks:
    """Look for every piece of line of a window.

    Parameters
    ----------
    evidence : Evidence
    place : Place
    window : Window
    reach : float
        How far from its place a line is looked for, cells.
    offset : float
        Added to the lines' coordinates: 0.5 looks half way between lines.
    """
    axis, line, cell, index = _pieces(window, offset)
    points, normal, width = _across(place, window, offset)
    span = max(reach, _BESIDE)
    half = int(np.clip(round(float(np.median(width)) * span), 4, 60))
    t = np.linspace(-span, span, 2 * half + 1, dtype=np.float32)
    profiles = _profiles(evidence, points, width * normal, t)
    open_paper = 1 - sample_at(evidence.colour, *points.astype(np.float32))
    pooled = np.maximum(profiles, np.maximum(np.roll(profiles, 1, -1), np.roll(profiles, -1, -1)))
    mean = np.matmul(open_paper[:, None], pooled)[:, 0] / np.maximum(open_paper.sum(1), 1)[:, None]
    best = np.where(np.abs(t) <= reach, mean * (1 - 0.4 * (t / reach) ** 2), -1).argmax(-1)
    beside = int(_BESIDE_SHARE * len(t))
    strength = mean[np.arange(len(mean)), best] - np.partition(mean, beside, axis=1)[:, beside]
    near = profiles * (np.abs(np.arange(2 * half + 1) - best[:, None, None]) <= 4)
    at = near @ t / np.maximum(near.sum(-1), 1e-9)
    ends = np.array(evidence.size) - 1
    middle = points.mean(2).T
    return Looks(
        axis, line, cell, index, np.moveaxis(points, 0, -1), np.moveaxis(normal, 0, -1), at * width, width,
        near.max(-1), strength, 1 - open_paper.mean(1), np.all((middle >= 0) & (middle <= ends), axis=1),
    )  # fmt: skip


def _profiles(evidence: Evidence, points: FloatArray, cell: FloatArray, t: FloatPicture) -> FloatPicture:
    """Ink (P, S, K) across lines, from points (2, P, S) on them at steps (K,) of a cell (2, P, S)."""
    (x, y), (along_x, along_y) = (a[..., None].astype(np.float32) for a in (points, cell))
    profiles = sample_at(evidence.ink, x + t * along_x, y + t * along_y)
    return np.minimum(profiles, _STRONGEST, out=profiles)


def _across(place: Place, window: Window, offset: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Samples' places and the directions across their lines, both (2, P, S), and the side of a cell that way (P, S)."""
    u0, u1, v0, v1 = window
    upright = _lines(place, np.arange(u0, u1 + 1, dtype=np.float64) + offset, np.arange(v0, v1), lying=False)
    lying = _lines(place, np.arange(v0, v1 + 1, dtype=np.float64) + offset, np.arange(u0, u1), lying=True)
    points, beyond, further = (np.concatenate(each, axis=1) for each in zip(upright, lying, strict=True))
    side, tangent = (beyond - points) / _STEP, (further - points) / _STEP
    normal = np.stack([-tangent[1], tangent[0]])
    normal /= np.maximum(np.hypot(*normal), 1e-9)
    width = np.sum(side * normal, 0)
    return points, normal * np.sign(width), np.abs(width)


def _lines(place: Place, lines: FloatArray, cells: npt.NDArray[np.intp], lying: bool) -> tuple[FloatArray, ...]:
    """Samples of pieces of lines in cells, a step beside them, and a step on along the line, each (2, P, S) work px."""
    along = (cells[:, None] + _T).ravel()
    across, along = np.concatenate([lines, lines + _STEP]), np.concatenate([along, along + _STEP])
    grid = _over(place, along, across).swapaxes(1, 2) if lying else _over(place, across, along)
    on, beside = slice(None, len(lines)), slice(len(lines), None)
    here, further = slice(None, len(along) // 2), slice(len(along) // 2, None)
    return tuple(grid[:, a, b].reshape(2, -1, len(_T)) for a, b in ((on, here), (beside, here), (on, further)))


_STEP = 0.02
"""How far on a line's direction is looked at, cells."""


def _over(place: Place, u: FloatArray, v: FloatArray) -> FloatArray:
    """Work px (2, U, V) of all index coordinates (u, v) of a grid."""
    if isinstance(place, Lattice):
        return place.over(u, v)
    return np.moveaxis(place(np.stack(np.meshgrid(u, v, indexing="ij"), -1)), -1, 0)


def grow(evidence: Evidence, seed: Seed, most: int) -> Lattice:
    """Grow a lattice from one cell, ring by ring.

    1. Look at all pieces of the window and a cell beyond, fit the map anew.
    2. A side moves on by one where the strip beyond shows its lines, or stickers.
    3. Until no side moves, or the lattice is ``most`` cells wide both ways: then the lines are no board's.
    """
    lattice = seed_lattice(seed)
    still = 0
    for _ in range(3 * most):
        window = lattice.window
        wide = (window[0] - 1, window[1] + 1, window[2] - 1, window[3] + 1)
        seen = look(evidence, lattice, wide, 0.18 if still else 0.22)
        lattice = fit(seen, lattice)
        moved = _moved(evidence, seen, lattice, wide)
        still = still + 1 if moved == window else 0
        if still == 2 or (moved[1] - moved[0] > most and moved[3] - moved[2] > most):
            break
        lattice = Lattice(lattice.coefficients, lattice.centre, moved)
    return lattice


def seed_lattice(seed: Seed) -> Lattice:
    """The affine lattice of one cell."""
    coefficients = np.zeros((2, _DEGREE + 1, _DEGREE + 1))
    coefficients[:, 0, 0], coefficients[:, 1, 0], coefficients[:, 0, 1] = seed.middle, seed.along, seed.down
    return Lattice(coefficients, np.array([0.5, 0.5]), (0, 1, 0, 1))


def fit(seen: Looks, lattice: Lattice) -> Lattice:
    """The map fitted to what was seen, robustly; coefficients of higher degree cost."""
    terms = _terms(lattice.window)
    basis = _monomials(seen.index.reshape(-1, 2) - lattice.centre, terms)
    normal, shift = seen.normal.reshape(-1, 2), seen.shift.ravel()
    strength = seen.strength
    scale = max(level(strength, 0.75), 0.02)
    trust = np.clip(seen.ink / scale - 0.25, 0, 1) * np.clip(strength / scale - 0.25, 0, 1)[:, None]
    want = np.sum(normal * seen.points.reshape(-1, 2), 1) + shift
    told = np.flatnonzero(trust)  # the others say nothing
    basis, normal, want = basis[told], normal[told], want[told]
    system = np.concatenate([basis * normal[:, :1], basis * normal[:, 1:]], 1)
    unit = _cell_px(lattice)
    degree, before = np.tile(_POWERS[:terms].sum(1), 2), _first(lattice, terms).ravel()
    spread = _FREE[degree] * unit
    prior = np.where(degree < 2, before, 0.0)
    weight = trust.ravel()[told] / (_NOISE * unit) ** 2
    solved = before
    for _ in range(3):
        miss = (system @ solved - want) / (2 * _NOISE * unit)
        w = weight / (1 + miss**2)
        root = np.sqrt(w)
        weighted = system * root[:, None]
        wanted = weighted.T @ (want * root) + prior / spread**2
        solved = np.linalg.solve(weighted.T @ weighted + np.diag(1 / spread**2), wanted)
    return _with_first(lattice, solved.reshape(2, -1))


def fit_points(lattice: Lattice, index: FloatArray, want: FloatArray, trust: FloatArray, scatter: float) -> Lattice:
    """The same fitted to places (N, 2) of known index (N, 2), with a trust (N,), that scatter by so many cells."""
    terms = _terms(lattice.window)
    basis = _monomials(index - lattice.centre, terms)
    degree, unit = _POWERS[:terms].sum(1), _cell_px(lattice)
    firm = (1 / (_FREE[degree] * unit) ** 2)[:, None]
    solved = _first(lattice, terms).T
    prior = np.where((degree < 2)[:, None], solved, 0.0)
    for _ in range(3):
        miss = np.sum(((basis @ solved - want) / (2 * scatter * unit)) ** 2, axis=1)
        weighted = basis * (trust / (1 + miss) / (scatter * unit) ** 2)[:, None]
        solved = np.linalg.solve(weighted.T @ basis + np.diag(firm[:, 0]), weighted.T @ want + firm * prior)
    return _with_first(lattice, solved.T)


def _first(lattice: Lattice, terms: int) -> FloatArray:
    """The coefficients of the first so many monomials, (2, terms)."""
    i, j = _POWERS[:terms].T
    return lattice.coefficients[:, i, j]


def _with_first(lattice: Lattice, solved: FloatArray) -> Lattice:
    """The lattice with the first coefficients (2, terms) given, and the others 0."""
    i, j = _POWERS[: solved.shape[1]].T
    coefficients = np.zeros_like(lattice.coefficients)
    coefficients[:, i, j] = solved
    return Lattice(coefficients, lattice.centre, lattice.window)


def _terms(window: Window) -> int:
    """How many monomials a lattice of so many cells can tell from what is no line of it."""
    degree = _DEGREE if max(window[1] - window[0], window[3] - window[2]) > _MANY_CELLS else _DEGREE_OF_FEW
    return int(np.sum(_POWERS.sum(1) <= degree))


def level(values: FloatArray, share: float) -> float:
    """The value (N) that a share of them lies below: at once, where numpy's quantile takes long to begin.

    Examples
    --------
    >>> level(np.arange(10.0), 0.7)
    6.0
    """
    at = int(share * (len(values) - 1) + 0.5)
    return float(np.partition(values, at)[at])


def visible(seen: Looks, scale: float) -> FloatArray:
    """How clearly each piece was seen, -1 (paper where the line should be) to 1; 0 where a sticker hides it."""
    clear = np.clip((seen.strength / scale - 0.4) / 0.25, -1, 1) * np.minimum(2 * (1 - seen.hidden), 1)
    return np.where(seen.inside, clear - _HIDDEN * seen.hidden, _OUTSIDE)


def cover(evidence: Evidence, place: Place, window: Window) -> FloatArray:
    """Share of each cell's core under stickers, (v cells, u cells)."""
    covered: FloatArray = in_cells(evidence.stickers, place, window, np.array([0.3, 0.5, 0.7])).mean(-1)
    return covered


def in_cells(picture: FloatPicture, place: Place, window: Window, at: FloatArray) -> FloatPicture:
    """Values of a picture at places (T,) of each cell of a window, both ways: (v cells, u cells, T²)."""
    u0, u1, v0, v1 = window
    u, v = (np.arange(u0, u1)[:, None] + at).ravel(), (np.arange(v0, v1)[:, None] + at).ravel()
    values = sample_at(picture, *_over(place, u, v).astype(np.float32))
    by_cell = values.reshape(u1 - u0, len(at), v1 - v0, len(at)).transpose(2, 0, 3, 1)
    return by_cell.reshape(v1 - v0, u1 - u0, -1)


def _cell_px(lattice: Lattice) -> float:
    """Side of a cell at the centre, work px."""
    half = 0.5 ** np.arange(1, _DEGREE + 1)
    x, y = lattice.coefficients
    along_x, along_y, down_x, down_y = x[1:, 0] @ half, y[1:, 0] @ half, x[0, 1:] @ half, y[0, 1:] @ half
    return float(2 * np.sqrt(abs(along_x * down_y - along_y * down_x)))


def _monomials(points: FloatArray, terms: int) -> FloatArray:
    """The first so many monomials at points (N, 2), (N, terms)."""
    i, j = _POWERS[:terms].T
    u, v = _powers(np.ascontiguousarray(points.T), int(i.max()) + 1).swapaxes(0, 1)
    monomials: FloatArray = (u[i] * v[j]).T
    return monomials


def _powers(x: FloatArray, count: int) -> FloatArray:
    """The first so many powers, from 0 on, of x: (count, …)."""
    powers = np.ones((count, *x.shape))
    for k in range(1, count):
        np.multiply(powers[k - 1], x, out=powers[k])
    return powers


@functools.lru_cache(maxsize=128)
def _pieces(
    window: Window, offset: float
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], npt.NDArray[np.intp], FloatArray]:
    """Axis, line and cell of every piece of line in a window, and its samples' index coordinates: not to be changed."""
    u0, u1, v0, v1 = window
    line_u, cell_v = (a.ravel() for a in np.meshgrid(np.arange(u0, u1 + 1), np.arange(v0, v1), indexing="ij"))
    line_v, cell_u = (a.ravel() for a in np.meshgrid(np.arange(v0, v1 + 1), np.arange(u0, u1), indexing="ij"))
    axis = np.repeat([0, 1], [len(line_u), len(line_v)])
    line, cell = np.concatenate([line_u, line_v]), np.concatenate([cell_v, cell_u])
    along = cell[:, None] + _T
    across = np.broadcast_to(line[:, None] + offset, along.shape)
    index = np.where((axis == 0)[:, None, None], np.stack([across, along], -1), np.stack([along, across], -1))
    for each in (axis, line, cell, index):
        each.setflags(write=False)
    return axis, line, cell, index


def _moved(evidence: Evidence, seen: Looks, lattice: Lattice, wide: Window) -> Window:
    """The window with every side moved on by one whose strip beyond is supported."""
    window = list(lattice.window)
    inner = (
        (seen.line >= np.where(seen.axis == 0, window[0], window[2]))
        & (seen.line <= np.where(seen.axis == 0, window[1], window[3]))
        & (seen.cell >= np.where(seen.axis == 0, window[2], window[0]))
        & (seen.cell < np.where(seen.axis == 0, window[3], window[1]))
    )
    clear = visible(seen, max(level(seen.strength[inner], 0.7), 0.03))
    stickers = cover(evidence, lattice, wide)
    strips = {
        0: (seen.axis == 0) & (seen.line == wide[0]) | (seen.axis == 1) & (seen.cell == wide[0]),
        1: (seen.axis == 0) & (seen.line == wide[1]) | (seen.axis == 1) & (seen.cell == wide[1] - 1),
        2: (seen.axis == 1) & (seen.line == wide[2]) | (seen.axis == 0) & (seen.cell == wide[2]),
        3: (seen.axis == 1) & (seen.line == wide[3]) | (seen.axis == 0) & (seen.cell == wide[3] - 1),
    }
    covered = {0: stickers[1:-1, 0], 1: stickers[1:-1, -1], 2: stickers[0, 1:-1], 3: stickers[-1, 1:-1]}
    core = _between(seen, lattice.window)
    for side, strip in strips.items():
        here = clear[strip & core[side // 2]]
        if len(here) and (np.maximum(here, 0).mean() > _SUPPORT or (covered[side] > 0.5).mean() > _SUPPORT):
            window[side] += 1 if side % 2 else -1
    return window[0], window[1], window[2], window[3]


def _between(seen: Looks, window: Window) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Pieces whose place along v (for strips at the sides) or along u (above and below) is within the window."""
    in_v = np.where(seen.axis == 0, (seen.cell >= window[2]) & (seen.cell < window[3]), True)
    in_v &= np.where(seen.axis == 1, (seen.line >= window[2]) & (seen.line <= window[3]), True)
    in_u = np.where(seen.axis == 1, (seen.cell >= window[0]) & (seen.cell < window[1]), True)
    in_u &= np.where(seen.axis == 0, (seen.line >= window[0]) & (seen.line <= window[1]), True)
    return in_v, in_u
