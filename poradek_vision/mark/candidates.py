"""The teams of a game as what the reader of characters can find."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from poradek_vision.mark.characters import CHARACTERS
from poradek_vision.model import Game


@dataclass(frozen=True, slots=True)
class Candidate:
    """A team: its name for records, the index of its mark in ``CHARACTERS``, its name in plain capitals."""

    name: str
    character: int
    word: str


def plain(text: str) -> str:
    """A text in capitals without diacritics, as the reader of characters knows them.

    Examples
    --------
    >>> plain("Ježci 2")
    'JEZCI 2'
    """
    parts = unicodedata.normalize("NFKD", text.upper())
    return "".join(part for part in parts if not unicodedata.combining(part))


def candidates(game: Game) -> tuple[Candidate, ...]:
    """The game's teams in its order; without a team list every character, as a team of that name.

    Teams whose mark is no capital letter or digit, even without its diacritics, have none that could be read and are
    left out.

    Examples
    --------
    >>> from poradek_vision.model import Team
    >>> candidates(Game(teams=(Team("Vlci", "B"),)))
    (Candidate(name='Vlci', character=1, word='VLCI'),)
    """
    if not game.teams:
        return tuple(Candidate(character, index, "") for index, character in enumerate(CHARACTERS))
    return tuple(
        Candidate(team.name, CHARACTERS.index(plain(team.mark)), plain(team.name))
        for team in game.teams
        if len(plain(team.mark)) == 1 and plain(team.mark) in CHARACTERS
    )


def strangers(teams: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Every character that is neither a team's mark nor its twin, of a team without a name.

    Examples
    --------
    >>> len(strangers([Candidate("Vlci", CHARACTERS.index("5"), "VLCI")]))
    34
    """
    marks = {CHARACTERS[team.character] for team in teams}
    marks |= {twin for twins in TWINS if marks & set(twins) for twin in twins}
    return tuple(Candidate("", k, "") for k, character in enumerate(CHARACTERS) if character not in marks)


TWINS = (("O", "0"), ("S", "5"))
"""Characters that many hands write alike."""
SAME = (("O", "0"), ("0", "O"))
"""Those of them that nobody can tell apart: where both are marks what looks like them may be either."""
