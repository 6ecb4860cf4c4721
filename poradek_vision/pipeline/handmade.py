"""Boards without fiducials: whose they are, which side of them is up, and whose stickers lie on the no man's land."""

from __future__ import annotations

from dataclasses import dataclass, replace

from poradek_vision.find import rectify, turn_grid
from poradek_vision.mark import BoardMarkSettings, OwnerReading, OwnerSettings, read_mark, read_owners
from poradek_vision.model import BoardReading, CellReading, Flag, Game, GridFit, MarkReading, Photo
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
    named = team_in_name(photo.name, game)
    if named and not mark.team:
        mark = MarkReading(named, "file name")
    elif mark.team and named != mark.team and (named or mark.margin < _SURE_MARGIN):
        mark = replace(mark, flags=(*mark.flags, Flag.TEAM_UNCLEAR))
    return mark, turn_grid(grid, quarter_turns if grid.how == "ruled" else 0)


_SURE_MARGIN = 25.0
"""Nats: a mark read by less is in doubt. On 60 rendered photos one of 44 was wrong, by 23."""


@dataclass(frozen=True, slots=True)
class _View:
    """A no man's land with one of its sides up, and what is read on its stickers then."""

    grid: GridFit
    cells: tuple[CellReading, ...]
    owners: tuple[OwnerReading, ...]

    @property
    def confidence(self) -> float:
        """Of all its stickers together."""
        return sum(owner.confidence for owner in self.owners)


def with_owners(photo: Photo, reading: BoardReading, game: Game, settings: OwnerSettings) -> BoardReading:
    """A no man's land with the team that stuck each sticker, or the doubt about it.

    Nobody's board bears no mark that tells which side of a hand-made one is up: the side with which its stickers
    are read most confidently is taken. Printed codes are read the same on any side.
    """
    best = _view(photo, reading, 0, game, settings)
    if reading.grid.how == "ruled" and not any(owner.by_code for owner in best.owners):
        turned = (_view(photo, reading, quarters, game, settings) for quarters in (1, 2, 3))
        best = max((best, *turned), key=lambda view: view.confidence)
    if not game.teams:  # a letter names no team that a sheet's number could be joined to; a code's number does
        best = replace(best, owners=tuple(_unless_letter(one) for one in best.owners))
    owners = {(one.row, one.col): one for one in best.owners}
    cells = tuple(
        replace(cell, owner=one.owner, flags=(*cell.flags, *one.flags)) if one else cell
        for cell in best.cells
        for one in (owners.get((cell.row, cell.col)),)
    )
    return replace(reading, grid=best.grid, cells=cells)


def _unless_letter(owner: OwnerReading) -> OwnerReading:
    """A reading whose owner is a number, or else nobody for sure."""
    if not owner.owner or owner.owner.isdigit():
        return owner
    return replace(owner, owner="", flags=(Flag.OWNER_UNCLEAR,))


def _view(photo: Photo, reading: BoardReading, quarter_turns: int, game: Game, settings: OwnerSettings) -> _View:
    """A no man's land turned counterclockwise by quarter turns, with the owners that are read then."""
    grid = turn_grid(reading.grid, quarter_turns)
    cells = turn(reading.cells, grid.rows, -quarter_turns) if quarter_turns else reading.cells
    margin = settings.margin_cells
    rectified = rectify(photo, grid, settings.px_per_cell, (-margin, -margin, grid.cols + margin, grid.rows + margin))
    return _View(grid, cells, read_owners(rectified, cells, game, settings))
