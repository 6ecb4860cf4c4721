"""Whose board: the mark or name written near the grid of a hand-made board, which also tells which side is up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from poradek_vision.mark.candidates import Candidate, candidates
from poradek_vision.mark.characters import WINDOW_PX, normalise, read_windows
from poradek_vision.mark.lines import ALPHABET, normalise_lines, read_lines
from poradek_vision.mark.pictures import Float32Array, FloatArray, blurred, square_window
from poradek_vision.mark.words import spelled
from poradek_vision.mark.writing import Line, WritingSettings, find_lines
from poradek_vision.model import Flag, Game, MarkReading, Rectified

_BEFORE = ("", "T", "TYM", "TYMC", "TEAM")
"""What people write before a mark or a name."""


@dataclass(frozen=True, slots=True)
class BoardMarkSettings:
    """Numbers of reading whose board it is, each with its unit."""

    writing: WritingSettings = field(default_factory=WritingSettings)
    letter_bonus: float = 1.5
    """Nats that every letter of a word beyond the first adds: dirt reads as one letter, not as five."""
    least_fit: float = -5.0
    """Nats: a word that fits worse was not read."""
    least_margin: float = 3.0
    """Nats between the best team and the next."""


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
        Its margin in nats; flagged ``TEAM_UNCLEAR``, with team ``""``, where it could be another's or nobody's.
    quarter_turns : int
        How often to turn the board counterclockwise by a quarter to have the mark upright; 0 where none was read.
    """
    teams = candidates(game)
    lines = find_lines(rectified, rows, cols, settings.writing)
    turned = [(line, turn) for line in lines for turn in ((1, 3) if line.upright else (0, 2))]
    if not turned or not teams:
        return MarkReading("", "", 0.0, (Flag.TEAM_UNCLEAR,)), 0
    fits = _fits(turned, teams, settings)
    best_line, best_team = np.unravel_index(int(fits.argmax()), fits.shape)
    by_team = fits.max(0)
    others = np.delete(by_team, best_team)
    margin = float(by_team[best_team] - others.max(initial=settings.least_fit - settings.least_margin))
    if by_team[best_team] < settings.least_fit or margin < settings.least_margin:
        return MarkReading("", "mark", margin, (Flag.TEAM_UNCLEAR,)), 0
    return MarkReading(teams[best_team].name, "mark", margin), turned[best_line][1]


def _fits(turned: Sequence[tuple[Line, int]], teams: Sequence[Candidate], settings: BoardMarkSettings) -> FloatArray:
    """How well each team explains each turned line, in nats, (lines, teams)."""
    columns = read_lines(normalise_lines(np.stack([line.framed(turn) for line, turn in turned])))
    words = [(k, word) for k, team in enumerate(teams) for word in _spellings(team)]
    owners = np.array([k for k, _ in words])
    bonus = settings.letter_bonus * (np.array([len(word) for _, word in words]) - 1)
    fits = np.full((len(turned), len(teams)), -np.inf)
    for row, line in zip(fits, columns, strict=True):
        np.maximum.at(row, owners, spelled(line, [word for _, word in words]) + bonus)
    both: FloatArray = np.maximum(fits, _alone(turned, teams))
    return both


def _spellings(team: Candidate) -> tuple[str, ...]:
    """All that may stand for a team on a board, in characters of the alphabet."""
    mark = ALPHABET[team.character + 1]
    name = re.sub(f"[^{ALPHABET[1:]}]", "", team.word)
    words = dict.fromkeys(before + word for word in (mark, name) if word for before in _BEFORE)
    return tuple(words)


def _alone(turned: Sequence[tuple[Line, int]], teams: Sequence[Candidate]) -> FloatArray:
    """How well each team's mark explains each turned line as one single character, nats."""
    windows = np.stack([_window(np.rot90(line.darkness, turn)) for line, turn in turned])
    seen = read_windows(normalise(windows)).log_probabilities
    return seen[:, [team.character for team in teams]].astype(np.float64)


def _window(darkness: Float32Array) -> Float32Array:
    """A line as the window of one character."""
    height, width = darkness.shape
    side = max(height, width) / _FILL
    smooth = blurred(np.ascontiguousarray(darkness), max(0.4 * side / WINDOW_PX, 0.3))
    return square_window(smooth, ((width - 1) / 2, (height - 1) / 2), side, WINDOW_PX)


_FILL = 0.66
"""Share of a window's side that a character takes."""
