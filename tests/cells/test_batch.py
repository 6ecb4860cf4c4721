"""Boards judged together decide what one leaves in doubt, doubt what they contradict, and change nothing else."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lit_boards import SETTINGS, palette_for

from poradek_vision.cells import BatchSettings, judge_together
from poradek_vision.model import EMPTY, BoardLook, CellReading, Flag

PALETTE = palette_for("RYGB")
CENTRES = {entry.colour: np.array(entry.centre) for entry in PALETTE.entries}
DAY, LAMP = (0.7, 0.7, 0.7), (0.8, 0.6, 0.4)
HUE = np.array([0.0, 9.0, -6.0])
"""How this camera's colours differ from the palette's."""
DOUBT = (Flag.LOW_MARGIN,)


def make_cell(code, lab, flags=(), margin=30.0):
    return CellReading(0, 0, code, "", margin, ".", 0.88 if flags else 0.99, tuple(flags), tuple(map(float, lab)))


def make_board(*cells, light=DAY, key=()):
    placed = tuple(replace(cell, row=k // 6, col=k % 6) for k, cell in enumerate(cells))
    return BoardLook(light, (1.0, 1.0, 1.0), tuple(key)), placed


def usual(codes="RYGB", shift=HUE, count=3, light=DAY, **fields):
    """A board with some stickers of each colour, all as this camera shows them."""
    off = np.array([[0.0, 0.0, 0.0], [1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]])
    cells = [make_cell(code, CENTRES[code] + shift + off[k % 3], **fields) for code in codes for k in range(count)]
    return make_board(*cells, light=light)


BETWEEN = (CENTRES["R"] + HUE) * 0.65 + (CENTRES["Y"] + HUE) * 0.35
"""What nobody could tell for sure."""


def together(*boards, palette=PALETTE, **settings):
    return judge_together(boards, palette, SETTINGS.samples, SETTINGS.judging, BatchSettings(**settings))


def test_a_sticker_that_is_alone_on_its_board_is_decided_by_the_others():
    alone = make_board(make_cell("R", CENTRES["R"] + HUE, DOUBT, 5.0))
    (cell,), *_ = together(alone, usual(), usual(), usual())
    assert (cell.colour, cell.flags, cell.by_batch) == ("R", (), True)
    assert cell.margin > SETTINGS.judging.sure_margin
    assert 0.9 < cell.confidence < 1


def test_a_sticker_that_was_taken_for_another_colour_gets_the_one_that_the_others_show():
    wrong = make_board(make_cell("Y", CENTRES["R"] + HUE, DOUBT, 2.0))
    (cell,), *_ = together(wrong, *[usual()] * 4)
    assert (cell.colour, cell.flags, cell.by_batch) == ("R", (), True)


@pytest.mark.parametrize("others", [0, 1])
def test_without_enough_others_nothing_is_decided(others):
    alone = make_board(make_cell("R", CENTRES["R"] + HUE, DOUBT, 5.0))
    boards = [alone, *[usual("Y", count=1)] * others]
    assert together(*boards) == tuple(cells for _, cells in boards)


def test_what_lies_between_two_colours_stays_in_doubt():
    board = make_board(make_cell("R", BETWEEN, DOUBT, 2.0))
    assert together(board, *[usual()] * 6)[0] == board[1]


def test_a_colour_that_no_board_shows_may_be_anywhere_and_keeps_its_neighbours_in_doubt():
    """A palette with orange, which nobody stuck: the reds may be those."""
    palette = palette_for("ROYB")
    alone = make_board(make_cell("R", CENTRES["R"], DOUBT, 5.0))
    assert together(alone, *[usual("RYB", shift=0 * HUE)] * 4, palette=palette)[0] == alone[1]


@pytest.mark.parametrize(("off", "decided"), [(4.0, True), (30.0, False)])
def test_what_the_palette_has_no_colour_for_must_be_just_like_the_others(off, decided):
    """Else it may be a leaf."""
    away = np.array([-off / 2, -off, 0.0])
    board = make_board(make_cell("R", CENTRES["R"] + HUE + away, (Flag.OFF_PALETTE,)))
    assert together(board, *[usual()] * 6)[0][0].by_batch == decided
    doubtful = make_board(make_cell("R", CENTRES["R"] + HUE + away, DOUBT))
    assert together(doubtful, *[usual()] * 6)[0][0].by_batch


@pytest.mark.parametrize("flag", [Flag.UNEVEN_CORE, Flag.GLARE, Flag.HIDDEN, Flag.TOO_DARK, Flag.OVEREXPOSED])
def test_a_doubt_that_is_not_about_colours_stays(flag):
    board = make_board(make_cell("R", CENTRES["R"] + HUE, (*DOUBT, flag), 5.0))
    assert together(board, *[usual()] * 4)[0] == board[1]


def test_an_owner_in_doubt_stays_so():
    board = make_board(make_cell("R", CENTRES["R"] + HUE, (*DOUBT, Flag.OWNER_UNCLEAR), 5.0))
    (cell,), *_ = together(board, *[usual()] * 4)
    assert (cell.flags, cell.by_batch) == ((Flag.OWNER_UNCLEAR,), True)
    assert cell.confidence <= SETTINGS.judging.trust_doubtful


def test_a_sure_sticker_that_the_others_call_another_colour_is_in_doubt_and_keeps_its_colour():
    wrong = make_board(make_cell("Y", CENTRES["R"] + HUE))
    (cell,), *_ = together(wrong, *[usual()] * 4)
    assert (cell.colour, cell.second, cell.flags, cell.by_batch) == ("Y", "R", (Flag.UNLIKE_OTHERS,), False)
    assert cell.confidence <= SETTINGS.judging.trust_doubtful


def test_a_light_strange_to_the_palette_is_none_where_all_boards_agree():
    boards = [usual(flags=(Flag.STRANGE_LIGHT,)) for _ in range(4)]
    assert all(cell.by_batch and not cell.flags for cells in together(*boards) for cell in cells)


def test_a_colour_that_may_be_anothers_stays_strange_however_many_boards_agree():
    """What is called yellow lies half way to the palette's green: it may be either."""
    half_way = usual("Y", 0.45 * (CENTRES["G"] - CENTRES["Y"]), flags=(Flag.STRANGE_LIGHT,))
    board = make_board(*usual("RB", 0 * HUE)[1], *half_way[1])
    yellow = [cell for cells in together(*[board] * 4) for cell in cells if cell.colour == "Y"]
    assert len(yellow) == 4 * len(half_way[1])
    assert all(cell.flags == (Flag.STRANGE_LIGHT,) and not cell.by_batch for cell in yellow)


def test_a_board_in_the_same_light_tells_more_than_one_in_another():
    """Two lights move red two ways; the sticker in doubt lies where the lamp's reds lie."""
    by_lamp = np.array([0.0, 0.0, 12.0])
    doubtful = make_cell("R", CENTRES["R"] + by_lamp, DOUBT, 5.0)
    lit = [usual(shift=by_lamp, light=LAMP)] * 4 + [usual(shift=0 * HUE)] * 4
    margins = [together(make_board(doubtful, light=light), *lit)[0][0].margin for light in (LAMP, DAY)]
    assert margins[0] > margins[1] > SETTINGS.judging.sure_margin


def test_the_colour_key_counts_like_several_stickers():
    key = tuple((code, tuple(map(float, centre + HUE))) for code, centre in CENTRES.items())
    keyed = make_board(light=DAY, key=key)
    alone = make_board(make_cell("R", CENTRES["R"] + HUE, DOUBT, 5.0))
    assert together(alone, keyed, keyed, keyed)[0][0].by_batch


def test_one_board_that_is_wrong_throughout_misleads_nobody():
    """Red and yellow changed places there; the others outvote it, and what it calls red is in doubt."""
    swapped = make_board(*[make_cell(a, CENTRES[b] + HUE) for a, b in ("RY", "YR") for _ in range(4)])
    alone = make_board(make_cell("R", CENTRES["R"] + HUE, DOUBT, 5.0))
    first, (cell,), *rest = together(swapped, alone, *[usual()] * 5)
    assert all(cell.flags == (Flag.UNLIKE_OTHERS,) for cell in first)
    assert (cell.colour, cell.by_batch) == ("R", True)
    assert rest == [usual()[1]] * 5


def test_empty_cells_and_those_that_have_clipped_are_left_alone():
    cells = (CellReading(0, 0, EMPTY, flags=DOUBT), CellReading(0, 1, "R", flags=DOUBT))
    assert together((usual()[0], cells), *[usual()] * 4)[0] == cells


LABS = st.tuples(st.floats(20, 100), st.floats(-70, 80), st.floats(-70, 90))
FLAGS = st.sampled_from([(), (), DOUBT, (Flag.STRANGE_LIGHT,), (Flag.OFF_PALETTE,), (Flag.GLARE, Flag.LOW_MARGIN)])
CELLS = st.builds(make_cell, st.sampled_from("RYGB"), LABS, FLAGS, st.floats(0, 40))
BOARDS = st.builds(
    lambda cells, light: make_board(*cells, light=light), st.lists(CELLS, max_size=6), st.sampled_from([DAY, LAMP])
)


@settings(max_examples=40)
@given(st.lists(BOARDS, min_size=1, max_size=5))
def test_whatever_is_seen_no_sure_cell_changes_its_colour_and_no_other_doubt_is_dropped(boards):
    after = together(*boards)
    for old, new in zip(itertools.chain(*(cells for _, cells in boards)), itertools.chain(*after), strict=True):
        if not old.flags:
            assert new.colour == old.colour
            assert new.flags in ((), (Flag.UNLIKE_OTHERS,))
        else:
            assert new == old or (new.by_batch and not new.flags and Flag.GLARE not in old.flags)
