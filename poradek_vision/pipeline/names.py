"""Whose board, when only the photo's name or folder says so."""

from __future__ import annotations

import re
from collections.abc import Sequence

from poradek_vision.model import Game, bare

_SIZE = re.compile(r"[0-9]{1,2}x[0-9]{1,2}")
_BEFORE = frozenset({"tym", "team", "deska", "board"})
"""What people write before a mark."""


def team_in_name(photo: str, game: Game) -> str:
    """The one team that a photo's name or its folders name; ``""`` where none or several do.

    A team's name counts anywhere among the words. Its mark counts only where a folder or file is called nothing else,
    a size and a word like "team" aside; a digit only beside such a word or a size: cameras count their photos too.
    Case and diacritics don't matter.

    Parameters
    ----------
    photo : str
        The photo's name relative to the batch's folder, with ``/``.
    game : Game

    Examples
    --------
    >>> from poradek_vision.model import Team
    >>> game = Game(teams=(Team("Vlci", "A"), Team("Lišky", "2")))
    >>> [team_in_name(name, game) for name in ("Vlci/IMG_1.jpg", "lisky-6x6.jpg", "a_5x5.png", "Tým 2/IMG_1.jpg")]
    ['Vlci', 'Lišky', 'Vlci', 'Lišky']
    >>> [team_in_name(name, game) for name in ("IMG_2.jpg", "2.jpg", "vlci a lisky.jpg")]
    ['', '', '']
    """
    parts = [_words(part) for part in re.sub(r"\.[^./]*$", "", photo).split("/")]
    named = {team.name for team in game.teams for words in parts if _holds(words, _words(team.name))}
    named = named or {team.name for team in game.teams for words in parts if _is_mark(words, _words(team.mark))}
    return named.pop() if len(named) == 1 else ""


def _words(text: str) -> tuple[str, ...]:
    """A text's words in small letters without diacritics; ``×`` is an x."""
    return tuple(re.findall(r"[^\W_]+", bare(text.replace("×", "x"))))


def _holds(words: Sequence[str], name: Sequence[str]) -> bool:
    """Whether a name's words stand among others, one after the other. One character is a mark, no name."""
    length = len(name)
    return len("".join(name)) > 1 and any(words[at : at + length] == name for at in range(len(words) - length + 1))


def _is_mark(words: Sequence[str], mark: Sequence[str]) -> bool:
    """Whether words say nothing but a mark."""
    rest = tuple(word for word in words if not _SIZE.fullmatch(word) and word not in _BEFORE)
    return bool(mark) and rest == mark and (len(words) > len(rest) or not mark[0].isdecimal())
