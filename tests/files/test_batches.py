"""``batch.json``: there and back, after photos and results have moved together, and what is refused."""

import os
from dataclasses import replace

import pytest

from poradek_vision.errors import SettingsError
from poradek_vision.files import Batch, PhotoFile, load_batch, save_batch
from poradek_vision.model import Failure, Text

LOST = Failure(
    "b.jpg", "0a" * 32, "not_found", Text.of("find.nothing", photo="b.jpg", sizes="6×6"), (((1.0, 2.5),) * 4,)
)

NUMBERS = ((("0b" * 32, "č. 1.jpg", 1, 0, 11), 3),)


def make_batch(home):
    photos = (PhotoFile("č. 1.jpg", home / "fotky" / "č. 1.jpg"), PhotoFile("b.jpg", home / "b.jpg"))
    return Batch(photos, home, home / "game.toml", home / "calibration", "Lomo", "cs", "abc", (LOST,), NUMBERS, (7, 5))


def test_a_batch_comes_back_from_its_file_equal(tmp_path):
    save_batch(tmp_path / "results", make_batch(tmp_path))
    assert load_batch(tmp_path / "results") == make_batch(tmp_path)


def test_a_path_that_is_no_utf8(tmp_path):
    odd = os.fsdecode(b"Lis\xb9ky.jpg")
    batch = replace(make_batch(tmp_path), photos=(PhotoFile("Lišky.jpg", tmp_path / odd),))
    save_batch(tmp_path / "results", batch)
    assert load_batch(tmp_path / "results") == batch


def test_photos_and_results_may_move_together(tmp_path):
    save_batch(tmp_path / "here" / "results", make_batch(tmp_path / "here"))
    (tmp_path / "here").rename(tmp_path / "there")
    assert load_batch(tmp_path / "there" / "results") == make_batch(tmp_path / "there")


def test_a_folder_without_results_is_told(tmp_path):
    with pytest.raises(SettingsError, match="no folder of results"):
        load_batch(tmp_path)


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"photos": 1}'])
def test_a_foreign_file_is_refused(tmp_path, content):
    (tmp_path / "batch.json").write_text(content)
    with pytest.raises(SettingsError, match=r"batch\.json"):
        load_batch(tmp_path)
