"""What is wrong with a photo in which no board is found."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from poradek_vision.find import QualitySettings, is_colourless, is_toned, tell_quality
from poradek_vision.model import Flag, GridFit, Photo

SETTINGS = QualitySettings()


def photo_of(pixels):
    pixels = np.ascontiguousarray(pixels, np.uint8)
    pixels.setflags(write=False)
    return Photo("IMG_1.jpg", "00", "", pixels, 1.0, pixels.shape[1::-1])


def leaves(height, seed=1):
    """Blobs of many sizes and greys, as sharp as a lens makes them, with a sensor's noise."""
    rng = np.random.default_rng(seed)
    picture = np.full((height, height * 4 // 3), 90, np.uint8)
    for _ in range(400):
        middle = tuple(int(x) for x in rng.integers(0, picture.shape[::-1]))
        axes = tuple(int(x) for x in rng.integers(height // 60, height // 8, 2))
        cv2.ellipse(picture, middle, axes, float(rng.uniform(0, 180)), 0, 360, int(rng.integers(30, 220)), -1)
    smooth = cv2.GaussianBlur(picture, (0, 0), height / 1500)
    return np.clip(smooth + rng.normal(0, 2, smooth.shape), 0, 255)[..., None].repeat(3, -1)


@pytest.mark.parametrize("height", [480, 750, 1500])
def test_a_good_photo_has_no_fault(height):
    assert tell_quality(photo_of(leaves(height)), SETTINGS) is None


@pytest.mark.parametrize("height", [480, 750, 1500])
def test_a_shaken_one_is_blurred(height):
    smeared = cv2.GaussianBlur(leaves(height), (0, 0), 0.006 * height)
    assert tell_quality(photo_of(smeared), SETTINGS) is Flag.BLURRED


def test_a_dark_one_is_too_dark_and_a_white_one_overexposed():
    good = leaves(750)
    assert tell_quality(photo_of(good * 0.1), SETTINGS) is Flag.UNDEREXPOSED
    assert tell_quality(photo_of(np.clip(good * 4, 0, 255)), SETTINGS) is Flag.OVEREXPOSED


def test_a_wall_is_no_blurred_photo_but_light_and_dark_without_edges_are():
    assert tell_quality(photo_of(np.full((300, 400, 3), 128)), SETTINGS) is None
    slope = np.linspace(30, 220, 400)[None, :, None].repeat(300, 0).repeat(3, -1)
    assert tell_quality(photo_of(slope), SETTINGS) is Flag.BLURRED


def test_a_tiny_picture_is_judged_too():
    assert tell_quality(photo_of(leaves(16)), SETTINGS) in (None, Flag.BLURRED)


def as_jpeg(pixels, quality):
    done, data = cv2.imencode(".jpg", np.ascontiguousarray(pixels[..., ::-1]), [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1]


@pytest.mark.parametrize("quality", [50, 90])
def test_a_black_and_white_photo_is_told_from_one_with_a_single_pale_sticker(quality):
    grey = np.clip(leaves(480), 0, 255).astype(np.uint8)
    assert is_colourless(photo_of(as_jpeg(grey, quality)), SETTINGS)
    grey[200:230, 200:230] = (250, 240, 200)
    assert not is_colourless(photo_of(as_jpeg(grey, quality)), SETTINGS)


def test_the_noise_of_a_camera_in_colour_is_colour():
    noise = np.random.default_rng(5).normal(0, 4, (480, 640, 3))
    assert not is_colourless(photo_of(np.clip(leaves(480) + noise, 0, 255)), SETTINGS)


def ruled_board(tone, sticker):
    """A board of 4x4 in leaves' light, three stickers of one grey in it and one of a colour; its grid."""
    grey = np.clip(leaves(480), 0, 255) / 255
    for k, value in enumerate((60, 110, 200)):
        grey[110 + 60 * k : 150 + 60 * k, 110:150] = value / 255
    pixels = np.clip(grey * tone, 0, 1) * 255
    pixels[110:150, 230:270] = sticker
    crossings = tuple(tuple((100.0 + 60 * col, 100.0 + 60 * row) for col in range(5)) for row in range(5))
    homography = ((60.0, 0.0, 100.0), (0.0, 60.0, 100.0), (0.0, 0.0, 1.0))
    return photo_of(as_jpeg(pixels.astype(np.uint8), 90)), GridFit(4, 4, homography, crossings, 0.1, "ruled")


@pytest.mark.parametrize("tone", [(1, 1, 1), (1.07, 0.93, 0.72), (0.7, 0.9, 1)])
def test_a_board_in_one_tone_is_told_from_one_with_a_single_sticker_in_colour(tone):
    photo, grid = ruled_board(tone, np.multiply(tone, 90))
    assert is_toned(photo, grid, SETTINGS)
    photo, grid = ruled_board(tone, (150, 90, 60))
    assert not is_toned(photo, grid, SETTINGS)


@pytest.mark.parametrize("sticker", [(30, 90, 200), (235, 205, 40), (190, 40, 45), (40, 140, 70)])
def test_stickers_of_a_single_colour_are_no_tone(sticker):
    _, grid = ruled_board((1, 1, 1), (90, 90, 90))
    pixels = np.full((480, 640, 3), 235, np.uint8)
    for k in range(4):
        pixels[110 + 60 * k : 150 + 60 * k, 110:150] = sticker
    assert not is_toned(photo_of(as_jpeg(pixels, 90)), grid, SETTINGS)


def test_a_board_outside_its_photo_tells_nothing():
    photo, grid = ruled_board((1, 1, 1), (90, 90, 90))
    beyond = tuple(tuple((x + 900.0, y) for x, y in row) for row in grid.crossings)
    assert not is_toned(photo, replace(grid, crossings=beyond), SETTINGS)
