"""One photo: where its boards are, what is in their cells, whose they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from poradek_vision.cells import CellSettings, read_cells
from poradek_vision.colour import complete, palette_of_swatches
from poradek_vision.errors import BoardNotFound, SettingsError
from poradek_vision.files import Outcome, choose_palette
from poradek_vision.find import FindSettings, Region, Sheets, find_printed, fit_corners, rectify
from poradek_vision.mark import OwnerSettings, read_owners
from poradek_vision.model import (
    BoardReading,
    CellReading,
    Correction,
    Failure,
    Flag,
    Game,
    GridFit,
    MarkReading,
    Palette,
    Photo,
    Point,
)
from poradek_vision.sheet import team_sheet


@dataclass(frozen=True, slots=True)
class Setup:
    """All that a reading depends on besides the photo itself."""

    game: Game
    palettes: tuple[Palette, ...] = ()
    camera: str = ""
    """Whose palette to use for every photo; empty: each photo's own camera's."""
    find: FindSettings = field(default_factory=FindSettings)
    cells: CellSettings = field(default_factory=CellSettings)
    owners: OwnerSettings = field(default_factory=OwnerSettings)


def read_photo(photo: Photo, setup: Setup, corrections: Sequence[Correction] = ()) -> Outcome:
    """Read every board in a photo.

    Parameters
    ----------
    photo : Photo
    setup : Setup
    corrections : sequence of Correction
        Those of this photo; corners and sizes that a person gave take the place of what would be found.

    Returns
    -------
    tuple of BoardReading, or Failure
        Boards from the photo's top left to its bottom right; a failure where there is none, with what was seen.
    """
    sheets = find_printed(photo, setup.game, setup.find)
    boards = tuple(grid for grid in sheets.grids if grid.kind != "card")
    try:
        grids = _with_corners(boards, photo, setup, corrections)
        if not grids:
            raise _nothing_found(photo, sheets)
    except BoardNotFound as error:
        status: Literal["card", "not_found"] = "card" if len(boards) < len(sheets.grids) else "not_found"
        return Failure(photo.name, photo.sha256, status, error.text, sheets.stray)
    palette = palette_for(photo.camera, setup)
    return tuple(_read_board(photo, index, grid, palette, setup) for index, grid in enumerate(grids))


def palette_for(camera: str, setup: Setup) -> Palette:
    """The palette of a camera, with exactly the game's colours; without any palette that of the game's swatches."""
    colours = setup.game.colours
    if not setup.palettes:
        return palette_of_swatches(colours)
    return complete(choose_palette(setup.palettes, setup.camera or camera), colours)


def _nothing_found(photo: Photo, sheets: Sheets) -> BoardNotFound:
    """Why there is no board in a photo."""
    if sheets.grids:
        return BoardNotFound("find.card", photo=photo.name)
    if sheets.stray:
        return BoardNotFound("find.stray", photo=photo.name)
    return BoardNotFound("find.nothing", photo=photo.name)


def _with_corners(
    found: tuple[GridFit, ...], photo: Photo, setup: Setup, corrections: Sequence[Correction]
) -> tuple[GridFit, ...]:
    """The grids found, with those that a person gave corners for in their places."""
    words = {(word.index, word.target): word.value for word in corrections}
    grids = list(found)
    for index in sorted(index for index, target in words if target == "corners"):
        old = grids[index] if index < len(grids) else None
        size = int(words.get((index, "size"), old.rows if old else 0))
        if not size:
            raise BoardNotFound("find.corners_need_size", photo=photo.name)
        corners = np.array(words[index, "corners"].split(), np.float64).reshape(4, 2)
        grid = fit_corners(photo, corners, size, size, setup.find.growth)
        if old:
            grids[index] = replace(grid, kind=old.kind, team_index=old.team_index, cell_mm=old.cell_mm)
        else:
            grids.append(grid)
    return tuple(grids)


def _read_board(photo: Photo, index: int, grid: GridFit, palette: Palette, setup: Setup) -> BoardReading:
    """Judge the cells of one board, and on the no man's land whose stickers they hold."""
    key = _key_places(grid, setup.game)
    rectified = rectify(photo, grid, setup.cells.px_per_cell, _region(grid, key, setup.cells.margin_cells))
    cells, _ = read_cells(rectified, grid.rows, grid.cols, grid.how == "printed", key, palette, setup.cells)
    if grid.kind == "no_mans_land":
        cells = _with_owners(photo, grid, cells, setup)
    return BoardReading(
        photo.name, photo.sha256, index, grid, _whose(grid, setup.game), palette.camera, cells, _board_flags(cells)
    )


def _with_owners(photo: Photo, grid: GridFit, cells: tuple[CellReading, ...], setup: Setup) -> tuple[CellReading, ...]:
    """The cells with the team that stuck each sticker, or the doubt about it."""
    rectified = rectify(photo, grid, setup.owners.px_per_cell, _region(grid, (), setup.owners.margin_cells))
    owners = {(one.row, one.col): one for one in read_owners(rectified, cells, setup.game, setup.owners)}
    return tuple(
        replace(cell, owner=one.owner, flags=(*cell.flags, *one.flags)) if one else cell
        for cell in cells
        for one in (owners.get((cell.row, cell.col)),)
    )


def _region(grid: GridFit, key: tuple[Point, ...], margin: float) -> Region:
    """What of a board must be seen: the grid with its frame, and the colour key."""
    left, right, bottom = -margin, grid.cols + margin, grid.rows + margin
    if key:
        left, right, bottom = min(left, key[0][0] - 0.3), max(right, key[-1][0] + 1.3), key[0][1] + 1.3
    return left, -margin, right, bottom


def _key_places(grid: GridFit, game: Game) -> tuple[Point, ...]:
    """Top-left corners of the colour key's boxes, in cells of the board; none where the sheet has no key."""
    if grid.how != "printed" or grid.kind != "team" or grid.team_index is None:
        return ()
    try:
        spec = team_sheet(replace(game, cell_mm=grid.cell_mm), grid.team_index, grid.rows)
    except SettingsError:  # printed larger than any sheet of ours: then nothing is known about a key
        return ()
    left, top = spec.grid_origin_mm
    return tuple(((box.x - left) / spec.cell_mm, (box.y - top) / spec.cell_mm) for box in spec.key)


def _whose(grid: GridFit, game: Game) -> MarkReading:
    """Whose board the fiducials name; without a team list teams are called by their numbers."""
    if grid.kind != "team" or grid.team_index is None:
        return MarkReading("", "")
    if not game.teams:
        return MarkReading(str(grid.team_index + 1), "fiducial", 1.0)
    if grid.team_index < len(game.teams):
        return MarkReading(game.teams[grid.team_index].name, "fiducial", 1.0)
    return MarkReading("", "fiducial", 0.0, (Flag.UNKNOWN_TEAM,))


def _board_flags(cells: tuple[CellReading, ...]) -> tuple[Flag, ...]:
    """What is wrong with the photo of a board as a whole."""
    dark = sum(Flag.TOO_DARK in cell.flags for cell in cells)
    return (Flag.UNDEREXPOSED,) if 4 * dark > len(cells) else ()
