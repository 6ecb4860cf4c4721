"""A lattice grown from what the network sees, where the lines themselves are hidden, and its N × N window.

Frame: *index* coordinates as in ``lattice``: crossings at whole numbers, cells' centres half way between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.ruled.evidence import Evidence, FloatPicture
from poradek_vision.find.ruled.heat import Heat, Maps, hottest_cell, paint_closer, spots, without
from poradek_vision.find.ruled.lattice import Lattice, Window, fit_points, seed_lattice
from poradek_vision.find.ruled.seeds import Seed, sample
from poradek_vision.geometry import FloatArray, box_sums

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


Hot = tuple[Lattice, HotWindow]
"""A lattice that the network sees, over its best window."""


def hot_lattices(maps: Maps, evidence: Evidence, sizes: Sequence[int]) -> list[Hot]:
    """Lattices that the network sees in a whole decoded photo, with their best windows.

    1. In each heat map from its hottest cell; what a lattice explains is taken out, and the next hottest tried.
    2. Where none is clear, once more from closer where it is hot.

    Those that overlap are all returned.
    """
    coarse, fine = maps.coarse(evidence.scale), maps.fine(evidence.scale)
    found = [*lattices_in(coarse, sizes), *lattices_in(fine, sizes)]
    if not any(best.mean >= _CLEAR for _, best in found):
        for closer in paint_closer(maps.rgb, evidence, fine):
            found += lattices_in(closer, sizes)
    return found


_CLEAR = 0.5
"""Mean heat of a window from which a closer look shows no more: on 13 rendered boards with lines in doubt it led
to no other cells."""
_MOST_TRIES, _MOST_VAIN = 8, 2
"""Cells from which lattices are grown in a map, and those that may lead to none that is warm."""
_RIM = 0.5
"""What lies so far beyond a window is explained by it, cells."""


def lattices_in(heat: Heat, sizes: Sequence[int]) -> Iterator[Hot]:
    """The lattices of a map with their best windows, from the hottest cell on, each taken out before the next."""
    vain = 0
    for _ in range(_MOST_TRIES):
        seed = hottest_cell(heat)
        if seed is None or vain == _MOST_VAIN:
            break
        grown = grow_hot(heat, seed, most=max(sizes) + 4)
        best = hot_window(heat, grown, sizes)
        vain += best is None or best.mean < _WARM
        heat = without(heat, outline_of(grown))  # all of it: what is left of a puzzle is no board
        if best:
            lattice = Lattice(grown.coefficients, grown.centre, best.window)
            yield lattice, best
            heat = without(heat, outline_of(lattice))


_WARM = 0.4
"""Mean heat of a window that may be a board's."""


def outline_of(lattice: Lattice) -> FloatArray:
    """The outline (4, 2), work px, of a lattice's window with what is near it."""
    u0, u1, v0, v1 = lattice.window
    corners = [[u0 - _RIM, v0 - _RIM], [u1 + _RIM, v0 - _RIM], [u1 + _RIM, v1 + _RIM], [u0 - _RIM, v1 + _RIM]]
    return lattice(np.array(corners))


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
    ranked = [option for n in sizes if n <= min(rows, cols) - 2 for option in _best_of_size(hot, n)]
    if not ranked:
        return None
    first, *others = sorted(ranked, key=lambda option: -option[0])
    total, mean, n, j, i = first
    lead = (total - others[0][0] if others else total) / n
    u, v = wide[0] + i, wide[2] + j
    return HotWindow((u, u + n, v, v + n), mean + _COLD, lead)


def _best_of_size(hot: tuple[FloatArray, FloatArray], n: int) -> list[tuple[float, float, int, int, int]]:
    """The two best windows of n × n cells with a cell all around: evidence, mean heat, n, first row and column."""

    def summed(cells: int) -> FloatArray:
        return box_sums(hot[0], cells + 1, cells + 1) + box_sums(hot[1], cells, cells)

    own = summed(n)[1:-1, 1:-1]
    evidence = 2 * own - summed(n + 2)
    best = np.argsort(-evidence, axis=None, kind="stable")[:2]
    places = zip(*np.unravel_index(best, evidence.shape), strict=True)
    count = (n + 1) ** 2 + n * n
    return [(float(evidence[j, i]), float(own[j, i]) / count, n, int(j) + 1, int(i) + 1) for j, i in places]


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
    nodes = _nodes(lattice.window)
    placed = lattice(np.concatenate(nodes) + _AROUND[:, None])
    parts = np.split(placed, [len(nodes[0])], axis=1)
    seen = [_matched(heat, *each) for each in zip(found, nodes, parts, strict=True)]
    index, want, trust = (np.concatenate(part) for part in zip(*seen, strict=True))
    return fit_points(lattice, index, want, trust, _SCATTER)


_AROUND = np.array([[0, 0], [0.5, 0], [-0.5, 0], [0, 0.5], [0, -0.5]])
"""A place, and half a cell right, left, below and above of it."""


def _matched(
    heat: Heat, found: Spots, index: FloatArray, placed: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Those of a lattice's places (N, 2) that have a spot near: they, the spots in work px, and how hot these are.

    ``placed`` (5, N, 2) is where they lie, and what is around each, work px.
    """
    if not len(found.hot):
        return index[:0], index[:0], found.hot
    at, right, left, below, above = placed
    x, y = np.clip(np.round(heat.map_px(at)).astype(np.intp).T, 0, np.array(found.nearest.shape[::-1])[:, None] - 1)
    nearest = found.nearest[y, x]
    along, down = right - left, below - above
    cell = np.minimum(np.hypot(along[:, 0], along[:, 1]), np.hypot(down[:, 0], down[:, 1]))
    away = found.points[nearest] - at
    near = np.hypot(away[:, 0], away[:, 1]) < _REACH * cell
    return index[near], found.points[nearest[near]], found.hot[nearest[near]]


def _moved(heat: Heat, lattice: Lattice) -> Window:
    """The window with every side moved on by one whose strip beyond is hot."""
    u0, u1, v0, v1 = lattice.window
    wide = (u0 - 1, u1 + 1, v0 - 1, v1 + 1)
    crossings, centres = _nodes(wide)
    shape = v1 - v0 + 3, u1 - u0 + 3
    lines = _heat_near(heat, heat.crossings, lattice, crossings).reshape(shape)
    cells = _heat_near(heat, heat.centres, lattice, centres).reshape(shape[0] - 1, shape[1] - 1)
    left, right, above, below = (
        float(np.concatenate([_strip(lines, k), _strip(cells, k)]).mean()) > _SUPPORT for k in range(4)
    )
    return u0 - left, u1 + right, v0 - above, v1 + below


def _strip(values: FloatArray, side: int) -> FloatArray:
    """What values (rows, cols) have at the left, right, upper or lower side, without the corners."""
    by_side = values.T if side < 2 else values
    return by_side[-1 if side % 2 else 0, 1:-1]
