"""Which side of a hand-made no man's land is up: nobody's board bears no mark of its own, its stickers tell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poradek_vision.mark.candidates import candidates
from poradek_vision.mark.characters import normalise, read_windows
from poradek_vision.mark.pens.inks import Inks, ink_windows
from poradek_vision.mark.pictures import FloatArray
from poradek_vision.model import Game

_STICKERS = 6
"""So many, spread over the board, are asked at a time."""
_LEAST_CHANCE = 0.02
"""No sticker speaks more strongly against a side than this probability does."""
_SURE = 6.0
_CLEAR = 15.0
"""Nats by which one side must explain the stickers better than any other, and by which no more of them are asked. Of a
pair like 6 and 9 neither does."""


@dataclass(frozen=True, slots=True)
class Side:
    """How often to turn a board counterclockwise by a quarter to have its marks upright, and whether that is clear."""

    quarter_turns: int
    sure: bool


def side_up(inks: Inks, game: Game, px: int, fill: float) -> Side:
    """Which side of a board is up, by the marks on its stickers.

    Marks are looked at in the four turns; the turn in which those of the game's teams explain them best is taken. A few
    stickers are asked, and more until they agree.

    Parameters
    ----------
    inks : Inks
        Of all stickers of a board, any side up.
    game : Game
    px : int
        Per cell.
    fill : float
        As :func:`inks.ink_windows` has it.
    """
    characters = sorted({team.character for team in candidates(game)})
    count = len(inks.extents_px)
    explained: FloatArray = np.zeros(4)
    for first in range(parts := -(-count // _STICKERS)):
        asked = inks.of(np.arange(first, count, parts))
        windows = ink_windows(asked, px, inks.usual_extent_px, fill)
        turned = np.concatenate([np.rot90(windows, quarters, (1, 2)) for quarters in range(4)])
        seen = read_windows(normalise(turned)).log_probabilities[:, characters].max(1, initial=-np.inf)
        explained += np.maximum(seen.astype(np.float64), np.log(_LEAST_CHANCE)).reshape(4, -1).sum(1)
        if np.diff(np.sort(explained)[-2:])[0] > _CLEAR:
            break
    order = np.argsort(-explained, kind="stable")
    return Side(int(order[0]), bool(explained[order[0]] - explained[order[1]] > _SURE))
