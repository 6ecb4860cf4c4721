"""Whose boards the doubtful ones are, given the others: each team has one board of each size.

A mark that could be two teams' is likelier one team's where the other's board of that size is another one in the batch.
That is a guess, never a proof: a board photographed at half-time looks like another one, and of two marks that look
alike the sure one may be the wrong one. So a board named in this way stays in doubt until a person says whose it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from poradek_vision.model import MarkReading
from poradek_vision.settle.claims import Claim
from poradek_vision.settle.votes import clash, turn

LEAST_MARGIN = 10.0
LEAST_SCORE = 5.0
"""Nats: the least lead over every other team that could own the board, and the least evidence. On 43 rendered boards
in doubt, with one other team left at random, 36 % were named, 94 % of these rightly; with 20 nats a tenth, 96 %."""


def eliminate(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Name boards whose mark is in doubt, where some teams that it could be have other boards of that size.

    1. A team has another board if a claim to it is free of doubt, as to whose it is and as a whole, and shows other
       cells, and no claim of the team may show the same board.
    2. Of the teams left, one must lead clearly, and have no other board either, not even a doubtful one.

    Parameters
    ----------
    claims : sequence of Claim
        Of square boards, without those that a person refused.

    Returns
    -------
    tuple of Claim
        In the same order. Those named have their mark found by ``"elimination"``, and are still
        :attr:`~poradek_vision.settle.claims.Claim.team_unclear`.
    """
    named = [one for one in claims if one.team and not one.team_unclear]
    return tuple(_among_the_rest(one, named) if one.team_unclear and one.trusted else one for one in claims)


def _among_the_rest(doubtful: Claim, named: Sequence[Claim]) -> Claim:
    """A claim in doubt, given to the one that leads of the teams without another board."""
    same_size = [one for one in named if one.size == doubtful.size]
    others = [one for one in same_size if _another(doubtful, one)]
    perhaps_this = {one.team for one in same_size if one not in others}
    taken = {one.team for one in others if one.trusted} - perhaps_this
    scores = doubtful.reading.mark.scores
    left = sorted(((score, team) for team, score in scores if team not in taken), reverse=True)
    if len(left) == len(scores) or not left:
        return doubtful
    best, team = left[0]
    margin = best - max(left[1][0] if len(left) > 1 else 0.0, 0.0)
    if best < LEAST_SCORE or margin < LEAST_MARGIN or team in {one.team for one in others}:
        return doubtful
    mark = MarkReading(team, "elimination", margin, doubtful.reading.mark.flags, scores)
    return replace(doubtful, team=team, reading=replace(doubtful.reading, mark=mark))


def _another(one: Claim, other: Claim) -> bool:
    """Whether two claims of one size show two boards: in no turn do their cells agree."""
    return all(clash(one.cells, turn(other.cells, one.size, quarters)) for quarters in range(4))
