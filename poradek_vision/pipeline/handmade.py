"""Boards without fiducials: whose they are, which side of them is up, and whose stickers lie on the no man's land."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from poradek_vision.find import rectify, turn_grid
from poradek_vision.geometry import FloatArray
from poradek_vision.mark import (
    BoardMarkSettings,
    OwnerReading,
    OwnerSettings,
    goes_beyond,
    has_chalk,
    read_chalk,
    read_mark,
    read_owners,
)
from poradek_vision.model import BoardReading, Flag, Game, GridFit, MarkReading, Photo, Rectified
from poradek_vision.pipeline.names import team_in_name
from poradek_vision.settle import turn


def read_whose(
    photo: Photo, grid: GridFit, others: Sequence[GridFit], game: Game, settings: BoardMarkSettings
) -> tuple[MarkReading, GridFit]:
    """Whose board it is: by what is written near its grid, else by the photo's name or folders.

    Where it is in doubt a wider look may tell, if the paper goes on, or one for chalk, if there is any.

    Parameters
    ----------
    photo : Photo
    grid : GridFit
    others : sequence of GridFit
        The other grids in the photo: what is written nearer to them is theirs.
    game : Game
    settings : BoardMarkSettings

    Returns
    -------
    mark : MarkReading
        In doubt where the writing names one team and the photo's name another, or hardly one, and the name none.
    grid : GridFit
        With the mark upright; a grid that a person gave keeps the side that was said to be up.
    """
    near = _around(photo, grid, others, settings, settings.writing.margin_cells)
    read = read_mark(near, grid.rows, grid.cols, game, settings)
    if read[0].flags and goes_beyond(near, grid.rows, grid.cols):
        wide = _around(photo, grid, others, settings, settings.writing.wide_margin_cells)
        farther = read_mark(wide, grid.rows, grid.cols, game, settings)
        if farther[0].team and read[0].team in ("", farther[0].team):
            read = farther
    if read[0].flags and has_chalk(near, grid.rows, grid.cols):
        chalk = read_chalk(near, grid.rows, grid.cols, game, settings)
        if not chalk[0].flags and read[0].team in ("", chalk[0].team):
            read = chalk
    mark, quarter_turns = read
    mark = _with_name(mark, team_in_name(photo.name, game))
    return mark, turn_grid(grid, quarter_turns if grid.how == "ruled" else 0)


def _around(
    photo: Photo, grid: GridFit, others: Sequence[GridFit], settings: BoardMarkSettings, margin: float
) -> Rectified:
    """A board with so many cells round it, as far as these are nearer to it than to other boards."""
    region = (-margin, -margin, grid.cols + margin, grid.rows + margin)
    return _own_side(rectify(photo, grid, settings.writing.px_per_cell, region), grid, others)


def _own_side(rectified: Rectified, grid: GridFit, others: Sequence[GridFit]) -> Rectified:
    """A board of which only that is seen which is nearer to its grid than to any other."""
    board_from_photo = np.linalg.inv(np.array(grid.photo_from_board))
    outlines = [outline for other in others if len(outline := _corners_here(board_from_photo, other, grid))]
    if not outlines:
        return rectified
    own = np.array([[0, 0], [grid.cols, 0], [grid.cols, grid.rows], [0, grid.rows]], np.float64)
    height, width = rectified.seen.shape
    x, y = (np.arange(0, side, _STEP_PX) / rectified.px_per_cell for side in (width, height))
    places = np.stack(np.meshgrid(x, y), -1) + rectified.origin_cells
    mine = _away(places, own) < np.min([_away(places, outline) for outline in outlines], axis=0)
    wide = mine.repeat(_STEP_PX, 0).repeat(_STEP_PX, 1)[:height, :width]
    return replace(rectified, seen=rectified.seen & wide)


_STEP_PX = 8
"""So far apart are the places that are given to one grid or another, rectified px."""


def _corners_here(board_from_photo: FloatArray, other: GridFit, grid: GridFit) -> FloatArray:
    """The corners (4, 2) of another grid, in cells of this one; none (0, 2) where one lies beyond its horizon."""
    corners = np.asarray(other.crossings)[[0, 0, -1, -1], [0, -1, -1, 0]]
    middle = np.mean(grid.crossings, axis=(0, 1))
    seen = np.hstack([np.vstack([corners, middle]), np.ones((5, 1))]) @ board_from_photo.T
    before = seen[:4, 2] / seen[4, 2] > _NEAR_HORIZON
    return seen[:4, :2] / seen[:4, 2:] if before.all() else np.empty((0, 2))


_NEAR_HORIZON = 0.05
"""What lies so near a board's horizon, against the board itself, is far away from it."""


def _away(places: FloatArray, outline: FloatArray) -> FloatArray:
    """How far places (..., 2) lie from a convex outline (N, 2), clockwise or not; 0 within it."""
    start, along = outline, np.roll(outline, -1, axis=0) - outline
    off = places[..., None, :] - start
    share = np.clip((off * along).sum(-1) / np.maximum((along**2).sum(-1), 1e-12), 0, 1)
    apart = np.linalg.norm(off - share[..., None] * along, axis=-1).min(-1)
    side = along[:, 0] * off[..., 1] - along[:, 1] * off[..., 0]
    away: FloatArray = np.where((side > 0).all(-1) | (side < 0).all(-1), 0.0, apart)
    return away


def _with_name(mark: MarkReading, named: str) -> MarkReading:
    """A mark, with the team that the photo's name names, if any."""
    if not named:
        return mark
    if not mark.team:
        return MarkReading(named, "file name")
    if mark.team == named:
        return replace(mark, flags=())
    return replace(mark, flags=(Flag.TEAM_UNCLEAR,), scores=())  # whatever other boards say, a person must look


def with_owners(photo: Photo, reading: BoardReading, game: Game, settings: OwnerSettings) -> BoardReading:
    """A no man's land with the team that stuck each sticker, or the doubt about it.

    Nobody's board bears no mark that tells which side of a hand-made one is up: its stickers do. Where they leave it
    open, written marks are in doubt.

    Parameters
    ----------
    photo : Photo
    reading : BoardReading
        Its cells with their colours.
    game : Game
    settings : OwnerSettings
    """
    grid, margin = reading.grid, settings.margin_cells
    rectified = rectify(photo, grid, settings.px_per_cell, (-margin, -margin, grid.cols + margin, grid.rows + margin))
    read = read_owners(rectified, reading.cells, game, settings, upright=grid.how != "ruled")
    one_by_one = read.readings
    if not game.teams:  # a letter names no team that a sheet's number could be joined to; a code's number does
        one_by_one = tuple(_unless_letter(one) for one in one_by_one)
    owners = {(one.row, one.col): one for one in one_by_one}
    owned = tuple(
        replace(cell, owner=one.owner, flags=(*cell.flags, *one.flags)) if one else cell
        for cell in reading.cells
        for one in (owners.get((cell.row, cell.col)),)
    )
    quarters = read.side.quarter_turns
    if quarters:
        grid, owned = turn_grid(grid, quarters), turn(owned, grid.rows, -quarters)
    return replace(reading, grid=grid, cells=owned)


def _unless_letter(owner: OwnerReading) -> OwnerReading:
    """A reading whose owner is a number, or else nobody for sure."""
    if not owner.owner or owner.owner.isdigit():
        return owner
    return replace(owner, owner="", flags=(Flag.OWNER_UNCLEAR,))
