"""Points, quads and homographies; knows no boards.

Points are (x, y), float64, arrays of shape (N, 2). A homography is a (3, 3) array or three rows of three, named
``target_from_source``.
"""

from __future__ import annotations

from typing import Any, cast

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.model import Matrix3, Point

FloatArray = npt.NDArray[np.float64]


def project(homography: npt.ArrayLike, points: npt.ArrayLike) -> FloatArray:
    """Map points through a homography, with the perspective divide.

    The one place where a 3x3 matrix meets points. The caller's names carry the
    frames: ``project(photo_from_board, corners)`` gives photo pixels.

    Parameters
    ----------
    homography : array_like of shape (3, 3) or (N, 3, 3)
        Maps the frame of ``points`` to the frame of the result.
    points : array_like of shape (..., 2), with several homographies (M, 2)
        Coordinates as (x, y), in the unit of the source frame (cells, mm or px).

    Returns
    -------
    ndarray of shape (..., 2) or (N, M, 2), float64
        Coordinates as (x, y), in the unit of the target frame.

    Raises
    ------
    ValueError
        If the last axis of ``points`` is not 2, or a point falls on the horizon line.

    References
    ----------
    Hartley & Zisserman, Multiple View Geometry, 2nd ed., section 2.3.

    Examples
    --------
    >>> project([[2, 0, 1], [0, 2, 0], [0, 0, 1]], [[3, 4]])
    array([[7., 8.]])
    """
    h = np.asarray(homography, np.float64)
    p = np.asarray(points, np.float64)
    if p.shape[-1:] != (2,):
        raise ValueError(f"points must end in an axis of 2, not {p.shape}")
    mapped = p @ h[..., :2].swapaxes(-1, -2) + h[..., None, :, 2] if h.ndim > 2 else p @ h[:, :2].T + h[:, 2]
    w = mapped[..., 2:]
    if np.any(np.abs(w) < 1e-12):
        raise ValueError("a point falls on the horizon line")
    unprojected: FloatArray = mapped[..., :2] / w
    return unprojected


def fit_homography(source: npt.ArrayLike, target: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> FloatArray:
    """The homography that best takes ``source`` to ``target``, by weighted normalised DLT.

    Parameters
    ----------
    source, target : array_like of shape (N, 2), N >= 4
    weights : array_like of shape (N,), optional
        Relative trust in each pair; 1 where left out.

    Returns
    -------
    ndarray of shape (3, 3), float64
        ``target_from_source``, scaled to h[2, 2] = 1.

    Raises
    ------
    ValueError
        If there are fewer than four pairs, or the points don't determine a homography (all on a line).

    References
    ----------
    Hartley & Zisserman, Multiple View Geometry, 2nd ed., algorithm 4.2.

    Examples
    --------
    >>> square = [[0, 0], [1, 0], [1, 1], [0, 1]]
    >>> fit_homography(square, [[2, 3], [4, 3], [4, 5], [2, 5]]).round(9) + 0.0
    array([[2., 0., 2.],
           [0., 2., 3.],
           [0., 0., 1.]])
    """
    a, b = np.asarray(source, np.float64), np.asarray(target, np.float64)
    if a.shape != b.shape or a.ndim != 2 or a.shape[1] != 2 or len(a) < 4:
        raise ValueError(f"a homography needs two arrays (N, 2) with N >= 4, not {a.shape} and {b.shape}")
    w = np.ones(len(a)) if weights is None else np.asarray(weights, np.float64)
    ta, tb = _normaliser(a), _normaliser(b)
    x, y = project(ta, a).T
    u, v = project(tb, b).T
    zero, one = np.zeros_like(x), np.ones_like(x)
    rows_u = np.stack([x, y, one, zero, zero, zero, -u * x, -u * y, -u], 1)
    rows_v = np.stack([zero, zero, zero, x, y, one, -v * x, -v * y, -v], 1)
    system = np.concatenate([rows_u * w[:, None], rows_v * w[:, None]])
    _, s, vt = np.linalg.svd(system, full_matrices=len(system) < 9)
    if s[7] < 1e-10 * s[0]:
        raise ValueError("the points do not determine a homography")
    normalised = vt[8].reshape(3, 3)
    h = np.linalg.inv(tb) @ normalised @ ta
    if abs(np.linalg.det(normalised)) < 1e-12 or abs(h[2, 2]) < 1e-15:  # a line can't go to a corner
        raise ValueError("the points do not determine a homography")
    return cast(FloatArray, h / h[2, 2])


def square_homography(quad: npt.ArrayLike) -> FloatArray:
    """The homography that takes the unit square's corners to a quad, in closed form; or one for each of several.

    Parameters
    ----------
    quad : array_like of shape (..., 4, 2)
        Images of (0, 0), (1, 0), (1, 1), (0, 1).

    Returns
    -------
    ndarray of shape (..., 3, 3), float64

    Raises
    ------
    ValueError
        If the last three corners lie on a line.

    References
    ----------
    Heckbert, Fundamentals of texture mapping and image warping, 1989, section 2.2.3.

    Examples
    --------
    >>> project(square_homography([[1, 1], [3, 1], [4, 4], [1, 3]]), [[1, 1]]).round(9)
    array([[4., 4.]])
    """
    corners = np.asarray(quad, np.float64)
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = np.moveaxis(corners, (-2, -1), (0, 1))
    dx1, dx2, sx = x1 - x2, x3 - x2, x0 - x1 + x2 - x3
    dy1, dy2, sy = y1 - y2, y3 - y2, y0 - y1 + y2 - y3
    det = dx1 * dy2 - dx2 * dy1
    if np.any(np.abs(det) < 1e-12):
        raise ValueError("three corners of the quad lie on a line")
    g, h = (sx * dy2 - dx2 * sy) / det, (dx1 * sy - sx * dy1) / det
    rows = (x1 - x0 + g * x1, x3 - x0 + h * x3, x0, y1 - y0 + g * y1, y3 - y0 + h * y3, y0, g, h, np.ones_like(g))
    return np.stack(rows, -1).reshape(*corners.shape[:-2], 3, 3)


def _normaliser(points: FloatArray) -> FloatArray:
    """Similarity that centres points and brings their mean distance to the origin to sqrt(2)."""
    centre = points.mean(0)
    distance = np.hypot(*(points - centre).T).mean()
    if distance < 1e-12:
        raise ValueError("the points do not determine a homography")
    s = np.sqrt(2) / distance
    return np.array([[s, 0, -s * centre[0]], [0, s, -s * centre[1]], [0, 0, 1]])


def polygon_area(polygon: npt.ArrayLike) -> float:
    """Signed area of a polygon; positive when its points go clockwise as seen (y down).

    Parameters
    ----------
    polygon : array_like of shape (N, 2)

    Examples
    --------
    >>> polygon_area([[0, 0], [2, 0], [2, 1], [0, 1]])
    2.0
    """
    x, y = np.asarray(polygon, np.float64).T
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def fill(picture: npt.NDArray[np.uint8] | npt.NDArray[np.float32], outline: npt.ArrayLike, value: float) -> None:
    """Set what lies within an outline (N, 2), px of the picture, whole or not; it may reach far outside.

    Examples
    --------
    >>> picture = np.zeros((3, 4), np.uint8)
    >>> fill(picture, [[0.9, 1.2], [9e9, 1.2], [9e9, 9e9], [0.9, 9e9]], 7)
    >>> picture
    array([[0, 0, 0, 0],
           [0, 7, 7, 7],
           [0, 7, 7, 7]], dtype=uint8)
    """
    near = np.clip(np.asarray(outline, np.float64), -_FAR_PX, _FAR_PX)
    cv2.fillPoly(picture, [np.round(near).astype(np.int32)], value)


_FAR_PX = 20_000
"""Outlines are filled no farther than this: OpenCV's coordinates overflow."""


def remap(picture: npt.NDArray[np.uint8], points: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    """Sample a picture at points, bilinearly; beyond its edge the edge is repeated.

    Parameters
    ----------
    picture : ndarray of shape (H, W) or (H, W, 3), uint8
    points : array_like of shape (h, w, 2)
        (x, y) in pixels, h and w below 32768.

    Returns
    -------
    ndarray of shape (h, w) or (h, w, 3), uint8
    """
    xy = np.ascontiguousarray(points, np.float32)
    sampled = cv2.remap(picture, xy, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    return cast("npt.NDArray[np.uint8]", sampled)


def plain_matrix(matrix: npt.ArrayLike) -> Matrix3:
    """A (3, 3) array as three rows of three floats, for a plain record.

    Examples
    --------
    >>> plain_matrix(np.eye(3))[1]
    (0.0, 1.0, 0.0)
    """
    a, b, c = np.asarray(matrix, np.float64).reshape(3, 3).tolist()
    return (a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2])


def plain_points(points: npt.ArrayLike) -> tuple[Point, ...]:
    """An (N, 2) array as a tuple of (x, y) floats, for a plain record."""
    return tuple((float(x), float(y)) for x, y in np.asarray(points, np.float64).reshape(-1, 2))


def box_sums(values: FloatArray, height: int, width: int) -> FloatArray:
    """Sums of values over every box of a size.

    Parameters
    ----------
    values : ndarray of shape (H, W)
    height, width : int
        Of the box, at most H and W.

    Returns
    -------
    ndarray of shape (H - height + 1, W - width + 1)

    Examples
    --------
    >>> box_sums(np.arange(6.0).reshape(2, 3), 2, 2)
    array([[ 8., 12.]])
    """
    total = np.zeros((values.shape[0] + 1, values.shape[1] + 1))
    total[1:, 1:] = values.cumsum(0).cumsum(1)
    sums: FloatArray = (
        total[height:, width:] - total[:-height, width:] - total[height:, :-width] + total[:-height, :-width]
    )
    return sums


def solve_definite(system: npt.NDArray[np.floating], wanted: FloatArray) -> FloatArray:
    """Solve a positive definite system, in a third of the time of numpy's general solver.

    Parameters
    ----------
    system : ndarray of shape (N, N)
    wanted : ndarray of shape (N,) or (N, M)

    Returns
    -------
    ndarray of shape (N,) or (N, M), float64

    Raises
    ------
    ArithmeticError
        If the system is not positive definite.

    Examples
    --------
    >>> solve_definite(np.array([[4.0, 2.0], [2.0, 3.0]]), np.array([8.0, 8.0]))
    array([1., 2.])
    """
    done, solved = cv2.solve(system, wanted.reshape(len(wanted), -1), flags=cv2.DECOMP_CHOLESKY)
    if not done:
        raise ArithmeticError("the system is not positive definite")
    return np.asarray(solved, np.float64).reshape(wanted.shape)


def compactness(where: npt.NDArray[Any], places: npt.NDArray[Any], area: float) -> FloatArray:
    """How near together samples lie: their area against that of a disk in which they would lie as far from its middle.

    Of a disk of area A the mean squared distance from its middle is A / 2π.

    Parameters
    ----------
    where : ndarray of shape (..., M)
        1 for samples that count, 0 for others.
    places : ndarray of shape (M, 2)
        Where they lie, in any unit.
    area : float
        That each stands for, in the square of that unit.

    Returns
    -------
    ndarray of shape (...)
        Of a disk 1, of a square 0.95, of letters mostly less than 0.9; 0 of nothing.

    Examples
    --------
    >>> places = np.stack(np.meshgrid(np.arange(9.0), np.arange(9.0)), -1).reshape(-1, 2)
    >>> square, line = np.abs(places - 4).max(1) < 3, places[:, 0] == 4
    >>> compactness(np.stack([square, line]), places, 1.0).round(2)
    array([0.99, 0.21])
    """
    count = where.astype(np.float64)
    amount = np.maximum(count.sum(-1), 1e-9)
    middle = count @ places / amount[..., None]
    apart = count @ (places**2).sum(1) / amount - (middle**2).sum(-1)
    compact: FloatArray = count.sum(-1) * area / (2 * np.pi * np.maximum(apart, area / 2))
    return compact


def largest_lumps(where: npt.NDArray[np.bool_], weights: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.bool_]:
    """The samples of each of several boxes that hang together with the most.

    Parameters
    ----------
    where : ndarray of shape (N, n * n), bool
        Samples that count.
    weights : ndarray of shape (n * n,)
        How much each counts, of which the sum is the most.

    Returns
    -------
    ndarray of shape (N, n * n), bool
        Neighbours above, below and beside hang together; none where none counts.

    Examples
    --------
    >>> largest_lumps(np.array([[1, 1, 0, 1, 0, 0, 0, 1, 1]], bool), np.ones(9)).astype(int)
    array([[1, 1, 0, 1, 0, 0, 0, 0, 0]])
    """
    count, each = where.shape
    n = round(each**0.5)
    apart = np.zeros((count, n + 1, n + 1), np.uint8)
    apart[:, :n, :n] = where.reshape(count, n, n)
    total, labels = cv2.connectedComponents(apart.reshape(-1, n + 1), connectivity=4)
    lumps = labels.reshape(count, n + 1, n + 1)[:, :n, :n].reshape(count, each)
    amount = np.bincount(lumps.ravel(), np.tile(weights, count), total)
    amount[0] = -1.0
    most = np.take_along_axis(lumps, amount[lumps].argmax(1)[:, None], 1)
    largest: npt.NDArray[np.bool_] = (lumps == most) & where
    return largest


def outlines(where: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """What the samples of several boxes enclose, where gaps between them are a sample wide at most.

    Parameters
    ----------
    where : ndarray of shape (N, n * n), bool
        Samples that count.

    Returns
    -------
    ndarray of shape (N, n * n), bool
        They and what lies in their holes.

    Examples
    --------
    >>> ring = np.ones((5, 5), bool)
    >>> ring[1:4, 1:4] = ring[0, 2] = False
    >>> outlines(ring.reshape(1, -1)).all()
    np.True_
    """
    count, each = where.shape
    n = round(each**0.5)
    boxes = np.pad(where.reshape(count, n, n), ((0, 0), (2, 2), (2, 2))).astype(np.uint8)
    closed = cv2.morphologyEx(boxes.reshape(-1, n + 4), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    _, labels = cv2.connectedComponents(1 - closed, connectivity=4)
    within = (np.asarray(labels) != labels[0, 0]).reshape(boxes.shape)[:, 2:-2, 2:-2]
    outlined: npt.NDArray[np.bool_] = within.reshape(count, each)
    return outlined
