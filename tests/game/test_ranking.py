"""Which ranks open cells could change."""

import pytest

from poradek_vision.game import unsure_ranks
from poradek_vision.model import TeamTotal


def totals(*rows):
    """One row per team: total, least, most."""
    return [TeamTotal(1, "ABCD"[k], (), 0.0, *row, 0, 0) for k, row in enumerate(rows)]


@pytest.mark.parametrize(
    ("rows", "unsure"),
    [
        ([], ""),
        ([(9, 5, 12)], ""),
        ([(9, 9, 9), (5, 5, 5)], ""),
        ([(9, 6, 12), (5, 2, 5)], ""),
        ([(9, 5, 12), (5, 2, 5)], "AB"),
        ([(9, 6, 12), (5, 2, 6)], "AB"),
        ([(5, 5, 5), (5, 5, 5)], ""),
        ([(5, 5, 5), (5, 5, 6)], "AB"),
        ([(5, 4, 5), (5, 5, 5)], "AB"),
        ([(9, 9, 9), (7, 5, 8), (6, 6, 6), (1, 1, 4)], "BC"),
        ([(9, 1, 9), (7, 7, 7), (6, 6, 6), (1, 0, 1)], "ABCD"),
    ],
)
def test_a_rank_is_sure_where_bounds_keep_it(rows, unsure):
    assert "".join(unsure_ranks(totals(*rows))) == unsure
