"""``game.toml``: what it may say, and what is told where it says something else."""

import re

import pytest

from poradek_vision.errors import SettingsError
from poradek_vision.files import find_game, load_game, new_game_toml, parse_game, peek_language, write_whole
from poradek_vision.files.settings import assign_marks, default_colours
from poradek_vision.model import DEFAULT_COLOURS, Colour, Game, Rules, Team
from poradek_vision.texts import say_text

FULL = """
title = "Pořádek 2027"
language = "en"
sizes = [5, 3]
no_mans_land = 0
cell_mm = 18.5

[[teams]]
name = "Vlci"
mark = "A"

[[teams]]
name = " Bílé  sovy "
mark = "7"

[[colours]]
code = "W"
name = "white"
swatch = "#FFFFFF"

[[colours]]
code = "K"
name = "black"
swatch = "#000000"

[rules]
contact = "edge"
tie = "share"
"""


def test_every_key_is_read():
    assert parse_game(FULL) == Game(
        title="Pořádek 2027",
        language="en",
        sizes=(5, 3),
        no_mans_land=0,
        cell_mm=18.5,
        teams=(Team("Vlci", "A"), Team("Bílé sovy", "7")),
        colours=(Colour("W", "white", "#FFFFFF"), Colour("K", "black", "#000000")),
        rules=Rules("edge", "share"),
    )


def test_everything_may_be_left_out():
    assert parse_game("") == Game()


def test_default_colours_have_names_in_the_language():
    assert default_colours("cs") == DEFAULT_COLOURS
    assert [colour.name for colour in parse_game('language = "en"').colours] == ["red", "yellow", "green", "blue"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("cellmm = 20", 'there is no key "cellmm"; did you mean "cell_mm"?'),
        ("Sizes = [6]", 'did you mean "sizes"?'),
        ("wolves = 1", 'there is no key "wolves"; allowed are title, language, sizes'),
        ('[[teams]]\nname = "A"\nmrak = "A"', 'there is no key "teams[1].mrak"; did you mean "teams[1].mark"?'),
        ('[rules]\nties = "share"', 'did you mean "rules.tie"?'),
        ("title = 5", "title = 5; it must be text"),
        ('title = "a\\nb"', "title = .*one line"),
        ('language = "de"', 'language = "de"; allowed are "cs", "en"'),
        ("language = 1", 'language = 1; allowed are "cs", "en"'),
        ("sizes = 6", "sizes = 6; allowed are 1 to 4"),
        ("sizes = []", "sizes = []; allowed are 1 to 4"),
        ("sizes = [6, 6]", "sizes = [6, 6]; allowed are 1 to 4 different"),
        ("sizes = [6, 5, 4, 3, 2]", "sizes = [6, 5, 4, 3, 2]; allowed"),
        ("sizes = [1]", "sizes = [1]; allowed"),
        ("sizes = [21]", "sizes = [21]; allowed"),
        ("sizes = [true]", "sizes = [true]; allowed"),
        ("sizes = [6.0]", "sizes = [6.0]; allowed"),
        ("sizes = [[6]]", "sizes = [[6]]; allowed"),
        ("no_mans_land = 1", "no_mans_land = 1; allowed are 0"),
        ("no_mans_land = false", "no_mans_land = false; allowed are 0"),
        ("no_mans_land = 2027-07-01", 'no_mans_land = "2027-07-01"; allowed are 0'),
        ("cell_mm = 0", "cell_mm = 0; it must be a number above 0"),
        ("cell_mm = nan", "cell_mm = NaN; it must be a number above 0"),
        ("cell_mm = inf", "cell_mm = Infinity; it must be a number above 0"),
        ("cell_mm = true", "cell_mm = true; it must be a number above 0"),
        ('teams = ["Vlci"]', 'teams = ["Vlci"]; it must be tables [[teams]]'),
        ("rules = 1", "rules = 1; it must be a table [rules]"),
        ('[[teams]]\nmark = "A"', "teams[1].name is missing"),
        ('[[teams]]\nname = " "', 'teams[1].name = " "; it must not be empty'),
        ('[[teams]]\nname = "."', 'teams[1].name = "."; the dot means'),
        ('[[teams]]\nname = "Vlčí"\n[[teams]]\nname = "VLCI"', 'teams[2].name = "VLCI"; there already is "Vlčí"'),
        ('[[teams]]\nname = "Vlci"\nmark = "V"\n[[teams]]\nname = "Sovy"', "teams[2].mark is missing"),
        ('[[teams]]\nname = "Vlci"\nmark = "v"', 'teams[1].mark = "v"; it must be one capital letter'),
        ('[[teams]]\nname = "Vlci"\nmark = "Č"', 'teams[1].mark = "Č"; it must be one capital letter'),
        ('[[teams]]\nname = "Vlci"\nmark = "AB"', 'teams[1].mark = "AB"; it must be one capital letter'),
        (
            '[[teams]]\nname = "a"\nmark = "A"\n[[teams]]\nname = "b"\nmark = "A"',
            'teams[2].mark = "A"; there already is',
        ),
        ('[[colours]]\ncode = "R"\nname = "r"\nswatch = "#000000"', "number of colours is 1; allowed are 2 to 8"),
        ("colours = []", "number of colours is 0"),
        ('[rules]\ncontact = "side"', 'rules.contact = "side"; allowed are "corner", "edge"'),
        ('[rules]\ntie = "none"', 'rules.tie = "none"; allowed are "nobody", "share", "every", "stickers"'),
    ],
)
def test_a_wrong_value_is_told_with_key_value_and_what_is_allowed(text, told):
    with pytest.raises(SettingsError, match=told if ".*" in told else re.escape(told)) as caught:
        parse_game(text, "camp/game.toml")
    assert str(caught.value).startswith("camp/game.toml: ")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('code = "K"', 'code = "W"', 'colours[2].code = "W"; there already is "W"'),
        ('code = "K"', 'code = "k"', 'colours[2].code = "k"; it must be one capital letter'),
        ('code = "K"', 'code = "."', 'colours[2].code = "."; it must be one capital letter'),
        ('name = "black"', 'name = "White"', 'colours[2].name = "White"; there already is "white"'),
        (
            'swatch = "#000000"',
            'swatch = "black"',
            'colours[2].swatch = "black"; it must be a colour such as "#c8242c"',
        ),
        ('swatch = "#000000"', "", "colours[2].swatch is missing"),
    ],
)
def test_a_wrong_colour_is_told(old, new, told):
    assert old in FULL
    with pytest.raises(SettingsError, match=re.escape(told)):
        parse_game(FULL.replace(old, new))


def test_a_name_that_is_another_teams_mark_would_mean_two_teams():
    teams = '[[teams]]\nname = "{}"\nmark = "A"\n[[teams]]\nname = "{}"\nmark = "B"\n'
    with pytest.raises(SettingsError, match=r'teams\[1\]\.name = "b"; that is the mark of the team "Foxes"'):
        parse_game(teams.format("b", "Foxes"))
    assert len(parse_game(teams.format("a", "Foxes")).teams) == 2


def test_brackets_without_end_are_no_toml():
    with pytest.raises(SettingsError, match="line 1: this is not valid TOML"):
        parse_game("a = " + "[" * 5000)


def test_37_teams_are_too_many():
    with pytest.raises(SettingsError, match="number of teams is 37; at most 36"):
        parse_game("".join(f'[[teams]]\nname = "Team {n}"\n' for n in range(37)))


def test_marks_may_be_left_to_the_program():
    assert assign_marks(["Vlci", "Ťuhýci", "1. oddíl"]) == ("V", "T", "1")
    assert assign_marks(["Vlci", "Veverky", "Sovy"]) == ("A", "B", "C")
    assert assign_marks(["Жуки", "Sovy"]) == ("A", "B")
    assert len(set(assign_marks([f"Team {n}" for n in range(36)]))) == 36
    assert assign_marks([str(n) for n in range(1, 13)]) == (*"123456789", "A", "B", "C")
    assert assign_marks([]) == ()
    assert parse_game('[[teams]]\nname = "Vlci"').teams == (Team("Vlci", "V"),)


def test_wrong_toml_is_told_with_its_line():
    with pytest.raises(SettingsError, match=r"game\.toml, line 2: this is not valid TOML"):
        parse_game('title = "a"\nsizes = [6, 5')
    with pytest.raises(SettingsError, match=r"game\.toml, line 3: .*overwrite"):
        parse_game("cell_mm = 20\n\ncell_mm = 21")


@pytest.fixture
def game_file(tmp_path):
    return tmp_path / "game.toml"


def test_a_file_from_windows_notepad_is_read(game_file):
    game_file.write_bytes(b"\xef\xbb\xbf" + FULL.replace("\n", "\r\n").encode())
    assert load_game(game_file) == load_game(game_file.parent) == parse_game(FULL)


@pytest.mark.parametrize(("encoding", "line"), [("utf-16", 1), ("utf-16-le", 1), ("iso8859-2", 2), ("cp1250", 2)])
def test_another_encoding_is_told_with_its_line(game_file, encoding, line):
    game_file.write_bytes(FULL.encode(encoding))
    with pytest.raises(SettingsError, match=rf"game\.toml, line {line}: the text is not in UTF-8"):
        load_game(game_file)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(SettingsError, match="there is no such file"):
        load_game(tmp_path)


def test_the_first_folder_with_a_game_wins(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "game.toml").touch()
    (tmp_path / "game.toml").touch()
    assert find_game([tmp_path / "a", tmp_path / "b", tmp_path]) == tmp_path / "b" / "game.toml"
    assert find_game([tmp_path / "a"]) is None


def test_the_language_is_known_even_of_a_wrong_file(game_file):
    assert peek_language(game_file) is None
    game_file.write_text('sizes = [\nlanguage = "cs" # čeština\n', encoding="utf-8")
    assert peek_language(game_file) == "cs"
    game_file.write_text('# language = "cs"', encoding="utf-8")
    assert peek_language(game_file) is None


@pytest.mark.parametrize("language", ["cs", "en"])
def test_a_new_game_loads_back(language):
    names = ['Vlci "z lesa"', "Lišky \\ Rysi", "Sovy = #1"]
    assert parse_game(new_game_toml(names, title='Tábor "27"', language=language)) == Game(
        title='Tábor "27"',
        language=language,
        teams=tuple(Team(name, mark) for name, mark in zip(names, "VLS", strict=True)),
        colours=default_colours(language),
    )


@pytest.mark.parametrize("language", ["cs", "en"])
def test_a_new_game_without_teams_shows_how_to_add_them(language):
    text = new_game_toml([], language=language)
    assert parse_game(text).teams == ()
    assert "# [[teams]]" in text


def test_a_new_game_refuses_wrong_teams():
    with pytest.raises(SettingsError, match="there already is"):
        new_game_toml(["Vlci", "vlci"])
    with pytest.raises(SettingsError, match="at most 36"):
        new_game_toml([str(n) for n in range(37)])


def test_a_file_is_written_whole_with_its_folders(tmp_path):
    path = tmp_path / "nová složka" / "výsledky.csv"
    write_whole(path, "ř\n")
    assert path.read_bytes() == "ř\n".encode()
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(path.parent.iterdir()) == [path]


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "game.toml"
    path.write_text("old", encoding="utf-8")

    def full_disk(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(SettingsError, match="can't be written \\(the disk is full") as caught:
        write_whole(path, "new")
    assert "nejde zapsat (disk je plný)" in say_text(caught.value.text, "cs")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_where_a_folder_should_be_is_told(tmp_path):
    (tmp_path / "results").touch()
    with pytest.raises(SettingsError, match=r"results.table\.csv: can't be written"):
        write_whole(tmp_path / "results" / "table.csv", "")
