"""Sheets on paper: vector PDF, true to size, the same bytes for the same game."""

from __future__ import annotations

from collections.abc import Sequence

from poradek_vision.errors import SettingsError
from poradek_vision.model import Game, SheetSpec
from poradek_vision.printing.pen import Pen
from poradek_vision.printing.proof import Proof, draw_proofs
from poradek_vision.printing.sheets import draw_sheet
from poradek_vision.printing.stickers import Outline, StickerPage, draw_stickers, sticker_pages
from poradek_vision.printing.teams import team_index
from poradek_vision.sheet import A3_MM, card_sheet, half_sheets, no_mans_land_sheet, team_sheet

__all__ = [
    "Outline",
    "Proof",
    "StickerPage",
    "by_paper",
    "choose_sheets",
    "draw_proofs",
    "draw_sheets",
    "draw_stickers",
    "sticker_pages",
]


def choose_sheets(
    game: Game, *, teams: Sequence[str] = (), spare: int = 0, halves: bool = False, card: bool = True
) -> tuple[SheetSpec, ...]:
    """Which sheets to print, in the order of printing.

    Parameters
    ----------
    game : Game
    teams : sequence of str
        Names or marks, in any case, with or without diacritics; only these teams' sheets, without the no man's land.
        All where left out.
    spare : int
        How many sets of sheets without a name.
    halves : bool
        The no man's land as two A4 halves.
    card : bool
        Whether to print the calibration card with a whole game.

    Raises
    ------
    SettingsError
        If a team is not in the game, there is nothing to print, or the cells do not fit the paper.

    Examples
    --------
    >>> [sheet.rows for sheet in choose_sheets(Game(), spare=1, halves=True)]
    [6, 5, 4, 3, 12, 12, 4]
    """
    if not game.teams and not spare:
        raise SettingsError("print.no_teams")
    wanted = [team_index(game, team) for team in teams] or range(len(game.teams))
    spares = range(len(game.teams), len(game.teams) + spare)
    boards = [team_sheet(game, index, size) for index in (*wanted, *spares) for size in game.sizes]
    whole = not teams
    common: tuple[SheetSpec, ...] = ()
    if whole and game.no_mans_land:
        common = half_sheets(game) if halves else (no_mans_land_sheet(game),)
    if card and whole:
        common = (*common, card_sheet(game))
    return (*boards, *common)


def by_paper(sheets: Sequence[SheetSpec]) -> dict[str, tuple[SheetSpec, ...]]:
    """Sheets by the paper they need, ``"A4"`` first: home printers choke on a file that mixes sizes."""
    papers = {
        "A4": tuple(sheet for sheet in sheets if sheet.page_mm != A3_MM),
        "A3": tuple(sheet for sheet in sheets if sheet.page_mm == A3_MM),
    }
    return {paper: on_it for paper, on_it in papers.items() if on_it}


def draw_sheets(game: Game, sheets: Sequence[SheetSpec]) -> bytes:
    """A PDF with one page per sheet.

    Parameters
    ----------
    game : Game
        Gives names, title and language.
    sheets : sequence of SheetSpec

    Raises
    ------
    SettingsError
        If the font lacks a sign of a name.
    """
    pen = Pen(game.title or "poradek-vision", game.language)
    for sheet in sheets:
        draw_sheet(pen, game, sheet)
    return pen.finish()
