"""The outcome of a game: points, shapes, totals, and what open cells can change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from poradek_vision.model.boards import Board


@dataclass(frozen=True, slots=True)
class Run:
    """A maximal line of one colour: its cells as (row, col) in order, and its points L(L-1)/2."""

    colour: str
    cells: tuple[tuple[int, int], ...]
    points: int


@dataclass(frozen=True, slots=True)
class MergedShape:
    """A patch of one colour on the no man's land, of one or more teams; see ``game.no_mans_land``.

    ``points_by_team`` pairs each team in it (in name order) with the points of its own shapes; ``points`` are those
    of the whole; ``awarded`` pairs teams with what they are credited (empty on an unbroken tie); ``tie`` says that
    the most points were shared by two or more.
    """

    colour: str
    cells: tuple[tuple[int, int], ...]
    points_by_team: tuple[tuple[str, int], ...]
    points: int
    awarded: tuple[tuple[str, float], ...]
    tie: bool


@dataclass(frozen=True, slots=True)
class BoardScore:
    """A board with its points (None on the no man's land) and the runs that make them."""

    board: Board
    points: int | None
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class TeamTotal:
    """One row of the final table.

    ``points_by_size`` pairs each size of the game with the points of that board, None where it is missing;
    ``total_min`` and ``total_max`` bound the total over all readings of the open cells, and all teams that boards in
    doubt may belong to.
    """

    rank: int
    team: str
    points_by_size: tuple[tuple[int, int | None], ...]
    no_mans_land: float
    total: float
    total_min: float
    total_max: float
    open_cells: int
    missing_boards: int


@dataclass(frozen=True, slots=True)
class Results:
    """The outcome of a game: totals best first, boards with their points, shapes of the no man's land."""

    totals: tuple[TeamTotal, ...]
    boards: tuple[BoardScore, ...]
    shapes: tuple[MergedShape, ...]
    missing: tuple[tuple[str | None, int], ...]


Reach = Literal["alone", "together", "none"]
"""Whether an open cell can change the ranking: by itself, only together with others, or not at all."""


@dataclass(frozen=True, slots=True)
class Influence:
    """What one open cell can do to the ranking.

    Attributes
    ----------
    board : int
        Which of the results' boards it lies on.
    row, col : int
    reach : {"alone", "together", "none"}
    place : int
        The best place in the table that may change hands, 0 where none can.
    swing : float
        The most points that any team gains or loses by it, all other cells as they were read.
    """

    board: int
    row: int
    col: int
    reach: Reach
    place: int
    swing: float
