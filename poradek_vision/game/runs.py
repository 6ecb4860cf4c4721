"""Points of a board: every segment of two or more stickers of one colour in a line is worth one.

A cell is (row, col), from 0. A *line* goes along a row, a column or any diagonal. A maximal run of length L holds
L(L-1)/2 segments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal

from poradek_vision.model import EMPTY, Run

Cell = tuple[int, int]

Line = Literal["row", "column", "diagonal"]

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Along a row, down a column, down right, down left."""


def find_runs(rows: Sequence[str]) -> tuple[Run, ...]:
    """Find the maximal runs of two or more stickers of one colour.

    Parameters
    ----------
    rows : sequence of str
        Colour codes, ``"."`` empty; all of one length, not necessarily a square.

    Returns
    -------
    tuple of Run
        Along rows first, then columns, then diagonals down right, then down left; in each by the first cell.

    Raises
    ------
    ValueError
        If the rows differ in length.

    Examples
    --------
    >>> [(run.cells, run.points) for run in find_runs(["RRR", "..."])]
    [(((0, 0), (0, 1), (0, 2)), 3)]
    """
    by_colour = cells_by_colour(rows)
    found = [
        (direction, line, colour)
        for colour, cells in by_colour.items()
        for direction, line in _maximal_lines(cells)
        if len(line) > 1
    ]
    return tuple(Run(colour, line, _segments(len(line))) for _, line, colour in sorted(found))


def line_of(run: Run) -> Line:
    """Along which line a run lies.

    Examples
    --------
    >>> line_of(Run("R", ((0, 1), (1, 0)), 1))
    'diagonal'
    """
    (row, col), (next_row, next_col) = run.cells[:2]
    if row == next_row:
        return "row"
    return "column" if col == next_col else "diagonal"


def score_rows(rows: Sequence[str]) -> int:
    """Count a board's points.

    Parameters
    ----------
    rows : sequence of str
        Colour codes, ``"."`` empty; all of one length, not necessarily a square.

    Raises
    ------
    ValueError
        If the rows differ in length.

    Examples
    --------
    >>> score_rows(["RR", "RR"])
    6
    """
    return sum(score_cells(cells) for cells in cells_by_colour(rows).values())


def score_cells(cells: AbstractSet[Cell]) -> int:
    """Count the points of cells that all bear the same colour.

    Examples
    --------
    >>> score_cells({(0, 0), (1, 1), (2, 2)})
    3
    """
    return sum(_segments(len(line)) for _, line in _maximal_lines(cells))


def segments(cells: AbstractSet[Cell]) -> Iterator[tuple[Cell, ...]]:
    """Each segment of two or more cells in a line: what one point is given for.

    Examples
    --------
    >>> list(segments({(0, 0), (0, 1), (0, 2)}))
    [((0, 0), (0, 1)), ((0, 0), (0, 1), (0, 2)), ((0, 1), (0, 2))]
    """
    for _, line in _maximal_lines(cells):
        for start in range(len(line)):
            for stop in range(start + 2, len(line) + 1):
                yield line[start:stop]


def cells_by_colour(rows: Sequence[str]) -> dict[str, set[Cell]]:
    """The cells of each colour on a board.

    Raises
    ------
    ValueError
        If the rows differ in length.
    """
    if len({len(row) for row in rows}) > 1:
        raise ValueError(f"rows of a board must have one length: {list(rows)}")
    by_colour: dict[str, set[Cell]] = {}
    for r, row in enumerate(rows):
        for c, colour in enumerate(row):
            if colour != EMPTY:
                by_colour.setdefault(colour, set()).add((r, c))
    return by_colour


def _maximal_lines(cells: AbstractSet[Cell]) -> Iterator[tuple[int, tuple[Cell, ...]]]:
    """Each longest line of cells, also of a single one, with the number of its direction."""
    for number, (down, right) in enumerate(DIRECTIONS):
        for row, col in cells:
            if (row - down, col - right) in cells:
                continue
            line = []
            while (row, col) in cells:
                line.append((row, col))
                row, col = row + down, col + right
            yield number, tuple(line)


def _segments(length: int) -> int:
    """How many segments of two or more a run holds."""
    return length * (length - 1) // 2
