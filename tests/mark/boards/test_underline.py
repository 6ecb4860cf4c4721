"""Lines under writing that touch it."""

import cv2
import numpy as np
import pytest

from mark.boards.drawn_board import draw_board, printed
from poradek_vision.mark import BoardMarkSettings, read_mark
from poradek_vision.mark.boards.underline import off_underlines
from poradek_vision.model import Game, Team

GAME = Game(teams=tuple(Team(f"Tým {mark}", mark) for mark in "BEFHKLPVZ27"))


def letter(text, scale=1.0):
    """A letter in a plain font: ink (h, w), 0 or 1."""
    ink = cv2.resize(printed(text), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) > 0.5
    rows, cols = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
    return np.ascontiguousarray(ink[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1], np.uint8)


def on_a_line(text, beyond=0.4, gap=0, slope=0.0):
    """A letter on a line that reaches beyond it by so much of its width at each end."""
    ink = letter(text)
    height, width = ink.shape
    over = round(beyond * width)
    below = round(abs(slope) * (width + 2 * over)) + 6 + gap
    wide = np.pad(ink, ((0, below), (over, over)))
    left, right = (0, height + 2 + gap), (wide.shape[1] - 1, height + 2 + gap + round(slope * wide.shape[1]))
    cv2.line(wide, left, right, 1, 4)
    return wide


@pytest.mark.parametrize("text", list("AFHKMPRTVXY4790"))
@pytest.mark.parametrize("slope", [0.0, 0.08])
@pytest.mark.parametrize("turn", range(4))
def test_a_line_that_touches_is_taken_away(text, slope, turn):
    ink = np.ascontiguousarray(np.rot90(on_a_line(text, slope=slope), -turn))
    below = [found for found in off_underlines(ink) if found.foot == turn]
    assert [found.clear for found in below] == [True]
    bare = np.rot90(below[0].ink, turn)
    height = letter(text).shape[0]
    assert abs(np.flatnonzero(bare.any(1))[-1] + 1 - height) <= 3
    assert np.array_equal(bare[: height - 4], on_a_line(text, slope=slope)[: height - 4])


@pytest.mark.parametrize("text", list("ABCDEFGJLMNOPQRSTUVWXYZ23456789"))
def test_no_letter_ends_in_a_clear_line(text):
    assert not any(found.clear for found in off_underlines(letter(text)))


@pytest.mark.parametrize("text", list("ELZ2BD"))
def test_a_stroke_that_begins_where_its_letter_does_is_the_letters(text):
    assert not [found for found in off_underlines(letter(text)) if found.foot == 0]


def test_a_letters_own_stroke_along_the_line_stays():
    ink = on_a_line("E")  # its lowest stroke and the line are one, thicker under the letter
    assert not [found for found in off_underlines(ink) if found.foot == 0]


@pytest.mark.parametrize("text", list("FVP7"))
def test_a_mark_on_a_line_is_no_other_teams(text):
    ink = cv2.resize(on_a_line(text).astype(np.float64), None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    mark, _ = read_mark(draw_board(ink), 4, 4, GAME, BoardMarkSettings())
    assert mark.team == f"Tým {text}" or mark.flags


@pytest.mark.parametrize("text", list("EFHKLZ2"))
def test_marks_without_a_line_are_read_for_sure(text):
    mark, _ = read_mark(draw_board(printed(text)), 4, 4, GAME, BoardMarkSettings())
    assert (mark.team, mark.flags) == (f"Tým {text}", ())
