"""Every sample photo against its truth: boards found and named, crossings in place, each cell and owner right."""

import tomllib
from pathlib import Path

import cv2
import numpy as np
import pytest

from poradek_vision.files import PhotoContent, PhotoFile, decode_photo, load_content, load_game, load_palettes
from poradek_vision.model import Correction, Failure
from poradek_vision.pipeline import Setup, read_content, reading

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "sample_photos"
PHOTOS = sorted(SAMPLES.glob("*.jpg"))
CORNER_TOLERANCE = 0.03
"""Of a cell."""
HAND_TOLERANCE = 0.08
"""Of a cell; hand-ruled lines are followed, not measured."""
COARSE, FINE = 600_000, 2_500_000


@pytest.fixture(scope="module")
def setup():
    return Setup(load_game(SAMPLES / "game.toml"), load_palettes(ROOT / "calibration"))


def truth_of(path):
    """A missing truth file fails the test."""
    return tomllib.loads(path.with_suffix(".truth.toml").read_text(encoding="utf-8"))


def test_the_game_is_whole():
    kinds = [board["kind"] for path in PHOTOS for board in truth_of(path)["boards"]]
    assert sorted(kinds) == ["card", "no_mans_land", *["team"] * 12]


@pytest.mark.parametrize("path", PHOTOS, ids=lambda path: path.stem)
def test_a_sample_is_read_as_it_is(path, setup):
    (board,) = truth_of(path)["boards"]
    _, outcome = read_content(load_content(PhotoFile(path.name, path)), setup)
    if board["kind"] == "card":
        assert isinstance(outcome, Failure)
        assert outcome.status == "card"
        return
    (reading,) = outcome
    size = board["size"]
    assert (reading.grid.kind, reading.grid.rows, reading.grid.flags) == (board["kind"], size, ())
    assert reading.mark.team == (board["team"] if board["kind"] == "team" else "")
    assert rows_of(reading, size) == board["rows"]
    assert [cell for cell in reading.cells if cell.flags] == []
    seen = np.array(reading.grid.crossings)[[0, 0, -1, -1], [0, -1, -1, 0]]
    side_px = np.hypot(*(seen[1] - seen[0])) / size
    assert np.hypot(*(seen - board["corners"]).T).max() < CORNER_TOLERANCE * side_px


@pytest.mark.parametrize("path", sorted((SAMPLES / "handmade").glob("*.jpg")), ids=lambda path: path.stem)
def test_a_board_ruled_by_hand_is_read_as_it_is(path):
    own = Setup(load_game(path.with_name("game.toml")), load_palettes(ROOT / "calibration"))
    (board,) = truth_of(path)["boards"]
    _, (reading,) = read_content(load_content(PhotoFile("IMG_1.jpg", path)), own)
    size = board["size"]
    assert (reading.grid.how, reading.grid.rows, reading.grid.flags) == ("ruled", size, ())
    assert (reading.mark.team, reading.mark.how, reading.mark.flags) == (board["team"], "mark", ())
    assert rows_of(reading, size) == board["rows"]
    seen = np.array(reading.grid.crossings)[[0, 0, -1, -1], [0, -1, -1, 0]]
    side_px = np.hypot(*(seen[1] - seen[0])) / size
    assert np.hypot(*(seen - board["corners"]).T).max() < HAND_TOLERANCE * side_px


def test_six_boards_ruled_by_hand():
    assert len(list((SAMPLES / "handmade").glob("*.jpg"))) == 6


def rows_of(reading, size):
    """The colours as rows of text."""
    return ["".join(cell.colour for cell in reading.cells[k * size : (k + 1) * size]) for k in range(size)]


def test_owners_of_the_sample_land_are_right(setup):
    path = SAMPLES / "uzemi_nikoho.jpg"
    (board,) = truth_of(path)["boards"]
    _, (reading,) = read_content(load_content(PhotoFile(path.name, path)), setup)
    names = {team.mark: team.name for team in setup.game.teams}
    owners = [names.get(mark, "") for line in board["owners"] for mark in line]
    assert [cell.owner for cell in reading.cells] == owners


@pytest.mark.parametrize(
    ("name", "pixels"),
    [
        ("jezci_6.jpg", (COARSE, 2 * COARSE)),
        ("uzemi_nikoho.jpg", (FINE, np.inf)),  # marks on stickers are small
        ("jezci_3.jpg", (FINE, np.inf)),  # a fiducial is out of sight
    ],
)
def test_a_photo_is_decoded_as_finely_as_its_boards_need(name, pixels, setup):
    photo, _ = read_content(load_content(PhotoFile(name, SAMPLES / name)), setup)
    assert pixels[0] <= photo.pixels[..., 0].size < pixels[1]


def test_where_a_person_gave_corners_a_photo_is_decoded_finely(setup):
    content = load_content(PhotoFile("jezci_6.jpg", SAMPLES / "jezci_6.jpg"))
    said = Correction(content.sha256, "jezci_6.jpg", 0, "corners", None, None, "300 300 900 300 900 900 300 900")
    photo, _ = read_content(content, setup, (said,))
    assert photo.pixels[..., 0].size >= FINE


def test_a_small_photo_is_decoded_once(setup, monkeypatch):
    decoded = []
    monkeypatch.setattr(reading, "decode_photo", lambda *said, **more: decoded.append(1) or decode_photo(*said, **more))
    _, encoded = cv2.imencode(".png", np.full((300, 400, 3), 128, np.uint8))
    photo, outcome = read_content(PhotoContent("IMG_1.png", "00", encoded.tobytes()), setup)
    assert (photo.scale, outcome.status, len(decoded)) == (1.0, "not_found", 1)
