"""Forms, calendars and puzzles told from boards: on a board nobody writes into empty cells."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.rectify import rectify
from poradek_vision.geometry import FloatArray
from poradek_vision.model import GridFit, Photo


@dataclass(frozen=True, slots=True)
class FormSettings:
    """Numbers of telling forms, each with its unit."""

    px_per_cell: int = 40
    stroke_px: int = 11
    """What is darker than its surroundings and narrower than this is a line or writing."""
    rim_cells: float = 0.15
    """What is so near a cell's border may be the border."""
    dark_share: float = 0.5
    """Writing is at least this dark against the grid's lines; what squared paper has is fainter."""
    ink_share: float = 0.02
    """A cell of which so much is written on has writing in it: print in calendars and timetables takes 0.03 and more,
    empty cells of rendered boards mostly nothing."""


def written_share(photo: Photo, grid: GridFit, empty: npt.NDArray[np.bool_], settings: FormSettings) -> float:
    """The share of a grid's empty cells that something is written in; 0 where none is empty.

    Parameters
    ----------
    photo : Photo
    grid : GridFit
    empty : ndarray of shape (rows, cols), bool
        Which cells have no sticker.
    settings : FormSettings
    """
    if not empty.any():
        return 0.0
    px = settings.px_per_cell
    ink = _ink(rectify(photo, grid, px, (0, 0, grid.cols, grid.rows)).pixels, settings)
    cells = ink.reshape(grid.rows, px, grid.cols, px).transpose(0, 2, 1, 3)
    rim = round(settings.rim_cells * px)
    borders = np.concatenate([cells[..., :_BORDER_PX, :].max(2), cells[..., :_BORDER_PX].max(3)])
    dark = settings.dark_share * float(np.percentile(borders, 60))
    written = (cells[..., rim : px - rim, rim : px - rim] > dark).mean((2, 3)) > settings.ink_share
    return float(written[empty].mean())


_BORDER_PX = 4
"""So near its place the border of a cell is, px."""
_BLACK = 24.0
"""Added to levels before dividing, so that noise in the dark does not pass for ink."""


def _ink(board: npt.NDArray[np.uint8], settings: FormSettings) -> FloatArray:
    """Share of light that narrow dark things take, (h, w)."""
    smooth = cv2.GaussianBlur(board, (3, 3), 0.6)
    filled = cv2.morphologyEx(smooth, cv2.MORPH_CLOSE, np.ones((settings.stroke_px,) * 2, np.uint8))
    ink: FloatArray = cv2.subtract(filled, smooth).sum(-1) / (filled.sum(-1) + _BLACK)
    return ink
