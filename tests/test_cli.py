"""The command line through ``main([...])``: exit codes, streams, files."""

import os
import subprocess
import sys
from pathlib import Path

import pypdfium2
import pytest

from poradek_vision.cli import main
from poradek_vision.files import load_game

HEAVY = ("cv2", "numpy", "skimage", "reportlab", "PIL", "flask", "waitress", "poradek_vision.model")


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def camp(tmp_path):
    assert main(["new", "tábor 27", "--teams", "Vlci, Lišky", "--language", "cs", "--quiet"]) == 0
    return tmp_path / "tábor 27"


@pytest.mark.parametrize("argv", [["--help"], ["new", "--help"], ["print", "--help"]])
def test_help_shows_how(argv, capsys):
    assert main(argv) == 0
    out, err = capsys.readouterr()
    assert "poradek" in out
    assert err == ""


def test_the_card_goes_to_a_file_of_its_own_without_any_sheet(camp, capsys):
    assert main(["print", "--game", str(camp), "--out", str(camp / "listy.pdf"), "--card"]) == 0
    assert capsys.readouterr().out.startswith(f"{camp / 'listy-card.pdf'}: stran 1, papír A4\n")
    assert len(pypdfium2.PdfDocument(camp / "listy-card.pdf")) == 1
    assert [path.name for path in camp.glob("listy*")] == ["listy-card.pdf"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--card", "--halves"], "--halves"),
        (["--card", "--team", "Vlci", "--spare", "1"], "--team, --spare"),
        (["--stickers", "--spare", "2"], "--spare"),
    ],
)
def test_options_of_sheets_are_refused_where_none_are_printed(camp, capsys, options, told):
    assert main(["print", "--game", str(camp), "--out", str(camp / "listy.pdf"), *options]) == 2
    assert capsys.readouterr().err.startswith(f"{told}: platí jen pro listy")
    assert not list(camp.glob("listy*"))


@pytest.mark.parametrize("command", ["new", "print", "review", "report"])
def test_help_of_a_command_has_an_example(command, capsys):
    main([command, "--help"])
    assert f"  poradek {command} " in capsys.readouterr().out


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from poradek_vision.cli import main; assert main(['print', '--help']) == 0; "
        f"sys.exit(str([name for name in {HEAVY} if name in sys.modules] or ''))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""
    assert "Usage" in done.stdout


def test_the_module_is_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "poradek_vision", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("poradek ")


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_without_a_console_it_works_all_the_same(tmp_path, monkeypatch, closed):
    monkeypatch.setattr(sys, closed, None)
    assert main(["new", "camp", "--teams", "Vlci,Lišky"]) == 0
    assert main(["new", "camp"]) == 2
    assert len(load_game(tmp_path / "camp").teams) == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_an_output_that_does_not_fit_on_the_disk_is_told():
    code = "import sys; from poradek_vision.cli import main; sys.exit(main(['new', 'camp', '--language', 'en']))"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, "-c", code], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, "the disk" in done.stderr, "Traceback" in done.stderr) == (2, True, False)


@pytest.mark.parametrize(
    "argv", [["--nothing"], ["nothing"], ["new"], ["print", "--spare", "many"], ["print", "--spare", "-1"]]
)
def test_unusable_arguments_leave_with_2(argv, capsys):
    assert main(argv) == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["print", "--tem", "Vlci"], "--tem: takovou volbu poradek print nemá; nemá to být --team, --out? Všechny"),
        (["print", "--xyz"], "--xyz: takovou volbu poradek print nemá; všechny ukáže poradek print --help"),
        (["tisk"], "tisk: takový příkaz není; možné jsou new, print, calibrate, score, review, report, grid"),
        (["print", "--team"], "--team: za touto volbou chybí hodnota"),
        (["print", "--quiet=ano"], "--quiet: tato volba žádnou hodnotu nemá"),
        (["score", "--quiet"], "chybí PHOTO_OR_FOLDER; příklad ukáže poradek score --help"),
        (["review", "výsledky", "noc"], "noc: tohle tu přebývá; jména, ve kterých je mezera, dejte do uvozovek"),
        (["print", "--spare", "hodně"], "--spare hodně: má to být celé číslo, nejméně 0"),
        (["print", "--stickers", "--size", "malé"], "--size malé: má to být číslo"),
        (["print", "--stickers", "--size", "0"], "--size 0: samolepka má mít 8 až 20 mm"),
        (["print", "--stickers", "--each", "1000000"], "--each 1000000: má to být celé číslo od 1 do 1000"),
        (["score", ".", "--size=4", "--size", "99"], "--size 4, 99: má to být celé číslo od 2 do 20"),
        (["score", ".", "--excel", "en"], "--excel en: tohle vybrat nejde; možné je cs"),
    ],
)
def test_unusable_arguments_are_told_in_the_language_of_the_game(camp, monkeypatch, capsys, argv, told):
    monkeypatch.chdir(camp)
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(told)


@pytest.mark.parametrize(
    "argv",
    [["score", "{}"], ["score", ".", "--out", "{}"], ["calibrate", "{}"], ["new", "{}"], ["print", "--game", "{}"]],
)
def test_a_path_that_the_system_refuses_is_no_bug(capsys, argv):
    assert main([word.format("x" * 300) for word in argv]) == 2
    out, err = capsys.readouterr()
    assert "x" * 300 in err
    assert (out, err.count("\n")) == ("", 1)


def test_unusable_arguments_of_english_games_are_told_in_english(tmp_path, capsys):
    assert main(["new", "x", "--language", "en", "--quiet"]) == 0
    assert main(["print", "--game", "x", "--spare", "many"]) == 2
    assert capsys.readouterr().err == "--spare many: it must be a whole number, at least 0\n"


@pytest.mark.parametrize("argv", [[], ["new"], ["score"], ["review"], ["report"], ["calibrate"], ["grid"]])
def test_a_command_without_arguments_shows_its_help(argv, capsys):
    assert main(argv) == 2
    assert "Usage: poradek" in "".join(capsys.readouterr())


def test_new_makes_a_game_and_says_what_to_do_next(tmp_path, capsys):
    assert main(["new", "camp", "--teams", "Wolves,Foxes, ", "--title", "Camp", "--language", "en"]) == 0
    game = load_game(tmp_path / "camp")
    assert [(team.name, team.mark) for team in game.teams] == [("Wolves", "W"), ("Foxes", "F")]
    assert game.title == "Camp"
    out, err = capsys.readouterr()
    assert "poradek print --game" in out
    assert err == ""


@pytest.mark.parametrize("teams", ["Vlci,Lišky", "Vlci;Lišky", " Vlci ; Lišky;", "Vlci,\nLišky\n"])
def test_new_takes_the_names_as_people_part_them_and_says_which_they_are(tmp_path, capsys, teams):
    assert main(["new", "tábor", "--teams", teams, "--language", "cs"]) == 0
    assert [team.name for team in load_game(tmp_path / "tábor").teams] == ["Vlci", "Lišky"]
    assert "Týmy (2) a jejich značky: Vlci (V), Lišky (L).\n" in capsys.readouterr().out


def test_new_asks_whether_one_team_was_meant_to_be_several(capsys):
    assert main(["new", "tábor", "--teams", "Vlci Lišky Rysi", "--language", "cs"]) == 0
    assert "Tým je jen jeden: Vlci Lišky Rysi (V). Má-li jich být víc, oddělte jména čárkami" in capsys.readouterr().out
    assert main(["new", "tábor", "--teams", "Vlci, Lišky, Rysi", "--language", "cs", "--force"]) == 0
    assert "Týmy (3)" in capsys.readouterr().out


def test_new_gives_no_marks_that_look_alike_and_says_why(tmp_path, capsys):
    assert main(["new", "camp", "--teams", "Umbras,Vlci", "--language", "en"]) == 0
    assert [team.mark for team in load_game(tmp_path / "camp").teams] == ["U", "L"]
    assert "Where a mark is not the first letter of the name" in capsys.readouterr().out


def test_new_leaves_teams_called_by_one_sign_that_sign(tmp_path, capsys):
    assert main(["new", "camp", "--teams", "1,I,Foxes,10", "--language", "en"]) == 0
    assert [team.mark for team in load_game(tmp_path / "camp").teams] == ["1", "I", "F", "0"]
    assert "1 and I are easily confused" in capsys.readouterr().out


def test_new_says_that_the_names_are_at_fault_not_a_file_that_is_not_there(tmp_path, capsys):
    assert main(["new", "camp", "--teams", "Vlci,vlčí", "--language", "cs"]) == 2
    assert capsys.readouterr().err.startswith("poradek new: teams[2].name")
    assert not (tmp_path / "camp").exists()


@pytest.mark.parametrize(("language", "told"), [("cs", "nejvýš 36 týmů"), ("en", "at most 36 teams")])
def test_too_many_teams_are_told_in_the_language_asked_for(capsys, language, told):
    teams = ",".join(f"Tým {k}" for k in range(37))
    assert main(["new", "camp", "--teams", teams, "--language", language]) == 2
    assert told in capsys.readouterr().err


def test_new_never_writes_over_a_game_unasked(camp, capsys):
    before = (camp / "game.toml").read_bytes()
    assert main(["new", str(camp)]) == 2
    assert "už existuje" in capsys.readouterr().err
    assert (camp / "game.toml").read_bytes() == before
    assert main(["new", str(camp), "--language", "en", "--force"]) == 0
    assert load_game(camp).title == "tábor 27"
    assert load_game(camp).language == "en"
    assert (camp / "game.toml.old").read_bytes() == before


def test_print_writes_a4_and_a3_apart_and_says_so(camp, capsys):
    assert main(["print", "--game", str(camp), "--out", str(camp / "listy.pdf")]) == 0
    out, err = capsys.readouterr()
    assert "stran 9, papír A4" in out
    assert "stran 1, papír A3" in out
    assert "100 %" in out
    assert err == ""
    assert len(pypdfium2.PdfDocument(camp / "listy.pdf")) == 9
    assert pypdfium2.PdfDocument(camp / "listy-A3.pdf")[0].get_size() == pytest.approx((841.89, 1190.55), abs=0.01)


def test_print_names_files_of_before_the_game_changed_and_leaves_them(camp, capsys):
    out = camp / "listy.pdf"
    assert main(["print", "--game", str(camp), "--out", str(out)]) == 0
    assert main(["print", "--game", str(camp), "--out", str(out), "--card"]) == 0
    assert capsys.readouterr().err == ""  # they are all of one game
    game = camp / "game.toml"
    game.write_text(game.read_text(encoding="utf-8").replace("no_mans_land = 12", "no_mans_land = 0"), encoding="utf-8")
    os.utime(game, ns=(changed := (camp / "listy-card.pdf").stat().st_mtime_ns + 1, changed))
    assert main(["print", "--game", str(camp), "--out", str(out)]) == 0
    told = capsys.readouterr().err
    assert told.startswith(f"Pozor, tohle zbylo z dřívějška a hra se od té doby změnila: {camp / 'listy-A3.pdf'}, ")
    assert str(camp / "listy-card.pdf") in told
    assert (camp / "listy-A3.pdf").is_file()
    assert (camp / "listy-card.pdf").is_file()


@pytest.mark.parametrize(("out", "written"), [("listy", "listy.pdf"), (".", "sheets.pdf"), ("a.PDF", "a.PDF")])
def test_print_writes_a_pdf_whatever_it_is_called(camp, monkeypatch, out, written):
    monkeypatch.chdir(camp)
    assert main(["print", "--halves", "--team", "L", "--quiet", "--out", out]) == 0
    assert sorted(path.name for path in camp.iterdir()) == sorted(["game.toml", written])


def test_print_finds_the_game_of_the_folder(camp, monkeypatch, capsys):
    monkeypatch.chdir(camp)
    assert main(["print", "--halves", "--no-card", "--team", "L", "--quiet"]) == 0
    assert capsys.readouterr().out == ""
    assert len(pypdfium2.PdfDocument(camp / "sheets.pdf")) == 4


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("cell_mm = 26", "cell_mm = 26: mřížka 6×6 se na papír nevejde; největší možné cell_mm je 25.6"),
        ("cell_mm = -1", "má to být číslo větší než 0"),
        ("cell_mn = 20", "nemá to být „cell_mm“?"),
    ],
)
def test_wrong_settings_are_told_in_the_language_of_the_game(camp, capsys, line, told):
    path = camp / "game.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("cell_mm = 20", line), encoding="utf-8")
    assert main(["print", f"--game={path}"]) == 2
    out, err = capsys.readouterr()
    assert told in err
    assert err.count("\n") == 1
    assert out == ""


def test_without_a_game_print_says_how_to_make_one(capsys):
    assert main(["print"]) == 2
    assert "poradek new" in capsys.readouterr().err


def test_a_bug_shows_its_traceback_and_leaves_with_70(camp, monkeypatch, capsys):
    def crash(*_):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("poradek_vision.files.write_whole", crash)
    assert main(["print", "--game", str(camp)]) == 70
    err = capsys.readouterr().err
    assert "Traceback" in err
    assert "ZeroDivisionError: a bug" in err


def test_an_interrupt_leaves_with_130(camp, monkeypatch, capsys):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("poradek_vision.files.write_whole", interrupt)
    assert main(["print", "--game", str(camp)]) == 130
    assert "přerušeno" in capsys.readouterr().err


def test_stickers_go_to_a_file_of_their_own(camp, capsys):
    assert (
        main(["print", "--game", str(camp), "--out", str(camp / "listy.pdf"), "--stickers", "--each", "20", "--round"])
        == 0
    )
    out, err = capsys.readouterr()
    assert "listy-stickers.pdf: samolepky, stran 4" in out
    assert err == ""
    assert len(pypdfium2.PdfDocument(camp / "listy-stickers.pdf")) == 4
    assert not (camp / "listy.pdf").exists()
    assert main(["print", "--game", str(camp), "--stickers", "--size", "40"]) == 2
    assert "má mít 8 až 20 mm" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--each", "60"], "--each"),
        (["--size", "15"], "--size"),
        (["--round"], "--round"),
        (["--in-colour"], "--in-colour"),
        (["--round", "--each", "9"], "--each, --round"),
    ],
)
def test_options_of_stickers_without_stickers_are_refused(camp, capsys, options, told):
    assert main(["print", "--game", str(camp), "--out", str(camp / "listy.pdf"), *options]) == 2
    out, err = capsys.readouterr()
    assert (out, err.startswith(f"{told}: platí jen pro samolepky; přidejte i volbu --stickers")) == ("", True)
    assert not (camp / "listy.pdf").exists()


@pytest.mark.parametrize("command", ["new", "print", "calibrate", "score", "review", "report", "grid"])
def test_every_command_can_say_less_and_more(command, capsys):
    main([command, "--help"])
    out = capsys.readouterr().out
    assert ("--quiet" in out, "--verbose" in out) == (True, True)


def test_verbose_says_what_is_read_and_written(camp, capsys):
    assert main(["print", "--game", str(camp), "--out", str(camp / "listy.pdf"), "--quiet", "--team", "Vlci"]) == 0
    assert capsys.readouterr() == ("", "")
    main(["print", "--game", str(camp), "--out", str(camp / "listy.pdf"), "--verbose", "--team", "Vlci"])
    assert capsys.readouterr().err.splitlines() == [f"{camp / 'game.toml'}: the game", f"{camp / 'listy.pdf'}: written"]
    (camp / "deska.txt").write_text("RR", encoding="utf-8")
    assert main(["grid", str(camp / "deska.txt"), "--quiet", "--game", str(camp)]) == 0
    assert capsys.readouterr() == ("", "")


def test_print_advises_on_marks_that_hands_confuse_unless_codes_are_printed(tmp_path, capsys):
    assert main(["new", "camp", "--teams", "Užovky,Vlci", "--language", "cs", "--quiet"]) == 0
    settings = tmp_path / "camp" / "game.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace('mark = "L"', 'mark = "V"'), encoding="utf-8")
    assert main(["print", "--game", "camp", "--out", "a.pdf"]) == 0
    assert "Značky U a V se psané rukou snadno spletou" in capsys.readouterr().out
    assert main(["print", "--game", "camp", "--out", "a.pdf", "--stickers", "--each", "1"]) == 0
    assert "spletou" not in capsys.readouterr().out
