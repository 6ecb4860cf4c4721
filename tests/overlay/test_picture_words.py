"""What pictures say: every doubt in words, in both languages, and text that fits its place."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import cv2
import numpy as np
import pytest
from made_boards import GAME, make_grid, make_reading

from poradek_vision.model import CellReading, Flag, Game, MarkReading
from poradek_vision.overlay import encode_jpeg
from poradek_vision.overlay.legend import foot_lines, head_lines
from poradek_vision.overlay.pen import blank, chip, chip_width, width_of, wrap, write
from poradek_vision.overlay.words import board_doubts, cell_doubts, origin, title, verdict
from poradek_vision.texts import say


def spoken(paragraphs) -> str:
    """All lines as one text, without regard to case and breaks."""
    return " ".join(line for each in paragraphs for line in each.lines).replace("\xa0", " ").casefold()


@pytest.mark.parametrize("language", ["cs", "en"])
@pytest.mark.parametrize("flag", Flag)
def test_every_flag_is_said_with_its_cell(flag, language):
    reading = make_reading(make_grid(12, 12), {(1, 9): (flag,), (11, 0): (Flag.GLARE, flag)})
    text = spoken(foot_lines(reading, replace(GAME, language=language), 1600))
    assert text.count(say(f"flag.{flag}", language).casefold()) >= 2 or flag == Flag.GLARE
    for row, col in ((2, 10), (12, 1)):
        assert say("overlay.place", language, row=row, col=col) in text


@pytest.mark.parametrize("language", ["cs", "en"])
@pytest.mark.parametrize("flag", Flag)
def test_every_flag_of_board_grid_and_mark_is_said_once(flag, language):
    grid = make_grid(flags=(flag,))
    reading = make_reading(grid, flags=(flag,), mark=MarkReading("", "", flags=(flag,)))
    game = replace(GAME, language=language)
    assert [line.casefold() for line in board_doubts(reading, game)] == [say(f"flag.{flag}", language).casefold()]
    assert say(f"flag.{flag}", language).casefold() in spoken(head_lines(reading, game, 1600))


def test_cells_with_the_same_doubt_share_a_sentence():
    cells = [CellReading(0, col, "R", second=".", flags=(Flag.GLARE,)) for col in range(2)]
    said = cell_doubts([*cells, CellReading(2, 2, "Y", flags=(Flag.OWNER_UNCLEAR,))], Game(language="en"))
    assert [sentence.replace("\xa0", " ") for sentence in said] == [
        "Glare hides the sticker – row 1, column 1: R or empty? · row 1, column 2: R or empty?",
        "It is not clear whose sticker this is – row 3, column 3: Y",
    ]


@pytest.mark.parametrize(
    ("team", "kind", "expected"),
    [
        ("Vlci", "team", "Vlci · V · 3×4"),
        ("7", "team", "7 · 3×4"),
        ("", "team", "Neznámý tým · 3×4"),
        ("", "no_mans_land", "Území nikoho · 3×4"),
        ("", "card", "Kalibrační karta · 3×4"),
    ],
)
def test_the_title_says_whose_board_it_is(team, kind, expected):
    assert title(team, make_grid(3, 4, kind=kind), GAME) == expected


def test_a_hand_made_land_is_called_so():
    assert title("", make_grid(12, 12), GAME) == "Území nikoho · 12×12"


def test_the_head_says_where_the_picture_comes_from():
    reading = make_reading(make_grid(), {(0, 0): (Flag.GLARE,)})
    text = origin(reading, GAME)
    assert all(part in text for part in (reading.photo, "0,4 px", "default"))
    assert "0.4 px" in origin(reading, replace(GAME, language="en"))
    assert verdict(reading, GAME) == "nejistých políček: 1"
    assert verdict(make_reading(make_grid()), GAME) == "žádné nejisté políčko"
    unclear = replace(make_grid(), flags=(Flag.GRID_UNCERTAIN,))
    assert verdict(make_reading(unclear), GAME) == "nejistá je celá mřížka"


@pytest.mark.parametrize("how", ["printed", "ruled", "by hand"])
@pytest.mark.parametrize("language", ["cs", "en"])
def test_every_way_of_finding_a_grid_has_words(how, language):
    grid = replace(make_grid(), how=how)
    assert origin(make_reading(grid), replace(GAME, language=language))


@pytest.mark.parametrize(
    "words", ["dvě barvy přicházejí v úvahu téměř stejně", "IMG_" * 40, "a " + "x" * 90 + " b", ""]
)
def test_lines_fit_and_lose_nothing(words):
    lines = wrap(words, 200, 16)
    assert all(width_of(line, 16) <= 200 for line in lines)
    assert "".join(lines).replace(" ", "") == words.replace(" ", "")


def test_unbroken_spaces_hold_a_line_together():
    assert wrap("a row\xa02,\xa0column\xa03 b", width_of("row 2, column 3", 16), 16) == (
        "a",
        "row\xa02,\xa0column\xa03",
        "b",
    )


def test_czech_letters_are_drawn_as_themselves():
    drawn = {}
    for sign in "ěščřžýáíéúůťďňĚŠČŘŽŤĎŇeszuo?":
        picture = blank(40, 40)
        write(picture, sign, (5, 30), 28)
        drawn[sign] = picture.tobytes()
    assert len(set(drawn.values())) == len(drawn)


def test_a_plate_stays_in_its_place():
    picture = blank(100, 40)
    width = chip(picture, "R?", (10, 8), 24, (200, 36, 44))
    assert width == chip_width("R?", 24)
    outside = np.ones((40, 100), bool)
    outside[8:32, 10 : 10 + width] = False
    assert np.all(picture[outside] == blank(1, 1)[0, 0])
    assert np.all(picture[8, 10 : 10 + width] != blank(1, 1)[0, 0])


def test_a_plate_may_reach_past_every_edge():
    for at in ((-10, -10), (90, 30), (-200, 5), (5, 300)):
        chip(blank(100, 40), "R?", at, 24, (200, 36, 44))


def test_threads_do_not_mix_their_weights():
    def draw(bold: bool) -> bytes:
        picture = blank(300, 40)
        write(picture, "Příliš žluťoučký kůň", (5, 30), 24, bold=bold)
        return picture.tobytes()

    alone = {bold: draw(bold) for bold in (False, True)}
    with ThreadPoolExecutor(2) as threads:
        together = list(threads.map(draw, [False, True] * 50))
    assert together == [alone[False], alone[True]] * 50


def test_red_stays_red_in_the_file():
    picture = blank(64, 64)
    picture[:] = (200, 36, 44)
    decoded = cv2.imdecode(np.frombuffer(encode_jpeg(picture), np.uint8), cv2.IMREAD_COLOR)
    np.testing.assert_allclose(decoded[32, 32, ::-1], (200, 36, 44), atol=4)
