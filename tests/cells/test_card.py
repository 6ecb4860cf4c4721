"""Stickers of known colour teach what they look like; glare, strangers and gaps teach nothing."""

import numpy as np
import pytest
from lit_boards import DAY, PIGMENTS, SETTINGS, SHADE, SUN, Drawn, Sticker, edge_of_shade, palette_for, read
from numpy.testing import assert_allclose

from poradek_vision.cells import learn_cells, separations, swapped_rows
from poradek_vision.colour import lab_from_reflectance
from poradek_vision.model import KnownCell, Palette, PaletteEntry

SPREAD = ((9.0, 0.0, 0.0), (0.0, 9.0, 0.0), (0.0, 0.0, 9.0))
ROWS = "RRRRYYYYGGGGBBBB"


def full(**other):
    """A card of four rows; ``r0c1="Y"`` sticks something else there, None nothing."""
    places = {f"r{k // 4}c{k % 4}": code for k, code in enumerate(ROWS)} | other
    return tuple(Sticker(int(at[1]), int(at[3]), colour) for at, colour in places.items() if colour is not None)


def learn(stickers, light=DAY, codes=ROWS):
    size = (4, 4)
    return learn_cells(Drawn(4, stickers, light=light).rectified(), size, True, codes, palette_for("RYGB"), SETTINGS)


def veiled(code, veil):
    return tuple(PIGMENTS[code] * (1 - veil) + veil)


def faults(cells):
    return {(cell.row, cell.col): (cell.fault, cell.looks) for cell in cells if cell.fault}


def labs(cells, code):
    return np.array([cell.lab for cell in cells if cell.colour == code and not cell.fault])


def palette_with(**labs):
    return Palette("x", tuple(PaletteEntry(code, lab, SPREAD, 5) for code, lab in labs.items()))


def test_every_sticker_is_seen_as_it_is():
    cells = learn(full())
    assert faults(cells) == {}
    for code in "RYGB":
        assert_allclose(labs(cells, code), np.tile(lab_from_reflectance(PIGMENTS[code]), (4, 1)), atol=2.5)


def test_a_shade_edge_across_the_card_changes_little():
    cells = learn(full(), light=edge_of_shade(0.3, 2.4, SUN, SHADE))
    for code in "RYGB":
        assert len(labs(cells, code)) >= 3
        assert_allclose(np.median(labs(cells, code), 0), lab_from_reflectance(PIGMENTS[code]), atol=6)


def test_gaps_strangers_and_halves_are_left_out():
    cells = learn(full(r0c1="Y", r1c2=None, r2c3=(0.35, 0.3, 0.3)))
    assert faults(cells) == {(0, 1): ("other", "Y"), (1, 2): ("empty", ""), (2, 3): ("odd", "")}


def test_two_stickers_in_a_cell_are_left_out():
    both = (Sticker(3, 0, "B", 0.9), Sticker(3, 0, "Y", 0.9, right=-0.42))
    assert faults(learn((*full(r3c0=None), *both))) == {(3, 0): ("uneven", "")}


def test_glare_over_most_of_a_row_does_not_pass_for_its_colour():
    glossy = {f"r2c{col}": veiled("G", 0.45) for col in range(3)}
    cells = learn(full(**glossy))
    assert faults(cells) == {(2, col): ("glare", "") for col in range(3)}
    assert_allclose(labs(cells, "G"), [lab_from_reflectance(PIGMENTS["G"])], atol=2.5)


def test_of_two_different_stickers_the_expected_one_counts():
    cells = learn(full(r0c2=None, r0c3=None, r0c0="B"))
    assert faults(cells)[0, 0] == ("other", "B")
    assert_allclose(labs(cells, "R"), [lab_from_reflectance(PIGMENTS["R"])], atol=2.5)


def test_cells_that_are_left_out_teach_nothing():
    cells = learn(full(), codes="." * 4 + ROWS[4:])
    assert {cell.colour for cell in cells} == set("YGB")


@pytest.mark.parametrize(("first", "second", "swapped"), [("R", "Y", True), ("R", "R", False), ("Y", "Y", False)])
def test_only_a_swap_both_ways_counts_as_one(first, second, swapped):
    expected = {entry.colour: entry.centre for entry in palette_for("RYGB").entries}
    cells = [KnownCell(0, 0, "Y", expected[first]), KnownCell(1, 0, "R", expected[second])]
    found = swapped_rows(cells, palette_for("RYGB"), SETTINGS.card)
    assert set(found) == ({("Y", "R"), ("R", "Y")} if swapped else set())


# --- black ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reflectance", [0.015, 0.03, 0.06, 0.1])
def test_black_stickers_are_read_where_the_game_has_them(reflectance):
    black = (reflectance,) * 3
    lightness, a, b = lab_from_reflectance(black).tolist()
    palette = Palette("x", (*palette_for("RYGB").entries, PaletteEntry("K", (lightness, a, b), SPREAD, 5)))
    board = Drawn(3, (Sticker(0, 0, "R"), Sticker(1, 1, black), Sticker(2, 2, "B")))
    cells, _ = read(board, palette)
    assert ["".join(cell.colour for cell in cells[k : k + 3]) for k in (0, 3, 6)] == ["R..", ".K.", "..B"]
    assert not any(cell.flags for cell in cells)


def test_black_stickers_are_never_empty_in_silence_where_the_game_has_none():
    cells, _ = read(Drawn(3, (Sticker(1, 1, (0.03, 0.03, 0.03)),)), palette_for("RYGB"))
    assert cells[4].flags


def test_where_the_game_has_white_stickers_no_cell_is_empty_for_sure():
    white = Palette("x", (*palette_for("RYGB").entries, PaletteEntry("W", (97.0, 0.0, 1.0), SPREAD, 0)))
    board = Drawn(3, (Sticker(0, 0, "R"), Sticker(1, 1, (0.93, 0.93, 0.92)), Sticker(2, 2, "B")))
    cells, _ = read(board, white)
    assert {(cell.row, cell.col) for cell in cells if not cell.flags} == {(0, 0), (2, 2)}


# --- separation ------------------------------------------------------------------------------------------------------


def worst(palette):
    pair = separations(palette, SETTINGS.samples, SETTINGS.separation)[0]
    return pair.first, pair.second, pair.widths


def test_what_looks_the_same_is_no_width_apart():
    first, second, widths = worst(palette_with(R=(50.0, 60.0, 40.0), O=(50.0, 60.0, 40.0), B=(45.0, 10.0, -45.0)))
    assert (first, second) == ("R", "O")
    assert widths < 0.1


@pytest.mark.parametrize("lightness", [97.0, 85.0, 70.0, 52.0])
def test_white_and_silver_are_paper_in_some_light(lightness):
    first, second, widths = worst(palette_with(R=(50.0, 60.0, 40.0), W=(lightness, 0.0, 1.0)))
    assert (first, second) == (".", "W")
    assert widths < SETTINGS.separation.least_widths


def test_black_is_paper_in_no_light():
    *_, widths = worst(palette_with(R=(50.0, 60.0, 40.0), K=(30.0, 0.0, 0.0)))
    assert widths > SETTINGS.separation.close_widths


def test_the_farther_apart_the_less_is_confused():
    pairs = [
        separations(
            palette_with(R=(50.0, 60.0, 40.0), O=(55.0, 60.0 - step, 40.0 + step)),
            SETTINGS.samples,
            SETTINGS.separation,
        )
        for step in (4, 8, 16)
    ]
    between = [next(pair for pair in found if pair.first == "R") for found in pairs]
    assert [pair.widths for pair in between] == sorted(pair.widths for pair in between)
    assert [pair.confused for pair in between] == sorted((pair.confused for pair in between), reverse=True)
