"""Scores kept by strokes beside a grid: nobody's mark."""

import cv2
import numpy as np
import pytest

from mark.boards.drawn_board import draw_board, printed, written
from poradek_vision.mark import BoardMarkSettings, read_mark
from poradek_vision.mark.boards.tallies import is_tally
from poradek_vision.mark.characters import CHARACTERS
from poradek_vision.model import Game, Team

GAME = Game(teams=tuple(Team(name, mark) for name, mark in (("Vlci", "A"), ("Lišky", "B"), ("Bobři", "H"))))


def score(slant=0.0, through=True):
    """Four strokes side by side, mostly with a fifth through them: ink (h, w), 0 to 1."""
    ink = np.zeros((100, 150), np.float32)
    for k, shift in enumerate((0, 3, -2, 1)):
        foot = 30 + 25 * k + shift
        cv2.line(ink, (foot - round(40 * slant), 92), (foot + round(40 * slant), 8), 1, 6, cv2.LINE_AA)
    if through:
        cv2.line(ink, (8, 70), (140, 24), 1, 6, cv2.LINE_AA)
    return ink


@pytest.mark.parametrize("turned", range(4))
@pytest.mark.parametrize("slant", [-0.2, 0.0, 0.3])
def test_a_score_of_five_is_no_h(slant, turned):
    ink = score(slant)
    assert is_tally(ink)
    assert read_mark(draw_board(ink, below=True, turned=turned), 4, 4, GAME, BoardMarkSettings())[0].flags


def test_a_score_of_four_is_one_too():
    assert is_tally(score(through=False))


@pytest.mark.parametrize("character", CHARACTERS)
def test_no_letter_or_digit_is_a_score(character):
    assert not is_tally(np.float32(printed(character)))
    assert not any(is_tally(np.float32(written(character, seed))) for seed in range(4))


def test_no_name_is_a_score():
    assert not any(is_tally(np.float32(printed(name))) for name in ("VLCI", "Lišky", "HRIBI", "Tým H"))
