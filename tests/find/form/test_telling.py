"""Writing in empty cells: a form's, not a board's."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from poradek_vision.find import FormSettings, tell_form
from poradek_vision.geometry import plain_matrix
from poradek_vision.model import GridFit, Photo

SIZE, CELL, MARGIN = 4, 60, 30


def drawn(paint=None, squared=False):
    """A photo of a grid, and the grid."""
    side = SIZE * CELL + 2 * MARGIN
    picture = np.full((side, side, 3), 245, np.uint8)
    if squared:
        picture[::12] = picture[:, ::12] = (205, 215, 230)
    for line in range(SIZE + 1):
        at = MARGIN + line * CELL
        cv2.line(picture, (MARGIN, at), (side - MARGIN, at), (40, 40, 44), 2)
        cv2.line(picture, (at, MARGIN), (at, side - MARGIN), (40, 40, 44), 2)
    if paint:
        for row, col in np.ndindex(SIZE, SIZE):
            paint(picture, MARGIN + col * CELL, MARGIN + row * CELL)
    picture.setflags(write=False)
    photo = Photo("IMG_1.jpg", "", "", picture, 1.0, (side, side))
    lines = MARGIN + CELL * np.arange(SIZE + 1.0)
    crossings = tuple(tuple((float(x), float(y)) for x in lines) for y in lines)
    homography = plain_matrix(np.array([[CELL, 0, MARGIN], [0, CELL, MARGIN], [0, 0, 1.0]]))
    return photo, GridFit(SIZE, SIZE, homography, crossings, 0.1, "ruled")


def form(photo, grid, stuck=()):
    full = np.zeros((SIZE, SIZE), np.bool_)
    for row, col in stuck:
        full[row, col] = True
    return tell_form(photo, grid, full, FormSettings())


EVERYWHERE = tuple(np.ndindex(SIZE, SIZE))


def digit(picture, x, y):
    cv2.putText(picture, "17", (x + 12, y + 30), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (40, 40, 44), 2, cv2.LINE_AA)


def letter(picture, x, y):
    cv2.putText(picture, "R", (x + 14, y + 50), cv2.FONT_HERSHEY_DUPLEX, 1.7, (40, 60, 160), 5, cv2.LINE_AA)


def sticker(picture, x, y):
    cv2.rectangle(picture, (x + 12, y + 9), (x + 52, y + 50), (30, 80, 180), -1)


def test_a_calendars_cells_are_written_in():
    assert form(*drawn(digit)).written == 1.0


@pytest.mark.parametrize("squared", [False, True])
def test_empty_cells_are_not_whatever_the_paper(squared):
    assert form(*drawn(squared=squared)).written == 0.0


@pytest.mark.parametrize(("way", "wide"), [((7, 0), 4), ((6, 6), 3), ((0, 0), 9)])
def test_a_plus_a_cross_or_a_dot_in_the_middle_of_cells_is_no_writing(way, wide):
    def sign(picture, x, y):
        across, down = way
        for dx, dy in ((across, down), (-down, across)):
            ends = (x + 32 - dx, y + 29 - dy), (x + 32 + dx, y + 29 + dy)
            cv2.line(picture, *ends, (40, 40, 44), wide, cv2.LINE_AA)

    assert form(*drawn(sign)).written == 0.0


def test_what_is_larger_narrower_or_at_the_side_is_writing():
    def large(picture, x, y):
        cv2.putText(picture, "A7R4"[x // 60 % 4], (x + 20, y + 41), cv2.FONT_HERSHEY_SIMPLEX, 1.1, (40, 40, 44), 2)

    def narrow(picture, x, y):
        cv2.line(picture, (x + 31, y + 22), (x + 29, y + 38), (40, 40, 44), 3)

    def aside(picture, x, y):
        cv2.circle(picture, (x + 16, y + 16), 6, (40, 40, 44), -1)

    assert [form(*drawn(paint)).written for paint in (large, narrow, aside)] == [1.0, 1.0, 1.0]


def test_only_empty_cells_count():
    assert form(*drawn(digit), EVERYWHERE).written == 0.0


def test_stickers_and_shadows_are_no_writing():
    def shade(picture, x, y):
        picture[y + 8 : y + 52, x + 8 : x + 52] = (120, 122, 128)

    assert form(*drawn(shade)).written == 0.0


def leaf_shade(picture, x, y):
    """Shade with a broad part and pointed ends, as leaves and torn stickers cast it."""
    outline = [(2, 2), (58, 2), (58, 26), (50, 26), (44, 56), (38, 26), (24, 26), (16, 50), (12, 26), (2, 26)]
    cv2.fillPoly(picture, [np.add(outline, (x, y))], (110, 118, 138), cv2.LINE_AA)


def test_pointed_ends_of_shade_are_no_writing():
    assert form(*drawn(leaf_shade)).written == 0.0


def test_writing_in_such_shade_still_is():
    def both(picture, x, y):
        leaf_shade(picture, x, y)
        cv2.putText(picture, "17", (x + 12, y + 24), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (20, 20, 22), 2, cv2.LINE_AA)

    assert form(*drawn(both)).written == 1.0


def test_a_narrow_shadow_on_faint_lines_is_no_writing():
    photo, grid = drawn()
    pixels = np.where(photo.pixels < 100, 215, 245).astype(np.uint8)  # lines by a hard pencil
    for row, col in EVERYWHERE:
        start = (MARGIN + col * CELL + 15, MARGIN + row * CELL + 45)
        cv2.line(pixels, start, (start[0] + 30, start[1] - 30), (205, 206, 210), 9, cv2.LINE_AA)
    assert form(replace(photo, pixels=cv2.GaussianBlur(pixels, (0, 0), 2)), grid).written == 0.0


def test_squared_paper_is_no_writing_where_light_washes_most_lines_out():
    photo, grid = drawn(squared=True)
    pixels = photo.pixels.copy()
    bright = slice(0, MARGIN + 3 * CELL - 5)
    pixels[bright] = np.maximum(pixels[bright], 215)
    assert form(replace(photo, pixels=pixels), grid).written == 0.0


def test_letters_are_strokes_and_stickers_are_not():
    assert form(*drawn(letter), EVERYWHERE[::2]).strokes == 1.0
    assert form(*drawn(sticker), EVERYWHERE[::2]).strokes == 0.0


@pytest.mark.parametrize("radius", [6, 9, 12])
def test_dots_are_no_strokes(radius):
    def dot(picture, x, y):
        cv2.circle(picture, (x + 32, y + 27), radius, (30, 80, 180), -1, cv2.LINE_AA)

    assert form(*drawn(dot), EVERYWHERE[::2]).strokes == 0.0


def test_a_sticker_with_a_letter_on_it_is_a_sticker():
    def marked(picture, x, y):
        sticker(picture, x, y)
        cv2.putText(picture, "R", (x + 20, y + 44), cv2.FONT_HERSHEY_DUPLEX, 1.0, (20, 20, 24), 3, cv2.LINE_AA)

    assert form(*drawn(marked), EVERYWHERE[::2]).strokes == 0.0


def test_a_sticker_with_white_print_is_a_sticker():
    def starred(picture, x, y):
        sticker(picture, x, y)
        for dx in (-10, 0, 10):
            cv2.line(picture, (x + 32 + dx, y + 15), (x + 32 + dx, y + 44), (245, 245, 245), 5, cv2.LINE_AA)

    assert form(*drawn(starred), EVERYWHERE[::2]).strokes == 0.0


def test_black_squares_are_told_from_shade():
    def square(tone):
        def paint(picture, x, y):
            if (x + y) % 180 == 60:
                picture[y + 1 : y + 60, x + 1 : x + 60] = tone

        return form(*drawn(paint)).black

    assert square((30, 30, 34)) > 0.2
    assert square((110, 112, 120)) == 0.0


def test_a_chessboard_alternates_and_a_board_in_shade_does_not():
    def square(picture, x, y):
        if (x + y - 2 * MARGIN) // CELL % 2:
            picture[y + 2 : y + CELL - 1, x + 2 : x + CELL - 1] = 150

    assert form(*drawn(square)).chequered == 1.0
    assert form(*drawn(square), EVERYWHERE[4:]).chequered == 0.0  # only three neighbours are left
    photo, grid = drawn()
    pixels = photo.pixels.copy()
    pixels[:, MARGIN + 2 * CELL :] //= 2
    assert form(replace(photo, pixels=pixels), grid).chequered < 0.2


def test_paper_goes_on_round_a_board_and_not_round_tiles():
    photo, grid = drawn()
    assert form(photo, grid).paper == 1.0
    tiles = photo.pixels.copy()
    tiles[: MARGIN - 2] = tiles[:, : MARGIN - 2] = (196, 40, 44)
    assert form(replace(photo, pixels=tiles), grid).paper == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(("around", "paper"), [(245, 1.0), (40, 0.0)])
def test_a_full_board_lies_on_paper_brighter_than_its_stickers(around, paper):
    photo, grid = drawn(sticker)
    pixels = np.full_like(photo.pixels, around)
    inner = slice(MARGIN - 2, -MARGIN + 2)
    pixels[inner, inner] = photo.pixels[inner, inner]
    assert form(replace(photo, pixels=pixels), grid, EVERYWHERE).paper == paper


def test_lines_that_go_on_beyond_the_border_are_told_side_by_side():
    photo, grid = drawn()
    pixels = photo.pixels.copy()
    for line in range(SIZE + 1):
        at = MARGIN + line * CELL
        cv2.line(pixels, (0, at), (MARGIN, at), (40, 40, 44), 2)
        cv2.line(pixels, (at, MARGIN - CELL // 4), (at, MARGIN), (40, 40, 44), 2)  # a hand's overshoot
    assert form(photo, grid).run_on == (0.0, 0.0, 0.0, 0.0)
    assert form(replace(photo, pixels=pixels), grid).run_on == (0.0, 1.0, 0.0, 0.0)
    pixels[MARGIN : MARGIN + 2 * CELL - 10, :MARGIN] = (30, 80, 180)  # a sticker lies over two ends
    assert form(replace(photo, pixels=pixels), grid, [(0, 0)]).run_on == (0.0, 1.0, 0.0, 0.0)


def test_what_squared_paper_has_beyond_the_border_are_not_the_boards_lines():
    assert form(*drawn(squared=True)).run_on == (0.0, 0.0, 0.0, 0.0)


def cube(around):
    picture = np.full((300, 300, 3), around, np.uint8)
    picture[MARGIN:-MARGIN, MARGIN:-MARGIN] = 24
    for row, col in EVERYWHERE:
        x, y = MARGIN + col * CELL, MARGIN + row * CELL
        picture[y + 5 : y + 55, x + 5 : x + 55] = ((196, 30, 44), (250, 210, 40), (30, 140, 70))[(row + 2 * col) % 3]
    picture.setflags(write=False)
    photo, grid = drawn()
    return form(replace(photo, pixels=picture), grid, EVERYWHERE)


def test_a_cube_is_a_toy_and_a_full_board_with_a_thick_pen_is_not():
    assert cube(around=90).toy
    assert not cube(around=245).toy
    assert not form(*drawn(sticker), EVERYWHERE).toy


def test_a_board_whose_margin_is_in_the_shade_and_whose_middle_in_the_sun_is_no_toy():
    picture, grid = drawn()
    pixels = picture.pixels.copy()
    for line in MARGIN + CELL * np.arange(SIZE + 1):
        pixels[line - 5 : line + 5] = pixels[:, line - 5 : line + 5] = 12
    pixels[:MARGIN] = pixels[-MARGIN:] = pixels[:, :MARGIN] = pixels[:, -MARGIN:] = 245
    shade = np.full(pixels.shape[:2], 0.55)
    shade[MARGIN + CELL : -MARGIN - CELL, MARGIN + CELL : -MARGIN - CELL] = 1.0
    pixels = (pixels * shade[..., None]).astype(np.uint8)
    assert not form(replace(picture, pixels=pixels), grid).toy


def test_lines_are_seen_on_a_board_and_not_between_dots_that_lie_in_rows():
    photo, grid = drawn(sticker)
    assert form(photo, grid, EVERYWHERE[1::2]).drawn == 1.0
    pixels = np.full_like(photo.pixels, 245)
    for row, col in EVERYWHERE[1::2]:
        sticker(pixels, MARGIN + col * CELL, MARGIN + row * CELL)
    assert form(replace(photo, pixels=pixels), grid, EVERYWHERE[1::2]).drawn == 0.0


def test_where_stickers_may_cover_every_line_none_is_missed():
    assert form(*drawn(sticker), EVERYWHERE).drawn == 1.0
