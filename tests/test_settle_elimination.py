"""Boards in doubt named by those that are not; what is named so stays in doubt."""

import pytest
from test_settle import make_correction, make_grid, make_reading, settle_all

from poradek_vision.model import Flag, Game, MarkReading, Team

THREE = Game(sizes=(3,), no_mans_land=0, teams=(Team("Vlci", "3"), Team("Lišky", "8"), Team("Sovy", "S")))
THIS, OTHER = "RRR GYB .BR", "YBY GGR BRG"
TAKEN = make_reading(team="Lišky", rows=OTHER)


def in_doubt(photo="b.jpg", rows=THIS, team="", scores=(("Vlci", 40.0), ("Lišky", 43.0), ("Sovy", -50.0)), **more):
    return make_reading(photo, rows=rows, mark=MarkReading(team, "mark", 3.0, (Flag.TEAM_UNCLEAR,), scores), **more)


def last(*readings, corrections=()):
    """The team, the status and the first reason of the last photo's board."""
    rows = [row for row in settle_all(*readings, corrections=corrections, game=THREE).ledger if row.photo]
    return rows[-1].team, rows[-1].status, [reason.key for reason in rows[-1].reasons][:1]


NAMED, UNNAMED = ("Vlci", "review", ["flag.team_unclear"]), ("", "review", ["flag.team_unclear"])


def test_the_team_that_is_left_is_named_and_stays_in_doubt():
    assert last(TAKEN, in_doubt()) == NAMED


def test_whoever_looks_sees_how_it_was_named():
    ledger = settle_all(TAKEN, in_doubt(), game=THREE).ledger
    assert ledger[1].found_by == "printed, elimination"


def test_what_a_person_says_ends_the_doubt():
    assert last(TAKEN, in_doubt(), corrections=[make_correction("Vlci", target="team", photo="b.jpg")])[:2] == (
        "Vlci",
        "ok",
    )


def test_without_that_board_nobody_is_named():
    assert last(in_doubt()) == UNNAMED


def test_another_size_says_nothing():
    assert last(make_reading(team="Lišky", rows="RR YY"), in_doubt()) == UNNAMED


def test_a_second_photo_of_the_same_board_says_nothing():
    turned = make_reading(team="Lišky", rows=".GR BYR RBR")  # by a quarter
    assert last(turned, in_doubt()) == UNNAMED


def test_a_team_of_which_another_photo_may_show_this_board_can_own_it():
    assert last(TAKEN, make_reading("aa.jpg", "Lišky", THIS), in_doubt()) == UNNAMED


def test_who_is_left_must_have_written_it():
    assert last(TAKEN, in_doubt(scores=(("Vlci", -2.0), ("Lišky", 43.0), ("Sovy", -50.0)))) == UNNAMED


@pytest.mark.parametrize("flags", [(), (Flag.BLURRED,)])
def test_who_is_left_must_have_no_other_board_either(flags):
    third = make_reading("aa.jpg", "Vlci", "GGG BRY YRB", flags=flags)
    assert last(TAKEN, third, in_doubt()) == UNNAMED


def test_what_a_person_said_counts_as_named():
    corrections = [make_correction("Lišky", target="team")]
    assert last(in_doubt("a.jpg", OTHER), in_doubt(), corrections=corrections) == NAMED


def test_a_board_that_a_person_refused_is_nobodys():
    assert last(TAKEN, in_doubt(), corrections=[make_correction("no", target="board")]) == UNNAMED


BADLY_SEEN = [{"grid": make_grid(flags=(Flag.GRID_UNCERTAIN,))}, {"flags": (Flag.BLURRED,)}]


@pytest.mark.parametrize("doubt", BADLY_SEEN)
def test_a_board_seen_badly_is_no_proof(doubt):
    assert last(make_reading(team="Lišky", rows=OTHER, **doubt), in_doubt()) == UNNAMED


def test_a_person_can_vouch_for_it():
    seen_badly = make_reading(team="Lišky", rows=OTHER, grid=make_grid(flags=(Flag.GRID_UNCERTAIN,)))
    assert last(seen_badly, in_doubt(), corrections=[make_correction("ok", target="board")]) == NAMED


@pytest.mark.parametrize("doubt", BADLY_SEEN)
def test_a_board_seen_badly_itself_is_not_told_from_others(doubt):
    assert last(TAKEN, in_doubt(**doubt))[0] == ""


def test_a_sure_photo_of_the_same_board_takes_the_doubt_away():
    sure = make_reading("c.jpg", "Vlci", THIS, doubt={(0, 0): (Flag.GLARE,)})
    rows = settle_all(TAKEN, in_doubt(), sure, game=THREE).ledger
    assert [(row.photo, row.team, row.status) for row in rows[:3]] == [
        ("a.jpg", "Lišky", "ok"),
        ("b.jpg", "Vlci", "duplicate"),
        ("c.jpg", "Vlci", "ok"),
    ]
