"""Grids ruled by hand: found by their lines, grown from one cell, refused where two sizes or places fit alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poradek_vision.find.ruled.choice import Choice, choose
from poradek_vision.find.ruled.evidence import Evidence, gather
from poradek_vision.find.ruled.lattice import Lattice, grow
from poradek_vision.find.ruled.refine import Ruling, follow
from poradek_vision.find.ruled.seeds import Seeds, find_seeds
from poradek_vision.geometry import FloatArray, fit_homography, plain_matrix, plain_points, project
from poradek_vision.model import Flag, GridFit, Photo, Point

__all__ = ["Ruled", "RuledSettings", "find_ruled"]


@dataclass(frozen=True, slots=True)
class RuledSettings:
    """Numbers of finding hand-made grids."""

    most_seeds: int = 12
    """Cells from which a grid is grown."""


_SURE_WORTH, _SURE_LEAD = 0.2, 1.0
"""A lattice so clear ends the search around it; measured on rendered photos, where false ones reach 0.1."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """What came of a photo's lines: grids found, and quads (file px) of lattices that were no board's."""

    grids: tuple[GridFit, ...]
    candidates: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    """A lattice and its best window."""

    lattice: Lattice
    choice: Choice

    @property
    def worth(self) -> float:
        """Clear lines, and none half way between."""
        return self.choice.score - 2 * self.choice.between

    @property
    def sure(self) -> bool:
        """Whether no other seed in it needs to be tried."""
        return self.worth > _SURE_WORTH and self.choice.lead > _SURE_LEAD

    def quad(self) -> FloatArray:
        """Corners, (4, 2) work px."""
        u0, u1, v0, v1 = self.choice.window
        return self.lattice(np.array([[u0, v0], [u1, v0], [u1, v1], [u0, v1]], np.float64))

    def holds(self, point: FloatArray) -> bool:
        """Whether a point lies in it."""
        quad = self.quad()
        board = project(fit_homography(quad, [[0, 0], [1, 0], [1, 1], [0, 1]]), point[None])[0]
        return bool(np.all((board > -0.05) & (board < 1.05)))


def candidates(evidence: Evidence, sizes: Sequence[int], settings: RuledSettings) -> list[_Candidate]:
    """Lattices grown from the best seeds, the best first."""
    seeds = find_seeds(evidence, 80)
    found: list[_Candidate] = []
    tried: list[tuple[FloatArray, FloatArray, FloatArray]] = []
    for k in range(len(seeds)):
        if len(tried) >= settings.most_seeds:
            break
        if _like(seeds, k, tried) or any(
            c.sure and c.holds(seeds.origin[k] + (seeds.along[k] + seeds.down[k]) / 2)
            for c in found
        ):
            continue
        tried.append((seeds.origin[k], seeds.along[k], seeds.down[k]))
        lattice = grow(evidence, *tried[-1], most=max(sizes) + 4)
        choice = choose(evidence, lattice, sizes)
        if choice is not None:
            found.append(_Candidate(lattice, choice))
    return sorted(found, key=lambda c: -c.worth)


def _like(seeds: Seeds, k: int, tried: list[tuple[FloatArray, FloatArray, FloatArray]]) -> bool:
    """Whether a seed says the same as one tried before: a cell of the same size, a whole number of cells away."""
    for origin, along, down in tried:
        here = np.stack([seeds.along[k], seeds.down[k]], 1)
        there = np.linalg.inv(np.stack([along, down], 1))
        turned = np.abs(there @ here)
        step = there @ (seeds.origin[k] - origin)
        if (
            np.abs(np.sort(turned.ravel()) - [0, 0, 1, 1]).max() < 0.2
            and np.abs(step).max() < 3.5
            and np.abs(step - np.round(step)).max() < 0.2
        ):
            return True
    return False
