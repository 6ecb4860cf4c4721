"""Whose stickers, on lands drawn with exact truth."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont
from synth.glyphs import strokes
from training.strokes import drawn

from mark.drawn_land import Look, draw_land
from mark.drawn_signs import SIGNS
from poradek_vision.mark import OwnerSettings, read_owners
from poradek_vision.model import CellReading, Flag, Game, Rectified, Team

MARKS = "ABC4"
GAME = Game(teams=tuple(Team(f"team {mark}", mark) for mark in MARKS))
FONTS = Path(__file__).parents[2] / "poradek_vision" / "fonts"
BOLD = ImageFont.truetype(FONTS / "DejaVuSans-Bold.ttf", 90)
DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def written(team, rng):
    return drawn(strokes(MARKS[team], rng), 0.1, 96, rng) / 255


def printed(team, rng):
    return np.pad(255 - DICTIONARY.generateImageMarker(team, 72), 14) / 255


def read(stamp, look, seed=0, n=4, game=GAME):
    """Readings of a land, the team drawn in each, and how many were drawn."""
    rng = np.random.default_rng(seed)
    owners = rng.integers(-1, len(MARKS), (n, n))
    picture, cells = draw_land(owners, stamp, look, rng, codes=stamp is printed)
    readings = read_owners(picture, cells, game, OwnerSettings()).readings
    return readings, [int(owners[reading.row, reading.col]) for reading in readings], int((owners >= 0).sum())


@pytest.mark.parametrize("stamp", [written, printed])
@pytest.mark.parametrize("look", [Look(), Look(round=True, size=0.75), Look(shade=0.5, turn_deg=15)])
def test_an_easy_land_is_read_without_a_doubt(stamp, look):
    readings, truth, count = read(stamp, look)
    assert len(readings) == count
    assert [reading.owner for reading in readings] == [GAME.teams[team].name for team in truth]
    assert all(reading.margin > 0 and 0 < reading.confidence <= 1 for reading in readings)


@pytest.mark.parametrize("stranger", "WT7ZNE")
def test_the_mark_of_no_team_is_nobodys(stranger):
    rng = np.random.default_rng(7)
    owners = np.where(rng.random((6, 6)) < 0.2, len(MARKS), rng.integers(-1, len(MARKS), (6, 6)))

    def stamp(team, rng):
        return drawn(strokes((MARKS + stranger)[team], rng), 0.1, 96, rng) / 255

    picture, cells = draw_land(owners, stamp, Look(), rng)
    readings = read_owners(picture, cells, GAME, OwnerSettings()).readings
    foreign = {reading.owner for reading in readings if owners[reading.row, reading.col] == len(MARKS)}
    assert foreign == {""}
    others = [reading for reading in readings if owners[reading.row, reading.col] < len(MARKS)]
    assert sum(bool(reading.owner) for reading in others) >= 0.9 * len(others)


@pytest.mark.parametrize("sign", SIGNS)
def test_signs_are_no_marks(sign):
    rng = np.random.default_rng(11)
    owners = np.where(rng.random((6, 6)) < 0.3, len(MARKS), rng.integers(-1, len(MARKS), (6, 6)))

    def stamp(team, rng):
        lines = SIGNS[sign] if team == len(MARKS) else strokes(MARKS[team], rng)
        return drawn([line + rng.normal(0, 0.01, line.shape) for line in lines], 0.09, 96, rng) / 255

    picture, cells = draw_land(owners, stamp, Look(), rng)
    readings = read_owners(picture, cells, GAME, OwnerSettings()).readings
    sure = {bool(reading.owner) for reading in readings if owners[reading.row, reading.col] == len(MARKS)}
    assert sure == {False}
    others = [reading for reading in readings if owners[reading.row, reading.col] < len(MARKS)]
    assert sum(bool(reading.owner) for reading in others) >= 0.9 * len(others)


def bold(team, rng):
    picture = Image.new("L", (96, 96))
    ImageDraw.Draw(picture).text((48, 48), "ABCD"[team], 255, BOLD, anchor="mm")
    return np.asarray(picture) / 255


@pytest.mark.parametrize("seed", range(3))
def test_bold_letters_that_look_like_codes_are_marks(seed):
    game = Game(teams=tuple(Team(f"team {mark}", mark) for mark in "ABCD"))
    readings, truth, _ = read(bold, Look(), seed, n=6, game=game)
    assert [reading.owner for reading in readings] == [game.teams[team].name for team in truth]


@pytest.mark.parametrize("blur", [0.06, 0.08, 0.1, 0.12])
def test_codes_blurred_beyond_reading_are_nobodys_marks(blur):
    wrong = [
        reading.owner
        for seed in range(3)
        for reading, team in zip(*read(printed, Look(blur=blur, noise=6), seed, n=6)[:2], strict=True)
        if reading.owner not in ("", GAME.teams[team].name)
    ]
    assert wrong == []


@pytest.mark.parametrize("stamp", [written, printed])
def test_no_hard_land_is_read_wrongly_without_a_flag(stamp):
    look = Look(size=0.7, ink=0.5, mark_size=0.36, blur=0.035, noise=8, shade=0.4, cover=0.1)
    readings, truth, _ = read(stamp, look, seed=4, n=6)
    silent = [
        reading
        for reading, team in zip(readings, truth, strict=True)
        if reading.owner not in ("", GAME.teams[team].name)
    ]
    assert silent == []


@pytest.mark.parametrize("stamp", [written, printed])
def test_a_sticker_that_the_photo_cuts_off_has_no_owner(stamp):
    rng = np.random.default_rng(3)
    picture, cells = draw_land(np.arange(16).reshape(4, 4) % 4, stamp, Look(), rng, codes=stamp is printed)
    seen = picture.seen.copy()
    seen[:, round(4.4 * picture.px_per_cell) :] = False  # the margin is half a cell wide
    readings = read_owners(replace(picture, seen=seen), cells, GAME, OwnerSettings()).readings
    assert [bool(reading.owner) for reading in readings] == [True, True, True, False] * 4


def test_a_sticker_without_a_mark_has_no_owner():
    blank = np.zeros((96, 96))
    rng = np.random.default_rng(2)
    picture, cells = draw_land(
        np.array([[0, 1], [2, 1]]), lambda team, _: blank if team == 2 else written(team, rng), Look(), rng
    )
    by_cell = {(r.row, r.col): r for r in read_owners(picture, cells, GAME, OwnerSettings()).readings}
    assert by_cell[1, 0].owner == ""
    assert by_cell[1, 0].flags == (Flag.OWNER_UNCLEAR,)
    assert by_cell[0, 0].owner == "team A"


def test_two_teams_of_one_mark_are_never_told_apart():
    game = Game(teams=(Team("Vlci", "A"), Team("Lišky", "A"), Team("Sovy", "B"), Team("Rysi", "C")))
    readings, truth, _ = read(written, Look(), game=game)
    assert {r.owner for r, team in zip(readings, truth, strict=True) if MARKS[team] == "A"} == {""}


def test_without_a_team_list_the_mark_or_the_number_is_the_owner():
    readings, truth, _ = read(printed, Look(), game=Game())
    assert [r.owner for r in readings] == [str(team + 1) for team in truth]
    readings, truth, _ = read(written, Look(ink=0.95, mark_size=0.5), game=Game())
    assert all(r.likeliest == MARKS[team] for r, team in zip(readings, truth, strict=True))


def test_an_empty_land_has_no_owners():
    blank = Rectified(np.full((96, 96, 3), 230, np.uint8), 48, (-0.5, -0.5), np.ones((96, 96), bool))
    assert read_owners(blank, [CellReading(0, 0, ".")], GAME, OwnerSettings()).readings == ()
