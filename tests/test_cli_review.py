"""What follows ``poradek score``: doubts settled in a spreadsheet, the printed proof, and what can't be reviewed."""

import csv
import io
import json
import re
import shutil
import signal
import subprocess
import sys
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path

import pypdfium2
import pytest

from poradek_vision.cli import main
from poradek_vision.errors import Exit


@pytest.fixture(scope="module")
def doubtful_camp(tiny_camp, tmp_path_factory):
    """The tiny camp, scored, two of its cells made doubtful in the cache, as a harder photo would have them."""
    camp = Path(shutil.copytree(tiny_camp, tmp_path_factory.mktemp("doubtful") / "tábor"))
    results = camp / "výsledky"
    with redirect_stdout(io.StringIO()):
        assert main(["score", str(camp), "--out", str(results)]) == Exit.DONE
        for path in (results / ".cache").glob("*.json"):
            _raise_doubts(path)
        assert main(["score", str(camp), "--out", str(results)]) == Exit.OPEN
    return camp


def _raise_doubts(path: Path) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    for reading in content["readings"]:
        if (reading["team"], reading["rows"]) == ("Vlci", 4):
            for cell in reading["cells"][:2]:
                cell |= {"flags": ["glare"], "second": "G"}
    path.write_text(json.dumps(content), encoding="utf-8")


@pytest.fixture
def doubtful(doubtful_camp, tmp_path):
    """Its results folder, to be changed."""
    return Path(shutil.copytree(doubtful_camp, tmp_path / "tábor")) / "výsledky"


def score_again(results: Path, *more: str) -> int:
    return main(["score", str(results.parent), "--out", str(results), *more])


def table(path: Path):
    text = path.read_text(encoding="utf-8-sig")
    return list(csv.reader(text.splitlines(), delimiter=";" if ";" in text.splitlines()[0] else ","))


@pytest.mark.parametrize("excel", [[], ["--excel", "cs"]], ids=["plain", "Czech Excel"])
def test_doubts_are_settled_in_a_spreadsheet(doubtful, capsys, excel):
    assert score_again(doubtful, *excel) == Exit.OPEN
    header, *rows = table(doubtful / "to_review.csv")
    assert [row[0] for row in rows] == ["1", "2"]
    assert (doubtful / "flagged.jpg").exists()
    now = header.index("nyní" if excel else "now")
    for row, value in zip(rows, ("ok", "b"), strict=True):
        row[now] = value
    saved = "\r\n".join(";".join(row) for row in (header, *rows)) + "\r\n"
    (doubtful / "to_review.csv").write_bytes(saved.encode("utf-8-sig"))
    capsys.readouterr()
    assert score_again(doubtful, *excel) == Exit.DONE
    assert "Oprav převzatých z to_review.csv: 2." in capsys.readouterr().out
    assert not (doubtful / "to_review.csv").exists()
    assert not (doubtful / "flagged.jpg").exists()
    (_, *words) = table(doubtful / "corrections.csv")
    assert sorted(word[4:] for word in words) == sorted(
        [row[4], row[5], value] for row, value in zip(rows, "RB", strict=True)
    )
    assert score_again(doubtful, *excel) == Exit.DONE


def test_a_slip_in_the_spreadsheet_is_told_and_nothing_is_lost(doubtful, capsys):
    path = doubtful / "to_review.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(",,,1,", ",modrá?,,1,"), encoding="utf-8")
    kept = path.read_bytes()
    assert score_again(doubtful) == Exit.USAGE
    assert "now = „modrá?“" in capsys.readouterr().err
    assert path.read_bytes() == kept
    assert not (doubtful / "corrections.csv").exists()


def test_corrections_outlive_renamed_photos_and_say_when_they_are_not_needed(doubtful, capsys):
    path = doubtful / "to_review.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(",,,1,", ",ok,,1,"), encoding="utf-8")
    assert score_again(doubtful) == Exit.DONE
    (doubtful.parent / "IMG_1.jpg").rename(doubtful.parent / "přejmenovaná.jpg")
    capsys.readouterr()
    assert score_again(doubtful) == Exit.DONE  # read anew, under its new name, and this time without any doubt
    out = " ".join(capsys.readouterr().out.split())
    assert "které už nejsou třeba" in out
    assert out.count("se teď čte i bez opravy") == 2
    (doubtful.parent / "přejmenovaná.jpg").unlink()
    assert score_again(doubtful) == Exit.OPEN
    assert "fotka v této dávce není" in " ".join(capsys.readouterr().out.split())
    assert len(table(doubtful / "corrections.csv")) == 3


def test_readings_that_are_cut_off_are_no_boards_that_are_missing(doubtful, capsys):
    path = doubtful / "readings.jsonl"
    path.write_text(path.read_text(encoding="utf-8").splitlines(keepends=True)[0], encoding="utf-8")
    assert main(["report", str(doubtful)]) == Exit.USAGE
    assert "readings.jsonl: chybí, co se přečetlo na některých fotkách" in capsys.readouterr().err
    assert not (doubtful / "report.pdf").exists()


def test_the_proof_is_printed(doubtful, capsys):
    assert main(["report", str(doubtful)]) == Exit.DONE
    assert "report.pdf" in capsys.readouterr().out
    pages = [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(doubtful / "report.pdf")]
    assert len(pages) == 3
    assert "R?" in next(page for page in pages[1:] if page.startswith("Vlci"))


def test_a_photo_that_is_gone_is_told_in_the_language_of_the_game_wherever_the_results_lie(doubtful, tmp_path, capsys):
    elsewhere = tmp_path / "jinde" / "výsledky"
    assert main(["score", str(doubtful.parent), "--out", str(elsewhere)]) in (Exit.DONE, Exit.OPEN)
    next(iter(sorted(doubtful.parent.glob("*.jpg")))).unlink()
    capsys.readouterr()
    assert main(["report", str(elsewhere)]) == Exit.DONE
    assert "soubor nejde otevřít" in capsys.readouterr().err
    settings = doubtful.parent / "game.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("Lišky", "Rysi"), encoding="utf-8")
    assert main(["report", str(elsewhere)]) == Exit.USAGE
    assert "spusťte znovu poradek score" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["review", "report"])
def test_a_folder_without_results_is_told(tmp_path, capsys, command):
    assert main([command, str(tmp_path)]) == Exit.USAGE
    assert "poradek score" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["review", "report"])
def test_settings_that_have_changed_since_are_told(doubtful, capsys, command):
    settings = doubtful.parent / "game.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("Lišky", "Rysi"), encoding="utf-8")
    assert main([command, str(doubtful)]) == Exit.USAGE
    assert "poradek score" in capsys.readouterr().err


def test_the_review_says_where_it_is_and_ends_by_ctrl_c(doubtful):
    command = [sys.executable, "-m", "poradek_vision", "review", str(doubtful), "--no-browser"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # what runs in the background is started deaf to it
    with subprocess.Popen(command, text=True, preexec_fn=heard, **pipes) as running:
        assert re.search(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{20,}$", running.stdout.readline())
        running.send_signal(signal.SIGINT)
        assert running.wait(10) == 0
        assert "Traceback" not in running.stderr.read()


def test_the_page_opens_in_the_browser_by_itself(doubtful, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("poradek_vision.web.Server.run", lambda server: server._server.close())
    assert main(["review", str(doubtful), "--quiet"]) == Exit.DONE
    assert len(opened) == 1
