"""Boards without fiducials: whose they are, which side of them is up, and whose stickers lie on the no man's land."""

from __future__ import annotations

from dataclasses import replace

from poradek_vision.find import rectify, turn_grid
from poradek_vision.mark import BoardMarkSettings, OwnerReading, OwnerSettings, read_mark, read_owners
from poradek_vision.model import BoardReading, Flag, Game, GridFit, MarkReading, Photo
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
