"""Marks that are easily taken for each other when they are written by hand, and what to write instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from poradek_vision.mark.candidates import plain
from poradek_vision.mark.characters import CHARACTERS
from poradek_vision.model import Team

_ALIKE = ("O0DQ", "I1LJ", "17", "S5", "B8", "69", "UV", "Z2", "G6C", "VY", "MW", "HNM", "PD", "49", "39", "CU")
"""In each group any two are taken for each other by hurried hands, or with another side up."""
_PREFERRED = "AKXREHTMPFZCLSNGBUDYW23478569V10JQIO"
"""What to propose, the most unmistakable first."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A team whose mark resembles an earlier team's, and a mark that resembles none."""

    team: str
    mark: str
    like: str
    better: str


def alike(one: str, other: str) -> bool:
    """Whether two marks are easily taken for each other.

    Examples
    --------
    >>> alike("U", "V"), alike("A", "B")
    (True, False)
    """
    return one != other and any(one in group and other in group for group in _ALIKE)


def advise(teams: Sequence[Team]) -> tuple[Advice, ...]:
    """Better marks for teams whose own are easily confused with an earlier team's.

    The letters of the team's name come first. Where every mark resembles one in use, nothing is proposed.

    Examples
    --------
    >>> advise([Team("Užovky", "U"), Team("Vlci", "V")])
    (Advice(team='Vlci', mark='V', like='U', better='L'),)
    """
    marks = [team.mark for team in teams]
    advice = []
    for place, team in enumerate(teams):
        like = next((mark for mark in marks[:place] if alike(mark, marks[place])), "")
        others = marks[:place] + marks[place + 1 :]
        own = [letter for letter in plain(team.name) if letter in CHARACTERS]
        free = (mark for mark in (*own, *_PREFERRED) if mark not in others and not any(alike(mark, o) for o in others))
        better = next(free, "") if like else ""
        if better:
            advice.append(Advice(team.name, team.mark, like, better))
            marks[place] = better
    return tuple(advice)


def choose_marks(names: Sequence[str]) -> tuple[str, ...]:
    """Marks for teams that have none, no two of which hands confuse, as far as there are such.

    A team called by one letter or digit has that. The others have, one after another, the first letter of their name
    that is free and resembles no mark in use, or what is the most unmistakable.

    Parameters
    ----------
    names : sequence of str
        Of more than 36 the last get ``""``.

    Examples
    --------
    >>> choose_marks(["Vlci", "Veverky", "Užovky", "7"])
    ('V', 'E', 'Z', '7')
    """
    marks = [sign if len(sign := plain(name)) == 1 and sign in CHARACTERS else "" for name in names]
    for place, name in enumerate(names):
        free = [sign for sign in (*plain(name), *_PREFERRED) if sign in CHARACTERS and sign not in marks]
        clear = (sign for sign in free if not any(mark and alike(sign, mark) for mark in marks))
        marks[place] = marks[place] or next(clear, "") or next(iter(free), "")
    return tuple(marks)
