"""A lattice grown from what the network sees, where the lines themselves are hidden, and its N × N window.

Frame: *index* coordinates as in ``lattice``: crossings at whole numbers, cells' centres half way between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.ruled.evidence import Evidence, FloatPicture
from poradek_vision.find.ruled.heat import Heat, hottest_cell, paint_heat, spots
from poradek_vision.find.ruled.lattice import Lattice, Window, fit_points, seed_lattice
from poradek_vision.find.ruled.seeds import Seed, sample
from poradek_vision.geometry import FloatArray

_REACH = 0.28
"""How far from its place a spot may lie, cells."""
_SCATTER = 0.06
"""Scatter of spots, cells."""
_SUPPORT = 0.3
"""Mean heat of a strip from which the lattice goes on."""
_NEAR = np.stack(np.meshgrid([-0.16, 0, 0.16], [-0.16, 0, 0.16]), -1).reshape(-1, 2)
"""Where round a place its heat is looked for, cells."""
_COLD = 0.35
"""Heat below this speaks against a crossing or a cell."""


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """The spots of a heat map: points (N, 2) work px, how hot (N,), and the nearest to each map pixel (h, w)."""

    points: FloatArray
    hot: FloatArray
    nearest: npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class HotWindow:
    """The best window of a lattice by its heat.

    Attributes
    ----------
    window : Window
    mean : float
        Heat of its crossings and centres, 0–1.
    lead : float
        By how many of them per side the next best window is worse.
    """

    window: Window
    mean: float
    lead: float


def hot_lattices(
    rgb: npt.NDArray[np.uint8], evidence: Evidence, sizes: Sequence[int]
) -> list[tuple[Lattice, HotWindow]]:
    """Lattices that the network sees in a whole decoded photo (H, W, 3), with their best windows.

    In each heat map from its hottest cell; those that overlap are all returned.
    """
    found = []
    for heat in paint_heat(rgb, evidence):
        seed = hottest_cell(heat)
        if seed is not None:
            lattice = grow_hot(heat, seed, most=max(sizes) + 4)
            best = hot_window(heat, lattice, sizes)
            if best is not None:
                found.append((Lattice(lattice.coefficients, lattice.centre, best.window), best))
    return found


def find_spots(heat: Heat) -> tuple[Spots, Spots]:
    """Spots of the crossings' and of the centres' map."""
    return _spots(heat, heat.crossings), _spots(heat, heat.centres)


def _spots(heat: Heat, picture: FloatPicture) -> Spots:
    at, hot = spots(picture)
    x, y = np.clip(np.round(at).astype(np.intp), 0, np.array(picture.shape[::-1]) - 1).T
    free = np.ones(picture.shape, np.uint8)
    free[y, x] = 0
    if not len(at):
        return Spots(at, hot, np.zeros(picture.shape, np.intp))
    labels = cv2.distanceTransformWithLabels(free, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)[1]
    spot = np.zeros(labels.max() + 1, np.intp)
    spot[labels[y, x]] = np.arange(len(at))
    return Spots(heat.work_px(at), hot, spot[labels])


def grow_hot(heat: Heat, seed: Seed, most: int) -> Lattice:
    """Grow a lattice from one cell, ring by ring, as far as crossings and cells are hot; at most ``most`` wide."""
    found, lattice = find_spots(heat), seed_lattice(seed)
    for _ in range(2 * most):
        window = lattice.window
        lattice = _fit(heat, found, lattice)
        moved = _moved(heat, lattice)
        if moved == window or max(moved[1] - moved[0], moved[3] - moved[2]) > most:
            break
        lattice = Lattice(lattice.coefficients, lattice.centre, moved)
    return _fit(heat, found, lattice)


def hot_window(heat: Heat, lattice: Lattice, sizes: Sequence[int]) -> HotWindow | None:
    """The window, of any size, in which all is hot and around which all is cold; None where there is room for none."""
    u0, u1, v0, v1 = lattice.window
    wide = (u0 - 2, u1 + 2, v0 - 2, v1 + 2)
    crossings, centres = _nodes(wide)
    rows, cols = wide[3] - wide[2], wide[1] - wide[0]
    hot = (
        _heat_near(heat, heat.crossings, lattice, crossings).reshape(rows + 1, cols + 1) - _COLD,
        _heat_near(heat, heat.centres, lattice, centres).reshape(rows, cols) - _COLD,
    )
    options = []
    for n in sizes:
        for j in range(1, rows - n):
            for i in range(1, cols - n):
                own, around = _sum(hot, j, i, n), _sum(hot, j - 1, i - 1, n + 2)
                options.append((2 * own - around, own / ((n + 1) ** 2 + n * n), n, wide[0] + i, wide[2] + j))
    if not options:
        return None
    options.sort(key=lambda option: -option[0])
    total, mean, n, u, v = options[0]
    lead = (total - options[1][0]) / n if len(options) > 1 else total / n
    return HotWindow((u, u + n, v, v + n), mean + _COLD, lead)


def _sum(hot: tuple[FloatArray, FloatArray], j: int, i: int, n: int) -> float:
    """What n × n cells from row j, column i have of crossings and centres."""
    return float(hot[0][j : j + n + 1, i : i + n + 1].sum() + hot[1][j : j + n, i : i + n].sum())


def _nodes(window: Window) -> tuple[FloatArray, FloatArray]:
    """Index coordinates of a window's crossings and of its centres, (N, 2) each, row by row."""
    u0, u1, v0, v1 = window
    lines = np.stack(np.meshgrid(np.arange(u0, u1 + 1.0), np.arange(v0, v1 + 1.0)), -1)
    return lines.reshape(-1, 2), lines[:-1, :-1].reshape(-1, 2) + 0.5


def _heat_near(heat: Heat, picture: FloatPicture, lattice: Lattice, index: FloatArray) -> FloatArray:
    """The most heat close to places (N, 2) of the lattice, (N,)."""
    most: FloatArray = sample(picture, heat.map_px(lattice(index[:, None] + _NEAR))).max(-1)
    return most


def _fit(heat: Heat, found: tuple[Spots, Spots], lattice: Lattice) -> Lattice:
    """The map fitted to the spots near its window's places, robustly; coefficients of higher degree cost."""
    seen = [_matched(heat, spots, lattice, index) for spots, index in zip(found, _nodes(lattice.window), strict=True)]
    index, want, trust = (np.concatenate(parts) for parts in zip(*seen, strict=True))
    return fit_points(lattice, index, want, trust, _SCATTER)


def _matched(
    heat: Heat, found: Spots, lattice: Lattice, index: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Those of a lattice's places (N, 2) that have a spot near: they, the spots in work px, and how hot these are."""
    if not len(found.hot):
        return index[:0], index[:0], found.hot
    at = lattice(index)
    x, y = np.clip(np.round(heat.map_px(at)).astype(np.intp).T, 0, np.array(found.nearest.shape[::-1])[:, None] - 1)
    nearest = found.nearest[y, x]
    sides = [lattice(index + step) - lattice(index - step) for step in ([0.5, 0.0], [0.0, 0.5])]
    cell = np.min([np.hypot(side[:, 0], side[:, 1]) for side in sides], axis=0)
    away = found.points[nearest] - at
    near = np.hypot(away[:, 0], away[:, 1]) < _REACH * cell
    return index[near], found.points[nearest[near]], found.hot[nearest[near]]


def _moved(heat: Heat, lattice: Lattice) -> Window:
    """The window with every side moved on by one whose strip beyond is hot."""
    window = list(lattice.window)
    for side, at in enumerate(lattice.window):
        outward = 1 if side % 2 else -1
        first, last = lattice.window[2:] if side < 2 else lattice.window[:2]
        along = np.arange(first, last + 1.0)
        crossings = np.stack([np.full(len(along), at + outward * 1.0), along], 1)
        centres = np.stack([np.full(len(along) - 1, at + outward * 0.5), along[:-1] + 0.5], 1)
        if side >= 2:
            crossings, centres = crossings[:, ::-1], centres[:, ::-1]
        hot = np.concatenate([
            _heat_near(heat, heat.crossings, lattice, crossings), _heat_near(heat, heat.centres, lattice, centres)
        ])  # fmt: skip
        if hot.mean() > _SUPPORT:
            window[side] += outward
    return window[0], window[1], window[2], window[3]
