"""Which boards are in doubt as a whole: those whose lines go on, not those that lie on a cloth with many lines."""

from dataclasses import replace

import numpy as np
import pytest

from poradek_vision.find.ruled import RuledSettings
from poradek_vision.find.ruled.candidates import Candidate
from poradek_vision.find.ruled.choice import Choice
from poradek_vision.find.ruled.doubts import is_doubtful, unsure_cells
from poradek_vision.find.ruled.lattice import Lattice
from poradek_vision.find.ruled.refine import Ruling

CROSSINGS = np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0)), -1) * 60
RULING = Ruling(CROSSINGS, 0.003, np.full((5, 5), 0.03), goes_on=0.0, unended=0.0, ended=0.0, unseen=0.0, open_end=0.0,
                beside=np.full((2, 5, 4), 0.01), restless=0.0, to_border=0.4,
                missing=np.zeros((2, 5, 4), bool), guessed=np.zeros(4, bool))  # fmt: skip
CHOICE = Choice((0, 4, 0, 4), score=0.9, lead=3.0, share_seen=0.9, between=0.0, beyond=0.0, outside=0.0, stickers=5,
                written=0.0, rungs=0.9, split=0.0)  # fmt: skip


def doubtful(ruling=None, choice=None, crossings=CROSSINGS):
    lattice = Lattice(np.zeros((2, 6, 6)), np.zeros(2), (0, 4, 0, 4))
    candidate = Candidate(lattice, replace(CHOICE, **(choice or {})))
    return is_doubtful(candidate, replace(RULING, crossings=crossings, **(ruling or {})), RuledSettings())


def marked(*places, shape, value=True, other=False):
    grid = np.full(shape, other)
    grid[tuple(np.transpose(places))] = value
    return grid


def test_a_clear_board_is_not_in_doubt():
    assert not doubtful()


@pytest.mark.parametrize(
    "ruling",
    [{"goes_on": 0.7}, {"unended": 0.4}, {"unseen": 0.7}, {"open_end": 0.9}, {"restless": 0.2}, {"error_cells": 0.02},
     {"beside": marked((0, 0, 2), shape=(2, 5, 4), value=0.1, other=0.01)},
     {"beside": marked((0, 2, 2), shape=(2, 5, 4), value=0.13, other=0.01)},
     {"errors": marked((0, 4), shape=(5, 5), value=0.3, other=0.03)},
     {"missing": marked((0, 2, 1), (1, 2, 1), shape=(2, 5, 4))}],
)  # fmt: skip
def test_each_doubt_alone_is_enough(ruling):
    assert doubtful(ruling)


def test_lines_around_count_only_where_the_boards_own_go_on():
    assert not doubtful(choice={"outside": 1.2})
    assert doubtful({"goes_on": 0.4}, {"outside": 1.2})
    assert doubtful(choice={"outside": 1.2, "beyond": 0.1})
    assert not doubtful({"ended": 0.2}, {"outside": 1.2, "beyond": 0.1})
    assert doubtful({"ended": 0.2, "goes_on": 0.4}, {"outside": 1.2, "beyond": 0.1})


def test_an_outer_row_missed_at_first_sight_is_no_doubt_if_it_is_seen_later():
    assert doubtful(choice={"rungs": -0.5})
    assert not doubtful({"to_border": 0.6}, {"rungs": -0.5})
    assert not doubtful({"ended": 0.6}, {"rungs": -0.5})


def test_a_piece_that_is_missing_where_lines_end_all_round_puts_only_its_cells_in_doubt():
    missing = {"open_end": 0.9, "missing": marked((0, 0, 0), shape=(2, 5, 4))}
    assert doubtful(missing)
    assert not doubtful({**missing, "ended": 0.6})
    assert cells_in_doubt(replace(RULING, ended=0.6, **missing)) == [[0, 0]]


@pytest.mark.parametrize("choice", [{"lead": 0.4}, {"beyond": 0.3}])
def test_lines_that_are_seen_to_end_all_round_are_no_larger_boards(choice):
    assert doubtful(choice=choice)
    assert not doubtful({"ended": 0.4}, choice)
    assert doubtful({"ended": 0.4, "goes_on": 0.4}, choice)
    assert doubtful({"ended": 0.4, "goes_on": 0.2, "unended": 0.2}, choice)


@pytest.mark.parametrize(("side", "cells"), [(0, [[k, 0] for k in range(4)]), (3, [[3, k] for k in range(4)])])
def test_cells_along_a_border_of_which_nothing_is_seen_are_in_doubt(side, cells):
    ruling = replace(RULING, guessed=marked((side,), shape=4))
    assert not doubtful({"guessed": ruling.guessed})
    assert cells_in_doubt(ruling) == cells
    assert doubtful({"guessed": ruling.guessed, "open_end": 0.3})
    assert not doubtful({"open_end": 0.3})


def test_a_border_that_the_network_saw_needs_not_be_seen_otherwise():
    ruling = replace(RULING, guessed=np.ones(4, bool))
    assert not unsure_cells(Candidate(None, CHOICE, vouched=True), ruling, RuledSettings()).any()


@pytest.mark.parametrize(("wide", "doubt"), [(1.4, False), (1.6, True)])
def test_a_border_row_much_too_wide_is_in_doubt(wide, doubt):
    crossings = CROSSINGS.copy()
    crossings[:, 4, 0] += (wide - 1) * 60
    assert doubtful(crossings=crossings) is doubt


def test_what_little_was_seen_of_puts_the_cells_around_in_doubt():
    corner = replace(RULING, errors=marked((0, 4), shape=(5, 5), value=0.1, other=0.03))
    inner = replace(RULING, errors=marked((2, 1), shape=(5, 5), value=0.1, other=0.03))
    missing = replace(RULING, missing=marked((1, 2, 1), shape=(2, 5, 4)))
    folded = replace(RULING, beside=marked((0, 2, 2), shape=(2, 5, 4), value=0.1, other=0.01))
    upright = replace(RULING, missing=marked((0, 2, 3), shape=(2, 5, 4)))
    assert not doubtful({"errors": corner.errors})
    assert not doubtful({"missing": missing.missing})
    assert not doubtful({"beside": folded.beside})
    assert doubtful({"beside": folded.beside}, {"lead": 0.9})
    assert doubtful({"errors": corner.errors}, {"lead": 0.9})
    assert doubtful({"missing": missing.missing}, {"lead": 0.9})
    assert cells_in_doubt(corner) == [[0, 3]]
    assert cells_in_doubt(inner) == [[1, 0], [1, 1], [2, 0], [2, 1]]
    assert cells_in_doubt(missing) == [[1, 1], [2, 1]]
    assert cells_in_doubt(upright) == [[3, 1], [3, 2]]
    assert cells_in_doubt(folded) == [[2, 1], [2, 2]]
    assert cells_in_doubt(RULING) == []


def cells_in_doubt(ruling):
    return np.argwhere(unsure_cells(Candidate(None, CHOICE), ruling, RuledSettings())).tolist()


@pytest.mark.parametrize(("wide", "doubt"), [(1.1, False), (1.35, True)])
def test_a_missing_piece_may_be_a_line_followed_to_the_next_where_the_grid_is_bent(wide, doubt):
    crossings = CROSSINGS.copy()
    crossings[:, 4, 0] += (wide - 1) * 60
    assert doubtful({"missing": marked((0, 2, 1), shape=(2, 5, 4))}, crossings=crossings) is doubt
