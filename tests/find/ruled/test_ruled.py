"""Hand-made grids: found with the right size and lines, doubtful ones flagged, nothing found where there is none."""

from dataclasses import replace

import numpy as np
import pytest
from synth.coloured_squares import COLOURED
from synth.drawing import DrawingLook, draw_board, random_drawing
from synth.handmade import HandLook, HandShot, random_hand_look, shoot_hand_made
from synth.no_board import PLAIN, shoot_no_board

from poradek_vision.find import RuledSettings, find_ruled
from poradek_vision.model import Flag, Photo

SIZES = (3, 4, 5, 6, 8, 12)
SMALL = (750, 1000)
LIKE_BOARDS = ("coloured tiles", "calendar", "crossword")
A_GRID = {"cube"}
"""Its face is a grid of stickers: only what lies between and round them tells it from a board."""


def make_photo(pixels, scale=1.0):
    pixels = np.ascontiguousarray(pixels)
    pixels.setflags(write=False)
    height, width = pixels.shape[:2]
    return Photo("IMG_1.jpg", "", "", pixels, scale, (round(width / scale), round(height / scale)))


def worst_cells(found, truth):
    """Largest distance of a crossing from the truth, in cells, over the four turns; infinite for another size."""
    found = np.asarray(found)
    if found.shape != truth.shape:
        return np.inf
    side = np.median(np.hypot(*np.moveaxis(np.diff(truth, axis=1), -1, 0)))
    return min(np.hypot(*np.moveaxis(np.rot90(found, k) - truth, -1, 0)).max() for k in range(4)) / side


def shoot(seed=1, **look) -> HandShot:
    return shoot_hand_made(HandLook(photo_px=SMALL, **look), seed)


def test_the_comparator_sees_a_shift_by_one_line_and_another_size():
    truth = np.stack(np.meshgrid(np.arange(4.0), np.arange(4.0)), -1)
    assert worst_cells(np.rot90(truth), truth) == 0
    assert worst_cells(truth + np.array([1, 0]), truth) == 1
    assert worst_cells(truth[:3, :3], truth) == np.inf


@pytest.mark.parametrize("size", [3, 4, 6, 12])
def test_a_board_of_every_size_is_found_with_its_exact_lines(size):
    shot = shoot(size=size, cell_mm=140 / size)
    (grid,) = find_ruled(make_photo(shot.pixels), SIZES, RuledSettings()).grids
    assert worst_cells(grid.crossings, shot.crossings) < 0.08
    assert (grid.how, grid.kind, grid.team_index, grid.flags) == ("ruled", "team", None, ())


@pytest.mark.parametrize(
    "look",
    [
        {"ink": "red", "pen_mm": 2.0},
        {"ink": "blue", "kind": "squared"},
        {"ink": "green", "kind": "lined", "underline": True},
        {"ink": "grey", "pen_mm": 0.5, "paper": "cream"},
        {"paper": "kraft", "pen_mm": 1.6, "fill": 0.9},
        {"ground": "plaid", "tilt": 0.35, "bend": 0.02},
        {"roll_deg": 45.0, "ground": "gravel"},
        {"wobble": 0.02, "uneven": 0.03, "turn_deg": 20.0, "fill": 0.9},
        {"tint": (1.2, 1.0, 0.6), "shade": 0.4},
    ],
    ids=str,
)
def test_pens_papers_and_grounds(look):
    shot = shoot(seed=5, **look)
    (grid,) = find_ruled(make_photo(shot.pixels), SIZES, RuledSettings()).grids
    assert worst_cells(grid.crossings, shot.crossings) < 0.08


@pytest.mark.parametrize(("cell", "margin", "line"), [(60, 40, 2), (60, 0, 2), (200, 1, 4), (24, 10, 1)])
@pytest.mark.parametrize("size", [3, 12])
def test_flat_drawings_to_the_very_edge_and_in_thumbnails(size, cell, margin, line):
    drawn = draw_board(DrawingLook(size, cell, margin, line), seed=1)
    (grid,) = find_ruled(make_photo(drawn.pixels), SIZES, RuledSettings()).grids
    assert worst_cells(grid.crossings, drawn.crossings) < 0.08
    assert grid.flags == ()


@pytest.mark.parametrize("to_edge", [False, True])
@pytest.mark.parametrize("size", [3, 7, 10])
def test_slanted_drawings_of_any_size(size, to_edge):
    drawn = random_drawing(1, size, to_edge, slanted=True)
    (grid,) = find_ruled(make_photo(drawn.pixels), tuple(range(3, 13)), RuledSettings()).grids
    assert worst_cells(grid.crossings, drawn.crossings) < 0.08
    assert grid.flags == ()


def test_a_drawing_with_every_cell_filled_to_its_lines():
    drawn = draw_board(DrawingLook(3, 150, 0, 3, inset=0.0, fill=1.0), seed=1)
    (grid,) = find_ruled(make_photo(drawn.pixels), SIZES, RuledSettings()).grids
    assert worst_cells(grid.crossings, drawn.crossings) < 0.08


def test_a_dark_border_round_dark_colours_is_sure_in_a_drawing():
    drawn = random_drawing(1401000, 4, to_edge=False, slanted=False)
    (found,) = find_ruled(make_photo(drawn.pixels), (4,), RuledSettings()).grids
    assert (found.flags, found.unsure) == ((), ())


def test_a_corner_that_bends_far_from_the_lattice_is_followed():
    shot = shoot_hand_made(random_hand_look(91_013, 1.0), 91_013)
    (grid,) = find_ruled(make_photo(shot.pixels), SIZES, RuledSettings()).grids
    assert worst_cells(grid.crossings, shot.crossings) < 0.12  # it is 1.2 off in the lattice


@pytest.mark.parametrize("seed", [71_033, 71_042, 71_066])
def test_lines_bent_within_a_cell_cross_where_they_do(seed):
    shot = shoot_hand_made(random_hand_look(seed, 1.0), seed)
    (grid,) = find_ruled(make_photo(shot.pixels), SIZES, RuledSettings()).grids
    assert worst_cells(grid.crossings, shot.crossings) < 0.07  # straight between crossings they would be 0.09 off
    assert grid.flags == ()


@pytest.mark.parametrize("seed", [903, 906, 921])
def test_lines_as_broad_as_a_markers_on_large_cells_are_found(seed):
    look = random_hand_look(seed, seed % 3 / 2)
    shot = shoot_hand_made(replace(look, size=3, pen_mm=(0.09 + 0.03 * (seed % 4)) * look.cell_mm), seed)
    (grid,) = find_ruled(make_photo(shot.pixels), SIZES, RuledSettings()).grids
    assert worst_cells(grid.crossings, shot.crossings) < 0.1  # lines are 0.12 to 0.18 wide
    assert grid.flags == ()


def test_two_boards_in_one_photo():
    one, other = (draw_board(DrawingLook(4, 60, 40, line), seed=line) for line in (2, 3))
    height, width = one.pixels.shape[:2]
    gap = np.full((height, 30, 3), 255, np.uint8)
    picture = np.concatenate([one.pixels, gap, other.pixels[:height]], axis=1)
    grids = find_ruled(make_photo(picture), SIZES, RuledSettings()).grids
    assert len(grids) == 2
    assert worst_cells(grids[0].crossings, one.crossings) < 0.08
    assert worst_cells(grids[1].crossings, other.crossings + np.array([width + 30, 0])) < 0.08


def test_crossings_are_in_pixels_of_the_file():
    drawn = draw_board(DrawingLook(), seed=1)
    (grid,) = find_ruled(make_photo(drawn.pixels, scale=0.25), SIZES, RuledSettings()).grids
    assert worst_cells(grid.crossings, (drawn.crossings + 0.5) * 4 - 0.5) < 0.08


def test_crossings_begin_at_the_top_left_as_seen():
    shot = shoot(roll_deg=180.0)
    (grid,) = find_ruled(make_photo(shot.pixels), SIZES, RuledSettings()).grids
    corners = np.asarray(grid.crossings)
    assert corners[0, 0].sum() == min(corners[i, j].sum() for i in (0, -1) for j in (0, -1))
    assert corners[0, -1, 0] > corners[0, 0, 0]


def test_a_grid_of_a_size_that_was_not_asked_for_is_no_sure_find():
    shot = shoot(size=6, cell_mm=24.0)
    grids = find_ruled(make_photo(shot.pixels), (3, 4), RuledSettings()).grids
    assert all(Flag.GRID_UNCERTAIN in grid.flags for grid in grids)


@pytest.mark.parametrize("name", sorted((PLAIN | COLOURED).keys() - {*LIKE_BOARDS, *A_GRID}))
def test_no_board_no_grid(name):
    assert find_ruled(make_photo(shoot_no_board(name, 0)), SIZES, RuledSettings()).grids == ()


@pytest.mark.parametrize("name", LIKE_BOARDS)
def test_what_has_a_grid_like_a_boards_is_no_sure_find(name):
    grids = find_ruled(make_photo(shoot_no_board(name, 0)), SIZES, RuledSettings()).grids
    assert all(Flag.GRID_UNCERTAIN in grid.flags for grid in grids)


def test_twenty_cells_a_side_on_a_sheet_that_is_bent():
    shot = shoot_hand_made(HandLook(size=20, cell_mm=10, bend=0.02, zoom=0.85, pen_mm=0.8), 1)
    (grid,) = find_ruled(make_photo(shot.pixels), (20,), RuledSettings()).grids
    assert worst_cells(grid.crossings, shot.crossings) < 0.08
    assert grid.flags == ()


def test_a_land_full_of_stickers_is_not_taken_for_a_board_of_larger_cells():
    shot = shoot(seed=3, size=12, cell_mm=12, fill=1.0, sticker=0.9)
    grids = find_ruled(make_photo(shot.pixels), (6, 4, 3), RuledSettings()).grids
    assert all(Flag.GRID_UNCERTAIN in grid.flags for grid in grids)


def test_the_network_vouches_for_a_land_full_of_stickers():
    look = replace(random_hand_look(91_509, 0.0), size=12, cell_mm=15.0, fill=1.0, sticker=0.95, pen_mm=0.7)
    shot = shoot_hand_made(look, 91_509)
    (grid,) = find_ruled(make_photo(shot.pixels), SIZES, RuledSettings()).grids
    assert grid.flags == ()
    assert worst_cells(grid.crossings, shot.crossings) < 0.12


def test_the_same_photo_gives_the_same_grid():
    photo = make_photo(draw_board(DrawingLook(), seed=1).pixels)
    assert find_ruled(photo, SIZES, RuledSettings()) == find_ruled(photo, SIZES, RuledSettings())


@pytest.mark.parametrize("seed", [97_064, 97_070])
def test_lines_followed_to_the_next_ones_place_are_in_doubt(seed):
    shot = shoot_hand_made(random_hand_look(seed, 1.0), seed)
    (grid,) = find_ruled(make_photo(shot.pixels), SIZES, RuledSettings()).grids
    assert worst_cells(grid.crossings, shot.crossings) < 0.1 or Flag.GRID_UNCERTAIN in grid.flags
