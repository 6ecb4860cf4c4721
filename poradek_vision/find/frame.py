"""What is printed round and in a grid, as places to look: edges and lines whose position on the board is known.

Board frame: cells, origin the grid's top-left corner. A *site* is one short piece of an edge or line: a point on it,
the axis across it, and what crosses there. The sites of a layout are computed once, and nobody changes them.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from poradek_vision.geometry import FloatArray
from poradek_vision.model import Half
from poradek_vision.sheet import LINE_MM, RULER_FAR, RULER_NEAR, fiducial_squares

BAR = 0
"""A dark line between lighter sides; +1 and -1 are edges, dark towards larger and smaller coordinates."""


@dataclass(frozen=True, slots=True, eq=False)
class Sites:
    """N places to look.

    Attributes
    ----------
    points : ndarray of shape (N, 2)
        On the edge or line, cells.
    axis : ndarray of shape (N,), int
        The axis across it: 0 for vertical edges and lines, 1 for horizontal ones.
    kind : ndarray of shape (N,), int
        ``BAR``, +1 (dark towards larger coordinates) or -1.
    width : ndarray of shape (N,)
        Of the bar, cells; for edges how far their dark and light sides reach at least.
    """

    points: FloatArray
    axis: np.ndarray
    kind: np.ndarray
    width: FloatArray

    def __len__(self) -> int:
        return len(self.points)

    def where(self, mask: np.ndarray) -> Sites:
        """The sites that a mask or index picks."""
        return Sites(self.points[mask], self.axis[mask], self.kind[mask], self.width[mask])


@dataclass(frozen=True, slots=True)
class Layout:
    """What is printed: cells of the grid, their side on the paper, and the board number in the fiducials' ids.

    A half of the no man's land has neither fiducials nor ruler frame where it is joined to the other.
    """

    rows: int
    cols: int
    cell_mm: float
    board: int
    half: Half = ""

    @property
    def corners(self) -> tuple[int, ...]:
        """Those that bear a fiducial."""
        return {"": (0, 1, 2, 3), "left": (0, 3), "right": (1, 2)}[self.half]

    @property
    def framed(self) -> tuple[bool, bool, bool, bool]:
        """Whether the ruler frame runs along the top, right, bottom and left side."""
        return True, self.half != "left", True, self.half != "right"

    @property
    def first_col(self) -> int:
        """The board's column that is the sheet's first."""
        return self.cols if self.half == "right" else 0

    def tag_id(self, corner: int) -> int:
        """The id of the fiducial at a corner."""
        return 4 * self.board + corner

    def tag_quad(self, corner: int) -> FloatArray:
        """The outer square of a fiducial, (4, 2) cells, clockwise from its top left."""
        square = fiducial_squares(self.rows, self.cols, self.cell_mm)[corner]
        x0, y0, x1, y1 = square.x, square.y, square.x + square.w, square.y + square.h
        return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) / self.cell_mm

    def crossings(self) -> FloatArray:
        """Where the grid's lines meet, (rows+1, cols+1, 2) cells."""
        return np.stack(np.meshgrid(np.arange(self.cols + 1.0), np.arange(self.rows + 1.0)), -1)


def join(parts: list[Sites]) -> Sites:
    """Several sets of sites as one."""
    return Sites(
        np.concatenate([p.points for p in parts]),
        np.concatenate([p.axis for p in parts]),
        np.concatenate([p.kind for p in parts]),
        np.concatenate([p.width for p in parts]),
    )


@functools.lru_cache(maxsize=64)
def fiducial_sites(layout: Layout, corner: int) -> Sites:
    """The four outer edges of one fiducial, five sites each."""
    quad = layout.tag_quad(corner)
    (x0, y0), (x1, y1) = quad[0], quad[2]
    along = np.linspace(0.15, 0.85, 5)
    xs, ys = x0 + along * (x1 - x0), y0 + along * (y1 - y0)
    width = 0.1 * (x1 - x0)  # the black border is an eighth of the side
    ends = ((0, x0, ys, +1), (0, x1, ys, -1), (1, y0, xs, +1), (1, y1, xs, -1))
    return join([_edge(axis, at, along, kind, width) for axis, at, along, kind in ends])


@functools.lru_cache(maxsize=64)
def line_sites(layout: Layout) -> Sites:
    """Pieces of grid lines: four sites on each side of every cell."""
    along = np.array([0.14, 0.38, 0.62, 0.86])
    width = LINE_MM / layout.cell_mm
    down = (np.arange(layout.rows)[:, None] + along).ravel()
    across = (np.arange(layout.cols)[:, None] + along).ravel()
    parts = [_edge(0, j, down, BAR, width) for j in range(layout.cols + 1)]
    parts += [_edge(1, i, across, BAR, width) for i in range(layout.rows + 1)]
    return join(parts)


@functools.lru_cache(maxsize=64)
def ruler_blocks(layout: Layout) -> tuple[FloatArray, np.ndarray, np.ndarray]:
    """Centres of all blocks of the ruler frame, which are black, and on which side each lies.

    Returns
    -------
    centres : ndarray of shape (M, 2)
        Cells.
    black : ndarray of shape (M,), bool
    side : ndarray of shape (M,), int
        0 top, 1 right, 2 bottom, 3 left.
    """
    middle, rows, cols = (RULER_NEAR + RULER_FAR) / 2, layout.rows, layout.cols
    across, down = np.arange(cols) + 0.5, np.arange(rows) + 0.5
    sides = [
        np.stack([across, np.full(cols, -middle)], 1),
        np.stack([np.full(rows, cols + middle), down], 1),
        np.stack([across, np.full(cols, rows + middle)], 1),
        np.stack([np.full(rows, -middle), down], 1),
    ]
    counts = [cols, rows, cols, rows]
    starts = [layout.first_col, 0, layout.first_col, 0]
    black = np.concatenate([np.arange(k, k + n) % 2 == 0 for k, n in zip(starts, counts, strict=True)])
    side = np.repeat(np.arange(4), counts)
    printed = np.array(layout.framed)[side]
    return np.concatenate(sides)[printed], black[printed], side[printed]


def _edge(axis: int, at: float, along: FloatArray, kind: int, width: float) -> Sites:
    """Sites on one straight edge or line, ``at`` across and ``along`` along it."""
    n = len(along)
    points = np.empty((n, 2))
    points[:, axis], points[:, 1 - axis] = at, along
    return Sites(points, np.full(n, axis), np.full(n, kind), np.full(n, width))


@functools.lru_cache(maxsize=64)
def ruler_sites(layout: Layout) -> Sites:
    """Both long edges and the ends of every black block on the four sides."""
    parts = []
    inner = np.array([RULER_NEAR + 0.06, (RULER_NEAR + RULER_FAR) / 2, RULER_FAR - 0.06])
    for along_axis, length, depth in ((0, layout.cols, layout.rows), (1, layout.rows, layout.cols)):
        across_axis = 1 - along_axis
        for before in (True, False):
            if not layout.framed[(0 if before else 2) if along_axis == 0 else (3 if before else 1)]:
                continue
            near, far = (-RULER_NEAR, -RULER_FAR) if before else (depth + RULER_NEAR, depth + RULER_FAR)
            band = -inner if before else depth + inner
            outward = -1 if before else 1
            for k in range(layout.first_col % 2 if along_axis == 0 else 0, length, 2):
                along = k + np.array([0.18, 0.5, 0.82])
                parts += [
                    _edge(across_axis, near, along, outward, 0.2),
                    _edge(across_axis, far, along, -outward, 0.2),
                    _edge(along_axis, k, band, +1, 0.2),
                    _edge(along_axis, k + 1, band, -1, 0.2),
                ]
    return join(parts)
