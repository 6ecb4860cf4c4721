"""A ruled grid's borders told from the paper's edges: beside a line there is paper on both sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poradek_vision.find.rectify import rectify
from poradek_vision.geometry import FloatArray
from poradek_vision.model import GridFit, Photo


@dataclass(frozen=True, slots=True)
class RimSettings:
    """Numbers of telling borders from edges, each with its unit."""

    px_per_cell: int = 32
    inside_cells: tuple[float, float] = (0.08, 0.2)
    outside_cells: tuple[float, float] = (0.1, 0.3)
    """How far from a border the paper inside and what lies outside are looked at."""
    step: float = 0.25
    """Difference of their light, as that of a channel's log (sRGB), from which they are not one sheet of paper."""
    edge_share: float = 0.7
    """Share of a border's places with such a step from which it is the paper's edge."""


def on_papers_edge(
    photo: Photo, grid: GridFit, empty: npt.NDArray[np.bool_], settings: RimSettings
) -> tuple[bool, bool, bool, bool]:
    """Which borders of a grid may be edges of its paper: top, right, bottom, left.

    Only a border along which no cell has a sticker can be: paper that ends about one cell beyond the board looks like
    one more line of it.

    Parameters
    ----------
    photo : Photo
    grid : GridFit
    empty : ndarray of shape (rows, cols), bool
        Which cells have no sticker.
    settings : RimSettings
    """
    if not any(np.rot90(empty, turns)[0].all() for turns in range(4)):
        return False, False, False, False
    margin = settings.outside_cells[1]
    rectified = rectify(photo, grid, settings.px_per_cell, (-margin, -margin, grid.cols + margin, grid.rows + margin))
    light = np.log(rectified.pixels.astype(np.float64) + _BLACK)
    light[~rectified.seen] = np.nan
    sides = [
        bool(np.rot90(empty, turns)[0].all()) and _edge_share(np.rot90(light, turns), settings) > settings.edge_share
        for turns in range(4)
    ]
    return sides[0], sides[1], sides[2], sides[3]


_BLACK = 16.0
"""Added to levels, so that noise in the dark makes no step."""


def _edge_share(light: FloatArray, settings: RimSettings) -> float:
    """Share of the places along the top border of a board (h, w, 3) with a step across it; 0 where none is seen."""
    px, margin = settings.px_per_cell, settings.outside_cells[1]
    outside, inside = (
        np.median(light[slice(*sorted(round((margin + way * cells) * px) for cells in reach))], axis=0)
        for way, reach in ((-1, settings.outside_cells), (1, settings.inside_cells))
    )
    along = slice(round(margin * px), len(outside) - round(margin * px))
    steps = np.abs(outside - inside)[along].max(-1)
    seen = steps[~np.isnan(steps)]
    return float((seen > settings.step).mean()) if 2 * seen.size > steps.size else 0.0
