"""Palettes on the disk: exact, diffable, and clear about what is wrong."""

from dataclasses import replace
from pathlib import Path

import pytest

from poradek_vision.errors import SettingsError
from poradek_vision.files import (
    choose_palette,
    find_palettes,
    load_palette,
    load_palettes,
    palette_path,
    save_palette,
    with_shipped,
)
from poradek_vision.files import palettes as palettes_module
from poradek_vision.model import Palette, PaletteEntry

SPREAD = ((4.0, 0.5, 0.0), (0.5, 3.25, 0.1), (0.0, 0.1, 1 / 3))
PALETTE = Palette(
    camera="Apple iPhone 12",
    entries=(PaletteEntry("R", (45.5, 0.1 + 0.2, 38.0), SPREAD, 25), PaletteEntry("Y", (85.0, 2.0, 80.0), SPREAD, 24)),
    photos=("večer/č. 1.jpg",),
    date="2027-07-12",
    version="0.1.0",
)
TEXT = """\
{
  "camera": "Apple iPhone 12",
  "date": "2027-07-12",
  "entries": [
    {
      "centre": [45.5, 0.30000000000000004, 38.0],
      "colour": "R",
      "count": 25,
      "spread": [[4.0, 0.5, 0.0], [0.5, 3.25, 0.1], [0.0, 0.1, 0.3333333333333333]]
    },
    {
      "centre": [85.0, 2.0, 80.0],
      "colour": "Y",
      "count": 24,
      "spread": [[4.0, 0.5, 0.0], [0.5, 3.25, 0.1], [0.0, 0.1, 0.3333333333333333]]
    }
  ],
  "photos": [
    "večer/č. 1.jpg"
  ],
  "version": "0.1.0"
}
"""


def test_there_and_back_and_diffable(tmp_path: Path):
    path = palette_path(tmp_path, PALETTE.camera)
    save_palette(path, PALETTE)
    assert path.read_bytes().decode() == TEXT
    assert load_palette(path) == PALETTE


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (TEXT, "", "no palette"),
        ('"count": 25', '"count": "25"', "entries: count: '25' is no int"),
        ("45.5, ", "", "2 values instead of 3"),
        ("45.5", "NaN", "NaN is no number"),
        ('"camera"', '"kamera"', "kamera: no such field"),
        ('"colour": "Y"', '"colour": "R"', "colour R twice"),
        ("Apple iPhone 12", "", "no camera"),
    ],
)
def test_a_broken_palette_says_what_is_wrong(tmp_path: Path, old, new, complaint):
    path = tmp_path / "a.json"
    path.write_text(TEXT.replace(old, new), encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        load_palette(path)
    assert "a.json" in str(caught.value)
    assert complaint in str(caught.value)


def test_a_palette_that_is_not_there(tmp_path: Path):
    with pytest.raises(SettingsError, match=r"a\.json"):
        load_palette(tmp_path / "a.json")


@pytest.mark.parametrize("camera", [PALETTE.camera, PALETTE.camera.upper()])
def test_a_folder_of_palettes(tmp_path: Path, camera):
    default = Palette("default", PALETTE.entries)
    assert load_palettes(tmp_path / "nowhere") == ()
    save_palette(tmp_path / "default.json", default)
    save_palette(tmp_path / "Apple.json", PALETTE)
    (tmp_path / "README.md").touch()
    assert load_palettes(tmp_path) == (PALETTE, default)
    save_palette(tmp_path / "copy.json", replace(PALETTE, camera=camera))
    with pytest.raises(SettingsError, match=r"copy\.json: Apple\.json already"):
        load_palettes(tmp_path)


def test_a_cameras_own_palette_is_chosen_else_the_default_else_none():
    default = Palette("default", PALETTE.entries)
    assert choose_palette((default, PALETTE), "APPLE iPhone 12") == PALETTE
    assert choose_palette((PALETTE, default), "") == default
    with pytest.raises(SettingsError, match="Canon"):
        choose_palette((PALETTE,), "Canon EOS 90D")


def test_file_names_of_odd_cameras():
    assert palette_path(Path(), "A/B:C Č 3").name == "A-B-C-Č-3.json"


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """An installed package that brings a default palette; its folder."""
    package = tmp_path / "site-packages" / "poradek_vision"
    monkeypatch.setattr(palettes_module, "__file__", str(package / "files" / "palettes.py"))
    save_palette(package / "calibration" / "default.json", named("default"))
    return package


def named(camera):
    return replace(PALETTE, camera=camera)


def test_palettes_of_the_first_folder_that_has_some_and_shipped_ones_for_the_rest(tmp_path, shipped):
    (tmp_path / "empty" / "calibration").mkdir(parents=True)
    for folder, camera in (("game", "B7"), ("here", "Rosa 5")):
        save_palette(tmp_path / folder / "calibration" / "phone.json", named(camera))
    folders = [tmp_path / name for name in ("none", "empty", "game", "here")]
    assert [palette.camera for palette in find_palettes(folders)] == ["B7", "default"]


def test_an_own_default_takes_the_place_of_the_shipped_one(shipped):
    own = replace(named("Default"), date="2028-01-01")
    assert with_shipped([own]) == (own,)


@pytest.mark.parametrize("kept_in", ["package", "working copy"])
def test_shipped_palettes_are_found_in_a_package_and_beside_it(shipped, kept_in):
    if kept_in == "working copy":
        (shipped / "calibration").rename(shipped.parent / "calibration")
    assert find_palettes([]) == (named("default"),)


def test_without_any_palette_there_is_none(shipped, tmp_path):
    (shipped / "calibration" / "default.json").unlink()
    assert find_palettes([tmp_path]) == ()
