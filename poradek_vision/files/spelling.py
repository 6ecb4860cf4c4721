"""What people mean by a word they typed: a colour by its letter or name, a team by its name or mark.

Case, diacritics and blanks don't count, unless two would then be the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from poradek_vision.model import EMPTY, LANGUAGES, Correction, Game, bare
from poradek_vision.texts import say

NOBODY_KNOWS = "?"
_NOTHING = (EMPTY, "0", "-", "–")


def folded(text: str) -> str:
    """Words without case, diacritics and blanks, as people type them.

    Examples
    --------
    >>> folded(" Území nikoho")
    'uzeminikoho'
    """
    return "".join(bare(text).split())


def colour_meant(text: str, game: Game) -> str | None:
    """The code of a colour by its letter or name, or that a cell is empty; None where it is neither.

    Examples
    --------
    >>> [colour_meant(text, Game()) for text in ("R", "Cervena", "prázdné", "-", "růžová")]
    ['R', 'R', '.', '.', None]
    """
    empty = [(say("overlay.empty", language), EMPTY) for language in LANGUAGES]
    nothing = [(sign, EMPTY) for sign in _NOTHING]
    codes = [(colour.code, colour.code) for colour in game.colours]
    names = [(colour.name, colour.code) for colour in game.colours]
    return _meant(text, [*codes, *nothing], names, empty)


def team_meant(text: str, game: Game) -> str | None:
    """The name of a team by its name or mark; None where the game has no such team.

    Examples
    --------
    >>> from poradek_vision.model import Team
    >>> game = Game(teams=(Team("Lišky", "A"), Team("Čápi", "B")))
    >>> [team_meant(text, game) for text in ("lisky", "b", "Vlci")]
    ['Lišky', 'Čápi', None]
    """
    names = [(team.name, team.name) for team in game.teams]
    return _meant(text, names, [(team.mark, team.name) for team in game.teams])


def as_meant(correction: Correction, game: Game) -> Correction:
    """A correction with the code of the colour, or the name of the team, that its value means.

    What means nothing stays as it is, for settling to complain of.

    Examples
    --------
    >>> as_meant(Correction("", "a.jpg", 0, "cell", 0, 0, "modrá"), Game()).value
    'B'
    """
    meant: str | None = None
    if correction.target == "cell":
        meant = colour_meant(correction.value, game)
    elif correction.target == "owner" and correction.value.strip() == NOBODY_KNOWS:
        meant = ""
    elif correction.target in ("owner", "team"):
        meant = team_meant(correction.value, game)
    return correction if meant is None else replace(correction, value=meant)


def _meant(text: str, *groups: Iterable[tuple[str, str]]) -> str | None:
    """What a text stands for: letter by letter in any group, else folded, in the first group that has just one."""
    listed = [list(group) for group in groups]
    for group in listed:
        if text.strip() in dict(group):
            return dict(group)[text.strip()]
    for group in listed:
        found = {value for sign, value in group if folded(sign) == folded(text)}
        if found:
            return found.pop() if len(found) == 1 else None
    return None
