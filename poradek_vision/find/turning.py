"""A grid seen with another side up, the same lines counted from another corner; or without some of its lines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import fit_homography, plain_matrix, plain_points
from poradek_vision.model import GridFit


def turn_grid(grid: GridFit, quarter_turns: int) -> GridFit:
    """A grid after its rectified picture was turned counterclockwise by quarter turns.

    Parameters
    ----------
    grid : GridFit
    quarter_turns : int
        As in ``numpy.rot90``: 1 makes the right side the top.

    Returns
    -------
    GridFit
        With the same crossings in another order, the homography that goes with it, and the same cells in doubt.

    Examples
    --------
    >>> crossings = tuple(tuple((float(x), float(y)) for x in range(2)) for y in range(2))
    >>> unit = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    >>> turn_grid(GridFit(1, 1, unit, crossings, 0.0, "ruled"), 1).crossings[0]
    ((1.0, 0.0), (1.0, 1.0))
    """
    if quarter_turns % 4 == 0:
        return grid
    crossings = np.rot90(np.asarray(grid.crossings), quarter_turns)
    rows, cols = crossings.shape[0] - 1, crossings.shape[1] - 1
    board = np.stack(np.meshgrid(np.arange(cols + 1.0), np.arange(rows + 1.0)), -1)
    unsure = np.zeros((grid.rows, grid.cols), np.bool_)
    unsure[tuple(np.array(grid.unsure, np.intp).reshape(-1, 2).T)] = True
    return replace(
        grid,
        rows=rows,
        cols=cols,
        photo_from_board=plain_matrix(fit_homography(board.reshape(-1, 2), crossings.reshape(-1, 2))),
        crossings=tuple(plain_points(line) for line in crossings),
        unsure=marked_cells(np.rot90(unsure, quarter_turns)),
    )


def cut_grid(grid: GridFit, rows: slice, cols: slice) -> GridFit:
    """Some rows and columns of a grid.

    Parameters
    ----------
    grid : GridFit
    rows, cols : slice
        Of its cells, each with a start and a stop.

    Returns
    -------
    GridFit
        With their crossings, the homography that goes with these, and their cells in doubt.
    """
    lines = np.asarray(grid.crossings)[rows.start : rows.stop + 1, cols.start : cols.stop + 1]
    high, wide = rows.stop - rows.start, cols.stop - cols.start
    board = np.stack(np.meshgrid(np.arange(wide + 1.0), np.arange(high + 1.0)), -1)
    unsure = [(row - rows.start, col - cols.start) for row, col in grid.unsure]
    return replace(
        grid,
        rows=high,
        cols=wide,
        photo_from_board=plain_matrix(fit_homography(board.reshape(-1, 2), lines.reshape(-1, 2))),
        crossings=tuple(plain_points(line) for line in lines),
        unsure=tuple((row, col) for row, col in unsure if 0 <= row < high and 0 <= col < wide),
    )


def marked_cells(cells: npt.NDArray[np.bool_]) -> tuple[tuple[int, int], ...]:
    """Row and column of the marked ones among cells (rows, cols).

    Parameters
    ----------
    cells : ndarray of shape (rows, cols), bool

    Examples
    --------
    >>> marked_cells(np.array([[False, True], [True, False]]))
    ((0, 1), (1, 0))
    """
    return tuple((int(row), int(col)) for row, col in np.argwhere(cells))
