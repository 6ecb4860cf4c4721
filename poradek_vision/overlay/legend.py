"""Words round the panes of a debug picture: its head with the palette's letters, its foot with every doubt."""

from __future__ import annotations

from collections.abc import Sequence

import poradek_vision.overlay.pen as pen
import poradek_vision.overlay.words as words
from poradek_vision.model import EMPTY, BoardReading, Game, swatch_rgb
from poradek_vision.overlay.paragraphs import Paragraph, paragraph, write_paragraphs
from poradek_vision.overlay.pen import Picture, Rgb
from poradek_vision.texts import say

EDGE = 20
"""Free at every edge of a picture, px."""
_CHIP = 26
_GAP = 28
HEAD_PX = 62
"""Where the lines of a head begin, below its title."""
_EMPTY_FILL: Rgb = (92, 96, 102)


def fill_of(colour: str, game: Game) -> Rgb:
    """The swatch of a colour; grey for an empty cell, and for a code that the game does not have.

    Examples
    --------
    >>> fill_of("R", Game()), fill_of(".", Game())
    ((200, 36, 44), (92, 96, 102))
    """
    swatch = next((listed.swatch for listed in game.colours if listed.code == colour), None)
    return _EMPTY_FILL if swatch is None else swatch_rgb(swatch)


def paint_palette(picture: Picture, right: int, top: int, game: Game) -> None:
    """Paint each colour's letter on its swatch beside its name, ending at ``right``."""
    x = right - palette_width(game)
    for code, name in _named(game):
        x += pen.chip(picture, code, (x, top), _CHIP, fill_of(code, game)) + 8
        pen.write(picture, name, (x, top + 19), 18)
        x += pen.width_of(name, 18) + _GAP


def palette_width(game: Game) -> int:
    """What the palette takes, px."""
    widths = [pen.chip_width(code, _CHIP) + 8 + pen.width_of(name, 18) for code, name in _named(game)]
    return sum(widths) + (len(widths) - 1) * _GAP


def _named(game: Game) -> tuple[tuple[str, str], ...]:
    """Letters and names of the colours, and of an empty cell."""
    return (*((colour.code, colour.name) for colour in game.colours), (EMPTY, say("overlay.empty", game.language)))


def head_lines(reading: BoardReading, game: Game, width: int) -> tuple[Paragraph, ...]:
    """Where the picture comes from, and what is wrong with the board as a whole."""
    beside_palette = width - 3 * EDGE - palette_width(game)
    return (
        paragraph([words.origin(reading, game)], beside_palette, 18, pen.FAINT),
        paragraph(words.board_doubts(reading, game), width - 2 * EDGE, 20, pen.DOUBT, bold=True),
    )


def paint_head(head: Picture, lines: Sequence[Paragraph], reading: BoardReading, game: Game) -> None:
    """Paint whose board it is, how much of it is in doubt, the palette, and the lines."""
    right = head.shape[1] - EDGE
    pen.write(head, words.title(reading.mark.team, reading.grid, game), (EDGE, 48), 36, bold=True)
    verdict = words.verdict(reading, game)
    doubtful = bool(words.board_doubts(reading, game)) or any(cell.flags for cell in reading.cells)
    pen.chip(head, verdict, (right - pen.chip_width(verdict, 34), 12), 34, pen.DOUBT if doubtful else pen.SURE)
    paint_palette(head, right, 58, game)
    write_paragraphs(head, lines, EDGE, HEAD_PX)


def foot_lines(reading: BoardReading, game: Game, width: int) -> tuple[Paragraph, ...]:
    """Every doubtful cell in words, and how to read the picture."""
    room = width - 2 * EDGE
    keys = [say("overlay.key", game.language, percent=words.SURE_PERCENT)]
    if any(words.owner(cell, game) for cell in reading.cells):
        keys.append(say("overlay.owner_key", game.language))
    return (
        paragraph(words.cell_doubts(reading.cells, game), room, 20, pen.INK),
        paragraph(keys, room, 16, pen.FAINT),
    )
