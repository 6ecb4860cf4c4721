"""Which side of a no man's land is up, by the marks on its stickers."""

from dataclasses import replace

import numpy as np
import pytest
from synth.glyphs import strokes
from training.strokes import drawn

from mark.drawn_land import Look, draw_land
from poradek_vision.mark import OwnerSettings, read_owners, side_up
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
    side = side_up(turned, turn(cells, 5, quarters), game, SETTINGS)
    assert (side.quarter_turns, side.sure) == (quarters, True)


def test_six_and_nine_leave_the_side_open_and_all_owners_in_doubt():
    picture, cells, game = a_land("69")
    side = side_up(picture, cells, game, SETTINGS)
    assert not side.sure
    assert all(one.owner == "" and one.flags for one in read_owners(picture, cells, game, SETTINGS, side.sure))


def test_without_stickers_no_side_is_sure():
    picture, _, game = a_land("AB")
    assert not side_up(picture, (), game, SETTINGS).sure
