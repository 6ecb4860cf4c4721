"""How words are spelled by the columns of a line."""

import numpy as np
import pytest

from poradek_vision.mark.lines import ALPHABET, LINE_HEIGHT_PX, LINE_WIDTH_PX, normalise_lines, read_lines
from poradek_vision.mark.words import spelled


def columns(text: str, sure: float = 0.97) -> np.ndarray:
    """Columns that show ``text``, one character each; a space is none."""
    odds = np.full((len(text), len(ALPHABET)), (1 - sure) / (len(ALPHABET) - 1))
    odds[range(len(text)), [ALPHABET.index(character) for character in text]] = sure
    return np.log(odds).astype(np.float32)


def test_a_perfect_word_fits_best():
    fits = spelled(columns(" JJ E Z  CCI "), ["JEZCI", "JEZC", "JEZCII", "KRTCI", "J"])
    assert fits.argmax() == 0
    assert fits[0] > -1
    assert np.all(fits[1:] < fits[0] - 3)


def test_equal_neighbours_need_a_gap():
    two, one = spelled(columns(" LL L "), ["LL", "L"])
    assert two > one
    two, one = spelled(columns(" LLLL "), ["LL", "L"])
    assert one > two


def test_a_word_too_long_for_the_line_never_fits():
    assert spelled(columns("AB"), ["ABCD"])[0] < -1e6


@pytest.mark.parametrize("word", ["A", "TYM3"])
def test_the_likelihoods_of_all_words_of_one_length_sum_to_at_most_one(word):
    line = columns(word.join("  "), sure=0.6)
    total = np.exp(spelled(line, list(ALPHABET[1:]))).sum()
    assert 0 < total <= 1 + 1e-6


def test_a_blank_line_shows_nothing():
    seen = read_lines(normalise_lines(np.zeros((1, LINE_HEIGHT_PX, LINE_WIDTH_PX), np.float32)))
    assert seen.shape == (1, LINE_WIDTH_PX // 2, len(ALPHABET))
    assert np.all(seen[0].argmax(1) == 0)
