"""Which boards are in doubt as a whole: those whose lines go on, not those that lie on a cloth with many lines."""

from dataclasses import replace

import numpy as np
import pytest

from poradek_vision.find.ruled import RuledSettings, is_doubtful
from poradek_vision.find.ruled.candidates import Candidate
from poradek_vision.find.ruled.choice import Choice
from poradek_vision.find.ruled.lattice import Lattice
from poradek_vision.find.ruled.refine import Ruling

CROSSINGS = np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0)), -1) * 60
RULING = Ruling(CROSSINGS, 0.003, 0.03, goes_on=0.0, unseen=0.0, open_end=0.0, beside=0.01, restless=0.0,
                to_border=0.4, missing=0)  # fmt: skip
CHOICE = Choice((0, 4, 0, 4), score=0.9, lead=3.0, share_seen=0.9, between=0.0, beyond=0.0, outside=0.0, stickers=5,
                written=0.0, rungs=0.9, split=0.0)  # fmt: skip


def doubtful(ruling=None, choice=None, crossings=CROSSINGS):
    lattice = Lattice(np.zeros((2, 6, 6)), np.zeros(2), (0, 4, 0, 4))
    candidate = Candidate(lattice, replace(CHOICE, **(choice or {})))
    return is_doubtful(candidate, replace(RULING, **(ruling or {})), crossings, RuledSettings())


def test_a_clear_board_is_not_in_doubt():
    assert not doubtful()


@pytest.mark.parametrize(
    "ruling",
    [{"goes_on": 0.7}, {"unseen": 0.7}, {"open_end": 0.9}, {"beside": 0.1}, {"restless": 0.2}, {"missing": 1},
     {"unsure_cells": 0.09}, {"error_cells": 0.02}],
)  # fmt: skip
def test_each_doubt_alone_is_enough(ruling):
    assert doubtful(ruling)


def test_lines_around_count_only_where_the_boards_own_go_on():
    assert not doubtful(choice={"outside": 1.2})
    assert doubtful({"goes_on": 0.4}, {"outside": 1.2})
    assert doubtful(choice={"outside": 1.2, "beyond": 0.1})


def test_an_outer_row_missed_at_first_sight_is_no_doubt_if_it_is_seen_later():
    assert doubtful(choice={"rungs": -0.5})
    assert not doubtful({"to_border": 0.6}, {"rungs": -0.5})


@pytest.mark.parametrize(("wide", "doubt"), [(1.4, False), (1.6, True)])
def test_a_border_row_much_too_wide_is_in_doubt(wide, doubt):
    crossings = CROSSINGS.copy()
    crossings[:, 4, 0] += (wide - 1) * 60
    assert doubtful(crossings=crossings) is doubt
