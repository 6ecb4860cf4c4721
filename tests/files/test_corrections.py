"""``corrections.csv``: there and back, as Excel leaves it, and what is refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poradek_vision.errors import SettingsError
from poradek_vision.files import load_corrections, save_corrections
from poradek_vision.files.csv_text import guard, parse_csv, unguard
from poradek_vision.model import Correction

SHA = "0a" * 32
ALL = (
    Correction(SHA, "č. 1.jpg", 0, "cell", 1, 2, "R"),
    Correction(SHA, "č. 1.jpg", 0, "cell", 0, 0, "."),
    Correction(SHA, "č. 1.jpg", 1, "owner", 11, 0, "Vlci, a ti druzí"),
    Correction("", "=2.jpg", 0, "owner", 0, 0, ""),
    Correction("", "2.jpg", 0, "team", None, None, "-Lišky"),
    Correction(SHA, "", 0, "size", None, None, "6"),
    Correction(SHA, "2.jpg", 0, "corners", None, None, "1 2 3.5 4 5 6 -7 8e1"),
    Correction(SHA, "2.jpg", 2, "board", None, None, "no"),
    Correction("", "", 0, "typed", None, None, "Vlci: RR. / ... / ..Y"),
)
HEADER = "photo,sha256,board,target,row,col,value\n"


def load(tmp_path: Path, data):
    path = tmp_path / "corrections.csv"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return load_corrections(path)


def test_corrections_come_back_from_their_file_equal(tmp_path: Path):
    save_corrections(tmp_path / "corrections.csv", ALL)
    assert load_corrections(tmp_path / "corrections.csv") == ALL


def test_the_file_as_people_see_it(tmp_path: Path):
    save_corrections(tmp_path / "corrections.csv", ALL[:1] + ALL[3:5])
    assert (tmp_path / "corrections.csv").read_bytes().decode() == (
        HEADER + f"č. 1.jpg,{SHA},1,cell,2,3,R\n'=2.jpg,,1,owner,1,1,\n2.jpg,,1,team,,,'-Lišky\n"
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1250", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_as_excel_leaves_it(tmp_path: Path, encoding, delimiter):
    rows = [
        ["Photo", "sha256", "board", "target", "row", "col", "value", ""],
        ['"č. 1.jpg"', SHA.upper(), "1", "Cell", " 2", "3", '"R"', ""],
        [""] * 8,
    ]
    text = "".join(delimiter.join(row) + "\r\n" for row in rows)
    assert load(tmp_path, text.encode(encoding)) == ALL[:1]


def test_columns_in_another_order(tmp_path: Path):
    data = f"value;target;col;row;board;sha256;photo\nR;cell;3;2;1;{SHA};č. 1.jpg\n"
    assert load(tmp_path, data) == ALL[:1]


@pytest.mark.parametrize("data", ["", HEADER, "\ufeff" + HEADER])
def test_an_empty_file_or_none_says_nothing(tmp_path: Path, data):
    assert load(tmp_path, data) == ()
    assert load_corrections(tmp_path / "none.csv") == ()


@pytest.mark.parametrize(
    ("row", "key", "value"),
    [
        ("1.jpg,,1,cell,2,3", "fields", "6"),
        ("1.jpg,,1,cell,2,3,R,x", "fields", "8"),
        (",,1,cell,2,3,R", "photo", ""),
        ("1.jpg,1.2E+63,1,cell,2,3,R", "sha256", "1.2e+63"),
        ("1.jpg,,0,cell,2,3,R", "board", "0"),
        ("1.jpg,,1,colour,2,3,R", "target", "colour"),
        ("1.jpg,,1,cell,,3,R", "row", ""),
        ("1.jpg,,1,owner,2,1.5,R", "col", "1.5"),
        ("1.jpg,,1,team,2,,Vlci", "no_cell", "2"),
        ("1.jpg,,1,cell,2,3,", "value_cell", ""),
        ("1.jpg,,1,team,,,", "value_team", ""),
        ("1.jpg,,1,size,,,six", "value_size", "six"),
        ("1.jpg,,1,size,,,21", "value_size", "21"),
        ("1.jpg,,1,corners,,,1 2 3 4 5 6 7", "value_corners", "1 2 3 4 5 6 7"),
        ("1.jpg,,1,corners,,,1 2 3 4 5 6 7 nan", "value_corners", "1 2 3 4 5 6 7 nan"),
        ("1.jpg,,1,corners,,,0 0 5 5 9 9 0 9", "value_corners", "0 0 5 5 9 9 0 9"),  # three on a line
        ("1.jpg,,1,corners,,,0 0 0 9 9 9 9 0", "value_corners", "0 0 0 9 9 9 9 0"),  # the other way round
        ("1.jpg,,1,corners,,,0 0 9 0 0 9 9 9", "value_corners", "0 0 9 0 0 9 9 9"),  # crossing itself
    ],
)
def test_a_bad_row_names_file_line_and_value(tmp_path: Path, row, key, value):
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, HEADER + f"1.jpg,,1,cell,2,3,R\n\n{row}\n")
    assert caught.value.text.key == f"corrections.{key}"
    fields = dict(caught.value.text.fields)
    assert (Path(fields["path"]).name, fields["line"], fields["value"]) == ("corrections.csv", "4", value)


@pytest.mark.parametrize("data", ["photo,board\n", "photo,sha256,board,target,row,col,value,note\n", "PNG"])
def test_other_columns_are_refused(tmp_path: Path, data):
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, data)
    assert caught.value.text.key == "corrections.header"


def test_an_open_quote_is_refused(tmp_path: Path):
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, HEADER + '"1.jpg,,1,cell,2,3,R\n')
    assert caught.value.text.key == "corrections.no_csv"


@given(st.text())
def test_guarded_text_comes_back(text):
    assert unguard(guard(text)) == text
    assert not guard(text).startswith(("=", "+", "-", "@", "\t", "\r"))


def test_lines_are_counted_as_an_editor_counts_them():
    assert parse_csv(b'a,b\n\n"x\ny",z\n') == [(1, ["a", "b"]), (4, ["x\ny", "z"])]
