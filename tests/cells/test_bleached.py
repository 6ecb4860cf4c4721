"""Stickers bleached to the colour of paper show by their outlines; shade, lines and empty cells don't."""

from dataclasses import replace

import numpy as np
import pytest
from lit_boards import SHADE, SUN, Drawn, Sticker, cell_at, edge_of_shade, even, flagged, read, stickers_of

from poradek_vision.cells.bleached import BleachedSettings, bleached
from poradek_vision.cells.patches import Patches
from poradek_vision.model import EMPTY

ROWS = ("RY.B", "G..Y", "BR.G", "Y.BR")
GREY, WARM = (0.62, 0.62, 0.6), (0.8, 0.74, 0.55)


@pytest.mark.parametrize(
    ("paper", "shown"),
    [(GREY, (0.8, 0.8, 0.79)), (WARM, (0.95, 0.92, 0.62)), (None, (0.99, 0.98, 0.82))],
    ids=["white on grey", "pale yellow on cream", "pale yellow on white"],
)
@pytest.mark.parametrize("disk", [True, False])
@pytest.mark.parametrize("side", [0.5, 0.75])
def test_a_bleached_sticker_is_never_silently_empty(paper, shown, disk, side):
    pale = Sticker(1, 2, shown, side, right=0.05, down=0.04, disk=disk)
    cells, _ = read(Drawn(4, (*stickers_of(ROWS), pale), light=even(0.8, 0.8, 0.8), paper=paper))
    cell = cell_at(cells, 1, 2)
    assert cell.colour == "Y" or cell.flags
    others = [one for one in cells if one.colour == EMPTY and (one.row, one.col) != (1, 2)]
    assert not any(one.flags for one in others)


def pale_patch(shown: tuple[float, float, float], half: float):
    """Paints a patch in row 2, column 3, whose edge is blurred over a third of it."""

    def paint(surface, u, v):
        away = np.hypot(u - 2.5, v - 1.5)
        amount = 1 / (1 + np.exp((away - half) / 0.06))
        surface *= 1 - amount[..., None] * (1 - np.array(shown))

    return paint


@pytest.mark.parametrize("shown", [(0.86, 0.86, 0.92), (0.93, 0.9, 0.82)], ids=["blue", "yellow"])
@pytest.mark.parametrize("paper", [None, WARM], ids=["white", "cream"])
def test_a_pale_patch_is_in_doubt_however_blurred_where_all_other_paper_is_even(shown, paper):
    rows = ("RY..", "G...", "B..G", "Y..R")
    drawn = Drawn(4, stickers_of(rows), light=even(0.8, 0.8, 0.8), paper=paper)
    cells, _ = read(replace(drawn, paint=pale_patch(shown, 0.3)))
    assert set(flagged(cells)) == {(1, 2)}
    assert flagged(read(drawn)[0]) == {}


@pytest.mark.parametrize("at", [1.9, 2.5, 3.1])
def test_shades_edge_is_no_sticker(at):
    cells, _ = read(Drawn(4, stickers_of(ROWS), light=edge_of_shade(0.4, at, SUN, SHADE)))
    assert flagged(cells) == {}


@pytest.mark.parametrize("at", [2.8, 2.85])
def test_shade_that_goes_on_over_a_line_is_no_sticker(at):
    rows = ("R..B", "B.B.", "BBYG", "GB..")
    drawn = Drawn(4, stickers_of(rows), light=edge_of_shade(0.0, at, SHADE, SUN), paper=(0.95, 0.95, 0.93), line=0.08)
    assert flagged(read(drawn)[0]) == {}
    grey = Sticker(0, 1, (0.7, 0.72, 0.74), 0.7, disk=True)
    with_grey, _ = read(replace(drawn, stickers=(*drawn.stickers, grey)))
    assert set(flagged(with_grey)) == {(0, 1)}


SIDE = 16
PLACES = np.stack(np.meshgrid(*[(np.arange(SIDE) + 0.5) / SIDE - 0.5] * 2), -1).reshape(-1, 2)
AWAY = np.abs(PLACES).max(1)


def cells_of(*brightness):
    """Cells of grey light of such brightness (M,) each, their outermost samples ink."""
    light = np.repeat(np.array(brightness)[..., None], 3, -1)
    none = np.zeros(light.shape[:2], np.bool_)
    seen = np.ones_like(none)
    return Patches(
        light, light, light, light, light[..., 0], light[..., 0], np.zeros(light.shape, np.bool_),
        seen, none | (AWAY > 0.44), seen, np.ones(SIDE**2), PLACES, np.ones(3), np.ones(3), np.ones(3),
    )  # fmt: skip


PLAIN = np.full(SIDE**2, 0.3)
DARK_RIM = np.where(AWAY > 0.38, 0.24, 0.3)
BRIGHT = np.where(np.hypot(*PLACES.T) < 0.3, 0.65, 0.3)


def test_a_sticker_twice_as_bright_as_its_paper_is_seen_though_paper_is_as_dark_as_lines():
    found = bleached(cells_of(PLAIN, PLAIN, BRIGHT, PLAIN, PLAIN), np.ones(5, np.bool_), BleachedSettings())
    assert found.tolist() == [False, False, True, False, False]


def test_broad_lines_that_darken_the_rims_of_most_cells_are_no_stickers():
    found = bleached(cells_of(*[DARK_RIM] * 4, BRIGHT), np.ones(5, np.bool_), BleachedSettings())
    assert found.tolist() == [False, False, False, False, True]
    alone = bleached(cells_of(*[PLAIN] * 4, DARK_RIM), np.ones(5, np.bool_), BleachedSettings())
    assert alone.tolist() == [False, False, False, False, True]
