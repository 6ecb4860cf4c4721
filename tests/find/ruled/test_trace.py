"""Lines traced: bends are followed, stickers crossed, an underline is not taken for the border beside it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from poradek_vision.find.ruled.choice import worth_of
from poradek_vision.find.ruled.evidence import Evidence
from poradek_vision.find.ruled.refine import follow
from poradek_vision.find.ruled.trace import trace

SIZE, CELL, LEFT = 4, 60, 60
SIDE = SIZE * CELL + 2 * LEFT


def place(board):
    return board * CELL + LEFT


def drawn(bend=0.0, underline_cells=None, hidden=()):
    """Evidence of a grid whose horizontal lines bend by ``bend`` cells in the middle; rows and columns hidden."""
    y, x = np.mgrid[:SIDE, :SIDE].astype(np.float32)
    u, v = (x - LEFT) / CELL, (y - LEFT) / CELL
    sag = bend * np.sin(np.pi * u / SIZE)
    inside_u, inside_v = (u > -0.02) & (u < SIZE + 0.02), (v - sag > -0.02) & (v - sag < SIZE + 0.02)
    ink = np.zeros((SIDE, SIDE), np.float32)
    for k in range(SIZE + 1):
        ink = np.maximum(ink, np.exp(-(((u - k) * CELL / 1.2) ** 2)) * inside_v)
        ink = np.maximum(ink, np.exp(-(((v - sag - k) * CELL / 1.2) ** 2)) * inside_u)
    if underline_cells is not None:
        ink = np.maximum(ink, np.exp(-(((v - sag + underline_cells) * CELL / 1.8) ** 2)) * (u > 0.5))
    colour = np.zeros((SIDE, SIDE), np.float32)
    for row, col in hidden:
        colour[LEFT + row * CELL - 6 : LEFT + row * CELL + 50, LEFT + col * CELL : LEFT + (col + 1) * CELL] = 1
    ink *= 1 - colour
    taken = np.repeat((ink * 150).astype(np.uint8)[..., None], 3, axis=2)
    levels, white = 255 - taken, np.full((SIDE, SIDE, 3), 255, np.float32)
    return Evidence(0.3 * ink.astype(np.float32), colour, colour, 0 * colour, taken, levels, white, 1.0, (0, 0))


def truth(bend):
    lines = np.arange(SIZE + 1.0)
    x, y = np.meshgrid(lines, lines)
    return place(np.stack([x, y + bend * np.sin(np.pi * x / SIZE)], -1))


def test_a_bend_is_traced_along_the_whole_line():
    seen = trace(drawn(bend=0.15), place, np.full((2 * SIZE + 2, SIZE), np.nan), reach=0.27)
    across = seen.off[seen.axis == 1]
    away = np.abs(seen.along - np.round(seen.along)) > 0.1
    expected = 0.15 * np.sin(np.pi * seen.along / SIZE)
    assert np.abs(across - expected)[:, away].max() < 0.02
    assert np.abs(seen.off[seen.axis == 0][:, away]).max() < 0.03


@pytest.mark.parametrize("bend", [0.0, 0.12, -0.2])
def test_crossings_follow_the_bend(bend):
    ruling = follow(drawn(bend), place, SIZE)
    assert np.abs(ruling.crossings - truth(bend)).max() < 0.03 * CELL
    assert ruling.error_cells < 0.01


def test_what_stickers_hide_is_less_sure_but_in_place():
    hidden = [(0, 0), (0, 1), (1, 0), (3, 3)]
    ruling, plain = follow(drawn(0.1, hidden=hidden), place, SIZE), follow(drawn(0.1), place, SIZE)
    assert np.abs(ruling.crossings - truth(0.1)).max() < 0.08 * CELL
    assert ruling.errors.max() > plain.errors.max()


@pytest.mark.parametrize("apart", [0.12, 0.2])
def test_of_two_lines_side_by_side_the_inner_one_is_the_border(apart):
    def start(board):
        return place(board - np.where(board[..., 1:] < 0.5, [0.0, apart], [0.0, 0.0]))

    ruling = follow(drawn(underline_cells=apart), start, SIZE)
    assert np.abs(ruling.crossings - truth(0.0)).max() < 0.05 * CELL


def test_a_border_that_nothing_confirms_at_its_end_is_open():
    evidence = drawn()
    evidence.ink[LEFT - 20 : LEFT + 20, LEFT + 3 * CELL + 9 : LEFT + 4 * CELL + 9] = 0
    taken = np.repeat((evidence.ink * 500).astype(np.uint8)[..., None], 3, axis=2)
    ruling = follow(replace(evidence, taken=taken), place, SIZE)
    assert ruling.open_end > 0.75
    assert ruling.unseen < 0.6
    assert follow(drawn(), place, SIZE).open_end < 0.1


def test_where_stickers_hide_the_lines_known_places_are_held():
    def bent(board):
        return place(board + 0.2 * np.sin(np.pi * board[..., :1] / SIZE) * [0.0, 1.0])

    evidence = drawn(0.2, hidden=[(row, col) for row in range(SIZE) for col in (1, 2, 3)])
    worst = [np.abs(follow(evidence, bent, SIZE, hold).crossings - truth(0.2)).max() / CELL for hold in (0.0, 0.1)]
    assert worst[1] < min(0.1, 0.7 * worst[0])


def test_a_grid_wholly_under_stickers_stays_where_it_was():
    evidence = drawn()
    covered = np.ones_like(evidence.colour)
    ruling = follow(replace(evidence, colour=covered, stickers=covered), place, SIZE)
    assert np.abs(ruling.crossings - truth(0.0)).max() < 0.05 * CELL


def test_a_board_of_cells_twice_as_wide_is_worth_little():
    assert worth_of(drawn(), place, SIZE) > 0.9
    assert worth_of(drawn(), lambda board: place(2 * board), SIZE // 2) < 0.1


def test_lines_of_a_larger_board_go_on_beyond_the_border():
    assert follow(drawn(), place, SIZE - 1).goes_on > 0.7
    assert follow(drawn(), place, SIZE).goes_on < 0.2
    assert follow(drawn(), place, SIZE - 1).ended == 0
    assert follow(drawn(), place, SIZE).ended > 0.5


def test_lines_that_end_before_a_border_are_told_from_those_that_meet_it():
    meeting, ending = drawn(), drawn()
    last = LEFT + SIZE * CELL
    ending.ink[last - CELL // 3 : last - 4] = 0  # as where a border was drawn beside its place
    assert follow(meeting, place, SIZE).to_border > 0.8
    assert follow(ending, place, SIZE).to_border < 0.2


def test_lines_that_lie_where_they_are_expected_settle_at_once():
    assert follow(drawn(), place, SIZE).restless < 0.02


def faded(last=0.15):
    """A grid whose right border bends away and fades, with the lines across it."""
    evidence = drawn(0.0)
    x = np.arange(SIDE) / CELL - LEFT / CELL
    return replace(evidence, ink=evidence.ink * np.interp(x, [1.5, SIZE], [1.0, last]).astype(np.float32))


def test_a_border_that_fades_is_followed_and_not_missing():
    def start(board):
        return place(board - np.where(board[..., :1] > SIZE - 0.5, [0.1, 0.0], [0.0, 0.0]))

    ruling = follow(faded(), start, SIZE)
    assert np.abs(ruling.crossings - truth(0.0)).max() < 0.04 * CELL
    assert not ruling.missing.any()


def between_stickers(bend, pen):
    """A grid all of whose cells are filled to the lines by stickers of four colours, but for two in a corner."""
    y, x = np.mgrid[:SIDE, :SIDE].astype(np.float32)
    u, v = (x - LEFT) / CELL, (y - LEFT) / CELL
    v = v - bend * np.sin(np.pi * u / SIZE)
    row, col = np.floor(v).astype(int), np.floor(u).astype(int)
    inside = (u > 0) & (u < SIZE) & (v > 0) & (v < SIZE)
    colours = np.array([[200, 30, 40], [230, 200, 30], [30, 140, 60], [220, 120, 30]], np.uint8)
    stuck = inside & ~((row == 0) & (col < 2))
    levels = np.where(stuck[..., None], colours[(row + 2 * col) % 4], np.uint8(250))
    away = np.minimum(np.abs(u - np.round(u)), np.abs(v - np.round(v))) * CELL
    near = (u > -0.03) & (u < SIZE + 0.03) & (v > -0.03) & (v < SIZE + 0.03)
    share = (np.clip(2.5 - away, 0, 1) * near)[..., None]
    levels = np.round(levels * (1 - share) + np.array(pen) * share).astype(np.uint8)
    colour = cv2.dilate(stuck.astype(np.float32), np.ones((5, 5), np.uint8))
    ink = share[..., 0].astype(np.float32) * 0.3 * (1 - colour)
    taken = np.round(255 * (1 - np.array(pen) / 255) * share).astype(np.uint8)
    white = np.full((SIDE // 2, SIDE // 2, 3), 255, np.float32)
    return Evidence(ink, colour, colour, 0 * colour, taken, levels, white, 1.0, (0, 0))


def test_lines_of_a_coloured_pen_are_followed_between_stickers_that_touch():
    ruling = follow(between_stickers(0.12, (40, 50, 170)), place, SIZE)
    assert np.abs(ruling.crossings - truth(0.12)).max() < 0.04 * CELL
    assert ruling.errors.max() < 0.05


@pytest.mark.parametrize(("tint", "missing"), [((255, 255, 255), [[0, 2, 1]]), ((255, 255, 190), [])])
def test_a_piece_under_a_pale_sticker_is_not_missing(tint, missing):
    evidence = drawn()
    gap = slice(LEFT + CELL + 1, LEFT + 2 * CELL - 1), slice(LEFT + 2 * CELL - 20, LEFT + 2 * CELL + 20)
    evidence.ink[gap] = 0
    evidence.levels[gap] = tint
    assert np.argwhere(follow(evidence, place, SIZE).missing).tolist() == missing
