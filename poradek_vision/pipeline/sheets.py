"""What a printed grid's sheet looks like besides the grid: its paper and its colour key, in cells of the board."""

from __future__ import annotations

from dataclasses import replace

from poradek_vision.errors import SettingsError
from poradek_vision.find import around
from poradek_vision.model import Game, GridFit, Point, SheetSpec
from poradek_vision.sheet import card_sheet, half_sheets, no_mans_land_sheet, team_sheet


def key_places(grid: GridFit, game: Game) -> tuple[Point, ...]:
    """Top-left corners of the colour key's boxes; none where the sheet has no key.

    Parameters
    ----------
    grid : GridFit
    game : Game
    """
    if grid.how != "printed" or grid.half or grid.kind == "card":
        return ()
    spec = _sheet_of(grid, game)
    return tuple(_cells(spec, box.x, box.y) for box in spec.key) if spec else ()


def paper_of(grid: GridFit, game: Game) -> tuple[Point, ...]:
    """Corners of the paper, clockwise from the top left; those of the largest page where the sheet is not known.

    Parameters
    ----------
    grid : GridFit
        A printed one.
    game : Game
    """
    spec = _sheet_of(grid, game)
    if not spec:
        return around(grid, _FAR)
    width, height = spec.page_mm
    corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    return tuple(_cells(spec, x, y) for x, y in corners)


_FAR = 7.0
"""Cells that no page of ours reaches farther than beyond its grid."""


def _cells(spec: SheetSpec, x: float, y: float) -> Point:
    """A place on the page (mm) in cells of its grid."""
    left, top = spec.grid_origin_mm
    return (x - left) / spec.cell_mm, (y - top) / spec.cell_mm


def _sheet_of(grid: GridFit, game: Game) -> SheetSpec | None:
    """The sheet that a grid is printed on; None where it is larger than any of ours, or of no size of the game."""
    printed = replace(game, cell_mm=grid.cell_mm)
    try:
        if grid.kind == "card":
            return card_sheet(printed)
        if grid.kind == "no_mans_land":
            land = replace(printed, no_mans_land=grid.rows)
            return half_sheets(land)[grid.half == "right"] if grid.half else no_mans_land_sheet(land)
        return None if grid.team_index is None else team_sheet(printed, grid.team_index, grid.rows)
    except SettingsError:
        return None
