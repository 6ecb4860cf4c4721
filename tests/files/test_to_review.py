"""``to_review.csv``: written for spreadsheets, read as they leave it, and refused where something is not understood."""

from dataclasses import replace
from pathlib import Path

import pytest

from poradek_vision.errors import SettingsError
from poradek_vision.files import OpenRow, load_to_review, save_to_review
from poradek_vision.model import Correction, Game, Team

SHA = "0a" * 32
GAME = Game(teams=(Team("Vlci", "A"), Team("Lišky", "2")))
ROWS = (
    OpenRow(1, "č. 1.jpg", SHA, 0, "Vlci", 6, 1, 2, "R", "G", 0.71, "odlesk, stín"),
    OpenRow(2, "=2.jpg", SHA, 1, "Území nikoho", 12, 0, 11, ".", "", 1.0, "není jasné, čí to je"),
)


def fill(folder: Path, *filled, excel=None, save=lambda text: text.encode()):
    """Write the file, fill in (now, now_owner) row by row, and save it as a program would."""
    save_to_review(folder, ROWS, excel)
    path = folder / "to_review.csv"
    delimiter = ";" if excel else ","
    text = path.read_text(encoding="utf-8-sig")
    lines = text.splitlines()
    for k, (now, owner) in enumerate(filled, start=1):
        head, _, tail = lines[k].rpartition(delimiter * 3)
        lines[k] = f"{head}{delimiter}{now}{delimiter}{owner}{delimiter}{tail}"
    path.write_bytes(save("\n".join(lines) + "\n"))
    return load_to_review(folder, GAME).corrections


def test_the_file_as_people_see_it(tmp_path):
    save_to_review(tmp_path, ROWS)
    assert (tmp_path / "to_review.csv").read_text(encoding="utf-8").splitlines() == [
        "number,photo,team,size,row,col,reading,second,confidence,reason,now,now_owner,board,sha256",
        f'1,č. 1.jpg,Vlci,6,2,3,R,G,0.71,"odlesk, stín",,,1,{SHA}',
        f'2,\'=2.jpg,Území nikoho,12,1,12,.,,1,"není jasné, čí to je",,,2,{SHA}',
    ]


def test_for_czech_excel_headers_are_czech_and_decimals_have_commas(tmp_path):
    save_to_review(tmp_path, ROWS, "cs")
    data = (tmp_path / "to_review.csv").read_bytes()
    assert data.startswith("\ufeffčíslo;fotka;tým;velikost;řádek;sloupec;čtení;druhá možnost;jistota;".encode())
    assert ";0,71;" in data.decode()


def test_what_is_not_filled_in_says_nothing(tmp_path):
    assert fill(tmp_path) == ()
    assert dict(load_to_review(tmp_path, GAME).numbers) == {
        (SHA, "č. 1.jpg", 0, 1, 2): 1,
        (SHA, "=2.jpg", 1, 0, 11): 2,
    }


def test_no_file_says_nothing_and_nothing_open_leaves_no_file(tmp_path):
    assert load_to_review(tmp_path, GAME).corrections == ()
    save_to_review(tmp_path, ROWS)
    save_to_review(tmp_path, ())
    assert not (tmp_path / "to_review.csv").exists()


@pytest.mark.parametrize(
    "save",
    [
        lambda text: text.encode(),
        lambda text: text.replace("\n", "\r\n").encode("utf-8-sig"),
        lambda text: text.replace("\n", "\r\n").encode("cp1250"),
        lambda text: text.encode("utf-16"),
        lambda text: "\n".join([text.splitlines()[0], *reversed(text.splitlines()[1:])]).encode(),
        lambda text: "\n".join(line + 3 * (";" if ";" in text else ",") for line in text.splitlines()).encode(),
    ],
    ids=["plain", "BOM, CRLF", "Czech Windows", "UTF-16", "sorted", "empty columns"],
)
@pytest.mark.parametrize("excel", [None, "cs"])
def test_as_spreadsheets_leave_it(tmp_path, save, excel):
    said = fill(tmp_path, ("G", ""), ("b", "a"), excel=excel, save=save)
    assert sorted(said, key=lambda word: (word.photo, word.target)) == [
        Correction(SHA, "=2.jpg", 1, "cell", 0, 11, "B"),
        Correction(SHA, "=2.jpg", 1, "owner", 0, 11, "Vlci"),
        Correction(SHA, "č. 1.jpg", 0, "cell", 1, 2, "G"),
    ]


@pytest.mark.parametrize(
    ("now", "value"),
    [
        ("R", "R"),
        (" g ", "G"),
        ("zelena", "G"),
        ("Červená", "R"),
        (".", "."),
        ("0", "."),
        ("prázdné", "."),
        ("ok", "R"),
    ],
)
def test_what_may_be_filled_in_for_a_colour(tmp_path, now, value):
    assert [word.value for word in fill(tmp_path, (now, ""))] == [value]


@pytest.mark.parametrize(("now", "value"), [("A", "Vlci"), ("2", "Lišky"), ("lisky", "Lišky"), ("?", "")])
def test_what_may_be_filled_in_for_an_owner(tmp_path, now, value):
    assert [(word.target, word.value) for word in fill(tmp_path, ("", now))] == [("owner", value)]


@pytest.mark.parametrize(("filled", "told"), [(("X", ""), "R, Y, G, B, ., ok"), (("", "Sovy"), "A, 2, ?")])
def test_what_is_not_understood_is_refused_with_what_is_allowed(tmp_path, filled, told):
    with pytest.raises(SettingsError, match="line 2") as refused:
        fill(tmp_path, filled)
    assert told in str(refused.value)


def test_a_file_that_can_not_be_removed_is_told(tmp_path):
    (tmp_path / "to_review.csv").mkdir()
    with pytest.raises(SettingsError, match=r"to_review\.csv"):
        save_to_review(tmp_path, ())


@pytest.mark.parametrize("reading", ["", "red", "X"])
def test_ok_to_a_reading_that_is_none_is_refused(tmp_path, reading):
    save_to_review(tmp_path, [replace(ROWS[0], reading=reading)])
    path = tmp_path / "to_review.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(",,,1,", ",ok,,1,"), encoding="utf-8")
    with pytest.raises(SettingsError, match="ok") as refused:
        load_to_review(tmp_path, GAME)
    assert refused.value.text.key == "to_review.value"


def test_a_file_without_its_columns_is_refused(tmp_path):
    (tmp_path / "to_review.csv").write_text("number,photo\n1,a.jpg\n")
    with pytest.raises(SettingsError, match="columns row, col"):
        load_to_review(tmp_path, GAME)


def test_a_broken_number_is_refused(tmp_path):
    save_to_review(tmp_path, [replace(ROWS[0], row=-1)])
    with pytest.raises(SettingsError, match="row"):
        load_to_review(tmp_path, GAME)
