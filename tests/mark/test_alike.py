"""Marks that hands confuse, and what to write instead."""

import itertools

import pytest

from poradek_vision.mark import advise, alike, choose_marks
from poradek_vision.mark.characters import CHARACTERS
from poradek_vision.model import Team


@pytest.mark.parametrize("pair", ["O0", "0D", "OD", "I1", "S5", "B8", "69", "UV", "17", "Z2"])
def test_these_are_alike_either_way_round(pair):
    assert alike(*pair)
    assert alike(*reversed(pair))


@pytest.mark.parametrize("pair", ["AB", "AA", "BC", "12", "XK"])
def test_these_are_not(pair):
    assert not alike(*pair)


def test_nothing_is_said_about_marks_that_differ():
    assert advise([Team(name, mark) for name, mark in zip("abcd", "ABCE", strict=True)]) == ()


def test_the_later_of_two_gets_a_letter_of_its_name():
    (advice,) = advise([Team("Sovy", "5"), Team("Rysi", "R"), Team("Srnky", "S")])
    assert (advice.team, advice.mark, advice.like) == ("Srnky", "S", "5")
    assert advice.better == "N"  # R is taken


def test_after_the_advice_no_two_are_alike():
    teams = [Team(f"Tým {mark}", mark) for mark in "OQ0D1I"]
    better = {advice.team: advice.better for advice in advise(teams)}
    marks = [better.get(team.name, team.mark) for team in teams]
    assert len(better) == 4
    assert not any(itertools.starmap(alike, itertools.combinations(marks, 2)))


def test_where_nothing_is_free_nothing_is_proposed():
    assert all(advice.better for advice in advise([Team(mark, mark) for mark in CHARACTERS]))


def test_marks_that_are_chosen_are_not_alike_and_letters_of_the_names_where_that_goes():
    names = ["Vlci", "Lišky", "Ježci", "Rysi", "Medvědi", "Orli", "Sovy", "Káňata", "Vydry", "Zajíci"]
    marks = choose_marks(names)
    assert "".join(marks[:8]) == "VLERMOSK"
    assert not any(itertools.starmap(alike, itertools.combinations(marks, 2)))


def test_a_team_called_by_one_sign_has_it_and_no_other_team_gets_it():
    assert choose_marks(["Rysi", "r", "7", "77"]) == ("Y", "R", "7", "A")
    marks = choose_marks([str(n) for n in range(1, 37)])
    assert (marks[:9], len(set(marks))) == (tuple("123456789"), 36)
    assert choose_marks([f"Tým {n}" for n in range(38)])[36:] == ("", "")
