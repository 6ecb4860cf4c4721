"""Photos of things that are no board: none of them becomes one, however square or coloured its parts are."""

from dataclasses import replace

import numpy as np
import pytest
from skimage import data
from synth.no_board import PLAIN, SCENES, shoot_no_board

from poradek_vision.model import Failure, Game, Photo, Team
from poradek_vision.pipeline import Setup, read_photo, reading

GAME = Game(teams=(Team("Vlci", "A"), Team("Lišky", "B"), Team("Ježci", "3")))
PHOTOGRAPHS = (
    "page", "text", "coins", "brick", "grass", "gravel", "camera", "coffee", "chelsea", "astronaut", "checkerboard",
    "rocket", "hubble_deep_field", "cell", "clock", "immunohistochemistry", "colorwheel",
)  # fmt: skip


def read(pixels, game=GAME):
    pixels = np.array(pixels if pixels.ndim == 3 else np.repeat(pixels[..., None], 3, 2))[..., :3]
    pixels.setflags(write=False)
    return read_photo(Photo("IMG_1.jpg", "00", "", pixels, 1.0, pixels.shape[1::-1]), Setup(game))


@pytest.mark.parametrize("name", PHOTOGRAPHS)
def test_a_real_photograph_shows_no_board(name):
    assert isinstance(read(getattr(data, name)()), Failure)


@pytest.mark.parametrize("name", sorted(SCENES.keys() - PLAIN.keys()))
def test_what_is_laid_out_in_squares_is_no_board(name):
    assert isinstance(read(shoot_no_board(name, 3)), Failure)


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("cube", 71_002),
        ("cube", 94_500),
        ("crossword", 84_501),
        ("bingo", 93_500),
        ("bingo", 95_501),
        ("timetable", 94_501),
        ("battleships", 94_500),
        ("chessmen", 71_001),
        ("stained glass", 97_710),
        ("stained glass", 4),
        ("coloured tiles", 97_950),
    ],
)
def test_what_once_became_a_board_is_none(name, seed):
    assert isinstance(read(shoot_no_board(name, seed)), Failure)


@pytest.mark.parametrize("name", ["battleships", "pixel art"])
def test_a_piece_of_squared_paper_is_no_board(name):
    assert isinstance(read(shoot_no_board(name, 97_602), replace(GAME, sizes=(8, 6, 5, 4, 3))), Failure)


@pytest.mark.parametrize("seed", [97_600, 97_710])
def test_dots_in_rows_without_a_line_are_no_board(seed):
    assert isinstance(read(shoot_no_board("ludo", seed), replace(GAME, no_mans_land=12)), Failure)


@pytest.mark.parametrize("name", ["memory", "picnic cloth", "marked month", "stained glass", "near cube", "advent"])
def test_what_lies_about_in_a_camp_is_no_board(name):
    assert isinstance(read(shoot_no_board(name, 3)), Failure)


def test_where_lines_are_in_doubt_a_ring_read_as_a_mark_makes_no_board():
    game = Game(sizes=(8, 6, 5, 4, 3), teams=tuple(Team(f"Team {mark}", mark) for mark in "ABCDE"))
    assert isinstance(read(shoot_no_board("ludo", 313_000), game), Failure)


def test_no_mark_is_looked_for_beside_lines_in_doubt_that_are_no_boards(monkeypatch):
    monkeypatch.setattr(reading, "read_whose", pytest.fail)
    assert isinstance(read(shoot_no_board("crossed words", 6104)), Failure)
