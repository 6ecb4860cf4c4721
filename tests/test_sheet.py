"""The printed sheet in millimetres: ids, worked numbers, what fits."""

import dataclasses

import pytest

from poradek_vision.errors import SettingsError
from poradek_vision.model import Game, Rect, Team
from poradek_vision.sheet import (
    A3_MM,
    A4_MM,
    EDGE_MM,
    card_sheet,
    fiducial_squares,
    half_sheets,
    meaning,
    most_teams,
    no_mans_land_sheet,
    team_sheet,
)

GAME = Game(teams=(Team("Vlci", "V"), Team("Lišky", "L")))


def make_game(**changes):
    return dataclasses.replace(GAME, **changes)


def test_six_by_six_has_the_worked_numbers():
    spec = team_sheet(GAME, 0, 6)
    assert (spec.page_mm, spec.grid) == (A4_MM, Rect(45, 90, 120, 120))
    assert [tag.square for tag in spec.fiducials] == [
        Rect(25, 70, 16, 16),
        Rect(169, 70, 16, 16),
        Rect(169, 214, 16, 16),
        Rect(25, 214, 16, 16),
    ]
    assert [(tag.id, tag.corner) for tag in spec.fiducials] == [(8, 0), (9, 1), (10, 2), (11, 3)]
    assert spec.key[0] == Rect(57.5, 236, 20, 20)
    assert [box.x - spec.key[0].x for box in spec.key] == [0, 25, 50, 75]


def test_ruler_blocks_stand_on_even_cells_of_all_four_sides():
    ruler = set(team_sheet(GAME, 0, 3).ruler)
    assert ruler == {
        *(Rect(x, y, 20, 5) for x in (75, 115) for y in (80, 155)),
        *(Rect(x, y, 5, 20) for x in (65, 140) for y in (90, 130)),
    }


@pytest.mark.parametrize("team", [0, 1, 35])
@pytest.mark.parametrize("size", [6, 5, 4, 3])
def test_every_tag_alone_tells_team_size_and_corner(team, size):
    tags = team_sheet(GAME, team, size).fiducials
    assert [(m.kind, m.team_index, m.size, m.corner) for m in (meaning(tag.id, GAME) for tag in tags)] == [
        ("team", team, size, corner) for corner in range(4)
    ]


def test_ids_follow_the_order_of_sizes_and_never_meet():
    game = make_game(sizes=(3, 5))
    assert team_sheet(game, 1, 3).fiducials[0].id == 4 * (2 + 4)
    assert team_sheet(game, 1, 5).fiducials[0].id == 4 * (2 + 4 + 1)
    boards = [team_sheet(GAME, team, size) for team in range(2) for size in GAME.sizes]
    ids = [tag.id for spec in (*boards, no_mans_land_sheet(GAME), card_sheet(GAME)) for tag in spec.fiducials]
    assert len(set(ids)) == len(ids)
    assert meaning(4 * (2 + 3), game).size == 0  # a place that this game does not use


def test_card_and_no_mans_land_have_ids_of_their_own():
    assert [tag.id for tag in no_mans_land_sheet(GAME).fiducials] == [0, 1, 2, 3]
    assert [tag.id for tag in card_sheet(GAME).fiducials] == [4, 5, 6, 7]
    assert (meaning(2, GAME).kind, meaning(2, GAME).size) == ("no_mans_land", 12)
    assert (meaning(5, GAME).kind, meaning(5, GAME).size) == ("card", 4)


def test_at_most_36_teams_fit_the_ids():
    assert most_teams() == 36
    assert max(tag.id for tag in team_sheet(GAME, 35, 3).fiducials) < 587
    with pytest.raises(SettingsError, match="at most 36"):
        team_sheet(GAME, 36, 6)


def test_no_mans_land_is_on_a3():
    spec = no_mans_land_sheet(GAME)
    assert (spec.page_mm, spec.grid) == (A3_MM, Rect(28.5, 110, 240, 240))
    assert [box.y for box in spec.key] == [376] * 4  # 402 with the names, 404 would be too far
    assert all(half.key == () for half in half_sheets(GAME))


def test_a_small_no_mans_land_is_on_a4():
    assert no_mans_land_sheet(make_game(no_mans_land=7)).page_mm == A4_MM


def test_halves_taped_together_are_the_whole_sheet():
    whole = no_mans_land_sheet(GAME)
    parts = half_sheets(GAME)
    assert [[tag.corner for tag in part.fiducials] for part in parts] == [[0, 3], [1, 2]]
    assert [part.cut_x_mm for part in parts] == [165, 45]

    def on_board(spec, rect):
        x0, y0 = spec.grid.x - spec.first_col * spec.cell_mm, spec.grid.y
        return Rect(rect.x - x0, rect.y - y0, rect.w, rect.h)

    taped = {on_board(part, block) for part in parts for block in part.ruler}
    assert taped == {on_board(whole, block) for block in whole.ruler}
    tags = {(tag.id, on_board(part, tag.square)) for part in parts for tag in part.fiducials}
    assert tags == {(tag.id, on_board(whole, tag.square)) for tag in whole.fiducials}


def test_halves_need_an_even_size_and_a_no_mans_land():
    with pytest.raises(SettingsError, match="print it on A3"):
        half_sheets(make_game(no_mans_land=11))
    with pytest.raises(SettingsError, match="no_mans_land = 0"):
        no_mans_land_sheet(make_game(no_mans_land=0))


def test_too_large_cells_are_refused_with_the_largest_that_fit():
    with pytest.raises(SettingsError, match=r"6×6 does not fit.*largest cell_mm is 25\.6"):
        team_sheet(make_game(cell_mm=26), 0, 6)
    with pytest.raises(SettingsError, match=r"largest cell_mm is 20$"):
        no_mans_land_sheet(make_game(cell_mm=20.5))
    assert team_sheet(make_game(cell_mm=25.6), 0, 6).cell_mm == 25.6


@pytest.mark.parametrize("cell_mm", [8, 20, 25.6])
@pytest.mark.parametrize("size", [6, 5, 4, 3])
def test_everything_stays_off_the_page_edge(size, cell_mm):
    spec = team_sheet(make_game(cell_mm=cell_mm), 0, size)
    for rect in (*spec.ruler, *spec.key, *(tag.square for tag in spec.fiducials), spec.grid):
        assert rect.x >= EDGE_MM
        assert rect.y >= EDGE_MM
        assert rect.x + rect.w <= spec.page_mm[0] - EDGE_MM
        assert rect.y + rect.h <= spec.page_mm[1] - EDGE_MM


def test_key_is_left_out_where_it_would_reach_the_foot():
    assert team_sheet(make_game(cell_mm=25), 0, 6).key == ()
    assert len(team_sheet(make_game(cell_mm=25), 0, 5).key) == 4
    assert card_sheet(GAME).key == ()


def test_card_has_a_row_per_colour_in_cells_that_fit():
    assert (card_sheet(GAME).rows, card_sheet(GAME).cols, card_sheet(GAME).cell_mm) == (4, 5, 20)
    many = card_sheet(make_game(colours=GAME.colours * 2, cell_mm=25.0))
    assert many.rows == 8
    assert many.fiducials[2].square.y + 16 <= 297 - 16


def test_tags_stand_diagonally_outside_the_corners():
    assert fiducial_squares(2, 3, 10)[2] == Rect(34, 24, 16, 16)
