"""Pages as they leave the printer: rasterised and measured, against the shapes of ``sheet``."""

import dataclasses
import functools
from collections.abc import Iterator

import cv2
import numpy as np
import pypdfium2
import pytest

from poradek_vision.errors import SettingsError
from poradek_vision.files import parse_game
from poradek_vision.model import Colour, Game, Rect, SheetSpec, Team
from poradek_vision.printing import by_paper, choose_sheets, draw_sheets
from poradek_vision.sheet import LINE_MM, RULER_FAR, RULER_NEAR

PX_PER_MM = 6
MARGIN_MM = 2.0
EIGHT = tuple(
    Colour(code, name, "#808080")
    for code, name in zip(
        "RYGBOPKW",
        ("červená", "žlutá", "zelená", "modrá", "oranžová", "tyrkysově modrá", "černá", "světle fialová"),
        strict=True,
    )
)
CAMP = Game(title="Pořádek 2027", teams=(Team("Vlci", "A"), Team("Ťuhýci", "7")))
GAMES = {
    "czech": CAMP,
    "english": dataclasses.replace(
        parse_game('language = "en"'), title="Camp 2027", teams=(Team("Wolves", "W"), Team("Great tit", "G"))
    ),
    "three colours": dataclasses.replace(CAMP, colours=CAMP.colours[:3]),
    "eight colours": dataclasses.replace(CAMP, colours=EIGHT),
    "large cells": dataclasses.replace(CAMP, cell_mm=25.0, no_mans_land=6),
    "small cells": dataclasses.replace(CAMP, cell_mm=12.0),
    "long names": dataclasses.replace(
        CAMP,
        title="Letní tábor pod Ještědem a za Nisou 2027, druhý turnus, hra Pořádek",
        teams=(Team("Nejneobhospodařovávatelnější", "Q"), Team("Neohrožení rytíři kulatého stolu ze Žďáru", "M")),
    ),
    "no teams": Game(),
}


def sheets_of(game: Game) -> tuple[SheetSpec, ...]:
    """Each kind of sheet once, the largest for every team, a spare one, both ways of the no man's land."""
    whole = choose_sheets(game, spare=1)
    largest = max(game.sizes)
    some = (sheet for sheet in whole if sheet.team_index in (None, 0) or sheet.rows == largest)
    return (*some, *(sheet for sheet in choose_sheets(game, spare=1, halves=True) if sheet.cut_x_mm is not None))


@functools.cache
def pages_of(name: str) -> list[tuple[SheetSpec, np.ndarray, str]]:
    """Each sheet of a game, its page in grey, and the words on it."""
    sheets = sheets_of(GAMES[name])
    document = pypdfium2.PdfDocument(draw_sheets(GAMES[name], sheets))
    pages = []
    for spec, page in zip(sheets, document, strict=True):
        scale = PX_PER_MM * 25.4 / 72 * (1 - 1e-6)  # pypdfium2 rounds up and then stretches
        grey = page.render(scale=scale, grayscale=True).to_numpy().squeeze()
        assert grey.shape[::-1] == tuple(side * PX_PER_MM for side in spec.page_mm)
        pages.append((spec, grey, page.get_textpage().get_text_range()))
    return pages


def each_page() -> Iterator[object]:
    """Every page of every game, named."""
    for name, game in GAMES.items():
        for number, spec in enumerate(sheets_of(game)):
            yield pytest.param(name, number, id=f"{name}-{spec.kind}-{spec.rows}x{spec.cols}-{number}")


every_page = pytest.mark.parametrize(("name", "number"), list(each_page()))


def patch(grey: np.ndarray, rect: Rect, grow_mm: float = 0.0) -> np.ndarray:
    """The pixels of a rectangle, grown on all sides."""
    x0, y0 = ((v - grow_mm) * PX_PER_MM for v in (rect.x, rect.y))
    x1, y1 = ((v + grow_mm) * PX_PER_MM for v in (rect.x + rect.w, rect.y + rect.h))
    return grey[round(y0) : round(y1), round(x0) : round(x1)]


def ink(profile: np.ndarray) -> tuple[float, float]:
    """Length and middle of what is black along a line of pixels, in mm."""
    black = 1 - profile.astype(float) / 255
    places = (np.arange(len(black)) + 0.5) / PX_PER_MM
    return black.sum() / PX_PER_MM, float((black * places).sum() / black.sum())


@every_page
def test_fiducials_are_found_with_their_ids_where_the_sheet_says(name, number):
    spec, grey, _ = pages_of(name)[number]
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(grey)
    found = dict(zip(np.ravel(ids).tolist(), corners, strict=True))
    assert sorted(found) == sorted(tag.id for tag in spec.fiducials)
    for tag in spec.fiducials:
        s = tag.square
        expected = [(s.x, s.y), (s.x + s.w, s.y), (s.x + s.w, s.y + s.h), (s.x, s.y + s.h)]
        measured = (found[tag.id].reshape(4, 2) + 0.5) / PX_PER_MM
        assert np.abs(measured - expected).max() < 0.2


@every_page
def test_ruler_blocks_are_black_and_exactly_as_long_as_their_cells(name, number):
    spec, grey, _ = pages_of(name)[number]
    for block in spec.ruler:
        assert patch(grey, block, -0.4).max() == 0
        around = patch(grey, block, 1.0)
        for profile, side in ((around[len(around) // 2], block.w), (around[:, around.shape[1] // 2], block.h)):
            length, middle = ink(profile)
            assert length == pytest.approx(side, abs=0.1)
            assert middle == pytest.approx(side / 2 + 1.0, abs=0.2)


@every_page
def test_grid_lines_run_on_the_cell_borders(name, number):
    spec, grey, _ = pages_of(name)[number]
    c, grid = spec.cell_mm, spec.grid
    for col in range(spec.cols + 1):
        strip = Rect(grid.x + col * c - 2, grid.y + c / 4, 4, c / 2)
        assert ink(patch(grey, strip).mean(0)) == (pytest.approx(LINE_MM, abs=0.05), pytest.approx(2, abs=0.1))
    for row in range(spec.rows + 1):
        strip = Rect(grid.x + c / 4, grid.y + row * c - 2, c / 2, 4)
        assert ink(patch(grey, strip).mean(1)) == (pytest.approx(LINE_MM, abs=0.05), pytest.approx(2, abs=0.1))


@every_page
def test_nothing_is_printed_in_the_cells(name, number):
    spec, grey, _ = pages_of(name)[number]
    c = spec.cell_mm
    for row in range(spec.rows):
        for col in range(spec.cols):
            assert patch(grey, Rect(spec.grid.x + col * c, spec.grid.y + row * c, c, c), -0.6).min() == 255


@every_page
def test_nothing_stands_near_fiducials_and_ruler_frame(name, number):
    spec, grey, _ = pages_of(name)[number]
    rest = grey.copy()
    for shape in (*spec.ruler, *(tag.square for tag in spec.fiducials)):
        patch(rest, shape, 0.2)[:] = 255
    for tag in spec.fiducials:
        assert patch(rest, tag.square, MARGIN_MM - 0.1).min() == 255
    for block in spec.ruler:
        near = min(MARGIN_MM, RULER_NEAR * spec.cell_mm - LINE_MM / 2) - 0.1
        assert patch(rest, block, near).min() == 255
    inside, outside = patch(rest, spec.grid, 0.5), patch(rest, spec.grid, RULER_FAR * spec.cell_mm + MARGIN_MM - 0.1)
    if spec.cut_x_mm is None:
        inside[:] = 255
        assert outside.min() == 255


@every_page
def test_the_page_edge_is_blank(name, number):
    _, grey, _ = pages_of(name)[number]
    rest = grey.copy()
    rest[8 * PX_PER_MM : -8 * PX_PER_MM, 8 * PX_PER_MM : -8 * PX_PER_MM] = 255
    assert rest.min() == 255


@every_page
def test_the_foot_has_a_line_of_100_mm(name, number):
    spec, grey, words = pages_of(name)[number]
    assert "100 mm" in words
    below = spec.grid.y + spec.grid.h + RULER_FAR * spec.cell_mm + MARGIN_MM
    longest = max(_longest_stretch(row) for row in grey[round(below * PX_PER_MM) :])
    assert longest / PX_PER_MM == pytest.approx(100.3, abs=0.35)  # with its end ticks


def _longest_stretch(row: np.ndarray) -> int:
    """Length of the longest dark stretch in a row of pixels."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], (row < 250).astype(np.int8), [0]])))
    return max((edges[1::2] - edges[::2]).tolist(), default=0)


@pytest.mark.parametrize("name", ["czech", "english", "three colours", "eight colours", "small cells"])
def test_key_boxes_have_their_outline_and_white_inside(name):
    for spec, grey, _ in pages_of(name):
        for box in spec.key:
            assert patch(grey, box, -0.4).min() == 255
            assert ink(patch(grey, Rect(box.x - 0.5, box.y + 2, 1, 2)).mean(0))[0] == pytest.approx(0.4, abs=0.05)


def test_words_have_their_diacritics():
    words = [text for _, _, text in pages_of("czech")]
    assert "VLCI" in words[0]
    assert "6×6" in words[0]
    assert "Pořádek 2027" in words[0]
    assert all(name in words[0] for name in ("červená", "žlutá", "zelená", "modrá"))
    assert "ŤUHÝCI" in words[4]
    assert "náhradní list č. 3" in words[5]
    assert "ÚZEMÍ NIKOHO" in words[6]
    assert "KALIBRAČNÍ" in words[7]
    assert "levá polovina" in words[8]


def test_an_english_game_speaks_english():
    words = "\n".join(text for _, _, text in pages_of("english"))
    assert all(
        part in words for part in ("WOLVES", "red", "NO MAN'S LAND", "CALIBRATION", "spare sheet no. 3", "left half")
    )
    assert not set("ěščřžůďťň") & set(words.lower())


def test_sheets_of_a_game_without_teams_bear_their_number():
    words = [text for _, _, text in pages_of("no teams")]
    assert words[0].splitlines()[0].strip() == "1"


def test_names_are_at_least_14_mm_high_where_two_lines_do():
    _, grey, _ = pages_of("czech")[0]
    rows = np.flatnonzero(patch(grey, Rect(62, 12, 130, 47)).min(1) < 128)
    assert len(rows) / PX_PER_MM > 14
    assert rows[0] > 2 * PX_PER_MM  # not above y = 14


@pytest.mark.parametrize("name", ["long names", "eight colours"])
def test_words_stay_in_their_bands(name):
    for spec, grey, _ in pages_of(name):
        if spec.cut_x_mm is None:
            assert patch(grey, Rect(0, 0, spec.page_mm[0], 13.8)).min() == 255
            assert patch(grey, Rect(spec.page_mm[0] - 13.5, 0, 13.5, 60)).min() == 255


def test_the_same_game_gives_the_same_bytes():
    sheets = choose_sheets(CAMP)
    assert draw_sheets(CAMP, sheets) == draw_sheets(CAMP, sheets)


def test_a_basic_game_has_no_no_mans_land():
    basic = dataclasses.replace(CAMP, no_mans_land=0)
    assert {sheet.kind for sheet in choose_sheets(basic)} == {"team", "card"}


def test_36_teams_fill_a_block_of_144_sheets():
    game = Game(teams=tuple(Team(f"Tým {n}", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[n]) for n in range(36)))
    sheets = choose_sheets(game)
    papers = by_paper(sheets)
    assert {paper: len(on_it) for paper, on_it in papers.items()} == {"A4": 145, "A3": 1}
    assert len(pypdfium2.PdfDocument(draw_sheets(game, papers["A4"][140:]))) == 5
    with pytest.raises(SettingsError, match="at most 36"):
        choose_sheets(game, spare=1)


def test_teams_are_chosen_by_name_or_mark():
    sheets = choose_sheets(CAMP, teams=["ťuhýci", "a"])
    assert [(sheet.team_index, sheet.rows) for sheet in sheets] == [(t, n) for t in (1, 0) for n in (6, 5, 4, 3)]
    assert {sheet.kind for sheet in choose_sheets(CAMP, teams=["vlci"])} == {"team"}
    with pytest.raises(SettingsError, match='no team "Rysi" in this game; allowed are Vlci, Ťuhýci'):
        choose_sheets(CAMP, teams=["Rysi"])


def test_spare_sheets_follow_the_last_team():
    spares = [sheet for sheet in choose_sheets(CAMP, spare=2) if (sheet.team_index or 0) >= 2]
    assert [sheet.team_index for sheet in spares] == [2] * 4 + [3] * 4


def test_a_game_without_teams_has_nothing_to_print():
    with pytest.raises(SettingsError, match="no teams"):
        choose_sheets(Game())


def test_a_sign_that_the_font_lacks_is_told():
    game = Game(teams=(Team("Vlci 🐺", "A"),))
    with pytest.raises(SettingsError, match="the sign 🐺 can't be printed"):
        draw_sheets(game, choose_sheets(game))
