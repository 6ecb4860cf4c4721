"""Which side of a no man's land is up, by the marks on its stickers."""

from dataclasses import replace

import numpy as np
import pytest
from synth.glyphs import strokes
from training.strokes import drawn

from mark.drawn_land import Look, draw_land
from poradek_vision.mark import OwnerSettings, read_owners
from poradek_vision.model import Game, Team
from poradek_vision.settle import turn

SETTINGS = OwnerSettings()


def a_land(marks, n=5, seed=1):
    """A land, its cells and the game; each team has some stickers."""
    rng = np.random.default_rng(seed)
    owners = rng.permutation(np.arange(n * n) % len(marks)).reshape(n, n)
    picture, cells = draw_land(owners, lambda k, r: drawn(strokes(marks[k], r), 0.1, 96, r) / 255, Look(), rng)
    return picture, cells, Game(teams=tuple(Team(f"team {mark}", mark) for mark in marks))


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("marks", ["ABC", "2345"])
def test_a_turned_land_is_turned_back(marks, quarters):
    picture, cells, game = a_land(marks)
    turned = replace(picture, pixels=np.ascontiguousarray(np.rot90(picture.pixels, -quarters)))
    read = read_owners(turned, turn(cells, 5, quarters), game, SETTINGS, upright=False)
    assert (read.side.quarter_turns, read.side.sure) == (quarters, True)
    upright = read_owners(picture, cells, game, SETTINGS).readings
    as_seen = turn(
        tuple(replace(cells[0], row=one.row, col=one.col, owner=one.owner) for one in read.readings), 5, -quarters
    )
    assert [cell.owner for cell in as_seen] == [one.owner for one in upright]


def test_six_and_nine_leave_the_side_open_and_all_owners_in_doubt():
    picture, cells, game = a_land("69")
    read = read_owners(picture, cells, game, SETTINGS, upright=False)
    assert not read.side.sure
    assert all(one.owner == "" and one.flags for one in read.readings)


def test_without_stickers_no_side_is_sure():
    picture, _, game = a_land("AB")
    assert not read_owners(picture, (), game, SETTINGS, upright=False).side.sure
