"""Whose sheets or stickers a person asks for."""

from __future__ import annotations

from poradek_vision.errors import SettingsError
from poradek_vision.model import Game, bare


def team_index(game: Game, asked: str) -> int:
    """Which team a person means by a name or a mark, in any case, with or without diacritics.

    Parameters
    ----------
    game : Game
    asked : str

    Raises
    ------
    SettingsError
        If the game has no such team.

    Examples
    --------
    >>> from poradek_vision.model import Team
    >>> team_index(Game(teams=(Team("Vlci", "A"), Team("Lišky", "B"))), "lisky")
    1
    """
    for index, team in enumerate(game.teams):
        if bare(asked) in (bare(team.name), bare(team.mark)):
            return index
    raise SettingsError("print.unknown_team", team=asked, allowed=", ".join(team.name for team in game.teams))
