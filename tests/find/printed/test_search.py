"""Printed sheets in photos: each crossing where it is, and a sheet that contradicts itself refused."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose
from synth import make_scene, random_look

from find.drawn_sheets import (
    GAME,
    LEAF,
    PAPER,
    TILTED,
    cell_px,
    cover_tags,
    lay,
    photo_of,
    photograph,
    square_on,
    worst_px,
)
from poradek_vision.find import FindSettings, find_printed
from poradek_vision.geometry import fit_homography, project
from poradek_vision.model import Flag, Game, Rect
from poradek_vision.sheet import card_sheet

SETTINGS = FindSettings()
STICKERS = ("RYGB.", "RR.BB", "..YGB", "YGBRY", "BBBR.")


def find(*sheets, game=GAME, **how):
    return find_printed(photograph(*sheets, **how), game, SETTINGS)


def only_grid(sheets):
    (grid,) = sheets.grids
    assert sheets.stray == ()
    return grid


@pytest.fixture(scope="module")
def stuck():
    """A sheet of 5 with stickers, seen at a tilt, and its photo."""
    laid = lay(5, team=1, quad=TILTED, rows=STICKERS)
    return laid, photograph(laid)


# --- where the crossings are ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_crossings_of_a_flat_sheet_lie_within_a_pixel(size):
    laid = lay(size, quad=square_on((385.3, 545.7), 720))
    grid = only_grid(find(laid, size=(770, 1090)))
    assert worst_px(grid, laid) <= 1.0
    assert (grid.rows, grid.cols, grid.how, grid.kind, grid.team_index) == (size, size, "printed", "team", 0)
    assert grid.flags == ()
    assert grid.cell_mm == 20.0


def test_of_stickered_and_tilted_ones_too(stuck):
    laid, photo = stuck
    grid = only_grid(find_printed(photo, GAME, SETTINGS))
    assert worst_px(grid, laid) <= 1.0
    assert (grid.team_index, grid.flags) == (1, ())
    assert grid.error_px < 0.3


def test_crossings_of_a_large_photo_lie_within_a_fraction_of_a_pixel():
    laid = lay(6, quad=square_on((850.2, 1200.6), 1600))
    grid = only_grid(find(laid, size=(1700, 2400)))
    error = np.hypot(*np.moveaxis(np.array(grid.crossings) - laid.crossings(), -1, 0))
    assert np.median(error) <= 0.1
    assert error.max() <= 0.75


def test_a_sheet_that_fills_a_tenth_of_a_photo_is_found():
    laid = lay(4, quad=square_on((850.2, 1200.6), 210))
    grid = only_grid(find(laid, size=(1700, 2400)))
    assert worst_px(grid, laid) <= 1.0
    assert grid.team_index == 0


def test_crossings_follow_bent_paper():
    laid = lay(5, quad=TILTED, rows=STICKERS, bend_mm=5.0)
    flat = replace(laid, bend_mm=0.0)
    assert np.abs(laid.crossings() - flat.crossings()).max() > 0.2 * cell_px(laid)  # bent indeed
    grid = only_grid(find(laid))
    assert worst_px(grid, laid) <= 0.03 * cell_px(laid)
    assert grid.flags == ()


@pytest.mark.parametrize("bulge_mm", [7.0, 9.0])
def test_crossings_follow_a_bulge_between_the_borders(bulge_mm):
    game = Game(teams=GAME.teams, sizes=(12,), no_mans_land=0, cell_mm=12.0)
    rows = tuple("".join(row) for row in np.random.default_rng(3).choice(list("RYGB.."), (12, 12)))
    laid = lay(12, game=game, quad=square_on((400.3, 560.7), 740), rows=rows, bulge_mm=bulge_mm)
    grid = only_grid(find(laid, game=game, size=(800, 1120), over=1))
    assert worst_px(grid, laid) <= 0.06 * cell_px(laid)
    assert grid.flags == ()


@pytest.mark.parametrize("degrees", [45, 90, 180, 270])
def test_a_turned_sheet_keeps_its_own_top_left(degrees):
    laid = lay(4, turned_deg=degrees, width=410, rows=("RRRR", "Y...", "G...", "BBBB"))
    grid = only_grid(find(laid))
    assert worst_px(grid, laid) <= 1.0
    assert grid.flags == ()


def test_the_homography_sums_the_crossings_up(stuck):
    laid, photo = stuck
    grid = only_grid(find_printed(photo, GAME, SETTINGS))
    board = np.stack(np.meshgrid(np.arange(6.0), np.arange(6.0)), -1)
    assert_allclose(project(grid.photo_from_board, board), laid.crossings(), atol=1.0)


def test_fiducials_are_told_with_their_ids_and_corners(stuck):
    laid, photo = stuck
    told = dict(only_grid(find_printed(photo, GAME, SETTINGS)).fiducials)
    assert sorted(told) == [tag.id for tag in laid.spec.fiducials]
    for tag in laid.spec.fiducials:
        s = tag.square
        corners = laid.photo([[s.x, s.y], [s.x + s.w, s.y], [s.x + s.w, s.y + s.h], [s.x, s.y + s.h]])
        assert_allclose(told[tag.id], corners, atol=1.5)


def test_a_photo_decoded_at_half_size_is_told_in_pixels_of_its_file(stuck):
    laid, photo = stuck
    half = photo_of(cv2.resize(photo.pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), scale=0.5)
    assert worst_px(only_grid(find_printed(half, GAME, SETTINGS)), laid) <= 2.0


def test_the_card_is_told_as_a_card():
    laid = replace(lay(4), spec=card_sheet(GAME))
    grid = only_grid(find(laid))
    assert (grid.kind, grid.team_index, grid.rows, grid.cols) == ("card", None, 4, 5)
    assert worst_px(grid, laid) <= 1.0


@pytest.mark.parametrize(("difficulty", "seed", "size"), [("easy", 11, 6), ("medium", 12, 5), ("hard", 16, 6)])
def test_crossings_of_rendered_sheets_are_right_or_called_uncertain(difficulty, seed, size):
    """Paper that curls, light, lens and clutter as in the woods: see :mod:`synth`."""
    look = random_look(seed, difficulty)
    look = replace(look, view=replace(look.view, width=900, height=1200))
    shot = make_scene(seed, game=GAME, sheets=[(1, size)], look=look)
    (grid,) = find_printed(photo_of(shot.pixels), GAME, SETTINGS).grids
    truth = np.array(shot.boards[0].crossings)
    side_px = np.median(np.hypot(*np.moveaxis(np.diff(truth, axis=1), -1, 0)))
    worst = np.hypot(*np.moveaxis(np.array(grid.crossings) - truth, -1, 0)).max()
    assert worst <= 0.05 * side_px or Flag.GRID_UNCERTAIN in grid.flags
    assert (grid.team_index, grid.rows) == (1, size)


# --- fiducials that can't be seen -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("seen", "what"), [(0, LEAF), (1, LEAF), (2, PAPER), (3, PAPER)])
def test_one_visible_fiducial_is_enough_or_the_grid_is_called_uncertain(seen, what):
    laid = cover_tags(lay(5, quad=TILTED, rows=STICKERS), set(range(4)) - {seen}, what)
    grid = only_grid(find(laid))
    assert worst_px(grid, laid) <= 0.05 * cell_px(laid) or Flag.GRID_UNCERTAIN in grid.flags
    assert [tag_id % 4 for tag_id, _ in grid.fiducials] == [seen]


@pytest.mark.parametrize("hidden", [(0,), (2,), (0, 1), (0, 2), (1, 3)])
def test_two_or_three_visible_fiducials_are_enough(hidden):
    laid = cover_tags(lay(5, quad=TILTED, rows=STICKERS, bend_mm=2.0), hidden)
    grid = only_grid(find(laid))
    assert worst_px(grid, laid) <= 0.05 * cell_px(laid)
    assert sorted(tag_id % 4 for tag_id, _ in grid.fiducials) == sorted(set(range(4)) - set(hidden))


def test_without_any_fiducial_there_is_no_sheet():
    sheets = find(cover_tags(lay(5), range(4)))
    assert (sheets.grids, sheets.stray) == ((), ())


# --- several sheets -------------------------------------------------------------------------------------------------


def four_sheets(names):
    centres = [(290.0, 360.0), (810.0, 370.0), (280.0, 1060.0), (820.0, 1070.0)]
    turns = [3, -5, 184, 92]
    return [
        lay(size, team, quad=square_on(centre, 410, turn))
        for (team, size), centre, turn in zip(names, centres, turns, strict=True)
    ]


def test_four_sheets_in_one_photo_are_four_grids():
    sheets = four_sheets([(0, 6), (0, 3), (1, 6), (1, 4)])
    found = find(*sheets, size=(1100, 1420))
    assert found.stray == ()
    assert sorted((grid.team_index, grid.rows) for grid in found.grids) == [(0, 3), (0, 6), (1, 4), (1, 6)]
    for laid in sheets:
        assert min(worst_px(grid, laid) for grid in found.grids) <= 1.0
    first = [sum(grid.crossings[0][0]) for grid in found.grids]
    assert first == sorted(first)


def test_the_same_sheet_twice_in_one_photo_is_two_grids():
    sheets = [lay(5, quad=square_on((230, 310), 390)), lay(5, quad=square_on((690, 330), 390, 4))]
    found = find(*sheets, size=(920, 640))
    assert len(found.grids) == 2
    assert found.stray == ()
    for laid in sheets:
        assert min(worst_px(grid, laid) for grid in found.grids) <= 1.0


def test_a_sheet_seen_so_steeply_that_its_tags_differ_sixfold_is_one_grid():
    spec = lay(4).spec
    grid = spec.grid
    corners = [
        [grid.x, grid.y], [grid.x + grid.w, grid.y], [grid.x + grid.w, grid.y + grid.h], [grid.x, grid.y + grid.h]
    ]  # fmt: skip
    seen = [[583, 939], [1300, 440], [1364, 1140], [911, 1672]]
    w, h = spec.page_mm
    page = project(fit_homography(corners, seen), [[0, 0], [w, 0], [w, h], [0, h]])
    laid = lay(4, quad=tuple(map(tuple, page)))
    found = find(laid, size=(1500, 2000))
    assert len(found.grids) == 1
    assert worst_px(found.grids[0], laid) <= 2.0


# --- sheets that are not what the game says -------------------------------------------------------------------------


@pytest.mark.parametrize("printed_mm", [25.0, 15.0])
def test_another_side_of_a_cell_than_the_games_is_recognised(printed_mm):
    laid = lay(5, game=replace(GAME, cell_mm=printed_mm), quad=square_on((385.3, 545.7), 720))
    grid = only_grid(find(laid, game=GAME, size=(770, 1090)))
    assert worst_px(grid, laid) <= 1.0
    assert grid.cell_mm == pytest.approx(printed_mm, abs=1.0)


@pytest.mark.parametrize("visible", [(0, 1, 2, 3), (0, 2), (1, 2)], ids=["all tags", "opposite tags", "two tags"])
@pytest.mark.parametrize(("printed", "said"), [(6, 5), (5, 6)])
def test_a_sheet_of_another_size_than_its_fiducials_say_is_refused(printed, said, visible):
    """Off by one: game.toml lists sizes in another order than those that were printed."""
    laid = cover_tags(mislabelled(printed), set(range(4)) - set(visible))
    sheets = find(laid, game=Game(sizes=(said,)))
    assert sheets.grids == ()
    assert len(sheets.stray) == len(visible)


@pytest.mark.parametrize("visible", [0, 2])
@pytest.mark.parametrize(("printed", "said"), [(6, 5), (5, 6)])
def test_off_by_one_from_a_single_fiducial_is_never_read_silently(printed, said, visible):
    """The two sides at the tag agree with both sizes: the other two must speak."""
    laid = cover_tags(mislabelled(printed), set(range(4)) - {visible})
    refused_or_in_doubt(find(laid, game=Game(sizes=(said,))))


def refused_or_in_doubt(sheets):
    assert sheets.grids or sheets.stray  # it was seen at all
    assert all(Flag.GRID_UNCERTAIN in grid.flags for grid in sheets.grids)


def mislabelled(size):
    """A sheet full of stickers from a game of that size alone; another game's fiducials bear the same numbers."""
    return lay(
        size,
        game=Game(sizes=(size,)),
        rows=("RYGBRY"[:size], "BGRYBG"[:size]) * (size // 2) + ("YYYYYY"[:size],) * (size % 2),
    )


@pytest.mark.parametrize("way", [(1, 0), (-1, 0), (0, 1), (1, 1)])
def test_a_ruler_frame_off_by_one_cell_is_never_read_silently(way):
    right = lay(5)
    shift = [20.0 * step for step in way]
    shifted = tuple(Rect(block.x + shift[0], block.y + shift[1], block.w, block.h) for block in right.spec.ruler)
    laid = replace(right, spec=replace(right.spec, ruler=shifted))
    refused_or_in_doubt(find(laid))


def test_a_number_that_no_board_of_the_game_has_is_no_sheet():
    sheets = find(lay(3), game=Game(sizes=(6,)))
    assert sheets.grids == ()


# --- photos that show too little ------------------------------------------------------------------------------------


@pytest.mark.parametrize("centre", [(130.0, 400.0), (470.0, 400.0)], ids=["left", "right"])
def test_a_grid_that_runs_out_of_the_photo_is_called_cropped(centre):
    laid = lay(6, quad=square_on(centre, 510))
    assert Flag.CROPPED in only_grid(find(laid)).flags


def test_a_grid_that_just_fits_is_not_called_cropped():
    assert Flag.CROPPED not in only_grid(find(lay(6, quad=square_on((297.0, 420.0), 760)))).flags


@pytest.mark.parametrize("what", ["noise", "leaves", "chessboard", "flat"])
def test_nothing_is_found_where_there_is_no_sheet(what):
    rng = np.random.default_rng(3)
    grey = {
        "noise": rng.integers(0, 256, (600, 450), np.uint8),
        "leaves": photograph(size=(450, 600)).pixels[..., 1],
        "chessboard": np.kron(np.indices((12, 9)).sum(0) % 2 * 200 + 30, np.ones((50, 50))).astype(np.uint8),
        "flat": np.full((600, 450), 200, np.uint8),
    }[what]
    sheets = find_printed(photo_of(np.repeat(grey[..., None], 3, -1)), GAME, SETTINGS)
    assert (sheets.grids, sheets.stray) == ((), ())
