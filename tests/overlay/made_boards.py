"""Photos of plain boards and their readings, made without a camera."""

from __future__ import annotations

import itertools

import cv2
import numpy as np

from poradek_vision.geometry import fit_homography, plain_matrix, project
from poradek_vision.model import BoardReading, CellReading, Flag, Game, GridFit, MarkReading, Photo, SheetKind, Team

GAME = Game(teams=(Team("Žluťoučcí koně ze Šumavy", "Ž"), Team("Vlci", "V")))
PAPER = (235, 235, 230)
LEVEL = ((200, 150), (500, 150), (500, 450), (200, 450))
TURNED = ((510, 440), (230, 470), (190, 170), (470, 130))
"""Outlines of a board in a photo of 800 × 600, from the board's own top left, clockwise; the second upside down."""


def make_grid(rows=3, cols=3, outline=LEVEL, **fields) -> GridFit:
    photo_from_board = fit_homography([[0, 0], [cols, 0], [cols, rows], [0, rows]], outline)
    u, v = np.meshgrid(np.arange(cols + 1.0), np.arange(rows + 1.0))
    crossings = project(photo_from_board, np.stack([u, v], -1))
    lines = tuple(tuple((float(x), float(y)) for x, y in line) for line in crossings)
    return GridFit(rows, cols, plain_matrix(photo_from_board), lines, 0.4, "printed", **fields)


def make_photo(grid: GridFit, colours: dict[tuple[int, int], tuple[int, int, int]] | None = None, scale=1.0) -> Photo:
    """A grey photo of 800 × 600 file pixels with paper where the grid is, and some cells coloured."""
    crossings = np.asarray(grid.crossings)
    pixels = np.full((600, 800, 3), 90, np.uint8)
    outline = crossings[[0, 0, -1, -1], [0, -1, -1, 0]]
    cv2.fillConvexPoly(pixels, np.round(outline).astype(np.int32), PAPER)
    for (row, col), colour in (colours or {}).items():
        quad = crossings[[row, row, row + 1, row + 1], [col, col + 1, col + 1, col]]
        cv2.fillConvexPoly(pixels, np.round(quad).astype(np.int32), colour)
    if scale != 1:
        pixels = np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    pixels.setflags(write=False)
    return Photo("les/IMG 7 ďábelské ódy.jpg", "00", "", pixels, scale, (800, 600))


def make_reading(
    grid: GridFit, doubts: dict[tuple[int, int], tuple[Flag, ...]] | None = None, **fields
) -> BoardReading:
    """Every cell red and sure, but for the doubts."""
    cells = tuple(
        CellReading(row, col, "R", second="G", confidence=1.0, flags=(doubts or {}).get((row, col), ()))
        for row, col in itertools.product(range(grid.rows), range(grid.cols))
    )
    fields = {"mark": MarkReading("Vlci", "fiducial"), "flags": (), **fields}
    return BoardReading("les/IMG 7 ďábelské ódy.jpg", "00", 0, grid, palette="default", cells=cells, **fields)


KINDS: tuple[SheetKind, ...] = ("team", "no_mans_land", "card")
