"""Boards free of pixels, what a person said about them, and the ledger of all that was seen."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Literal

from poradek_vision.model.flags import Flag
from poradek_vision.model.text import Text

EMPTY = "."
"""The colour of a cell without a sticker."""


Target = Literal["cell", "owner", "team", "size", "corners", "board", "typed"]


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person said about one board in one photo.

    ``sha256`` and ``photo`` name the photo (the content counts, the name is for people), ``index`` the board in
    it, counted from 0. ``row`` and ``col`` are None except for a cell or an owner. What ``value`` holds depends on
    ``target``:

    - ``"cell"``: a colour code or ``.``; ``"owner"`` and ``"team"``: a team's name;
    - ``"size"``: rows; ``"corners"``: ``x1 y1 x2 y2 x3 y3 x4 y4`` in file pixels, clockwise from the board's own top
      left;
    - ``"board"``: ``no``, what was found there is no board; ``ok``, it is one and its grid is found right;
    - ``"typed"``: a board that no photo shows, which no photo is named for: ``Team: RR. / R.. / ...``, without a team
      the no man's land.

    ``line`` is where it stands in the file, 0 where it is in none; words that differ in nothing else are the same.
    """

    sha256: str
    photo: str
    index: int
    target: Target
    row: int | None
    col: int | None
    value: str
    line: int = field(default=0, compare=False, repr=False)  # not shown, lest the cache takes it for another word


@dataclass(frozen=True, slots=True)
class OpenCell:
    """A cell in doubt: its colour (and then its owner too), or only its owner."""

    row: int
    col: int
    colour: bool = True
    owner: bool = True


@dataclass(frozen=True, slots=True)
class Board:
    """The state of one board in the game, free of pixels: all that the rules know.

    Attributes
    ----------
    team : str or None
        The owner's name; None for the no man's land.
    size : int
    rows : tuple of str
        Colour codes, ``"."`` empty: ``("RR.", "R..", "...")``.
    owners : tuple of tuple of str
        Team names, ``""`` unknown; empty tuple where owners don't matter (a team's own board).
    open : tuple of OpenCell
        Cells in doubt, row by row.
    sources : tuple of str
        Names of the photos that show it, the best first.
    team_open : bool
        Whether it may be another team's. A board without a team's name is anybody's, whatever this says.
    """

    team: str | None
    size: int
    rows: tuple[str, ...]
    owners: tuple[tuple[str, ...], ...] = ()
    open: tuple[OpenCell, ...] = ()
    sources: tuple[str, ...] = ()
    team_open: bool = False

    def __post_init__(self) -> None:
        """Refuse rows, owners or open cells that do not fit the size."""
        if len(self.rows) != self.size or any(len(row) != self.size for row in self.rows):
            raise ValueError(f"a board of size {self.size} needs {self.size} rows of {self.size}")
        if self.owners and (len(self.owners) != self.size or any(len(row) != self.size for row in self.owners)):
            raise ValueError(f"owners of a board of size {self.size} need {self.size} rows of {self.size}")
        if any(not (0 <= cell.row < self.size and 0 <= cell.col < self.size) for cell in self.open):
            raise ValueError("an open cell lies outside the board")

    @property
    def in_doubt(self) -> bool:
        """Whether it is in doubt whose it is."""
        return self.team == "" or self.team_open

    @property
    def names(self) -> frozenset[str]:
        """The teams named on the board: whose it is, and the known owners of its stickers."""
        stickers = zip("".join(self.rows), itertools.chain(*self.owners), strict=False)
        return frozenset(name for name in (self.team, *(o for colour, o in stickers if colour != EMPTY)) if name)


@dataclass(frozen=True, slots=True)
class SettledCell:
    """One cell after photos have voted and corrections were applied; one with a flag is open.

    Fields as in :class:`CellReading`; ``corrected`` says that a person set its colour or owner, ``by_batch`` that
    only the batch decided its colour.
    """

    row: int
    col: int
    colour: str
    owner: str
    confidence: float
    flags: tuple[Flag, ...] = ()
    corrected: bool = False
    by_batch: bool = False


Status = Literal["ok", "review", "duplicate", "not_found", "unreadable", "missing"]


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One row of ``boards.csv``: a board seen, a photo without one, or an expected board that nobody photographed.

    Attributes
    ----------
    photo : str
        The photo's name, ``""`` for a missing board.
    team : str or None
        The team's name; ``""`` unknown or none; None for the no man's land.
    size : int or None
        None where no board was seen.
    status : Status
    found_by : str
        ``"printed"``, ``"ruled"``, ``"by hand"``, ``"card"``, ``"typed"`` or ``""``.
    palette : str
        Name of the palette used, ``""`` where none was.
    reasons : tuple of Text
        What is wrong and what to do, the most important first.
    board : Board or None
        The settled board, on the rows that stand for it (``ok`` and ``review``).
    cells : tuple of SettledCell
        Its cells row by row; empty where ``board`` is None.
    """

    photo: str
    team: str | None
    size: int | None
    status: Status
    found_by: str = ""
    palette: str = ""
    reasons: tuple[Text, ...] = ()
    board: Board | None = None
    cells: tuple[SettledCell, ...] = ()


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a batch comes to: boards for the rules, the ledger of all that was seen, and notes for the person.

    ``notes`` say what became of corrections that found no place (photo gone, cell outside the board, …); ``agreeing``
    name those that the reading says by itself by now: nothing needs to be done about them.
    """

    boards: tuple[Board, ...]
    ledger: tuple[LedgerRow, ...]
    notes: tuple[Text, ...] = ()
    agreeing: tuple[Text, ...] = ()
