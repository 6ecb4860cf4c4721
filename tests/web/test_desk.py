"""What a page asks for: on disk at once, in the table at once, undone by whoever did it, shared with others."""

import csv
import hashlib
from dataclasses import replace

import pytest
from PIL import Image

from poradek_vision.errors import SettingsError, UnreadableFile
from poradek_vision.files import load_batch, load_corrections, load_to_review, save_batch, save_corrections
from poradek_vision.model import CellReading, Correction, Failure, Flag, Text
from poradek_vision.pipeline import Setup, fingerprint, open_review, review
from poradek_vision.texts import say
from poradek_vision.web.desk import Desk
from poradek_vision.web.overview import top
from web.made_review import GAME, READINGS, SHA, make_reading, make_results, open_made

CELL = {"photo": SHA["a.jpg"], "board": 0, "row": 0, "col": 2}
SURE = {"photo": SHA["b.jpg"], "board": 0, "row": 0, "col": 0}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "results"


@pytest.fixture
def desk(folder):
    return Desk(open_made(folder))


def words(folder):
    return [(word.target, word.row, word.col, word.value) for word in load_corrections(folder / "corrections.csv")]


def rows(folder, name):
    return list(csv.DictReader((folder / name).read_text(encoding="utf-8").splitlines()))


def totals(folder):
    return {row["team"]: row["total"] for row in rows(folder, "results.csv")}


def test_a_cell_set_is_in_every_file_at_once(desk, folder):
    assert totals(folder) == {"Vlci": "1", "Lišky": "3"}
    assert desk.do("t", {"do": "cell", **CELL, "value": "R"}).key == "web.cell_set"
    assert words(folder) == [("cell", 0, 2, "R")]
    assert totals(folder) == {"Vlci": "3", "Lišky": "3"}
    assert [row["colour"] for row in rows(folder, "cells.csv") if row["corrected"] == "1"] == ["R"]
    assert [row["col"] for row in rows(folder, "to_review.csv")] == ["3"]


def test_confirming_closes_a_cell_as_it_was_read(desk, folder):
    desk.do("t", {"do": "confirm", **CELL})
    assert words(folder) == [("cell", 0, 2, ".")]
    assert len(desk.look()[0].scored.doubts) == 1


def test_confirming_all_closes_the_board(desk, folder):
    desk.do("t", {"do": "confirm all", "photo": SHA["a.jpg"], "board": 0})
    assert sorted(words(folder)) == [("cell", 0, 2, "."), ("cell", 2, 2, ".")]
    assert desk.look()[0].scored.doubts == ()
    assert not (folder / "to_review.csv").exists()


def test_saying_what_is_sure_anyway_says_nothing(desk, folder):
    desk.do("t", {"do": "cell", **SURE, "value": "Y"})
    assert not (folder / "corrections.csv").exists()
    desk.do("t", {"do": "cell", **SURE, "value": "G"})
    assert words(folder) == [("cell", 0, 0, "G")]
    desk.do("t", {"do": "cell", **SURE, "value": "Y"})
    assert words(folder) == []


def test_a_colour_that_only_this_photo_is_sure_of_is_written_down(folder):
    uncertain = replace(READINGS[1], grid=replace(READINGS[1].grid, flags=(Flag.GRID_UNCERTAIN,)))
    desk = Desk(open_made(folder, readings=(READINGS[0], uncertain)))
    for _ in range(2):
        desk.do("t", {"do": "cell", **SURE, "value": "Y"})
        assert words(folder) == [("cell", 0, 0, "Y")]
        assert not [doubt for doubt in desk.look()[0].scored.doubts if doubt.place[3:] == (0, 0)]


def test_the_last_word_overrules_an_earlier_one_on_another_photo(folder):
    other = make_reading("b.jpg", "Vlci", ("RR.", "...", "..."))
    desk = Desk(open_made(folder, readings=(make_reading("a.jpg", "Vlci", ("RR.", "...", "...")), other)))
    save_corrections(folder / "corrections.csv", [Correction(SHA["b.jpg"], "b.jpg", 0, "cell", 0, 0, "G")])
    assert desk.look()[0].scored.settlement.boards[0].rows[0] == "GR."
    desk.do("t", {"do": "cell", "photo": SHA["a.jpg"], "board": 0, "row": 0, "col": 0, "value": "R"})
    assert desk.look()[0].scored.settlement.boards[0].rows[0] == "RR."


def test_numbers_stay_those_of_the_picture_also_of_what_was_settled_and_taken_back(folder):
    make_results(folder)
    second = {**CELL, "row": 2}
    places = [(SHA["a.jpg"], "a.jpg", 0, 0, 2), (SHA["a.jpg"], "a.jpg", 0, 2, 2)]
    save_batch(folder, replace(load_batch(folder), numbers=((places[0], 1), (places[1], 2))))
    desk = Desk(open_made(folder))
    desk.do("t", {"do": "confirm", **CELL})
    desk.do("t", {"do": "confirm", **second})
    desk.do("t", {"do": "undo"})
    assert [(row["number"], row["row"]) for row in rows(folder, "to_review.csv")] == [("2", "3")]


def test_where_tables_can_not_be_written_nothing_said_is_lost_and_they_follow_later(desk, folder):
    (folder / "results.csv").unlink()
    (folder / "results.csv").mkdir()  # as good as a table that Excel holds open
    assert desk.do("t", {"do": "cell", **CELL, "value": "R"}).key == "web.cell_set"
    now, version, trouble = desk.look()
    assert trouble.key == "web.not_written"
    assert "results.csv" in say(trouble.key, "cs", **dict(trouble.fields))
    assert now.scored.settlement.boards[0].rows[0] == "RRR"
    desk.tidy()
    assert desk.look()[1] == version
    desk.do("t", {"do": "undo"})
    assert words(folder) == []
    (folder / "results.csv").rmdir()
    desk.tidy()
    assert desk.look()[2] is None
    assert totals(folder)["Vlci"] == "1"


def test_a_picture_that_can_not_be_written_is_told_and_tried_again(desk, monkeypatch):
    def refuse(*_):
        raise SettingsError("settings.cannot_write", path="debug", why="full")

    with monkeypatch.context() as patched:
        patched.setattr("poradek_vision.web.desk.repaint", refuse)
        desk.tidy()
        assert desk.look()[2].key == "web.not_written"
    desk.tidy()
    assert desk.look()[2] is None


def test_what_was_said_while_tables_were_written_is_followed(desk, folder, monkeypatch):
    word = Correction(SHA["b.jpg"], "b.jpg", 0, "cell", 0, 0, "G")
    save = review.save_tables

    def slowly(*arguments):
        save(*arguments)
        before = load_corrections(folder / "corrections.csv")
        save_corrections(folder / "corrections.csv", [*before, word])

    with monkeypatch.context() as patched:
        patched.setattr(review, "save_tables", slowly)
        desk.do("t", {"do": "cell", **CELL, "value": "R"})
    assert desk.look()[0].scored.settlement.boards[1].rows[0] == "GYY"


def test_what_was_filled_in_while_a_photo_is_read_is_not_written_over(folder, grey, monkeypatch):
    sure = make_reading("b.jpg", "Lišky", ("YYY", "...", "..."), [(1, 1, "R")])
    grid = make_reading("a.jpg", "Vlci", ("RR.", "...", "..."), sha256=grey)
    desk = Desk(open_made(folder, readings=(grid, sure), failures=()))
    read_again = review.read_again

    def slowly(*arguments):
        path = folder / "to_review.csv"
        path.write_text(path.read_text(encoding="utf-8").replace(",,,1,", ",B,,1,"), encoding="utf-8")
        return read_again(*arguments)

    monkeypatch.setattr(review, "read_again", slowly)
    desk.do("t", {**CORNERS, "photo": grey, "value": SQUARE})
    assert ("cell", 1, 1, "B") in words(folder)
    assert desk.look()[0].scored.settlement.boards[1].rows[1] == ".B."


CORNERS = {"do": "corners", "photo": SHA["a.jpg"], "board": 0, "size": 3}
SQUARE = [10, 10, 90, 10, 90, 90, 10, 90]


@pytest.fixture
def grey(folder):
    """A photo of nothing, said to show a board: its content."""
    path = folder.parent / "photo0.jpg"
    Image.new("RGB", (100, 100), "#ddd0c0").save(path)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def grey_desk(folder, grey):
    reading = make_reading("a.jpg", "Vlci", ("RR.", "...", "..."), sha256=grey)
    return Desk(open_made(folder, readings=(reading, READINGS[1])))


def test_corners_are_checked_against_the_photo_before_they_are_saved(folder, grey):
    desk = grey_desk(folder, grey)
    for value, key in (
        ([90, 10, 10, 10, 10, 90, 90, 90], "web.corners_crossed"),
        ([10, 10, 900, 10, 900, 90, 10, 90], "web.corners_outside"),
    ):
        assert desk.do("t", {**CORNERS, "photo": grey, "value": value}).key == key
        assert words(folder) == []
    (folder.parent / "photo0.jpg").write_bytes(b"")
    with pytest.raises(UnreadableFile):
        desk.do("t", {**CORNERS, "photo": grey, "value": SQUARE})
    assert words(folder) == []


def test_only_a_board_that_was_read_by_its_corners_is_said_to_be(folder, grey, monkeypatch):
    desk = grey_desk(folder, grey)
    why = Text("find.our_fault", (("photo", "a.jpg"),))
    with monkeypatch.context() as patched:
        patched.setattr(review, "read_again", lambda *_: Failure("a.jpg", grey, "unreadable", why))
        assert desk.do("t", {**CORNERS, "photo": grey, "value": SQUARE}) == why
    desk.do("t", {"do": "undo"})
    assert desk.do("t", {**CORNERS, "photo": grey, "value": SQUARE}).key == "web.corners_set"


def test_a_photo_is_read_again_by_what_it_is_whatever_the_correction_calls_it(folder, grey):
    desk = grey_desk(folder, grey)
    said = [
        Correction(grey, "old name.jpg", 0, target, None, None, word)
        for target, word in (("corners", " ".join(map(str, SQUARE))), ("size", "3"))
    ]
    save_corrections(folder / "corrections.csv", said)
    assert desk.look()[0].outcomes[0][0].grid.how == "by hand"


def test_each_page_undoes_its_own_changes_the_last_one_first(desk, folder):
    desk.do("one", {"do": "cell", **CELL, "value": "R"})
    desk.do("two", {"do": "cell", **SURE, "value": "G"})
    desk.do("one", {"do": "cell", **CELL, "value": "B"})
    desk.do("one", {"do": "undo"})
    assert sorted(words(folder)) == [("cell", 0, 0, "G"), ("cell", 0, 2, "R")]
    desk.do("one", {"do": "undo"})
    assert words(folder) == [("cell", 0, 0, "G")]
    assert desk.do("one", {"do": "undo"}).key == "web.nothing_to_undo"


def test_what_another_page_said_since_is_not_undone(desk, folder):
    desk.do("one", {"do": "cell", **CELL, "value": "R"})
    desk.do("two", {"do": "cell", **CELL, "value": "G"})
    assert desk.do("one", {"do": "undo"}).key == "web.changed_since"
    assert words(folder) == [("cell", 0, 2, "G")]


def test_what_others_wrote_meanwhile_is_kept_and_shown(desk, folder):
    _, version, _ = desk.look()
    other = Correction(SHA["b.jpg"], "b.jpg", 0, "cell", 0, 0, "G")
    save_corrections(folder / "corrections.csv", [other])
    review, now, _ = desk.look()
    assert now > version
    assert review.scored.settlement.boards[1].rows[0] == "GYY"
    desk.do("t", {"do": "cell", **CELL, "value": "R"})
    assert sorted(words(folder)) == [("cell", 0, 0, "G"), ("cell", 0, 2, "R")]


def test_photos_read_again_meanwhile_are_taken_up(desk, folder):
    better = make_reading("a.jpg", "Vlci", ("RRR", "...", "..."))
    make_results(folder, (better, READINGS[1]))
    review, _, trouble = desk.look()
    assert (trouble, review.scored.doubts) == (None, ())
    assert totals(folder)["Vlci"] == "3"


def test_a_file_broken_meanwhile_is_told_and_never_written_over(desk, folder):
    (folder / "corrections.csv").write_text("half a fi", encoding="utf-8")
    assert desk.look()[2].key == "corrections.header"
    with pytest.raises(SettingsError):
        desk.do("t", {"do": "cell", **CELL, "value": "R"})
    assert (folder / "corrections.csv").read_text(encoding="utf-8") == "half a fi"


def test_a_team_is_named_and_unnamed(folder):
    nobodys = replace(READINGS[0], mark=replace(READINGS[0].mark, team=""))
    desk = Desk(open_made(folder, readings=(nobodys, READINGS[1])))
    assert totals(folder)["Vlci"] == "0"
    desk.do("t", {"do": "team", "photo": SHA["a.jpg"], "board": 0, "value": "Vlci"})
    assert totals(folder)["Vlci"] == "1"
    desk.do("t", {"do": "team", "photo": SHA["a.jpg"], "board": 0, "value": ""})
    assert totals(folder)["Vlci"] == "0"


def test_what_is_no_board_counts_for_nobody_and_waits_for_nobody(desk, folder):
    for photo in ("a.jpg", "nic.jpg"):
        desk.do("t", {"do": "board", "photo": SHA[photo], "board": 0, "value": "no"})
    status = {row["photo"]: row["status"] for row in rows(folder, "boards.csv")}
    assert status == {"a.jpg": "ok", "b.jpg": "ok", "nic.jpg": "ok", "": "missing"}
    assert totals(folder)["Vlci"] == "0"
    assert desk.look()[0].scored.doubts == ()


def test_a_doubt_about_a_whole_board_ends_when_a_person_vouches_for_it(folder):
    blurred = replace(READINGS[1], flags=(Flag.BLURRED,))
    desk = Desk(open_made(folder, readings=(READINGS[0], blurred)))
    desk.do("t", {"do": "board", "photo": SHA["b.jpg"], "board": 0, "value": "ok"})
    assert [row["status"] for row in rows(folder, "boards.csv") if row["photo"] == "b.jpg"] == ["ok"]


def test_a_missing_board_is_typed_in_and_taken_back(tmp_path):
    folder = tmp_path / "results"
    desk = Desk(open_made(folder, readings=READINGS[:1]))
    act = {"do": "typed", "team": "Lišky", "size": 3, "value": "yyy\n...\n.g."}
    desk.do("t", act)
    assert totals(folder)["Lišky"] == "3"
    assert [row["found_by"] for row in rows(folder, "boards.csv") if row["team"] == "Lišky"] == ["typed"]
    desk.do("t", {**act, "value": "YY.\n...\n..."})
    assert totals(folder)["Lišky"] == "1"
    assert len(words(folder)) == 1
    desk.do("t", {**act, "value": ""})
    assert [row["status"] for row in rows(folder, "boards.csv") if row["team"] == "Lišky"] == ["missing"]


@pytest.mark.parametrize("text", ["YY\n..", "YYX\n...\n...", "YY.\n...", "Y"])
def test_a_typed_board_of_wrong_shape_or_letters_is_refused(desk, folder, text):
    with pytest.raises(SettingsError):
        desk.do("t", {"do": "typed", "team": "Lišky", "size": 3, "value": text})
    assert not (folder / "corrections.csv").exists()


def test_owners_are_named_confirmed_and_asked_for(tmp_path):
    game = replace(GAME, no_mans_land=2)
    base = make_reading("a.jpg", "", ("RR", ".."))
    cells = (
        CellReading(0, 0, "R", "Vlci", confidence=0.9, flags=(Flag.OWNER_UNCLEAR,)),
        CellReading(0, 1, "R", "", confidence=0.9, flags=(Flag.OWNER_UNCLEAR,)),
        *base.cells[2:],
    )
    land = replace(base, grid=replace(base.grid, kind="no_mans_land"), cells=cells)
    folder = tmp_path / "results"
    desk = Desk(open_made(folder, game=game, readings=(land,), failures=()))
    place = {"photo": SHA["a.jpg"], "board": 0, "row": 0}
    assert desk.do("t", {"do": "confirm", **place, "col": 1}).key == "web.owner_needed"
    desk.do("t", {"do": "confirm", **place, "col": 0})
    desk.do("t", {"do": "owner", **place, "col": 1, "value": "Vlci"})
    assert words(folder) == [("owner", 0, 0, "Vlci"), ("owner", 0, 1, "Vlci")]
    assert totals(folder)["Vlci"] == "1"
    desk.do("t", {"do": "forget", **place, "col": 1})
    assert words(folder) == [("owner", 0, 0, "Vlci")]


def test_after_a_kill_between_two_writes_nothing_is_lost(folder):
    made = open_made(folder)
    save_corrections(folder / "corrections.csv", [Correction(SHA["a.jpg"], "a.jpg", 0, "cell", 0, 2, "R")])
    assert totals(folder)["Vlci"] == "1"  # the table was not yet written
    open_review(folder, made.setup, made.batch)
    assert totals(folder)["Vlci"] == "3"


def test_what_was_filled_into_to_review_is_taken_over_and_numbers_stay(desk, folder):
    filled = (folder / "to_review.csv").read_text(encoding="utf-8").splitlines()
    assert filled[1].startswith("1,a.jpg,Vlci,3,1,3,.,R,0.8,")
    (folder / "to_review.csv").write_text("\n".join([filled[0], filled[1].replace(",,,1,", ",r,,1,"), *filled[2:]]))
    desk.look()
    assert words(folder) == [("cell", 0, 2, "R")]
    assert [row["number"] for row in rows(folder, "to_review.csv")] == ["2"]
    assert load_to_review(folder, GAME).corrections == ()


def test_another_game_is_not_reviewed_with_these_readings(folder):
    made = open_made(folder)
    other = replace(made.setup, game=replace(GAME, sizes=(3, 4)))
    with pytest.raises(SettingsError, match="have changed since"):
        open_review(folder, other, made.batch)
    colours = tuple(replace(colour, name=colour.code) for colour in GAME.colours)
    same = replace(made.setup, game=replace(GAME, title="Jiný", language="en", colours=colours))
    assert fingerprint(same) == fingerprint(made.setup)
    open_review(folder, same, made.batch)


def test_a_board_of_nobody_is_told_of_where_no_cell_is_open(tmp_path):
    readings = (make_reading("a.jpg", "Vlci", ("RRR", "...", "...")), make_reading("b.jpg", "", ("YYY", "YYY", "...")))
    results = make_results(tmp_path / "results", readings=readings, failures=())
    review = open_review(results, Setup(GAME), load_batch(results))
    assert top(review)["sentence"].startswith("1 deska je nejistá jako celek")
