"""``game.toml``: what the game is, checked key by key.

A wrong or misspelt key is an error that names the file, the key, the value and what is allowed; of several errors
the first is told. Everything may be left out.
"""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import cast

from poradek_vision.errors import SettingsError, reason
from poradek_vision.files.toml_table import TomlTable
from poradek_vision.model import (
    BOARD_SIZES,
    DEFAULT_COLOURS,
    EMPTY,
    LANGUAGES,
    Colour,
    Game,
    Language,
    Rules,
    Team,
    bare,
)
from poradek_vision.sheet import most_teams
from poradek_vision.texts import say

_log = logging.getLogger(__name__)

GAME_FILE = "game.toml"
MARKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
"""What a team may write: the signs that can be told apart in handwriting."""

_MOST_SIZES = 4  # a sheet's id leaves four places for the size
_FEWEST_COLOURS, _MOST_COLOURS = 2, 8
_MOST_CELL_MM = 100.0
"""Larger cells fit no paper that a photo shows whole."""
_KEYS = ("title", "language", "sizes", "no_mans_land", "cell_mm", "teams", "colours", "rules")


def find_game(folders: Iterable[Path]) -> Path | None:
    """The first ``game.toml`` in some folders, or None where none has one.

    Parameters
    ----------
    folders : iterable of Path
        The likeliest first.
    """
    return next((path for folder in folders if (path := folder / GAME_FILE).is_file()), None)


def load_game(path: Path) -> Game:
    """Read and check the settings of a game.

    Parameters
    ----------
    path : Path
        The file, or the folder in which its ``game.toml`` lies.

    Raises
    ------
    SettingsError
        If the file can't be read, is not TOML in UTF-8, or says something that is not allowed.
    """
    file = path / GAME_FILE if path.is_dir() else path
    try:
        content = file.read_bytes()
    except FileNotFoundError as error:
        raise SettingsError("settings.no_file", file=file) from error
    except OSError as error:
        raise SettingsError("settings.cannot_read", file=file, why=reason(error)) from error
    _log.info("%s: the game", file)
    return parse_game(_decode(content, str(file)), str(file))


def parse_game(text: str, file: str = GAME_FILE) -> Game:
    """Check the text of a ``game.toml``.

    Parameters
    ----------
    text : str
    file : str
        How messages call the file.

    Raises
    ------
    SettingsError
        If it is not TOML, or says something that is not allowed.

    Examples
    --------
    >>> parse_game('sizes = [5, 3]').sizes
    (5, 3)
    >>> parse_game('size = [5, 3]')
    Traceback (most recent call last):
    poradek_vision.errors.SettingsError: game.toml: there is no key "size"; did you mean "sizes"?
    """
    try:
        top = TomlTable(file, "", tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        at_line = re.search(r"at line (\d+)", str(error))
        line = at_line[1] if at_line else text.count("\n") + 1
        raise SettingsError("settings.bad_toml", file=file, line=line, why=error) from error
    except RecursionError as error:  # brackets within brackets, thousands deep
        raise SettingsError("settings.bad_toml", file=file, line=1, why="[[[[[…") from error
    top.check_keys(_KEYS)
    language = top.choice("language", LANGUAGES, "cs")
    return Game(
        title=top.text("title", ""),
        language=language,
        sizes=_sizes(top),
        no_mans_land=_no_mans_land(top),
        cell_mm=top.number("cell_mm", Game().cell_mm, most=_MOST_CELL_MM),
        teams=_teams(top),
        colours=_colours(top, language),
        rules=_rules(top.table("rules")),
    )


def peek_language(path: Path) -> Language | None:
    """The language named in a ``game.toml`` that may otherwise be wrong, or None.

    Parameters
    ----------
    path : Path
        Need not exist.
    """
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except (OSError, ValueError):
        return None
    found = re.search(r"""^\s*language\s*=\s*["'](cs|en)["']""", text, re.MULTILINE)
    return cast(Language, found[1]) if found else None


def default_colours(language: Language) -> tuple[Colour, ...]:
    """The colours of a game that names none, in its language.

    Examples
    --------
    >>> [colour.name for colour in default_colours("en")]
    ['red', 'yellow', 'green', 'blue']
    """
    return tuple(
        Colour(colour.code, say(f"settings.colour_{colour.code}", language), colour.swatch)
        for colour in DEFAULT_COLOURS
    )


def assign_marks(names: Sequence[str]) -> tuple[str, ...]:
    """Marks for teams that have none: the names' first letters where these differ, else A, B, C, …, 0, 1, ….

    A team whose name is one letter or digit has that.

    Parameters
    ----------
    names : sequence of str
        At most 36.

    Examples
    --------
    >>> assign_marks(["Vlci", "Lišky", "Čápi"])
    ('V', 'L', 'C')
    >>> assign_marks(["Vlci", "Veverky"])
    ('A', 'B')
    >>> assign_marks(["1", "2", "10"])
    ('1', '2', 'A')
    """
    initials = tuple(bare(name)[:1].upper() for name in names)
    if len(set(initials)) == len(initials) and all(initial and initial in MARKS for initial in initials):
        return initials
    signs = [sign if len(sign := bare(name).upper()) == 1 and sign in MARKS else "" for name in names]
    free = iter([mark for mark in MARKS if mark not in signs])
    return tuple(sign or next(free) for sign in signs)


def _decode(content: bytes, file: str) -> str:
    """The text of a file in UTF-8, with or without the BOM that Windows Notepad writes."""
    if b"\0" in content:  # UTF-16, whose ASCII would pass as UTF-8
        raise SettingsError("settings.not_utf8", file=file, line=1)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SettingsError("settings.not_utf8", file=file, line=line) from error


def _is_size(value: object) -> bool:
    """Whether a value is a whole number that a board can have."""
    return isinstance(value, int) and not isinstance(value, bool) and value in BOARD_SIZES


def _sizes(top: TomlTable) -> tuple[int, ...]:
    """Sizes of each team's boards."""
    sizes = top.values.get("sizes", list(Game().sizes))
    right = isinstance(sizes, list) and 1 <= len(sizes) <= _MOST_SIZES and all(map(_is_size, sizes))
    if not right or len(set(cast("list[int]", sizes))) != len(cast("list[int]", sizes)):
        raise top.refusal(
            "settings.wants_sizes", "sizes", smallest=min(BOARD_SIZES), largest=max(BOARD_SIZES), most=_MOST_SIZES
        )
    return tuple(cast("list[int]", sizes))


def _no_mans_land(top: TomlTable) -> int:
    """Size of the no man's land, 0 for none."""
    size = top.values.get("no_mans_land", Game().no_mans_land)
    if not (_is_size(size) or (size == 0 and type(size) is int)):
        raise top.refusal(
            "settings.wants_no_mans_land", "no_mans_land", smallest=min(BOARD_SIZES), largest=max(BOARD_SIZES)
        )
    return cast(int, size)


def _teams(top: TomlTable) -> tuple[Team, ...]:
    """Teams in the order of the sheets' ids."""
    tables = top.tables("teams")
    if len(tables) > most_teams():
        raise SettingsError("settings.too_many_teams", file=top.file, count=len(tables), most=most_teams())
    for table in tables:
        table.check_keys(("name", "mark"))
    names = _distinct(tables, "name")
    if EMPTY in names:
        raise tables[names.index(EMPTY)].refusal("settings.reserved_name", "name")
    marks = _distinct(tables, "mark") if any("mark" in table.values for table in tables) else assign_marks(names)
    for table, mark in zip(tables, marks, strict=True):
        if len(mark) != 1 or mark not in MARKS:
            raise table.refusal("settings.wants_mark", "mark")
    marked = dict(zip(map(bare, marks), names, strict=True))
    for table, name in zip(tables, names, strict=True):
        if marked.get(bare(name), name) != name:  # written on a board or in corrections.csv it would mean two teams
            raise table.refusal("settings.name_is_mark", "name", other=marked[bare(name)])
    return tuple(Team(name, mark) for name, mark in zip(names, marks, strict=True))


def _colours(top: TomlTable, language: Language) -> tuple[Colour, ...]:
    """The colours of the stickers."""
    tables = top.tables("colours")
    if "colours" not in top.values:
        return default_colours(language)
    if not _FEWEST_COLOURS <= len(tables) <= _MOST_COLOURS:
        fields = {"count": len(tables), "fewest": _FEWEST_COLOURS, "most": _MOST_COLOURS}
        raise SettingsError("settings.wants_colours", file=top.file, **fields)
    for table in tables:
        table.check_keys(("code", "name", "swatch"))
    codes, names = _distinct(tables, "code"), _distinct(tables, "name")
    swatches = [table.text("swatch") for table in tables]
    for table, code, swatch in zip(tables, codes, swatches, strict=True):
        if not re.fullmatch("[A-Z]", code):
            raise table.refusal("settings.wants_code", "code")
        if not re.fullmatch("#[0-9a-fA-F]{6}", swatch):
            raise table.refusal("settings.wants_swatch", "swatch")
    return tuple(Colour(*values) for values in zip(codes, names, swatches, strict=True))


def _rules(table: TomlTable) -> Rules:
    """What the rules leave open."""
    table.check_keys(("contact", "tie"))
    return Rules(
        contact=table.choice("contact", ("corner", "edge"), Rules().contact),
        tie=table.choice("tie", ("nobody", "share", "every", "stickers"), Rules().tie),
    )


def _distinct(tables: Sequence[TomlTable], key: str) -> tuple[str, ...]:
    """One text of each table; none empty, no two the same but for case and diacritics."""
    seen: dict[str, str] = {}
    for table in tables:
        text = table.text(key)
        if not text:
            raise table.refusal("settings.empty", key)
        if bare(text) in seen:
            raise table.refusal("settings.twice", key, other=seen[bare(text)])
        seen[bare(text)] = text
    return tuple(seen.values())
