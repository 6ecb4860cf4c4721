"""How words are spelled by the columns of a line."""

import numpy as np
import pytest

from poradek_vision.mark.boards.words import NEVER, spelled
from poradek_vision.mark.lines import ALPHABET, LINE_HEIGHT_PX, LINE_WIDTH_PX, normalise_lines, read_lines


def columns(text: str, sure: float = 0.97) -> np.ndarray:
    """Columns that show ``text``, one character each; a space is none."""
    odds = np.full((len(text), len(ALPHABET)), (1 - sure) / (len(ALPHABET) - 1))
    odds[range(len(text)), [ALPHABET.index(character) for character in text]] = sure
    return np.log(odds).astype(np.float32)


def spelled_by(line: np.ndarray, words: list[str]) -> np.ndarray:
    """How well each word explains one line."""
    return spelled(line[None], words, np.ones((1, len(words)), bool))[0]


def test_a_perfect_word_fits_best():
    fits = spelled_by(columns(" JJ E Z  CCI "), ["JEZCI", "JEZC", "JEZCII", "KRTCI", "J"])
    assert fits.argmax() == 0
    assert fits[0] > -1
    assert np.all(fits[1:] < fits[0] - 3)


def test_equal_neighbours_need_a_gap():
    two, one = spelled_by(columns(" LL L "), ["LL", "L"])
    assert two > one
    two, one = spelled_by(columns(" LLLL "), ["LL", "L"])
    assert one > two


def test_a_word_too_long_for_the_line_never_fits():
    assert spelled_by(columns("AB"), ["ABCD"])[0] < -1e6


def test_many_lines_and_words_are_told_as_each_by_itself_and_only_where_asked():
    lines = np.stack([columns("  A  B C   D"), columns("AA BB      "[:12].ljust(12))])
    words = ["A", "ABCD", "AB", "ABCDABCDAB", "TYM"]
    asked = np.array([[True, True, False, True, True], [True, False, True, True, False]])
    together = spelled(lines, words, asked)
    alone = np.stack([spelled_by(line, words) for line in lines])
    np.testing.assert_allclose(together[asked], alone[asked], rtol=1e-12)
    assert np.all(together[~asked] == NEVER)


def test_what_is_hopeless_is_told_without_a_warning():
    hopeless = np.full((1, 64, len(ALPHABET)), -60, np.float32)
    hopeless[..., 0] = 0
    assert spelled(hopeless, ["ABCDABCDABCDABCD"], np.ones((1, 1), bool))[0, 0] < -700


@pytest.mark.parametrize("word", ["A", "TYM3"])
def test_the_likelihoods_of_all_words_of_one_length_sum_to_at_most_one(word):
    line = columns(word.join("  "), sure=0.6)
    total = np.exp(spelled_by(line, list(ALPHABET[1:]))).sum()
    assert 0 < total <= 1 + 1e-6


def test_a_blank_line_shows_nothing():
    seen = read_lines(normalise_lines(np.zeros((1, LINE_HEIGHT_PX, LINE_WIDTH_PX), np.float32)))
    assert seen.shape == (1, LINE_WIDTH_PX // 2, len(ALPHABET))
    assert np.all(seen[0].argmax(1) == 0)
