"""Photos, the grids found in them, and boards laid flat. Holds the two heavy records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from poradek_vision.model.flags import Flag
from poradek_vision.model.plane import Matrix3, Point
from poradek_vision.model.sheet import Half, SheetKind

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A photo as taken: upright pixels and where they come from. Heavy.

    Attributes
    ----------
    name : str
        Path relative to the batch's folder, with ``/``: how people and files call the photo.
    sha256 : str
        Of the file's bytes, in hex.
    camera : str
        EXIF make and model as one string, ``""`` when the file names none.
    pixels : ndarray of shape (H, W, 3), uint8
        RGB, upright (EXIF orientation obeyed), read-only; possibly reduced on decoding.
    scale : float
        Pixels of ``pixels`` per pixel of the file: 1, 1/2, 1/4 or 1/8.
    full_size : (int, int)
        Width and height of the upright file, in its own pixels.
    taken : str
        ISO date on which the camera says that it took it, ``""`` when it does not.
    """

    name: str
    sha256: str
    camera: str
    pixels: npt.NDArray[np.uint8]
    scale: float
    full_size: tuple[int, int]
    taken: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Rectified:
    """A board resampled into its own frame. Heavy.

    Attributes
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB, read-only. Board point (u, v), in cells, lies at pixel
        ``((u - u0) * px_per_cell - 0.5, (v - v0) * px_per_cell - 0.5)``.
    px_per_cell : int
    origin_cells : (float, float)
        u0 and v0: the board point at the picture's top-left corner.
    seen : ndarray of shape (h, w), bool
        Which pixels lie inside the photo.
    """

    pixels: npt.NDArray[np.uint8]
    px_per_cell: int
    origin_cells: Point
    seen: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class GridFit:
    """Where the grid of one board lies in a photo.

    Attributes
    ----------
    rows, cols : int
        Cells of the grid; both are the size on a board.
    photo_from_board : 3 rows of 3
        Homography from cells to pixels of the upright file: the flat summary of ``crossings``.
    crossings : (rows+1) rows of (cols+1) points
        In pixels of the upright file (full resolution), row by row; follow curl and folds.
    error_px : float
        Median distance between where lines and edges were expected and where they were seen, in file pixels.
    how : {"printed", "ruled", "by hand"}
    kind : {"team", "no_mans_land", "card"}
        What the fiducials say it is; "team" for hand-made boards.
    team_index : int or None
        Which team, counted from 0, when a fiducial says so.
    cell_mm : float
        Side of a cell on the paper, 0 when not known (hand-made boards).
    fiducials : tuple of (id, quad)
        Each tag seen: its id and four corners in file pixels, from the tag's own top left, clockwise.
    flags : tuple of Flag
    half : {"", "left", "right"}
        Which half of the no man's land the sheet is, where it is one of two.
    unsure : tuple of (row, col)
        Cells in doubt by themselves, where the grid as a whole is not: too little was seen at a corner or side.
    """

    rows: int
    cols: int
    photo_from_board: Matrix3
    crossings: tuple[tuple[Point, ...], ...]
    error_px: float
    how: Literal["printed", "ruled", "by hand"]
    kind: SheetKind = "team"
    team_index: int | None = None
    cell_mm: float = 0.0
    fiducials: tuple[tuple[int, tuple[Point, ...]], ...] = ()
    flags: tuple[Flag, ...] = ()
    half: Half = ""
    unsure: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        """Refuse a grid whose crossings do not fit its size."""
        if len(self.crossings) != self.rows + 1 or any(len(line) != self.cols + 1 for line in self.crossings):
            raise ValueError(f"crossings of a {self.rows}x{self.cols} grid must be {self.rows + 1}x{self.cols + 1}")
