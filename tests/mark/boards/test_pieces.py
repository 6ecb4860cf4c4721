"""Pieces of ink gathered into lines."""

import cv2
import numpy as np
import pytest

from poradek_vision.mark.boards.pieces import PieceSettings, find_pieces, gather

PX = 40
SETTINGS = PieceSettings()


def blank():
    return np.zeros((300, 400), np.uint8)


def put(ink, text, left, bottom, size=1.0):
    """Write with a plain pen; letters of size 1 are about 22 px high."""
    cv2.putText(ink, text, (left, bottom), cv2.FONT_HERSHEY_SIMPLEX, size, 1, 3)


def groups(ink, upright=False, page_end=None):
    """All lines, the darkest first."""
    pieces = find_pieces(
        ink, ink.astype(np.float32), np.zeros_like(ink) if page_end is None else page_end, PX, SETTINGS
    )
    return gather(pieces, PX, SETTINGS)[upright]


def boxes(ink, upright=False):
    """The boxes of all lines, the darkest first."""
    return [group.box for group in groups(ink, upright)]


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


@pytest.mark.parametrize("thick", [2, 6])
def test_a_box_round_a_letter_is_no_part_of_it(thick):
    ink = blank()
    put(ink, "A", 100, 200)
    alone = cv2.boundingRect(ink)
    cv2.rectangle(ink, (88, 166), (136, 210), 1, thick)
    assert boxes(ink) == [alone]


def test_an_oval_round_a_name_is_no_part_of_it():
    ink = blank()
    put(ink, "SOVY", 100, 200)
    cv2.ellipse(ink, (143, 188), (70, 34), 0, 0, 355, 1, 3)
    left, top, width, height = boxes(ink)[0]
    assert (abs(np.array([left, top, width, height]) - [101, 180, *wide("SOVY")[2:]]) <= 3).all()


def test_a_letter_that_touches_its_circle_is_taken_both_ways():
    ink = blank()
    put(ink, "A", 100, 200, 1.6)
    left, top, width, height = cv2.boundingRect(ink)
    cv2.ellipse(ink, (left + width // 2, top + height // 2), (width // 2 + 4, height // 2 + 4), 0, 0, 360, 1, 3)
    whole = cv2.boundingRect(ink)
    inner = [box for box in boxes(ink) if box != whole]
    assert whole in boxes(ink)
    assert len(inner) == 1
    assert inner[0][3] > 0.7 * height


def test_a_stroke_in_a_circle_is_a_mark():
    ink = blank()
    cv2.line(ink, (120, 180), (120, 205), 1, 4)
    alone = cv2.boundingRect(ink)
    cv2.circle(ink, (120, 192), 26, 1, 3)
    assert boxes(ink) == [alone]


def test_two_lines_under_a_word_are_no_part_of_it():
    ink = blank()
    put(ink, "VLCI", 20, 200)
    for down in (8, 18):
        cv2.line(ink, (16, 200 + down), (100, 201 + down), 1, 2)
    assert wide("VLCI") in boxes(ink)


@pytest.mark.parametrize("letter", "BDOQ08")
def test_a_round_letter_is_no_circle(letter):
    ink = blank()
    put(ink, letter, 100, 200, 2.0)
    assert boxes(ink) == [cv2.boundingRect(ink)]


@pytest.mark.parametrize(("quarter_turns", "down"), [(0, 0), (1, 3), (2, 2), (3, 1)])
def test_a_line_under_writing_tells_its_foot(quarter_turns, down):
    ink = blank()
    put(ink, "A", 100, 200)
    cv2.line(ink, (94, 208), (126, 209), 1, 2)
    turned = np.ascontiguousarray(np.rot90(ink, quarter_turns))
    assert groups(turned)[0].foot == groups(turned, upright=True)[0].foot == down


def test_writing_without_a_line_under_it_has_no_foot():
    ink = blank()
    put(ink, "VLCI", 100, 200)
    assert {group.foot for group in groups(ink)} == {-1}


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
    assert [group.lonely for group in groups(ink)] == [True, False, False]


@pytest.mark.parametrize("upright", [False, True])
def test_a_line_under_a_letter_is_no_part_of_it(upright):
    ink = blank()
    put(ink, "A", 100, 200)
    alone = cv2.boundingRect(ink)
    cv2.line(ink, (96, 208), (126, 209), 1, 2)
    assert (alone, True) in [(group.box, group.lonely) for group in groups(ink, upright)]
    assert cv2.boundingRect(ink) not in boxes(ink, upright)


def test_the_bar_of_a_letter_is_part_of_it():
    ink = blank()
    cv2.line(ink, (100, 160), (130, 160), 1, 3)
    cv2.line(ink, (115, 166), (115, 200), 1, 3)
    assert cv2.boundingRect(ink) in boxes(ink)


def test_what_lies_at_the_end_of_the_page_is_no_neighbour():
    ink, page_end = blank(), blank()
    put(ink, "A", 20, 200, 1.3)
    alone = cv2.boundingRect(ink)
    put(ink, "B", 66, 200, 1.3)
    assert (alone, False) in [(group.box, group.lonely) for group in groups(ink)]
    page_end[:, 85:] = 1
    assert (alone, True) in [(group.box, group.lonely) for group in groups(ink, page_end=page_end)]


def test_what_is_open_on_one_side_goes_round_nothing():
    ink = blank()
    cv2.polylines(ink, [np.array([[140, 60], [100, 60], [100, 120], [140, 120]], np.int32)], False, 1, 3)
    cv2.line(ink, (108, 90), (130, 90), 1, 3)  # an E whose middle stroke stands apart
    pieces = find_pieces(ink, ink.astype(np.float32), np.zeros_like(ink), PX, SETTINGS)
    assert [piece.ring for piece in pieces] == [False, False]


def test_a_mark_follows_what_stands_before_it():
    ink = blank()
    put(ink, "3", 100, 100)
    put(ink, "8", 150, 100)
    after = {group.box[0] // 50: group.after for group in groups(ink) if group.lonely and not group.long}
    assert after == {2: (2,), 3: (0,)}
