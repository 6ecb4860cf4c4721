import pytest

from poradek_vision.game import score_game
from poradek_vision.model import Board, Game, OpenCell, Rules, Team

GAME = Game(sizes=(3, 2), no_mans_land=0, teams=(Team("Vlci", "A"), Team("Lišky", "B"), Team("Rysi", "C")))


def make_board(team="Vlci", rows="RR ..", **more):
    rows = tuple(rows.split())
    return Board(team, len(rows), rows, **more)


def make_land(rows="RR ..", owners=(("Vlci", "Vlci"), ("", "")), **more):
    return make_board(None, rows, owners=owners, **more)


def ranks(results):
    return [(total.rank, total.team, total.total) for total in results.totals]


def test_totals_are_ranked_best_first_and_equals_share_a_rank():
    four = Game(sizes=(2,), no_mans_land=0, teams=tuple(Team(name, name) for name in "ABCD"))
    boards = [make_board("A", "R. .."), make_board("B"), make_board("C", "RR RR"), make_board("D")]
    assert ranks(score_game(boards, four)) == [(1, "C", 6), (2, "B", 1), (2, "D", 1), (4, "A", 0)]


def test_a_total_is_the_boards_and_what_was_awarded():
    game = Game(sizes=(3, 2), no_mans_land=2, teams=GAME.teams)
    results = score_game([make_board(rows="RRR ... ..."), make_board(rows="RR RR"), make_land()], game)
    first = results.totals[0]
    assert (first.points_by_size, first.no_mans_land, first.total) == (((3, 3), (2, 6)), 1, 10)
    assert [(score.board.team, score.points) for score in results.boards] == [("Vlci", 3), ("Vlci", 6), (None, None)]
    assert [shape.points for shape in results.shapes] == [1]


def test_missing_boards_are_named_and_count_nothing():
    game = Game(sizes=(3, 2), no_mans_land=12, teams=GAME.teams[:2])
    results = score_game([make_board()], game)
    assert results.missing == (("Vlci", 3), ("Lišky", 3), ("Lišky", 2), (None, 12))
    assert [(t.team, t.points_by_size, t.missing_boards) for t in results.totals] == [
        ("Vlci", ((3, None), (2, 1)), 1),
        ("Lišky", ((3, None), (2, None)), 2),
    ]


def test_without_a_team_list_teams_are_those_seen_in_counting_order():
    land = make_land(owners=(("11", ""), ("", "2")))
    results = score_game([make_board("10"), make_board("9"), land], Game(sizes=(2,), no_mans_land=2))
    assert [total.team for total in results.totals] == ["9", "10", "11"]
    assert results.missing == (("11", 2),)


def test_a_land_is_not_missed_without_a_team_list():
    assert score_game([make_board()], Game(sizes=(2,))).missing == ()


@pytest.mark.parametrize("stray", [make_board(""), make_board(rows="RRRR .... .... ....")])
def test_boards_of_no_place_have_points_but_count_for_nobody(stray):
    results = score_game([stray], GAME)
    assert results.boards[0].points in (1, 6)
    assert {total.total for total in results.totals} == {0}


def test_a_team_that_the_list_lacks_still_has_its_points():
    assert ranks(score_game([make_board("Sovy")], GAME))[0] == (1, "Sovy", 1)


def test_two_boards_of_one_place_are_refused():
    with pytest.raises(ValueError, match="two boards"):
        score_game([make_board(), make_board()], GAME)


def test_thirds_add_up_so_that_equal_totals_are_equal():
    shared = "Ra Rb Rc"
    rows = [shared.replace("R", colour).split() for colour in "RYG"]
    land = make_land(
        " ".join("".join(cell[0] for cell in row) for row in rows),
        tuple(tuple(cell[1] for cell in row) for row in rows),
    )
    game = Game(sizes=(2,), no_mans_land=3, rules=Rules(tie="share"))
    results = score_game([land, make_board("d", "RR RY")], game)
    assert [total.rank for total in results.totals] == [1, 1, 1, 1]


def test_open_cells_bound_the_totals():
    game = Game(sizes=(2,), no_mans_land=2, teams=GAME.teams)
    boards = [make_board(rows="RR R.", open=(OpenCell(1, 1),)), make_land(open=(OpenCell(0, 1, colour=False),))]
    results = score_game(boards, game)
    vlci, lisky, _ = results.totals
    assert (vlci.total, vlci.total_min, vlci.total_max, vlci.open_cells) == (4, 3, 7, 2)
    assert (lisky.total_min, lisky.total_max, lisky.open_cells) == (0, 0, 0)


def test_without_a_team_list_an_open_owner_may_be_a_team_that_nobody_saw():
    results = score_game([make_land(open=(OpenCell(0, 1, colour=False),))], Game(sizes=(2,), no_mans_land=2))
    assert [(t.team, t.total, t.total_min, t.total_max) for t in results.totals] == [("Vlci", 1, 0, 1)]
