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
    unsure = {total.team for pair in itertools.combinations(totals, 2) if may_swap(*pair) for total in pair}
    return tuple(total.team for total in totals if total.team in unsure)


def may_swap(better: TeamTotal, worse: TeamTotal) -> bool:
    """Whether open cells may change which of two teams is ahead, or whether one is."""
    if better.total == worse.total:
        return better.total_min < better.total_max or worse.total_min < worse.total_max
    return better.total_min <= worse.total_max
