"""The printed sheet as shapes in millimetres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SheetKind = Literal["team", "no_mans_land", "card"]


Half = Literal["", "left", "right"]


@dataclass(frozen=True, slots=True)
class Rect:
    """An upright rectangle on the sheet: left, top, width, height in mm."""

    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True, slots=True)
class Fiducial:
    """A printed AprilTag: its id, its place (0 top-left, then clockwise) and its outer black square in mm."""

    id: int
    corner: int
    square: Rect


@dataclass(frozen=True, slots=True)
class SheetSpec:
    """One printed sheet as shapes in millimetres, origin the page's top-left corner, y down.

    Attributes
    ----------
    kind : {"team", "no_mans_land", "card"}
    team_index : int or None
        Which team's board, from 0.
    rows, cols : int
        Cells printed on this sheet.
    first_col : int
        Column of the board that the sheet's first column is: 6 on the right half of the no man's land, else 0.
    cell_mm : float
    page_mm : (float, float)
        Width and height of the paper.
    grid_origin_mm : (float, float)
        The grid's top-left corner.
    fiducials : tuple of Fiducial
    ruler : tuple of Rect
        The black blocks of the ruler frame.
    key : tuple of Rect
        The boxes of the colour key, in the order of the game's colours; empty where the sheet has none.
    cut_x_mm : float or None
        Where the halves of a no man's land are cut and joined.
    """

    kind: SheetKind
    team_index: int | None
    rows: int
    cols: int
    first_col: int
    cell_mm: float
    page_mm: tuple[float, float]
    grid_origin_mm: tuple[float, float]
    fiducials: tuple[Fiducial, ...]
    ruler: tuple[Rect, ...]
    key: tuple[Rect, ...] = ()
    cut_x_mm: float | None = None

    @property
    def grid(self) -> Rect:
        """The outline of the grid."""
        return Rect(*self.grid_origin_mm, self.cols * self.cell_mm, self.rows * self.cell_mm)
