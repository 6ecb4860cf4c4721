"""Lines between stickers that touch them: told by the pen's colour, wherever it differs from both stickers."""

import numpy as np
import pytest

from poradek_vision.find.ruled.between import between, pen_colour, tints
from poradek_vision.find.ruled.evidence import Evidence

WHITE, BLUE, GREEN, RED = (250, 250, 250), (30, 40, 160), (30, 140, 60), (200, 30, 40)
SIDE, MIDDLE, GAP = 60, 30, 6


def make_evidence(left, right, line=None):
    """Two colours that meet in the middle, with a line 4 px wide between them."""
    levels = np.empty((SIDE, SIDE, 3), np.uint8)
    levels[:, :MIDDLE], levels[:, MIDDLE:] = left, right
    if line is not None:
        levels[:, MIDDLE - 2 : MIDDLE + 2] = line
    nothing = np.zeros((SIDE, SIDE), np.float32)
    white = np.full((SIDE // 2, SIDE // 2, 3), 255, np.float32)
    return Evidence(nothing, nothing, nothing, nothing, levels, levels, white, 1.0, (0, 0))


def profile(evidence, pen=BLUE):
    """Likeness to a pen across the middle, from 10 px to its left to 10 px to its right."""
    colour = ((np.array(pen) + 8) / (255 + 8)).astype(np.float32)
    x = np.arange(MIDDLE - 10 - GAP, MIDDLE + 10 + GAP, dtype=np.float32)[None]
    return between(evidence, colour, x, np.full_like(x, 20), GAP)[0]


@pytest.mark.parametrize(("left", "right"), [(GREEN, RED), (GREEN, GREEN), (RED, WHITE), (WHITE, WHITE)])
def test_a_line_is_seen_between_any_two_colours(left, right):
    seen = profile(make_evidence(left, right, BLUE))
    assert seen[9:11].min() > 0.95
    assert seen[[0, 1, 2, 17, 18, 19]].max() < 0.1


@pytest.mark.parametrize(("left", "right"), [(GREEN, RED), (RED, WHITE), (GREEN, WHITE)])
def test_where_two_colours_meet_there_is_no_line(left, right):
    assert profile(make_evidence(left, right)).max() < 0.5


def test_a_line_of_another_colour_is_not_the_pens():
    assert profile(make_evidence(WHITE, WHITE, RED)).max() < 0.5


def test_beside_a_sticker_of_the_pens_own_colour_nothing_is_told():
    assert profile(make_evidence((34, 44, 164), GREEN, BLUE)).max() < 0.1


def test_the_pens_colour_is_that_on_its_lines():
    evidence = make_evidence(WHITE, WHITE, BLUE)
    np.testing.assert_allclose(pen_colour(evidence, np.array([[29.0, 5], [30, 20], [29, 50]])) * 263 - 8, BLUE, atol=1)


def test_what_is_tinted_is_told_from_paper_in_shade():
    evidence = make_evidence((150, 150, 150), (220, 220, 180))
    assert tints(evidence, np.array([[[10.0, 10.0]]])) < 0.01
    assert tints(evidence, np.array([[[50.0, 10.0]]])) > 0.12
