"""Which open cells matter: exact alone, never silent about one that could change the ranking with others."""

import itertools
import random
from dataclasses import replace

import pytest

from poradek_vision.game import by_influence, score_game
from poradek_vision.model import EMPTY, Board, Game, OpenCell, Rules, Team

CODES = "RY"
GAME = Game(
    sizes=(3,), no_mans_land=0, teams=(Team("A", "A"), Team("B", "B"), Team("C", "C")), colours=Game().colours[:2]
)


def board(team, rows, *cells):
    rows = tuple(rows.split())
    return Board(team, len(rows), rows, open=tuple(OpenCell(row, col) for row, col in cells))


def ranked(boards, game=GAME):
    return by_influence(score_game(boards, game), game)


def order(boards, game):
    """Who is ahead of whom."""
    settled = [replace(one, open=()) for one in boards]
    totals = {total.team: total.total for total in score_game(settled, game).totals}
    return {(a, b): (totals[a] > totals[b]) - (totals[a] < totals[b]) for a, b in itertools.combinations(totals, 2)}


def with_reading(one, cell, colour, owner=""):
    rows = [list(row) for row in one.rows]
    rows[cell.row][cell.col] = colour
    owners = [list(row) for row in one.owners]
    if owners:
        owners[cell.row][cell.col] = owner if colour != EMPTY else ""
    return replace(one, rows=tuple(map("".join, rows)), owners=tuple(map(tuple, owners)))


def readings(one, cell, game):
    """A board with each reading of one open cell."""
    if one.team is not None:
        return [with_reading(one, cell, colour) for colour in (*game.codes, EMPTY)]
    teams = [team.name for team in game.teams]
    colours = (*game.codes, EMPTY) if cell.colour else (one.rows[cell.row][cell.col],)
    return [with_reading(one, cell, colour, owner) for colour in colours for owner in (*teams, "")]


def all_readings(boards, game):
    """The game under every reading of all its open cells."""
    places = [(index, cell) for index, one in enumerate(boards) for cell in one.open]
    stack = [list(boards)]
    for index, cell in places:
        stack = [
            [*some[:index], changed, *some[index + 1 :]]
            for some in stack
            for changed in readings(some[index], cell, game)
        ]
    return stack


def test_the_one_cell_that_decides_the_winner_comes_before_nine_that_decide_nothing():
    decisive = board("A", "RR. ... Y.R", (0, 2))  # 1 point, 3 with a red one
    rival = board("B", "RR. .R. ...")  # 3 points
    idle = board("C", "... ... ...", *itertools.product(range(3), repeat=2))
    last = replace(GAME, sizes=(3, 4))
    ahead = board("A", "RRRR RRRR RRRR RRRR"), board("B", "RRRR RRRR RRRR RRRR")
    found = ranked([idle, rival, decisive, *ahead], last)
    assert [(one.board, one.reach) for one in found] == [(2, "alone"), *[(0, "none")] * 9]
    assert (found[0].place, found[0].swing) == (1, 2.0)


def test_the_first_place_counts_more_than_the_last_and_then_the_points():
    boards = [
        board("A", "RRR RRR RRR"),
        board("B", "RRR RRR RR.", (2, 2)),
        board("C", "R.. ... YYY", (0, 1)),
    ]
    found = ranked(boards)
    assert [(one.board, one.reach, one.place) for one in found] == [(1, "alone", 1), (2, "none", 0)]
    fourth = replace(GAME, teams=(*GAME.teams, Team("D", "D")))
    found = ranked([*boards, board("D", "RR. ... YY.", (0, 2))], fourth)
    assert [(one.board, one.place) for one in found][:2] == [(1, 1), (3, 3)]


def test_more_points_at_stake_come_first():
    boards = [board("A", "RRR ... ..."), board("B", "RR. ... R.R", (0, 2), (1, 0)), board("C", "... ... ...")]
    found = ranked(boards)
    assert [one.swing for one in found] == sorted((one.swing for one in found), reverse=True)


def test_a_board_of_nobody_may_matter_once_it_is_somebodys():
    boards = [board("A", "RRR RRR RRR"), board("", "RR. ... ...", (0, 2))]
    (one,) = ranked(boards)
    assert (one.reach, one.place) == ("together", 0)


def random_board(rng, team, size, doubts):
    rows = tuple("".join(rng.choice("RY.") for _ in range(size)) for _ in range(size))
    cells = rng.sample(list(itertools.product(range(size), repeat=2)), doubts)
    return Board(team, size, rows, open=tuple(OpenCell(*cell) for cell in sorted(cells)))


def random_land(rng, doubts):
    one = random_board(rng, None, 3, doubts)
    owners = tuple(
        tuple(rng.choice(["A", "B", "C", ""]) if colour != EMPTY else "" for colour in row) for row in one.rows
    )
    cells = tuple(
        OpenCell(cell.row, cell.col, colour=one.rows[cell.row][cell.col] == EMPTY or rng.random() < 0.5)
        for cell in one.open
    )
    return replace(one, owners=owners, open=cells)


@pytest.mark.parametrize("tie", ["nobody", "share", "every", "stickers"])
@pytest.mark.parametrize("seed", range(6))
def test_against_every_reading(seed, tie):
    rng = random.Random(f"{seed}{tie}")
    land = seed % 2
    game = replace(GAME, sizes=(2,), no_mans_land=3 * land, rules=Rules(tie=tie))
    boards = [random_board(rng, team, 2, 0 if land else rng.randrange(2)) for team in "ABC"]
    boards = [*boards, random_land(rng, 2)] if land else boards
    found = {(one.board, one.row, one.col): one for one in ranked(boards, game)}
    before = order(boards, game)
    every = [(some, order(some, game)) for some in all_readings(boards, game)]
    for index, one in enumerate(boards):
        for cell in one.open:
            alone = any(
                order([*boards[:index], changed, *boards[index + 1 :]], game) != before
                for changed in readings(one, cell, game)
            )
            seen = found[index, cell.row, cell.col]
            assert (seen.reach == "alone") == alone
            if seen.reach == "none":
                groups = {}
                for some, result in every:
                    rest = without(some, index, cell)
                    groups.setdefault(rest, set()).add(tuple(result.items()))
                assert all(len(results) == 1 for results in groups.values())


def without(boards, index, cell):
    """What all cells but one hold, hashable."""
    return tuple(with_reading(one, cell, EMPTY) if k == index else one for k, one in enumerate(boards))
