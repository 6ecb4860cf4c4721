"""Which places in the final table open cells could still change."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from poradek_vision.model import TeamTotal


def unsure_ranks(totals: Sequence[TeamTotal]) -> tuple[str, ...]:
    """The teams whose rank could change, whatever the open cells hold.

    The bounds of totals are taken for independent of each other, so a team that is not named is sure of its place,
    and one that is named need not be in danger.

    Parameters
    ----------
    totals : sequence of TeamTotal
        Best first.

    Returns
    -------
    tuple of str
        Names, in the order given.

    Examples
    --------
    >>> def total(team, rank, points, low, high):
    ...     return TeamTotal(rank, team, (), 0, points, low, high, 0, 0)
    >>> unsure_ranks([total("A", 1, 9, 9, 12), total("B", 2, 5, 5, 8), total("C", 3, 5, 2, 5), total("D", 4, 1, 1, 1)])
    ('B', 'C')
    """
    unsure = set()
    for better, worse in itertools.combinations(totals, 2):
        if better.total == worse.total:
            swap = better.total_min < better.total_max or worse.total_min < worse.total_max
        else:
            swap = better.total_min <= worse.total_max
        if swap:
            unsure |= {better.team, worse.team}
    return tuple(total.team for total in totals if total.team in unsure)
