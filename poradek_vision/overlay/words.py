"""What debug pictures say, in the language of the game; knows no pixels."""

from __future__ import annotations

from collections.abc import Iterable

from poradek_vision.model import EMPTY, BoardReading, CellReading, Flag, Game, GridFit
from poradek_vision.texts import decimal, say

UNBROKEN = "\N{NO-BREAK SPACE}"
"""A space at which lines are not broken."""
SURE_PERCENT = 99
"""Confidence is written out only below this: what is sure needs no number."""


def title(team: str, grid: GridFit, game: Game) -> str:
    """Whose board, and its size.

    Parameters
    ----------
    team : str
        The team's name, ``""`` where it is not known.
    grid : GridFit
    game : Game
    """
    return f"{_whose(team, grid, game)} · {grid.rows}×{grid.cols}"


def _whose(team: str, grid: GridFit, game: Game) -> str:
    """The team with its mark, the no man's land or the card, or that it is not known."""
    if game.is_land(grid):
        return say("word.no_mans_land", game.language)
    if grid.kind != "team":
        return say(f"word.{grid.kind}", game.language)
    if not team:
        return say("overlay.unknown_team", game.language)
    mark = mark_of(team, game)
    return team if mark == team else f"{team} · {mark}"


def mark_of(team: str, game: Game) -> str:
    """A team's mark; its whole name where the game does not list it.

    Examples
    --------
    >>> from poradek_vision.model import Team
    >>> mark_of("Vlci", Game(teams=(Team("Vlci", "A"),))), mark_of("7", Game())
    ('A', '7')
    """
    return next((listed.mark for listed in game.teams if listed.name == team), team)


def origin(reading: BoardReading, game: Game) -> str:
    """The photo, how the grid was found, the palette and the grid's error."""
    how = say(f"overlay.how_{reading.grid.how.replace(' ', '_')}", game.language)
    error = decimal(f"{reading.grid.error_px:.1f}", game.language)
    return say(
        "overlay.origin", game.language, photo=reading.photo, how=how, palette=reading.palette, error=error
    )  # fmt: skip


def verdict(reading: BoardReading, game: Game) -> str:
    """How many cells are in doubt: all where the grid is."""
    if Flag.GRID_UNCERTAIN in reading.grid.flags:
        return say("overlay.none_sure", game.language)
    count = sum(bool(cell.flags) for cell in reading.cells)
    return say("overlay.open_cells", game.language, count=count) if count else say("overlay.all_sure", game.language)


def board_doubts(reading: BoardReading, game: Game) -> tuple[str, ...]:
    """A sentence for each flag of the board, its grid and its mark; each flag once."""
    flags = dict.fromkeys((*reading.flags, *reading.grid.flags, *reading.mark.flags))
    return tuple(sentence(reasons((flag,), game)) for flag in flags)


def cell_doubts(cells: Iterable[CellReading], game: Game) -> tuple[str, ...]:
    r"""A sentence for each reason for doubt, naming all cells that it holds for, in the order of the first of them.

    Spaces inside a cell's part are such that lines are not broken there.

    Examples
    --------
    >>> doubtful = CellReading(1, 2, "R", second="G", flags=(Flag.LOW_MARGIN,))
    >>> cell_doubts([CellReading(0, 0, "R"), doubtful], Game(language="en"))
    ('Two colours fit almost equally well – row\xa02,\xa0column\xa03:\xa0R\xa0or\xa0G?',)
    """
    places: dict[tuple[Flag, ...], list[str]] = {}
    for cell in cells:
        if cell.flags:
            where = f"{place(cell, game)}: {choice(cell, game)}"
            places.setdefault(cell.flags, []).append(where.replace(" ", UNBROKEN))
    return tuple(sentence(f"{reasons(flags, game)} – {' · '.join(each)}") for flags, each in places.items())


def place(cell: CellReading, game: Game) -> str:
    """Row and column, from 1."""
    return say("overlay.place", game.language, row=cell.row + 1, col=cell.col + 1)


def choice(cell: CellReading, game: Game) -> str:
    """The reading of a doubtful cell, and the second choice where the colour is what is in doubt."""
    first = letter(cell.colour, game)
    if not in_two_minds(cell):
        return first
    return say("overlay.either", game.language, first=first, second=letter(cell.second, game))


def in_two_minds(cell: CellReading) -> bool:
    """Whether a second colour is worth showing."""
    return bool(cell.second) and colour_doubtful(cell)


def colour_doubtful(cell: CellReading) -> bool:
    """Whether more than the owner is in doubt."""
    return any(flag != Flag.OWNER_UNCLEAR for flag in cell.flags)


def owner(cell: CellReading, game: Game) -> str:
    """The mark of the team that stuck the sticker, ``?`` where that could not be read, ``""`` where it doesn't matter.

    Examples
    --------
    >>> owner(CellReading(0, 0, "R", flags=(Flag.OWNER_UNCLEAR,)), Game())
    '?'
    """
    if cell.owner:
        return mark_of(cell.owner, game)
    return "?" if Flag.OWNER_UNCLEAR in cell.flags else ""


def letter(colour: str, game: Game) -> str:
    """A colour's letter, or the word for an empty cell."""
    return say("overlay.empty", game.language) if colour == EMPTY else colour


def percent(cell: CellReading) -> str:
    """The confidence where it is worth a look, else ``""``.

    Examples
    --------
    >>> percent(CellReading(0, 0, "R", confidence=0.876)), percent(CellReading(0, 0, "R", confidence=0.995))
    ('87', '')
    """
    share = int(100 * cell.confidence)
    return f"{share}" if share < SURE_PERCENT else ""


def colour_or_paper(code: str, game: Game) -> str:
    """A colour's name, or the word for empty paper.

    Examples
    --------
    >>> colour_or_paper("R", Game()), colour_or_paper(".", Game())
    ('červená', 'papír')
    """
    return say("overlay.paper", game.language) if code == EMPTY else game.colour_name(code)


def reasons(flags: Iterable[Flag], game: Game) -> str:
    """The flags in words."""
    return "; ".join(say(f"flag.{flag}", game.language) for flag in flags)


def sentence(words: str) -> str:
    """The words with a capital letter."""
    return words[:1].upper() + words[1:]
