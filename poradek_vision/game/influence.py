"""Which open cells matter: what each can do to the ranking.

- A cell reaches the ranking *alone* if one of its readings, all other cells as they were read, swaps two teams, or
  makes or breaks a tie.
- It does so *together* with others if it may score, and the bounds of two totals, one of which it belongs to, overlap:
  some reading of all open cells may then hang on it. Bounds are taken for independent, so this errs on the safe side.
- Else it can't change the ranking, whatever it holds. On a board that counts for nobody yet it may, once it does.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from poradek_vision.game.no_mans_land import exact, merged_shape, patches
from poradek_vision.game.ranking import may_swap
from poradek_vision.game.runs import DIRECTIONS, Cell
from poradek_vision.model import EMPTY, Board, Game, Influence, OpenCell, Reach, Results, Rules, TeamTotal

_ORDER: tuple[Reach, ...] = ("alone", "together", "none")
_Change = tuple[tuple[str, float], ...]
"""What one reading of a cell gives to teams or takes from them; the board's own team is its name."""


def by_influence(results: Results, game: Game) -> tuple[Influence, ...]:
    """All open cells, those that could change the ranking most first.

    Cells that reach it alone come first, then those that do together with others. Among these the best place in danger
    counts, then the points at stake, then the order of boards and cells.

    Parameters
    ----------
    results : Results
    game : Game

    Examples
    --------
    >>> from poradek_vision.game.table import score_game
    >>> boards = [Board("Vlci", 2, ("RR", ".."), open=(OpenCell(0, 1),)), Board("Ježci", 2, ("YY", ".."))]
    >>> game = Game(sizes=(2,), no_mans_land=0)
    >>> by_influence(score_game(boards, game), game)
    (Influence(board=0, row=0, col=1, reach='alone', place=1, swing=1.0),)
    """
    table = _Table.of(results.totals)
    found = [
        influence
        for index, score in enumerate(results.boards)
        for influence in _on_board(index, score.board, table, game)
    ]
    return tuple(sorted(found, key=lambda one: (_ORDER.index(one.reach), one.place, -one.swing, one.board)))


@dataclass(frozen=True, slots=True)
class _Table:
    """Totals by team, ranks by team, and the best place in danger of each team that open cells may move."""

    totals: Mapping[str, float]
    ranks: Mapping[str, int]
    danger: Mapping[str, int]

    @classmethod
    def of(cls, totals: Sequence[TeamTotal]) -> _Table:
        """The table of all totals, best first."""
        danger: dict[str, int] = {}
        for better, worse in itertools.combinations(totals, 2):
            if may_swap(better, worse):
                for team in (better.team, worse.team):
                    danger[team] = min(better.rank, danger.get(team, better.rank))
        return cls({total.team: total.total for total in totals}, {total.team: total.rank for total in totals}, danger)

    def place_changed(self, change: _Change) -> int:
        """The best place that a change of totals gives to another team, 0 if it leaves all in order."""
        moved = {team: exact(self.totals[team] + points) for team, points in change if team in self.totals}
        places = [
            min(self.ranks[team], self.ranks[other])
            for team, total in moved.items()
            for other, before in self.totals.items()
            if _sign(total - moved.get(other, before)) != _sign(self.totals[team] - before)
        ]
        return min(places, default=0)


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def _on_board(index: int, board: Board, table: _Table, game: Game) -> Iterator[Influence]:
    """The influence of each open cell of a board."""
    if not board.open:
        return
    if board.team is None:
        teams = tuple(sorted(table.totals))
        changes = _land_changes(board, game.codes, teams, game.rules)
    else:
        changes = _board_changes(board, game.codes)
    for cell, options in zip(board.open, changes, strict=True):
        reach, place = _reach(board, cell, options, table) if game.counts(board) else ("together", 0)
        swing = max((abs(points) for option in options for _, points in option), default=0.0)
        yield Influence(index, cell.row, cell.col, reach, place, swing)


def _reach(board: Board, cell: OpenCell, options: Sequence[_Change], table: _Table) -> tuple[Reach, int]:
    """How far a cell reaches, and the best place in danger by it."""
    places = [place for place in map(table.place_changed, options) if place]
    if places:
        return "alone", min(places)
    teams = [board.team] if board.team else table.danger
    dangers = [table.danger[team] for team in teams if team in table.danger]
    if dangers and _may_score(board, cell):
        return "together", min(dangers)
    return "none", 0


def _may_score(board: Board, cell: OpenCell) -> bool:
    """Whether any neighbour holds a sticker or may hold one: each segment with the cell includes one."""
    unsure = {(one.row, one.col) for one in board.open if one.colour}
    return any(
        near in unsure or board.rows[near[0]][near[1]] != EMPTY
        for near in _neighbours((cell.row, cell.col), board.size)
    )


def _neighbours(cell: Cell, size: int) -> Iterator[Cell]:
    """The cells beside a cell and at its corners."""
    for down, right in itertools.product((-1, 0, 1), repeat=2):
        row, col = cell[0] + down, cell[1] + right
        if (down or right) and 0 <= row < size and 0 <= col < size:
            yield row, col


@functools.lru_cache(maxsize=1024)
def _board_changes(board: Board, codes: Sequence[str]) -> tuple[tuple[_Change, ...], ...]:
    """For each open cell of a team's board: what each other reading of it does to the team's points."""
    return tuple(tuple(_cell_changes(board, (cell.row, cell.col), codes)) if cell.colour else () for cell in board.open)


def _cell_changes(board: Board, cell: Cell, codes: Sequence[str]) -> Iterator[_Change]:
    """What each other colour in a cell, or none, does to the points of a team's board."""
    now = _gain(board.rows, cell, board.rows[cell[0]][cell[1]])
    for colour in (*codes, EMPTY):
        if colour != board.rows[cell[0]][cell[1]]:
            yield ((board.team or "", float(_gain(board.rows, cell, colour) - now)),)


def _gain(rows: Sequence[str], cell: Cell, colour: str) -> int:
    """The points that a cell brings with a colour: with l and r of it on either side, lr + l + r along each line."""
    if colour == EMPTY:
        return 0
    gain = 0
    for down, right in DIRECTIONS:
        one, other = _length(rows, cell, down, right, colour), _length(rows, cell, -down, -right, colour)
        gain += one * other + one + other
    return gain


def _length(rows: Sequence[str], cell: Cell, down: int, right: int, colour: str) -> int:
    """How many cells of a colour lie in a line next to a cell."""
    row, col, length = cell[0] + down, cell[1] + right, 0
    while 0 <= row < len(rows) and 0 <= col < len(rows) and rows[row][col] == colour:
        row, col, length = row + down, col + right, length + 1
    return length


@functools.lru_cache(maxsize=8)
def _land_changes(
    board: Board, codes: Sequence[str], teams: Sequence[str], rules: Rules
) -> tuple[tuple[_Change, ...], ...]:
    """For each open cell of the no man's land: what each other reading of it does to the teams' credit."""
    land = {
        (row, col): (board.rows[row][col], board.owners[row][col] if board.owners else "")
        for row, col in itertools.product(range(board.size), repeat=2)
    }
    return tuple(
        tuple(
            _credit_change(land, (cell.row, cell.col), option, rules) for option in _options(land, cell, codes, teams)
        )
        for cell in board.open
    )


_Land = Mapping[Cell, tuple[str, str]]
"""Colour and owner of each cell."""


def _options(land: _Land, cell: OpenCell, codes: Sequence[str], teams: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What an open cell may hold besides what was read in it."""
    now = land[cell.row, cell.col]
    colours = [*codes, EMPTY] if cell.colour else [now[0]]
    for colour in colours:
        owners = ("",) if colour == EMPTY else (*teams, "") if cell.owner else (now[1],)
        yield from ((colour, owner) for owner in owners if (colour, owner) != now)


def _credit_change(land: _Land, cell: Cell, reading: tuple[str, str], rules: Rules) -> _Change:
    """What a reading of one cell does to the teams' credit; only the shapes that it touches are looked at."""
    change: dict[str, float] = {}
    for colour in {land[cell][0], reading[0]} - {EMPTY}:
        held = {place for place, (code, _) in land.items() if code == colour}
        near = next(patch for patch in patches(held | {cell}, rules.contact) if cell in patch)
        for sign, after in ((-1, land[cell]), (1, reading)):
            owners = {place: land[place][1] for place in near - {cell}}
            if after[0] == colour:
                owners[cell] = after[1]
            for patch in patches(owners.keys(), rules.contact):
                for team, points in _awarded(frozenset((place, owners[place]) for place in patch), rules):
                    change[team] = change.get(team, 0.0) + sign * points
    return tuple((team, points) for team, points in sorted(change.items()) if points)


@functools.lru_cache(maxsize=1 << 15)
def _awarded(owners: frozenset[tuple[Cell, str]], rules: Rules) -> tuple[tuple[str, float], ...]:
    """What teams are awarded for one merged shape; most shapes stay as they are when a person settles a cell."""
    return merged_shape("", dict(owners), rules).awarded
