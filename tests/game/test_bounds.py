import itertools
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typed_land import board, lands, parse, stickers

from poradek_vision.game import bounds, land_bounds, merged_shapes, score_game, score_rows
from poradek_vision.model import Board, Colour, Game, OpenCell, Rules, Team

CODES = "RY"


def open_cells(most, size=4):
    """Up to ``most`` different cells of a board, some with only their owner open."""
    places = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))
    return st.lists(st.tuples(places, st.booleans()), max_size=most, min_size=1, unique_by=lambda cell: cell[0]).map(
        lambda cells: [OpenCell(row, col, colour=colour) for (row, col), colour in cells]
    )


def readings_of_team_board(rows, cells):
    for colours in itertools.product(CODES + ".", repeat=len(cells)):
        read = [list(row) for row in rows]
        for cell, colour in zip(cells, colours, strict=True):
            read[cell.row][cell.col] = colour
        yield score_rows(["".join(row) for row in read])


team_rows = st.lists(st.text(CODES + ".", min_size=4, max_size=4), min_size=4, max_size=4)


@given(team_rows, open_cells(4))
def test_team_board_bounds_are_exact_for_a_few_open_cells(rows, cells):
    cells = [OpenCell(cell.row, cell.col) for cell in cells]
    points = list(readings_of_team_board(rows, cells))
    assert bounds.board_bounds(Board("a", 4, tuple(rows), open=tuple(cells)), CODES) == (min(points), max(points))


@given(team_rows, open_cells(3))
def test_team_board_bounds_hold_when_there_are_too_many_readings_to_try(rows, cells):
    cells = [OpenCell(cell.row, cell.col) for cell in cells]
    points = list(readings_of_team_board(rows, cells))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "BUDGET", 0)
        low, high = bounds.board_bounds(Board("a", 4, tuple(rows), open=tuple(cells)), CODES)
    assert low == min(points)
    assert high >= max(points)
    assert high == max(points) or len(cells) > 1


def test_open_owners_do_not_matter_on_a_team_board():
    closed = Board("a", 2, ("RR", ".."), open=(OpenCell(0, 0, colour=False),))
    assert bounds.board_bounds(closed, CODES) == (1, 1)


def test_a_wholly_open_team_board_lies_between_nothing_and_one_colour():
    cells = tuple(OpenCell(r, c) for r in range(6) for c in range(6))
    assert bounds.board_bounds(Board("a", 6, ("......",) * 6, open=cells), "RYGB") == (0, 290)


def credit_of_readings(text, cells, teams, rules):
    """What each team is credited with under every reading."""
    rows, owners = parse(text)
    choices = []
    for cell in cells:
        colour = rows[cell.row][cell.col]
        stickers_here = [c + o for c in (CODES if cell.colour else colour) for o in [*teams, ""]]
        choices.append([".", *stickers_here] if cell.colour else ["."] if colour == "." else stickers_here)
    for reading in itertools.product(*choices):
        read, read_owners = [list(row) for row in rows], [list(row) for row in owners]
        for cell, sticker in zip(cells, reading, strict=True):
            read[cell.row][cell.col], read_owners[cell.row][cell.col] = sticker[0], sticker[1:]
        credit = defaultdict(float)
        for shape in merged_shapes(["".join(row) for row in read], read_owners, rules):
            for team, points in shape.awarded:
                credit[team] += points
        yield credit


all_rules = st.builds(
    Rules, st.sampled_from(["corner", "edge"]), st.sampled_from(["nobody", "share", "every", "stickers"])
)


@settings(max_examples=60, deadline=None)
@given(lands(stickers(teams="abc"), (3, 3)), open_cells(2, size=3), all_rules)
def test_land_bounds_are_exact_for_a_few_open_cells(text, cells, rules):
    credits = list(credit_of_readings(text, cells, "abc", rules))
    found = land_bounds.land_bounds(board(text, cells), CODES, "abc", rules)
    for team in "abc":
        expected = (min(credit[team] for credit in credits), max(credit[team] for credit in credits))
        assert found[team] == pytest.approx(expected)


@settings(max_examples=30, deadline=None)
@given(lands(stickers(teams="a"), (3, 3)), open_cells(2, size=3), all_rules)
def test_teams_without_a_sticker_are_alike_and_exact(text, cells, rules):
    credits = list(credit_of_readings(text, cells, "abcde", rules))
    found = land_bounds.land_bounds(board(text, cells), CODES, "abcde", rules)
    for team in "abcde":
        expected = (min(credit[team] for credit in credits), max(credit[team] for credit in credits))
        assert found[team] == pytest.approx(expected)


@settings(max_examples=60, deadline=None)
@given(lands(stickers(teams="ab"), (3, 3)), open_cells(3, size=3), all_rules)
def test_land_bounds_hold_when_there_are_too_many_readings_to_try(text, cells, rules):
    credits = list(credit_of_readings(text, cells, "ab", rules))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(land_bounds, "BUDGET", 0)
        land_bounds._knot_bounds.cache_clear()
        found = land_bounds.land_bounds(board(text, cells), CODES, "ab", rules)
        land_bounds._knot_bounds.cache_clear()
    for team in "ab":
        low, high = found[team]
        assert low <= min(credit[team] for credit in credits) + 1e-9
        assert high >= max(credit[team] for credit in credits) - 1e-9
        assert high <= score_rows(["R" * 3] * 3)


def credit_of_reading(text, cells, reading, rules):
    """What each team is credited with when the open cells hold these stickers."""
    rows, owners = parse(text)
    read, read_owners = [list(row) for row in rows], [list(row) for row in owners]
    for cell, sticker in zip(cells, reading, strict=True):
        colour = sticker[0] if cell.colour else rows[cell.row][cell.col]
        read[cell.row][cell.col], read_owners[cell.row][cell.col] = colour, "" if colour == "." else sticker[1:]
    credit = defaultdict(float)
    for shape in merged_shapes(["".join(row) for row in read], read_owners, rules):
        for team, points in shape.awarded:
            credit[team] += points
    return credit


@settings(max_examples=150, deadline=None)
@given(st.data(), lands(stickers(teams="ab"), (4, 6)), st.booleans(), all_rules)
def test_no_reading_of_a_larger_land_leaves_its_bounds(data, text, listed, rules):
    """Many open cells, unknown owners in closed ones, and teams of which nobody knew when no list is kept."""
    size = len(parse(text)[0])
    cells = data.draw(open_cells(10, size=size))
    unseen = "ab" if listed else "abz"
    reading = st.lists(stickers(teams=unseen), min_size=len(cells), max_size=len(cells))
    one_team = st.sampled_from(["R" + team for team in unseen]).map(lambda sticker: [sticker] * len(cells))
    teams = ["a", "b"] if listed else ["a", "b", land_bounds.UNSEEN]
    found = land_bounds.land_bounds(board(text, cells), CODES, teams, rules)
    for read in data.draw(st.lists(reading | one_team, min_size=1, max_size=4)):
        credit = credit_of_reading(text, cells, read, rules)
        for team in "ab":
            low, high = found[team]
            assert low - 1e-9 <= credit[team] <= high + 1e-9


@pytest.mark.parametrize(
    ("text", "cells", "expected"),
    [
        # a's row of five is its own for sure, the row of unknown stickers may be
        ("Ra Ra Ra Ra Ra / . . . . . / . . . . . / . . . . . / R R R R R", [(4, c) for c in range(5)], (10, 20)),
        # b can reach 1 at most against a's 6: all is a's whoever stuck the two
        ("Ra Ra Ra R / . . . R / . . . . / . . . .", [(0, 3), (1, 3)], (8, 8)),
    ],
)
def test_the_estimate_knows_when_a_team_can_not_lose(text, cells, expected):
    cells = [OpenCell(row, col, colour=False) for row, col in cells]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(land_bounds, "BUDGET", 0)
        land_bounds._knot_bounds.cache_clear()
        found = land_bounds.land_bounds(board(text, cells), CODES, "ab", Rules())
        land_bounds._knot_bounds.cache_clear()
    assert found["a"] == expected


def test_a_wholly_open_land_is_bounded_at_once():
    cells = [OpenCell(r, c) for r in range(12) for c in range(12)]
    text = " / ".join([" ".join(["Ra"] * 12)] * 12)
    teams = [f"team {number}" for number in range(8)]
    found = land_bounds.land_bounds(board(text, cells), "RYGB", teams, Rules())
    assert set(found.values()) == {(0.0, float(score_rows(["R" * 12] * 12)))}


# --- boards of which it is in doubt whose they are ------------------------------------------------------------------


def owners_of(boards, teams):
    """Every way to give boards in doubt to teams without a sure board of their size, at most one each, or to nobody."""
    sure = {(one.team, one.size) for one in boards if not one.in_doubt}
    for owners in itertools.product(*(["", *teams] if one.in_doubt else [one.team] for one in boards)):
        places = [(owner, one.size) for owner, one in zip(owners, boards, strict=True) if one.in_doubt and owner]
        if len(set(places)) == len(places) and not sure & set(places):
            yield owners


def totals_of(boards, teams):
    """Every total that each team may have, whosever the boards in doubt are and whatever open cells hold."""
    points = [set(readings_of_team_board(one.rows, one.open)) for one in boards]
    totals = {team: set() for team in teams}
    for owners in owners_of(boards, teams):
        for team in teams:
            own = [some for owner, some in zip(owners, points, strict=True) if owner == team]
            totals[team] |= {sum(reading) for reading in itertools.product(*own)}
    return totals


@st.composite
def games_in_doubt(draw):
    """A game of three teams, and at most one board that names each team and size beside two that name none."""
    named = draw(
        st.lists(st.sampled_from([(team, size) for team in "ABC" for size in (2, 3)]), unique=True, max_size=3)
    )
    places = named + draw(st.lists(st.sampled_from([("", 2), ("", 3)]), max_size=2))
    boards = []
    for team, size in places:
        row = st.text(f"{CODES}.", min_size=size, max_size=size)
        rows = tuple(draw(row) for _ in range(size))
        cells = tuple(OpenCell(0, draw(st.integers(0, size - 1))) for _ in range(draw(st.integers(0, 1))))
        boards.append(Board(team, size, rows, open=cells, team_open=draw(st.booleans())))
    return boards


@given(games_in_doubt())
@settings(deadline=None)
def test_totals_are_bounded_exactly_whosever_the_boards_in_doubt_are(boards):
    colours = tuple(Colour(code, code, "#000000") for code in CODES)
    game = Game(sizes=(2, 3), no_mans_land=0, teams=tuple(Team(name, name) for name in "ABC"), colours=colours)
    possible = totals_of(boards, "ABC")
    found = {total.team: (total.total_min, total.total, total.total_max) for total in score_game(boards, game).totals}
    assert {team: (min(totals), max(totals)) for team, totals in possible.items()} == {
        team: (least, most) for team, (least, _, most) in found.items()
    }
    assert all(least <= total <= most for least, total, most in found.values())
