"""What a person has to look at, the most important first: for the review, ``flagged.jpg`` and ``to_review.csv``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from poradek_vision.files import OpenRow, Place
from poradek_vision.game import by_influence
from poradek_vision.model import BoardReading, Game, Influence, LedgerRow, Results, SettledCell, Settlement
from poradek_vision.settle import readings_by_row
from poradek_vision.texts import say


@dataclass(frozen=True, slots=True)
class Doubt:
    """One open cell: the row and the reading that stand for its board, what it settled to, and what it can change."""

    row: LedgerRow
    reading: BoardReading
    cell: SettledCell
    second: str
    influence: Influence

    @property
    def place(self) -> Place:
        """Which cell it is."""
        return self.reading.sha256, self.reading.photo, self.reading.index, self.cell.row, self.cell.col


def open_doubts(
    readings: Sequence[BoardReading], settlement: Settlement, results: Results, game: Game
) -> tuple[Doubt, ...]:
    """All open cells, those that could change the ranking most first.

    Parameters
    ----------
    readings : sequence of BoardReading
    settlement : Settlement
    results : Results
    game : Game
    """
    reading_of = readings_by_row(readings, settlement)
    rows = [row for row in settlement.ledger if row.board]
    doubts = []
    for influence in by_influence(results, game):
        row = rows[influence.board]
        cell = next(cell for cell in row.cells if (cell.row, cell.col) == (influence.row, influence.col))
        reading = reading_of[id(row)]
        second = next(seen.second for seen in reading.cells if (seen.row, seen.col) == (cell.row, cell.col))
        doubts.append(Doubt(row, reading, cell, second, influence))
    return tuple(doubts)


def numbered(doubts: Sequence[Doubt], known: Mapping[Place, int]) -> tuple[tuple[int, Doubt], ...]:
    """Give each doubt its number: the one it had before, else the next that no cell ever had.

    Parameters
    ----------
    doubts : sequence of Doubt
    known : mapping
        Numbers by place.
    """
    following = max(known.values(), default=0)
    pairs = []
    for doubt in doubts:
        number = known.get(doubt.place)
        if number is None:
            following += 1
            number = following
        pairs.append((number, doubt))
    return tuple(pairs)


def as_row(number: int, doubt: Doubt, game: Game) -> OpenRow:
    """A doubt as a row of ``to_review.csv``."""
    language, row, cell = game.language, doubt.row, doubt.cell
    return OpenRow(
        number=number,
        photo=row.photo,
        sha256=doubt.reading.sha256,
        board=doubt.reading.index,
        team=say("word.no_mans_land", language) if row.team is None else row.team,
        size=row.board.size if row.board else 0,
        row=cell.row,
        col=cell.col,
        reading=cell.colour,
        second=doubt.second,
        confidence=cell.confidence,
        reason="; ".join(say(f"flag.{flag}", language) for flag in cell.flags),
    )
