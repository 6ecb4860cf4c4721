"""The picture of the no man's land: every shape, sticker and team is painted, nothing hides a mark."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_boards import GAME as TWO_TEAMS

from poradek_vision.game import score_game
from poradek_vision.model import Board, Game, OpenCell, Rules, Team
from poradek_vision.overlay import encode_jpeg, paint_land
from poradek_vision.overlay.land import _between
from poradek_vision.overlay.legend import fill_of

TEAMS = tuple(Team(f"Tým {k}", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[k]) for k in range(36))
SIDE, TOP, EDGE = 1128, 104, 36


def land(text, teams=8, open_cells=(), **rules):
    """A game and its results: ``RA`` is a red sticker of the team with mark A, ``R?`` nobody knows whose."""
    rows = [row.split() for row in text.split("/")]
    names = {team.mark: team.name for team in TEAMS} | {"?": "", ".": ""}
    board = Board(
        None,
        len(rows),
        tuple("".join(cell[0] for cell in row) for row in rows),
        tuple(tuple(names[cell[-1]] for cell in row) for row in rows),
        open=tuple(open_cells),
    )
    game = Game("Pořádek", no_mans_land=len(rows), teams=TEAMS[:teams], rules=Rules(**rules))
    return score_game([board], game), game


def at(picture, row, col, size):
    """The colour of a point of the board, in cells."""
    return picture[TOP + round(row * SIDE / size), EDGE + round(col * SIDE / size)].astype(int)


def test_stickers_lie_on_the_shape_of_the_team_that_was_awarded_it():
    picture = paint_land(*land("RA RA . / . RB . / YC . BB"))
    for row, col, colour in ((0, 0, "R"), (0, 1, "R"), (1, 1, "R"), (2, 0, "Y"), (2, 2, "B")):
        assert np.abs(at(picture, row + 0.5, col + 0.28, 3) - fill_of(colour, Game())).max() < 8
    red, yellow, blue = (at(picture, row, col, 3) for row, col in ((0.12, 0.12), (2.12, 0.12), (2.12, 2.12)))
    assert np.abs(at(picture, 1.88, 1.12, 3) - red).max() < 4  # B's sticker in A's shape
    assert min(np.abs(red - yellow).max(), np.abs(red - blue).max(), np.abs(yellow - blue).max()) > 20
    assert np.abs(at(picture, 0.5, 2.5, 3) - (249, 249, 249)).max() < 4


def test_a_tie_is_grey_and_the_key_tells_why():
    picture, other = paint_land(*land("RA RB / . .")), paint_land(*land("RA RB / . .", tie="stickers"))
    assert np.ptp(at(picture, 0.12, 0.12, 2)) < 12
    assert picture.shape == other.shape
    assert paint_land(*land("RA RA / . .")).shape[0] < picture.shape[0]


def test_an_open_cell_is_framed():
    sure = paint_land(*land("RA RA / . ."))
    doubtful = paint_land(*land("RA RA / . .", open_cells=[OpenCell(0, 1, colour=False)]))
    assert np.abs(at(doubtful, 0.01, 1.5, 2) - (255, 70, 215)).max() < 8
    assert np.abs(at(sure, 0.01, 1.5, 2) - (255, 70, 215)).max() > 50


@pytest.mark.parametrize("teams", [2, 8, 36])
def test_every_team_has_its_row(teams):
    picture = paint_land(*land("RA RA / . .", teams))
    legend = picture[TOP + SIDE + 20 :]
    inked = (legend.min(-1) < 60).any(1)
    rows = -(-teams // 2)
    assert all(inked[58 * k + 10 : 58 * k + 50].any() for k in range(rows))
    assert len(encode_jpeg(picture)) > 10_000


def test_teams_without_a_list_and_long_names_fit():
    name = "Neohrožení rytíři kulatého stolu ze Žďáru nad Sázavou"
    board = Board(None, 2, ("RR", ".."), (("7", "7"), ("", "")))
    assert paint_land(score_game([board], Game(no_mans_land=2)), Game(no_mans_land=2)).shape[1] == 1200
    game = Game(title=name, no_mans_land=2, teams=(Team(name, "A"), *TWO_TEAMS.teams))
    picture = paint_land(score_game([board], game), game)
    assert (picture[:, :20] == picture[0, 0]).all()
    assert (picture[:, -20:] == picture[0, 0]).all()


def test_without_a_no_man_s_land_there_is_nothing_to_paint():
    with pytest.raises(ValueError, match="no board"):
        paint_land(score_game([], Game()), Game())


stickers = st.sampled_from([c + o for c in "RY" for o in "AB?"] + ["."])
boards = st.integers(2, 5).flatmap(
    lambda n: st.lists(st.lists(stickers, min_size=n, max_size=n), min_size=n, max_size=n)
)


@settings(max_examples=40, deadline=None)
@given(boards, st.sampled_from(["nobody", "share", "every", "stickers"]))
def test_any_land_can_be_painted_and_plates_hide_no_sticker(rows, tie):
    results, game = land(" / ".join(" ".join(row) for row in rows), tie=tie)
    paint_land(results, game)
    for shape in results.shapes:
        if shape.points:
            x, y = _between(shape)
            middles = [(row + 0.5, col + 0.5) for row, col in itertools.product(range(len(rows)), repeat=2)]
            assert min(np.hypot(y - row, x - col) for row, col in middles) >= 0.49
