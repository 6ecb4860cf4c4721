"""Fiducials are named rightly, sharp or blurred, whichever way up, and nothing else is taken for one."""

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose

from poradek_vision.find.printed.fiducials import find_tags, search_tag, tag_bits
from poradek_vision.geometry import fit_homography, project, square_homography

SQUARE = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
SIDE = 400
UPRIGHT = np.array([[150.0, 140], [246, 150], [250, 243], [146, 240]])
MODULE_PX = 24


def turned(quad, degrees):
    turn = np.radians(degrees)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return (quad - quad.mean(0)) @ matrix.T + quad.mean(0)


def picture(tag_id, quad, blur_px=0.7, noise=2.0, white=225, black=35):
    """A tag on white paper on mottled ground, its outer corners at ``quad``."""
    rng = np.random.default_rng(tag_id)
    modules = np.pad(tag_bits(tag_id), 2, constant_values=True)
    page = np.kron(np.where(modules, white, black), np.ones((MODULE_PX, MODULE_PX))).astype(np.uint8)
    page_px = (SQUARE * 8 + 2) * MODULE_PX - 0.5
    over = 3
    photo = cv2.resize(rng.integers(60, 140, (SIDE // 8, SIDE // 8), np.uint8), (SIDE * over, SIDE * over))
    rays = fit_homography(page_px, (quad + 0.5) * over - 0.5)
    cv2.warpPerspective(page, rays, photo.shape[::-1], photo, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    smooth = cv2.GaussianBlur(cv2.resize(photo, (SIDE, SIDE), interpolation=cv2.INTER_AREA), (0, 0), blur_px)
    return np.clip(smooth + rng.normal(0, noise, smooth.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("tag_id", [0, 7, 8, 146, 333, 586])
@pytest.mark.parametrize("degrees", [0, 45, 90, 180, 270, 307])
def test_a_sharp_tag_is_found_with_its_id_and_its_own_top_left(tag_id, degrees):
    quad = turned(UPRIGHT, degrees)
    tags = find_tags(picture(tag_id, quad))
    assert [tag.id for tag in tags] == [tag_id]
    assert_allclose(tags[0].quad, quad, atol=2)


@pytest.mark.parametrize("degrees", [0, 90, 180, 270, 30])
@pytest.mark.parametrize("tag_id", [9, 211])
def test_a_blurred_tag_is_still_named_and_turned_rightly(tag_id, degrees):
    quad = turned(UPRIGHT, degrees)
    tags = find_tags(picture(tag_id, quad, blur_px=5.5, noise=1.0))
    assert [tag.id for tag in tags] == [tag_id]
    assert_allclose(tags[0].quad, quad, atol=8)


def test_a_tag_seen_in_a_mirror_is_no_tag():
    assert find_tags(np.ascontiguousarray(picture(55, UPRIGHT)[:, ::-1])) == []


def test_no_random_texture_is_ever_taken_for_a_tag():
    """2,000 blotched squares on white paper; every fifth has a dark rim, so that it is proposed as a tag."""
    rng = np.random.default_rng(6)
    names = []
    for _ in range(4):
        page = np.full((1000, 1250), 225, np.uint8)
        for row, col in np.ndindex(20, 25):
            square = page[row * 50 + 3 : row * 50 + 47, col * 50 + 3 : col * 50 + 47]
            if col % 5 == 0:
                square[:] = 35
            texture = rng.integers(0, 200, (rng.integers(3, 12),) * 2, np.uint8)
            square[2:-2, 2:-2] = cv2.resize(texture, (40, 40), interpolation=cv2.INTER_CUBIC)
        names += [tag.id for tag in find_tags(page)]
    assert names == []


@pytest.mark.parametrize("what", ["noise", "mottled", "chessboard", "flat"])
def test_nothing_is_found_where_there_is_nothing(what):
    rng = np.random.default_rng(2)
    pictures = {
        "noise": rng.integers(0, 256, (SIDE, SIDE), np.uint8),
        "mottled": cv2.resize(rng.integers(0, 256, (40, 40), np.uint8), (SIDE, SIDE), interpolation=cv2.INTER_CUBIC),
        "chessboard": np.kron(np.indices((8, 8)).sum(0) % 2 * 255, np.ones((50, 50))).astype(np.uint8),
        "flat": np.full((SIDE, SIDE), 128, np.uint8),
    }
    assert find_tags(pictures[what], (23, 61)) == []


def test_a_known_tag_is_found_near_its_expected_place():
    shift = np.array([0.3, -0.2])
    expected = project(square_homography(UPRIGHT), SQUARE + shift)
    quad, correlation = search_tag(picture(77, UPRIGHT), expected, 77)
    assert correlation > 0.9
    assert_allclose(quad, UPRIGHT, atol=3)


def test_another_tag_in_its_place_is_not_taken_for_it():
    _, correlation = search_tag(picture(78, UPRIGHT), UPRIGHT, 77)
    assert correlation < 0.6


@pytest.mark.parametrize("quad", [UPRIGHT + 5 * SIDE, UPRIGHT - 2 * SIDE, 0.05 * UPRIGHT])
def test_a_place_outside_the_photo_or_too_small_tells_nothing(quad):
    assert search_tag(picture(77, UPRIGHT), quad, 77)[1] == 0
