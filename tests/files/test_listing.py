"""Which photos there are: order, names, and what is passed over."""

import logging
import os
import sys
from pathlib import Path

import pytest

from poradek_vision.errors import SettingsError
from poradek_vision.files.listing import list_photos


@pytest.fixture
def folder(tmp_path: Path):
    """Makes empty files below a folder."""

    def make(*names):
        for name in names:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        return tmp_path

    return make


def names(*paths):
    return [file.name for file in list_photos(paths)]


def test_suffixes_in_any_case_and_natural_order(folder):
    root = folder(
        "IMG_10.JPG", "img_9.jpeg", "a.HEIC", "b.heif", "c.WebP", "d.tif", "e.TIFF", "f.png", "x.txt", "y.mov"
    )
    assert names(root) == ["a.HEIC", "b.heif", "c.WebP", "d.tif", "e.TIFF", "f.png", "img_9.jpeg", "IMG_10.JPG"]


def test_subfolders_and_names_with_spaces_and_diacritics(folder):
    root = folder("večer/Lišky č. 2.jpg", "večer/Lišky č. 10.jpg", "ráno.jpg")
    assert names(root) == ["ráno.jpg", "večer/Lišky č. 2.jpg", "večer/Lišky č. 10.jpg"]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these take only names in Unicode")
def test_a_name_that_is_no_utf8_is_called_by_what_can_be_written(folder):
    root = folder(os.fsdecode(b"Lis\xb9ky.jpg"), "Vlci.jpg")
    assert names(root) == ["Lis\\xb9ky.jpg", "Vlci.jpg"]
    assert names(root)[0].encode()
    assert all(file.path.is_file() for file in list_photos([root]))


def test_hidden_files_and_our_own_results_are_passed_over(folder):
    root = folder(
        "1.jpg", ".2.jpg", "._3.jpg", ".thumbs/4.jpg", "out/readings.jsonl", "out/5.jpg", "old/results.csv",
        "old/debug/6.jpg", "debug/flagged.jpg",
    )  # fmt: skip
    assert names(root) == ["1.jpg"]


def test_what_may_hold_photos_but_is_not_read_is_told(folder, caplog):
    root = folder("1.jpg", "2.jfif", "scan.pdf", "all.zip", "IMG_1", "notes.txt", ".DS_Store", "Thumbs.db", "a.AAE")
    with caplog.at_level(logging.WARNING):
        assert names(root) == ["1.jpg", "2.jfif"]
    assert "(3): IMG_1, all.zip, scan.pdf;" in caplog.text


def test_the_sheets_of_a_game_beside_it_are_nothing_to_tell(folder, caplog):
    with caplog.at_level(logging.WARNING):
        names(folder("game.toml", "sheets.pdf", "1.jpg"))
    assert caplog.text == ""


def test_results_written_among_the_photos_hide_none_of_them(folder):
    assert names(folder("1.jpg", "results.csv", "readings.jsonl", "debug/1_6.jpg")) == ["1.jpg"]


def test_the_same_file_twice_counts_once(folder):
    root = folder("a/1.jpg")
    assert names(root / "a/1.jpg", root, root / "a", root / "a" / ".." / "a" / "1.jpg") == ["1.jpg"]


def test_names_that_clash_take_their_folders_in_front(folder):
    root = folder("a/x/1.jpg", "b/x/1.jpg", "b/2.jpg")
    assert names(root / "a/x", root / "b/x", root / "b/2.jpg") == ["a/x/1.jpg", "b/x/1.jpg", "2.jpg"]


def test_decomposed_letters_are_composed(folder):
    assert names(folder("c\u030c.jpg")) == ["\u010d.jpg"]


def test_two_files_that_differ_in_composition_only_keep_their_names(folder):
    assert names(folder("c\u030c.jpg", "\u010d.jpg")) == ["c\u030c.jpg", "\u010d.jpg"]


def test_a_named_file_is_taken_whatever_it_is(folder):
    assert names(folder(".notes.txt") / ".notes.txt") == [".notes.txt"]


def test_the_path_leads_to_the_file(folder):
    root = folder("a/1.jpg")
    assert list_photos([root])[0].path == root / "a/1.jpg"


def test_a_path_that_does_not_exist(tmp_path: Path):
    with pytest.raises(SettingsError, match=r"IMG_7\.jpg: no such file") as caught:
        list_photos([tmp_path / "IMG_7.jpg"])
    assert caught.value.text.key == "photo.no_such_path"


def test_a_folder_without_photos(folder):
    with pytest.raises(SettingsError, match="no photos here") as caught:
        list_photos([folder("x.txt")])
    assert caught.value.text.key == "photo.no_photos"


def test_another_game_within_a_games_folder_is_passed_over_but_read_when_given(folder):
    root = folder("game.toml", "a.jpg", "other/game.toml", "other/b.jpg", "evening/c.jpg")
    assert names(root) == ["a.jpg", "evening/c.jpg"]
    assert names(root / "other") == ["b.jpg"]


def test_games_side_by_side_are_all_read(folder):
    root = folder("one/game.toml", "one/a.jpg", "two/game.toml", "two/b.jpg")
    assert names(root) == ["one/a.jpg", "two/b.jpg"]


def test_a_subfolder_that_may_not_be_entered_is_passed_over_and_told(folder, monkeypatch, caplog):
    root, scandir = folder("a.jpg", "lost+found/b.jpg", "z/c.jpg"), os.scandir

    def guarded(path):
        if Path(path).name == "lost+found":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    with caplog.at_level(logging.WARNING):
        assert names(root) == ["a.jpg", "z/c.jpg"]
    assert [record.getMessage() for record in caplog.records] == [
        f"{root / 'lost+found'}: this folder can't be opened (permission denied), photos in it are passed over"
    ]
