"""A leaf of a sticker's colour differs from the stickers in colour and in outline, worn stickers only in one."""

from dataclasses import replace

import numpy as np
import pytest
from lit_boards import Drawn, Sticker, flagged, read, rows_of, stickers_of

from poradek_vision.model import Flag

ROWS = ("RY.B", "G..Y", "BR.G", "Y.BR")
LEAVES = {
    "green": (0.12, 0.25, 0.05),
    "yellow": (0.55, 0.4, 0.05),
    "red": (0.4, 0.06, 0.03),
    "brown": (0.3, 0.13, 0.05),
}


def leaf(colour):
    """Paints a leaf in row 2, column 3: twice as long as wide, pointed at both ends."""

    def paint(surface, u, v):
        along, across = (u - 2.5 + v - 1.5) / np.sqrt(2), (u - 2.5 - v + 1.5) / np.sqrt(2)
        surface[(np.abs(along) < 0.42) & (np.abs(across) < 0.22 * np.cos(along * np.pi / 0.84))] = colour

    return paint


@pytest.mark.parametrize("side", [0.7, 0.9])
@pytest.mark.parametrize("colour", LEAVES.values(), ids=LEAVES)
def test_a_leaf_is_no_sticker_for_sure(colour, side):
    cells, _ = read(Drawn(4, stickers_of(ROWS, side=side), paint=leaf(colour)))
    assert set(flagged(cells)) == {(1, 2)}


def cap(colour, wide):
    """Paints a round thing in row 2, column 3, light on one side, with a shine."""

    def paint(surface, u, v):
        x, y = (u - 2.5) / wide * 2, (v - 1.5) / wide * 2
        round_ = np.hypot(x, y) < 1
        light = 1 - 0.45 * (x + y)[..., None] / np.sqrt(2)
        surface[round_] = (np.array(colour) * light)[round_]
        surface[np.hypot(x + 0.4, y + 0.4) < 0.15] = 0.9

    return paint


@pytest.mark.parametrize("wide", [0.5, 0.7])
@pytest.mark.parametrize(
    "colour", [(0.5, 0.03, 0.03), (0.02, 0.3, 0.08), (0.03, 0.12, 0.45)], ids=["red", "green", "blue"]
)
def test_a_cap_with_a_light_side_is_no_sticker_for_sure(colour, wide):
    cells, _ = read(Drawn(4, stickers_of(ROWS), paint=cap(colour, wide)))
    assert set(flagged(cells)) == {(1, 2)}


def test_a_sticker_of_another_make_or_another_size_is_sure():
    drawn = Drawn(4, stickers_of(ROWS))
    paler = replace(drawn, stickers=(*drawn.stickers, Sticker(1, 2, LEAVES["green"])))
    smaller = replace(drawn, stickers=(*drawn.stickers, Sticker(1, 2, "G", 0.6)))
    for other in (paler, smaller):
        cells, _ = read(other)
        assert rows_of(cells) == ("RY.B", "G.GY", "BR.G", "Y.BR")
        assert not any(Flag.UNLIKE_FELLOWS in flags for flags in flagged(cells).values())


GREEN, BLUE = np.array([0.05, 0.3, 0.1]), np.array([0.03, 0.09, 0.35])


def between(row, col, share):
    """A sticker whose colour lies so far on the way from green to blue."""
    return Sticker(row, col, tuple(GREEN + share * (BLUE - GREEN)))


@pytest.mark.parametrize(("others", "doubtful"), [(3, True), (2, False)])
def test_what_looks_like_three_in_doubt_is_no_surer_than_they(others, doubtful):
    doubted = [between(row, col, 0.45) for row, col in ((0, 2), (1, 1), (2, 2))[:others]]
    cells, _ = read(Drawn(4, (*stickers_of(ROWS), *doubted, between(1, 2, 0.4))))
    assert (Flag.LOW_MARGIN in flagged(cells)[1, 2]) == doubtful
    greens = {(row, col) for row, line in enumerate(ROWS) for col, code in enumerate(line) if code == "G"}
    assert not greens & set(flagged(cells))
