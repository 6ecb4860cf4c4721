"""Whose boards the doubtful ones are, given the others: each team has one board of each size.

A mark that could be two teams' is one team's where the other's board of that size is another one in the batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from poradek_vision.model import BoardReading, Flag, Game, MarkReading
from poradek_vision.settle.votes import clash, turn

SURE_MARGIN = 20.0
LEAST_SCORE = 5.0
"""Nats: the least lead over every other team that could own the board, and the least evidence, as for any mark."""


def eliminate(
    readings: Sequence[BoardReading], corrected: Mapping[tuple[str, int], str], game: Game
) -> tuple[BoardReading, ...]:
    """Name boards whose mark is in doubt, where all teams but one that it could be have other boards of that size.

    Parameters
    ----------
    readings : sequence of BoardReading
    corrected : mapping of (sha256, index) to str
        What a person said whose boards they are.
    game : Game

    Returns
    -------
    tuple of BoardReading
        In the same order; those named have their mark found by ``"elimination"``.
    """
    named = [
        (corrected.get(key) or reading.mark.team, reading)
        for reading in readings
        for key in [(reading.sha256, reading.index)]
        if key in corrected or (reading.mark.team and Flag.TEAM_UNCLEAR not in reading.mark.flags)
    ]
    return tuple(
        _among_the_rest(reading, named)
        if Flag.TEAM_UNCLEAR in reading.mark.flags and (reading.sha256, reading.index) not in corrected and game.teams
        else reading
        for reading in readings
    )


def _among_the_rest(reading: BoardReading, named: Sequence[tuple[str, BoardReading]]) -> BoardReading:
    """A board in doubt, named if one of the teams without another board leads."""
    taken = {team for team, other in named if _another(reading, other)}
    left = sorted(((score, team) for team, score in reading.mark.scores if team not in taken), reverse=True)
    if len(left) == len(reading.mark.scores) or not left:
        return reading
    best, team = left[0]
    margin = best - max(left[1][0] if len(left) > 1 else 0.0, 0.0)
    if best < LEAST_SCORE or margin < SURE_MARGIN:
        return reading
    flags = tuple(flag for flag in reading.mark.flags if flag is not Flag.TEAM_UNCLEAR)
    return replace(reading, mark=MarkReading(team, "elimination", margin, flags, reading.mark.scores))


def _another(one: BoardReading, other: BoardReading) -> bool:
    """Whether two readings of one size show two boards: in no turn do their cells agree."""
    if one.grid.rows != other.grid.rows or one.grid.cols != other.grid.cols:
        return False
    size = one.grid.rows
    ours = tuple(sorted(one.cells, key=lambda cell: (cell.row, cell.col)))
    return all(clash(ours, turn(other.cells, size, quarters)) for quarters in range(4))
