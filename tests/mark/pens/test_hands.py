"""What the marks of a board teach about each other."""

import numpy as np
import pytest
from synth.glyphs import strokes
from training.strokes import drawn

from mark.test_characters import as_windows
from poradek_vision.mark.characters import read_windows
from poradek_vision.mark.pens.hands import HandSettings, learn_hands

SURE, OTHER, NONE = 0.97, 0.02, 0.01


def board(letters):
    """Windows of letters, each written anew, and their looks."""
    rng = np.random.default_rng(8)
    windows = as_windows([drawn(strokes(letter, rng), 0.1, 96, rng) for letter in letters])
    return windows, read_windows(windows).looks


def read_as(letters, odd=()):
    """Log-probabilities of A, B and none: each as it is drawn, but for those of some places."""
    scores = np.array([[SURE, OTHER, NONE] if letter == "A" else [OTHER, SURE, NONE] for letter in letters])
    for place, score in odd:
        scores[place] = score
    return np.log(scores)


def learned(letters, odd=()):
    return np.exp(learn_hands(read_as(letters, odd), *board(letters), HandSettings()))


def test_a_doubtful_mark_is_told_by_those_that_look_like_it():
    chances = learned("AB" * 10, [(0, (0.5, 0.4, 0.1))])
    assert chances[0, 0] > 0.99


def test_a_mark_unlike_what_it_was_taken_for_is_in_doubt():
    chances = learned("AB" * 10, [(1, (SURE, OTHER, NONE))])  # a B
    assert chances[1, 0] < 0.9


@pytest.mark.parametrize("score", [(0.6, 0.3, 0.1), (0.999, 0.0005, 0.0005)])
def test_a_lone_mark_stays_as_it_was_read(score):
    np.testing.assert_allclose(learned("A", [(0, score)])[0], score, atol=0.01)


def test_marks_that_nobody_knows_teach_nothing():
    doubtful = [(place, (0.5, 0.45, 0.05)) for place in range(0, 20, 2)]
    assert np.all(learned("AB" * 10, doubtful)[::2].max(1) < 0.9)


def test_what_is_no_mark_is_none():
    blank = [(0, (0.005, 0.005, 0.99))]
    windows, looks = board("AB" * 10)
    windows[0], looks[0] = 0, read_windows(np.zeros((1, 32, 32), np.float32)).looks[0]
    chances = np.exp(learn_hands(read_as("AB" * 10, blank), windows, looks, HandSettings()))
    assert chances[0].argmax() == 2
