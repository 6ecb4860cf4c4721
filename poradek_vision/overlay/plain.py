"""Pictures without a word on them, for pages and proofs that put their own words beside them."""

from __future__ import annotations

import poradek_vision.overlay.pen as pen
from poradek_vision.model import GridFit, Photo
from poradek_vision.overlay.pen import Picture
from poradek_vision.overlay.views import flat


def whole_board(photo: Photo, grid: GridFit, px_per_cell: int, margin_cells: float) -> Picture:
    """A board laid flat with a margin round it.

    Parameters
    ----------
    photo : Photo
    grid : GridFit
    px_per_cell : int
    margin_cells : float
        At most 1.

    Returns
    -------
    ndarray of shape ((rows + 2 * margin_cells) * px_per_cell, (cols + 2 * margin_cells) * px_per_cell, 3), uint8
        RGB.
    """
    region = (-margin_cells, -margin_cells, grid.cols + margin_cells, grid.rows + margin_cells)
    width, height = (round((cells + 2 * margin_cells) * px_per_cell) for cells in (grid.cols, grid.rows))
    return flat(photo, grid, region, width, height)


def reduced(pixels: Picture, longest_px: int) -> Picture:
    """A picture made so small that no side is longer than this; as it is where it already is.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB.
    longest_px : int

    Examples
    --------
    >>> reduced(pen.blank(400, 200), 100).shape
    (50, 100, 3)
    """
    height, width = pixels.shape[:2]
    scale = longest_px / max(height, width)
    if scale >= 1:
        return pixels
    small = pen.blank(max(1, round(width * scale)), max(1, round(height * scale)))
    while pixels.shape[0] >= 4 * small.shape[0]:  # each painted pixel stands for two by two
        pixels = pixels[::2, ::2]
    pen.paste(small, pixels)
    return small
