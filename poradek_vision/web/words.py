"""Words that several pages say, in the language of the game; and the palette with its keys."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from poradek_vision.model import EMPTY, BoardReading, Game, Text, swatch_rgb
from poradek_vision.overlay import is_bright, mark_of
from poradek_vision.pipeline import Review
from poradek_vision.texts import say, say_text

Sight = dict[str, object]
"""What a template is filled with: plain values."""


def spoken(texts: Iterable[Text], game: Game, photo: str = "") -> list[str]:
    """Texts in the language of the game, but for what the pages themselves show: that cells are open, whose photo."""
    said = (say_text(text, game.language) for text in texts if text.key != "settle.open_cells")
    return [text.removeprefix(f"{photo}: ") for text in said]


def colour_text(code: str, game: Game) -> str:
    """A colour by its name, or that a cell is empty.

    Examples
    --------
    >>> colour_text("R", Game()), colour_text(".", Game())
    ('červená', 'prázdné')
    """
    return say("overlay.empty", game.language) if code == EMPTY else game.colour_name(code)


def tag(reading: BoardReading) -> str:
    """A short text that changes when a board's grid does: browsers keep pictures by their address."""
    return hashlib.sha256(repr(reading.grid).encode()).hexdigest()[:10]


def palette(game: Game) -> list[Sight]:
    """The colours with the keys that set them."""
    return [
        {"key": number, "code": colour.code, "name": colour.name} for number, colour in enumerate(game.colours, start=1)
    ]


def owners(review: Review) -> list[Sight]:
    """The teams with the letters that name them as owners; a mark that is no letter gets one that is free."""
    game = review.game
    names = game.team_names(review.scored.settlement.boards)
    taken = {mark_of(name, game).casefold() for name in names}
    free = (letter for letter in "abcdefghijklmnopqrstuvwxyz" if letter not in taken)
    pairs = [(name, mark_of(name, game)) for name in names]
    return [
        {"name": name, "mark": mark, "key": mark.casefold() if mark.isalpha() and len(mark) == 1 else next(free, "")}
        for name, mark in pairs
    ]


def ink(swatch: str) -> str:
    """Black or white, whichever shows better on a colour.

    Examples
    --------
    >>> ink("#f6cd28"), ink("#2254ac")
    ('#000', '#fff')
    """
    return "#000" if is_bright(swatch_rgb(swatch)) else "#fff"
