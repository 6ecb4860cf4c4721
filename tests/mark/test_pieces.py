"""Pieces of ink gathered into lines."""

import cv2
import numpy as np
import pytest

from poradek_vision.mark.pieces import PieceSettings, find_pieces, gather

PX = 40
SETTINGS = PieceSettings()


def blank():
    return np.zeros((300, 400), np.uint8)


def put(ink, text, left, bottom, size=1.0):
    """Write with a plain pen; letters of size 1 are about 22 px high."""
    cv2.putText(ink, text, (left, bottom), cv2.FONT_HERSHEY_SIMPLEX, size, 1, 3)


def boxes(ink, upright=False):
    """The boxes of all lines, the darkest first."""
    pieces = find_pieces(ink, ink.astype(np.float32), PX, SETTINGS)
    return [group.box for group in gather(pieces, upright, PX, SETTINGS)]


def wide(text, size=1.0):
    """The box of a text, written alone."""
    ink = blank()
    put(ink, text, 20, 200, size)
    return cv2.boundingRect(ink)


@pytest.mark.parametrize("size", [0.8, 1.5])
def test_letters_of_a_word_are_a_line_of_their_own(size):
    ink = blank()
    put(ink, "VLCI", 20, 200, size)
    assert boxes(ink)[0] == wide("VLCI", size)


def test_a_line_along_the_columns_is_found_too():
    ink = blank()
    put(ink, "VLCI", 20, 200)
    left, top, width, height = wide("VLCI")
    turned = np.ascontiguousarray(np.rot90(ink))
    assert boxes(turned, upright=True)[0] == (top, 400 - left - width, height, width)


def test_words_of_a_line_are_found_together_and_apart():
    ink = blank()
    put(ink, "TYM", 20, 200)
    put(ink, "3", 104, 200)
    found = boxes(ink)
    assert wide("TYM") in found
    assert cv2.boundingRect(ink) in found


def test_far_things_are_not_joined():
    ink = blank()
    put(ink, "A", 20, 200)
    put(ink, "B", 300, 80)
    assert cv2.boundingRect(ink) not in boxes(ink)


def test_a_circle_round_a_letter_is_no_part_of_it():
    ink = blank()
    put(ink, "A", 100, 200)
    alone = cv2.boundingRect(ink)
    cv2.circle(ink, (alone[0] + alone[2] // 2, alone[1] + alone[3] // 2), 26, 1, 2)
    (found,) = boxes(ink)
    assert found == alone


def test_dirt_and_things_that_lie_there_are_no_lines():
    ink = blank()
    cv2.circle(ink, (60, 60), 1, 1, -1)
    cv2.circle(ink, (200, 200), 30, 1, -1)
    cv2.line(ink, (0, 280), (399, 284), 1, 2)
    assert boxes(ink) == []


def test_a_letter_beside_others_is_not_lonely():
    ink = blank()
    put(ink, "A", 20, 200, 1.3)
    put(ink, "B", 66, 200, 1.3)
    groups = gather(find_pieces(ink, ink.astype(np.float32), PX, SETTINGS), False, PX, SETTINGS)
    assert [group.lonely for group in groups] == [True, False, False]
