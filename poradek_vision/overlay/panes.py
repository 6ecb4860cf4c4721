"""The two panes of a debug picture: the photo with the grid found, and the board laid flat with its readings."""

from __future__ import annotations

import numpy as np

import poradek_vision.overlay.pen as pen
import poradek_vision.overlay.words as words
from poradek_vision.geometry import FloatArray
from poradek_vision.model import EMPTY, BoardReading, CellReading, Game, GridFit, Photo
from poradek_vision.overlay.legend import fill_of
from poradek_vision.overlay.pen import Picture
from poradek_vision.overlay.views import View, around, flat, whole

MARGIN_CELLS = 0.42
"""Shown round the grid, dimmed: a frame taken for a row of cells is then plain to see."""
_SMALL_SHARE = 0.4
"""Surroundings that are a smaller part of the photo get an inset of the whole photo."""
_INSET_PX = 170
_OWNER_FILL = (60, 62, 68)


def paint_photo(place: Picture, photo: Photo, reading: BoardReading) -> None:
    """Paint the photo round the board: grid lines, fiducials with their ids, numbers of rows and columns, doubts.

    Parameters
    ----------
    place : ndarray of shape (h, w, 3), uint8
        Painted on; the photo is centred in it.
    photo : Photo
    reading : BoardReading
    """
    grid = reading.grid
    tags = [np.asarray(quad) for _, quad in grid.fiducials]
    view = around(photo, np.concatenate([np.reshape(grid.crossings, (-1, 2)), *tags]), *place.shape[1::-1])
    pane = _middle(place, view.size)
    view.paint(photo, pane)
    crossings = view.place(photo, grid.crossings)
    pen.lines(pane, [*crossings, *crossings.swapaxes(0, 1)], False, pen.FOUND)
    pen.lines(pane, [view.place(photo, quad) for quad in tags], True, pen.FOUND, 2)
    for (tag, _), quad in zip(grid.fiducials, tags, strict=True):
        pen.centred(pane, f"{tag}", view.place(photo, quad).mean(0), 20, pen.FOUND)
    doubtful = [_cell_quad(crossings, cell.row, cell.col) for cell in reading.cells if cell.flags]
    pen.lines(pane, doubtful, True, pen.DOUBT, 3)
    _number_sides(pane, crossings)
    _paint_inset(pane, photo, view)


def _middle(place: Picture, size: tuple[int, int]) -> Picture:
    """The middle of a picture: a view of it, ``size`` = (width, height) px."""
    left, top = (max(0, whole_px - px) // 2 for whole_px, px in zip(place.shape[1::-1], size, strict=True))
    return place[top : top + size[1], left : left + size[0]]


def _cell_quad(crossings: FloatArray, row: int, col: int, inset: float = 0.06) -> FloatArray:
    """The outline of a cell, (4, 2), a little inside its lines."""
    corners = crossings[[row, row, row + 1, row + 1], [col, col + 1, col + 1, col]]
    outline: FloatArray = corners + inset * (corners.mean(0) - corners)
    return outline


def _number_sides(pane: Picture, crossings: FloatArray) -> None:
    """Columns along the board's own top, rows along its own left, from 1: this shows which way up it was read."""
    for side in (crossings, crossings.swapaxes(0, 1)):
        middles, inner = ((line[:-1] + line[1:]) / 2 for line in side[:2])
        height = int(np.clip(0.3 * np.hypot(*(inner - middles).T).min(), 15, 28))
        for k, at in enumerate(middles + 0.36 * (middles - inner)):
            pen.centred(pane, f"{k + 1}", at, height, pen.INK)


def _paint_inset(pane: Picture, photo: Photo, view: View) -> None:
    """The whole photo, small, with the part shown: which board of several this is."""
    rows, cols = photo.pixels.shape[:2]
    if (view.right - view.left) * (view.bottom - view.top) > _SMALL_SHARE * rows * cols:
        return
    small = whole(photo, _INSET_PX, _INSET_PX)
    width, height = small.size
    inset = pane[:height, :width]
    if inset.shape[:2] != (height, width):
        return
    small.paint(photo, inset)
    left, top, right, bottom = (side * small.scale for side in (view.left, view.top, view.right, view.bottom))
    pen.lines(inset, [[(left, top), (right, top), (right, bottom), (left, bottom)]], True, pen.FOUND, 2)
    pen.frame(inset, (0, 0, width, height), pen.INK, 1)


def paint_cells(place: Picture, photo: Photo, reading: BoardReading, game: Game) -> None:
    """Paint the board laid flat, upright, with the reading of each cell.

    Parameters
    ----------
    place : ndarray of shape (h, w, 3), uint8
        Painted on; the board is centred in it.
    photo : Photo
    reading : BoardReading
    game : Game
    """
    grid = reading.grid
    cells_across, cells_down = grid.cols + 2 * MARGIN_CELLS, grid.rows + 2 * MARGIN_CELLS
    cell_px = min(place.shape[1] / cells_across, place.shape[0] / cells_down)
    pane = _middle(place, (round(cells_across * cell_px), round(cells_down * cell_px)))
    _lay_flat(pane, photo, grid, cell_px)
    for cell in reading.cells:
        paint_reading(pane, cell, cell_box(cell, cell_px), game)
    _number_margins(pane, grid, cell_px)


def cell_box(cell: CellReading, cell_px: float) -> tuple[int, int, int, int]:
    """Where a cell lies in the board's pane: left, top, right, bottom, the last two not included."""
    left, top = (round((k + MARGIN_CELLS) * cell_px) for k in (cell.col, cell.row))
    right, bottom = (round((k + 1 + MARGIN_CELLS) * cell_px) for k in (cell.col, cell.row))
    return left, top, right, bottom


def _lay_flat(pane: Picture, photo: Photo, grid: GridFit, cell_px: float) -> None:
    """Paint the board, its margin dimmed, thin lines where the grid was found; sampled at half the pane's size."""
    region = (-MARGIN_CELLS, -MARGIN_CELLS, grid.cols + MARGIN_CELLS, grid.rows + MARGIN_CELLS)
    height, width = ((px + 1) // 2 for px in pane.shape[:2])
    pen.paste(pane, flat(photo, grid, region, width, height))
    across = [round((k + MARGIN_CELLS) * cell_px) for k in range(grid.cols + 1)]
    down = [round((k + MARGIN_CELLS) * cell_px) for k in range(grid.rows + 1)]
    left, right, top, bottom = across[0], across[-1], down[0], down[-1]
    for margin in (pane[:top], pane[bottom:], pane[top:bottom, :left], pane[top:bottom, right:]):
        margin >>= 1
    for y in down:
        pane[y, left:right] = pen.FOUND
    for x in across:
        pane[top:bottom, x] = pen.FOUND


def _number_margins(pane: Picture, grid: GridFit, cell_px: float) -> None:
    """Numbers of rows and columns in the margin."""
    size = int(np.clip(0.24 * cell_px, 14, 26))
    middle = MARGIN_CELLS * cell_px / 2
    for k in range(grid.cols):
        _centred_text(pane, f"{k + 1}", ((k + 0.5 + MARGIN_CELLS) * cell_px, middle), size)
    for k in range(grid.rows):
        _centred_text(pane, f"{k + 1}", (middle, (k + 0.5 + MARGIN_CELLS) * cell_px), size)


def _centred_text(pane: Picture, sign: str, at: tuple[float, float], size: int) -> None:
    pen.write(pane, sign, (at[0] - pen.width_of(sign, size, True) / 2, at[1] + 0.36 * size), size, bold=True)


def paint_reading(pane: Picture, cell: CellReading, box: tuple[int, int, int, int], game: Game) -> None:
    """One cell's letter on its swatch, its owner, its confidence where that is not full, a bold frame if in doubt."""
    left, top, right, bottom = box
    side = right - left
    height = int(np.clip(0.27 * side, 15, 34))
    inset = 3
    if cell.flags:
        stroke = max(3, side // 18)
        pen.frame(pane, box, pen.DOUBT, stroke)
        inset = stroke + 3
    x, y = left + inset, bottom - inset - height
    if cell.colour != EMPTY or cell.flags:
        x += pen.chip(pane, cell.colour + "?" * words.colour_doubtful(cell), (x, y), height, fill_of(cell.colour, game))
    if words.in_two_minds(cell):
        small = int(0.8 * height)
        pen.chip(pane, cell.second, (x + 2, bottom - inset - small), small, fill_of(cell.second, game))
    if owner := words.owner(cell, game):
        pen.chip(pane, owner, (left + inset, top + inset), height, _OWNER_FILL)
    if percent := words.percent(cell):
        small = max(14, int(0.7 * height))
        pen.chip(pane, percent, (right - inset - pen.chip_width(percent, small), top + inset), small, pen.GROUND)
