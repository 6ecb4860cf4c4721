"""``poradek grid`` through ``main([...])``."""

import io
import json

import pytest

from poradek_vision.cli import main


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.toml").write_text('language = "en"', encoding="utf-8")


@pytest.fixture
def answer(monkeypatch, capsys):
    """Score a grid from standard input; the exit code, stdout and stderr."""

    def run(text, *options):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        code = main(["grid", "-", *options])
        return code, *capsys.readouterr()

    return run


def test_points_are_explained_run_by_run(answer):
    code, out, err = answer("RRR\n..R\n")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "grid of 2×3, points: 5; cells are (row, column)",
        "R  row (1, 1)–(1, 3), length 3, points: 3",
        "R  column (1, 3)–(2, 3), length 2, points: 1",
        "R  diagonal (1, 2)–(2, 3), length 2, points: 1",
    ]


def test_a_no_mans_land_is_explained_shape_by_shape(answer):
    code, out, _ = answer("Ra Ra Rb\n. . .\nYa Yb Y?")
    assert code == 0
    assert out.splitlines()[3:] == [
        "",
        "R  shape from (1, 1), stickers 3, points: 3; teams' points: a 1, b 0; awarded: a 3",
        "Y  shape from (3, 1), stickers 3, points: 3; teams' points: a 0, b 0, a tie; awarded: nobody",
        "",
        "a is credited with points: 3",
        "b is credited with points: 0",
    ]


def test_json_has_the_points_and_the_runs(answer):
    code, out, _ = answer("RR", "--json")
    assert code == 0
    assert json.loads(out) == {
        "points": 1,
        "runs": [{"colour": "R", "line": "row", "from": [1, 1], "to": [1, 2], "length": 2, "points": 1}],
    }


def test_a_no_mans_land_for_programs(answer):
    _, out, _ = answer("Ra Ra Rb", "--json")
    assert json.loads(out)["teams"] == {"a": 3, "b": 0}
    assert json.loads(out)["shapes"] == [
        {
            "colour": "R",
            "cells": [[1, 1], [1, 2], [1, 3]],
            "points": 3,
            "points_by_team": {"a": 1, "b": 0},
            "awarded": {"a": 3},
            "tie": False,
        }
    ]


def test_the_game_gives_rules_names_and_language(tmp_path, capsys):
    (tmp_path / "hra.toml").write_text(
        'language = "cs"\nrules = {tie = "share"}\nteams = [{name = "Vlci", mark = "A"}, {name = "Lišky", mark = "L"}]',
        encoding="utf-8",
    )
    (tmp_path / "deska.txt").write_text("RA RL", encoding="utf-8")
    assert main(["grid", "deska.txt", "--game", "hra.toml"]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "Lišky získává bodů: 0,5",
        "Vlci získává bodů: 0,5",
    ]


def test_a_wrong_grid_leaves_with_2(answer):
    code, out, err = answer("RR\nR")
    assert (code, out) == (2, "")
    assert "line 2" in err
