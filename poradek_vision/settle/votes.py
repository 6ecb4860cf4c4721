"""Readings of one board vote cell by cell: a sure reading beats a doubted one, and sure ones that differ raise doubt.

All readings of one vote are in one frame; see ``turn``. A cell's colour is *sure* if no flag but
``owner_unclear`` doubts it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from poradek_vision.model import EMPTY, CellReading, Flag, SettledCell

CLASH_CELLS = 2
"""Fewer differing cells are a doubt about cells, never about the board."""
CLASH_SHARE = 0.25
"""More than this share of stickers differing: two boards. Unrelated boards of four colours differ in three quarters."""

Cells = tuple[CellReading, ...]


def vote(cells: Sequence[CellReading]) -> SettledCell:
    """Settle one cell.

    Colour and owner are decided apart: a sure colour settles the colour, a reading without any flag the owner too.
    Among equals the most confident counts, then the first.

    Parameters
    ----------
    cells : sequence of CellReading
        The same cell in each reading, the best reading first.

    Examples
    --------
    >>> vote([CellReading(0, 0, "R", confidence=0.9), CellReading(0, 0, "Y", confidence=0.8)]).flags
    (<Flag.PHOTOS_DISAGREE: 'photos_disagree'>,)
    """
    sure = [cell for cell in cells if is_sure(cell)]
    best = _most_confident(sure or cells)
    unflagged = [cell for cell in sure if not cell.flags and cell.colour == best.colour]
    flags = () if unflagged else best.flags
    if len({cell.colour for cell in sure}) > 1:
        flags = (*flags, Flag.PHOTOS_DISAGREE)
    if len({cell.owner for cell in unflagged}) > 1:
        flags = (*flags, Flag.OWNER_UNCLEAR)
    owner = _most_confident(unflagged or [best]).owner
    by_batch = all(cell.by_batch for cell in sure or cells if cell.colour == best.colour)
    return SettledCell(best.row, best.col, best.colour, owner, best.confidence, flags, by_batch=by_batch)


def is_sure(cell: CellReading) -> bool:
    """Whether nothing doubts a cell's colour."""
    return set(cell.flags) <= {Flag.OWNER_UNCLEAR}


def turn(cells: Cells, size: int, quarters: int) -> Cells:
    """Cells of a board turned clockwise, row by row.

    Parameters
    ----------
    cells : tuple of CellReading
    size : int
        Of the board, which is a square.
    quarters : int
        Quarter turns; negative ones go back.

    Examples
    --------
    >>> cells = tuple(CellReading(i // 2, i % 2, colour) for i, colour in enumerate("RYGB"))
    >>> "".join(cell.colour for cell in turn(cells, 2, 1))
    'GRBY'
    """
    turned = (
        replace(cell, row=row, col=col)
        for cell in cells
        for row, col in [turn_place(cell.row, cell.col, size, quarters)]
    )
    return tuple(sorted(turned, key=lambda cell: (cell.row, cell.col)))


def turn_place(row: int, col: int, size: int, quarters: int) -> tuple[int, int]:
    """Where a cell lies after the board was turned clockwise by quarter turns, as (row, col)."""
    for _ in range(quarters % 4):
        row, col = col, size - 1 - row
    return row, col


def differing(one: Cells, other: Cells) -> tuple[int, int]:
    """How many cells differ, of how many with a sticker in either reading; only colours that are sure in both count."""
    pairs = [(a.colour, b.colour) for a, b in zip(one, other, strict=True) if is_sure(a) and is_sure(b)]
    return sum(a != b for a, b in pairs), sum({a, b} != {EMPTY} for a, b in pairs)


def clash(one: Cells, other: Cells) -> bool:
    """Whether two readings differ so much that they must show two boards."""
    count, stickers = differing(one, other)
    return count >= CLASH_CELLS and count > CLASH_SHARE * stickers


def _most_confident(cells: Sequence[CellReading]) -> CellReading:
    """The reading with the highest confidence, the first of equals."""
    return max(cells, key=lambda cell: cell.confidence)
