"""``flagged.jpg``: all doubtful cells of a batch on one sheet, each beside its reading and the reason for doubt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

import poradek_vision.overlay.pen as pen
import poradek_vision.overlay.words as words
from poradek_vision.model import BoardReading, CellReading, Game, Photo
from poradek_vision.overlay.legend import EDGE, fill_of, paint_palette
from poradek_vision.overlay.paragraphs import Paragraph, height_of, paragraph, write_paragraphs
from poradek_vision.overlay.pen import Picture
from poradek_vision.overlay.views import flat
from poradek_vision.texts import say

WIDTH = 1600
MOST_HEIGHT = 20_000
CROP_PX = 120
_COLUMNS = 3
_COLUMN_PX = (WIDTH - (_COLUMNS + 1) * EDGE) // _COLUMNS
_AROUND_CELLS = 0.5
_SIDE_CELLS = 1 + 2 * _AROUND_CELLS
"""What a cut-out shows round its cell, and its side."""
_HEAD_PX = 84
_WORDS_LEFT = CROP_PX + 14
_WORDS_TOP = 62
_CHIP = 26
"""Where an entry's words begin beside its cut-out, and the height of a plate with a letter, px."""


@dataclass(frozen=True, slots=True, eq=False)
class FlaggedCrop:
    """One doubtful cell with its surroundings. Heavy.

    Attributes
    ----------
    number : int
        By which people find it in ``to_review.csv``.
    photo : str
        The photo's name.
    board : str
        Whose board it is and its size, in words.
    cell : CellReading
    pixels : ndarray of shape (120, 120, 3), uint8
        RGB: the cell, upright, and half a cell on each side of it.
    """

    number: int
    photo: str
    board: str
    cell: CellReading
    pixels: Picture


def flagged_crops(
    photo: Photo, reading: BoardReading, game: Game, numbers: Mapping[tuple[int, int], int]
) -> tuple[FlaggedCrop, ...]:
    """Cut doubtful cells of a board out of their photo.

    Parameters
    ----------
    photo : Photo
        The photo that the reading was made from, at any scale.
    reading : BoardReading
    game : Game
        Its language and teams.
    numbers : mapping of (row, col) to int
        The cells to cut out, and their numbers.
    """
    board = words.title(reading.mark.team, reading.grid, game)
    return tuple(
        FlaggedCrop(numbers[cell.row, cell.col], reading.photo, board, cell, _cut_out(photo, reading, cell))
        for cell in reading.cells
        if (cell.row, cell.col) in numbers
    )


def _cut_out(photo: Photo, reading: BoardReading, cell: CellReading) -> Picture:
    """A cell and half a cell round it, laid flat."""
    low_u, low_v = cell.col - _AROUND_CELLS, cell.row - _AROUND_CELLS
    region = (low_u, low_v, low_u + _SIDE_CELLS, low_v + _SIDE_CELLS)
    pixels = flat(photo, reading.grid, region, CROP_PX, CROP_PX)
    pixels.setflags(write=False)
    return pixels


def contact_sheet(crops: Sequence[FlaggedCrop], game: Game) -> Picture:
    """Paint all doubtful cells, numbered, below the palette.

    Parameters
    ----------
    crops : sequence of FlaggedCrop
        In the order in which they are to be looked at.
    game : Game
        Its language, colours and teams.

    Returns
    -------
    ndarray of shape (h, 1600, 3), uint8
        RGB, at most 20,000 px high: where more are in doubt, the head says how many of them are shown.
    """
    bands: list[Picture] = []
    shown, height = 0, _HEAD_PX
    for band, count in _bands(crops, game):
        if height + band.shape[0] > MOST_HEIGHT:
            break
        bands.append(band)
        shown, height = shown + count, height + band.shape[0]
    return np.concatenate([_head(len(crops), shown, game), *bands])


def _head(count: int, shown: int, game: Game) -> Picture:
    """How many there are, how many of them are shown, and the palette."""
    head = pen.blank(WIDTH, _HEAD_PX)
    title = words.sentence(say("overlay.open_cells", game.language, count=count))
    pen.write(head, title, (EDGE, 46), 32, bold=True)
    if shown < count:
        cut = say("overlay.first_ones", game.language, shown=shown)
        pen.write(head, cut, (EDGE, 74), 20, pen.DOUBT)
    paint_palette(head, WIDTH - EDGE, 24, game)
    return head


def _bands(crops: Sequence[FlaggedCrop], game: Game) -> Iterator[tuple[Picture, int]]:
    """Rows of entries, each as high as its highest entry, with the number of entries."""
    for first in range(0, len(crops), _COLUMNS):
        row = crops[first : first + _COLUMNS]
        told = [_lines(crop, game) for crop in row]
        band = pen.blank(WIDTH, max(CROP_PX, _WORDS_TOP + max(map(height_of, told))) + EDGE)
        for k, crop in enumerate(row):
            left = EDGE + k * (_COLUMN_PX + EDGE)
            _paint_crop(band, crop, left)
            _paint_reading(band, crop, left + _WORDS_LEFT, game)
            write_paragraphs(band, told[k], left + _WORDS_LEFT, _WORDS_TOP)
        yield band, len(row)


def _lines(crop: FlaggedCrop, game: Game) -> tuple[Paragraph, ...]:
    """The reason for doubt, and whose board in which photo."""
    room = _COLUMN_PX - _WORDS_LEFT
    return (
        paragraph([words.reasons(crop.cell.flags, game)], room, 17, pen.INK),
        paragraph([f"{crop.board} · {crop.photo}"], room, 16, pen.FAINT),
    )


def _paint_crop(band: Picture, crop: FlaggedCrop, left: int) -> None:
    """The cut-out with the cell itself framed."""
    tile = crop.pixels.copy()
    near, far = round(CROP_PX * _AROUND_CELLS / _SIDE_CELLS), round(CROP_PX * (1 + _AROUND_CELLS) / _SIDE_CELLS)
    pen.frame(tile, (near - 2, near - 2, far + 2, far + 2), pen.DOUBT, 2)
    band[:CROP_PX, left : left + CROP_PX] = tile


def _paint_reading(band: Picture, crop: FlaggedCrop, left: int, game: Game) -> None:
    """The entry's number, where the cell is, its reading, second choice, owner and confidence."""
    cell, number = crop.cell, crop.number
    pen.write(band, f"{number}", (left, 19), 22, pen.DOUBT, bold=True)
    pen.write(band, words.place(cell, game), (left + 12 + pen.width_of(f"{number}", 22, bold=True), 19), 20, bold=True)
    x = left + pen.chip(
        band, cell.colour + "?" * words.colour_doubtful(cell), (left, 31), _CHIP, fill_of(cell.colour, game)
    )
    if words.in_two_minds(cell):
        either = say("overlay.or", game.language)
        pen.write(band, either, (x + 8, 50), 17)
        x += 16 + pen.width_of(either, 17)
        x += pen.chip(band, cell.second, (x, 31), _CHIP, fill_of(cell.second, game))
    rest = " · ".join(filter(None, [words.percent(cell) and f"{words.percent(cell)} %", cell.owner]))
    pen.write(band, rest, (x + 12, 50), 17, pen.FAINT)
