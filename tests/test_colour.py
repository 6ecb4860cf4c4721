"""Linear light, CIELAB and CIEDE2000 against published values; paper white; palettes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from poradek_vision.colour import (
    complete,
    delta_e,
    fill_white,
    fit_palette,
    lab_from_reflectance,
    linear_from_srgb,
    palette_of_swatches,
    reflectance_from_lab,
    swatch_lab,
)
from poradek_vision.model import DEFAULT_COLOURS, Colour

# Sharma, Wu & Dalal, Color Research & Application 30 (2005), table 1: pairs 1-6 hold the chroma-dependent hue term,
# 7-16 the mean hue across 180 and 360 degrees, 17-20 large differences, 25-34 measured samples.
SHARMA = [
    ((50.0000, 2.6772, -79.7751), (50.0000, 0.0000, -82.7485), 2.0425),
    ((50.0000, 3.1571, -77.2803), (50.0000, 0.0000, -82.7485), 2.8615),
    ((50.0000, 2.8361, -74.0200), (50.0000, 0.0000, -82.7485), 3.4412),
    ((50.0000, -1.3802, -84.2814), (50.0000, 0.0000, -82.7485), 1.0000),
    ((50.0000, 0.0000, 0.0000), (50.0000, -1.0000, 2.0000), 2.3669),
    ((50.0000, 2.4900, -0.0010), (50.0000, -2.4900, 0.0009), 7.1792),
    ((50.0000, 2.4900, -0.0010), (50.0000, -2.4900, 0.0011), 7.2195),
    ((50.0000, -0.0010, 2.4900), (50.0000, 0.0009, -2.4900), 4.8045),
    ((50.0000, -0.0010, 2.4900), (50.0000, 0.0011, -2.4900), 4.7461),
    ((50.0000, 2.5000, 0.0000), (50.0000, 0.0000, -2.5000), 4.3065),
    ((50.0000, 2.5000, 0.0000), (73.0000, 25.0000, -18.0000), 27.1492),
    ((50.0000, 2.5000, 0.0000), (61.0000, -5.0000, 29.0000), 22.8977),
    ((50.0000, 2.5000, 0.0000), (56.0000, -27.0000, -3.0000), 31.9030),
    ((50.0000, 2.5000, 0.0000), (58.0000, 24.0000, 15.0000), 19.4535),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((63.0109, -31.0961, -5.8663), (62.8187, -29.7946, -4.0864), 1.2630),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
]


@pytest.mark.parametrize(("first", "second", "difference"), SHARMA)
def test_differences_are_those_that_sharma_published(first, second, difference):
    assert_allclose(delta_e(first, second), difference, atol=5e-5)
    assert_allclose(delta_e(second, first), difference, atol=5e-5)


def test_differences_broadcast():
    first, second, difference = (np.array(column) for column in zip(*SHARMA, strict=True))
    assert_allclose(np.diagonal(delta_e(first[:, None], second[None])), difference, atol=5e-5)


@pytest.mark.parametrize(
    ("byte", "linear"),
    [(0, 0.0), (1, 0.000303527), (10, 0.003035270), (11, 0.003346536), (188, 0.502886458), (255, 1.0)],
)
def test_bytes_become_linear_light_as_srgb_defines_it(byte, linear):
    assert_allclose(linear_from_srgb(np.array([byte], np.uint8)), [linear], rtol=1e-6)


def test_linear_light_keeps_the_shape_and_grows_with_the_byte():
    ramp = linear_from_srgb(np.arange(256, dtype=np.uint8).reshape(16, 16))
    assert ramp.shape == (16, 16)
    assert np.all(np.diff(ramp.ravel()) > 0)


@pytest.mark.parametrize(
    ("rgb", "lab"),
    [
        ((255, 255, 255), (100.0, 0.0, 0.0)),
        ((0, 0, 0), (0.0, 0.0, 0.0)),
        ((255, 0, 0), (53.24, 80.09, 67.20)),
        ((0, 255, 0), (87.73, -86.18, 83.18)),
        ((0, 0, 255), (32.30, 79.19, -107.86)),
        ((119, 119, 119), (50.03, 0.0, 0.0)),
    ],
)
def test_lab_of_the_corners_of_srgb(rgb, lab):
    """As Lindbloom's calculator gives them for sRGB and D65."""
    assert_allclose(lab_from_reflectance(linear_from_srgb(np.array(rgb, np.uint8))), lab, atol=0.02)


def test_lab_and_reflectance_undo_each_other():
    levels = [0.0, 0.003, 0.02, 0.2, 0.7, 1.0, 1.4]
    reflectance = np.stack(np.meshgrid(levels, levels, levels), -1)
    assert_allclose(reflectance_from_lab(lab_from_reflectance(reflectance)), reflectance, atol=1e-9)


def test_what_is_brighter_than_paper_is_lighter_than_100():
    assert lab_from_reflectance([1.5, 1.5, 1.5])[0] > 100


def test_a_swatch_is_read_as_red_green_blue():
    assert_allclose(swatch_lab("#ff0000"), (53.24, 80.09, 67.20), atol=0.02)
    assert_allclose(swatch_lab("#0000ff"), (32.30, 79.19, -107.86), atol=0.02)


# --- paper white ----------------------------------------------------------------------------------------------------

SCALES_PX = [2.0, 5.0, 13.0, 32.0]
"""As for 16 pixels a cell: 0.12, 0.3, 0.8 and 2 cells."""
CELL_PX = 16


def test_constant_light_gives_constant_white_whatever_is_paper():
    rng = np.random.default_rng(3)
    light = np.broadcast_to([0.7, 0.5, 0.2], (80, 96, 3)).copy()
    for share in (1.0, 0.5, 0.05):
        paper = (rng.random((80, 96)) < share).astype(float)
        spoilt = np.where(paper[..., None] > 0, light, rng.random((80, 96, 3)))
        assert_allclose(fill_white(spoilt, paper, SCALES_PX), light, rtol=2e-6)


def test_a_sharp_shade_edge_stays_within_a_fifth_of_a_cell():
    light = np.full((96, 96, 3), 0.8)
    light[:, 48:] = 0.24
    white = fill_white(light, np.ones((96, 96)), SCALES_PX)
    far = np.abs(np.arange(96) + 0.5 - 48) > 0.2 * CELL_PX
    assert_allclose(white[:, far], light[:, far], rtol=0.15)
    middle = white[:, :, 0] > np.sqrt(0.8 * 0.24)
    assert np.all(np.abs(middle.sum(1) - 48) <= 0.2 * CELL_PX)


def test_the_light_on_a_sticker_is_that_of_the_paper_round_it():
    u = np.arange(96) / 96
    light = np.repeat(np.tile(0.8 - 0.4 * u, (96, 1))[..., None], 3, -1)
    paper = np.ones((96, 96))
    paper[40:56, 40:56] = 0
    spoilt = light.copy()
    spoilt[40:56, 40:56] = [0.3, 0.02, 0.02]
    assert_allclose(fill_white(spoilt, paper, SCALES_PX)[40:56, 40:56], light[40:56, 40:56], rtol=0.05)


def test_a_wide_window_gives_the_mean_under_a_gaussian_up_to_the_edge():
    rng = np.random.default_rng(5)
    light = 0.2 + 0.6 * rng.random((70, 90, 3))
    sigma, x, y = 13.0, np.arange(90), np.arange(70)
    white = fill_white(light, np.ones((70, 90)), [sigma])
    for row, col in ((0, 0), (3, 88), (35, 41), (69, 50)):
        weight = np.exp(-((x - col) ** 2 + (y[:, None] - row) ** 2) / (2 * sigma**2))
        assert_allclose(white[row, col], np.average(light.reshape(-1, 3), axis=0, weights=weight.ravel()), rtol=0.005)


def test_without_any_paper_the_white_is_still_a_number():
    white = fill_white(np.full((20, 20, 3), 0.5), np.zeros((20, 20)), SCALES_PX)
    assert np.all(np.isfinite(white))
    assert white.min() > 0


# --- palettes -------------------------------------------------------------------------------------------------------


def cloud(centre, count, seed=1):
    rng = np.random.default_rng(seed)
    return np.array(centre) + rng.normal(0, 1, (count, 3)) * [2.0, 4.0, 3.0]


def test_a_palette_holds_medians_spreads_and_counts():
    samples = {"R": cloud((50, 60, 40), 400), "B": cloud((40, 5, -45), 300, 2)}
    palette = fit_palette(samples, "Camera", ["a.jpg", "b.jpg"], "2027-07-01", "1.2")
    assert [entry.colour for entry in palette.entries] == ["R", "B"]
    assert [entry.count for entry in palette.entries] == [400, 300]
    assert (palette.camera, palette.photos, palette.date, palette.version) == (
        "Camera",
        ("a.jpg", "b.jpg"),
        "2027-07-01",
        "1.2",
    )
    for entry, centre in zip(palette.entries, [(50, 60, 40), (40, 5, -45)], strict=True):
        assert_allclose(entry.centre, centre, atol=0.7)
        assert_allclose(np.sqrt(np.diag(entry.spread)), [2, 4, 3], rtol=0.15)
        assert_array_equal(entry.spread, np.transpose(entry.spread))


def test_a_few_outliers_hardly_move_a_centre():
    samples = cloud((50, 60, 40), 100)
    samples[:10] = (95, 0, 0)
    (entry,) = fit_palette({"R": samples}, "", [], "", "").entries
    assert delta_e(entry.centre, (50, 60, 40)) < 1


def test_a_single_sample_gives_a_centre_and_the_usual_spread():
    (entry,) = fit_palette({"R": np.array([[50.0, 60, 40]])}, "", [], "", "").entries
    assert entry.centre == (50.0, 60.0, 40.0)
    assert_allclose(entry.spread, np.diag([4.0, 4.0, 4.0]))


def test_a_colour_without_samples_is_refused():
    with pytest.raises(ValueError, match="G"):
        fit_palette({"R": np.ones((5, 3)), "G": np.zeros((0, 3))}, "", [], "", "")


def test_swatches_stand_in_for_what_a_camera_has_not_seen():
    red = fit_palette({"R": cloud((50, 60, 40), 50)}, "Camera", ["a.jpg"], "2027-07-01", "1")
    orange = Colour("O", "oranžová", "#f07a1a")
    palette = complete(red, [orange, DEFAULT_COLOURS[0]])
    assert [entry.colour for entry in palette.entries] == ["O", "R"]
    assert palette.entries[1] == red.entries[0]
    assert_allclose(palette.entries[0].centre, swatch_lab("#f07a1a"))
    assert (palette.entries[0].count, palette.camera) == (0, "Camera")


def test_a_palette_of_swatches_keeps_the_games_order():
    palette = palette_of_swatches(DEFAULT_COLOURS)
    assert [entry.colour for entry in palette.entries] == ["R", "Y", "G", "B"]
    assert_allclose(palette.entries[0].centre, swatch_lab("#c8242c"))
