"""How much a team's board can be worth, whatever its open cells hold.

An open cell may hold any colour of the game, or nothing.

- *Worst*: all open cells empty. Emptying a cell only takes segments away, so this is exact.
- *Best*: a segment is *possible* if it has no empty cell and its closed cells share one colour. Open cells that share
  a possible segment, directly or over others, form a *knot*; the points of different knots add up. A small knot is
  tried out in every way, which is exact. In a large one every possible segment counts: whatever the cells hold, each
  segment that scores is possible, and it scores once; so this is sound, though a little high.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar

from poradek_vision.game.runs import Cell, cells_by_colour, score_cells, segments
from poradek_vision.model import Board

BUDGET = 20_000
"""Segments looked at for one knot before the bound is used instead: some milliseconds."""

T = TypeVar("T", bound=Hashable)

_Possible = tuple[frozenset[Cell], str | None]
"""The open cells of a possible segment, and the colour that they must have (None: any, the same)."""


def board_bounds(board: Board, codes: Sequence[str]) -> tuple[int, int]:
    """Bound the points of a team's board over all readings of its open cells.

    Parameters
    ----------
    board : Board
    codes : sequence of str
        The colours of the game.

    Returns
    -------
    (int, int)
        The least, exact; the most, exact for knots of few open cells, else sound.

    Examples
    --------
    >>> from poradek_vision.model import OpenCell
    >>> board_bounds(Board("Vlci", 2, ("RR", "R."), open=(OpenCell(1, 1),)), "RY")
    (3, 6)
    """
    unsure = {(cell.row, cell.col) for cell in board.open if cell.colour}
    closed = {colour: cells - unsure for colour, cells in cells_by_colour(board.rows).items()}
    worst = sum(score_cells(cells) for cells in closed.values())
    possible = _possible_segments(closed, unsure)
    knots = merge_overlapping(cells for cells, _ in possible)
    return worst, worst + sum(_most(knot, [item for item in possible if item[0] <= knot], codes) for knot in knots)


def merge_overlapping(groups: Iterable[AbstractSet[T]]) -> list[frozenset[T]]:
    """Unite groups that share a member, directly or over other groups.

    Examples
    --------
    >>> [sorted(group) for group in merge_overlapping([{1, 2}, {5}, {2, 3}])]
    [[5], [1, 2, 3]]
    """
    merged: list[frozenset[T]] = []
    for group in groups:
        touching = [other for other in merged if not other.isdisjoint(group)]
        merged = [other for other in merged if other.isdisjoint(group)]
        merged.append(frozenset(group).union(*touching))
    return merged


def _possible_segments(closed: dict[str, set[Cell]], unsure: set[Cell]) -> list[_Possible]:
    """Each possible segment with at least one open cell, once."""
    found: list[_Possible] = [(frozenset(segment), None) for segment in segments(unsure)]
    for colour, cells in closed.items():
        for segment in segments(cells | unsure):
            cells_open = frozenset(segment) & unsure
            if 0 < len(cells_open) < len(segment):
                found.append((cells_open, colour))
    return found


def _most(knot: frozenset[Cell], possible: list[_Possible], codes: Sequence[str]) -> int:
    """The most points that the open cells of a knot can add."""
    if len(knot) > 1 and len(codes) ** len(knot) * len(possible) > BUDGET:
        return len(possible)
    cells = sorted(knot)
    return max(
        _gain(dict(zip(cells, colours, strict=True)), possible)
        for colours in itertools.product(codes, repeat=len(cells))
    )


def _gain(reading: dict[Cell, str], possible: list[_Possible]) -> int:
    """The points that one reading of a knot adds."""
    gain = 0
    for cells, needed in possible:
        colours = {reading[cell] for cell in cells}
        gain += len(colours) == 1 and needed in (None, *colours)
    return gain
