"""Photos of things that are no board: none of them becomes one, however square or coloured its parts are."""

import numpy as np
import pytest
from skimage import data
from synth.coloured_squares import COLOURED
from synth.no_board import shoot_no_board

from poradek_vision.model import Failure, Flag, Game, Photo, Team
from poradek_vision.pipeline import Setup, read_photo

GAME = Game(teams=(Team("Vlci", "A"), Team("Lišky", "B"), Team("Ježci", "3")))
PHOTOGRAPHS = (
    "page", "text", "coins", "brick", "grass", "gravel", "camera", "coffee", "chelsea", "astronaut", "checkerboard",
    "rocket", "hubble_deep_field", "cell", "clock", "immunohistochemistry", "colorwheel",
)  # fmt: skip
TOYS = ("cube",)
"""A cube's side is a grid of stickers: a person must be asked, by the team that nothing names."""


def read(pixels):
    pixels = np.array(pixels if pixels.ndim == 3 else np.repeat(pixels[..., None], 3, 2))[..., :3]
    pixels.setflags(write=False)
    return read_photo(Photo("IMG_1.jpg", "00", "", pixels, 1.0, pixels.shape[1::-1]), Setup(GAME))


@pytest.mark.parametrize("name", PHOTOGRAPHS)
def test_a_real_photograph_shows_no_board(name):
    assert isinstance(read(getattr(data, name)()), Failure)


@pytest.mark.parametrize("name", sorted(COLOURED.keys() - set(TOYS)))
def test_coloured_squares_are_no_board(name):
    assert isinstance(read(shoot_no_board(name, 3)), Failure)


@pytest.mark.parametrize("seed", [1, 3])
def test_a_cube_is_never_a_teams_board_for_sure(seed):
    outcome = read(shoot_no_board("cube", seed))
    readings = () if isinstance(outcome, Failure) else outcome
    assert all(Flag.TEAM_UNCLEAR in reading.mark.flags for reading in readings)
