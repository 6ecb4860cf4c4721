"""Several readings of one board, and what a person said about them, settle into one board for the rules.

In ``claims`` each reading says which board it shows, with a guess by ``elimination`` where its mark is in doubt; in
``votes`` the readings of one board vote cell by cell; in ``corrections`` the person overrules them, ``typed`` places
what no photo shows; ``ledger`` accounts for every photo and every board that there must be; ``doubtful`` says what to
look at.
"""

from poradek_vision.settle.corrections import subject, with_words, without_words
from poradek_vision.settle.doubtful import (
    doubtful_readings,
    is_beyond_bounds,
    is_undecided,
    readings_by_row,
    rows_with_readings,
)
from poradek_vision.settle.ledger import settle
from poradek_vision.settle.votes import is_sure, turn

__all__ = [
    "doubtful_readings",
    "is_beyond_bounds",
    "is_sure",
    "is_undecided",
    "readings_by_row",
    "rows_with_readings",
    "settle",
    "subject",
    "turn",
    "with_words",
    "without_words",
]
