"""The final table: totals, ranks, what is missing, and how far open cells and boards in doubt could move each total."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from poradek_vision.game.bounds import board_bounds
from poradek_vision.game.land_bounds import UNSEEN, land_bounds
from poradek_vision.game.no_mans_land import credit_by_team, exact, merged_shapes
from poradek_vision.game.runs import find_runs
from poradek_vision.model import Board, BoardScore, Game, MergedShape, Results, TeamTotal

_Places = dict[tuple[str | None, int], Board]
"""Boards that count, by team (None: the no man's land) and size."""


@dataclass(frozen=True, slots=True)
class _LandShare:
    """What one team has on the no man's land, the least and the most that it may be, and the cells in doubt."""

    credit: float = 0.0
    least: float = 0.0
    most: float = 0.0
    open_cells: int = 0


def score_game(boards: Sequence[Board], game: Game) -> Results:
    """Score all boards of a game and rank the teams.

    The table holds the game's teams and every other team named on a board or sticker. A board of an unknown team
    (``""``) or of a size that the game lacks has points of its own but counts for nobody. A board of which it is in
    doubt whose it is counts for the team that it names, if any, but may be nobody's or that of any team without a sure
    board of its size: so far go the bounds.

    Parameters
    ----------
    boards : sequence of Board
        At most one per team and size, and one no man's land.
    game : Game

    Returns
    -------
    Results
        Totals best first, equals in the game's order of teams; boards in the given order. A team's open cells are
        those on its boards, and those on the no man's land where they can change what it is credited with.

    Raises
    ------
    ValueError
        If two boards claim the same place.

    Examples
    --------
    >>> results = score_game([Board("Vlci", 2, ("RR", ".."))], Game(sizes=(2, 3), no_mans_land=0))
    >>> results.totals[0].total, results.missing
    (1.0, (('Vlci', 3),))
    """
    counted = _counted(boards, game)
    land = counted.get((None, game.no_mans_land))
    teams = game.team_names(boards)
    shapes = merged_shapes(land.rows, land.owners, game.rules) if land else ()
    shares = _land_shares(land, shapes, teams, game) if land else {}
    missing = tuple(place for place in game.expected_boards(boards) if place not in counted)
    absent = Counter(team for team, _ in missing)
    most = _most_in_doubt(boards, game.codes)
    return Results(
        totals=_ranked(
            _total(team, counted, most, shares.get(team, _LandShare()), absent[team], game) for team in teams
        ),
        boards=tuple(_board_score(board) for board in boards),
        shapes=shapes,
        missing=missing,
    )


def _counted(boards: Iterable[Board], game: Game) -> _Places:
    """The boards that count."""
    counted: _Places = {}
    for board in boards:
        place = (board.team, board.size)
        if place in counted:
            raise ValueError(f"two boards of {place}")
        if game.counts(board):
            counted[place] = board
    return counted


def _board_score(board: Board) -> BoardScore:
    """A board's own points; none on the no man's land, where shapes have them."""
    if board.team is None:
        return BoardScore(board, None, ())
    runs = find_runs(board.rows)
    return BoardScore(board, sum(run.points for run in runs), runs)


def _land_shares(land: Board, shapes: Iterable[MergedShape], teams: Sequence[str], game: Game) -> dict[str, _LandShare]:
    """What each team has on the no man's land."""
    credit = credit_by_team(shapes)
    bounds = land_bounds(land, game.codes, teams if game.teams else (*teams, UNSEEN), game.rules)
    return {
        team: _LandShare(
            credit.get(team, 0.0), *bounds[team], len(land.open) if bounds[team][0] < bounds[team][1] else 0
        )
        for team in teams
    }


def _most_in_doubt(boards: Iterable[Board], codes: tuple[str, ...]) -> dict[int, int]:
    """The most points that any board in doubt of a size may have; one team at a time can have it."""
    most: dict[int, int] = {}
    for board in boards:
        if board.in_doubt:
            most[board.size] = max(_board_bounds(board, codes)[1], most.get(board.size, 0))
    return most


def _total(
    team: str, counted: _Places, most: Mapping[int, int], land: _LandShare, missing_boards: int, game: Game
) -> TeamTotal:
    """A team's row, without its rank."""
    boards = [counted.get((team, size)) for size in game.sizes]
    points = [_board_score(board).points if board else None for board in boards]
    ranges = [
        _board_bounds(board, game.codes) if board and not board.in_doubt else (0, most.get(size, 0))
        for size, board in zip(game.sizes, boards, strict=True)
    ]
    return TeamTotal(
        rank=0,
        team=team,
        points_by_size=tuple(zip(game.sizes, points, strict=True)),
        no_mans_land=exact(land.credit),
        total=exact(sum(filter(None, points)) + land.credit),
        total_min=exact(sum(low for low, _ in ranges) + land.least),
        total_max=exact(sum(high for _, high in ranges) + land.most),
        open_cells=land.open_cells + sum(len(board.open) for board in boards if board),
        missing_boards=missing_boards,
    )


@functools.lru_cache(maxsize=1 << 10)
def _board_bounds(board: Board, codes: tuple[str, ...]) -> tuple[int, int]:
    """The bounds of a team's board; remembered, since a person settles one board at a time."""
    return board_bounds(board, codes)


def _ranked(totals: Iterable[TeamTotal]) -> tuple[TeamTotal, ...]:
    """Rows best first; equal totals share the rank of the first of them."""
    ordered = sorted(totals, key=lambda row: -row.total)
    points = [row.total for row in ordered]
    return tuple(replace(row, rank=points.index(row.total) + 1) for row in ordered)
