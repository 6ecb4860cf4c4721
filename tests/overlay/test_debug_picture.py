"""The picture of one board: what is where, and that everything that can be read gets painted."""

from dataclasses import replace

import numpy as np
import pytest
from made_boards import GAME, KINDS, LEVEL, PAPER, TURNED, make_grid, make_photo, make_reading

from poradek_vision.model import CellReading, Flag, Game, MarkReading
from poradek_vision.overlay import encode_jpeg, paint_board
from poradek_vision.overlay.panes import cell_box, paint_cells, paint_photo
from poradek_vision.overlay.pen import DOUBT, blank
from poradek_vision.overlay.views import View, around, flat

RED, BLUE = (200, 36, 44), (34, 84, 172)
PANE = 660


def changed(before: np.ndarray, after: np.ndarray) -> tuple[int, int, int, int]:
    """The box round all pixels that differ: left, top, right, bottom, the last two not included."""
    y, x = np.nonzero(np.any(before != after, axis=-1))
    return x.min(), y.min(), x.max() + 1, y.max() + 1


def cells_painted(reading, photo, game=GAME, size=PANE):
    place = blank(size, size)
    paint_cells(place, photo, reading, game)
    return place


@pytest.mark.parametrize("scale", [1.0, 0.5])
@pytest.mark.parametrize("outline", [LEVEL, TURNED], ids=["level", "upside down"])
def test_a_board_laid_flat_stands_upright(outline, scale):
    grid = make_grid(4, 3, outline)
    photo = make_photo(grid, {(0, 0): RED, (3, 1): BLUE}, scale)
    board = flat(photo, grid, (0, 0, 3, 4), 90, 120).astype(int)
    for row in range(4):
        for col in range(3):
            truth = {(0, 0): RED, (3, 1): BLUE}.get((row, col), PAPER)
            assert np.abs(board[30 * row + 15, 30 * col + 15] - truth).max() <= 2


def test_points_of_the_file_are_painted_where_their_pixels_are():
    photo = make_photo(make_grid(), scale=0.5)
    view = View(100, 50, 300, 250, 3.0)
    first_of_view = (200.5, 100.5)  # the middle of the four file pixels that pixel (100, 50) was made from
    np.testing.assert_allclose(view.place(photo, first_of_view), (1, 1))
    np.testing.assert_allclose(view.place(photo, (0.5, 0.5)), (1 - 300, 1 - 150))


def test_beyond_the_photo_there_is_no_board():
    grid = make_grid(3, 3, ((-100, 150), (200, 150), (200, 450), (-100, 450)))
    board = flat(make_photo(grid), grid, (0, 0, 3, 3), 60, 60)
    assert np.all(board[:, :19] == blank(1, 1)[0, 0])
    assert np.all(board[5:55, 21:55] == PAPER)


@pytest.mark.parametrize(("row", "col"), [(0, 0), (2, 1), (5, 5)])
def test_a_doubt_changes_its_cell_and_no_other(row, col):
    grid = make_grid(6, 6)
    photo = make_photo(grid)
    sure = cells_painted(make_reading(grid), photo)
    doubtful = cells_painted(make_reading(grid, {(row, col): (Flag.GLARE,)}), photo)
    box = cell_box(CellReading(row, col, "R"), PANE / 6.84)
    assert changed(sure, doubtful) == box
    left, top, right, bottom = box
    for edge in (doubtful[top + 2, left + 2 : right - 2], doubtful[top + 2 : bottom - 2, right - 3]):
        assert np.all(edge == DOUBT)


def test_a_doubt_is_framed_in_the_photo_too():
    grid = make_grid(3, 3, TURNED)
    photo = make_photo(grid)
    sure, doubtful = blank(800, 600), blank(800, 600)
    paint_photo(sure, photo, make_reading(grid))
    paint_photo(doubtful, photo, make_reading(grid, {(0, 2): (Flag.GLARE,)}))
    left, top, right, bottom = changed(sure, doubtful)
    assert np.any(np.all(doubtful == DOUBT, axis=-1))
    assert right - left < 800 / 3
    assert bottom - top < 600 / 3
    assert (left + right) / 2 < 400, "the board is upside down: its right column lies on the photo's left"
    assert (top + bottom) / 2 > 300


def test_grid_and_fiducials_are_drawn_where_they_were_found():
    tag = ((90.0, 60.0), (120.0, 60.0), (120.0, 90.0), (90.0, 90.0))
    grid = make_grid(3, 3, ((200, 150), (600, 150), (600, 450), (200, 450)), fiducials=((24, tag),))
    photo = make_photo(grid)
    view = around(photo, [tag[0], (600, 450)], 800, 600)
    bare, place = blank(*view.size), blank(*view.size)
    view.paint(photo, bare)
    paint_photo(place, photo, make_reading(grid))
    expected = view.place(photo, [(90, 60), (600, 450)]).ravel()
    np.testing.assert_allclose(changed(bare, place), expected, atol=4)


@pytest.mark.parametrize("language", ["cs", "en"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (3, 3), (4, 5), (6, 6), (12, 6), (12, 12)])
def test_every_shape_of_board_can_be_painted(rows, cols, kind, language):
    grid = make_grid(rows, cols, TURNED, kind=kind)
    game = replace(GAME, language=language)
    doubts = {(row, row % cols): tuple(Flag)[: row + 1] for row in range(rows)}
    picture = paint_board(make_photo(grid), make_reading(grid, doubts), game)
    assert picture.dtype == np.uint8
    assert picture.shape[1:] == (1600, 3)
    assert picture.shape[0] > 750


@pytest.mark.parametrize(
    "outline",
    [
        ((-100, -80), (300, -60), (320, 240), (-90, 250)),
        ((-900, -900), (5000, -700), (4000, 3000), (-800, 2500)),
        ((1200, 700), (1500, 700), (1500, 900), (1200, 900)),
        ((400, 300), (404, 300), (404, 304), (400, 304)),
    ],
    ids=["partly outside", "larger than the photo", "wholly outside", "tiny"],
)
def test_a_grid_may_lie_anywhere(outline):
    grid = make_grid(6, 6, outline)
    reading = make_reading(grid, {(0, 0): (Flag.HIDDEN,)}, flags=(Flag.CROPPED,))
    assert paint_board(make_photo(grid), reading, GAME).shape[1] == 1600


@pytest.mark.parametrize(
    ("outline", "inset"),
    [
        (((600, 400), (680, 400), (680, 480), (600, 480)), True),
        (((300, 60), (780, 60), (780, 560), (300, 560)), False),
    ],
    ids=["small", "large"],
)
def test_a_small_board_shows_where_in_the_photo_it_is(outline, inset):
    grid = make_grid(3, 3, outline)
    place = blank(800, 600)
    paint_photo(place, make_photo(grid), make_reading(grid))
    assert np.any(np.all(place[:130, :170] == PAPER, axis=-1)) == inset


def test_the_picture_grows_with_the_doubts_and_stays_wide():
    grid = make_grid(12, 12)
    all_doubtful = {(k // 12, k % 12): (Flag.OWNER_UNCLEAR,) for k in range(144)}
    calm, crowded = (paint_board(make_photo(grid), make_reading(grid, doubts), GAME) for doubts in ({}, all_doubtful))
    assert calm.shape[0] < crowded.shape[0] < 2 * calm.shape[0]


def test_long_and_strange_names_do_not_break_the_picture():
    grid = make_grid(3, 3)
    name = "dlouhá složka/" + "IMG_ďábelské_ódy_" * 20 + "\udce9\n.jpg"
    reading = replace(make_reading(grid, mark=MarkReading("Příliš žluťoučcí koně " * 9, "mark")), photo=name)
    for game in (GAME, Game(language="en")):
        assert paint_board(make_photo(grid), reading, game).shape[1] == 1600


def test_the_same_records_give_the_same_picture_and_are_left_alone():
    grid = make_grid(6, 6, TURNED)
    photo, reading = make_photo(grid), make_reading(grid, {(1, 1): (Flag.GLARE,)})
    before = photo.pixels.copy()
    first, second = (encode_jpeg(paint_board(photo, reading, GAME)) for _ in range(2))
    assert first == second
    np.testing.assert_array_equal(photo.pixels, before)
