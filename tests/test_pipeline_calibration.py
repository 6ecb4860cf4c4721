"""From photos of the calibration card to a palette: what is learned, what is left out, what is refused."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from conftest import TINY_GAME
from synth import Layout, make_scene, save_shot
from synth.look import LightLook
from synth.phones import CAMP_PHONES, colour_game, phone_look, sticker_pigments

from poradek_vision.errors import CardNotFound, SettingsError
from poradek_vision.files import PhotoFile, find_palettes, load_photo
from poradek_vision.model import CellReading, Correction, Flag
from poradek_vision.pipeline import Setup, calibrate, learn_from_cards, learn_from_results, palette_for, read_photo
from poradek_vision.pipeline.reading import _board_flags

FULL = ("RRRRR", "YYYYY", "GGGGG", "BBBBB")


def take(folder, name, *sheets, rows=FULL, light="shade", light_look=None, codes="RYGB", phone=CAMP_PHONES[0], seed=1):
    """A photo of cards or boards on the disk, with what is stuck on each."""
    look = phone_look(phone, light, sticker_pigments("RYGBOPLDKW", 1), seed, key=False)
    look = replace(look, view=replace(look.view, width=900, height=1200), light=light_look or look.light)
    game = colour_game(TINY_GAME, codes)
    layouts = [Layout(tuple(rows)) for _ in sheets]
    shot = make_scene(seed, game=game, sheets=sheets, look=look, layouts=layouts)
    return PhotoFile(name, save_shot(folder, name, shot, phone=phone))


def setup_for(codes="RYGB"):
    return Setup(colour_game(TINY_GAME, codes), find_palettes([]))


def faults_of(learned):
    return {(cell.row, cell.col): cell.fault for lesson in learned.lessons for cell in lesson.cells if cell.fault}


@pytest.fixture(scope="module")
def card(tmp_path_factory):
    return take(tmp_path_factory.mktemp("card"), "karta.jpg", "card")


@pytest.fixture(scope="module")
def learned(card):
    return learn_from_cards([card], setup_for())


def test_a_full_card_teaches_every_colour(learned):
    done = calibrate(learned.lessons, None, "Tarn One", setup_for(), "1")
    assert [(entry.colour, entry.count) for entry in done.palette.entries] == [(code, 5) for code in "RYGB"]
    assert learned.lessons[0].camera == "Tarn One"
    assert len(done.separations) == 10
    assert done.separations[0].widths > 3.5
    assert done.close == ()


def test_the_same_card_added_again_changes_nothing(learned):
    setup = setup_for()
    palette = calibrate(learned.lessons, None, "B7", setup, "1").palette
    assert calibrate(learned.lessons, palette, "B7", setup, "1").palette == palette


def test_a_renamed_copy_of_the_card_is_not_counted_twice(learned):
    setup = setup_for()
    palette = calibrate(learned.lessons, None, "B7", setup, "1").palette
    renamed = [replace(lesson, photo="kopie.jpg") for lesson in learned.lessons]
    assert calibrate(renamed, palette, "B7", setup, "1").palette == palette
    assert calibrate([*learned.lessons, *renamed], None, "B7", setup, "1").palette == palette


def test_another_light_is_added(learned, tmp_path):
    setup = setup_for()
    palette = calibrate(learned.lessons, None, "B7", setup, "1").palette
    more = learn_from_cards([take(tmp_path, "lampa.jpg", "card", light="lamp", seed=2)], setup)
    both = calibrate(more.lessons, palette, "B7", setup, "1").palette
    assert [entry.count for entry in both.entries] == [
        entry.count + Counter(cell.colour for cell in more.lessons[0].cells if not cell.fault)[entry.colour]
        for entry in palette.entries
    ]
    assert len(both.photos) == 2


def test_wrong_and_missing_stickers_are_found_and_left_out(tmp_path):
    photo = take(tmp_path, "karta.jpg", "card", rows=("RRYRR", "YYYYY", ".GG..", "BBBRB"))
    learned = learn_from_cards([photo], setup_for())
    assert faults_of(learned) == {
        (0, 2): "other", (2, 0): "empty", (2, 3): "empty", (2, 4): "empty", (3, 3): "other",
    }  # fmt: skip
    assert {cell.looks for cell in learned.lessons[0].cells if cell.fault == "other"} == {"Y", "R"}
    counts = {
        entry.colour: entry.count for entry in calibrate(learned.lessons, None, "B7", setup_for(), "1").palette.entries
    }
    assert counts == {"R": 4, "Y": 5, "G": 2, "B": 4}


@pytest.mark.parametrize("rows", [("YYYYY", "RRRRR", "GGGGG", "BBBBB"), ("RRR..", "YYYY.", "BBBBB", "GG...")])
def test_swapped_rows_are_refused(tmp_path, rows):
    photo = take(tmp_path, "karta.jpg", "card", rows=rows)
    with pytest.raises(SettingsError) as caught:
        learn_from_cards([photo], setup_for())
    names = {"červená", "žlutá"} if rows[0][0] == "Y" else {"zelená", "modrá"}
    assert caught.value.text.key == "calibrate.swapped"
    assert {value for name, value in caught.value.text.fields if name != "photo"} == names


def test_an_empty_row_is_refused_by_name(tmp_path):
    photo = take(tmp_path, "karta.jpg", "card", rows=("RRRRR", ".....", "GGGGG", "BBBBB"))
    lessons = learn_from_cards([photo], setup_for()).lessons
    with pytest.raises(SettingsError, match="žlutá"):
        calibrate(lessons, None, "B7", setup_for(), "1")


def test_half_a_card_in_the_shade_teaches_the_same_colours(tmp_path, learned):
    light = LightLook("half sun", 200, 45, 4.0, 0.2, (0.8, 0.95, 1.25), softness_mm=2)
    photo = take(tmp_path, "karta.jpg", "card", light="sun", seed=5, light_look=light)
    setup = setup_for()
    half = calibrate(learn_from_cards([photo], setup).lessons, None, "B7", setup, "1")
    whole = calibrate(learned.lessons, None, "B7", setup, "1")
    assert min(entry.count for entry in half.palette.entries) >= 3
    for one, other in zip(half.palette.entries, whole.palette.entries, strict=True):
        assert np.linalg.norm(np.subtract(one.centre, other.centre)) < 14


def test_a_photo_without_a_card(tmp_path, card):
    board = take(tmp_path, "deska.jpg", (0, 4), rows=("RRRR", "YG.B", "BYG.", ".RYG"))
    with pytest.raises(CardNotFound, match=r"deska\.jpg"):
        learn_from_cards([board], setup_for())
    learned = learn_from_cards([board, card], setup_for())
    assert [lesson.photo for lesson in learned.lessons] == ["karta.jpg"]
    assert [note.key for note in learned.notes] == ["calibrate.no_card"]


def test_two_cards_in_a_photo_both_count(tmp_path):
    setup = setup_for()
    learned = learn_from_cards([take(tmp_path, "dvě.jpg", "card", "card")], setup)
    assert len(learned.lessons) == 2
    done = calibrate(learned.lessons, None, "B7", setup, "1")
    assert [entry.count for entry in done.palette.entries] == [10] * 4
    assert len(done.palette.photos) == 1


def test_stickers_of_one_colour_in_two_rows_can_not_be_told_apart(tmp_path):
    photo = take(tmp_path, "karta.jpg", "card", rows=("RRRRR", "YYYYY", "GGGGG", "GGGGG"))
    with pytest.raises(SettingsError) as caught:
        calibrate(learn_from_cards([photo], setup_for()).lessons, None, "B7", setup_for(), "1")
    assert caught.value.text.key == "calibrate.too_close"
    assert {"zelená", "modrá"} <= {value for _, value in caught.value.text.fields}


def test_white_stickers_are_refused_and_black_ones_learned(tmp_path):
    codes = "RYGBKW"
    photo = take(tmp_path, "karta.jpg", "card", codes=codes, rows=tuple(code * 5 for code in codes))
    setup = setup_for(codes)
    learned = learn_from_cards([photo], setup)
    assert {cell.fault for cell in learned.lessons[0].cells if cell.colour == "K"} == {""}
    with pytest.raises(SettingsError, match="bílá"):
        calibrate(learned.lessons, None, "B7", setup, "1")


def test_a_reviewed_board_teaches_what_is_sure_and_what_was_corrected(tmp_path):
    rows = ("RRRR", "YG.B", "BYG.", ".RYG")
    file = take(tmp_path, "deska.jpg", (0, 4), rows=rows)
    setup = setup_for()
    readings = read_photo(load_photo(file), setup)
    wrong = Correction(readings[0].sha256, "deska.jpg", 0, "cell", 1, 0, ".")  # a person says: this yellow one is empty
    learned = learn_from_results([file], readings, [wrong], setup)
    counts = Counter(cell.colour for cell in learned.lessons[0].cells)
    assert counts == Counter("".join(rows).replace(".", "")) - Counter("Y")
    done = calibrate(learned.lessons, None, "B7", setup, "1")
    assert [entry.colour for entry in done.palette.entries] == list("RYGB")


@pytest.mark.parametrize("sha256", [None, ""])
def test_what_a_person_said_is_no_board_teaches_nothing(tmp_path, sha256):
    file = take(tmp_path, "dvě.jpg", (0, 4), (1, 4), rows=("RRRR", "YG.B", "BYG.", ".RYG"))
    setup = setup_for()
    readings = read_photo(load_photo(file), setup)
    assert len(learn_from_results([file], readings, [], setup).lessons) == 2
    no = Correction(readings[1].sha256 if sha256 is None else sha256, "dvě.jpg", 1, "board", None, None, "no")
    assert len(learn_from_results([file], readings, [no], setup).lessons) == 1
    assert len(learn_from_results([file], readings, [no, replace(no, value="ok")], setup).lessons) == 2


def test_results_of_other_photos_teach_nothing(tmp_path):
    file = take(tmp_path, "deska.jpg", (0, 4), rows=("RRRR", "YG.B", "BYG.", ".RYG"))
    with pytest.raises(SettingsError):
        learn_from_results([file], [], [], setup_for())


def test_a_board_read_with_another_phones_palette_is_in_doubt_with_advice(tmp_path):
    setup = setup_for()
    lessons = learn_from_cards([take(tmp_path, "karta.jpg", "card", phone=CAMP_PHONES[1])], setup).lessons
    palettes = (calibrate(lessons, None, "Ostrov 3", setup, "1").palette,)
    board = load_photo(take(tmp_path, "deska.jpg", (0, 4), rows=("RRRR", "YG.B", "BYG.", ".RYG")))
    (other,) = read_photo(board, replace(setup, palettes=palettes, camera="Ostrov 3"))
    (usual,) = read_photo(board, setup)
    assert Flag.STRANGE_LIGHT in other.flags
    assert Flag.STRANGE_LIGHT not in usual.flags


def test_the_default_palette_does_not_take_black_for_blue(tmp_path):
    colours = tuple(replace(colour, swatch="#141414") if colour.code == "B" else colour for colour in TINY_GAME.colours)
    palette = palette_for("", Setup(replace(TINY_GAME, colours=colours), find_palettes([])))
    assert [entry.count > 0 for entry in palette.entries] == [True, True, True, False]


@pytest.mark.parametrize(("doubtful", "strange"), [(3, False), (4, True)])
def test_a_board_on_which_many_colours_are_unclear_is_in_strange_light(doubtful, strange):
    cells = tuple(CellReading(k // 3, k % 3, "R", flags=(Flag.OFF_PALETTE,) if k < doubtful else ()) for k in range(9))
    assert (Flag.STRANGE_LIGHT in _board_flags(cells)) == strange
