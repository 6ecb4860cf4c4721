"""Boards in doubt named by those that are not."""

from test_settle import GAME, make_correction, make_reading

from poradek_vision.model import Flag, Game, MarkReading, Team
from poradek_vision.settle.elimination import eliminate

THREE = Game(teams=(Team("Vlci", "3"), Team("Lišky", "8"), Team("Sovy", "S")))
OTHER = "YBY GGR BRG"


def in_doubt(photo="b.jpg", rows="RRR GYB .BR", team="", **scores):
    mark = MarkReading(team, "mark", 3.0, (Flag.TEAM_UNCLEAR,), tuple(scores.items()))
    return make_reading(photo, rows=rows, mark=mark)


def name(*readings, corrected=None):
    return [(one.mark.team, one.mark.how, one.mark.flags) for one in eliminate(readings, corrected or {}, THREE)]


def test_the_team_that_is_left_owns_a_board_that_could_be_two_teams():
    taken, doubtful = make_reading(team="Lišky", rows=OTHER), in_doubt(Vlci=40.0, Lišky=43.0, Sovy=-50.0)
    assert name(taken, doubtful)[1] == ("Vlci", "elimination", ())


def test_without_that_board_the_doubt_stays():
    doubtful = in_doubt(Vlci=40.0, Lišky=43.0, Sovy=-50.0)
    assert name(doubtful) == [("", "mark", (Flag.TEAM_UNCLEAR,))]


def test_another_size_says_nothing():
    taken, doubtful = make_reading(team="Lišky", rows="RR YY"), in_doubt(Vlci=40.0, Lišky=43.0)
    assert name(taken, doubtful)[1] == ("", "mark", (Flag.TEAM_UNCLEAR,))


def test_a_second_photo_of_the_same_board_says_nothing():
    taken = make_reading(team="Lišky", rows=".GR BYR RBR")  # the same, turned by a quarter
    assert name(taken, in_doubt(Vlci=40.0, Lišky=43.0))[1] == ("", "mark", (Flag.TEAM_UNCLEAR,))


def test_who_is_left_must_have_written_it():
    taken, doubtful = make_reading(team="Lišky", rows=OTHER), in_doubt(Vlci=-2.0, Lišky=43.0, Sovy=-50.0)
    assert name(taken, doubtful)[1] == ("", "mark", (Flag.TEAM_UNCLEAR,))


def test_what_a_person_said_counts_as_named():
    taken, doubtful = in_doubt("a.jpg", OTHER), in_doubt(Vlci=40.0, Lišky=43.0)
    word = make_correction("Lišky", target="team")
    assert name(taken, doubtful, corrected={(word.sha256, word.index): word.value})[1][0] == "Vlci"


def test_nobody_is_eliminated_in_a_game_without_teams():
    doubtful = in_doubt(Vlci=40.0, Lišky=43.0)
    assert eliminate((doubtful,), {}, Game()) == (doubtful,)
    assert GAME.teams
