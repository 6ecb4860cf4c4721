"""Boards ruled with a row and a column more than they have cells, which hold the names of their columns and rows."""

from __future__ import annotations

import numpy as np

from poradek_vision.find.form.laid import BoolArray
from poradek_vision.find.form.telling import FormSettings, inked_cells
from poradek_vision.model import GridFit, Photo


def labelled_side(photo: Photo, grid: GridFit, bare: BoolArray, settings: FormSettings) -> int | None:
    """Which quarter turn brings a row and a column of names to the top and the left, as in a game of battleships.

    Nearly each cell of both but their corner is written in and bears no sticker, and hardly any other cell is written
    in.

    Parameters
    ----------
    photo : Photo
    grid : GridFit
    bare : ndarray of shape (rows, cols), bool
        Which cells have no sticker for sure.
    settings : FormSettings

    Returns
    -------
    int or None
        As in ``numpy.rot90``; None where a grid has no such names.
    """
    corners = [turns for turns in range(4) if _both_sides(np.rot90(bare, turns)).all()]
    if not corners or min(bare.shape) < _LEAST_SIDE:
        return None
    written = inked_cells(photo, grid, settings) & bare
    found = (turns for turns in corners if _is_labelled(np.rot90(written, turns), np.rot90(bare, turns)))
    return next(found, None)


_LEAST_SIDE = 4
"""Cells along a side of the smallest board with its names."""
_MOST_WRITTEN = 0.2
"""Share of the other bare cells that may be written in."""


def _both_sides(cells: BoolArray) -> BoolArray:
    """The cells (N,) of the first row and the first column but their corner."""
    return np.concatenate([cells[0, 1:], cells[1:, 0]])


def _is_labelled(written: BoolArray, bare: BoolArray) -> bool:
    """Whether first row and column hold names, of all cells (rows, cols) that are written in and that are bare."""
    both = _both_sides(written)
    others = written[1:, 1:].sum() <= _MOST_WRITTEN * bare[1:, 1:].sum()
    return bool(both.sum() >= len(both) - 1 and others)
