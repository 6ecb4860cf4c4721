"""The text of a new ``game.toml``, commented in the language of the game."""

from __future__ import annotations

import json
from collections.abc import Sequence

from poradek_vision.errors import SettingsError
from poradek_vision.files.settings import assign_marks, default_colours, parse_game
from poradek_vision.model import Language
from poradek_vision.sheet import most_teams
from poradek_vision.texts import say


def new_game_toml(
    teams: Sequence[str], *, marks: Sequence[str] = (), title: str = "", language: Language = "cs"
) -> str:
    """The settings of a new game as a commented file.

    Parameters
    ----------
    teams : sequence of str
        Names in the order of the sheets; may be empty.
    marks : sequence of str
        A mark for each team; left out: those of :func:`assign_marks`.
    title : str
    language : {"cs", "en"}

    Returns
    -------
    str
        The text of a ``game.toml`` that :func:`load_game` accepts.

    Raises
    ------
    SettingsError
        If a name is empty or given twice, or there are too many.

    Examples
    --------
    >>> text = new_game_toml(["Wolves", "Foxes"], title="Camp 2027", language="en")
    >>> parse_game(text).teams
    (Team(name='Wolves', mark='W'), Team(name='Foxes', mark='F'))
    """
    if len(teams) > most_teams():
        raise SettingsError("sheet.too_many_teams", most=most_teams())
    entries = [
        f'[[teams]]\nname = {_quoted(name)}\nmark = "{mark}"\n'
        for name, mark in zip(teams, marks or assign_marks(teams), strict=True)
    ]
    text = say(
        "new.game_toml",
        language,
        title=_quoted(title),
        spoken=language,
        teams="\n".join(entries) or say("new.no_teams", language),
        colours="\n".join(
            f'[[colours]]\ncode = "{colour.code}"\nname = {_quoted(colour.name)}\nswatch = "{colour.swatch}"\n'
            for colour in default_colours(language)
        ),
    )
    parse_game(text, "poradek new")  # the file is not there yet
    return text


def _quoted(text: str) -> str:
    """A text as TOML writes it; the escapes of JSON are a part of TOML's."""
    return json.dumps(text, ensure_ascii=False)
