"""The reader of single characters, on fonts and strokes that it was not trained on."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from synth.glyphs import strokes
from training.pen_strokes import somebodys
from training.samples import font_glyphs
from training.strokes import drawn, rewritten

from mark.drawn_signs import SIGNS
from poradek_vision.mark.candidates import candidates, plain
from poradek_vision.mark.characters import CHARACTERS, NONE, WINDOW_PX, normalise, read_windows
from poradek_vision.model import Game, Team

FONTS = Path(__file__).parents[2] / "poradek_vision" / "fonts"


def as_windows(glyphs) -> np.ndarray:
    """Glyphs (N, 96, 96) as normalised windows."""
    small = [cv2.resize(glyph, (WINDOW_PX, WINDOW_PX), interpolation=cv2.INTER_AREA) for glyph in glyphs]
    return normalise(np.stack(small).astype(np.float32) / 255)


def read(windows: np.ndarray, among: str = CHARACTERS) -> str:
    """The best character of each window."""
    seen = read_windows(windows).log_probabilities[:, [CHARACTERS.index(character) for character in among]]
    return "".join(among[k] for k in seen.argmax(1))


@pytest.mark.parametrize("font", ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"])
def test_reads_a_font(font):
    seen = read(as_windows(font_glyphs(FONTS / font)))
    assert sum(a == b for a, b in zip(seen, CHARACTERS, strict=True)) >= 34  # O and 0, I and 1 look alike


def test_reads_a_hand():
    rng = np.random.default_rng(3)
    glyphs = [drawn(strokes(character, rng), 0.1, 96, rng) for character in CHARACTERS * 4]
    seen = read(as_windows(glyphs))
    assert sum(a == b for a, b in zip(seen, CHARACTERS * 4, strict=True)) >= 0.9 * len(glyphs)


def test_reads_noughts_with_a_slash():
    rng = np.random.default_rng(5)
    turn = np.linspace(-np.pi / 2, 3 * np.pi / 2, 30)
    nought = [np.stack([30 + 28 * np.cos(turn), 50 + 50 * np.sin(turn)], 1), np.array([[66.0, 0], [-6, 100]])]
    again = [rewritten(somebodys("0", [{"0": [nought]}], rng), rng) for _ in range(40)]
    seen = read(as_windows([drawn(lines, 0.08, 96, rng) for lines in again]), "0123456789")
    assert seen.count("0") >= 36


def test_reads_whatever_the_contrast():
    glyphs = as_windows(font_glyphs(FONTS / "DejaVuSans.ttf"))
    faint = normalise(0.3 + 0.2 * glyphs)
    assert read(faint) == read(glyphs)


def test_is_not_sure_that_grain_is_a_character():
    grain = normalise(np.random.default_rng(1).normal(0, 0.05, (40, WINDOW_PX, WINDOW_PX)))
    seen = read_windows(grain).log_probabilities
    assert np.mean(seen.argmax(1) == NONE) > 0.8


def test_tells_signs_from_characters():
    rng = np.random.default_rng(2)
    signs = as_windows([drawn(lines, 0.09, 96, rng) for lines in SIGNS.values()])
    characters = as_windows([drawn(strokes(character, rng), 0.09, 96, rng) for character in CHARACTERS])
    assert read_windows(signs).sign_nats.min() > read_windows(characters).sign_nats.max()


def test_probabilities_sum_to_one():
    seen = read_windows(as_windows(font_glyphs(FONTS / "DejaVuSans.ttf")))
    np.testing.assert_allclose(np.exp(seen.log_probabilities).sum(1), 1, atol=1e-5)


def test_no_windows_give_no_characters():
    assert read_windows(np.empty((0, WINDOW_PX, WINDOW_PX), np.float32)).log_probabilities.shape == (0, NONE + 1)


def test_candidates_are_the_games_marks():
    game = Game(teams=(Team("Ježci", "C"), Team("Lišky", "7"), Team("Čápi", "Ω")))
    assert [(c.name, CHARACTERS[c.character], c.word) for c in candidates(game)] == [
        ("Ježci", "C", "JEZCI"),
        ("Lišky", "7", "LISKY"),
    ]
    assert "".join(c.name for c in candidates(Game())) == CHARACTERS
    assert plain("Příliš žluťoučký kůň") == "PRILIS ZLUTOUCKY KUN"
