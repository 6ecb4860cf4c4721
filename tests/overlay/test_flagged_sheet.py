"""The sheet of all doubtful cells, and the picture of a photo without a board."""

import numpy as np
import pytest
from made_boards import GAME, PAPER, TURNED, make_grid, make_photo, make_reading

from poradek_vision.model import CellReading, Failure, Flag, Text
from poradek_vision.overlay import FlaggedCrop, contact_sheet, flagged_crops, paint_failure
from poradek_vision.overlay.contact import CROP_PX, MOST_HEIGHT
from poradek_vision.overlay.legend import EDGE
from poradek_vision.overlay.pen import DOUBT, FOUND

RED = (200, 36, 44)


def make_crop(flags=(Flag.LOW_MARGIN,), photo="IMG_7.jpg") -> FlaggedCrop:
    pixels = np.full((CROP_PX, CROP_PX, 3), PAPER, np.uint8)
    pixels.setflags(write=False)
    return FlaggedCrop(7, photo, "Vlci · 6×6", CellReading(1, 2, "R", second="G", confidence=0.8, flags=flags), pixels)


def test_doubtful_cells_are_cut_out_of_the_photo_upright():
    grid = make_grid(3, 3, TURNED)
    doubts = {(0, 1): (Flag.GLARE,), (2, 2): (Flag.OWNER_UNCLEAR,)}
    photo = make_photo(grid, {(0, 1): RED, (0, 2): (34, 84, 172)})
    crops = flagged_crops(photo, make_reading(grid, doubts), GAME, {place: 1 for place in doubts})
    assert [(crop.cell.row, crop.cell.col) for crop in crops] == list(doubts)
    assert {(crop.photo, crop.board) for crop in crops} == {(photo.name, "Vlci · V · 3×3")}
    seen = crops[0].pixels
    np.testing.assert_allclose(seen[60, 60], RED, atol=2)
    np.testing.assert_allclose(seen[60, 110], (34, 84, 172), atol=2)
    np.testing.assert_allclose(seen[110, 60], PAPER, atol=2)
    assert not seen.flags.writeable


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 300])
def test_the_sheet_holds_every_crop(count):
    sheet = contact_sheet([make_crop()] * count, GAME)
    assert sheet.shape[1:] == (1600, 3)
    assert sheet.shape[0] <= MOST_HEIGHT
    assert crops_on(sheet) == count


def crops_on(sheet: np.ndarray) -> int:
    """How many cells are framed: by the left edges of their frames, a quarter of a crop from the left."""
    lefts = [EDGE + k * (1600 - EDGE) // 3 + CROP_PX // 4 - 1 for k in range(3)]
    edges = np.all(sheet[:, lefts] == DOUBT, axis=-1).astype(int)
    return int(np.count_nonzero(np.diff(edges, axis=0) == 1))


def test_a_sheet_too_high_is_cut_and_says_so(monkeypatch):
    whole = contact_sheet([make_crop()] * 30, GAME)
    monkeypatch.setattr("poradek_vision.overlay.contact.MOST_HEIGHT", 1000)
    cut = contact_sheet([make_crop()] * 30, GAME)
    assert crops_on(whole) == 30
    assert 0 < crops_on(cut) < 30
    assert 800 < cut.shape[0] <= 1000
    told = [np.any(np.all(sheet[55:84] == DOUBT, axis=-1)) for sheet in (whole, cut)]
    assert told == [False, True]


def test_long_reasons_and_names_make_room_for_themselves():
    plain = contact_sheet([make_crop()] * 3, GAME)
    wordy = contact_sheet([make_crop(), make_crop(tuple(Flag), "složka/" + "ďábelské_ódy" * 9), make_crop()], GAME)
    assert wordy.shape[0] > plain.shape[0]


@pytest.mark.parametrize("outline", [None, TURNED])
def test_a_failure_shows_the_photo_and_what_was_seen(outline):
    photo = make_photo(make_grid(), scale=0.5)
    seen = (outline,) if outline else ()
    failure = Failure(photo.name, "00", "not_found", Text("photo.empty", (("photo", photo.name),)), seen)
    picture = paint_failure(photo, failure, GAME)
    assert picture.shape[1] == 1200 + 40
    y, x = np.nonzero(np.all(picture == FOUND, axis=-1))
    assert bool(len(x)) == bool(outline)
    if outline:
        assert x.max() - x.min() == pytest.approx((510 - 190) * 1.5, abs=6)
        assert y.max() - y.min() == pytest.approx((470 - 130) * 1.5, abs=6)
