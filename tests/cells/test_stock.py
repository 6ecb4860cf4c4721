"""Paper of any colour: the stickers tell it, and it does not tint the judgement."""

from dataclasses import replace

import numpy as np
import pytest
from lit_boards import (
    DAY,
    PIGMENTS,
    SETTINGS,
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

from poradek_vision.cells.light import divide_light
from poradek_vision.cells.patches import cut, grid_boxes
from poradek_vision.cells.shades import WHITE
from poradek_vision.cells.stock import fit_stock
from poradek_vision.model import EMPTY, Flag

ROWS = ("RYGB.", "BBYYR", "..GR.", "GYBRG", "R.Y.B")
PAPERS = {
    "white": (1.0, 1.0, 1.0),
    "cream": (0.95, 0.9, 0.75),
    "recycled": (0.7, 0.64, 0.54),
    "grey": (0.58, 0.59, 0.58),
    "wrapping paper": (0.5, 0.3, 0.15),
    "dark wrapping paper": (0.38, 0.22, 0.11),
}
LAMP = even(0.85, 0.6, 0.36)


def stock_of(drawn):
    lit = divide_light(drawn.rectified(), drawn.size, drawn.size, False, SETTINGS.light)
    patches = cut(lit, grid_boxes(drawn.size, drawn.size), SETTINGS.samples, step=2)
    return fit_stock(patches, palette_for(), SETTINGS.stock)


@pytest.mark.parametrize("light", [DAY, LAMP], ids=["day", "lamp"])
@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_stickers_tell_the_papers_own_colour_in_any_light(paper, light):
    stock = stock_of(Drawn(5, stickers_of(ROWS), paper=paper, light=light)).paper
    assert np.abs(np.log(stock / paper)).max() < 0.6


@pytest.mark.parametrize("light", [DAY, LAMP], ids=["day", "lamp"])
@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_every_cell_is_right_and_sure_on_any_paper(paper, light):
    cells, _ = read(Drawn(5, stickers_of(ROWS), paper=paper, light=light))
    assert rows_of(cells) == ROWS
    assert flagged(cells) == {}


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
@pytest.mark.parametrize("code", "RYGB")
def test_stickers_of_one_colour_are_right_on_any_paper(code, paper):
    rows = (code + ".." + code, 4 * code, "....", ".." + 2 * code)
    cells, _ = read(Drawn(4, stickers_of(rows), paper=paper))
    assert rows_of(cells) == rows
    assert flagged(cells) == {}


def test_a_colour_that_another_paper_would_make_another_is_doubtful():
    turquoise = (0.06, 0.26, 0.34)
    alone = tuple(Sticker(row, col, turquoise) for row in range(3) for col in range(2))
    assert stock_of(Drawn(3, alone, paper=PAPERS["grey"])).doubtful
    assert not stock_of(Drawn(5, stickers_of(ROWS), paper=PAPERS["grey"])).doubtful
    cells, _ = read(Drawn(3, alone, paper=PAPERS["grey"]))
    assert all(cell.flags for cell in cells if cell.colour != EMPTY)


def test_without_stickers_paper_counts_as_white():
    drawn = Drawn(4, paper=PAPERS["wrapping paper"])
    assert stock_of(drawn).paper == pytest.approx(WHITE)
    cells, _ = read(drawn)
    assert rows_of(cells) == ("....",) * 4
    assert flagged(cells) == {}


def test_a_sticker_of_no_colour_of_the_game_is_doubted_on_brown_paper_too():
    rows = ("RYGB", "BRVY", "Y..R", "GBRG")
    cells, _ = read(Drawn(4, stickers_of(rows), paper=PAPERS["wrapping paper"]))
    assert cell_at(cells, 1, 2).flags
    assert set(flagged(cells)) == {(1, 2)}


def mark_in(row, col, reflectance, width):
    """A neutral patch ``width`` wide in the middle of a cell."""

    def paint(surface, u, v):
        away = np.maximum(np.abs(u - col - 0.5), np.abs(v - row - 0.5))
        surface[away < width / 2] = reflectance

    return paint


def test_a_dark_mark_written_on_a_sticker_is_no_doubt_and_on_paper_it_is():
    rows = ("RYG", "B.R", "YGB")
    for row, col, doubt in ((0, 1, False), (1, 1, True)):
        paint = mark_in(row, col, (0.13, 0.13, 0.13), 0.4)
        cells, _ = read(Drawn(3, stickers_of(rows), paper=PAPERS["cream"], paint=paint))
        assert rows_of(cells) == rows
        assert bool(cell_at(cells, row, col).flags) == doubt


def test_a_pale_patch_on_a_sticker_is_a_doubt():
    paint = mark_in(0, 0, (0.5, 0.52, 0.54), 0.5)
    cells, _ = read(Drawn(3, stickers_of(("RYG", "B.R", "YGB")), paper=PAPERS["white"], paint=paint))
    assert Flag.UNEVEN_CORE in cell_at(cells, 0, 0).flags


def test_a_sticker_washed_out_brighter_than_the_paper_is_not_sure_to_be_an_empty_cell():
    glaring = stickers_of(("R.G", "B.R", "Y.B"))

    def paint(surface, u, v):
        glare = (np.abs(u - 0.5) < 0.4) & (np.abs(v - 0.5) < 0.4)
        surface[glare] = (0.98, 0.93, 0.93)
        surface[glare & (u < 0.3)] = (0.95, 0.62, 0.6)

    cells, _ = read(Drawn(3, glaring, paper=PAPERS["recycled"], paint=paint))
    assert cell_at(cells, 0, 0).colour != EMPTY or cell_at(cells, 0, 0).flags


@pytest.mark.parametrize(
    ("code", "gloss", "paper"), [("G", 0.8, (0.73, 0.81, 0.69)), ("B", 0.7, (0.63, 0.72, 0.86))], ids=["green", "blue"]
)
def test_a_sticker_under_so_much_gloss_that_it_looks_like_evenly_lit_paper_is_no_sure_empty_cell(code, gloss, paper):
    def paint(surface, u, v):
        surface[(np.abs(u - 1.5) < 0.44) & (np.abs(v - 1.5) < 0.44)] = PIGMENTS[code] + gloss

    cells, _ = read(Drawn(4, stickers_of(("R..G", "....", "...B", "Y..R")), paper=paper, paint=paint))
    assert flagged(cells).keys() == {(1, 1)}


@pytest.mark.parametrize(
    ("share", "slope", "glare"), [(0.7, 0.9, 0.85), (0.7, 0.9, 1.0), (0.8, 1.5, 0.85), (0.9, 0.9, 0.75)]
)
def test_a_glossy_sticker_that_a_flash_washes_out_towards_one_side_is_no_sure_empty_cell(share, slope, glare):
    def paint(surface, u, v):
        disc = np.hypot(u - 1.5, v - 1.5) < 0.36
        veil = np.clip(share + slope * (v - 1.5), 0.35, 1)[..., None]
        surface[disc] = (PIGMENTS["G"] * (1 - veil) + glare * veil)[disc]

    rows, light = ("RG.Y", "....", "BY.R", "Y..B"), even(0.62, 0.6, 0.55)
    cells, _ = read(Drawn(4, stickers_of(rows), light=light, paper=(0.73, 0.81, 0.69), paint=paint, noise=5.0))
    assert flagged(cells).keys() == {(1, 1)}


@pytest.mark.parametrize("rows", [ROWS, ("BB.", "BBG", ".BB")])
def test_blue_that_clips_on_brown_paper_taken_for_white_is_blue_or_in_doubt(rows):
    paper = PAPERS["wrapping paper"]
    whitened = even(*(0.8 / np.array(paper)))
    cells, _ = read(Drawn(len(rows), stickers_of(rows), paper=paper, light=whitened))
    silent = [cell for cell in cells if cell.colour != rows[cell.row][cell.col] and not cell.flags]
    assert silent == []
    assert not any(cell.flags for cell in cells if rows[cell.row][cell.col] in "RG.")


@pytest.mark.parametrize("codes", ["RYGB", "RYGBO"], ids=["usual", "with orange"])
def test_yellow_that_clips_in_red_and_green_on_brown_paper_is_sure_unless_it_may_be_another_colour(codes):
    rows = ("Y..R", "YB..", ".GY.", "Y..Y")
    drawn = Drawn(4, stickers_of(rows), paper=PAPERS["wrapping paper"], light=even(2.2, 2.5, 2.6))
    cells, _ = read(drawn, palette_for(codes))
    silent = [cell for cell in cells if cell.colour != rows[cell.row][cell.col] and not cell.flags]
    assert silent == []
    if "O" not in codes:
        assert rows_of(cells) == rows
        assert flagged(cells) == {}


def test_a_sticker_bleached_to_the_brightest_a_photo_shows_is_no_sure_paper():
    paper = PAPERS["recycled"]
    bleach = mark_in(0, 0, (1.3, 1.28, 1.25), 0.9)
    cells, _ = read(
        Drawn(3, stickers_of(("R.G", "B.R", "Y.B")), paper=paper, paint=bleach, light=even(0.95, 0.95, 0.95))
    )
    assert cell_at(cells, 0, 0).flags


@pytest.mark.parametrize("traces", [False, True])
def test_beside_a_sticker_bleached_to_a_trace_clipped_empty_cells_are_in_doubt(traces):
    rows = ("R.G", "B.R", "Y.B")
    paint = mark_in(0, 1, (1.0, 0.92, 0.8), 0.7) if traces else None
    cells, _ = read(Drawn(3, stickers_of(rows), paper=PAPERS["white"], paint=paint, light=even(0.99, 0.99, 0.99)))
    assert rows_of(cells) == rows
    assert [Flag.OVEREXPOSED in cell_at(cells, row, 1).flags for row in range(3)] == [traces] * 3
    assert not any(cell.flags for cell in cells if cell.colour != EMPTY)


@pytest.mark.parametrize("faded", [(0.86, 0.84, 0.68), (0.82, 0.76, 0.66), (0.55, 0.52, 0.5)])
def test_a_faded_sticker_near_the_papers_own_colour_is_no_sure_empty_cell(faded):
    paint = mark_in(0, 1, faded, 0.5)
    cells, _ = read(Drawn(3, stickers_of(("R.G", "B.R", "Y.B")), paper=PAPERS["recycled"], paint=paint))
    assert flagged(cells).keys() == {(0, 1)}


@pytest.mark.parametrize("paper", ["white", "recycled", "wrapping paper"])
def test_lines_a_quarter_of_a_cell_wide_put_no_cell_in_doubt_and_a_faded_sticker_between_them_is(paper):
    rows = ("R..G", ".G..", "...B", "Y..R")
    wide = Drawn(4, stickers_of(rows, side=0.7), paper=PAPERS[paper], line=0.275)
    cells, _ = read(wide)
    assert rows_of(cells) == rows
    assert flagged(cells) == {}
    faded = mark_in(1, 2, tuple(0.85 * np.array(PAPERS[paper])), 0.5)
    cells, _ = read(replace(wide, paint=faded))
    assert flagged(cells).keys() == {(1, 2)}


@pytest.mark.parametrize("at", [1.2, 1.5, 1.8])
def test_a_shade_edge_across_an_empty_cell_is_no_doubt(at):
    shade = edge_of_shade(0.2, at, (0.8, 0.8, 0.8), (0.55, 0.56, 0.58), blur=0.05)
    cells, _ = read(Drawn(3, stickers_of(("R.G", "B.R", "Y.B")), paper=PAPERS["recycled"], light=shade))
    assert flagged(cells) == {}


def faded(rows, by, white=0.72):
    """Stickers that the sun has bleached by a share towards some white."""
    return tuple(
        replace(sticker, colour=tuple((1 - by) * sticker.pigment + by * white)) for sticker in stickers_of(rows)
    )


@pytest.mark.parametrize("rows", [ROWS, ("RR.", "RGR", "YB.")], ids=["all", "red"])
@pytest.mark.parametrize("by", [0.3, 0.45, 0.6])
def test_faded_stickers_are_no_brighter_than_white_paper(rows, by):
    cells, _ = read(Drawn(len(rows), faded(rows, by), paper=PAPERS["wrapping paper"]))
    assert not [cell for cell in cells if cell.colour != rows[cell.row][cell.col] and not cell.flags]


def test_faded_stickers_tell_dark_paper():
    drawn = Drawn(len(ROWS), faded(ROWS, 0.45), paper=PAPERS["dark wrapping paper"])
    assert np.abs(np.log(stock_of(drawn).paper / PAPERS["dark wrapping paper"])).max() < 0.3


@pytest.mark.parametrize("rows", [("RRGR", "GR.G", "RG.R", "GGR."), ("RYRG", "G.GR", "RBRG", ".RG.")])
def test_faded_stickers_that_all_look_blue_on_brown_paper_are_in_doubt(rows):
    cells, _ = read(Drawn(4, faded(rows, 0.55, 0.6), paper=PAPERS["wrapping paper"]))
    assert not [cell for cell in cells if cell.colour != rows[cell.row][cell.col] and not cell.flags]


@pytest.mark.parametrize("code", "RYGB")
@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_a_board_of_one_colour_is_sure(paper, code):
    rows = tuple(row.replace("C", code) for row in ("CC.", "C.C", ".CC"))
    cells, _ = read(Drawn(3, stickers_of(rows), paper=paper))
    assert rows_of(cells) == rows
    assert flagged(cells) == {}
