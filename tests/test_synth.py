"""The maker of synthetic photos: the same seed, the same picture; truth that agrees with what is in the picture."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageOps
from synth import (
    DEFAULT_GAME,
    Clutter,
    Develop,
    Layout,
    LightLook,
    Look,
    PaperLook,
    Shot,
    StickerLook,
    View,
    game_toml,
    make_scene,
    random_layout,
    random_look,
    save_shot,
    sheet_spec,
    truth_entry,
)
from synth.board import FOREIGN_MOST, covers, labels, make_owners, make_rows, place_stickers
from synth.decoy import make_decoy
from synth.develop import gains
from synth.ground import SIDE_PX, one_of, paint_ground, photographs
from synth.samples import SAMPLES

from poradek_vision.geometry import FloatArray, fit_homography, project
from poradek_vision.model import EMPTY

PLAIN = Look(
    view=View(width=900, height=1200),
    clutter=Clutter(ground="cloth"),
    develop=Develop(noise=0.05, contrast=0.0, saturation=1.0, local=0.0, vignette=0.0, sharpen=0.0, denoise=0.0),
)
EMPTY_6 = Layout(("......",) * 6)


@pytest.fixture(scope="module")
def plain() -> Shot:
    return make_scene(3, sheets=[(0, 6)], look=PLAIN)


def _cells_to_photo(shot: Shot) -> FloatArray:
    crossings = np.array(shot.boards[0].crossings)
    rows, cols = np.indices(crossings.shape[:2])
    return fit_homography(np.stack([cols, rows], -1).reshape(-1, 2), crossings.reshape(-1, 2))


def _across(shot: Shot, a: FloatArray, b: FloatArray) -> int:
    """How many pixels beside the middle of a line from ``a`` to ``b`` the picture is darkest."""
    along = (b - a) / np.hypot(*(b - a))
    grey = cv2.GaussianBlur(cv2.cvtColor(shot.pixels, cv2.COLOR_RGB2GRAY), (0, 0), 0.8)
    steps = np.arange(-5, 6)
    x, y = np.round((a + b) / 2 + steps[:, None] * [-along[1], along[0]]).astype(int).T
    return int(steps[np.argmin(grey[y, x])])


def test_the_same_seed_gives_the_same_photo(plain: Shot) -> None:
    again = make_scene(3, sheets=[(0, 6)], look=PLAIN)
    assert np.array_equal(plain.pixels, again.pixels)
    assert plain.boards == again.boards


def test_another_seed_gives_another_photo(plain: Shot) -> None:
    other = make_scene(4, sheets=[(0, 6)], look=PLAIN)
    assert plain.boards[0].rows != other.boards[0].rows


@pytest.mark.parametrize("difficulty", ["easy", "medium", "hard"])
def test_looks_are_drawn_by_seed(difficulty: str) -> None:
    assert random_look(5, difficulty) == random_look(5, difficulty)
    assert random_look(5, difficulty) != random_look(6, difficulty)


def test_truth_agrees_with_where_opencv_sees_the_fiducials(plain: Shot) -> None:
    spec = sheet_spec(DEFAULT_GAME, (0, 6))
    tags = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    grey = cv2.cvtColor(plain.pixels, cv2.COLOR_RGB2GRAY)
    quads, ids, _ = cv2.aruco.ArucoDetector(tags, settings).detectMarkers(grey)
    seen = {int(tag): quad.reshape(4, 2) for tag, quad in zip(np.ravel(ids), quads, strict=True)}
    assert sorted(seen) == [fiducial.id for fiducial in spec.fiducials]
    photo_from_board = _cells_to_photo(plain)
    for fiducial in spec.fiducials:
        s = fiducial.square
        corners = np.array([(s.x, s.y), (s.x + s.w, s.y), (s.x + s.w, s.y + s.h), (s.x, s.y + s.h)])
        expected = project(photo_from_board, (corners - spec.grid_origin_mm) / spec.cell_mm)
        assert np.abs(seen[fiducial.id] - expected).max() < 1


def test_crossings_follow_a_bent_page() -> None:
    bent = replace(PLAIN, paper=PaperLook(bend_deg=30, bend_dir_deg=40), view=replace(PLAIN.view, tilt_deg=25))
    shot = make_scene(5, sheets=[(0, 6)], look=bent, layouts=[EMPTY_6])
    crossings = np.array(shot.boards[0].crossings)
    flat = project(_cells_to_photo(shot), np.indices((7, 7)).transpose(2, 1, 0).reshape(-1, 2)[:, ::-1])
    assert np.abs(np.sort(flat, 0) - np.sort(crossings.reshape(-1, 2), 0)).max() > 2
    across = [_across(shot, line[k], line[k + 1]) for line in crossings for k in range(6)]
    down = [_across(shot, crossings[k, col], crossings[k + 1, col]) for col in range(7) for k in range(6)]
    assert max(map(abs, across + down)) <= 1


def test_each_cell_shows_the_colour_that_truth_names(plain: Shot) -> None:
    board = plain.boards[0]
    pigments = {code: np.array(rgb) for code, rgb in PLAIN.stickers.pigments} | {EMPTY: np.array([220.0, 220, 220])}
    centres = project(_cells_to_photo(plain), [[c + 0.5, r + 0.5] for r in range(6) for c in range(6)])
    pixels = cv2.GaussianBlur(plain.pixels, (0, 0), 3)
    seen = []
    for x, y in np.round(centres).astype(int):
        seen.append(min(pigments, key=lambda code: np.abs(pixels[y, x] - pigments[code]).sum()))
    assert "".join(seen) == "".join(board.rows)


def test_stickers_lie_mostly_in_their_cells() -> None:
    rng = np.random.default_rng(8)
    rows = make_rows(rng, 6, 6, "RYGB", 0.85)
    stickers = place_stickers(rng, rows, None, random_look(8, "hard").stickers)
    for sticker in stickers:
        inside = labels([sticker], 6, 6).reshape(6, 32, 6, 32) == 0
        assert inside[sticker.row, :, sticker.col].sum() > 0.5 * inside.sum()
    own, foreign = covers(stickers, 6, 6)
    assert foreign.max() <= FOREIGN_MOST
    for row, col in np.ndindex(6, 6):
        assert (own[row, col] > foreign[row, col]) == (rows[row][col] != EMPTY)


def test_the_top_one_of_two_stickers_counts() -> None:
    look = replace(PLAIN, stickers=StickerLook(over=1.0))
    rng = np.random.default_rng(2)
    stickers = place_stickers(rng, ["RRRR"] * 4, None, look.stickers)
    assert sum(sticker.under for sticker in stickers) == 16
    top = labels(stickers, 4, 4)[16::32, 16::32]
    assert all(stickers[index].colour == "R" for index in top.ravel())


def test_owners_stand_where_stickers_are() -> None:
    rng = np.random.default_rng(4)
    rows = make_rows(rng, 12, 12, "RYGB", 0.7)
    owners = make_owners(rng, rows, "ABC")
    assert [[owner == EMPTY for owner in line] for line in owners] == [[c == EMPTY for c in row] for row in rows]
    assert set("".join(owners)) == set("ABC" + EMPTY)


@pytest.mark.parametrize(("name", "rows", "cols"), [((2, 3), 3, 3), ("no_mans_land", 12, 12), ("card", 4, 5)])
def test_layouts_have_their_sheets_shape(name: tuple[int, int] | str, rows: int, cols: int) -> None:
    layout = random_layout(np.random.default_rng(1), sheet_spec(DEFAULT_GAME, name), DEFAULT_GAME)
    assert [len(row) for row in layout.rows] == [cols] * rows
    assert (layout.owners is None) == (name != "no_mans_land")


def test_cells_outside_the_photo_are_told_as_hidden() -> None:
    near = replace(PLAIN, view=View(width=600, height=600, fill=1.7, frame="grid"))
    board = make_scene(6, sheets=[(0, 6)], look=near).boards[0]
    assert board.hidden[0][0] > 0.5
    assert board.hidden[3][3] == 0


def test_glare_that_bleaches_a_sticker_is_told(plain: Shot) -> None:
    flash = LightLook("flash", strength=9.0, ambient=(0.5, 0.5, 0.5))
    glossy = replace(PLAIN, light=flash, stickers=StickerLook(gloss=1.0), develop=replace(PLAIN.develop, ev=0.5))
    assert make_scene(3, sheets=[(0, 6)], look=glossy).boards[0].washed
    assert not plain.boards[0].washed


@pytest.mark.parametrize(("error", "red_over_blue"), [(3000, 3.83), (0, 1.0), (-3000, 0.63)])
def test_white_balance_is_off_by_as_many_kelvin_as_said(error: float, red_over_blue: float) -> None:
    red, _, blue = gains(replace(PLAIN.develop, kelvin_error=error), np.ones(3, np.float32))
    assert red / blue == pytest.approx(red_over_blue, abs=0.02)


def test_a_shot_tells_the_tilt_it_was_taken_at() -> None:
    steep = replace(PLAIN, view=replace(PLAIN.view, tilt_deg=75))
    assert make_scene(3, sheets=[(0, 3)], look=steep).look.view.tilt_deg < 63


def test_a_photo_too_small_to_read_is_refused() -> None:
    with pytest.raises(ValueError, match="can't be read"):
        make_scene(3, sheets=["no_mans_land"], look=replace(PLAIN, view=View(width=90, height=120)))


def test_several_sheets_lie_apart() -> None:
    shot = make_scene(7, sheets=[(0, 6), (1, 5), (2, 4)], look=replace(PLAIN, view=View(width=1600, height=1200)))
    assert [(board.team_index, len(board.rows)) for board in shot.boards] == [(0, 6), (1, 5), (2, 4)]
    for a, b in ((0, 1), (1, 2)):
        right = max(x for x, _ in shot.boards[a].page_corners)
        assert right < min(x for x, _ in shot.boards[b].page_corners) + 40


def test_a_decoy_has_no_boards() -> None:
    assert make_decoy(1, "chessboard", look=PLAIN).boards == ()


def test_a_photograph_can_be_a_ground(tmp_path: Path) -> None:
    Image.new("RGB", (90, 60), (255, 0, 0)).save(tmp_path / "ž 2.png")
    (tmp_path / "notes.txt").touch()
    (path,) = photographs(tmp_path)
    assert one_of([path], 7) == str(path)
    texture = paint_ground(str(path), np.random.default_rng(0))
    assert texture.shape == (SIDE_PX, SIDE_PX, 3)
    np.testing.assert_allclose(texture, np.broadcast_to([1.0, 0.0, 0.0], texture.shape))


def test_a_folder_without_a_picture_has_no_grounds(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no \.jpg"):
        photographs(tmp_path)


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_files_are_stored_turned_as_their_exif_says(tmp_path: Path, plain: Shot, orientation: int) -> None:
    path = save_shot(tmp_path, "ž 1.jpg", plain, orientation=orientation, quality=95)
    with Image.open(path) as photo:
        assert photo.getexif()[0x0112] == orientation
        upright = np.asarray(ImageOps.exif_transpose(photo), np.int16)
    assert np.abs(upright - plain.pixels).mean() < 4


def test_truth_survives_json(plain: Shot) -> None:
    entry = truth_entry("a.jpg", plain, plain.boards[0], DEFAULT_GAME)
    back = json.loads(json.dumps(entry))
    assert (back["file"], back["kind"], back["board"], back["n"], back["team"]) == ("a.jpg", "sheet", "team", 6, "Vlci")
    assert back["rows"] == list(plain.boards[0].rows)
    assert np.array(back["crossings"]).shape == (7, 7, 2)
    assert 'name = "Vlci"' in game_toml(DEFAULT_GAME)


def test_every_sheet_of_the_sample_game_has_one_photo() -> None:
    names = [sample.sheet for sample in SAMPLES]
    boards = [(team, size) for team in range(3) for size in (6, 5, 4, 3)]
    assert sorted(map(str, names)) == sorted(map(str, [*boards, "no_mans_land", "card"]))


def test_samples_are_shown_in_their_readme_and_stay_small() -> None:
    folder = Path(__file__).resolve().parents[1] / "sample_photos"
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert all(f"`{sample.name}.jpg`" in readme for sample in SAMPLES)
    assert sum(photo.stat().st_size for photo in folder.glob("*.jpg")) < 12e6
