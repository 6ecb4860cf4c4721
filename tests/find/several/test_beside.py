"""Boards ruled by hand beside printed sheets: found, and nothing of a printed sheet taken for one."""

from dataclasses import replace

import numpy as np
import pytest
from synth.hand_page import HandLook
from synth.hand_sheet import HandSheet
from synth.look import Clutter, Look, View, random_look
from synth.scene import DEFAULT_GAME, make_scene

from poradek_vision.find import (
    BesideSettings,
    FindSettings,
    RuledSettings,
    find_beside,
    find_printed,
    parts_beside,
    shows_beside,
)
from poradek_vision.find.several.beside import _apart, _roughness, on_paper
from poradek_vision.find.several.parts import _before_camera
from poradek_vision.geometry import plain_matrix, plain_points, project
from poradek_vision.model import GridFit, Photo
from poradek_vision.pipeline.sheets import paper_of

VIEW = View(width=1400, height=1050, tilt_deg=12, fill=0.9)
SIZES = (6, 5, 4, 3)


def shoot(sheets, ground="leaves", seed=3):
    look = Look(view=VIEW, clutter=Clutter(ground=ground))
    return make_scene(seed, sheets=sheets, look=look)


def seen(shot):
    """The photo, and its printed sheets."""
    pixels = shot.pixels.copy()
    pixels.setflags(write=False)
    photo = Photo("IMG_1.jpg", "", "", pixels, 1.0, pixels.shape[1::-1])
    grids = find_printed(photo, DEFAULT_GAME, FindSettings()).grids
    return photo, [(grid, paper_of(grid, DEFAULT_GAME)) for grid in grids]


def beside(shot):
    photo, sheets = seen(shot)
    return find_beside(photo, sheets, SIZES, BesideSettings(), RuledSettings()).grids


@pytest.mark.parametrize(("paper", "ground"), [("white", "planks"), ("kraft", "leaves")])
def test_a_board_beside_a_printed_sheet_is_found_where_it_was_drawn(paper, ground):
    shot = shoot([(0, 4), HandSheet(HandLook(size=4, cell_mm=30, paper=paper), 5)], ground)
    (grid,) = beside(shot)
    truth, found = np.array(shot.boards[1].crossings), np.array(grid.crossings)
    assert np.hypot(*(found - truth).T).max() < 0.08 * np.hypot(*(truth[0, 1] - truth[0, 0]))


@pytest.mark.parametrize(("paper", "size", "seed"), [("kraft", 4, 4), ("white", 3, 3)])
def test_a_small_board_on_wood_as_bright_as_its_paper_is_searched(paper, size, seed):
    board = HandSheet(HandLook(size=size, cell_mm=16, paper=paper, fill=0.6), 5)
    shot = shoot([(0, 4), board], "planks", seed)
    photo, sheets = seen(shot)
    truth = np.array(shot.boards[1].crossings)
    parts = parts_beside(photo, sheets, BesideSettings())
    assert any(np.all(truth > part[:2]) and np.all(truth < part[2:]) for part in parts)


def test_a_coarse_photo_tells_a_board_from_stickers_strewn_on_paper():
    drawn = shoot([(0, 4), HandSheet(HandLook(size=4, cell_mm=30), 5)], "planks")
    photo, sheets = seen(drawn)
    assert shows_beside(photo, sheets, SIZES, BesideSettings())
    corners = np.array(drawn.boards[1].crossings).reshape(-1, 2)
    (left, top), (right, bottom) = (corners.min(0) - 8).astype(int), (corners.max(0) + 8).astype(int)
    pixels = photo.pixels.copy()
    pixels[top:bottom, left:right] = 225
    for x, y, colour in (
        (20, 30, (200, 40, 40)),
        (70, 90, (40, 60, 190)),
        (120, 40, (40, 150, 60)),
        (90, 150, (220, 190, 30)),
    ):
        pixels[top + y : top + y + 24, left + x : left + x + 24] = colour
    strewn = replace(photo, pixels=pixels)
    assert parts_beside(strewn, sheets, BesideSettings())
    assert not shows_beside(strewn, sheets, SIZES, BesideSettings())


@pytest.mark.parametrize("rough", [False, True])
def test_stickers_lie_on_paper_where_it_is_smooth_round_them(rough):
    level = np.full((400, 600), 190.0)
    level += 25 * np.random.default_rng(2).standard_normal(level.shape) if rough else 0
    pixels, stickers = level.astype(np.uint8)[..., None].repeat(3, 2), np.zeros(level.shape, np.float32)
    corners = np.array([[x, y] for x in (200.0, 260, 320) for y in (150.0, 210)])
    for x, y in corners.astype(int):
        pixels[y : y + 30, x : x + 30], stickers[y : y + 30, x : x + 30] = (200, 30, 40), 1
    photo = Photo("IMG_1.jpg", "", "", pixels, 1.0, (600, 400))
    assert bool(on_paper(photo, [], stickers, [np.concatenate([corners, corners + 30])], BesideSettings())) is not rough


def test_two_boards_beside_a_sheet_are_found_each_once():
    drawn = [HandSheet(HandLook(size=size, cell_mm=30), size) for size in (3, 4)]
    assert sorted(grid.rows for grid in beside(shoot([(0, 4), *drawn]))) == [3, 4]


@pytest.mark.parametrize("ground", ["leaves", "gravel", "tarp"])
def test_bare_ground_beside_a_sheet_is_not_searched(ground):
    photo, sheets = seen(shoot([(0, 5)], ground))
    assert len(sheets) == 1
    assert parts_beside(photo, sheets, BesideSettings()) == ()


def test_no_printed_grid_is_found_as_a_ruled_one():
    look = replace(random_look(2, "hard"), view=VIEW)
    shot = make_scene(2, sheets=[(0, 6), (1, 3), (2, 4)], look=look)
    assert beside(shot) == ()


def test_parts_that_lie_in_each_other_are_searched_once():
    assert _apart([(0, 0, 10, 10), (6, 0, 10, 4), (30, 0, 40, 10), (9, 0, 12, 10)]) == (
        (0, 0, 10, 10), (30, 0, 40, 10), (9, 0, 12, 10),
    )  # fmt: skip
    assert _apart([(0, 0, 10, 10), (20, 0, 30, 10), (4, 0, 26, 10)]) == ((0, 0, 30, 10),)


@pytest.mark.parametrize(("grain", "expected"), [(0.004, True), (0.05, False)])
def test_paper_is_smooth(grain, expected):
    level = 180 * (1 + grain * np.random.default_rng(1).standard_normal((60, 60)))
    rough = np.median(_roughness(level.astype(np.uint8)))
    assert bool(rough <= BesideSettings().most_rough) is expected


def test_a_page_that_goes_on_behind_the_camera_is_hidden_as_far_as_it_is_seen():
    steep = np.array([[100.0, 0, 200], [0, 100, 200], [0, -0.12, 1]])  # its horizon lies at 8.3 cells
    lines = project(steep, np.stack(np.meshgrid(np.arange(5), np.arange(5)), -1))
    grid = GridFit(4, 4, plain_matrix(steep), tuple(map(plain_points, lines)), 0.0, "printed")
    whole, behind = (np.array([[-1, -1], [5, -1], [5, end], [-1, end]], np.float64) for end in (7, 12))
    assert _before_camera(grid, whole) == pytest.approx(project(steep, whole))
    cut = _before_camera(grid, behind)
    assert cut[:2] == pytest.approx(project(steep, whole)[:2])
    assert cut[2:, 1].min() > 10_000  # not above the horizon, where the corners behind the camera would come to lie
