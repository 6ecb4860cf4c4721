"""Stickers bleached to the colour of paper show by their outlines; shade, lines and empty cells don't."""

import pytest
from lit_boards import SHADE, SUN, Drawn, Sticker, cell_at, edge_of_shade, even, flagged, read, stickers_of

from poradek_vision.model import EMPTY

ROWS = ("RY.B", "G..Y", "BR.G", "Y.BR")
GREY, WARM = (0.62, 0.62, 0.6), (0.8, 0.74, 0.55)


@pytest.mark.parametrize(
    ("paper", "bleached"),
    [(GREY, (0.8, 0.8, 0.79)), (WARM, (0.95, 0.92, 0.62)), (None, (0.99, 0.98, 0.82))],
    ids=["white on grey", "pale yellow on cream", "pale yellow on white"],
)
@pytest.mark.parametrize("disk", [True, False])
@pytest.mark.parametrize("side", [0.5, 0.75])
def test_a_bleached_sticker_is_never_silently_empty(paper, bleached, disk, side):
    pale = Sticker(1, 2, bleached, side, right=0.05, down=0.04, disk=disk)
    cells, _ = read(Drawn(4, (*stickers_of(ROWS), pale), light=even(0.8, 0.8, 0.8), paper=paper))
    cell = cell_at(cells, 1, 2)
    assert cell.colour == "Y" or cell.flags
    others = [one for one in cells if one.colour == EMPTY and (one.row, one.col) != (1, 2)]
    assert not any(one.flags for one in others)


@pytest.mark.parametrize("at", [1.9, 2.5, 3.1])
def test_shades_edge_is_no_sticker(at):
    cells, _ = read(Drawn(4, stickers_of(ROWS), light=edge_of_shade(0.4, at, SUN, SHADE)))
    assert flagged(cells) == {}
