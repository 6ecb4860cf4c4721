"""Ruled lines judged by what was read between them: a board's, one line too many, or those of a calendar or a toy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from poradek_vision.find import Form, FormSettings, RimSettings, cut_grid, labelled_side, on_papers_edge, tell_form
from poradek_vision.geometry import fit_homography, project
from poradek_vision.model import EMPTY, BoardReading, CellReading, Flag, GridFit, MarkReading, Photo
from poradek_vision.settle import is_sure

_Doubtable = TypeVar("_Doubtable", CellReading, GridFit, MarkReading)


@dataclass(frozen=True, slots=True)
class RefusalSettings:
    """Shares from which on a ruled grid is no board; set on 40 rendered photos of things and 52 of boards."""

    any_cells: bool = False
    """Whether a grid counts whatever its cells hold, as :attr:`find.RuledSettings.any_cells`."""
    most_written: float = 0.5
    unnamed_written: float = 0.2
    """Of the empty cells that have writing in them: calendars, timetables and draughtsmen 0.35 to 1, boards 0; and the
    same where nothing says for sure whose board it is, or the lines are in doubt."""
    few_written: int = 2
    """But where lines are sure so few cells may be stickers that light has washed out but for their rims."""
    sure_written: float = 0.8
    sure_empty: int = 8
    """The same where lines and mark are sure, of at least so many empty cells: bingo cards 1, boards 0.5 of a few."""
    most_strokes: float = 0.5
    """Of the stickers that are strokes of a pen: letters in crosswords 1, stickers of boards 0.1 at most."""
    most_black: float = 0.08
    """Of the cells that are black squares: crosswords 0.12 and more, boards 0."""
    most_chequered: float = 0.75
    """Of neighbours in turn lighter and darker: a photo of a chessboard 1, boards in leaf shade 0.4 at most."""
    least_paper: float = 0.45
    """Of the grid's surroundings that are paper, where its lines or whose board it is are in doubt: round
    boards 0.5 and more, round tiles and shop windows 0.35 at most."""
    run_on: float = 0.7
    """Of one side's lines that go on beyond the border where all is in doubt: of squared paper and of larger grids all
    may, of boards up to half."""
    all_run_on: float = 0.9
    none_run_on: float = 0.2
    """The same where the lines are sure: all go on at one side, and hardly any at the other. A hand that draws lines
    too long does so at both."""
    least_drawn: float = 0.7
    """Of the lines that nothing covers, those that are seen where all is in doubt: round boards 1, coloured dots and
    fields that lie in rows 0 to 0.5."""
    most_uneven: float = 0.7
    """Of the stickers that show several things: letters and crosses drawn by pen."""
    most_open: float = 0.5
    """Of the stickers in doubt, where the lines are, too."""
    most_bent: float = 0.1
    """Per cell of the longer side: how many cells a crossing lies from where a plane would show it, where the lines are
    in doubt: of curled boards 0.07 at most, of coloured things that lie in bows 0.15."""
    doubt_uneven: float = 0.4
    """The same from which the lines may be others: cells of twice the size hold several stickers each."""
    form: FormSettings = field(default_factory=FormSettings)
    rim: RimSettings = field(default_factory=RimSettings)


def is_board(photo: Photo, reading: BoardReading, settings: RefusalSettings) -> bool:
    """Whether ruled lines are a board's.

    With sure lines and a sure mark they are, unless most empty cells have writing in them, as on a bingo card. Where
    lines are in doubt a mark vouches for nothing: it may be a ring of the same thing. Without a sticker or a mark
    they may be a window's, doubtful ones that the photo's edge cuts off tiles; what is written in cells, black
    squares, black between all cells, or other things than paper round them are a form's, a puzzle's, a toy's or
    tiles', and doubtful lines that go on beyond their border, or sure ones that do so at one side alone, those of
    squared paper or of a larger grid, or none.

    Parameters
    ----------
    photo : Photo
    reading : BoardReading
    settings : RefusalSettings
    """
    doubtful = Flag.GRID_UNCERTAIN in reading.grid.flags
    named = reading.mark.how == "mark" and bool(reading.mark.team) and not reading.mark.flags
    stickers = [cell for cell in reading.cells if cell.colour != EMPTY]
    sure, empty = named and not doubtful, len(reading.cells) - len(stickers)
    if sure and empty < settings.sure_empty:
        return True
    if not sure and not _may_be_board(reading, stickers, settings):
        return False
    form = tell_form(photo, reading.grid, _cells(reading, lambda cell: cell.colour != EMPTY), settings.form)
    if sure:
        return form.written < settings.sure_written
    if form.strokes >= settings.most_strokes or form.black > settings.most_black or form.toy:
        return False
    if form.chequered > settings.most_chequered:
        return False
    if not _is_ruled(form, settings, doubtful=doubtful):
        return False
    strict = doubtful or round(form.written * empty) > settings.few_written
    return form.written < (settings.unnamed_written if strict else settings.most_written)


def is_asked_for(photo: Photo, reading: BoardReading, settings: RefusalSettings) -> bool:
    """Whether ruled lines are those of a grid that counts whatever its cells hold, be it a puzzle's or blank.

    Parameters
    ----------
    photo : Photo
    reading : BoardReading
    settings : RefusalSettings
    """
    doubtful = Flag.GRID_UNCERTAIN in reading.grid.flags
    if not settings.any_cells or (doubtful and _runs_off(reading.grid, settings)):
        return False
    form = tell_form(photo, reading.grid, _cells(reading, lambda cell: cell.colour != EMPTY), settings.form)
    return _is_ruled(replace(form, drawn=1.0), settings, doubtful=doubtful)  # print hides lines, black squares do


def as_no_board(reading: BoardReading) -> BoardReading:
    """A reading of a grid that does not look like a board: whatever it shows is in doubt, and whose it is.

    Parameters
    ----------
    reading : BoardReading
    """
    cells = (cell if cell.colour == EMPTY else _doubted(cell, Flag.UNEVEN_CORE) for cell in reading.cells)
    return replace(reading, mark=_doubted(reading.mark, Flag.TEAM_UNCLEAR), cells=tuple(cells))


def without_colours(reading: BoardReading) -> BoardReading:
    """A reading of a grid in black and white: no cell is sure, for there a yellow sticker is like paper.

    Parameters
    ----------
    reading : BoardReading
    """
    return replace(reading, cells=tuple(_doubted(cell, Flag.STRANGE_LIGHT) for cell in reading.cells))


def _runs_off(grid: GridFit, settings: RefusalSettings) -> bool:
    """Whether a grid in doubt is cut off by the photo, or more bent than curled paper is."""
    bent = _bend(grid) > settings.most_bent * max(grid.rows, grid.cols)
    return Flag.CROPPED in grid.flags or bent


def _is_ruled(form: Form, settings: RefusalSettings, *, doubtful: bool) -> bool:
    """Whether a grid has lines, they end at its border, and paper lies round it; one of these may fail if it is sure.

    But no grid is whole that ends on one side and of which all lines go on at the other.
    """
    ends, paper = max(form.run_on) < settings.run_on, form.paper > settings.least_paper
    unlike = (not ends) + (not paper) + (form.drawn < settings.least_drawn)
    both_ways = zip(form.run_on, (*form.run_on[2:], *form.run_on[:2]), strict=True)
    larger = any(side > settings.all_run_on and other < settings.none_run_on for side, other in both_ways)
    return not unlike if doubtful else unlike < 2 and not larger


def _may_be_board(reading: BoardReading, stickers: Sequence[CellReading], settings: RefusalSettings) -> bool:
    """Whether what was read in the cells may be a board's, where lines or mark are not sure."""
    doubtful = Flag.GRID_UNCERTAIN in reading.grid.flags
    if not stickers or (doubtful and _runs_off(reading.grid, settings)):
        return False
    if _share(Flag.UNEVEN_CORE in cell.flags for cell in stickers) > settings.most_uneven:
        return False
    return not (doubtful and _share(not is_sure(cell) for cell in stickers) > settings.most_open)


def _bend(grid: GridFit) -> float:
    """How far, in cells, a crossing lies at most from where the plane that fits all best would show it."""
    crossings = np.array(grid.crossings).reshape(-1, 2)
    board = np.array([(col, row) for row in range(grid.rows + 1) for col in range(grid.cols + 1)], np.float64)
    flat = project(fit_homography(crossings, board), crossings)
    return float(np.hypot(*(flat - board).T).max())


def without_labels(
    photo: Photo, reading: BoardReading, sizes: Sequence[int], settings: RefusalSettings
) -> BoardReading:
    """A reading of a board without a row and a column that hold but the names of columns and rows.

    Parameters
    ----------
    photo : Photo
    reading : BoardReading
    sizes : sequence of int
        Those that a board may have without them, cells along a side.
    settings : RefusalSettings
    """
    grid = reading.grid
    bare = _cells(reading, lambda cell: cell.colour == EMPTY or not is_sure(cell))
    turns = labelled_side(photo, grid, bare, settings.form) if grid.rows - 1 in sizes else None
    if turns is None:
        return reading
    top, left = int(turns in (0, 1)), int(turns in (0, 3))
    cut = cut_grid(grid, slice(top, grid.rows - 1 + top), slice(left, grid.cols - 1 + left))
    moved = (replace(cell, row=cell.row - top, col=cell.col - left) for cell in reading.cells)
    inside = tuple(cell for cell in moved if 0 <= cell.row < cut.rows and 0 <= cell.col < cut.cols)
    return replace(reading, grid=cut, cells=inside)


def with_grid_doubts(photo: Photo, reading: BoardReading, settings: RefusalSettings) -> BoardReading:
    """A reading with the doubts about its lines: of single cells, and of all where what was read speaks against them.

    Parameters
    ----------
    photo : Photo
    reading : BoardReading
    settings : RefusalSettings
    """
    uneven = [Flag.UNEVEN_CORE in cell.flags for cell in reading.cells if cell.colour != EMPTY]
    doubtful = len(uneven) > _FEW and _share(uneven) > settings.doubt_uneven
    # a pin looks like a doubtful sticker
    bare = _cells(reading, lambda cell: cell.colour == EMPTY or not is_sure(cell))
    if doubtful or any(on_papers_edge(photo, reading.grid, bare, settings.rim)):
        return replace(reading, grid=_doubted(reading.grid, Flag.GRID_UNCERTAIN))
    return replace(reading, cells=tuple(_unless_lines_unsure(cell, reading.grid) for cell in reading.cells))


def _unless_lines_unsure(cell: CellReading, grid: GridFit) -> CellReading:
    """A cell with a flag if too little was seen of the lines around it."""
    if (cell.row, cell.col) not in grid.unsure:
        return cell
    return _doubted(cell, Flag.GRID_UNCERTAIN)


def _doubted(what: _Doubtable, flag: Flag) -> _Doubtable:
    """A cell, a grid or a mark with one more reason for doubt."""
    return replace(what, flags=tuple(dict.fromkeys((*what.flags, flag))))


_FEW = 3
"""So few stickers may all be uneven by chance."""


def _cells(reading: BoardReading, holds: Callable[[CellReading], bool]) -> npt.NDArray[np.bool_]:
    """Which cells (rows, cols) are as asked."""
    asked = np.zeros((reading.grid.rows, reading.grid.cols), np.bool_)
    for cell in reading.cells:
        asked[cell.row, cell.col] = holds(cell)
    return asked


def _share(answers: Iterable[bool]) -> float:
    """Share of yes among answers."""
    return float(np.mean(list(answers)))
