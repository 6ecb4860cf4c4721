"""The debug picture of one board: what was found in the photo, beside what was read in each cell."""

from __future__ import annotations

import poradek_vision.overlay.pen as pen
from poradek_vision.model import BoardReading, Game, Photo
from poradek_vision.overlay.legend import EDGE, HEAD_PX, foot_lines, head_lines, paint_head
from poradek_vision.overlay.panes import paint_cells, paint_photo
from poradek_vision.overlay.paragraphs import height_of, write_paragraphs
from poradek_vision.overlay.pen import Picture

WIDTH = 1600
_PANE_PX = 660
_PHOTO_PX = WIDTH - 3 * EDGE - _PANE_PX
_GAP = 10
"""Width of the picture and of its right pane; between the panes and the words round them. All px."""


def paint_board(photo: Photo, reading: BoardReading, game: Game) -> Picture:
    """Paint one board as it was seen and read.

    On the left the photo with the grid found, on the right the board laid flat with each cell's reading, above them
    what the board is and what is doubtful about it as a whole, below them every doubtful cell in words.

    Parameters
    ----------
    photo : Photo
        The photo that the reading was made from, at any scale.
    reading : BoardReading
    game : Game
        Its language, colours and teams.

    Returns
    -------
    ndarray of shape (h, 1600, 3), uint8
        RGB; about 850 px high, more where much is in doubt.
    """
    head, foot = head_lines(reading, game, WIDTH), foot_lines(reading, game, WIDTH)
    top = HEAD_PX + height_of(head) + _GAP
    bottom = top + _PANE_PX
    picture = pen.blank(WIDTH, bottom + height_of(foot) + 2 * _GAP)
    paint_head(picture[:top], head, reading, game)
    paint_photo(picture[top:bottom, EDGE : EDGE + _PHOTO_PX], photo, reading)
    paint_cells(picture[top:bottom, -EDGE - _PANE_PX : -EDGE], photo, reading, game)
    write_paragraphs(picture, foot, EDGE, bottom + _GAP)
    return picture
