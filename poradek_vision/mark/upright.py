"""Which side of a hand-made no man's land is up: nobody's board bears no mark of its own, its stickers tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poradek_vision.mark.candidates import candidates
from poradek_vision.mark.characters import WINDOW_PX, normalise, read_windows
from poradek_vision.mark.owners import OwnerSettings
from poradek_vision.mark.pictures import FloatArray
from poradek_vision.mark.stickers import ink_windows, sticker_inks
from poradek_vision.model import EMPTY, CellReading, Game, Rectified

_STICKERS = 40
"""So many, spread over the board, are asked."""
_LEAST_CHANCE = 0.02
"""No sticker speaks more strongly against a side than this probability does."""
_SURE = 6.0
"""Nats by which one side must explain the stickers better than any other. Of a pair like 6 and 9 neither does."""


@dataclass(frozen=True, slots=True)
class Side:
    """How often to turn a board counterclockwise by a quarter to have its marks upright, and whether that is clear."""

    quarter_turns: int
    sure: bool


def side_up(rectified: Rectified, cells: Sequence[CellReading], game: Game, settings: OwnerSettings) -> Side:
    """Which side of a board is up, by the marks on its stickers.

    Every mark is looked at in the four turns; the turn in which the marks of the game's teams explain all of them best
    is taken. Printed codes are the same in every turn: then no side is sure, and none matters.

    Parameters
    ----------
    rectified : Rectified
        With ``settings.margin_cells`` round the grid, at ``settings.px_per_cell``; any side up.
    cells : sequence of CellReading
        As that side is up.
    game : Game
    settings : OwnerSettings
    """
    stuck = [cell for cell in cells if cell.colour != EMPTY]
    asked = stuck[:: max(len(stuck) // _STICKERS, 1)]
    teams = candidates(game)
    if not asked or not teams:
        return Side(0, False)
    inks = sticker_inks(rectified, asked, settings.stickers)
    windows = ink_windows(inks, rectified.px_per_cell, WINDOW_PX, settings.written.fill)
    turned = np.concatenate([np.rot90(windows, quarters, (1, 2)) for quarters in range(4)])
    seen = read_windows(normalise(turned)).log_probabilities[:, sorted({team.character for team in teams})]
    best: FloatArray = np.maximum(seen.max(1).astype(np.float64), np.log(_LEAST_CHANCE)).reshape(4, -1).sum(1)
    order = np.argsort(-best, kind="stable")
    return Side(int(order[0]), bool(best[order[0]] - best[order[1]] > _SURE))
