import pytest

from poradek_vision.errors import SettingsError
from poradek_vision.files import load_grid, parse_grid
from poradek_vision.model import Game, Team

GAME = Game(teams=(Team("Vlci", "A"), Team("Lišky", "7")))


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("RR.\n.YY\n", ("RR.", ".YY")),
        ("  R R .\n\n", ("RR.",)),
        ("\n\nRRR YYY\r\n...\tGGG", ("RRRYYY", "...GGG")),
        ("R", ("R",)),
        ("RR RR", ("RRRR",)),
    ],
)
def test_colours_with_forgiven_space(text, rows):
    grid = parse_grid(text, Game())
    assert (grid.rows, grid.owners) == (rows, ())


@pytest.mark.parametrize(
    "text",
    ["Ra R Rb\n. . Y7", "Ra R? Rb\n.  .  Y7", "RRR\n..Y\n\na.b\n..7", "R R R\n. . Y\n\n\na ? b\n. . 7\n"],
)
def test_owners_beside_the_colours_or_after_them(text):
    grid = parse_grid(text, Game())
    assert grid.rows == ("RRR", "..Y")
    assert grid.owners == (("a", "", "b"), ("", "", "7"))


def test_marks_become_the_names_of_teams():
    assert parse_grid("RA Ra Y7 R?", GAME).owners == (("Vlci", "Vlci", "Lišky", ""),)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "there is no grid"),
        (" \n\n", "there is no grid"),
        ("RRR\nRR", "line 2: 2 cells, but 3 on the first line"),
        ("\nRRR\n\tRXR", 'line 3: "X" is the letter of no colour; allowed are R, Y, G, B, .'),
        ("RX\nRR", 'line 1: "X"'),
        ("rr", 'line 1: "r"'),
        ("Ra .a", 'line 1: an empty cell can\'t have the owner "a"'),
        ("R.\n\naa", 'line 1: an empty cell can\'t have the owner "a"'),
        ("RR\nRR\n\nab\na", "line 5: the grid of owners"),
        ("RR\nRR\n\nab", "line 4: the grid of owners"),
        ("RR\n\nab\nab", "line 4: the grid of owners"),
        ("RR\n\nab\n\nab", "line 5: nothing may follow"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, told):
    with pytest.raises(SettingsError) as caught:
        parse_grid(text, Game(), "board.txt")
    assert str(caught.value).startswith("board.txt")
    assert told in str(caught.value)


@pytest.mark.parametrize("text", ["R" * 201, "R\n" * 101])
def test_a_huge_grid_is_another_file(text):
    with pytest.raises(SettingsError, match="too much for a grid"):
        parse_grid(text, GAME)


def test_an_unknown_mark_is_told_with_those_that_are_known():
    with pytest.raises(SettingsError, match=r'line 2: "x" is no team\'s mark; allowed are A, 7, \?'):
        parse_grid("RA R7\nRx R7", GAME)


def test_a_file_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "deska č. 1.txt"
    path.write_bytes("\ufeffRR".encode())
    assert load_grid(path, Game()).rows == ("RR",)


def test_a_file_that_can_not_be_read(tmp_path):
    with pytest.raises(SettingsError, match="can't be read"):
        load_grid(tmp_path / "nothing.txt", Game())
    path = tmp_path / "picture.txt"
    path.write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(SettingsError, match="UTF-8"):
        load_grid(path, Game())
