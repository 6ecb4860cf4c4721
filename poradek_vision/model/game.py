"""The game: what ``game.toml`` says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, get_args

from poradek_vision.model.boards import Board
from poradek_vision.model.photos import GridFit
from poradek_vision.model.text import natural_key

Language = Literal["cs", "en"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


Contact = Literal["corner", "edge"]


Tie = Literal["nobody", "share", "every", "stickers"]


@dataclass(frozen=True, slots=True)
class Team:
    """One team: its name, and the capital letter or digit that it writes."""

    name: str
    mark: str


@dataclass(frozen=True, slots=True)
class Colour:
    """One colour of stickers: a one-letter code, its name, a swatch ``"#rrggbb"`` for pictures and print."""

    code: str
    name: str
    swatch: str


def swatch_rgb(swatch: str) -> tuple[int, int, int]:
    """Red, green and blue of a swatch, 0 to 255.

    Examples
    --------
    >>> swatch_rgb("#f6cd28")
    (246, 205, 40)
    """
    return int(swatch[1:3], 16), int(swatch[3:5], 16), int(swatch[5:7], 16)


@dataclass(frozen=True, slots=True)
class Rules:
    """What the rules leave open; see ``game.no_mans_land``."""

    contact: Contact = "corner"
    tie: Tie = "nobody"


BOARD_SIZES = range(2, 21)
"""What a board may measure, in cells."""

DEFAULT_COLOURS = (
    Colour("R", "červená", "#c8242c"),
    Colour("Y", "žlutá", "#f6cd28"),
    Colour("G", "zelená", "#2c944a"),
    Colour("B", "modrá", "#2254ac"),
)


@dataclass(frozen=True, slots=True)
class Game:
    """What the game is: all that ``game.toml`` says.

    ``teams`` empty means that no team list is known: a printed sheet then names team
    ``"1"``, ``"2"``, … by its number.
    """

    title: str = ""
    language: Language = "cs"
    sizes: tuple[int, ...] = (6, 5, 4, 3)
    no_mans_land: int = 12
    cell_mm: float = 20.0
    teams: tuple[Team, ...] = ()
    colours: tuple[Colour, ...] = DEFAULT_COLOURS
    rules: Rules = field(default_factory=Rules)

    @property
    def codes(self) -> tuple[str, ...]:
        """The colour codes in the game's order."""
        return tuple(colour.code for colour in self.colours)

    def colour_name(self, code: str) -> str:
        """The name of a colour that the game has.

        Examples
        --------
        >>> Game().colour_name("R")
        'červená'
        """
        return next(colour.name for colour in self.colours if colour.code == code)

    def is_land(self, grid: GridFit) -> bool:
        """Whether a grid is the no man's land's: its fiducials say so, or a hand-made board has just its size."""
        return grid.kind == "no_mans_land" or (grid.rows == self.no_mans_land and grid.rows not in self.sizes)

    def sizes_of(self, team: str | None) -> tuple[int, ...]:
        """The sizes of a team's boards; for None that of the no man's land, if there is one.

        Examples
        --------
        >>> Game().sizes_of("Vlci"), Game().sizes_of(None), Game(no_mans_land=0).sizes_of(None)
        ((6, 5, 4, 3), (12,), ())
        """
        if team is None:
            return (self.no_mans_land,) if self.no_mans_land else ()
        return self.sizes

    def counts(self, board: Board) -> bool:
        """Whether a board counts for anybody: it is known whose it is, and it has a size of the game."""
        return board.team != "" and board.size in self.sizes_of(board.team)

    def team_names(self, boards: Iterable[Board]) -> tuple[str, ...]:
        """The game's teams in its order, then all others named on boards and stickers, in name order."""
        listed = dict.fromkeys(team.name for team in self.teams)
        seen = {name for board in boards for name in board.names}
        return (*listed, *sorted(seen - listed.keys(), key=natural_key))

    def expected_boards(self, boards: Iterable[Board]) -> tuple[tuple[str | None, int], ...]:
        """Every board that there must be, as (team or None for the no man's land, size).

        With a team list: each team's boards and the no man's land, if the game has one. Without: the boards of all
        teams named on the ``boards`` seen, and no no man's land, since nothing tells whether it was played.

        Examples
        --------
        >>> Game(sizes=(2, 1)).expected_boards([Board("Vlci", 1, (".",))])
        (('Vlci', 2), ('Vlci', 1))
        """
        teams = [team.name for team in self.teams] or self.team_names(boards)
        expected: list[tuple[str | None, int]] = [(team, size) for team in teams for size in self.sizes]
        if self.teams and self.no_mans_land:
            expected.append((None, self.no_mans_land))
        return tuple(expected)
