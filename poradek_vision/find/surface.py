"""A sheet of paper as the camera sees it: a homography and, on top of it, a smooth displacement for curl and folds.

Frames: *photo* pixels, *flat* cells (what the homography makes of the photo) and *board* cells. ``board = flat +
displacement(flat)``. Paper that lies flat has no displacement.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray, project, solve_definite

_PERSPECTIVE_SIGMA = 0.05
"""How much the scale may change from one cell to the next, as a prior: 60° of tilt at 30 cm give 0.1."""
_SETTLED = 1e-4
"""Step of the fixed-point iteration, in cells, after which the next would be a tenth of it at most."""
_POINT_SIGMA = 0.01
"""Noise of one observation in cells, against which the prior is weighed."""


@dataclass(frozen=True, slots=True, eq=False)
class Sightings:
    """Points of the photo of which one board coordinate is known: they lie on a printed line or edge.

    Attributes
    ----------
    points : ndarray of shape (N, 2)
        Where they were seen, photo px.
    axis : ndarray of shape (N,), int
        0: the board's x is known (a vertical line), 1: its y.
    value : ndarray of shape (N,)
        That coordinate, cells.
    weight : ndarray of shape (N,)
        Relative trust, 0–1.
    """

    points: FloatArray
    axis: npt.NDArray[np.intp]
    value: FloatArray
    weight: FloatArray

    def __add__(self, other: Sightings) -> Sightings:
        """Both sets as one."""
        return Sightings(
            np.concatenate([self.points, other.points]),
            np.concatenate([self.axis, other.axis]),
            np.concatenate([self.value, other.value]),
            np.concatenate([self.weight, other.weight]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Maps between board and photo.

    Attributes
    ----------
    flat_from_photo, photo_from_flat : ndarray of shape (3, 3)
    domain : (float, float, float, float)
        Least x, least y, largest x, largest y of the displacement's spline, flat cells.
    coefficients : ndarray of shape (ny, nx, 2)
        Cubic B-spline coefficients of the displacement, cells.
    """

    flat_from_photo: FloatArray
    photo_from_flat: FloatArray
    domain: tuple[float, float, float, float]
    coefficients: FloatArray

    def displacement(self, flat: FloatArray) -> FloatArray:
        """Displacement (..., 2) in cells at flat points (..., 2)."""
        basis_x, basis_y = _bases(flat.reshape(-1, 2), self.domain, self.coefficients.shape[:2])
        moved = [np.sum((basis_y @ self.coefficients[..., axis]) * basis_x, axis=1) for axis in (0, 1)]
        return np.stack(moved, -1).reshape(flat.shape)

    def board(self, photo_points: FloatArray) -> FloatArray:
        """Board cells (..., 2) of photo pixels (..., 2)."""
        flat = project(self.flat_from_photo, photo_points)
        return flat + self.displacement(flat)

    def photo(self, board_points: FloatArray) -> FloatArray:
        """Photo pixels (..., 2) of board cells (..., 2)."""
        return project(self.photo_from_flat, self.flat(board_points))

    def flat(self, board_points: FloatArray) -> FloatArray:
        """Flat cells (..., 2) of board cells (..., 2); the displacement is inverted by fixed-point iteration."""
        flat = board_points
        for _ in range(3 if self.coefficients.any() else 0):
            before, flat = flat, board_points - self.displacement(flat)
            if np.abs(flat - before).max(initial=0) < _SETTLED:
                break
        return flat


NOTHING = Sightings(np.zeros((0, 2)), np.zeros(0, np.intp), np.zeros(0), np.zeros(0))
"""No sightings at all."""


def corner_sightings(board: FloatArray, photo: FloatArray) -> Sightings:
    """Sightings of N points whose board coordinates (N, 2) are both known, seen at photo pixels (N, 2)."""
    n = len(board)
    return Sightings(np.concatenate([photo, photo]), np.repeat([0, 1], n), board.T.ravel(), np.ones(2 * n))


def flat_surface(flat_from_photo: FloatArray, rows: int, cols: int) -> Surface:
    """A surface without displacement.

    Parameters
    ----------
    flat_from_photo : ndarray of shape (3, 3)
    rows, cols : int
        Cells of the grid; the spline reaches 1.5 cells beyond it.
    """
    domain = (-1.5, -1.5, cols + 1.5, rows + 1.5)
    shape = (_intervals(rows) + 3, _intervals(cols) + 3)
    return Surface(flat_from_photo, _inverse(flat_from_photo), domain, np.zeros((*shape, 2)))


def fit_surface(
    sightings: Sightings, start: Surface, scale_cells: float, stiffness: float, bend: bool, rounds: int = 3
) -> Surface:
    """Fit homography and displacement to sightings, robustly.

    1. Homography by linear least squares on the known coordinates, each divided by its depth under ``start``, with a
       weak prior against perspective so that a single small fiducial does not extrapolate its noise.
    2. Displacement by penalised least squares: a tensor product of cubic B-splines whose second differences cost.
    Both are weighted by Cauchy's function of the residual, the displacement ``rounds`` times.

    Parameters
    ----------
    sightings : Sightings
    start : Surface
        Gives the first depths and residuals.
    scale_cells : float
        Residual at which a sighting's weight has fallen to a half.
    stiffness : float
        Cost of bending against that of residuals.
    bend : bool
        False: homography only.
    rounds : int

    References
    ----------
    Eilers & Marx, Flexible smoothing with B-splines and penalties, Statistical Science 11 (1996);
    Holland & Welsch, Robust regression using iteratively reweighted least squares (1977), for the weights.
    """
    surface, misfit = start, residuals(sightings, start)
    flat, rows = np.zeros((0, 2)), np.zeros((0, 0), np.float32)
    for turn in range(rounds):
        weight = sightings.weight / (1 + (misfit / scale_cells) ** 2)
        if turn == 0 or not bend:
            surface = flat_surface_like(_fit_flat(sightings, weight, surface), start)
            flat = project(surface.flat_from_photo, sightings.points)
            rows = _rows(flat, surface.domain, surface.coefficients.shape[:2]) if bend else rows
        seen = flat
        if bend:
            surface = _fit_displacement(sightings, weight, flat, rows, surface, stiffness)
            seen = flat + rows @ surface.coefficients.reshape(-1, 2).astype(np.float32)
        misfit = _misfit(sightings, seen)
    return surface


def flat_surface_like(flat_from_photo: FloatArray, surface: Surface) -> Surface:
    """The surface's domain with another homography and no displacement."""
    return Surface(flat_from_photo, _inverse(flat_from_photo), surface.domain, np.zeros_like(surface.coefficients))


def standard_errors(
    sightings: Sightings, surface: Surface, points: FloatArray, scale_cells: float, stiffness: float
) -> FloatArray:
    """How well the sightings pin the surface down at some points.

    The posterior of the penalised fit, whose penalty is a prior on curvature: near seen lines the error is small, far
    from them it grows.

    Parameters
    ----------
    sightings, surface
        A fit and what it rests on.
    points : ndarray of shape (N, 2)
        Board cells.
    scale_cells, stiffness : float
        As given to :func:`fit_surface`.

    Returns
    -------
    ndarray of shape (N,)
        Standard error along the worse axis, cells.
    """
    misfit = residuals(sightings, surface)
    weight = sightings.weight / (1 + (misfit / scale_cells) ** 2)
    shape = surface.coefficients.shape[:2]
    at = _rows(points, surface.domain, shape)
    seen = _rows(surface.board(sightings.points), surface.domain, shape)
    errors = np.zeros((2, len(points)))
    for axis in range(2):
        on = sightings.axis == axis
        noise = np.sqrt(np.average(misfit[on] ** 2, weights=weight[on] + 1e-12)) if on.any() else scale_cells
        rows = seen[on] * np.sqrt(weight[on, None]).astype(np.float32)
        system = rows.T @ rows + _penalty(shape, stiffness)
        errors[axis] = max(noise, scale_cells / 4) * np.sqrt(
            np.sum(at * solve_definite(system, at.T.astype(np.float64)).T, axis=1)
        )
    worst: FloatArray = errors.max(0)
    return worst


def residuals(sightings: Sightings, surface: Surface) -> FloatArray:
    """Seen minus known coordinate of each sighting, shape (N,), cells."""
    return _misfit(sightings, surface.board(sightings.points))


def _misfit(sightings: Sightings, board: FloatArray) -> FloatArray:
    """Seen minus known coordinate (N,) of sightings at board cells (N, 2)."""
    seen: FloatArray = board[np.arange(len(board)), sightings.axis]
    return seen - sightings.value


def _fit_flat(sightings: Sightings, weight: FloatArray, surface: Surface) -> FloatArray:
    """``flat_from_photo`` by weighted linear least squares.

    Photo and board are both counted from the sightings' centre, in cells: there h[2, 2] = 1 is safe, and the prior on
    h[2, :2] is the relative change of scale per cell.
    """
    centre = np.average(sightings.points, axis=0, weights=weight + 1e-9)
    offset = project(surface.flat_from_photo, centre[None])[0]
    px_per_cell = _px_per_cell(surface, centre)
    x, y = ((sightings.points - centre) / px_per_cell).T
    target = sightings.value - offset[sightings.axis]
    system, zero = np.zeros((len(x), 8)), np.zeros((2, 6))
    for axis, column in ((0, 0), (1, 3)):
        on = np.flatnonzero(sightings.axis == axis)
        system[on, column : column + 3] = np.stack([x[on], y[on], np.ones(len(on))], 1)
    system[:, 6:] = np.stack([-target * x, -target * y], 1)
    trust = np.sqrt(weight) / _relative_depth(surface.flat_from_photo, sightings.points, centre) / _POINT_SIGMA
    prior = np.hstack([zero, np.eye(2) / _PERSPECTIVE_SIGMA])
    weighted = np.vstack([system * trust[:, None], prior])
    h = np.linalg.solve(weighted.T @ weighted, weighted.T @ np.concatenate([target * trust, np.zeros(2)]))
    about = np.array([[h[0], h[1], h[2]], [h[3], h[4], h[5]], [h[6], h[7], 1.0]])
    shift = np.array([[1, 0, offset[0]], [0, 1, offset[1]], [0, 0, 1]])
    s = 1 / px_per_cell
    centred = np.array([[s, 0, -s * centre[0]], [0, s, -s * centre[1]], [0, 0, 1]])
    flat_from_photo: FloatArray = shift @ about @ centred
    return flat_from_photo


def _inverse(homography: FloatArray) -> FloatArray:
    """The homography the other way."""
    inverse: FloatArray = np.asarray(np.linalg.inv(homography), np.float64)
    return inverse


def _px_per_cell(surface: Surface, centre: FloatArray) -> float:
    """Side of a cell near a photo point, px."""
    flat = project(surface.flat_from_photo, centre[None])[0]
    around = project(surface.photo_from_flat, flat + np.array([[0, 0], [0.5, 0], [0, 0.5]]))
    return float(2 * np.sqrt(abs(np.linalg.det(around[1:] - around[0]))))


def _relative_depth(flat_from_photo: FloatArray, points: FloatArray, centre: FloatArray) -> FloatArray:
    """The homography's third coordinate at each point, relative to that at the centre; kept positive."""
    third = flat_from_photo[2]
    depth = (points @ third[:2] + third[2]) / (centre @ third[:2] + third[2])
    kept: FloatArray = np.maximum(depth, 0.05)
    return kept


def _fit_displacement(
    sightings: Sightings,
    weight: FloatArray,
    flat: FloatArray,
    rows: npt.NDArray[np.float32],
    surface: Surface,
    stiffness: float,
) -> Surface:
    """Penalised least squares for the two displacement splines; x from vertical lines, y from horizontal ones.

    ``flat`` (N, 2) and ``rows`` (N, ny * nx): where the sightings lie under the homography, and the basis there, in
    single precision, which halves the cost of the products and is exact enough for them.
    """
    shape = surface.coefficients.shape[:2]
    penalty = _penalty(shape, stiffness)
    coefficients = np.zeros((rows.shape[1], 2))
    for axis in range(2):
        on = np.flatnonzero(sightings.axis == axis)
        root = np.sqrt(weight[on]).astype(np.float32)
        weighted = rows[on] * root[:, None]
        want = (sightings.value[on] - flat[on, axis]).astype(np.float32) * root
        coefficients[:, axis] = solve_definite(weighted.T @ weighted + penalty, (weighted.T @ want).astype(np.float64))
    return replace(surface, coefficients=coefficients.reshape(*shape, 2))


def _intervals(cells: int) -> int:
    """Intervals of the spline along a side: about one per cell, at most ten."""
    return min(cells + 3, 10)


def _bases(
    flat: FloatArray, domain: tuple[float, float, float, float], shape: tuple[int, ...]
) -> tuple[FloatArray, FloatArray]:
    """Values of the uniform cubic B-splines along x (N, nx) and y (N, ny).

    Beyond the ends of the domain they stay what they are there.
    """
    counts = shape[1], shape[0]
    low, high, intervals = np.array(domain[:2]), np.array(domain[2:]), np.array(counts) - 3
    s = np.minimum(np.maximum((flat - low) * (intervals / (high - low)), 0), intervals - 1e-9)
    k = s.astype(np.intp)
    f = s - k
    g, ff = 1 - f, f * f
    weights = (g * g * g / 6, (3 * f - 6) * ff / 6 + 2 / 3, (3 * g - 6) * g * g / 6 + 2 / 3, ff * f / 6)
    basis_x, basis_y = (np.zeros((len(flat), count)) for count in counts)
    for axis, basis in enumerate((basis_x, basis_y)):
        flat_basis, at = basis.ravel(), k[:, axis] + counts[axis] * np.arange(len(flat))
        for step, weight in enumerate(weights):
            flat_basis[at + step] = weight[:, axis]
    return basis_x, basis_y


def _rows(
    flat: FloatArray, domain: tuple[float, float, float, float], shape: tuple[int, ...]
) -> npt.NDArray[np.float32]:
    """Design matrix (N, ny * nx) of the tensor product at points."""
    basis_x, basis_y = (basis.astype(np.float32) for basis in _bases(flat, domain, shape))
    return (basis_y[:, :, None] * basis_x[:, None, :]).reshape(len(flat), -1)


@functools.lru_cache(maxsize=64)
def _penalty(shape: tuple[int, ...], stiffness: float) -> FloatArray:
    """Cost of the coefficients: bending, and a trace of their size so that nothing is left free."""
    return _bending(shape) * stiffness + np.eye(shape[0] * shape[1]) * 1e-4


@functools.lru_cache(maxsize=64)
def _bending(shape: tuple[int, ...]) -> FloatArray:
    """The thin plate's bending energy on a grid of coefficients: second differences along, across and mixed."""
    ny, nx = shape
    d1x, d2x = np.diff(np.eye(nx), 1, 0), np.diff(np.eye(nx), 2, 0)
    d1y, d2y = np.diff(np.eye(ny), 1, 0), np.diff(np.eye(ny), 2, 0)
    along, across = np.kron(np.eye(ny), d2x.T @ d2x), np.kron(d2y.T @ d2y, np.eye(nx))
    energy: FloatArray = along + across + 2 * np.kron(d1y.T @ d1y, d1x.T @ d1x)
    return energy
