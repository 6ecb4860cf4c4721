"""Readings to JSON and back, to the last digit; the cache; and what is refused."""

import dataclasses
import json
import logging
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poradek_vision import files
from poradek_vision.errors import SettingsError
from poradek_vision.files import cache_key, load_cached, load_readings, save_cached, save_readings
from poradek_vision.files.plain import from_plain, parse_json, to_plain
from poradek_vision.model import BoardReading, CellReading, Failure, Flag, GridFit, MarkReading, Text

number = st.floats(allow_nan=False, allow_infinity=False)
point = st.tuples(number, number)
flags = st.lists(st.sampled_from(Flag), max_size=3, unique=True).map(tuple)
IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def make_grid(**fields):
    crossings = tuple(tuple((10.0 * x, 10.0 * y + 0.1) for x in range(3)) for y in range(3))
    defaults = {"rows": 2, "cols": 2, "photo_from_board": IDENTITY, "crossings": crossings, "error_px": 0.3}
    return GridFit(**{**defaults, "how": "printed", **fields})


def make_reading(**fields):
    cell = CellReading(0, 1, "R", "Vlci", 1 / 3, "Y", 0.97, (Flag.LOW_MARGIN, Flag.GLARE))
    defaults = {"photo": "večer/č. 1.jpg", "sha256": "ab" * 32, "index": 0, "grid": make_grid(), "palette": "default"}
    return BoardReading(**{**defaults, "mark": MarkReading("Lišky", "fiducial"), "cells": (cell,), **fields})


@st.composite
def readings(draw):
    rows, cols = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    line = st.tuples(*[point] * (cols + 1))
    grid = make_grid(
        rows=rows,
        cols=cols,
        crossings=draw(st.tuples(*[line] * (rows + 1))),
        photo_from_board=draw(st.tuples(*[st.tuples(number, number, number)] * 3)),
        error_px=draw(number),
        how=draw(st.sampled_from(["printed", "ruled", "by hand"])),
        team_index=draw(st.none() | st.integers(0, 35)),
        fiducials=draw(st.lists(st.tuples(st.integers(0, 586), st.tuples(*[point] * 4)), max_size=2).map(tuple)),
        flags=draw(flags),
    )
    cells = st.builds(CellReading, st.integers(0, 11), st.integers(0, 11), st.text(max_size=1), st.text(), number,
                      st.text(max_size=1), number, flags)  # fmt: skip
    mark = st.builds(MarkReading, st.text(), st.sampled_from(["", "mark"]), number, flags)
    return make_reading(
        photo=draw(st.text()),
        grid=grid,
        mark=draw(mark),
        cells=tuple(draw(st.lists(cells, max_size=3))),
        flags=draw(flags),
    )


@given(readings())
def test_json_there_and_back_is_exact(reading):
    line = json.dumps(files.reading_to_json(reading), ensure_ascii=False)
    assert "\n" not in line
    assert files.reading_from_json(parse_json(line)) == reading


@given(st.text(), st.lists(st.tuples(point, point, point, point), max_size=2))
def test_failure_there_and_back_is_exact(name, seen):
    failure = Failure(name, "ab", "not_found", Text("photo.empty", (("photo", name),)), tuple(seen))
    assert from_plain(Failure, parse_json(json.dumps(to_plain(failure)))) == failure


def test_keys_for_other_programs():
    reading = make_reading(grid=make_grid(flags=(Flag.CROPPED,)), flags=(Flag.BLURRED,))
    line = json.loads(json.dumps(files.reading_to_json(reading)))
    assert (line["photo"], line["team"], line["size"], line["found_by"]) == ("večer/č. 1.jpg", "Lišky", 2, "printed")
    assert (line["error_px"], line["palette"], line["flags"]) == (0.3, "default", ["blurred", "cropped"])
    assert [len(row) for row in line["crossings"]] == [3, 3, 3]
    assert line["photo_from_board"] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    [cell] = line["cells"]
    expected = {
        "row": 1,
        "col": 2,
        "colour": "R",
        "owner": "Vlci",
        "confidence": 0.97,
        "flags": ["low_margin", "glare"],
    }
    assert {key: cell[key] for key in expected} == expected


def test_file_there_and_back(tmp_path: Path):
    some = (make_reading(), make_reading(photo="line\nbreak\u2028.jpg", index=1))
    save_readings(tmp_path / "readings.jsonl", some)
    assert load_readings(tmp_path / "readings.jsonl") == some
    assert (tmp_path / "readings.jsonl").read_bytes().count(b"\n") == 2


@pytest.mark.parametrize(
    ("break_it", "complaint"),
    [
        (lambda line: line.pop("sha256"), "sha256: missing"),
        (lambda line: line["mark"].update(colour="R"), "mark: colour: no such field"),
        (lambda line: line.update(error_px="0.3"), "grid: error_px: '0.3' is no float"),
        (lambda line: line.update(error_px=True), "error_px: True is no float"),
        (lambda line: line.update(index=1.0), "index: 1.0 is no int"),
        (lambda line: line.update(error_px=math.nan), "NaN is no number"),
        (lambda line: line.update(found_by="guess"), "how: 'guess' is no"),
        (lambda line: line.update(grid_flags=["odd"]), "flags: 'odd' is no Flag"),
        (lambda line: line.update(rows=3), "crossings of a 3x2 grid"),
        (lambda line: line.update(photo_from_board=[[1, 0], [0, 1]]), "2 values instead of 3"),
        (lambda line: line.update(cells=7), "not iterable"),
    ],
)
def test_foreign_lines_are_refused_with_their_number(tmp_path: Path, break_it, complaint):
    good = files.reading_to_json(make_reading())
    bad = json.loads(json.dumps(good))
    break_it(bad)
    path = tmp_path / "readings.jsonl"
    path.write_text(json.dumps(good) + "\n" + json.dumps(bad) + "\n", encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        load_readings(path)
    assert "readings.jsonl, line 2" in str(caught.value)
    assert complaint in str(caught.value)


@pytest.mark.parametrize("line", [b"[]", b"{", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_json_object_is_refused(tmp_path: Path, line):
    path = tmp_path / "readings.jsonl"
    path.write_bytes(line)
    with pytest.raises(SettingsError):
        load_readings(path)


# --- cache --------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Settings:
    most_px: float = 0.1


def test_key_depends_on_content_name_settings_and_version(monkeypatch):
    key = cache_key("ab", "1.jpg", (Settings(),))
    assert key == cache_key("ab", "1.jpg", (Settings(0.1),))
    others = {cache_key("ac", "1.jpg", (Settings(),)), cache_key("ab", "2.jpg", (Settings(),))}
    others.add(cache_key("ab", "1.jpg", (Settings(0.2),)))
    monkeypatch.setattr("poradek_vision.files.cache.__version__", "9.9")
    others.add(cache_key("ab", "1.jpg", (Settings(),)))
    assert len(others | {key}) == 5


@pytest.mark.parametrize(
    "outcome",
    [
        (),
        (make_reading(), make_reading(index=1)),
        Failure("1.jpg", "ab", "card", Text("photo.empty", (("photo", "1"),))),
    ],
)
def test_what_was_kept_comes_back(tmp_path: Path, outcome):
    save_cached(tmp_path, "k", outcome)
    assert load_cached(tmp_path, "k") == outcome
    assert load_cached(tmp_path, "l") is None


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b'{"readings": [{}]}', b'{"readings": [], "failure": {}}'])
def test_a_damaged_file_counts_as_none(tmp_path: Path, content, caplog):
    save_cached(tmp_path, "k", ())
    (tmp_path / ".cache" / "k.json").write_bytes(content)
    with caplog.at_level(logging.WARNING):
        assert load_cached(tmp_path, "k") is None
    assert "read again" in caplog.text
