"""What is smooth on rough ground, and where it ends."""

import numpy as np

from poradek_vision.find.several.smooth import smooth_outlines


def rough(*sheets):
    """Noise with sheets (left, top, right, bottom) on it."""
    pixels = np.random.default_rng(2).integers(0, 200, (600, 800, 3), np.uint8)
    for left, top, right, bottom in sheets:
        pixels[top:bottom, left:right] = 180
    return pixels


def boxes(outlines):
    return [[round(edge / 20) * 20 for edge in (*outline.min(0), *outline.max(0))] for outline in outlines]


def test_sheets_are_found_the_largest_first():
    assert boxes(smooth_outlines(rough((100, 100, 240, 240), (400, 200, 720, 500)))) == [
        [400, 200, 720, 500],
        [100, 100, 240, 240],
    ]


def test_what_is_rough_within_a_sheet_belongs_to_it():
    pixels = rough((100, 100, 500, 500))
    pixels[250:350, 250:350] = rough()[:100, :100]
    assert boxes(smooth_outlines(pixels)) == [[100, 100, 500, 500]]


def test_nothing_is_sought_where_something_is_known():
    taken = np.zeros((600, 800), bool)
    taken[180:520, 380:740] = True
    assert boxes(smooth_outlines(rough((100, 100, 240, 240), (400, 200, 720, 500)), taken)) == [[100, 100, 240, 240]]


def test_smooth_things_too_small_for_a_board_are_none():
    assert smooth_outlines(rough((100, 100, 130, 500))) == []
