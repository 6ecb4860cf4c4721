"""Paper that two lights tint is no sticker for sure: a sticker's tone ends at its edge, that of a light does not."""

from dataclasses import replace

import numpy as np
import pytest
from lit_boards import Drawn, Light, Sticker, cell_at, even, flagged, read, rows_of, stickers_of

from poradek_vision.model import EMPTY, Flag

ROWS = ("BR..", "R.G.", "..Y.", "G..B")
WINDOW = (0.5, 0.68, 1.0)


def window_and_lamp(lamp: tuple[float, float, float], at: float = 2.5, blur: float = 0.5) -> Light:
    """A window's light above, a lamp's below: half of each so far down, in cells, within some cells."""

    def light(u, v):
        low = 1 / (1 + np.exp(-(v - at) / blur))[..., None]
        return 0.8 * (np.array(WINDOW) * (1 - low) + np.array(lamp) * low)

    return light


@pytest.mark.parametrize("lamp", [(1.0, 0.66, 0.2), (0.95, 0.68, 0.25), (0.9, 0.7, 0.3)])
def test_paper_under_a_lamp_is_no_yellow_sticker_for_sure(lamp):
    cells, _ = read(Drawn(4, stickers_of(ROWS), light=window_and_lamp(lamp)))
    assert any(cell.colour == "Y" for cell in cells if ROWS[cell.row][cell.col] == ".")
    assert not [cell for cell in cells if cell.colour != ROWS[cell.row][cell.col] and not cell.flags]
    assert not [cell for cell in cells if cell.colour != "Y" and ROWS[cell.row][cell.col] != "." and cell.flags]


def test_paper_that_goes_on_from_paper_is_sure_in_any_light():
    rows = ("BR..", "R...", "..Y.", "G..B")
    cells, _ = read(Drawn(4, stickers_of(rows), light=window_and_lamp((0.9, 0.7, 0.3), 0.5, 1.6)))
    assert rows_of(cells) == rows
    assert flagged(cells) == {}


@pytest.mark.parametrize("at", [(0.3, 0.6), (0.6, 0.25)])
def test_a_glare_that_covers_a_sticker_is_no_paper_that_goes_on(at):
    def glare(u, v):
        near = np.exp(-((u - 2 - at[0]) ** 2 + (v - 1 - at[1]) ** 2) / 0.3)[..., None]
        return 0.6 * np.array(WINDOW) + 0.35 * near

    washed = Sticker(1, 2, (0.93, 0.97, 0.9), 0.8)
    cells, _ = read(Drawn(4, (*stickers_of(("BR..", "R...", "..Y.", "G..B")), washed), light=glare))
    cell = cell_at(cells, 1, 2)
    assert cell.colour == "G" or cell.flags


@pytest.mark.parametrize("paper", [None, (0.5, 0.32, 0.16)], ids=["white", "brown"])
@pytest.mark.parametrize("how", [{"side": 0.7}, {"side": 0.95}, {"side": 0.7, "right": 0.14, "down": -0.14}])
def test_stickers_of_all_sizes_end_at_their_edges(paper, how):
    cells, _ = read(Drawn(4, stickers_of(ROWS, **how), light=even(0.8, 0.75, 0.6), paper=paper))
    assert rows_of(cells) == ROWS
    assert flagged(cells) == {}


@pytest.mark.parametrize("way", [-1, 1])
@pytest.mark.parametrize("disk", [True, False])
def test_stickers_that_overlap_the_border_are_no_paper_that_runs_on(way, disk):
    rows = ("YBRY", "Y..Y", "R..B", "GYYG")
    large = tuple(replace(one, side=1.05, right=0.2 * way, disk=disk) for one in stickers_of(rows))
    cells, _ = read(Drawn(4, large))
    assert not [cell for cell in cells if cell.colour != rows[cell.row][cell.col] and not cell.flags]
    assert not [cell for cell in cells if cell.colour != EMPTY and Flag.LOW_MARGIN in cell.flags]
