"""How a seed grows into a lattice: it goes on where the strip beyond its window shows lines, or stickers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from poradek_vision.find.ruled.evidence import Evidence
from poradek_vision.find.ruled.lattice import Lattice, Window, fit_lines, seed_lattice
from poradek_vision.find.ruled.looks import Looks, cover, level, look, visible
from poradek_vision.find.ruled.seeds import Seed

_NOISE = 0.04
"""Scatter of hand-drawn lines, cells."""
_SUPPORT = 0.3
"""Share of a strip's pieces seen (or of its cells with stickers) from which the lattice goes on."""


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
        lattice = _fit(seen, lattice)
        moved = _moved(evidence, seen, lattice, wide)
        still = still + 1 if moved == window else 0
        if still == 2 or (moved[1] - moved[0] > most and moved[3] - moved[2] > most):
            break
        lattice = Lattice(lattice.coefficients, lattice.centre, moved)
    return lattice


def _fit(seen: Looks, lattice: Lattice) -> Lattice:
    """The map fitted to what was seen."""
    strength = seen.strength
    scale = max(level(strength, 0.75), 0.02)
    trust = (np.clip(seen.ink / scale - 0.25, 0, 1) * np.clip(strength / scale - 0.25, 0, 1)[:, None]).ravel()
    told = np.flatnonzero(trust)  # the others say nothing
    normal = seen.normal.reshape(-1, 2)
    want = np.sum(normal * seen.points.reshape(-1, 2), 1) + seen.shift.ravel()
    return fit_lines(lattice, seen.index.reshape(-1, 2)[told], normal[told], want[told], trust[told], _NOISE)


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
