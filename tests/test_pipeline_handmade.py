"""Hand-made boards end to end: read, turned upright, named; and nothing where there is no board."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from synth.drawing import random_drawing
from synth.hand_page import STICKERS
from synth.handmade import HandLook, random_pair, shoot_hand_made, shoot_pair
from synth.no_board import shoot_no_board

from poradek_vision.cli.settings import setup_of
from poradek_vision.files import PhotoContent, load_palettes
from poradek_vision.model import EMPTY, Correction, Failure, Flag, Game, Photo, Team
from poradek_vision.pipeline import Setup, read_content, read_photo
from poradek_vision.pipeline.names import team_in_name
from poradek_vision.pipeline.refusal import RefusalSettings, with_grid_doubts

GAME = Game(teams=(Team("Vlci", "A"), Team("Lišky", "B"), Team("Černí rysi", "3")))
PHOTO_PX = (750, 1000)
ROOT = Path(__file__).parents[1]


def made_photo(pixels, name="IMG_1.jpg"):
    pixels = np.ascontiguousarray(pixels)
    pixels.setflags(write=False)
    return Photo(name, "00", "", pixels, 1.0, pixels.shape[1::-1])


def read(look, seed, name="IMG_1.jpg", game=GAME):
    shot = shoot_hand_made(look, seed)
    return read_photo(made_photo(shot.pixels, name), Setup(game)), shot.rows


def rows_of(reading):
    size = reading.grid.rows
    text = "".join(cell.colour for cell in sorted(reading.cells, key=lambda cell: (cell.row, cell.col)))
    return [text[start : start + size] for start in range(0, size * size, size)]


def sure(reading):
    """Whether each cell is free of doubt, row by row."""
    return [[not cell.flags for cell in reading.cells if cell.row == row] for row in range(reading.grid.rows)]


@pytest.mark.parametrize(
    ("look", "team"),
    [
        ({"mark": "A"}, "Vlci"),
        ({"mark": "B", "roll_deg": 180.0, "size": 4}, "Lišky"),
        ({"mark": "A", "paper": "kraft", "ink": "blue", "size": 4}, "Vlci"),
        ({"mark": "A", "paper": "cream", "roll_deg": 100.0, "size": 3}, "Vlci"),
        ({"mark": "B", "ground": "grass", "tint": (1.2, 1.0, 0.6), "shade": 0.4, "size": 5}, "Lišky"),
    ],
    ids=str,
)
def test_cells_are_right_with_the_mark_upright(look, team):
    (reading,), rows = read(HandLook(photo_px=PHOTO_PX, **look), seed=1)
    assert (reading.mark.team, reading.mark.how, reading.mark.flags) == (team, "mark", ())
    wrong = [
        (row, col)
        for row, (seen, true) in enumerate(zip(rows_of(reading), rows, strict=True))
        for col in range(len(true))
        if seen[col] != true[col] and sure(reading)[row][col]
    ]
    assert wrong == []
    assert sum(map(sum, sure(reading))) > len(rows) ** 2 / 3


def test_only_cells_whose_lines_were_not_seen_are_in_doubt():
    shot = shoot_hand_made(HandLook(photo_px=PHOTO_PX, mark="A"), seed=1)
    photo = made_photo(shot.pixels)
    (reading,) = read_photo(photo, Setup(GAME))
    told = replace(reading, grid=replace(reading.grid, unsure=((0, 2), (3, 1))))
    doubted = with_grid_doubts(photo, told, RefusalSettings()).cells
    assert [(cell.row, cell.col) for cell in doubted if Flag.GRID_UNCERTAIN in cell.flags] == [(0, 2), (3, 1)]
    assert [cell.colour for cell in doubted] == [cell.colour for cell in reading.cells]


@pytest.mark.parametrize("seed", [463_002, 463_028])
def test_of_two_boards_on_one_sheet_each_has_its_own_mark(seed):
    looks = random_pair(seed, seed % 3 / 2)
    shots = shoot_pair(looks, seed)
    teams = tuple(Team(f"Team {mark}", mark) for mark in "ABCDEFG12345")
    readings = read_photo(made_photo(shots[0].pixels), Setup(Game(teams=teams, sizes=(6, 5, 4, 3))))
    named = {reading.mark.team for reading in readings if not reading.mark.flags}
    assert named == {f"Team {look.mark}" for look in looks}


def test_two_stickers_washed_out_but_for_their_rims_make_a_board_no_form():
    shot = shoot_hand_made(HandLook(photo_px=PHOTO_PX, mark="C", size=4, shade=1.0, tilt=0.0), seed=3)
    pixels = np.ascontiguousarray(shot.pixels)
    stuck = [(row, col) for row, col in np.ndindex(4, 4) if shot.rows[row][col] != EMPTY][:2]
    for row, col in stuck:
        corners = shot.crossings[row : row + 2, col : col + 2].reshape(-1, 2)
        middle, side = tuple(np.round(corners.mean(0)).astype(int).tolist()), np.ptp(corners[:, 0])
        cv2.circle(pixels, middle, round(0.46 * side), (252, 252, 250), -1, cv2.LINE_AA)
        cv2.circle(pixels, middle, round(0.3 * side), (40, 70, 50), max(2, round(0.06 * side)), cv2.LINE_AA)
    (reading,) = read_photo(made_photo(pixels), Setup(replace(GAME, teams=GAME.teams[:2])))
    assert reading.grid.rows == 4
    for cell in reading.cells:
        assert (cell.row, cell.col) not in stuck or cell.flags


@pytest.mark.parametrize("side", [0.3, 0.45])
def test_dots_much_smaller_than_their_cells_are_stickers(side):
    look = HandLook(photo_px=PHOTO_PX, sticker=side, round_share=1.0, ink="blue", mark="B", size=6)
    (reading,), rows = read(look, seed=4)
    assert rows_of(reading) == rows
    assert all(map(all, sure(reading)))
    assert (reading.grid.flags, reading.mark.team) == ((), "Lišky")


@pytest.mark.parametrize(
    ("seed", "size", "to_edge", "slanted"),
    [
        (2, 3, False, False),
        (2, 6, True, False),
        (2, 5, True, True),
        (93_700, 7, False, False),  # nearly all cells are filled to their lines
        (93_700, 4, True, False),
        (93_600, 3, True, False),  # the borders are the picture's edges
    ],
)
def test_a_board_drawn_on_a_screen_is_read_without_doubt(seed, size, to_edge, slanted):
    drawn = random_drawing(seed, size, to_edge, slanted)
    game = replace(GAME, sizes=(size,))
    (reading,) = read_photo(made_photo(drawn.pixels), Setup(game, load_palettes(ROOT / "calibration")))
    assert reading.grid.flags == ()
    truth, seen = (np.array([list(row) for row in rows]) for rows in (drawn.rows, rows_of(reading)))
    assert any(np.array_equal(np.rot90(truth, turns), seen) for turns in range(4))
    assert [cell for cell in reading.cells if cell.flags] == []


@pytest.mark.parametrize(
    ("look", "pixels"),
    [
        (HandLook(), 750 * 1000),
        (HandLook(zoom=0.2), 1500 * 2000),  # cells are small
        (HandLook(size=12), 1500 * 2000),  # its stickers bear marks
    ],
    ids=["filling", "far", "land"],
)
def test_a_board_is_decoded_as_finely_as_it_needs(look, pixels):
    _, encoded = cv2.imencode(".jpg", np.ascontiguousarray(shoot_hand_made(look, 1).pixels)[..., ::-1])
    photo, (reading,) = read_content(PhotoContent("IMG_1.jpg", "00", encoded.tobytes()), Setup(GAME))
    assert (photo.pixels[..., 0].size, reading.grid.rows) == (pixels, look.size)


def test_a_file_name_names_the_team_where_nothing_is_read():
    (reading,), _ = read(HandLook(photo_px=PHOTO_PX, size=3, mark="Z"), seed=1, name="lisky-3x3.jpg")
    assert (reading.mark.team, reading.mark.how, reading.mark.flags) == ("Lišky", "file name", ())


def test_a_mark_that_contradicts_the_file_name_is_in_doubt():
    (reading,), _ = read(HandLook(photo_px=PHOTO_PX, size=3, mark="A"), seed=1, name="lisky-3x3.jpg")
    assert (reading.mark.team, reading.mark.flags) == ("Vlci", (Flag.TEAM_UNCLEAR,))


def test_a_hand_made_no_mans_land_asks_for_owners_not_for_a_team():
    (reading,), _ = read(HandLook(photo_px=PHOTO_PX, size=8, cell_mm=16.0), 1, game=Game(no_mans_land=8))
    assert reading.mark.how == ""
    assert all(Flag.OWNER_UNCLEAR in cell.flags for cell in reading.cells if cell.colour != EMPTY)


def test_corners_given_by_hand_take_the_place_of_the_lines_found():
    shot = shoot_hand_made(HandLook(photo_px=PHOTO_PX, size=3, roll_deg=0.0), 1)
    corners = shot.crossings[[0, 0, -1, -1], [0, -1, -1, 0]]
    value = " ".join(f"{number:.1f}" for number in corners.ravel())
    said = [Correction("00", "IMG_1.jpg", 0, "corners", None, None, value)]
    (reading,) = read_photo(made_photo(shot.pixels), Setup(GAME), said)
    assert (reading.grid.how, reading.mark.team) == ("by hand", "Vlci")
    assert rows_of(reading) == shot.rows


def test_corners_of_a_board_beyond_the_next_make_no_board():
    shot = shoot_hand_made(HandLook(photo_px=PHOTO_PX, size=3, roll_deg=0.0), 1)
    value = " ".join(f"{number:.1f}" for number in shot.crossings[[0, 0, -1, -1], [0, -1, -1, 0]].ravel())
    said = [
        Correction("00", "IMG_1.jpg", 2, target, None, None, word)
        for target, word in (("corners", value), ("size", "3"))
    ]
    assert [reading.grid.how for reading in read_photo(made_photo(shot.pixels), Setup(GAME), said)] == ["ruled"]
    lineless = made_photo(np.full((400, 500, 3), 200, np.uint8))
    outcome = read_photo(lineless, Setup(GAME), said)
    assert isinstance(outcome, Failure)
    assert outcome.reason.key == "find.corners_too_far"


@pytest.mark.parametrize(("scene", "seed"), [("window", 0), ("tiles", 101), ("sudoku", 0)])
def test_no_board_in_a_photo_is_told_as_such(scene, seed):
    outcome = read_photo(made_photo(shoot_no_board(scene, seed)), Setup(GAME))
    assert isinstance(outcome, Failure)
    assert (outcome.status, outcome.reason.key) == ("not_found", "find.nothing")


def asked_for(*sizes):
    """What readings depend on where these sizes were named."""
    return setup_of(GAME, (), "", sizes)


def sudoku(tone=(1.0, 1.0, 1.0)):
    """A printed sudoku with digits in two cells of five, a frame in bold, and print above it."""
    rng, cell = np.random.default_rng(4), 60
    picture = np.full((800, 700, 3), 236, np.uint8)
    for k in range(10):
        at, wide = 80 + k * cell, 5 if k % 3 == 0 else 2
        cv2.line(picture, (80, at + 80), (80 + 9 * cell, at + 80), (40, 40, 44), wide, cv2.LINE_AA)
        cv2.line(picture, (at, 160), (at, 160 + 9 * cell), (40, 40, 44), wide, cv2.LINE_AA)
    for row, col in np.ndindex(9, 9):
        if rng.random() < 0.4:
            place = (80 + col * cell + 18, 160 + row * cell + 44)
            cv2.putText(picture, str(rng.integers(1, 10)), place, cv2.FONT_HERSHEY_DUPLEX, 1.2, (30, 30, 34), 2)
    cv2.putText(picture, "Sudoku 27 (lehke)", (80, 110), cv2.FONT_HERSHEY_DUPLEX, 1.0, (40, 40, 44), 2, cv2.LINE_AA)
    slant = cv2.getPerspectiveTransform(
        np.float32([[0, 0], [700, 0], [700, 800], [0, 800]]), np.float32([[60, 40], [650, 10], [690, 780], [20, 760]])
    )
    seen = cv2.warpPerspective(picture, slant, (720, 800), borderValue=(120, 110, 100)).astype(np.float32)
    lit = seen * np.array(tone, np.float32) + rng.normal(0, 2, seen.shape)
    return np.clip(lit, 0, 255).astype(np.uint8), slant


@pytest.mark.parametrize("tone", [(1.0, 0.97, 0.9), (1.0, 1.0, 1.0)], ids=["in lamplight", "black and white"])
def test_a_grid_that_was_asked_for_by_its_size_is_found_whatever_its_cells_hold(tone):
    picture, slant = sudoku(tone)
    if tone[0] == tone[2]:
        picture = np.repeat(picture[..., :1], 3, 2)
    assert isinstance(read_photo(made_photo(picture), Setup(replace(GAME, sizes=(9,)))), Failure)
    (reading,) = read_photo(made_photo(picture), asked_for(9))
    corners = np.array([[80, 160], [620, 160], [620, 700], [80, 700]], np.float64)
    true = cv2.perspectiveTransform(corners[None], slant)[0]
    seen = np.array(reading.grid.crossings)[[0, 0, -1, -1], [0, -1, -1, 0]]
    assert np.abs(seen - true).max() < 4
    assert (reading.mark.team, reading.mark.flags) == ("", (Flag.TEAM_UNCLEAR,))
    assert all(cell.flags for cell in reading.cells if cell.colour != EMPTY)
    if tone[0] == tone[2]:
        assert all(Flag.STRANGE_LIGHT in cell.flags for cell in reading.cells)


def test_a_blank_grid_counts_where_its_size_was_asked_for():
    shot = shoot_hand_made(HandLook(photo_px=PHOTO_PX, size=3, fill=0.0, mark="Z"), 2)
    (reading,) = read_photo(made_photo(shot.pixels), asked_for(3))
    assert rows_of(reading) == ["...", "...", "..."]
    assert reading.mark.flags == (Flag.TEAM_UNCLEAR,)
    assert reading.grid.flags == ()


@pytest.mark.parametrize(("scene", "seed"), [("window", 0), ("squared", 3)])
def test_other_things_are_no_grid_though_a_size_was_asked_for(scene, seed):
    assert isinstance(read_photo(made_photo(shoot_no_board(scene, seed)), asked_for(6)), Failure)


def test_a_ruled_grid_without_a_sticker_or_a_mark_is_no_board():
    look = HandLook(photo_px=PHOTO_PX, size=3, fill=0.0, mark="Z")
    outcome, _ = read(look, seed=2)
    assert isinstance(outcome, Failure)
    assert (outcome.reason.key, dict(outcome.reason.fields)["size"]) == ("find.unlike", "3")
    assert len(outcome.seen) >= 1
    (reading,), _ = read(HandLook(photo_px=PHOTO_PX, size=3, fill=0.0, mark="A"), seed=2)
    assert rows_of(reading) == ["...", "...", "..."]


@pytest.mark.parametrize(
    ("name", "team"),
    [
        ("Vlci/IMG_1.jpg", "Vlci"),
        ("vlci-6x6.jpg", "Vlci"),
        ("LISKY 5×5.jpeg", "Lišky"),
        ("2027/cerni_rysi/1.jpg", "Černí rysi"),
        ("A/IMG_1.jpg", "Vlci"),
        ("b_6x6.png", "Lišky"),
        ("tým 3.jpg", "Černí rysi"),
        ("3.jpg", ""),
        ("IMG_3.jpg", ""),
        ("foto-a-b.jpg", ""),
        ("vlcice.jpg", ""),
        ("vlci a lišky.jpg", ""),
        ("Vlci/lisky.jpg", ""),
        ("rysi.jpg", ""),
    ],
)
def test_teams_in_file_names(name, team):
    assert team_in_name(name, GAME) == team


@pytest.mark.parametrize("turns", [0, 1])
def test_a_row_and_a_column_of_names_are_no_part_of_a_board(turns):
    rows, cell = ["R..B", ".GY.", ".R..", "Y..B"], 70
    picture = np.full((560, 560, 3), 246, np.uint8)
    for at in range(100, 100 + 6 * cell, cell):
        cv2.line(picture, (100, at), (450, at), (40, 40, 46), 2, cv2.LINE_AA)
        cv2.line(picture, (at, 100), (at, 450), (40, 40, 46), 2, cv2.LINE_AA)
    for k in range(4):
        for name, (x, y) in (("ABCD"[k], (190 + k * cell, 150)), (str(k + 1), (122, 220 + k * cell))):
            cv2.putText(picture, name, (x, y), cv2.FONT_HERSHEY_DUPLEX, 1.1, (40, 40, 46), 2, cv2.LINE_AA)
    for row, col in np.ndindex(4, 4):
        if rows[row][col] != EMPTY:
            x, y = 180 + col * cell, 180 + row * cell
            cv2.rectangle(picture, (x, y), (x + 50, y + 50), STICKERS[rows[row][col]], -1)
    (reading,) = read_photo(made_photo(np.rot90(picture, turns)), Setup(GAME))
    assert reading.grid.flags == ()
    assert (np.rot90([list(row) for row in rows_of(reading)], -turns) == [list(row) for row in rows]).all()
