"""Pictures in the results folder: names, whose reading they show, housekeeping."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poradek_vision.files import (
    FLAGGED,
    PhotoFile,
    drop_flagged,
    drop_pictures,
    picture_paths,
    picture_stems,
    save_picture,
    shows,
    without_pictures,
)

JPEG = b"\xff\xd8\xff\xe0the rest"
KEY = "ab" * 32


def pictures(photo, stems, count):
    return [path.name for path in picture_paths(Path(), stems[photo], count)]


@pytest.mark.parametrize(
    ("photo", "stem"),
    [
        ("IMG_7.jpg", "IMG_7"),
        ("IMG_7.HEIC", "IMG_7"),
        ("příšerně žluťoučký kůň.jpeg", "příšerně žluťoučký kůň"),
        ("večer/u ohně/1.jpg", "večer_u ohně_1"),
        ("foto 14:32?.png", "foto 14_32_"),
        ("nul.jpg", "_nul"),
        ("Com1.foto.jpg", "_Com1.foto"),
        ("tečka..jpg", "tečka"),
        ("bez přípony", "bez přípony"),
        ("...jpg", "_"),
    ],
)
def test_a_picture_is_called_like_its_photo_where_that_can_be(photo, stem):
    assert picture_stems([photo]) == {photo: stem}


@pytest.mark.parametrize(
    "photos",
    [
        ("IMG_7.jpg", "IMG_7.heic"),
        ("img_7.jpg", "IMG_7.jpg"),
        ("a/b.jpg", "a_b.jpg"),
        ("č.jpg", unicodedata.normalize("NFD", "č") + ".jpg"),
        ("x" * 200 + "1.jpg", "x" * 200 + "2.jpg"),
        ("IMG.jpg", "IMG-2.jpg"),
        ("img-2.jpg", "IMG.jpg"),
        ("a.jpg", "a~b.jpg", "a_b.jpg"),
    ],
)
def test_no_two_pictures_share_a_name(photos):
    stems = picture_stems(photos)
    names = [name.casefold() for photo in photos for count in (1, 3) for name in pictures(photo, stems, count)]
    assert len({unicodedata.normalize("NFC", name) for name in names}) == 4 * len(photos)
    assert picture_stems(photos[::-1]) == stems


@given(st.lists(st.text(st.sampled_from("aA-/12.~:č"), min_size=1, max_size=6), unique=True, max_size=5))
def test_names_never_clash_and_are_safe(photos):
    stems = picture_stems(photos)
    names = [name.casefold() for photo in photos for count in (1, 2) for name in pictures(photo, stems, count)]
    assert len(set(names)) == len(names)
    assert not any(set(name) & set('<>:"/\\|?*') or name != name.strip() for name in names)


def test_a_picture_knows_which_reading_it_shows(tmp_path):
    path = tmp_path / "debug" / "IMG_7.jpg"
    assert not shows(path, KEY)
    save_picture(path, JPEG, KEY)
    assert shows(path, KEY)
    assert not shows(path, "cd" * 32)
    assert path.read_bytes().startswith(b"\xff\xd8\xff\xfe")
    assert path.read_bytes().endswith(JPEG[2:])


def test_only_pictures_of_this_run_stay(tmp_path):
    (kept,) = picture_paths(tmp_path, "IMG_7", 1)
    stale = picture_paths(tmp_path, "IMG_6", 2)
    for path in (kept, *stale):
        save_picture(path, JPEG, KEY)
    drop_pictures(tmp_path, {kept})
    assert list((tmp_path / "debug").iterdir()) == [kept]


def test_dropping_what_is_not_there_is_no_error(tmp_path):
    drop_pictures(tmp_path / "no such folder", set())
    drop_flagged(tmp_path)


def test_the_tools_own_pictures_are_no_photos(tmp_path):
    names = ("IMG_7.jpg", FLAGGED, "debug/IMG_7.jpg", "den/debug/IMG_7.jpg", "den/flagged.jpg")
    files = [PhotoFile(name, tmp_path / name) for name in names]
    assert [file.name for file in without_pictures(files, tmp_path)] == [
        "IMG_7.jpg",
        "den/debug/IMG_7.jpg",
        "den/flagged.jpg",
    ]
