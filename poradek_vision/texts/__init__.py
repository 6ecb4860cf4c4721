"""All that people read and that is not ``--help``, in Czech and English: one catalogue, ``catalogue.toml``.

A text is found by a dotted key; ``{name}`` in it is filled in. A key that does not exist is a bug and raises
KeyError, and so does a field that was not given.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable
from importlib import resources
from typing import Protocol


@functools.cache
def _catalogue() -> dict[str, dict[str, str]]:
    """The catalogue as key -> language -> text."""
    tables = tomllib.loads(resources.files(__name__).joinpath("catalogue.toml").read_text(encoding="utf-8"))
    return {f"{room}.{name}": text for room, texts in tables.items() for name, text in texts.items()}


def say(key: str, language: str, **fields: object) -> str:
    """The text of a key in a language, with its fields filled in.

    Parameters
    ----------
    key : str
        ``"room.name"``.
    language : str
        ``"cs"`` or ``"en"``.
    **fields
        What the text's ``{names}`` stand for.

    Raises
    ------
    KeyError
        If there is no such key or language, or a field is not given.

    Examples
    --------
    >>> say("word.status_missing", "cs")
    'chybí'
    """
    return _catalogue()[key][language].format_map(fields)


class Sentence(Protocol):
    """A key of the catalogue and what to fill in, as ``model.Text`` has them."""

    @property
    def key(self) -> str:
        """``"room.name"``."""

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """Names and what they stand for."""


def say_text(text: Sentence, language: str) -> str:
    """A sentence for people in a language.

    A field ``why`` that is a name of the catalogue's table ``why``, such as ``EACCES``, is said in the language, too.

    Parameters
    ----------
    text : Sentence
    language : str

    Raises
    ------
    KeyError
        As :func:`say` does.

    Examples
    --------
    >>> from poradek_vision.model import Text
    >>> say_text(Text.of("settings.cannot_read", file="game.toml", why="EACCES"), "cs")
    'game.toml: nejde přečíst (není k tomu oprávnění); zkontrolujte název, a že to smíte otevřít'
    """
    fields = dict(text.fields)
    why = f"why.{fields.get('why')}"
    return say(text.key, language, **fields | ({"why": say(why, language)} if why in _catalogue() else {}))


def whose(team: str | None, language: str) -> str:
    """Whose board it is, in words.

    Parameters
    ----------
    team : str or None
        A team's name, ``""`` where it is not known; None for the no man's land.
    language : str

    Examples
    --------
    >>> whose("Vlci", "cs"), whose("", "cs"), whose(None, "cs")
    ('Vlci', 'neznámý tým', 'Území nikoho')
    """
    if team is None:
        return say("word.no_mans_land", language)
    return team or say("summary.unknown_team", language)


def counted(key: str, count: int, language: str, **fields: object) -> str:
    """The text about a number of things, in the form that agrees with the number.

    Parameters
    ----------
    key : str
        ``"room.name"``; the catalogue has ``name_one``, ``name_few`` and ``name_many``.
    count : int
        Fills ``{count}``, too.
    language : str
    **fields
        As for :func:`say`.

    Examples
    --------
    >>> [counted("web.open", count, "cs") for count in (1, 2, 5)]
    ['Nejisté je 1 políčko', 'Nejistá jsou 2 políčka', 'Nejistých je 5 políček']
    """
    form = "one" if count == 1 else "few" if 2 <= count <= 4 else "many"
    return say(f"{key}_{form}", language, count=count, **fields)


def decimal(number: str, language: str) -> str:
    """A number with the decimal sign of a language.

    Examples
    --------
    >>> decimal("1.50", "cs"), decimal("1.50", "en")
    ('1,50', '1.50')
    """
    return number.replace(".", ",") if language == "cs" else number


def points_text(points: float, language: str) -> str:
    """Points as people of a language write them: whole ones without a decimal sign, thirds to two places.

    Examples
    --------
    >>> points_text(12.0, "cs"), points_text(1 / 3, "cs"), points_text(0.5, "en")
    ('12', '0,33', '0.5')
    """
    return decimal(f"{points:.2f}".rstrip("0").rstrip("."), language)


def each_with_points(points: Iterable[tuple[str, float]], language: str) -> str:
    """Teams with their points, one after the other; ``""`` where there are none.

    Examples
    --------
    >>> each_with_points((("Vlci", 3.0), ("Lišky", 1.5)), "cs")
    'Vlci 3, Lišky 1,5'
    """
    return ", ".join(f"{team} {points_text(own, language)}" for team, own in points)


def keys() -> tuple[str, ...]:
    """Every key of the catalogue, sorted."""
    return tuple(sorted(_catalogue()))
