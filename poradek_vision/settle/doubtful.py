"""The readings of which something is still open, as they settled: what a person has to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from poradek_vision.model import BoardReading, CellReading, Flag, LedgerRow, Settlement, natural_key


def is_undecided(row: LedgerRow) -> bool:
    """Whether more than cells of a photographed board is in doubt: whose it is, or which photo of it counts."""
    return row.status == "review" and any(reason.key not in _OF_CELLS for reason in row.reasons)


_OF_CELLS = {"settle.open_cells", "settle.marks_unlike"}
_IN_BOUNDS = {"settle.open_cells", f"flag.{Flag.TEAM_UNCLEAR}", f"flag.{Flag.UNKNOWN_TEAM}"}


def is_beyond_bounds(row: LedgerRow) -> bool:
    """Whether a row may change totals further than their bounds say: they include cells, and whose boards are."""
    if row.status == "review":
        return any(reason.key not in _IN_BOUNDS for reason in row.reasons)
    return row.status in ("missing", "not_found", "unreadable")


def doubtful_readings(readings: Sequence[BoardReading], settlement: Settlement) -> tuple[BoardReading, ...]:
    """The readings that stand for boards with open cells, with what their cells and teams settled to.

    Parameters
    ----------
    readings : sequence of BoardReading
        All that were settled.
    settlement : Settlement

    Returns
    -------
    tuple of BoardReading
        In the order of the ledger.
    """
    return tuple(
        _as_settled(reading, row)
        for row, reading in rows_with_readings(readings, settlement)
        if row.board is not None and row.board.open
    )


def rows_with_readings(
    readings: Sequence[BoardReading], settlement: Settlement
) -> tuple[tuple[LedgerRow, BoardReading], ...]:
    """The ledger's row of each reading.

    Parameters
    ----------
    readings : sequence of BoardReading
        All that were settled; the ledger has one row for each, in the order of photos and of the boards in them.
    settlement : Settlement
    """
    rows = [row for row in settlement.ledger if row.photo and row.size is not None]
    ordered = sorted(readings, key=lambda reading: (natural_key(reading.photo), reading.index))
    return tuple(zip(rows, ordered, strict=True))


def readings_by_row(readings: Sequence[BoardReading], settlement: Settlement) -> dict[int, BoardReading]:
    """The reading of each row of the ledger that has one, by the ``id`` of the row: two rows may be equal.

    Parameters
    ----------
    readings : sequence of BoardReading
        All that were settled.
    settlement : Settlement
    """
    return {id(row): reading for row, reading in rows_with_readings(readings, settlement)}


def _as_settled(reading: BoardReading, row: LedgerRow) -> BoardReading:
    """A reading with the team and the cells of its row."""
    seen = {(cell.row, cell.col): cell for cell in reading.cells}
    cells: list[CellReading] = [
        replace(
            seen[cell.row, cell.col],
            colour=cell.colour,
            owner=cell.owner,
            confidence=cell.confidence,
            flags=cell.flags,
        )
        for cell in row.cells
    ]
    return replace(reading, mark=replace(reading.mark, team=row.team or ""), cells=tuple(cells))
