"""Lines that were found by what was read in them: a board's, or those of a puzzle, a calendar, a toy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from poradek_vision.find import FormSettings, written_share
from poradek_vision.model import EMPTY, BoardReading, Flag, Photo


@dataclass(frozen=True, slots=True)
class RefusalSettings:
    """Shares from which on a ruled grid is no board; set on 40 rendered photos of things and 52 of boards."""

    most_written: float = 0.5
    """Of the empty cells that have writing in them: calendars, timetables and draughtsmen 0.5 to 1, boards 0."""
    most_uneven: float = 0.7
    """Of the stickers that show several things: letters and crosses drawn by pen."""
    most_open: float = 0.5
    """Of the stickers in doubt, where the lines are, too, and nothing says whose board it is."""
    form: FormSettings = field(default_factory=FormSettings)


def is_board(photo: Photo, reading: BoardReading, settings: RefusalSettings) -> bool:
    """Whether ruled lines are a board's.

    With sure lines and a sure mark they are. Without a sticker or a mark they may be a window's, doubtful ones that the
    photo's edge cuts off tiles; what is written in empty cells, or looks like no sticker, is a form's or a toy's.

    Parameters
    ----------
    photo : Photo
    reading : BoardReading
    settings : RefusalSettings
    """
    doubtful = Flag.GRID_UNCERTAIN in reading.grid.flags
    named = reading.mark.how == "mark" and bool(reading.mark.team) and not reading.mark.flags
    stickers = [cell for cell in reading.cells if cell.colour != EMPTY]
    if named and not (doubtful and stickers):
        return True
    if not stickers or (doubtful and not named and Flag.CROPPED in reading.grid.flags):
        return False
    if _share(Flag.UNEVEN_CORE in cell.flags for cell in stickers) > settings.most_uneven:
        return False
    is_open = (bool(set(cell.flags) - {Flag.OWNER_UNCLEAR}) for cell in stickers)
    if doubtful and not named and _share(is_open) > settings.most_open:
        return False
    empty = np.ones((reading.grid.rows, reading.grid.cols), np.bool_)
    for cell in stickers:
        empty[cell.row, cell.col] = False
    return written_share(photo, reading.grid, empty, settings.form) < settings.most_written


def _share(answers: Iterable[bool]) -> float:
    """Share of yes among answers."""
    return float(np.mean(list(answers)))
