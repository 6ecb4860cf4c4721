"""Boards of known colours under known light: right where there is no doubt, flagged where there is."""

from dataclasses import replace

import numpy as np
import pytest
from lit_boards import (
    DAY,
    INK,
    PIGMENTS,
    SHADE,
    SUN,
    Drawn,
    Sticker,
    cell_at,
    edge_of_shade,
    even,
    flagged,
    palette_for,
    read,
    rows_of,
    stickers_of,
)

from poradek_vision.cells.judging import JudgingSettings, in_doubtful_company
from poradek_vision.model import EMPTY, CellReading, Flag

ROWS = ("RYGB.", "BBYYR", "..GR.", "GYBRG", "R.Y.B")
LIGHTS = {
    "even": DAY,
    "dim": even(0.12, 0.12, 0.12),
    "warm, 3000 K": even(0.85, 0.6, 0.36),
    "cold, 12000 K": even(0.62, 0.7, 0.88),
    "shade edge along a diagonal": edge_of_shade(0.6, 4.1, SUN, SHADE),
    "shade edge through cells": edge_of_shade(0.0, 2.5, SUN, SHADE),
    "gradient": lambda u, v: np.repeat((0.85 * np.exp(-0.2 * (u + 0.4 * v)))[..., None], 3, -1),
}
STICKERS = stickers_of(ROWS)


@pytest.mark.parametrize("light", LIGHTS.values(), ids=LIGHTS)
def test_every_cell_is_right_and_sure_whatever_the_light(light):
    cells, _ = read(Drawn(5, STICKERS, light=light))
    assert rows_of(cells) == ROWS
    assert flagged(cells) == {}


@pytest.mark.parametrize("light", LIGHTS.values(), ids=LIGHTS)
def test_an_empty_board_is_empty_whatever_the_light(light):
    cells, _ = read(Drawn(4, light=light))
    assert rows_of(cells) == ("....",) * 4
    assert flagged(cells) == {}


@pytest.mark.parametrize("paper", [None, (1.0, 1.0, 1.0), (0.7, 0.64, 0.54)], ids=["sheet", "white", "recycled"])
@pytest.mark.parametrize("share", [0.1, 0.15, 0.25])
def test_no_empty_cell_in_the_deep_blue_shade_of_a_clear_sky_is_taken_for_a_sticker(share, paper):
    rows = (".Y...", "..R.B", "....G", ".B...", "..R..")
    sky = share * np.array([0.74, 1.0, 1.48]) * SUN
    drawn = Drawn(5, stickers_of(rows), light=edge_of_shade(0.7, 4.0, SUN, sky), paper=paper, noise=3.0)
    cells, _ = read(drawn)
    assert rows_of(cells) == rows
    assert flagged(cells) == {}


@pytest.mark.parametrize("paper", [None, (1.0, 1.0, 1.0)], ids=["sheet", "white"])
def test_the_light_of_a_lamp_on_one_side_and_of_a_window_on_the_other_puts_no_empty_cell_in_doubt(paper):
    def lamp_and_window(u, v):
        window = 1 / (1 + np.exp(2.5 - u - 0.2 * v))[..., None]
        return np.array([0.88, 0.62, 0.45]) * (1 - window) + np.array([0.7, 0.68, 0.72]) * window

    rows = ("R.B..", "....G", "Y....", "..B.R", ".....")
    cells, _ = read(Drawn(5, stickers_of(rows), light=lamp_and_window, paper=paper))
    assert rows_of(cells) == rows
    assert flagged(cells) == {}


def test_a_full_board_without_any_paper_between_stickers_is_right():
    rows = ("RYGB", "YGBR", "GBRY", "BRYG")
    cells, _ = read(Drawn(4, stickers_of(rows, side=0.97)))
    assert rows_of(cells) == rows
    assert flagged(cells) == {}


@pytest.mark.parametrize("code", "RYGB")
def test_a_board_of_one_colour_is_right(code):
    rows = (code * 4,) * 4
    cells, _ = read(Drawn(4, stickers_of(rows, side=0.9), light=LIGHTS["warm, 3000 K"]))
    assert rows_of(cells) == rows
    assert flagged(cells) == {}


@pytest.mark.parametrize("codes", ["RB", "RYGB", "RYGBOV", "RYGBOVPT"])
def test_two_to_eight_colours_are_told_apart(codes):
    rows = (*("".join(codes[(row + col) % len(codes)] for col in range(5)) + "." for row in range(5)), "......")
    cells, _ = read(Drawn(6, stickers_of(rows)), palette_for(codes))
    assert rows_of(cells) == rows
    assert flagged(cells) == {}


def test_readings_name_row_column_and_runner_up():
    cells, _ = read(Drawn(3, (Sticker(1, 2, "R"),)))
    assert [(cell.row, cell.col) for cell in cells] == [(row, col) for row in range(3) for col in range(3)]
    red, empty = cell_at(cells, 1, 2), cell_at(cells, 0, 0)
    assert (red.colour, empty.colour) == ("R", EMPTY)
    assert red.second not in ("", "R")
    assert empty.second not in ("", EMPTY)
    assert red.margin > 8
    assert empty.margin > 8


# --- where stickers lie ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [0.6, 0.8, 1.0])
@pytest.mark.parametrize("code", "RYGB")
def test_a_sticker_that_overlaps_its_neighbour_by_a_quarter_does_not_count_there(code, side):
    overlap = side / 4
    cells, _ = read(Drawn(3, (Sticker(1, 1, code, side, right=overlap + (1 - side) / 2),)))
    assert rows_of(cells) == ("...", f".{code}.", "...")
    assert flagged(cells) == {}


@pytest.mark.parametrize("off", [(0.25, 0.0), (0.0, -0.25), (0.2, 0.2), (-0.2, 0.2)])
def test_a_sticker_mostly_in_a_cell_belongs_to_it(off):
    cells, _ = read(Drawn(3, (Sticker(1, 1, "B", 0.8, *off),)))
    assert rows_of(cells) == ("...", ".B.", "...")
    assert flagged(cells) == {}


def test_a_small_sticker_counts():
    cells, _ = read(Drawn(3, (Sticker(0, 0, "Y", 0.55), Sticker(2, 1, "G", 0.55))))
    assert rows_of(cells) == ("Y..", "...", ".G.")
    assert flagged(cells) == {}


def test_one_sticker_on_the_line_between_two_cells_is_never_silently_two():
    cells, _ = read(Drawn(3, (Sticker(1, 1, "R", 0.8, right=0.5),)))
    assert any(cell.flags for cell in (cell_at(cells, 1, 1), cell_at(cells, 1, 2)))


@pytest.mark.parametrize("side", [0.6, 0.8, 1.0])
def test_one_sticker_on_the_line_between_two_cells_is_never_silently_none(side):
    cells, _ = read(Drawn(3, (Sticker(1, 1, "R", side, right=0.5),)))
    assert any(cell.colour == "R" or cell.flags for cell in (cell_at(cells, 1, 1), cell_at(cells, 1, 2)))


def test_colour_that_reaches_in_from_where_no_sticker_is_stays_a_doubt():
    cells, _ = read(Drawn(3, (Sticker(1, 2, "R", 0.8, right=0.65), Sticker(1, 1, "B"))))
    assert Flag.UNEVEN_CORE in cell_at(cells, 1, 2).flags


def test_two_stickers_that_lean_towards_each_other_are_two():
    cells, _ = read(Drawn(3, (Sticker(1, 1, "R", 0.75, right=0.1), Sticker(1, 2, "R", 0.75, right=-0.1))))
    assert rows_of(cells) == ("...", ".RR", "...")
    assert flagged(cells) == {}


# --- doubts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("codes", ["RB", "YG", "BY"])
def test_half_and_half_of_two_colours_is_flagged(codes):
    def over(surface, u, v):
        surface[(u > 1.1) & (u < 1.5) & (v > 1.1) & (v < 1.9)] = PIGMENTS[codes[1]]

    cells, _ = read(Drawn(3, (Sticker(1, 1, codes[0]),), paint=over))
    assert Flag.UNEVEN_CORE in cell_at(cells, 1, 1).flags


def veil(amount):
    """Gloss over the middle of cell (1, 1)."""

    def paint(surface, u, v):
        here = (u > 1.1) & (u < 1.9) & (v > 1.1) & (v < 1.9)
        surface[here] = surface[here] * (1 - amount) + amount

    return paint


@pytest.mark.parametrize("amount", [0.3, 0.4])
@pytest.mark.parametrize("code", "RYGB")
def test_a_veiled_sticker_keeps_its_colour(code, amount):
    cells, _ = read(Drawn(3, (Sticker(1, 1, code), Sticker(0, 0, "R"), Sticker(2, 2, "B")), paint=veil(amount)))
    assert cell_at(cells, 1, 1).colour == code


@pytest.mark.parametrize("code", "RYGB")
def test_a_pale_sticker_is_never_silently_empty(code):
    cells, _ = read(Drawn(3, (Sticker(1, 1, code), Sticker(0, 0, "R"), Sticker(2, 2, "B")), paint=veil(0.5)))
    cell = cell_at(cells, 1, 1)
    assert cell.colour == code or cell.flags


@pytest.mark.parametrize("rim", [0.05, 0.09, 0.13])
@pytest.mark.parametrize("code", "RGB")
def test_a_sticker_washed_out_but_for_its_rim_is_never_silently_empty_or_another(code, rim):
    def glare(surface, u, v):
        reach = 0.4 - rim
        surface[(np.abs(u - 1.5) < reach) & (np.abs(v - 1.5) < reach)] = 1.4

    cells, _ = read(Drawn(3, (Sticker(1, 1, code),), light=even(0.6, 0.6, 0.6), paint=glare))
    cell = cell_at(cells, 1, 1)
    assert cell.colour == code or cell.flags


@pytest.mark.parametrize("code", "RGB")
def test_a_streak_of_glare_across_a_sticker_does_not_make_it_another(code):
    def streak(surface, u, v):
        surface[(np.abs(u - v) < 0.08) & (u > 1.1) & (u < 1.9)] = 1.3

    cells, _ = read(Drawn(3, (Sticker(1, 1, code),), light=even(0.6, 0.6, 0.6), paint=streak))
    cell = cell_at(cells, 1, 1)
    assert cell.colour == code or cell.flags


def test_cells_outside_the_photo_are_hidden():
    cells, _ = read(Drawn(4, stickers_of(("RYGB",) * 4), unseen_left=1.02))
    hidden = {(row, col) for (row, col), flags in flagged(cells).items() if Flag.HIDDEN in flags}
    assert hidden == {(row, 0) for row in range(4)}
    assert [line[1:] for line in rows_of(cells)] == ["YGB"] * 4


def test_a_board_in_the_dark_is_flagged_everywhere():
    cells, _ = read(Drawn(3, stickers_of(("RY.", ".GB", "B.R")), light=even(0.002, 0.002, 0.002)))
    assert all(Flag.TOO_DARK in cell.flags for cell in cells)


@pytest.mark.parametrize("level", [1.0, 1.3])
def test_clipped_paper_alone_is_no_doubt(level):
    cells, _ = read(Drawn(5, STICKERS, light=even(level, level, level)))
    assert rows_of(cells) == ROWS
    assert flagged(cells) == {}


@pytest.mark.parametrize("level", [4.0, 6.0, 10.0, 20.0])
def test_of_stickers_that_wash_out_none_is_wrong_unnoticed(level):
    cells, _ = read(Drawn(5, STICKERS, light=even(level, level, level)))
    wrong = {(cell.row, cell.col) for cell in cells if cell.colour != ROWS[cell.row][cell.col]}
    assert wrong <= set(flagged(cells))


def test_among_washed_out_stickers_an_empty_cell_is_in_doubt():
    cells, _ = read(Drawn(5, STICKERS, light=even(20.0, 20.0, 20.0)))
    empty = [cell for cell in cells if cell.colour == EMPTY]
    assert empty
    assert all(Flag.OVEREXPOSED in cell.flags for cell in empty)


def test_a_white_board_may_have_lost_all_its_stickers():
    cells, _ = read(Drawn(3, light=even(2.0, 2.0, 2.0)))
    assert all(cell.flags == (Flag.OVEREXPOSED,) for cell in cells)


FOREIGN = {
    "orange": tuple(PIGMENTS["O"]),
    "pale skin": (0.55, 0.32, 0.22),
    "purple": tuple(PIGMENTS["V"]),
    "pink": tuple(PIGMENTS["P"]),
    "brown skin": (0.3, 0.14, 0.08),
    "bark": (0.16, 0.06, 0.03),
}


@pytest.mark.parametrize("what", FOREIGN)
def test_what_is_no_colour_of_the_palette_is_flagged(what):
    rows = ("RYGB", "....", "BGYR", "....")
    cells, _ = read(Drawn(4, (*stickers_of(rows), Sticker(1, 1, FOREIGN[what], 1.0))))
    assert {Flag.OFF_PALETTE, Flag.LOW_MARGIN, Flag.UNEVEN_CORE} & set(cell_at(cells, 1, 1).flags)


def test_a_blue_purer_than_the_palettes_is_sure():
    rows = ("RYB.", "GB.Y", "YRGB", ".GYB")
    pure = tuple(replace(one, colour=(0.01, 0.05, 0.7)) if one.colour == "B" else one for one in stickers_of(rows))
    cells, _ = read(Drawn(4, pure))
    assert rows_of(cells) == rows
    assert flagged(cells) == {}


@pytest.mark.parametrize("code", "RYGB")
def test_black_writing_on_a_sticker_does_not_change_its_colour(code):
    def letter(surface, u, v):
        x, y = u - 1.5, v - 1.5
        legs = (np.abs(np.abs(x) - (0.25 - 0.25 * (0.5 - y) / 0.8)) < 0.045) & (np.abs(y) < 0.3)
        surface[legs | ((np.abs(y - 0.08) < 0.04) & (np.abs(x) < 0.16))] = INK

    cells, _ = read(Drawn(3, (Sticker(1, 1, code), Sticker(0, 2, "R")), paint=letter))
    assert cell_at(cells, 1, 1).colour == code
    assert not cell_at(cells, 1, 1).flags


def printed_white(*cells, ring=False):
    """Paints a white disk, or a ring, on the stickers of some cells."""

    def paint(surface, u, v):
        for row, col in cells:
            away = np.hypot(u - col - 0.5, v - row - 0.5)
            surface[(away < 0.2) & ((away > 0.06) | (not ring))] = 0.95

    return paint


PLACES = [(row, col) for row, line in enumerate(ROWS) for col, code in enumerate(line) if code != EMPTY]


@pytest.mark.parametrize("paper", [None, (0.55, 0.4, 0.25)], ids=["sheet", "wrapping paper"])
@pytest.mark.parametrize("ring", [False, True], ids=["disk", "ring"])
def test_white_print_on_every_sticker_is_no_doubt(ring, paper):
    drawn = Drawn(5, STICKERS, paper=paper, paint=printed_white(*PLACES, ring=ring))
    cells, _ = read(drawn)
    assert rows_of(cells) == ROWS
    assert flagged(cells) == {}


def test_white_in_the_middle_of_two_stickers_alone_may_be_torn():
    cells, _ = read(Drawn(5, STICKERS, paint=printed_white((0, 0), (1, 3))))
    assert flagged(cells) == {(0, 0): (Flag.UNEVEN_CORE,), (1, 3): (Flag.UNEVEN_CORE,)}


@pytest.mark.parametrize("wide", [0.06, 0.1, 0.14, 0.18])
def test_rings_drawn_by_pen_in_empty_cells_are_no_sure_stickers(wide):
    bare = [(row, col) for row in (3, 4) for col in range(5)]
    stickers = [sticker for sticker in STICKERS if sticker.row < 3]

    def rings(surface, u, v):
        for row, col in bare:
            away = np.hypot(u - col - 0.5, v - row - 0.5)
            surface[np.abs(away - 0.29) < wide / 2] = (0.5, 0.03, 0.05)

    cells, _ = read(Drawn(5, stickers, paint=rings))
    assert all(cell_at(cells, *place).colour == EMPTY or cell_at(cells, *place).flags for place in bare)


def test_dirt_on_paper_is_no_sticker():
    def specks(surface, u, v):
        surface[np.hypot(u - 1.4, v - 1.6) < 0.12] = (0.3, 0.24, 0.18)

    cells, _ = read(Drawn(3, (Sticker(0, 0, "R"),), paint=specks))
    assert cell_at(cells, 1, 1).colour == EMPTY or cell_at(cells, 1, 1).flags


def test_a_cross_drawn_by_pen_in_an_empty_cell_is_no_sure_sticker():
    def cross(surface, u, v):
        x, y = u - 1.5, v - 0.5
        near = np.minimum(np.abs(x - y), np.abs(x + y)) / np.sqrt(2)
        surface[(near < 0.05) & (np.maximum(np.abs(x), np.abs(y)) < 0.36)] = (0.03, 0.08, 0.4)

    cells, _ = read(Drawn(3, stickers_of(("R.G", "B.R", "Y.B"), side=0.5), paint=cross))
    assert cell_at(cells, 0, 1).flags
    assert not any(cell.flags for cell in cells if (cell.row, cell.col) != (0, 1))


@pytest.mark.parametrize("code", ["R", "Y", "G", "B"])
@pytest.mark.parametrize(("width", "slope"), [(0.22, 0.0), (0.3, 0.25), (0.35, -0.4)])
def test_a_pen_laid_across_the_board_is_no_sure_sticker(code, width, slope):
    def pen(surface, u, v):
        surface[np.abs(v - 2.45 - slope * (u - 2)) / np.hypot(1, slope) < width / 2] = PIGMENTS[code]

    drawn = ("RYGB", ".R.Y", "....", "BGYR")
    cells, _ = read(Drawn(4, stickers_of(drawn, side=0.8), paint=pen))
    wrong = [cell for cell in cells if cell.colour != drawn[cell.row][cell.col]]
    assert all(cell.flags for cell in wrong)
    assert not any(cell.flags for cell in cells if cell.row in (0, 3) and slope == 0)


@pytest.mark.parametrize("side", [0.5, 0.95])
def test_a_black_sticker_is_no_sure_empty_cell(side):
    black = Sticker(0, 1, (0.03, 0.03, 0.03), side=side)
    cells, _ = read(Drawn(3, (*stickers_of(("R.G", "B.R", "Y.B")), black)))
    assert flagged(cells).keys() == {(0, 1)}


@pytest.mark.parametrize("width", [0.35, 0.4])
def test_light_of_a_tint_that_fades_over_a_cell_is_no_sticker_and_a_doubt(width):
    def light(u, v):
        tint = np.exp(-((u - 2.5) ** 2 + (v - 2.5) ** 2) / (2 * width**2))[..., None]
        return DAY(u, v) * (1 - 0.38 * tint * [1, 0.15, 0.8])

    cells, _ = read(Drawn(5, stickers_of(("RYGB.", "BBYYR", "...R.", "GYBRG", "R.Y.B")), light=light))
    assert cell_at(cells, 2, 2).colour == EMPTY
    assert flagged(cells).keys() == {(2, 2)}


@pytest.mark.parametrize("paper", [(1.0, 0.9, 0.78), (0.95, 0.95, 0.93)], ids=["cream", "white"])
@pytest.mark.parametrize("light", [1.15, 1.5])
def test_small_stickers_that_have_not_clipped_are_sure_on_paper_that_has(light, paper):
    rows = ("GRB.Y", "YGRGB", ".BGRG", "RG.GY", "GYRGB")
    cells, _ = read(Drawn(5, stickers_of(rows, side=0.4, disk=True), light=even(light, light, light), paper=paper))
    assert rows_of(cells) == rows
    assert flagged(cells) == {}


def test_a_patch_of_sun_that_goes_on_over_lines_is_no_glare():
    rows = ("R...B", "..B.Y", "....G", "Y..R.", "GB..R")

    def sun(u, v):
        lit = np.hypot(u - 2.4, v - 2.4) < 1.7
        return np.where(lit[..., None], (1.25, 1.2, 1.1), (0.3, 0.31, 0.34))

    cells, _ = read(Drawn(5, stickers_of(rows), light=sun, paper=(0.95, 0.95, 0.93)))
    assert rows_of(cells) == rows
    assert flagged(cells) == {}


def test_a_glare_that_ends_within_a_cell_may_hide_a_sticker():
    def lamp(u, v):
        spot = (np.abs(u - 2.5) < 0.35) & (np.abs(v - 1.5) < 0.35)
        return np.where(spot[..., None], (1.6, 1.6, 1.6), (0.5, 0.5, 0.5))

    cells, _ = read(Drawn(4, stickers_of(("RY.B", "G..Y", "BR.G", "Y.BR")), light=lamp, paper=(0.95, 0.95, 0.93)))
    assert set(flagged(cells)) == {(1, 2)}


def test_where_most_that_looks_empty_is_in_doubt_none_of_it_is_sure():
    doubtful = tuple(CellReading(0, col, EMPTY, flags=(Flag.GLARE,)) for col in range(3))
    sure = (CellReading(1, 0, EMPTY), CellReading(1, 1, EMPTY), CellReading(1, 2, "R"))
    settings = JudgingSettings()
    assert in_doubtful_company((*doubtful, *sure), settings).tolist() == [False] * 3 + [True, True, False]
    assert not in_doubtful_company((*doubtful[1:], *sure), settings).any()
    assert not in_doubtful_company(doubtful, settings).any()
    hidden = tuple(replace(cell, flags=(Flag.HIDDEN,)) for cell in doubtful)
    assert not in_doubtful_company((*hidden, *sure), settings).any()
