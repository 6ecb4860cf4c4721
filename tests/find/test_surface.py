"""Sheets as homography and bend: exact without noise, deaf to gross errors, honest about what it has not seen."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from poradek_vision.find.surface import (
    Sightings,
    corner_sightings,
    fit_surface,
    flat_surface,
    residuals,
    standard_errors,
)
from poradek_vision.geometry import fit_homography, project

ROWS = COLS = 6
SCALE, STIFFNESS = 0.02, 0.03
PHOTO_QUAD = [[310.0, 180.0], [1420.0, 260.0], [1290.0, 1330.0], [200.0, 1120.0]]
BOARD_QUAD = [[0.0, 0.0], [COLS, 0.0], [COLS, ROWS], [0.0, ROWS]]
FLAT_FROM_PHOTO = fit_homography(PHOTO_QUAD, BOARD_QUAD)
PHOTO_FROM_FLAT = fit_homography(BOARD_QUAD, PHOTO_QUAD)
EVERYWHERE = np.stack(np.meshgrid(np.linspace(-0.5, 6.5, 29), np.linspace(-0.5, 6.5, 29)), -1).reshape(-1, 2)
CROSSINGS = np.stack(np.meshgrid(np.arange(7.0), np.arange(7.0)), -1).reshape(-1, 2)


def bent(flat):
    """A known smooth displacement, a tenth of a cell at most: board minus flat."""
    x, y = np.moveaxis(flat, -1, 0)
    return 0.1 * np.stack([np.sin(0.45 * y + 0.3), np.cos(0.4 * x) * np.sin(0.35 * y)], -1)


def seen_lines(displacement=None, keep=None):
    """Exact sightings along every grid line, as a surface with a displacement shows them."""
    along = np.linspace(0.0, 6.0, 25)
    points, axis, value = [], [], []
    for line in range(7):
        for a in (0, 1):
            flat = np.empty((25, 2))
            flat[:, a], flat[:, 1 - a] = line, along
            board = flat.copy()
            if displacement is not None:
                for _ in range(60):  # the flat place whose board coordinate is the line's
                    flat = board - displacement(flat)
            points.append(project(PHOTO_FROM_FLAT, flat))
            axis.append(np.full(25, a))
            value.append(np.full(25, float(line)))
    seen = Sightings(np.concatenate(points), np.concatenate(axis), np.concatenate(value), np.ones(14 * 25))
    return seen if keep is None else where(seen, keep(seen))


def where(seen, mask):
    return Sightings(seen.points[mask], seen.axis[mask], seen.value[mask], seen.weight[mask])


def start(off_px=25.0):
    """A first guess that is off by some pixels at each corner."""
    away = off_px * np.array([[1.0, -0.4], [-0.7, 0.9], [0.5, 1.0], [-1.0, -0.6]])
    return flat_surface(fit_homography(np.array(PHOTO_QUAD) + away, BOARD_QUAD), ROWS, COLS)


def bent_surface():
    return fit_surface(seen_lines(bent), start(), SCALE * 5, STIFFNESS, bend=True, rounds=6)


def test_a_flat_surface_is_its_homography():
    surface = flat_surface(FLAT_FROM_PHOTO, ROWS, COLS)
    assert_allclose(surface.photo(EVERYWHERE), project(PHOTO_FROM_FLAT, EVERYWHERE), rtol=1e-9)
    assert_allclose(surface.board(surface.photo(EVERYWHERE)), EVERYWHERE, atol=1e-9)
    assert_allclose(surface.displacement(EVERYWHERE), 0, atol=0)


def test_photo_undoes_board_on_bent_paper():
    surface = bent_surface()
    assert np.abs(surface.displacement(EVERYWHERE)).max() > 0.05  # bent indeed
    assert_allclose(surface.board(surface.photo(EVERYWHERE)), EVERYWHERE, atol=1e-5)


def test_points_keep_their_shape():
    surface = bent_surface()
    points = CROSSINGS.reshape(7, 7, 2)
    assert surface.photo(points).shape == surface.board(points).shape == (7, 7, 2)
    assert_allclose(surface.photo(points).reshape(-1, 2), surface.photo(CROSSINGS), rtol=1e-12)


@pytest.mark.parametrize("bend", [False, True])
def test_exact_sightings_give_the_homography_back(bend):
    """But for the weak prior against perspective, which pulls by a few millionths of a cell."""
    surface = fit_surface(seen_lines(), start(), SCALE, STIFFNESS, bend=bend, rounds=8)
    assert_allclose(surface.photo(CROSSINGS), project(PHOTO_FROM_FLAT, CROSSINGS), atol=1e-3)
    assert_allclose(residuals(seen_lines(), surface), 0, atol=5e-6)


def test_a_smooth_bend_is_followed_to_a_hundredth_of_a_cell():
    surface = fit_surface(seen_lines(bent), start(), SCALE * 2, STIFFNESS, bend=True, rounds=6)
    flat = CROSSINGS
    for _ in range(60):
        flat = CROSSINGS - bent(flat)
    truth = project(PHOTO_FROM_FLAT, flat)
    assert np.abs(surface.board(truth) - CROSSINGS).max() < 0.01
    assert np.abs(surface.photo(CROSSINGS) - truth).max() < 0.01 * 210


def test_without_bend_a_bent_sheet_keeps_no_displacement():
    surface = fit_surface(seen_lines(bent), start(), SCALE * 5, STIFFNESS, bend=False)
    assert not surface.coefficients.any()
    assert np.abs(residuals(seen_lines(bent), surface)).max() > 0.02


def test_gross_errors_in_a_fifth_of_the_sightings_do_not_move_it():
    rng = np.random.default_rng(4)
    seen = seen_lines(bent)
    wrong = rng.random(len(seen.points)) < 0.2
    value = seen.value + np.where(wrong, rng.uniform(0.15, 0.3, len(wrong)) * rng.choice([-1, 1], len(wrong)), 0)
    spoilt = Sightings(seen.points, seen.axis, value, seen.weight)
    surface = bent_surface()
    for _ in range(2):
        surface = fit_surface(spoilt, surface, SCALE, STIFFNESS, bend=True, rounds=6)
    clean = fit_surface(seen, bent_surface(), SCALE, STIFFNESS, bend=True, rounds=6)
    assert np.abs(surface.photo(CROSSINGS) - clean.photo(CROSSINGS)).max() < 0.01 * 210


def test_sightings_without_weight_do_not_count():
    seen = seen_lines()
    value, weight = seen.value.copy(), seen.weight.copy()
    value[::7] += 0.05
    weight[::7] = 0
    surface = fit_surface(
        Sightings(seen.points, seen.axis, value, weight), start(), 1.0, STIFFNESS, bend=True, rounds=5
    )
    assert np.abs(residuals(seen, surface)).max() < 1e-3


def test_corner_sightings_tell_both_coordinates():
    photo = project(PHOTO_FROM_FLAT, np.array(BOARD_QUAD))
    seen = corner_sightings(np.array(BOARD_QUAD), photo)
    assert len(seen.points) == 8
    assert_allclose(residuals(seen, flat_surface(FLAT_FROM_PHOTO, ROWS, COLS)), 0, atol=1e-9)
    both = seen + seen_lines()
    assert len(both.points) == len(both.weight) == 8 + 14 * 25


def test_errors_are_small_on_seen_lines_and_grow_away_from_them():
    left = seen_lines(keep=lambda seen: project(FLAT_FROM_PHOTO, seen.points)[:, 0] < 2.5)
    surface = flat_surface(FLAT_FROM_PHOTO, ROWS, COLS)
    along = np.stack([np.arange(7.0), np.full(7, 3.0)], 1)
    errors = standard_errors(left, surface, along, SCALE, STIFFNESS)
    assert errors[:3].max() < 0.01
    assert np.all(np.diff(errors[2:]) > 0)
    assert errors[6] > 5 * errors[1]


def test_errors_grow_with_the_noise_of_what_was_seen():
    seen = seen_lines()
    rough = Sightings(
        seen.points, seen.axis, seen.value + np.random.default_rng(1).normal(0, 0.03, len(seen.value)), seen.weight
    )
    surface = flat_surface(FLAT_FROM_PHOTO, ROWS, COLS)
    calm, unsure = (standard_errors(s, surface, CROSSINGS, SCALE, STIFFNESS) for s in (seen, rough))
    assert np.all(unsure > 2 * calm)
