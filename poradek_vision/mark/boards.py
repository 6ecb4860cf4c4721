"""Whose board: the mark or name written near the grid of a hand-made board, which also tells which side is up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from poradek_vision.mark.candidates import Candidate, candidates
from poradek_vision.mark.characters import NONE, WINDOW_PX, normalise, read_windows
from poradek_vision.mark.lines import ALPHABET, normalise_lines, read_lines
from poradek_vision.mark.pictures import Float32Array, FloatArray, blurred, square_window
from poradek_vision.mark.words import spelled
from poradek_vision.mark.writing import Line, WritingSettings, find_lines
from poradek_vision.model import Flag, Game, MarkReading, Rectified

_BEFORE = ("T", "TYM", "TYMC", "TEAM")
"""What people write before a mark or a name. It speaks for no team, so it does not count as evidence."""


@dataclass(frozen=True, slots=True)
class BoardMarkSettings:
    """Numbers of reading whose board it is, each with its unit."""

    writing: WritingSettings = field(default_factory=WritingSettings)
    fit_weight: float = 3.0
    """A word scores by how much better it explains its line than nothing written, less so many times what a free
    reading explains better still: dirt can be read as many letters, but as no team's."""
    least_score: float = 5.0
    least_margin: float = 8.0
    """Nats: the least score of the best team, and its least distance from the next or from 0."""
    sure_margin: float = 25.0
    """Nats: a mark read by less is in doubt."""


def read_mark(
    rectified: Rectified, rows: int, cols: int, game: Game, settings: BoardMarkSettings
) -> tuple[MarkReading, int]:
    """Read whose board it is from what is written near its grid.

    1. Lines of writing round the grid.
    2. Each read in the two turns in which it could be upright; how well every spelling of every team explains it.
    3. The team that fits best anywhere, if no other fits nearly as well.

    Parameters
    ----------
    rectified : Rectified
        The board with about ``settings.writing.margin_cells`` round it, at ``settings.writing.px_per_cell``.
    rows, cols : int
    game : Game
        Without teams, the mark read is the team.
    settings : BoardMarkSettings

    Returns
    -------
    mark : MarkReading
        Its margin in nats; flagged ``TEAM_UNCLEAR`` where it could be another's or nobody's, with team ``""`` where it
        could well be.
    quarter_turns : int
        How often to turn the board counterclockwise by a quarter to have the mark upright; 0 where none was read.
    """
    teams = candidates(game)
    lines = find_lines(rectified, rows, cols, settings.writing)
    turned = [(line, turn) for line in lines for turn in line.turns]
    if not turned or not teams:
        return MarkReading("", "", 0.0, (Flag.TEAM_UNCLEAR,)), 0
    evidence, fits = _evidence(turned, teams)
    scores = np.maximum(evidence + settings.fit_weight * np.minimum(fits, 0), _NEVER)
    by_team = scores.max(0)
    team = int(by_team.argmax())
    margin = float(by_team[team] - np.delete(by_team, team).max(initial=0.0))
    told = tuple((each.name, round(float(score), 2)) for each, score in zip(teams, by_team, strict=True) if game.teams)
    if by_team[team] < settings.least_score or margin < settings.least_margin:
        return MarkReading("", "mark", margin, (Flag.TEAM_UNCLEAR,), told), 0
    flags = () if margin >= settings.sure_margin else (Flag.TEAM_UNCLEAR,)
    return MarkReading(teams[team].name, "mark", margin, flags, told), turned[int(scores[:, team].argmax())][1]


_NEVER = -99.0
"""Nats of what can't be, in place of minus infinity."""


def _evidence(turned: Sequence[tuple[Line, int]], teams: Sequence[Candidate]) -> tuple[FloatArray, FloatArray]:
    """How well each team explains each turned line, in nats: against nothing written, and against a free reading.

    Returns
    -------
    evidence, fits : ndarray of shape (lines, teams)
    """
    columns = read_lines(normalise_lines(np.stack([line.framed(turn) for line, turn in turned])))
    alone, nothing_alone = _alone(turned, teams)
    agreed = np.clip(alone - nothing_alone[:, None], 0, _MOST_ALONE)
    spellings = [spelling for k, team in enumerate(teams) for spelling in _spellings(k, team)]
    nothing, free = columns[:, :, 0].sum(1), columns.max(2).sum(1)
    evidence, fits = np.full((2, len(turned), len(teams)), -np.inf)
    for at, line in enumerate(columns):
        length = _length(line)
        likely = [each for each in spellings if length / 2 <= len(each.word) <= max(1.7 * length, 1)]
        if not likely:
            continue
        single = np.array([len(each.word) == 1 for each in likely])
        if not turned[at][0].lonely:
            likely, single = [each for each in likely if len(each.word) > 1], np.zeros(int((~single).sum()), bool)
            if not likely:
                continue
        owners = [each.team for each in likely]
        likelihoods = spelled(line, [each.word for each in likely]) + single * alone[at, owners]
        before = np.maximum(spelled(line, _BEFORE), nothing[at])
        baseline = [before[each.before] if each.before >= 0 else nothing[at] for each in likely]
        np.maximum.at(evidence[at], owners, likelihoods - baseline + single * agreed[at, owners])
        np.maximum.at(fits[at], owners, likelihoods - free[at])
    return evidence, fits


_LEAST_ALONE = -12.0
_MOST_ALONE = 10.0
"""Nats: how much the reader of characters may speak against a single character, and for it."""


def _length(columns: Float32Array) -> int:
    """How many characters a line has if it is read freely."""
    shown = np.pad(columns.argmax(1), (1, 0))
    return int(np.sum((shown[1:] != 0) & (shown[1:] != shown[:-1])))


@dataclass(frozen=True, slots=True)
class _Spelling:
    """A team's index, what may stand for it on a board, and which of ``_BEFORE`` that begins with (-1 none)."""

    team: int
    word: str
    before: int


def _spellings(index: int, team: Candidate) -> list[_Spelling]:
    """All that may stand for a team on a board, in characters of the alphabet."""
    mark = ALPHABET[team.character + 1]
    name = re.sub(f"[^{ALPHABET[1:]}]", "", team.word)
    bare = [word for word in dict.fromkeys((mark, name)) if word]
    longer = [_Spelling(index, before + word, k) for k, before in enumerate(_BEFORE) for word in bare]
    return [*(_Spelling(index, word, _first(word)) for word in bare), *longer]


def _first(word: str) -> int:
    """Which of ``_BEFORE`` a name has as its own first part; one letter is none."""
    return max((k for k, before in enumerate(_BEFORE) if len(before) > 1 and word.startswith(before)), default=-1)


def _alone(turned: Sequence[tuple[Line, int]], teams: Sequence[Candidate]) -> tuple[FloatArray, FloatArray]:
    """Log-probabilities of each turned line being each team's mark, (lines, teams), or no character, (lines,)."""
    windows = np.stack([_window(np.rot90(line.darkness, turn)) for line, turn in turned])
    seen = np.maximum(read_windows(normalise(windows)).log_probabilities.astype(np.float64), _LEAST_ALONE)
    return seen[:, [team.character for team in teams]], seen[:, NONE]


def _window(darkness: Float32Array) -> Float32Array:
    """A line as the window of one character."""
    height, width = darkness.shape
    side = max(height, width) / _FILL
    smooth = blurred(np.ascontiguousarray(darkness), max(0.4 * side / WINDOW_PX, 0.3))
    return square_window(smooth, ((width - 1) / 2, (height - 1) / 2), side, WINDOW_PX)


_FILL = 0.66
"""Share of a window's side that a character takes."""
