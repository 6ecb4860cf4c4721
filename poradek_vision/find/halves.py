"""Half a no man's land as a part of the whole, so that photos of its halves settle like photos of one board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poradek_vision.geometry import fit_homography, plain_matrix, plain_points, project
from poradek_vision.model import GridFit


def whole_grid(grid: GridFit) -> GridFit:
    """The grid of a whole board of which a photo shows one half, as if the paper went on evenly.

    Parameters
    ----------
    grid : GridFit
        With ``half`` set.

    Returns
    -------
    GridFit
        Twice as wide, with the half where it belongs.

    Examples
    --------
    >>> unit = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    >>> crossings = tuple(tuple((float(x), float(y)) for x in range(2)) for y in range(3))
    >>> whole = whole_grid(GridFit(2, 1, unit, crossings, 0.0, "printed", half="right"))
    >>> whole.cols, [round(x) for x, _ in whole.crossings[0]]
    (2, [-1, 0, 1])
    """
    known = np.asarray(grid.crossings)
    first = grid.cols if grid.half == "right" else 0
    board = np.stack(np.meshgrid(np.arange(2 * grid.cols + 1.0), np.arange(grid.rows + 1.0)), -1)
    span = slice(first, first + grid.cols + 1)
    photo_from_board = fit_homography(board[:, span].reshape(-1, 2), known.reshape(-1, 2))
    crossings = project(photo_from_board, board.reshape(-1, 2)).reshape(board.shape)
    crossings[:, span] = known
    return replace(
        grid,
        cols=2 * grid.cols,
        photo_from_board=plain_matrix(photo_from_board),
        crossings=tuple(plain_points(line) for line in crossings),
    )
