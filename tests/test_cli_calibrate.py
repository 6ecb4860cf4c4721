"""``poradek calibrate`` from photos to files: exit codes, streams, palettes and their pictures."""

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import TINY_GAME
from synth import PHONES, make_scene, save_shot
from synth.album import Phone
from synth.phones import CAMP_PHONES, phone_look, sticker_pigments

from poradek_vision.cli import main
from poradek_vision.files import load_palette
from poradek_vision.model import KnownCell, Palette, PaletteEntry, Separation
from poradek_vision.overlay import paint_calibration

SAMPLES = Path(__file__).parents[1] / "sample_photos"
NAME = "Borovice-B7-Pro.json"


def run(capsys, *arguments):
    code = main(["calibrate", *map(str, arguments)])
    told = capsys.readouterr()
    return code, told.out, told.err


@pytest.fixture
def camp(tmp_path):
    """The sample game's card, in a folder of its own."""
    shutil.copy(SAMPLES / "game.toml", tmp_path)
    shutil.copy(SAMPLES / "karta.jpg", tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def other_light(tmp_path_factory):
    """The card again, under a lamp."""
    look = phone_look(CAMP_PHONES[0], "lamp", sticker_pigments("RYGB", 1), 2)
    shot = make_scene(2, game=TINY_GAME, sheets=["card"], look=look)
    return save_shot(tmp_path_factory.mktemp("lamp"), "lampa.jpg", shot, phone=PHONES[0])


def test_a_card_becomes_a_palette_and_a_picture(camp, capsys):
    code, out, err = run(capsys, camp / "karta.jpg")
    assert (code, err) == (0, "")
    assert "karta.jpg: červená 5, žlutá 5, zelená 5, modrá 5" in out
    palette = load_palette(camp / "calibration" / NAME)
    assert palette.camera == "Borovice B7 Pro"
    assert palette.photos[0].startswith("karta.jpg (")
    picture = cv2.imdecode(np.fromfile(camp / "calibration" / "Borovice-B7-Pro.png", np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape[1] == 1600


def test_twice_gives_the_same_bytes_and_keeps_no_copy(camp, capsys):
    run(capsys, camp / "karta.jpg")
    before = {path.name: path.read_bytes() for path in (camp / "calibration").iterdir()}
    assert run(capsys, camp / "karta.jpg", "--quiet") == (0, "", "")
    assert {path.name: path.read_bytes() for path in (camp / "calibration").iterdir()} == before


def test_a_new_palette_keeps_the_old_one_beside_it(camp, capsys, other_light):
    run(capsys, camp / "karta.jpg")
    old = (camp / "calibration" / NAME).read_bytes()
    game = ("--game", camp / "game.toml")
    assert run(capsys, other_light, *game)[0] in (0, 1)
    assert (camp / "calibration" / f"{NAME}.old").read_bytes() == old
    assert (camp / "calibration" / NAME).read_bytes() != old


def test_another_light_is_added_once(camp, capsys, other_light):
    run(capsys, camp / "karta.jpg")
    for _ in range(2):
        run(capsys, other_light, "--add", "--game", camp / "game.toml")
        palette = load_palette(camp / "calibration" / NAME)
        assert [photo.split()[0] for photo in palette.photos] == ["karta.jpg", "lampa.jpg"]
        assert max(entry.count for entry in palette.entries) <= 10


def test_a_reviewed_board_teaches_without_a_card(camp, capsys):
    shutil.copy(SAMPLES / "vlci_5.jpg", camp)
    assert main(["score", str(camp / "vlci_5.jpg"), "--out", str(camp / "results")]) == 1
    capsys.readouterr()
    code, out, _ = run(capsys, camp, "--from", camp / "results")
    assert code == 0
    assert "vlci_5.jpg: červená" in out
    assert load_palette(camp / "calibration" / NAME).photos[0].startswith("vlci_5.jpg (")


def test_the_picture_is_not_taken_for_a_photo(camp, capsys):
    run(capsys, camp / "karta.jpg")
    main(["score", str(camp), "--out", str(camp / "results")])
    assert ".png" not in (camp / "results" / "boards.csv").read_text(encoding="utf-8")


def test_a_photo_without_a_card_is_3_and_names_it(camp, capsys):
    shutil.copy(SAMPLES / "vlci_3.jpg", camp)
    code, out, err = run(capsys, camp / "vlci_3.jpg")
    assert (code, out) == (3, "")
    assert err.startswith("vlci_3.jpg: není tu kalibrační karta")
    assert not (camp / "calibration").exists()


def test_photos_of_two_phones_or_of_none_need_a_name(camp, capsys):
    for folder, phone in (("a", CAMP_PHONES[1]), ("b", Phone("", ""))):
        look = phone_look(CAMP_PHONES[0], "shade", sticker_pigments("RYGB", 1), 3)
        (camp / folder).mkdir()
        shot = make_scene(3, game=TINY_GAME, sheets=["card"], look=look)
        save_shot(camp / folder, "jiná.jpg", shot, phone=phone)
    game = ("--game", camp / "game.toml")
    both = (camp / "karta.jpg", camp / "a", *game)
    assert "Ostrov 3" in run(capsys, *both)[2]
    for name in ("Ostrov 3", "ostrov 3"):
        code, out, _ = run(capsys, *both, "--camera", name)
        assert (code, out.startswith("jiná.jpg: červená"), "karta.jpg" in out) == (0, True, False)
        assert load_palette(camp / "calibration" / "Ostrov-3.json").camera == "Ostrov 3"
    code, out, err = run(capsys, *both, "--camera", "Ostorv 3")  # neither: not both phones together
    assert (code, out, "Ostrov 3" in err) == (2, "", True)
    code, _, err = run(capsys, camp / "b", *game)
    assert (code, "--camera" in err) == (2, True)
    assert run(capsys, camp / "karta.jpg", camp / "b", "--camera", "můj telefon", *game)[0] == 0
    assert (camp / "calibration" / "můj-telefon.json").exists()


def test_a_broken_palette_in_the_way_is_named(camp, capsys):
    (camp / "calibration").mkdir()
    (camp / "calibration" / NAME).write_text("{", encoding="utf-8")
    code, _, err = run(capsys, camp / "karta.jpg")
    assert code == 2
    assert NAME in err


def test_a_picture_of_every_colour_and_many_stickers_can_be_painted():
    spread = ((30.0, 0.0, 0.0), (0.0, 60.0, 30.0), (0.0, 30.0, 40.0))
    codes = TINY_GAME.codes
    entries = tuple(PaletteEntry(code, (50.0 + k, 40.0 * k - 60, 120.0), spread, 40) for k, code in enumerate(codes))
    cells = [KnownCell(0, k, "R", (50.0, 60.0, 40.0), "" if k % 2 else "odd") for k in range(40)]
    pairs = [Separation(a, b, 3.0, 0.01) for k, a in enumerate((".", *codes)) for b in codes[k:]]
    picture = paint_calibration(Palette("B7", entries), cells, pairs, pairs[:1], TINY_GAME)
    assert picture.shape[1] == 1600
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 20
