"""Palettes on the disk: exact, diffable, and clear about what is wrong."""

from pathlib import Path

import pytest

from poradek_vision.errors import SettingsError
from poradek_vision.files import choose_palette, load_palette, load_palettes, palette_path, save_palette
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


def test_a_folder_of_palettes(tmp_path: Path):
    default = Palette("default", PALETTE.entries)
    assert load_palettes(tmp_path / "nowhere") == ()
    save_palette(tmp_path / "default.json", default)
    save_palette(tmp_path / "Apple.json", PALETTE)
    (tmp_path / "README.md").touch()
    assert load_palettes(tmp_path) == (PALETTE, default)
    save_palette(tmp_path / "copy.json", PALETTE)
    with pytest.raises(SettingsError, match=r"copy\.json: Apple\.json already"):
        load_palettes(tmp_path)


def test_choice():
    default = Palette("default", PALETTE.entries)
    assert choose_palette((default, PALETTE), "APPLE iPhone 12") == PALETTE
    assert choose_palette((PALETTE, default), "") == default
    with pytest.raises(SettingsError, match="Canon"):
        choose_palette((PALETTE,), "Canon EOS 90D")


def test_file_names_of_odd_cameras():
    assert palette_path(Path(), "A/B:C Č 3").name == "A-B-C-Č-3.json"
