"""What the pages say: words that agree with their numbers, colours and owners in words."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from poradek_vision.texts import say
from poradek_vision.web.acts import change_of
from poradek_vision.web.overview import overview, top
from web.made_review import GAME, READINGS, SHA, make_reading, open_made

CELL = {"photo": SHA["a.jpg"], "board": 0, "row": 0, "col": 2}


def said(review, **act):
    told = change_of(review, act).told
    return say(told.key, "cs", **dict(told.fields))


@pytest.fixture
def review(tmp_path):
    return open_made(tmp_path / "results")


@pytest.mark.parametrize(
    ("alone", "together", "none", "sentence"),
    [
        (1, 0, 0, "Nejisté je 1 políčko; to může změnit pořadí."),
        (3, 0, 0, "Nejistá jsou 3 políčka; pořadí může změnit každé z nich."),
        (1, 0, 4, "Nejistých je 5 políček; pořadí může změnit jen 1 z nich."),
        (2, 0, 1, "Nejistá jsou 3 políčka; pořadí mohou změnit jen 2 z nich."),
        (5, 0, 1, "Nejistých je 6 políček; pořadí jich může změnit jen 5."),
        (1, 5, 0, "Nejistých je 6 políček; samo o sobě může pořadí změnit 1, 5 dalších jen společně."),
        (2, 1, 0, "Nejistá jsou 3 políčka; samy o sobě mohou pořadí změnit 2, 1 další jen spolu s jinými."),
        (0, 2, 0, "Nejistá jsou 2 políčka; samo o sobě pořadí nezmění žádné, 2 dohromady možná ano."),
        (0, 0, 1, "Nejisté je 1 políčko; pořadí, jaké je teď, to nezmění."),
    ],
)
def test_the_sentence_on_open_cells_agrees_with_its_numbers(review, alone, together, none, sentence):
    reaches = ["alone"] * alone + ["together"] * together + ["none"] * none
    doubts = [SimpleNamespace(influence=SimpleNamespace(reach=reach)) for reach in reaches]
    assert top(replace(review, scored=replace(review.scored, doubts=doubts)))["sentence"] == sentence


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (("YYY", "YYY", "YYY"), "to může změnit pořadí."),
        (("YYY", "...", "..."), "samo o sobě to pořadí nezmění."),
    ],
)
def test_the_sentence_on_boards_in_doubt_says_whether_they_can_change_the_ranking(tmp_path, rows, sentence):
    clear = make_reading("a.jpg", "Vlci", ("RRR", "RRR", "RRR"), sha256="a" * 64)
    unclear = make_reading("c.jpg", "", rows, sha256="c" * 64)
    shown = top(open_made(tmp_path / "results", readings=(clear, unclear), failures=()))
    told = "1 deska je nejistá jako celek: čí je, nebo zda se dá fotce věřit; "
    assert shown["sentence"] == told + sentence
    assert [total["bounds"] for total in shown["totals"]] == ["", "0–28" if rows[2] == "YYY" else "0–3"]


@pytest.mark.parametrize(("count", "words"), [(1, ""), (2, "2 fotky"), (5, "5 fotek")])
def test_photos_of_one_board_are_counted(tmp_path, count, words):
    readings = [make_reading(f"{k}.jpg", "Vlci", ("RR.", "...", "..."), sha256=f"{k:064x}") for k in range(count)]
    ledger = overview(open_made(tmp_path / "results", readings=readings, failures=()))["ledger"]
    assert ledger["teams"][0]["places"][0]["seen"] == words


def test_what_was_saved_is_told_in_words(review):
    assert said(review, do="cell", **CELL, value="R") == "Uloženo: řádek 1, sloupec 3: červená."
    assert said(review, do="confirm", **CELL) == "Potvrzeno: řádek 1, sloupec 3: prázdné."


def test_whose_a_sticker_is_is_told_in_words(tmp_path):
    land = replace(READINGS[0], grid=replace(READINGS[0].grid, kind="no_mans_land"))
    review = open_made(tmp_path / "results", readings=(land,), failures=(), game=replace(GAME, no_mans_land=3))
    assert said(review, do="owner", **CELL, value="Vlci") == "Uloženo: řádek 1, sloupec 3 patří týmu Vlci."
    assert said(review, do="owner", **CELL, value="").endswith("nikdo neví, čí samolepka to je.")
