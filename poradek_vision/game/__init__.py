"""The rules of the game: points of boards, the no man's land, the final table.

Pure functions of letters; see ``runs``, ``no_mans_land`` and ``table``. An open cell's doubt becomes bounds in
``bounds`` (a team's board) and ``land_bounds`` (the no man's land); ``influence`` says which of them matter most,
``ranking`` which places they leave open.
"""

from poradek_vision.game.influence import by_influence
from poradek_vision.game.no_mans_land import credit_by_team, merged_shapes
from poradek_vision.game.ranking import unsure_ranks
from poradek_vision.game.runs import find_runs, line_of, score_rows
from poradek_vision.game.table import score_game

__all__ = [
    "by_influence",
    "credit_by_team",
    "find_runs",
    "line_of",
    "merged_shapes",
    "score_game",
    "score_rows",
    "unsure_ranks",
]
