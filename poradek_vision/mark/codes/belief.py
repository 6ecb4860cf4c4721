"""Whether what speaks for a code is enough to say whose it is: Bayes' rule, with what a board's sure codes show.

How the codes of a board are turned, how far from the middles of their cells they lie and how many of a colour are of no
team or can't be told is not known before it is read, but its sure codes tell, and what is said of the others follows
them as far as there are enough.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.codes.evidence import CodeEvidence
from poradek_vision.mark.codes.places import Indices
from poradek_vision.mark.pictures import FloatArray

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TrustSettings:
    """When codes are sure, each number with its unit."""

    least_likeness: float = 0.4
    lead_nats: float = 5.0
    """What must speak for a code more than for all else together: so it is wrong once in 150 times at the most."""
    rival_nats: float = 2.0
    """So much less, where every other code is at its own best place: there noise speaks for the best of many."""
    part_nats: float = 200.0
    """So much more, times the square of what a code lacks to explain all that is ink: the rest may be a letter's, which
    codes explain by 0.83 at the best, or that of what covers a code."""
    faint_nats: float = 2.0
    """And so much, times the square of the logarithm of how much fainter than usual it is: 1 nat for half."""
    unrest_nats: float = 1.5
    """And so much, times what it leaves unexplained beyond the usual."""
    strange: float = 0.5
    strange_nats: float = 2.5
    """And so much for each distance to grey by which what surrounds it is stranger than that: there may be paper or a
    neighbour, and what was found, the edge of a sticker."""
    away_at_first: tuple[float, float] = (0.12, 4.0)
    """How far, in cells and along each axis, codes lie from their cells' middles (standard deviation) before a board is
    seen; that counts as much as so many of its codes."""
    turns_alike_deg: float = 20.0
    """Codes that are turned alike differ by so much (standard deviation)."""
    turned_at_random: float = 4.0
    """Before a board is seen codes may be turned in any way; that counts as much as so many of its codes."""
    foreign_at_first: tuple[float, float] = (0.5, 2.0)
    """How many codes of no team, and of teams, are taken for seen before a board is: one in five, but on little
    ground."""


@dataclass(frozen=True, slots=True, eq=False)
class Habits:
    """What a board's sure codes show.

    Attributes
    ----------
    turns_deg : ndarray of shape (M,)
        How they are turned, clockwise.
    away_cells : float
        How far they lie from their cells' middles along each axis, a standard deviation.
    foreign_share : ndarray of shape (N,)
        Which share of the codes on stickers of each one's colour are of no team, or not told from such.
    """

    turns_deg: FloatArray
    away_cells: float
    foreign_share: FloatArray


def judge_codes(evidence: CodeEvidence, settings: TrustSettings) -> tuple[FloatArray, FloatArray, Flags]:
    """Which team's code it is, and how sure that is.

    1. ``first``: codes that are sure whatever the others are.
    2. ``habits``: what these show of how codes are turned and where they lie, and how many of each colour they are.
    3. The probability of each team, given the ink and the habits, and whether rivals at their own best places leave it.

    A code that the game does not have, where it is likelier, leaves the sticker to nobody. So does one that was found
    for another sticker too: the grid may be off.

    Parameters
    ----------
    evidence : CodeEvidence
    settings : TrustSettings

    Returns
    -------
    scores : ndarray of shape (N, count)
        Log-probability of each team.
    confidence : ndarray of shape (N,)
    sure : ndarray of shape (N,), bool
    """
    asked = settings.lead_nats + _oddness(evidence, settings)
    fit = (evidence.likeness >= settings.least_likeness) & ~evidence.shared
    of_none, of_teams = settings.foreign_at_first
    unknown = Habits(np.empty(0), 0.0, np.full(len(asked), of_none / (of_none + of_teams)))
    first = fit & (_odds(_speaks(evidence, evidence.nats, unknown, settings)) >= asked)
    habits = _habits(evidence, first, settings)
    speaks = _speaks(evidence, evidence.nats, habits, settings)
    best = speaks[:, :-1].argmax(1)
    rivalled = _odds(_speaks(evidence, evidence.rivals, habits, settings), best) + settings.rival_nats
    beyond = np.minimum(_odds(speaks, best), rivalled) - asked - _far(evidence, habits)
    scores = speaks[:, :-1] - np.logaddexp.reduce(speaks, 1)[:, None]
    return scores, np.interp(beyond, _BEYOND, _RIGHT), fit & (beyond >= 0)


_BEYOND = (-40.0, -16.0, -12.0, -8.0, -6.0, -4.0, -2.0, 0.0, 10.0)
_RIGHT = (0.3, 0.35, 0.45, 0.7, 0.84, 0.95, 0.985, 0.998, 0.9999)
"""Share of codes that lead by so much more than is asked that were right on 14,000 of hard rendered lands, the surest
as far as can be told from these."""


def _oddness(evidence: CodeEvidence, settings: TrustSettings) -> FloatArray:
    """How much more must speak for a code that does not look as codes do, nats (N,)."""
    faint = np.log(np.maximum(1 / np.maximum(evidence.contrast, 1e-3), 1))
    strange = np.maximum(evidence.strangeness - settings.strange, 0)
    unrest = np.maximum(evidence.unrest - 1, 0)
    return np.asarray(
        settings.part_nats * (1 - evidence.whole) ** 2
        + settings.faint_nats * faint**2
        + settings.unrest_nats * unrest
        + settings.strange_nats * strange,
        np.float64,
    )


def _far(evidence: CodeEvidence, habits: Habits) -> FloatArray:
    """How much speaks against places so far from their cells' middles, beyond what is usual, nats (N,)."""
    return np.asarray(np.maximum((evidence.away_cells / habits.away_cells) ** 2 / 2 - 1, 0), np.float64)


def _habits(evidence: CodeEvidence, sure: Flags, settings: TrustSettings) -> Habits:
    """What codes that are sure show, and those that are not."""
    turn = evidence.nats[..., : evidence.count].max(2).argmax(1)
    turns = evidence.turns_deg[np.arange(len(turn)), turn][sure]
    usual, weight = settings.away_at_first
    away = (evidence.away_cells[sure] ** 2).sum() / 2 + weight * usual**2
    return Habits(turns, float(np.sqrt(away / (sure.sum() + weight))), _share(evidence.kind, sure, settings))


def _share(kind: Indices, sure: Flags, settings: TrustSettings) -> FloatArray:
    """Which share of the codes of each one's kind is not surely a team's, (N,)."""
    of_none, of_teams = settings.foreign_at_first
    everywhere, sure_ones = np.bincount(kind), np.bincount(kind, sure)
    return np.asarray((1 - (sure_ones + of_teams) / (everywhere + of_none + of_teams))[kind], np.float64)


def _speaks(evidence: CodeEvidence, nats: FloatArray, habits: Habits, settings: TrustSettings) -> FloatArray:
    """What speaks for each team and, last, for all codes of no team: log-probability with the ink, (N, count + 1)."""
    count, codes = evidence.count, nats.shape[2]
    turned = np.log(_turned(evidence.turns_deg, habits.turns_deg, settings))
    each = _together(nats + turned[:, :, None])
    if codes == count:
        return np.column_stack([each, np.full(len(each), _NEVER)])
    of_none = np.logaddexp.reduce(each[:, count:], 1) + np.log(habits.foreign_share / (codes - count))
    of_teams = np.log((1 - habits.foreign_share) / count)
    return np.column_stack([each[:, :count] + of_teams[:, None], of_none])


def _together(logs: FloatArray) -> FloatArray:
    """Sums over turns of what logarithms (N, TURNS, codes) stand for, as logarithms; faster than ``logaddexp``."""
    highest = logs.max(1)
    return np.asarray(highest + np.log(np.exp(logs - highest[:, None]).sum(1)), np.float64)


_NEVER = -1e9
"""Log-likelihood of what cannot be; no infinity, which would make differences no numbers."""


def _turned(turns_deg: FloatArray, known_deg: FloatArray, settings: TrustSettings) -> FloatArray:
    """How likely turns (N, TURNS) are given those (M,) that are known, against what is turned at random.

    References
    ----------
    Ferguson, A Bayesian analysis of some nonparametric problems, Annals of Statistics 1 (1973): the next of a kind is
    like one of those seen or, with the weight of what was believed before, like none.
    """
    narrow = 1 / np.deg2rad(settings.turns_alike_deg) ** 2
    apart = np.deg2rad(turns_deg[..., None] - known_deg)
    alike = np.exp(narrow * (np.cos(apart) - 1)) / (np.i0(narrow) * np.exp(-narrow))
    seen = settings.turned_at_random
    return np.asarray((seen + alike.sum(-1)) / (seen + len(known_deg)), np.float64)


def _odds(speaks: FloatArray, team: Indices | None = None) -> FloatArray:
    """How much more speaks for a team (N,), else the likeliest, than for all else together, nats (N,)."""
    rows, best = np.arange(len(speaks)), speaks[:, :-1].argmax(1) if team is None else team
    others = speaks.copy()
    others[rows, best] = _NEVER
    return np.asarray(speaks[rows, best] - np.logaddexp.reduce(others, 1), np.float64)
