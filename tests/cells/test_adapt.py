"""A palette moves toward what the colour key and sure cells show, and is not led astray by a wrong sticker."""

from dataclasses import fields, replace

import numpy as np
import pytest
from lit_boards import PIGMENTS, Drawn, cell_at, flagged, moved, palette_for, read, rows_of, stickers_of

from poradek_vision.cells.adapt import Adapted, AdaptSettings, adapt
from poradek_vision.cells.samples import Samples
from poradek_vision.colour import lab_from_reflectance
from poradek_vision.model import Flag

PALETTE = palette_for("RYGB")
RED, YELLOW, GREEN, BLUE = (np.array(entry.centre) for entry in PALETTE.entries)
SHIFT = np.array([6.0, -7.0, 5.0])
"""How this photo's colours differ from the palette's."""
CODES = "RYGB"

NAMES = [field.name for field in fields(Samples)]


def show(*seen, share=0.95):
    """Samples of boxes that show (class, CIELAB): the class is 0 for paper, else 1 + the colour's place."""
    count = len(seen)
    shares, lab = np.zeros((count, 5)), np.full((count, 5, 3), np.nan)
    for k, (shown, colour) in enumerate(seen):
        shares[k, 0] += 1 - share
        shares[k, shown] += share
        lab[k, shown] = colour
    nothing = {name: np.zeros(count) for name in NAMES}  # of glare, dirt and the like
    return Samples(**nothing | {"share": shares, "lab": lab, "light": np.full(count, 0.8)})


EMPTY_CELLS = show(*[(0, (100.0, 0.0, 0.0))] * 9)
KEY = [(1, RED), (2, YELLOW), (3, GREEN), (4, BLUE)]


def adapted(cells=EMPTY_CELLS, key=None):
    """Centres by code."""
    return {
        entry.colour: np.array(entry.centre) for entry in adapt(PALETTE, cells, key, AdaptSettings()).palette.entries
    }


def way(centre, start=RED, shift=SHIFT):
    """How much of a shift a centre has followed: 0 not at all, 1 wholly; and nothing sideways."""
    followed = (centre - start) @ shift / (shift @ shift)
    assert np.abs(centre - start - followed * shift).max() < 1e-9
    return followed


@pytest.mark.parametrize("k", range(4), ids=CODES)
def test_a_colour_follows_the_key_most_of_the_way_and_the_others_stay(k):
    key = list(KEY)
    key[k] = (1 + k, key[k][1] + SHIFT)
    centres = adapted(key=show(*key))
    assert 0.5 < way(centres[CODES[k]], KEY[k][1]) < 1
    for other in set(range(4)) - {k}:
        np.testing.assert_allclose(centres[CODES[other]], KEY[other][1], atol=1e-9)


def test_a_colour_follows_sure_cells_the_more_the_more_there_are():
    ways = [way(adapted(show(*[(1, RED + SHIFT)] * count))["R"]) for count in (1, 3, 9, 30)]
    assert 0 < ways[0] < ways[1] < ways[2] <= ways[3] < 1
    assert ways[2] > 0.5


def test_key_and_cells_together_count_more_than_either():
    cells, key = show(*[(1, RED + SHIFT)] * 3), show((1, RED + SHIFT), *KEY[1:])
    both = way(adapted(cells, key)["R"])
    assert both > max(way(adapted(cells)["R"]), way(adapted(key=key)["R"]))


def test_a_palette_that_is_right_stays_and_so_does_what_is_not_shown():
    centres = adapted(show((1, RED), (2, YELLOW)), show(*KEY))
    for code, (_, centre) in zip(CODES, KEY, strict=True):
        np.testing.assert_allclose(centres[code], centre, atol=1e-9)


def test_neither_key_nor_stickers_change_nothing():
    empty_key = show(*[(0, (100.0, 0.0, 0.0))] * 4)
    assert adapt(PALETTE, EMPTY_CELLS, empty_key, AdaptSettings()) == Adapted(PALETTE, frozenset(), {})
    assert adapt(PALETTE, EMPTY_CELLS, None, AdaptSettings()) == Adapted(PALETTE, frozenset(), {})


@pytest.mark.parametrize(("box", "wrong"), [(0, 3), (0, 1), (2, 1), (3, 2)])
def test_a_wrong_sticker_in_a_box_of_the_key_is_ignored(box, wrong):
    """Another colour of the game: it is not shown as the box's colour at all."""
    key = list(KEY)
    key[box] = (1 + wrong, KEY[wrong][1])
    np.testing.assert_allclose(adapted(key=show(*key))[CODES[box]], KEY[box][1], atol=1e-9)


def test_a_foreign_sticker_in_a_box_is_ignored_even_if_the_boxs_colour_explains_it_best():
    pale_pink = np.array([88.0, 10.0, 4.0])
    np.testing.assert_allclose(adapted(key=show((1, pale_pink), *KEY[1:]))["R"], RED, atol=1e-9)


def test_a_box_that_shows_little_of_its_colour_is_ignored():
    torn = show((1, RED + SHIFT), share=0.2)
    rest = show(*KEY[1:])
    key = Samples(*(np.concatenate([getattr(torn, name), getattr(rest, name)]) for name in NAMES))
    np.testing.assert_allclose(adapted(key=key)["R"], RED, atol=1e-9)


def test_one_odd_cell_among_many_does_not_pull_its_colour_away():
    centres = adapted(show(*[(1, RED)] * 6, (1, RED + 3 * SHIFT)))
    np.testing.assert_allclose(centres["R"], RED, atol=1e-9)


def test_a_cell_that_may_as_well_be_another_colour_teaches_nothing():
    between = 0.5 * (RED + YELLOW)
    np.testing.assert_allclose(adapted(show(*[(1, between)] * 9))["R"], RED, atol=1e-9)


def test_the_key_resolves_what_the_cameras_palette_can_not():
    """A camera whose palette has red almost where this game's orange is."""
    orange = np.array(lab_from_reflectance(PIGMENTS["O"]))
    wrong = moved(palette_for("RYOB"), "R", *(0.45 * (orange - RED)))
    rows = ("ROY", "OBR", "YRO")
    with_key, _ = read(Drawn(3, stickers_of(rows), key=("R", "Y", "O", "B")), wrong)
    assert rows_of(with_key) == rows
    without, _ = read(Drawn(3, stickers_of(rows)), wrong)
    assert all(cell_at(without, row, col).flags for row, col in unlike(without, rows))
    assert len(flagged(with_key)) <= len(flagged(without))


def unlike(cells, rows):
    """Cells that were read wrongly."""
    return [(cell.row, cell.col) for cell in cells if cell.colour != rows[cell.row][cell.col]]


# --- colours that the palette has never seen ------------------------------------------------------------------------

KNOWN = replace(
    PALETTE,
    entries=tuple(replace(e, spread=((9.0, 0.0, 0.0), (0.0, 9.0, 0.0), (0.0, 0.0, 9.0))) for e in PALETTE.entries),
)
"""As a phone's own palette is: with narrow spreads, 5 along each axis together with the field's."""
FAR, NEAR = np.array([0.0, -25.0, 0.0]), np.array([0.0, -15.0, 0.0])


def strange(cells, key=None, palette=KNOWN):
    return set(adapt(palette, cells, key, AdaptSettings()).strange)


def test_a_colour_far_from_all_that_the_palette_has_seen_is_strange():
    seen = [(1, RED + FAR), (2, YELLOW), (3, GREEN), (4, BLUE)]
    assert strange(show(*seen * 3)) == {"R"}
    assert strange(show(*[(1, RED + NEAR)] * 3)) == set()


def test_a_palette_that_has_seen_much_is_hard_to_surprise():
    assert strange(show(*[(1, RED + FAR)] * 3), palette=PALETTE) == set()


def test_with_a_strange_colour_those_seen_too_seldom_are_in_doubt_too():
    assert strange(show(*[(1, RED + FAR)] * 3, *[(4, BLUE)] * 3, (2, YELLOW))) == {"R", "Y", "G"}


def test_one_odd_sticker_says_nothing_about_the_light():
    assert strange(show((1, RED + FAR), *[(1, RED)] * 3)) == set()
    assert strange(show((1, RED + FAR))) == set()


def test_what_the_key_shows_is_not_strange():
    seen = show(*[(1, RED + FAR)] * 3)
    assert strange(seen, key=show((1, RED + 0.9 * FAR), *KEY[1:])) == set()


def test_cells_of_a_strange_colour_are_in_doubt():
    board = Drawn(3, stickers_of(["RRR", "BBB", "..."]))
    cells, _ = read(board, moved(KNOWN, "R", 0.0, 25.0, 0.0))
    assert rows_of(cells) == ("RRR", "BBB", "...")
    assert flagged(cells) == {(0, col): (Flag.STRANGE_LIGHT,) for col in range(3)}


def test_where_there_may_be_no_key_only_a_whole_one_counts():
    cautious = AdaptSettings(key_whole=True)
    moved_key = [(1, RED + SHIFT), *KEY[1:]]
    whole = adapt(PALETTE, EMPTY_CELLS, show(*moved_key), cautious).palette.entries[0]
    assert way(np.array(whole.centre)) > 0.5
    ground = [moved_key[0], (0, (100.0, 0.0, 0.0)), *KEY[2:]]  # something like red, green and blue lies there
    assert adapt(PALETTE, EMPTY_CELLS, show(*ground), cautious).palette == PALETTE
