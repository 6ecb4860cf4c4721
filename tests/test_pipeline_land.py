"""The no man's land from photo to table: whose stickers, and what becomes of those that nobody can tell."""

import csv
from dataclasses import replace

import numpy as np
import pytest
from synth.album import game_toml, save_shot
from synth.look import Clutter, Develop, LightLook, Look, StickerLook, View
from synth.scene import Layout, make_scene

from poradek_vision.cli import main
from poradek_vision.model import Game, Team

GAME = Game("Pořádek", sizes=(3,), no_mans_land=6, teams=(Team("Vlci", "A"), Team("Lišky", "B"), Team("Ježci", "C")))
LAND = Layout(
    ("RRR..Y", "YRR..Y", "BB....", "BBGGG.", "....G.", "Y.Y.GB"),
    ("AAA..C", "BAB..C", "CC....", "CCAAB.", "....B.", "A.B.BA"),
)
LOOK = Look(
    "easy",
    stickers=StickerLook(marks="aruco", turn_deg=20),
    light=LightLook("overcast"),
    view=View(tilt_deg=8, roll_deg=4),
    clutter=Clutter("planks"),
    develop=Develop(noise=0.3),
)


@pytest.fixture(scope="module")
def shot():
    return make_scene(5, game=GAME, sheets=["no_mans_land"], look=LOOK, layouts=[LAND])


@pytest.fixture(scope="module")
def unmarked():
    """The same, but the sticker in row 4, column 5 bears no code."""
    owners = (*LAND.owners[:3], "CCAA..", *LAND.owners[4:])
    return make_scene(5, game=GAME, sheets=["no_mans_land"], look=LOOK, layouts=[Layout(LAND.rows, owners)])


def half(side, **more):
    """A photo of one half of the land."""
    columns = slice(0, 3) if side == "left half" else slice(3, 6)
    layout = Layout(tuple(row[columns] for row in LAND.rows), tuple(row[columns] for row in LAND.owners))
    return make_scene(3, game=GAME, sheets=[side], look=LOOK, layouts=[layout], **more)


def both(order):
    """A photo of both halves side by side, not taped together."""
    layouts = {
        side: Layout(tuple(row[c] for row in LAND.rows), tuple(row[c] for row in LAND.owners))
        for side, c in (("left half", slice(0, 3)), ("right half", slice(3, 6)))
    }
    look = replace(LOOK, view=replace(LOOK.view, width=2000, height=1500, roll_deg=2))
    return make_scene(9, game=GAME, sheets=order, look=look, layouts=[layouts[side] for side in order])


def score(folder, *shots):
    """Exit code, and the rows of a table of the results."""
    folder.mkdir(exist_ok=True)
    (folder / "game.toml").write_text(game_toml(GAME), encoding="utf-8")
    for k, shot in enumerate(shots):
        save_shot(folder, "land.jpg" if k == 0 else f"land-{k + 1}.jpg", shot)
    code = main(["score", str(folder), "--out", str(folder / "out"), "--quiet"])

    def rows(name):
        return list(csv.DictReader((folder / "out" / name).read_text(encoding="utf-8").splitlines()))

    return code, rows


def owners(rows):
    """Rows of marks, as the truth has them; ``?`` where a sticker has no owner."""
    marks = {"Vlci": "A", "Lišky": "B", "Ježci": "C"}
    told = ["." if row["colour"] == "." else marks.get(row["owner"], "?") for row in rows("cells.csv")]
    assert len(told) == 36
    return tuple("".join(told[6 * k : 6 * k + 6]) for k in range(6))


def test_owners_and_shapes_are_read_and_shown(shot, tmp_path):
    _, rows = score(tmp_path / "camp", shot)
    assert owners(rows) == LAND.owners
    shapes = {row["cells"].split()[0]: row for row in rows("no_mans_land.csv")}
    assert {shape["colour"] for shape in shapes.values()} == set("RYGB")
    # five red ones: two rows, two columns, two diagonals; A has a run of three and more, B a single one
    red = shapes["r1c1"]
    assert (red["points_Vlci"], red["points_Lišky"], red["points_Ježci"]) == ("6", "0", "")
    assert (red["awarded_to"], red["points"], red["tie"]) == ("Vlci", "9", "0")
    assert (shapes["r4c3"]["awarded_to"], shapes["r4c3"]["points"]) == ("Lišky", "7")
    assert sum(len(shape["cells"].split()) for shape in shapes.values()) == sum(c != "." for r in LAND.rows for c in r)
    assert (tmp_path / "camp" / "out" / "debug" / "no_mans_land.jpg").stat().st_size > 20_000
    assert all(row["total_min"] == row["total_max"] for row in rows("results.csv"))


def test_a_picture_of_the_land_that_can_not_be_written_is_told_and_costs_no_table(shot, tmp_path, capsys):
    (tmp_path / "camp" / "out" / "debug" / "no_mans_land.jpg" / "by a viewer").mkdir(parents=True)
    code, rows = score(tmp_path / "camp", shot)
    assert code == 1
    assert rows("no_mans_land.csv")
    assert (tmp_path / "camp" / "out" / "readings.jsonl").exists()
    assert "no_mans_land.jpg" in capsys.readouterr().err


def test_an_unknown_owner_is_flagged_strengthens_nobody_and_widens_the_bounds(unmarked, tmp_path):
    code, rows = score(tmp_path / "camp", unmarked)  # B's corner in the green shape: A 1, B 3 become A 1, B 1
    assert code == 1
    assert owners(rows)[3] == "CCAA?."
    cell = next(row for row in rows("cells.csv") if (row["row"], row["col"]) == ("4", "5"))
    assert (cell["colour"], cell["owner"], cell["flags"]) == ("G", "", "owner_unclear")
    green = next(row for row in rows("no_mans_land.csv") if row["colour"] == "G")
    assert (green["points_Vlci"], green["points_Lišky"], green["points"], green["tie"]) == ("1", "1", "7", "1")
    assert "1" in green["awarded_to"]  # how many stickers of nobody knows whom there are
    totals = {row["team"]: row for row in rows("results.csv")}
    assert totals["Lišky"]["total"] == "0"
    assert (totals["Lišky"]["total_min"], totals["Lišky"]["total_max"]) == ("0", "7")
    assert (totals["Vlci"]["total_min"], totals["Vlci"]["total_max"]) == ("9", "16")
    assert totals["Ježci"]["total_min"] == totals["Ježci"]["total_max"]
    assert (tmp_path / "camp" / "out" / "flagged.jpg").exists()


def test_a_person_names_the_owner(unmarked, tmp_path):
    camp = tmp_path / "camp"
    score(camp, unmarked)
    words = "photo,sha256,board,target,row,col,value\nland.jpg,,1,owner,4,5,Lišky\n"
    (camp / "out" / "corrections.csv").write_text(words, encoding="utf-8")
    _, rows = score(camp, unmarked)
    assert owners(rows) == LAND.owners
    green = next(row for row in rows("no_mans_land.csv") if row["colour"] == "G")
    assert (green["awarded_to"], green["points"], green["tie"]) == ("Lišky", "7", "0")
    assert all(row["total_min"] == row["total_max"] for row in rows("results.csv"))


def colours(rows):
    """Rows of colours, as the truth has them."""
    told = [row["colour"] for row in rows("cells.csv")]
    return tuple("".join(told[6 * k : 6 * k + 6]) for k in range(6))


def test_halves_photographed_apart_are_one_board(tmp_path):
    _, rows = score(tmp_path / "camp", half("right half"), half("left half"))
    assert (colours(rows), owners(rows)) == (LAND.rows, LAND.owners)
    assert sum(row["flags"] != "" for row in rows("cells.csv")) <= 1
    statuses = {row["photo"]: (row["status"], row["reason"]) for row in rows("boards.csv") if row["photo"]}
    assert sorted(status for status, _ in statuses.values()) == ["duplicate", "ok"]
    assert any("druhou polovinu" in reason for _, reason in statuses.values())


@pytest.mark.parametrize("order", [["left half", "right half"], ["right half", "left half"]])
def test_halves_that_lie_apart_in_one_photo_are_one_board(order, tmp_path):
    _, rows = score(tmp_path / "camp", both(order))
    assert (colours(rows), owners(rows)) == (LAND.rows, LAND.owners)
    assert sum(row["flags"] != "" for row in rows("cells.csv")) <= 1


@pytest.mark.parametrize(("side", "seen"), [("left half", slice(0, 3)), ("right half", slice(3, 6))])
def test_half_a_land_leaves_the_other_half_open_and_asks_for_it(side, seen, tmp_path):
    code, rows = score(tmp_path / "camp", half(side))
    assert code == 1
    assert [row[seen] for row in colours(rows)] == [row[seen] for row in LAND.rows]
    assert [row[seen] for row in owners(rows)] == [row[seen] for row in LAND.owners]
    flags = [bool(row["flags"]) for row in rows("cells.csv")]
    assert flags == [not seen.start <= k % 6 < seen.stop for k in range(36)]
    (board,) = (row for row in rows("boards.csv") if row["photo"])
    assert (board["status"], board["open_cells"]) == ("review", "18")
    assert "vyfoťte i" in board["reason"]


def quarters(cells):
    """Four photos of a land, each of a corner with so many whole cells each way and what is printed round them."""
    look = replace(LOOK, view=replace(LOOK.view, width=1500, height=2000, tilt_deg=4, roll_deg=0))
    whole = make_scene(6, game=GAME, sheets=["no_mans_land"], look=look, layouts=[LAND])
    crossings = np.asarray(whole.boards[0].crossings)
    cell = int(np.linalg.norm(crossings[0, 1] - crossings[0, 0]))

    def photo(down, right):
        row, col = (6 - cells - 1 if far else cells for far in (down, right))
        inner = crossings[row : row + 2, col : col + 2].mean((0, 1)).astype(int)  # amid a cell, which nobody can judge
        rows = slice(inner[1], None) if down else slice(0, inner[1])
        cols = slice(inner[0], None) if right else slice(0, inner[0])
        return replace(whole, pixels=np.ascontiguousarray(whole.pixels[rows, cols]))

    assert cell > 60
    return [photo(down, right) for down in (False, True) for right in (False, True)]


def test_quarters_that_overlap_are_one_board(tmp_path):
    _, rows = score(tmp_path / "camp", *quarters(4))
    assert (colours(rows), owners(rows)) == (LAND.rows, LAND.owners)
    assert sum(row["flags"] != "" for row in rows("cells.csv")) <= 1
    statuses = [(row["status"], row["reason"]) for row in rows("boards.csv") if row["photo"]]
    assert sorted(status for status, _ in statuses) == ["duplicate"] * 3 + ["ok"]
    assert sum("jinou část" in reason for _, reason in statuses) == 3


def test_a_quarter_alone_leaves_what_it_does_not_show_open(tmp_path):
    code, rows = score(tmp_path / "camp", quarters(4)[0])
    assert code == 1
    flagged = [bool(row["flags"]) for row in rows("cells.csv")]
    assert not any(flagged[6 * row + col] for row in range(4) for col in range(4))
    assert all(flagged[6 * row + col] for row in range(6) for col in range(6) if max(row, col) > 4)
    assert [row[:4] for row in owners(rows)[:4]] == [row[:4] for row in LAND.owners[:4]]
    (board,) = (row for row in rows("boards.csv") if row["photo"])
    assert board["status"] == "review"
    assert "mimo fotku" in board["reason"]
