"""The tables of results against golden texts: for programs and for Czech Excel."""

from pathlib import Path

import pytest

from poradek_vision.errors import SettingsError
from poradek_vision.files import tables, write_results
from poradek_vision.files.to_review import REVIEW_COLUMNS
from poradek_vision.model import (
    Board,
    BoardScore,
    Colour,
    Flag,
    Game,
    LedgerRow,
    MergedShape,
    OpenCell,
    Results,
    SettledCell,
    Settlement,
    Team,
    TeamTotal,
    Text,
)
from poradek_vision.texts import keys

GAME = Game(
    sizes=(3, 2),
    no_mans_land=3,
    teams=(Team("Vlci", "A"), Team("=Lišky", "B")),
    colours=(Colour("R", "červená", "#c8242c"), Colour("B", "modrá", "#2254ac")),
)
OWN = Board("Vlci", 2, ("RR", ".B"), open=(OpenCell(1, 1),), sources=("č. 1.jpg",))
LAND = Board(None, 3, ("RRR", "...", "BB."), (("Vlci", "Vlci", "=Lišky"), ("", "", ""), ("Vlci", "", "")))
CELLS = (
    SettledCell(0, 0, "R", "", 0.99996),
    SettledCell(0, 1, "R", "", 1.0, corrected=True),
    SettledCell(1, 0, ".", "", 0.5),
    SettledCell(1, 1, "B", "", 0.41239, (Flag.LOW_MARGIN, Flag.GLARE)),
)
SETTLEMENT = Settlement(
    boards=(OWN, LAND),
    ledger=(
        LedgerRow("č. 1.jpg", "Vlci", 2, "review", "printed", "default", (Text("flag.blurred"),), OWN, CELLS),
        LedgerRow(
            "č. 1.jpg",
            None,
            3,
            "ok",
            "printed",
            "default",
            (),
            LAND,
            (SettledCell(2, 1, "B", "", 0.97, by_batch=True),),
        ),
        LedgerRow("-2.jpg", "Vlci", 2, "duplicate", "ruled"),
        LedgerRow(
            "3.jpg", "", None, "unreadable", reasons=(Text("photo.empty", (("photo", "3.jpg"),)), Text("flag.cropped"))
        ),
        LedgerRow("", "=Lišky", 3, "missing"),
    ),
)
RESULTS = Results(
    totals=(
        TeamTotal(1, "Vlci", ((3, None), (2, 1)), 3.5, 4.5, 4.5, 5.0, 1, 1),
        TeamTotal(2, "=Lišky", ((3, None), (2, None)), 1 / 3, 1 / 3, 0.0, 2.0, 0, 2),
    ),
    boards=(BoardScore(OWN, 1, ()), BoardScore(LAND, None, ())),
    shapes=(
        MergedShape("R", ((0, 0), (0, 1), (0, 2)), (("=Lišky", 0), ("Vlci", 1)), 3, (("Vlci", 3.0),), False),
        MergedShape("B", ((2, 0), (2, 1)), (("Vlci", 0),), 1, (), True),
    ),
    missing=(("=Lišky", 3),),
)
GOLDEN = {
    "results.csv": """\
rank,team,points_3,points_2,no_mans_land,total,total_min,total_max,open_cells,missing_boards
1,Vlci,,1,3.5,4.5,4.5,5,1,1
2,'=Lišky,,,0.33,0.33,0,2,0,2
""",
    "boards.csv": """\
photo,team,size,points,stickers,count_R,count_B,status,min_confidence,open_cells,found_by,reason,palette
č. 1.jpg,Vlci,2,1,3,2,1,review,0.4124,1,printed,fotka je rozmazaná; vyfoťte znovu a držte telefon klidně,default
č. 1.jpg,Území nikoho,3,,5,3,2,ok,0.97,0,printed,,default
'-2.jpg,Vlci,2,,,,,duplicate,,,ruled,,
3.jpg,,,,,,,unreadable,,,,3.jpg: soubor je prázdný; zkopírujte fotku z telefonu znovu | část mřížky je mimo fotku; \
vyfoťte znovu celou,
,'=Lišky,3,,,,,missing,,,,,
""",
    "cells.csv": """\
photo,team,size,row,col,colour,owner,confidence,flags,corrected,decided_by
č. 1.jpg,Vlci,2,1,1,R,,1,,0,photo
č. 1.jpg,Vlci,2,1,2,R,,1,,1,person
č. 1.jpg,Vlci,2,2,1,.,,0.5,,0,photo
č. 1.jpg,Vlci,2,2,2,B,,0.4124,low_margin glare,0,photo
č. 1.jpg,Území nikoho,3,3,2,B,,0.97,,0,batch
""",
    "no_mans_land.csv": """\
colour,cells,points_Vlci,points_=Lišky,awarded_to,points,tie
R,r1c1 r1c2 r1c3,1,0,Vlci,3,0
B,r3c1 r3c2,0,,nikdo (samolepky neznámého týmu: 1),1,1
""",
}
GOLDEN_EXCEL = {
    "results.csv": """\
pořadí;tým;body 3×3;body 2×2;území nikoho;celkem;celkem nejméně;celkem nejvýše;nejistých políček;chybějících desek
1;Vlci;;1;3,5;4,5;4,5;5;1;1
2;'=Lišky;;;0,33;0,33;0;2;0;2
""",
    "boards.csv": """\
fotka;tým;velikost;body;samolepek;počet R;počet B;stav;nejnižší jistota;nejistých políček;nalezeno podle;důvod;paleta
č. 1.jpg;Vlci;2;1;3;2;1;zkontrolovat;0,4124;1;tištěných značek;"fotka je rozmazaná; vyfoťte \
znovu a držte telefon klidně";default
č. 1.jpg;Území nikoho;3;;5;3;2;v pořádku;0,97;0;tištěných značek;;default
'-2.jpg;Vlci;2;;;;;další fotka téže desky;;;nakreslených čar;;
3.jpg;;;;;;;nejde přečíst;;;;"3.jpg: soubor je prázdný; zkopírujte fotku z telefonu znovu | část mřížky je mimo fotku; \
vyfoťte znovu celou";
;'=Lišky;3;;;;;chybí;;;;;
""",
    "cells.csv": """\
fotka;tým;velikost;řádek;sloupec;barva;čí samolepka;jistota;pochybnosti;opraveno;podle čeho
č. 1.jpg;Vlci;2;1;1;R;;1;;0;podle fotky
č. 1.jpg;Vlci;2;1;2;R;;1;;1;rozhodl člověk
č. 1.jpg;Vlci;2;2;1;.;;0,5;;0;podle fotky
č. 1.jpg;Vlci;2;2;2;B;;0,4124;dvě barvy přicházejí v úvahu téměř stejně | odlesk přes samolepku;0;podle fotky
č. 1.jpg;Území nikoho;3;3;2;B;;0,97;;0;podle všech desek
""",
    "no_mans_land.csv": """\
barva;políčka;body Vlci;body =Lišky;získává;body;shoda
R;r1c1 r1c2 r1c3;1;0;Vlci;3;0
B;r3c1 r3c2;0;;nikdo (samolepky neznámého týmu: 1);1;1
""",
}


@pytest.mark.parametrize(("name", "golden"), GOLDEN.items())
def test_tables_for_programs_are_as_the_golden_ones(tmp_path: Path, name, golden):
    write_results(tmp_path / "new", SETTLEMENT, RESULTS, GAME)
    assert (tmp_path / "new" / name).read_bytes().decode() == golden


@pytest.mark.parametrize(("name", "golden"), GOLDEN_EXCEL.items())
def test_tables_for_czech_excel_are_as_the_golden_ones(tmp_path: Path, name, golden):
    write_results(tmp_path, SETTLEMENT, RESULTS, GAME, excel="cs")
    assert (tmp_path / name).read_bytes() == b"\xef\xbb\xbf" + golden.encode()


@pytest.mark.parametrize(
    "found_by", ["", "by hand", "card", "typed", "ruled, mark", "ruled, file name", "printed, elimination"]
)
def test_every_way_to_find_a_board_has_its_words(tmp_path: Path, found_by):
    write_results(tmp_path, Settlement((), (LedgerRow("a.jpg", "Vlci", 2, "ok", found_by),)), RESULTS, GAME, excel="cs")
    told = (tmp_path / "boards.csv").read_text(encoding="utf-8-sig").splitlines()[1].split(";")[10]
    assert len(told.split(", ")) == len(found_by.split(", "))
    assert not set(told.split(", ")) & set(filter(None, found_by.split(", ")))


def test_sentences_follow_the_games_language(tmp_path: Path):
    write_results(tmp_path, SETTLEMENT, RESULTS, Game(language="en", sizes=(3, 2)))
    assert "the photo is blurred" in (tmp_path / "boards.csv").read_text(encoding="utf-8")
    assert "No man's land" in (tmp_path / "cells.csv").read_text(encoding="utf-8")
    assert "nobody (stickers of an unknown team: 1)" in (tmp_path / "no_mans_land.csv").read_text(encoding="utf-8")


def test_shared_and_teams_without_a_list(tmp_path: Path):
    shared = MergedShape("R", ((0, 0), (0, 1)), (("10", 0), ("9", 0)), 1, (("10", 0.5), ("9", 0.5)), True)
    board = Board(None, 2, ("RR", ".."), (("9", "10"), ("", "")))
    results = Results((), (BoardScore(board, None, ()),), (shared,), ())
    write_results(tmp_path, Settlement((), ()), results, Game())
    assert (tmp_path / "no_mans_land.csv").read_text(encoding="utf-8").splitlines() == [
        "colour,cells,points_9,points_10,awarded_to,points,tie",
        "R,r1c1 r1c2,0,0,10 + 9,1,1",
    ]


def test_a_second_run_replaces_the_first(tmp_path: Path):
    write_results(tmp_path, SETTLEMENT, RESULTS, GAME)
    write_results(tmp_path, Settlement((), ()), Results((), (), (), ()), GAME)
    assert {path.name: path.read_bytes().count(b"\n") for path in tmp_path.iterdir()} == dict.fromkeys(GOLDEN, 1)


def test_every_column_has_its_header_in_the_catalogue():
    columns = {*tables.RESULTS, *tables.BOARDS, *tables.CELLS, *tables.NO_MANS_LAND, *REVIEW_COLUMNS}
    assert {tables._header_key(column) for column in columns} == {
        key for key in keys() if key.startswith("tables.column_")
    }


def test_a_place_that_cannot_be_written(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError):
        write_results(tmp_path / "file", SETTLEMENT, RESULTS, GAME)
