"""A lattice of lines as a smooth map from cells to the picture, and how it is fitted to what was seen of it.

Frame: *index* coordinates (u, v) in cells, the seed's corner at (0, 0); lines lie at whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poradek_vision.find.ruled.seeds import Seed
from poradek_vision.geometry import FloatArray, fit_homography, project

Place = Callable[[FloatArray], FloatArray]
"""Maps index coordinates (..., 2) to work px (..., 2)."""
Window = tuple[int, int, int, int]
"""First and last line along u, first and last along v."""

_DEGREE, _DEGREE_OF_FEW, _MANY_CELLS = 5, 3, 7
"""Of the polynomial; across up to seven cells curl is a cubic, and more would follow what is no line."""
_POWERS = np.array([(i, j) for total in range(_DEGREE + 1) for i in range(total + 1) for j in [total - i]])
_FREE = np.array([1e3, 1.0, 0.07, 0.008, 0.0008, 0.00008])
"""How large a coefficient of each degree may be, in cells: perspective and curl of paper, per cell."""
_ALIKE = 0.25
"""Difference up to which a cell's sides are those of a lattice's, cells."""
_TANGENT = 0.3
"""Beyond its window a lattice goes on as straight as over its last so many cells: its polynomial would run off."""


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


def over_grid(place: Place, u: FloatArray, v: FloatArray) -> FloatArray:
    """Work px (2, U, V) of all index coordinates (u, v) of a grid."""
    if isinstance(place, Lattice):
        return place.over(u, v)
    return np.moveaxis(place(np.stack(np.meshgrid(u, v, indexing="ij"), -1)), -1, 0)


def seed_lattice(seed: Seed) -> Lattice:
    """The affine lattice of one cell."""
    coefficients = np.zeros((2, _DEGREE + 1, _DEGREE + 1))
    coefficients[:, 0, 0], coefficients[:, 1, 0], coefficients[:, 0, 1] = seed.middle, seed.along, seed.down
    return Lattice(coefficients, np.array([0.5, 0.5]), (0, 1, 0, 1))


def fit_lines(
    lattice: Lattice, index: FloatArray, normal: FloatArray, want: FloatArray, trust: FloatArray, scatter: float
) -> Lattice:
    """The map fitted robustly to lines that were seen; coefficients of higher degree cost.

    Parameters
    ----------
    lattice : Lattice
    index, normal : ndarray of shape (N, 2)
        Places on lines in index coordinates, and the directions across these lines, work px.
    want : ndarray of shape (N,)
        How far along its ``normal`` each was seen, from the picture's corner, work px.
    trust : ndarray of shape (N,)
    scatter : float
        Of lines, cells.
    """
    terms = _terms(lattice.window)
    basis = _monomials(index - lattice.centre, terms)
    system = np.concatenate([basis * normal[:, :1], basis * normal[:, 1:]], 1)
    unit = _cell_px(lattice)
    degree, before = np.tile(_POWERS[:terms].sum(1), 2), _first(lattice, terms).ravel()
    spread = _FREE[degree] * unit
    prior = np.where(degree < 2, before, 0.0)
    weight = trust / (scatter * unit) ** 2
    solved = before
    for _ in range(3):
        miss = (system @ solved - want) / (2 * scatter * unit)
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
