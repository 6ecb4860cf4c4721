"""Boards without fiducials: whose they are, which side of them is up, and whose stickers lie on the no man's land."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poradek_vision.find import rectify, turn_grid
from poradek_vision.mark import BoardMarkSettings, OwnerReading, OwnerSettings, Side, read_mark, read_owners, side_up
from poradek_vision.model import BoardReading, Flag, Game, GridFit, MarkReading, Photo, Rectified
from poradek_vision.pipeline.names import team_in_name
from poradek_vision.settle import turn


def read_whose(photo: Photo, grid: GridFit, game: Game, settings: BoardMarkSettings) -> tuple[MarkReading, GridFit]:
    """Whose board it is: by what is written near its grid, else by the photo's name or folders.

    Parameters
    ----------
    photo : Photo
    grid : GridFit
    game : Game
    settings : BoardMarkSettings

    Returns
    -------
    mark : MarkReading
        In doubt where the writing names one team and the photo's name another, or hardly one, and the name none.
    grid : GridFit
        With the mark upright; a grid that a person gave keeps the side that was said to be up.
    """
    margin = settings.writing.margin_cells
    region = (-margin, -margin, grid.cols + margin, grid.rows + margin)
    rectified = rectify(photo, grid, settings.writing.px_per_cell, region)
    mark, quarter_turns = read_mark(rectified, grid.rows, grid.cols, game, settings)
    mark = _with_name(mark, team_in_name(photo.name, game))
    return mark, turn_grid(grid, quarter_turns if grid.how == "ruled" else 0)


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
    """
    grid, cells, margin = reading.grid, reading.cells, settings.margin_cells
    rectified = rectify(photo, grid, settings.px_per_cell, (-margin, -margin, grid.cols + margin, grid.rows + margin))
    side = side_up(rectified, cells, game, settings) if grid.how == "ruled" else Side(0, True)
    if side.quarter_turns:
        rectified = _turned(rectified, side.quarter_turns)
        grid, cells = turn_grid(grid, side.quarter_turns), turn(cells, grid.rows, -side.quarter_turns)
    read = read_owners(rectified, cells, game, settings, side.sure)
    if not game.teams:  # a letter names no team that a sheet's number could be joined to; a code's number does
        read = tuple(_unless_letter(one) for one in read)
    owners = {(one.row, one.col): one for one in read}
    owned = tuple(
        replace(cell, owner=one.owner, flags=(*cell.flags, *one.flags)) if one else cell
        for cell in cells
        for one in (owners.get((cell.row, cell.col)),)
    )
    return replace(reading, grid=grid, cells=owned)


def _turned(rectified: Rectified, quarter_turns: int) -> Rectified:
    """A board with an even margin, turned counterclockwise by quarter turns."""
    pixels = np.ascontiguousarray(np.rot90(rectified.pixels, quarter_turns))
    pixels.setflags(write=False)
    return replace(rectified, pixels=pixels, seen=np.rot90(rectified.seen, quarter_turns))


def _unless_letter(owner: OwnerReading) -> OwnerReading:
    """A reading whose owner is a number, or else nobody for sure."""
    if not owner.owner or owner.owner.isdigit():
        return owner
    return replace(owner, owner="", flags=(Flag.OWNER_UNCLEAR,))
