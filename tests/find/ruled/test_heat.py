from dataclasses import replace

import numpy as np
import pytest
from synth.ground import paint_ground
from synth.handmade import random_hand_look, shoot_hand_made
from synth.no_board import shoot_no_board

from poradek_vision.find.ruled import RuledSettings, find_ruled, shows_cells
from poradek_vision.find.ruled.evidence import gather
from poradek_vision.find.ruled.heat import Heat, Maps, _patches, hottest_cell
from poradek_vision.find.ruled.heat_lattice import grow_hot, hot_lattices, hot_window, lattices_in
from poradek_vision.model import Flag, Photo

SIDE = 96


def paint(at):
    """A heat map with soft spots at places (N, 2)."""
    x, y = np.meshgrid(np.arange(SIDE), np.arange(SIDE))
    spots = [np.exp(-((x - px) ** 2 + (y - py) ** 2) / 1.5) for px, py in at]
    return np.max(spots, axis=0).astype(np.float32)


def heat_of(cells, cell_px=7.0, turn=0.2, scale=0.5):
    """Heat of a turned grid, and its crossings (cells+1, cells+1, 2) in work px."""
    lines = np.stack(np.meshgrid(np.arange(cells + 1.0), np.arange(cells + 1.0)), -1) - cells / 2
    c, s = np.cos(turn), np.sin(turn)
    at = lines @ np.array([[c, s], [-s, c]]) * cell_px + SIDE / 2
    centres = (at[:-1, :-1] + at[1:, 1:]) / 2
    maps = paint(at.reshape(-1, 2)), paint(centres.reshape(-1, 2))
    heat = Heat(*maps, np.array([scale, scale]), np.array([30.0, 10.0]))
    return heat, heat.work_px(at)


def worst_cells(lattice, window, crossings):
    """Distance of a window's crossings from the true ones, cells, in the turn that fits best."""
    u0, u1, v0, v1 = window
    found = lattice(np.stack(np.meshgrid(np.arange(u0, u1 + 1.0), np.arange(v0, v1 + 1.0)), -1))
    side = np.linalg.norm(crossings[0, 0] - crossings[0, -1]) / (len(crossings) - 1)
    turns = [np.rot90(given, k) for given in (found, found.transpose(1, 0, 2)) for k in range(4)]
    return min(np.linalg.norm(turn - crossings, axis=-1).max() for turn in turns) / side


def seen(pixels):
    pixels = np.ascontiguousarray(pixels)
    pixels.setflags(write=False)
    return Photo("photo.jpg", "", "", pixels, 1.0, pixels.shape[1::-1])


def test_map_px_come_back_from_work_px():
    heat, _ = heat_of(3)
    points = np.array([[0.0, 0.0], [17.25, 80.5]])
    np.testing.assert_allclose(heat.map_px(heat.work_px(points)), points, atol=1e-9)


@pytest.mark.parametrize("cells", [3, 5, 8])
def test_a_lattice_grows_over_all_that_is_hot_and_no_further(cells):
    heat, crossings = heat_of(cells)
    lattice = grow_hot(heat, hottest_cell(heat), most=16)
    best = hot_window(heat, lattice, (3, 4, 5, 6, 8, 12))
    assert best.window[1] - best.window[0] == cells
    assert best.mean > 0.75
    assert best.lead > 0.8
    assert worst_cells(lattice, best.window, crossings) < 0.05


def test_each_of_two_boards_in_a_map_is_seen_also_beside_a_hotter_one():
    lines = np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0)), -1)
    large, small = lines * 9 + 6, lines[:4, :4] * 6 + [60, 50]
    maps = [
        np.maximum(
            paint(large[:n, :n].reshape(-1, 2) + shift * 9), 0.8 * paint(small[:m, :m].reshape(-1, 2) + shift * 6)
        )
        for n, m, shift in ((5, 4, 0.0), (4, 3, 0.5))
    ]
    heat = Heat(*(picture.astype(np.float32) for picture in maps), np.ones(2), np.zeros(2))
    first, second, *_ = lattices_in(heat, (3, 4, 5, 6))
    for (lattice, best), crossings in ((first, large), (second, small)):
        assert best.window[1] - best.window[0] == len(crossings) - 1
        assert worst_cells(lattice, best.window, crossings) < 0.05


def test_patches_with_some_warmth_between_them_are_two():
    mean = np.zeros((40, 40), np.float32)
    mean[5:35, 5:35] = 0.3
    mean[8:18, 8:18] = mean[22:32, 22:32] = 0.7
    boxes = sorted(box.tolist() for _, box in _patches(mean))
    assert boxes == [[8, 8, 18, 18], [22, 22, 32, 32]]
    mean[22:32, 22:32] = 0.3
    assert [box.tolist() for _, box in _patches(mean)] == [[5, 5, 35, 35]]


def test_where_nothing_is_hot_there_is_no_cell():
    cold = np.zeros((SIDE, SIDE), np.float32)
    assert hottest_cell(Heat(cold, cold, np.ones(2), np.zeros(2))) is None


def covered(size, seed, fill=1.0):
    """A board drawn lightly and covered with stickers nearly as large as its cells."""
    look = replace(
        random_hand_look(seed, 0.3), size=size, cell_mm=180 / size, pen_mm=0.7, fill=fill, sticker=0.93, zoom=0.8,
        ground="planks", photo_px=(900, 1200),
    )  # fmt: skip
    return shoot_hand_made(look, seed)


@pytest.mark.parametrize("seed", [71, 72])
def test_the_network_sees_cells_under_stickers(seed):
    shot = covered(12, seed)
    evidence = gather(shot.pixels, RuledSettings().work_px)
    lattice, best = max(hot_lattices(Maps(shot.pixels), evidence, (3, 4, 5, 6, 8, 12)), key=lambda found: found[1].lead)
    assert best.window[1] - best.window[0] == 12
    assert worst_cells(lattice, best.window, evidence.work_px(shot.crossings)) < 0.3


def test_a_board_covered_all_over_is_found_or_in_doubt():
    shot = covered(12, 73)
    (grid,) = find_ruled(seen(shot.pixels), (3, 4, 5, 6, 12), RuledSettings()).grids
    assert grid.rows == 12 or Flag.GRID_UNCERTAIN in grid.flags


@pytest.mark.parametrize("name", ["keyboard", "tiles", "ground"])
def test_what_is_no_drawn_grid_stays_cold(name):
    pixels = shoot_no_board(name, 74)
    settings = RuledSettings()
    for _, best in hot_lattices(Maps(pixels), gather(pixels, settings.work_px), (3, 4, 5, 6, 12)):
        assert best.mean < settings.least_heat or best.lead < settings.least_heat_lead


@pytest.mark.parametrize("name", ["gravel", "planks"])
def test_cells_are_seen_in_a_part_with_a_board_and_not_in_one_with_bare_ground(name):
    rng = np.random.default_rng(76)
    ground = (255 * paint_ground(name, rng) ** (1 / 2.2)).astype(np.uint8)[:700, :700]
    assert not shows_cells(Maps(ground), (3, 4, 5, 6, 12))
    assert shows_cells(Maps(covered(5, 76, fill=0.4).pixels), (3, 4, 5, 6, 12))


def test_heat_is_in_the_work_px_of_the_evidence():
    shot = covered(6, 75, fill=0.4)
    evidence = gather(shot.pixels, RuledSettings().work_px)
    cell = hottest_cell(Maps(shot.pixels).coarse(evidence.scale))
    crossings = evidence.work_px(shot.crossings)
    centres = (crossings[:-1, :-1] + crossings[1:, 1:]) / 2
    side = np.linalg.norm(crossings[0, 0] - crossings[0, 1])
    assert np.linalg.norm(centres - cell.middle, axis=-1).min() < 0.15 * side
