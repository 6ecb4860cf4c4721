"""``poradek score`` from photos to files: exit codes, streams, tables; photos are synthetic, seeing is real."""

import csv
import io
import os
import re
import shutil
import sys
import unicodedata
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from conftest import TINY_BOARDS, TINY_GAME, render
from PIL import Image
from synth import DEFAULT_GAME, save_shot
from synth.handmade import HandLook, shoot_hand_made

from poradek_vision.cli import main
from poradek_vision.cli.review import open_results
from poradek_vision.errors import Exit
from poradek_vision.pipeline import batch

SAMPLES = Path(__file__).parents[1] / "sample_photos"
RESULTS = """\
rank,team,points_4,points_3,no_mans_land,total,total_min,total_max,open_cells,missing_boards
1,Lišky,18,0,0,18,18,18,0,0
2,Vlci,12,5,0,17,17,17,0,0
"""
TABLE = """\
Zkouška

    tým    4×4  3×3  celkem
1.  Lišky   18    0      18
2.  Vlci    12    5      17
"""


@dataclass
class Done:
    """What one call of the command came to."""

    code: int
    out: str
    err: str
    results: Path

    def rows(self, name):
        return list(csv.DictReader(io.StringIO((self.results / name).read_text(encoding="utf-8"))))


def score(results, *arguments):
    """Run ``poradek score``; the streams are no terminals."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(["score", *map(str, arguments), "--out", str(results)])
    return Done(code, out.getvalue(), err.getvalue(), results)


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def clean(tiny_camp, tmp_path_factory):
    """The tiny camp, scored."""
    return score(tmp_path_factory.mktemp("clean") / "results", tiny_camp)


@pytest.fixture
def known(clean, tmp_path):
    """A results folder of the tiny camp, to be written to."""
    return Path(shutil.copytree(clean.results, tmp_path / "results"))


@pytest.fixture(scope="module")
def mixed(tiny_camp, clean, tmp_path_factory):
    """The tiny camp with all sorts of bad files among its photos, and without two boards."""
    folder = tmp_path_factory.mktemp("mixed")
    camp = Path(shutil.copytree(tiny_camp, folder / "tábor"))
    shutil.copytree(clean.results, folder / "results")
    (camp / "seznam.jpg").write_text("Vlci, Lišky\n" * 50, encoding="utf-8")
    (camp / "prázdná.jpg").touch()
    jpeg = (camp / "IMG_1.jpg").read_bytes()
    (camp / "useknutá.jpg").write_bytes(jpeg[: len(jpeg) * 6 // 10])
    Image.fromarray(render(6).pixels).save(camp / "listí.jpg")
    (camp / "IMG_4.png").unlink()
    return score(folder / "results", camp)


# --- all well -------------------------------------------------------------------------------------------------------


def test_all_clear_is_0_and_a_table_to_read_out(clean):
    assert clean.code == 0
    assert clean.out.startswith(TABLE)
    assert clean.err == ""


def test_results_are_as_the_golden_ones(clean):
    assert (clean.results / "results.csv").read_text(encoding="utf-8") == RESULTS


def test_every_photo_is_read_whatever_its_format_name_or_orientation(clean):
    columns = ("team", "size", "status", "found_by")
    read = {row["photo"]: tuple(row[column] for column in columns) for row in clean.rows("boards.csv")}
    assert read == {
        "IMG_1.jpg": ("Vlci", "4", "ok", "printed"),
        "IMG_2.HEIC": ("Vlci", "3", "ok", "printed"),
        "IMG_4.png": ("Lišky", "3", "ok", "printed"),
        "odpolední kolo/žlutý stan č. 3.jpg": ("Lišky", "4", "ok", "printed"),
    }


def test_every_cell_is_as_it_was_stuck(clean):
    seen = {}
    for row in clean.rows("cells.csv"):
        seen.setdefault((row["team"], int(row["size"])), []).append(row["colour"])
    names = [team.name for team in TINY_GAME.teams]
    assert seen == {(names[team], size): list("".join(rows)) for (team, size), rows in TINY_BOARDS.items()}


def test_the_results_folder_holds_what_is_promised(clean):
    assert sorted(str(path.relative_to(clean.results)) for path in clean.results.rglob("*.*") if path.is_file()) == [
        *sorted(str(path.relative_to(clean.results)) for path in (clean.results / ".cache").glob("*.*")),
        "batch.json",
        "boards.csv",
        "cells.csv",
        "debug/IMG_1.jpg",
        "debug/IMG_2.jpg",
        "debug/IMG_4.jpg",
        "debug/odpolední kolo_žlutý stan č. 3.jpg",
        "no_mans_land.csv",
        "readings.jsonl",
        "results.csv",
    ]


def test_twice_gives_the_same_bytes_without_reading(clean, known, tiny_camp, monkeypatch):
    monkeypatch.setattr(batch, "read_content", None)
    again = score(known, tiny_camp)
    assert again.code == 0
    assert again.out.split() == clean.out.replace(str(clean.results), str(known)).split()
    apart = {"batch.json": b"", ".cache/lock": b""}  # where the photos lie, seen from there; whose turn it is
    assert {**contents(known), **apart} == {**contents(clean.results), **apart}


def test_corrections_that_contradict_are_told_with_their_lines_and_which_counts(known, tiny_camp):
    rows = ["photo,sha256,board,target,row,col,value", "IMG_1.jpg,,1,cell,1,1,R", "", "IMG_1.jpg,,1,cell,1,1,B"]
    (known / "corrections.csv").write_text("\n".join(rows), encoding="utf-8")
    done = score(known, tiny_camp)
    assert done.code == 1
    told = " ".join(done.out.split())
    assert (
        "IMG_1.jpg, deska 1: v corrections.csv si odporují řádky 2, 4 (cell 1, 1: R / B); platí poslední, „B“." in told
    )
    assert [row["colour"] for row in done.rows("cells.csv") if row["corrected"] == "1"] == ["B"]


def test_verbose_says_what_is_read_and_written_but_not_what_is_kept_aside(tiny_camp, tmp_path):
    told = score(tmp_path / "results", tiny_camp, "--verbose").err.splitlines()
    assert {f"{tmp_path / 'results' / name}: written" for name in ("results.csv", "debug/IMG_1.jpg")} <= set(told)
    assert "IMG_1.jpg: reading" in told
    assert not [line for line in told if ".cache" in line]


@pytest.mark.parametrize("tone", [(1, 1, 1), (1.07, 0.93, 0.72), (0.8, 0.95, 1.1)], ids=["grey", "sepia", "cyanotype"])
def test_a_photo_in_one_tone_is_refused_since_it_tells_no_colours(tiny_camp, tmp_path, tone):
    (tmp_path / "game.toml").write_bytes((tiny_camp / "game.toml").read_bytes())
    grey = Image.open(tiny_camp / "IMG_1.jpg").convert("L")
    Image.merge("RGB", [grey.point(lambda v, of=of: min(v * of, 255)) for of in tone]).save(tmp_path / "IMG_1.jpg")
    done = score(tmp_path / "results", tmp_path / "IMG_1.jpg")
    assert done.code == 3
    assert "IMG_1.jpg: fotka je černobílá" in done.out
    assert [row["status"] for row in done.rows("boards.csv") if row["photo"]] == ["unreadable"]


def test_four_boards_in_one_photo(four_in_one, tmp_path):
    done = score(tmp_path / "results", four_in_one)
    assert done.code == 0
    assert done.out.startswith(TABLE)
    assert (tmp_path / "results" / "results.csv").read_text(encoding="utf-8") == RESULTS
    assert len(list((tmp_path / "results" / "debug").iterdir())) == 4


def test_tables_for_czech_excel(known, tiny_camp):
    assert score(known, tiny_camp, "--excel", "cs").code == 0
    table = (known / "results.csv").read_bytes()
    assert table.startswith("\ufeffpořadí;tým;body 4×4;body 3×3;".encode())
    assert "\n1;Lišky;18;0;0;18;18;18;0;0\n".encode() in table


def test_without_a_game_teams_are_called_by_their_numbers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save_shot(tmp_path, "deska.jpg", render(7, (1, 3), game=DEFAULT_GAME))
    done = score(tmp_path / "results", "deska.jpg")
    assert [row["team"] for row in done.rows("results.csv")] == ["2"]
    assert done.code == 1  # a team has four boards


def test_english_games_speak_english(tiny_camp, tmp_path):
    settings = (tiny_camp / "game.toml").read_text(encoding="utf-8").replace('"cs"', '"en"')
    (tmp_path / "game.toml").write_text(settings, encoding="utf-8")
    done = score(tmp_path / "results", tiny_camp / "IMG_1.jpg", "--game", tmp_path / "game.toml")
    assert "    team   4×4  3×3  total\n1.  Vlci    12    –     12\n" in done.out
    assert "3 boards are missing and count 0: Vlci 3×3; Lišky 4×4, 3×3." in done.out
    assert "The results are in the folder" in done.out


# --- bad files ------------------------------------------------------------------------------------------------------


def test_bad_files_stop_nothing_and_leave_with_1(mixed):
    assert mixed.code == 1
    assert mixed.err.startswith("Pozor: minule")
    assert mixed.err.count("IMG_4.png") == 1  # which the last batch had
    ok = {row["photo"] for row in mixed.rows("boards.csv") if row["status"] == "ok"}
    assert ok == {"IMG_1.jpg", "IMG_2.HEIC", "odpolední kolo/žlutý stan č. 3.jpg"}


@pytest.mark.parametrize(
    ("photo", "status", "why", "remedy"),
    [
        ("seznam.jpg", "unreadable", "není fotka", "zkopírujte"),
        ("prázdná.jpg", "unreadable", "prázdný", "zkopírujte"),
        ("useknutá.jpg", "unreadable", "končí dřív", "zkopírujte"),
        ("listí.jpg", "not_found", "žádná deska", "vyfoťte"),
        ("", "missing", "žádná fotka", "vyfoťte"),
    ],
)
def test_what_is_wrong_has_its_line_with_reason_and_remedy(mixed, photo, status, why, remedy):
    (row,) = (row for row in mixed.rows("boards.csv") if row["photo"] == photo)
    assert row["status"] == status
    assert why in row["reason"]
    assert remedy in row["reason"]
    assert row["points"] == ""


def test_the_summary_names_what_is_missing_and_what_could_not_be_read(mixed):
    assert "Chybí 1 deska a počítá se za 0: Lišky 3×3." in mixed.out
    assert re.search(r"2\.\s+Vlci\s+12\s+5\s+17\n", mixed.out)
    assert re.search(r"1\.\s+Lišky\s+18\s+–\s+18\n", mixed.out)
    for photo in ("seznam.jpg", "prázdná.jpg", "useknutá.jpg", "listí.jpg"):
        assert f"  {photo}: " in mixed.out


def test_the_summary_fits_80_columns(mixed):
    assert max(len(unicodedata.normalize("NFC", line)) for line in mixed.out.splitlines()) <= 80
    assert "\x1b" not in mixed.out


def test_quiet_says_only_what_went_wrong(mixed, known, tiny_camp, tmp_path):
    assert score(known, tiny_camp, "--quiet") == Done(0, "", "", known)
    (tmp_path / "prázdná.jpg").touch()
    done = score(tmp_path / "results 2", tmp_path / "prázdná.jpg", "--quiet")
    assert done.out == ""
    assert "soubor je prázdný" in done.err or "the file is empty" in done.err


def test_no_board_at_all_is_3(tmp_path):
    (tmp_path / "prázdná.jpg").touch()
    (tmp_path / "game.toml").write_text('language = "cs"\n[[teams]]\nname = "Vlci"\nmark = "V"\n', encoding="utf-8")
    done = score(tmp_path / "results", tmp_path)
    assert done.code == 3
    assert done.out.startswith("Na žádné fotce se nepodařilo přečíst desku.\n")
    assert "celkem" not in done.out
    assert [row["status"] for row in done.rows("boards.csv")].count("missing") == 5


def test_boards_of_a_size_that_the_game_has_not(tmp_path):
    shot = shoot_hand_made(HandLook(size=7, mark="A", photo_px=(750, 1000)), seed=3)
    Image.fromarray(shot.pixels).save(tmp_path / "IMG_1.jpg", quality=92)
    done = score(tmp_path / "results", tmp_path, "--size", "7")
    (row,) = done.rows("boards.csv")
    assert (row["size"], row["team"], row["found_by"]) == ("7", "A", "ruled, mark")
    assert done.rows("results.csv")[0]["points_7"] == row["points"]
    assert open_results(tmp_path / "results", None).game.sizes == (7,)


# --- arguments ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nikde"], "nikde"),
        (["--game", "nikde.toml"], "nikde.toml"),
        (["--camera", "Lomo"], "--camera Lomo"),
        (["--calibration", "nikde"], "--calibration nikde"),
        (["--size", "21"], "--size 21: má to být celé číslo od 2 do 20"),
    ],
)
def test_unusable_arguments_leave_with_2_before_anything_is_read(tiny_camp, tmp_path, monkeypatch, arguments, told):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(batch, "read_content", None)
    done = score(tmp_path / "results", tiny_camp, *arguments)
    assert done.code == 2
    assert told in done.err
    assert done.out == ""
    assert not (tmp_path / "results").exists()


def test_broken_corrections_leave_with_2_and_are_kept(known, tiny_camp):
    broken = "photo,sha256,board,target,row,col,value\nIMG_1.jpg,,1,cell,one,1,R\n"
    (known / "corrections.csv").write_text(broken, encoding="utf-8")
    done = score(known, tiny_camp)
    assert done.code == 2
    assert "row = „one“" in done.err
    assert (known / "corrections.csv").read_text(encoding="utf-8") == broken


def test_a_correction_counts_and_stays_as_it_was_written(known, tiny_camp):
    said = "photo;sha256;board;target;row;col;value\r\nIMG_4.png;;1;cell;2;3;G\r\nnikde.jpg;;1;cell;1;1;R\r\n"
    (known / "corrections.csv").write_bytes(said.encode("cp1250"))
    done = score(known, tiny_camp)
    assert re.search(r"1\.\s+Lišky\s+18\s+1\s+19\n", done.out)
    assert "nikde.jpg" in done.out
    assert done.code == 1
    corrected = [row for row in done.rows("cells.csv") if row["corrected"] == "1"]
    assert [(row["photo"], row["row"], row["col"], row["colour"]) for row in corrected] == [
        ("IMG_4.png", "2", "3", "G")
    ]
    assert (known / "corrections.csv").read_bytes() == said.encode("cp1250")


def test_results_inside_the_photos_folder_are_never_read_as_photos(tiny_camp, clean, tmp_path):
    camp = Path(shutil.copytree(tiny_camp, tmp_path / "tábor"))
    shutil.copytree(clean.results, camp, dirs_exist_ok=True)
    shutil.copy(camp / "IMG_1.jpg", camp / "flagged.jpg")
    done = score(camp, camp)
    assert (done.code, len(done.rows("boards.csv"))) == (0, 4)


def test_the_game_is_found_in_the_folder_above_the_photos(tiny_camp, known, tmp_path, monkeypatch):
    camp = Path(shutil.copytree(tiny_camp, tmp_path / "tábor" / "fotky")).parent
    (camp / "fotky" / "game.toml").rename(camp / "game.toml")
    monkeypatch.chdir(tmp_path)
    assert "Vlci" in score(known, "tábor/fotky").out
    monkeypatch.chdir(camp / "fotky")
    assert "Vlci" in score(known, ".").out


def test_photos_that_counted_last_time_and_do_not_now_are_told(known, tiny_camp, tmp_path):
    camp = Path(shutil.copytree(tiny_camp, tmp_path / "tábor"))
    results = Path(shutil.copytree(known, camp / "výsledky"))
    assert score(results, camp).err == ""
    done = score(results, camp / "IMG_1.jpg")
    assert "ještě jiné fotky (3), teď ne: IMG_2" in " ".join(done.err.split())
    copies = Path(shutil.copytree(camp, tmp_path / "kopie", ignore=shutil.ignore_patterns("výsledky")))
    assert "teď ne" not in score(results, copies).err


def test_an_interrupt_leaves_with_130(tiny_camp, tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(batch, "read_content", interrupt)
    done = score(tmp_path / "results", tiny_camp)
    assert done.code == 130
    assert "přerušeno" in done.err or "interrupted" in done.err


def test_a_bar_shows_on_a_terminal_only(known, tiny_camp, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    assert main(["score", str(tiny_camp), "--out", str(known)]) == 0
    assert "Čtu fotky" in screen.getvalue()
    assert "100%" in screen.getvalue()


def test_pictures_that_show_nothing_do_not_stop_the_others(tmp_path):
    photos = tmp_path / "photos"
    photos.mkdir()
    for k, shape in enumerate([(1, 1), (16, 16), (40, 40), (20, 2000), (1500, 2000)]):
        Image.fromarray(np.full((*shape, 3), 3, np.uint8)).save(photos / f"dark{k}.png")
    (photos / "loop.jpg").symlink_to("loop.jpg")
    if hasattr(os, "mkfifo"):
        os.mkfifo(photos / "pipe.jpg")
    good = SAMPLES / "vlci_3.jpg"
    (photos / good.name).write_bytes(good.read_bytes())
    assert main(["score", str(photos), "--out", str(tmp_path / "out")]) == Exit.OPEN
    rows = list(csv.DictReader((tmp_path / "out" / "boards.csv").read_text(encoding="utf-8").splitlines()))
    seen = {row["photo"]: row["status"] for row in rows if row["photo"]}
    assert seen.pop("vlci_3.jpg") == "ok"
    assert set(seen) == {*(f"dark{k}.png" for k in range(5)), "loop.jpg"}
    assert set(seen.values()) <= {"not_found", "unreadable"}
    assert all(row["reason"] for row in rows if row["photo"] in seen)


def test_corners_outside_the_photo_leave_what_was_found_and_are_told(tmp_path, capsys):
    out = tmp_path / "out"
    out.mkdir()
    far = "-99999 -99999 99999 -99999 99999 99999 -99999 99999"
    rows = ["photo,sha256,board,target,row,col,value", f"vlci_3.jpg,,1,corners,,,{far}"]
    rows += ["vlci_3.jpg,,2,corners,,,1 1 9 1 9 9 1 9"]  # and no size
    (out / "corrections.csv").write_text("\n".join(rows), encoding="utf-8")
    main(["score", str(SAMPLES / "vlci_3.jpg"), "--out", str(out)])
    boards = list(csv.DictReader((out / "boards.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["status"] for row in boards if row["photo"]] == ["ok"]
    told = capsys.readouterr().out
    assert [told.count(f"vlci_3.jpg, deska {board}: zadané rohy se nepoužily") for board in (1, 2)] == [1, 1]


def test_results_that_are_a_file_are_refused(tmp_path, capsys):
    (tmp_path / "out").write_text("mine")
    assert main(["score", str(SAMPLES / "vlci_3.jpg"), "--out", str(tmp_path / "out")]) == Exit.USAGE
    assert "--out" in capsys.readouterr().err
    assert (tmp_path / "out").read_text() == "mine"
