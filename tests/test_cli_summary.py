"""What ``poradek score`` says in the end: sentences, plurals, alignment, 80 columns."""

import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest

from poradek_vision.cli.columns import WIDTH, width_of
from poradek_vision.cli.summary import MOST_LINES, summary, what_is_open
from poradek_vision.game import score_game
from poradek_vision.model import (
    Board,
    BoardReading,
    Game,
    GridFit,
    LedgerRow,
    MarkReading,
    OpenCell,
    SettledCell,
    Settlement,
    Team,
    Text,
)
from poradek_vision.pipeline import Scored

GAME = Game("Tábor", sizes=(3, 2), no_mans_land=0, teams=(Team("Vlci", "A"), Team("Žížaly", "B")))
GRID = GridFit(
    1, 1, ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), (((0.0, 0.0),) * 2,) * 2, 0.1, "printed"
)  # fmt: skip
READING = BoardReading("a.jpg", "ab", 0, GRID, MarkReading("Vlci", "fiducial"), "default", ())
BOARDS = (
    Board("Vlci", 3, ("RRR", "...", "...")),
    Board("Vlci", 2, ("RR", "RR")),
    Board("Žížaly", 3, ("GG.", "...", "...")),
    Board("Žížaly", 2, ("..", "..")),
)


BLURRED = LedgerRow("b.jpg", "", 3, "review", reasons=(Text("flag.team_unclear"), Text("flag.blurred")))
CELLS = Text("settle.open_cells", (("count", "1"),))


def make_row(board, **fields):
    return LedgerRow(**{"photo": "a.jpg", "team": board.team, "size": board.size, "status": "ok", "palette": "default",
                        "board": board, **fields})  # fmt: skip


def make_scored(boards=BOARDS, more_rows=(), notes=(), game=GAME, readings=(READING,)):
    settlement = Settlement(tuple(boards), (*map(make_row, boards), *more_rows), tuple(notes))
    return Scored(readings, settlement, score_game(boards, game))


def with_open(count, place=2):
    """The boards, with the first so many cells of one in doubt."""
    board = BOARDS[place]
    cells = tuple(OpenCell(k // board.size, k % board.size) for k in range(count))
    return (*BOARDS[:place], replace(board, open=cells), *BOARDS[place + 1 :])


def told(*args, game=GAME, **fields):
    return summary(make_scored(*args, game=game, **fields), game, Path("results"))


@pytest.mark.parametrize("folder", ["a b", "Vlci&Lišky", "les (večer)", "C:\\Tábor 2027\\výsledky"])
def test_a_folder_that_a_shell_would_part_is_quoted(folder):
    lines = summary(make_scored(with_open(1)), GAME, Path(folder))
    assert f'poradek review "{folder}"' in " ".join(" ".join(lines).split())


@pytest.mark.parametrize("folder", ["results", "výsledky/večer_2", "../a-b.c"])
def test_a_folder_of_plain_letters_is_not(folder):
    assert f"poradek review {folder} " in " ".join(summary(make_scored(with_open(1)), GAME, Path(folder)))


def test_why_teams_have_no_names_is_told():
    unnamed = replace(GAME, teams=())
    assert "Seznam týmů tu není, jmenují se proto podle čísel listů a značek. Hru založí" in told(game=unnamed)
    assert not [line for line in told() if "Seznam" in line]
    assert not [line for line in told((), readings=(), game=unnamed) if "Seznam" in line]


def test_where_all_is_clear_the_table_and_the_folder_are_told():
    assert told() == [
        "Tábor",
        "",
        "    tým     3×3  2×2  celkem",
        "1.  Vlci      3    6       9",
        "2.  Žížaly    1    0       1",
        "",
        "Barvy podle palety: default (4×).",
        "Výsledky jsou ve složce results, obrázek každé desky v její podsložce debug.",
    ]


def test_the_same_in_english():
    assert told(game=replace(GAME, language="en"))[2:] == [
        "    team    3×3  2×2  total",
        "1.  Vlci      3    6      9",
        "2.  Žížaly    1    0      1",
        "",
        "Colours judged by the palette: default (4×).",
        "The results are in the folder results, a picture of each board in debug in it.",
    ]


def test_bounds_show_where_a_total_is_not_sure():
    lines = told(with_open(1))
    assert lines[2:5] == [
        "    tým     3×3  2×2  celkem  od–do",
        "1.  Vlci      3    6       9",
        "2.  Žížaly    1    0       1    0–1",
    ]
    assert "flagged.jpg" in "".join(lines[-2:])
    assert "Rozhodnete to na stránce, kterou otevře: poradek review results" in lines


def test_the_no_mans_land_has_its_column_with_shares_of_points():
    game = replace(GAME, no_mans_land=2, rules=replace(GAME.rules, tie="share"))
    land = Board(None, 2, ("RR", "RR"), (("Vlci", "Vlci"), ("Žížaly", "Žížaly")))
    lines = told((*BOARDS, replace(land, rows=("RR", "R.")), ), game=game)  # fmt: skip
    assert lines[2] == "    tým     3×3  2×2  území  celkem"
    lines = told((*BOARDS, Board(None, 2, ("RR", ".."), (("Vlci", "Žížaly"), ("", "")))), game=game)
    assert lines[3] == "1.  Vlci      3    6    0,5     9,5"


def test_letters_that_are_put_together_and_wide_ones_stay_in_line():
    teams = (Team("Vlci", "A"), Team(unicodedata.normalize("NFD", "Žížaly"), "B"), Team("狼", "C"))
    boards = tuple(
        replace(board, team=teams[k].name) for k, board in enumerate((*BOARDS[:1], *BOARDS[2:3], *BOARDS[:1]))
    )
    lines = told(boards, game=replace(GAME, teams=teams))
    assert len({width_of(line) for line in lines[2:6]}) == 1


@pytest.mark.parametrize(
    ("count", "sentence"),
    [(1, "1 políčko je nejisté."), (2, "2 políčka jsou nejistá."), (4, "4 políčka jsou nejistá."),
     (5, "5 políček je nejistých.")],
)  # fmt: skip
def test_czech_counts_cells_as_czechs_do(count, sentence):
    assert what_is_open(make_scored(with_open(count)), GAME)[0].startswith(sentence)


@pytest.mark.parametrize(
    ("decided", "sentence"),
    [
        (2, "O 1 políčku rozhodly ostatní desky z téhož telefonu."),
        (5, "O 4 políčkách rozhodly ostatní desky z téhož telefonu."),
    ],
)
def test_what_all_boards_decided_is_told(decided, sentence):
    cells = [SettledCell(0, k, "R", "", 0.99, by_batch=k < decided, corrected=k == 0) for k in range(6)]
    row = make_row(BOARDS[0], cells=tuple(cells))
    scored = replace(make_scored(), settlement=Settlement(BOARDS, (row,)))
    assert sentence in summary(scored, GAME, Path("results"))
    assert not any("rozhodly" in line for line in told())


@pytest.mark.parametrize(
    ("count", "start"),
    [(1, "Chybí 1 deska a počítá se za 0: "), (2, "Chybí 2 desky a počítají se za 0: "), (3, "Chybí 3 desky "),
     (5, "Chybí 5 desek ")],
)  # fmt: skip
def test_czech_counts_missing_boards_as_czechs_do(count, start):
    missing = [LedgerRow("", "Vlci", size, "missing") for size in range(2, 2 + count)]
    assert what_is_open(make_scored(more_rows=missing), GAME)[0].startswith(start)


def test_missing_boards_are_gathered_by_team():
    missing = [
        LedgerRow("", team, size, "missing") for team, size in (("Vlci", 3), ("Vlci", 2), ("Ježci", 2), (None, 12))
    ]
    (line,) = what_is_open(make_scored(more_rows=missing), GAME)[:1]
    assert line == "Chybí 4 desky a počítají se za 0: Vlci 3×3, 2×2; Ježci 2×2; Území nikoho 12×12."


@pytest.mark.parametrize(
    ("boards", "more_rows", "sentence"),
    [
        (with_open(1), (), "Na pořadí to nic nezmění."),
        (with_open(9), (), "Ještě se může změnit pořadí týmů: Vlci, Žížaly."),
        (with_open(1), (LedgerRow("", "Vlci", 3, "missing"),), "Samo o sobě to pořadí nezmění."),
        (with_open(1), (BLURRED,), "Samo o sobě to pořadí nezmění."),
        (with_open(1), (replace(BLURRED, team="Vlci"),), "Samo o sobě to pořadí nezmění."),
        (with_open(1), (replace(BLURRED, reasons=(Text("flag.team_unclear"),)),), "Na pořadí to nic nezmění."),
        (with_open(1), (replace(BLURRED, reasons=(CELLS,)),), "Na pořadí to nic nezmění."),
        (with_open(1), (LedgerRow("b.jpg", "", None, "unreadable"),), "Samo o sobě to pořadí nezmění."),
        (with_open(1), (LedgerRow("b.jpg", "", None, "ok"),), "Na pořadí to nic nezmění."),
    ],
)
def test_whether_the_ranking_depends_on_open_cells(boards, more_rows, sentence):
    assert what_is_open(make_scored(boards, more_rows), GAME)[0].endswith(sentence)


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        (("GGG", "GGG", "GGG"), "U 1 desky není jisté, čí je. Ještě se může změnit pořadí týmů: Vlci, Žížaly."),
        (("GG.", "...", "..."), "U 1 desky není jisté, čí je. Na pořadí to nic nezmění."),
    ],
)
def test_whether_the_ranking_depends_on_whose_a_board_is(rows, line):
    unclear = Board("", 3, rows, sources=("b.jpg",))
    boards = [*BOARDS[:2], BOARDS[3], unclear]  # Žížaly have no other of 3×3
    lines = told(boards)
    assert line in lines
    assert next(row for row in lines if "Žížaly" in row).endswith("0–28" if "GGG" in rows else "0–1")
    two = what_is_open(make_scored([*boards, replace(unclear, sources=("c.jpg",))]), GAME)
    assert two[0].startswith("U 2 desek není jisté, čí jsou.")


def test_what_needs_a_look_says_board_photo_and_reasons():
    row = LedgerRow("IMG 7.jpg", "", 3, "review", reasons=(Text("flag.team_unclear"), Text("flag.blurred")))
    assert what_is_open(make_scored(more_rows=[row]), GAME) == [
        "Zkontrolujte:",
        "  neznámý tým 3×3 (IMG 7.jpg): není jasné, čí je to deska; fotka je rozmazaná;",
        "    vyfoťte znovu a držte telefon klidně",
    ]


def test_no_board_at_all_has_no_table():
    row = LedgerRow("a.jpg", "", None, "unreadable", reasons=(Text("photo.empty", (("photo", "a.jpg"),)),))
    assert told((), [row], readings=())[1:4] == [
        "Na žádné fotce se nepodařilo přečíst desku.",
        "Fotky bez desky:",
        "  a.jpg: soubor je prázdný; zkopírujte fotku z telefonu znovu",
    ]


def test_long_lists_end_with_how_many_more():
    reason = Text("photo.empty", (("photo", "a.jpg"),))
    rows = [LedgerRow(f"{k}.jpg", "", None, "unreadable", reasons=(reason,)) for k in range(MOST_LINES + 5)]
    assert what_is_open(make_scored(more_rows=rows), GAME)[-1] == "  … a 5 dalších v boards.csv"


def test_nothing_is_wider_than_the_terminal():
    teams = tuple(Team(f"Velmi dlouhé jméno družiny číslo {k}", str(k)) for k in range(9))
    game = replace(GAME, title="Dlouhý název " * 10, sizes=(20, 19, 18, 17), no_mans_land=12, teams=teams)
    places = [(team.name, size) for team in teams for size in game.sizes]
    boards = [Board(*place, ("R" * place[1],) * place[1], open=(OpenCell(0, 0),)) for place in places]
    land = Board(None, 12, ("R" * 12,) * 12, ((teams[0].name,) * 12,) * 12)
    notes = [Text("settle.photo_gone", (("photo", "x y " * 40),))]
    lines = summary(make_scored((*boards, land), notes=notes, game=game), game, Path("a/very long folder " * 9))
    assert max(map(width_of, lines)) <= WIDTH
