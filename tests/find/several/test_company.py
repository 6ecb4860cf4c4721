"""Several boards in one photo: each is found, also beside clearer ones, and none is a piece of another."""

import cv2
import numpy as np
import pytest
from synth.ground import paint_ground
from synth.hand_page import HandLook
from synth.hand_scene import random_hand_scene
from synth.hand_sheet import HandSheet
from synth.handmade import random_pair, shoot_pair
from synth.look import Clutter, Look, View
from synth.scene import make_scene

from poradek_vision.find import BesideSettings, RuledSettings, find_every
from poradek_vision.find.ruled.evidence import gather
from poradek_vision.find.ruled.seeds import find_seeds
from poradek_vision.find.several.parts import search_parts
from poradek_vision.model import Photo

SIZES = (8, 6, 5, 4, 3)
SETTINGS = RuledSettings()


def seen(pixels):
    pixels = np.ascontiguousarray(pixels)
    pixels.setflags(write=False)
    return Photo("photo.jpg", "", "", pixels, 1.0, pixels.shape[1::-1])


def shoot(looks, ground, seed):
    """The photo of some boards, and the crossings of each."""
    sheets = [HandSheet(look, 10 * seed + k) for k, look in enumerate(looks)]
    view = View(width=1600, height=1200, tilt_deg=15, fill=0.75, frame="page")
    shot = make_scene(seed, sheets=sheets, look=Look(view=view, clutter=Clutter(ground=ground)))
    return shot.pixels, [np.array(board.crossings) for board in shot.boards]


def worst_cells(grids, truth):
    """How far the grid of as many cells whose middle is nearest lies from the truth at the worst, cells."""
    alike = [np.array(grid.crossings) for grid in grids if grid.rows == len(truth) - 1]
    found = min(alike, key=lambda crossings: np.hypot(*(crossings.mean((0, 1)) - truth.mean((0, 1)))))
    turns = [np.hypot(*np.moveaxis(found - np.rot90(truth, k), -1, 0)).max() for k in range(4)]
    return min(turns) / np.hypot(*(truth[0, 1] - truth[0, 0]))


def check(grids, truths):
    assert sorted(grid.rows for grid in grids) == sorted(len(truth) - 1 for truth in truths)
    assert max(worst_cells(grids, truth) for truth in truths) < 0.08


@pytest.mark.parametrize(("ground", "seed"), [("planks", 3), ("gravel", 1)])
def test_boards_of_all_sizes_beside_each_other_are_all_found(ground, seed):
    looks = [HandLook(size=size, cell_mm=24, paper="kraft", pen_mm=1.0, fill=0.7) for size in (6, 3, 4)]
    pixels, truths = shoot(looks, ground, seed)
    check(find_every(seen(pixels), SIZES, BesideSettings(), SETTINGS).grids, truths)


@pytest.mark.parametrize("seed", [10, 11])
def test_two_boards_on_one_sheet_are_both_found(seed):
    shots = shoot_pair(random_pair(seed, 0.2), seed)
    check(
        find_every(seen(shots[0].pixels), SIZES, BesideSettings(), SETTINGS).grids, [shot.crossings for shot in shots]
    )


def drawing(*boards):
    """Boards (left, top, cell, size) ruled on paper, as pixels, and the crossings of each."""
    pixels, truths = np.full((900, 1200, 3), 225, np.uint8), []
    pixels += np.random.default_rng(1).integers(0, 12, pixels.shape, dtype=np.uint8)
    for left, top, cell, size in boards:
        lines = np.arange(size + 1.0) * cell
        crossings = np.stack(np.meshgrid(lines + left, lines + top), -1)
        for line in (*crossings, *crossings.swapaxes(0, 1)):
            cv2.polylines(pixels, [line.astype(np.int32)], False, (60, 60, 60), 3, cv2.LINE_AA)
        for row, col in np.argwhere(np.random.default_rng(size).random((size, size)) < 0.5):
            middle = crossings[row : row + 2, col : col + 2].mean((0, 1))
            cv2.circle(pixels, middle.astype(int).tolist(), cell // 3, (200, 40, 50), -1, cv2.LINE_AA)
        truths.append(crossings)
    return cv2.GaussianBlur(pixels, (3, 3), 0), truths


def test_a_board_of_many_clear_cells_leaves_seeds_to_another():
    pixels, truths = drawing((60, 60, 80, 8), (860, 500, 60, 3))
    evidence = gather(pixels, SETTINGS.work_px)
    middles = evidence.decoded_px(np.array([seed.middle for seed in find_seeds(evidence)]))
    for truth in truths:
        assert np.any(np.all((middles > truth.min((0, 1))) & (middles < truth.max((0, 1))), axis=1))


def on_gravel(seed, side=280):
    """A photo of gravel, 2000 px wide, with one board on a page as wide as asked, and the crossings of that."""
    texture = (255 * paint_ground("gravel", np.random.default_rng(seed)) ** (1 / 2.2)).astype(np.uint8)
    pixels = np.array(cv2.resize(texture, (2000, 2000))[:1500])
    board, (truth,) = drawing((60, 60, 60, 5))
    page = cv2.resize(board[:420, :420], (side, side), interpolation=cv2.INTER_AREA)
    pixels[900 : 900 + side, 1300 : 1300 + side] = page
    return pixels, (truth + 0.5) * side / 420 - 0.5 + [1300, 900]


def test_lines_on_paper_come_before_those_of_gravel():
    pixels, truth = on_gravel(3, 500)
    evidence = gather(pixels, SETTINGS.work_px)
    middles = evidence.decoded_px(np.array([seed.middle for seed in find_seeds(evidence)]))
    assert np.all((middles > truth.min((0, 1))) & (middles < truth.max((0, 1))), axis=1).mean() > 0.8


@pytest.mark.parametrize("seed", [3, 4])
def test_a_board_on_a_small_part_of_a_photo_is_found_from_closer(seed):
    pixels, truth = on_gravel(seed)
    check(find_every(seen(pixels), SIZES, BesideSettings(), SETTINGS).grids, [truth])


def test_pale_lines_on_a_small_sheet_among_leaves_are_found_on_the_sheet():
    shot = random_hand_scene(303020, "hard", 1)
    found = find_every(seen(shot.pixels), SIZES, BesideSettings(), SETTINGS)
    check(found.grids, [np.array(shot.boards[0].crossings)])


def test_a_piece_of_a_board_that_its_part_cuts_off_is_no_board():
    pixels, truths = drawing((300, 200, 70, 6))
    cut = (200, 100, 300 + 4 * 70 + 30, 200 + 4 * 70 + 30)  # a little more than 4×4 of its cells
    check(search_parts(seen(pixels), [], lambda known: [] if known else [cut], SIZES, SETTINGS).grids, truths)
