"""A grid from the four corners that a person pointed at."""

from __future__ import annotations

import numpy as np

from poradek_vision.find.frame import Layout, line_sites
from poradek_vision.find.printed import GrowthSettings
from poradek_vision.find.sight import sight, views
from poradek_vision.find.surface import Surface, corner_sightings, fit_surface, flat_surface, residuals
from poradek_vision.geometry import FloatArray, fit_homography, plain_matrix, plain_points
from poradek_vision.model import GridFit, Photo

_LEAST_SEEN = 0.3
"""Share of the grid's pieces of lines that must be seen for them to overrule straight lines between the corners."""


def fit_corners(photo: Photo, corners: FloatArray, rows: int, cols: int, settings: GrowthSettings) -> GridFit:
    """The grid whose corners a person gave; lines that are seen near the expected place refine it.

    Parameters
    ----------
    photo : Photo
    corners : ndarray of shape (4, 2)
        File px, clockwise from the board's own top left.
    rows, cols : int
    settings : GrowthSettings

    Raises
    ------
    ValueError
        If three of the corners lie on a line.
    """
    layout = Layout(rows, cols, _ANY_CELL_MM, 0)
    board = np.array([[0, 0], [cols, 0], [cols, rows], [0, rows]], np.float64)
    points = (corners + 0.5) * photo.scale - 0.5
    given = corner_sightings(board, points)
    surface = flat_surface(fit_homography(points, board), rows, cols)
    pictures, sites = views(photo.pixels), line_sites(layout)
    refined, error = surface, 0.0
    for reach in (settings.reach_first_cells, settings.reach_last_cells, settings.reach_last_cells):
        seen = sight(pictures, refined, sites, reach)
        if len(seen.points) < _LEAST_SEEN * len(sites):
            refined, error = surface, 0.0
            break
        refined = fit_surface(seen + given, refined, settings.scale_last_cells, settings.stiffness, bend=True)
        error = float(np.median(np.abs(residuals(seen, refined))))
    return _record(photo, refined, layout, error)


_ANY_CELL_MM = 20.0
"""Only the width of the lines follows from it."""


def _record(photo: Photo, surface: Surface, layout: Layout, error_cells: float) -> GridFit:
    """The fit as a plain record, in file px."""
    board = layout.crossings()
    crossings = (surface.photo(board) + 0.5) / photo.scale - 0.5
    side_px = float(np.median(np.hypot(*np.moveaxis(np.diff(crossings, axis=1), -1, 0))))
    return GridFit(
        rows=layout.rows,
        cols=layout.cols,
        photo_from_board=plain_matrix(fit_homography(board.reshape(-1, 2), crossings.reshape(-1, 2))),
        crossings=tuple(plain_points(line) for line in crossings),
        error_px=error_cells * side_px,
        how="by hand",
    )
