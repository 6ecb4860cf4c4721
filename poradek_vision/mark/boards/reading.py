"""Whose board: the mark or name written near the grid of a hand-made board, which also tells which side is up."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.boards.boxes import nearly_one, part_of, same_place, under
from poradek_vision.mark.boards.singles import tail, whole
from poradek_vision.mark.boards.tallies import is_tally
from poradek_vision.mark.boards.words import spelled
from poradek_vision.mark.boards.writing import Line, WritingSettings, find_lines
from poradek_vision.mark.candidates import SAME, TWINS, Candidate, candidates, strangers
from poradek_vision.mark.characters import CHARACTERS, NONE, normalise, read_windows
from poradek_vision.mark.lines import ALPHABET, normalise_lines, read_lines
from poradek_vision.mark.pictures import Float32Array, FloatArray
from poradek_vision.model import Flag, Game, MarkReading, Rectified

_BEFORE = ("T", "TYM", "TYMC", "TEAM", "C", "SKUPINA", "DRUZINA", "ODDIL")
"""What people write before a mark or a name. It speaks for no team, so it does not count as evidence."""


@dataclass(frozen=True, slots=True)
class BoardMarkSettings:
    """Numbers of reading whose board it is, each with its unit."""

    writing: WritingSettings = field(default_factory=WritingSettings)
    slack: float = 0.5
    """Nats per character of a word: a free reading, which may change its mind in every column, is so much easier."""
    fit_weight: float = 3.0
    """A word scores by how much better it explains its line than nothing written, less so many times what a free
    reading explains better still: dirt can be read as many letters, but as no team's."""
    word_slack: float = 6.0
    """Nats: a line is a word like "tým" where a free reading explains it by no more than this better."""
    least_score: float = 4.0
    least_margin: float = 4.0
    """Nats: the least score of the best team, and its least distance from the next or from 0."""
    overhead: float = 10.0
    """Nats: so much less likely is writing with a line over it, where one under it would be, or with one as a part."""
    behind: float = 20.0
    """Nats: so much less likely is a mark after other writing, or from which a line was taken that is not below it."""
    sure_score: float = 17.0
    end_score: float = 30.0
    sure_margin: float = 14.0
    stranger_margin: float = 4.0
    """Nats: a mark with less is in doubt: by itself, at the end of the page, of which a part may be missing, against
    the next team, and against any letter or digit that is no team's mark. Set on 600 boards, drawn and rendered, each
    read with and without its writer in the game, or with other things written on them."""
    sign_nats: float = 2.0
    sign: float = 6.0
    """Nats: what looks so much rather like a sign than like a character is by the second less likely to be a team's
    mark; a stranger's all the same, for doubt."""
    elsewhere: float = 0.5
    """What a stranger counts in another place, or without a stroke that may be its own, and a team at the end of the
    page: there are stains and edges that look like an L."""


def read_mark(
    rectified: Rectified, rows: int, cols: int, game: Game, settings: BoardMarkSettings
) -> tuple[MarkReading, int]:
    """Read whose board it is from what is written near its grid.

    1. Lines of writing round the grid, without those that can only be a letter of a word.
    2. Each read in the two turns in which it could be upright; how well every spelling of every team explains it.
    3. The team that fits best anywhere, if no other fits nearly as well; parts of what is read don't count. What would
       be another team's mark by itself leaves it in doubt: names that were crossed out, or whom the board was to spoil.

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
    turned = [(line, turn) for line in lines if line.lonely or line.long for turn in line.turns]
    headed = _headed(lines, turned)
    heads = [*[-1] * len(turned), *(head for _, head in headed)]
    turned += [each for each, _ in headed]
    if not turned or not teams:
        return MarkReading("", "", 0.0, (Flag.TEAM_UNCLEAR,)), 0
    others = strangers(teams)
    size = f"{rows}X{cols}"
    scores = np.maximum(_scores(turned, np.array(heads), teams, others, size, settings), _NEVER)
    scores, strange = scores[:, : len(teams)], scores[:, len(teams) :].max(1, initial=_NEVER)
    best, team = (int(index) for index in np.unravel_index(int(scores.argmax()), scores.shape))
    line, turn = turned[best]
    here = np.array([same_place(other.box, line.box) for other, _ in turned])
    faint = np.array([other.at_end and not line.at_end for other, _ in turned]) & ~here
    scores = np.where(faint[:, None] & (scores > 0), settings.elsewhere * scores, scores)
    whole = np.array(
        [
            not part_of(other.box, line.box) or _stands_on(other, line, other_turn == turn)
            for other, other_turn in turned
        ]
    )
    by_team = scores[whole].max(0)
    margin = float(by_team[team] - np.delete(by_team, team).max(initial=0.0))
    told = tuple((each.name, round(float(score), 2)) for each, score in zip(teams, by_team, strict=True) if game.teams)
    if by_team[team] < settings.least_score or margin < settings.least_margin:
        return MarkReading("", "mark", margin, (Flag.TEAM_UNCLEAR,), told), 0
    elsewhere = np.delete(scores[whole & ~here], team, axis=1).max(initial=_NEVER)
    unlikely = ~here | np.array([other.line is not None and not other.line.clear for other, _ in turned])
    stranger = float(np.where(unlikely, settings.elsewhere * strange, strange)[whole].max())
    sure = (
        by_team[team] >= (settings.end_score if line.at_end else settings.sure_score)
        and margin >= settings.sure_margin
        and elsewhere < settings.sure_score
        and by_team[team] - stranger >= settings.stranger_margin
        and not _of_a_row(line, turn, teams[team])
    )
    return MarkReading(teams[team].name, "mark", margin, () if sure else (Flag.TEAM_UNCLEAR,), told), turn


def _of_a_row(line: Line, turn: int, team: Candidate) -> bool:
    """Whether a mark follows other writing, or, being a digit, is followed by some, as the day of a date is."""
    followed = (turn + 2) % 4 in line.after and CHARACTERS[team.character].isdigit()
    return not line.long and (turn in line.after or followed)


def read_chalk(
    rectified: Rectified, rows: int, cols: int, game: Game, settings: BoardMarkSettings
) -> tuple[MarkReading, int]:
    """Read whose board it is as :func:`read_mark` does, from what is written brighter than its paper.

    It must be as clear as what stands at the end of the page: gloss and stones are brighter, too.

    Parameters, Returns
    -------------------
    As of :func:`read_mark`.
    """
    negative = replace(rectified, pixels=np.asarray(255 - rectified.pixels, np.uint8))
    writing = settings.writing
    pieces = replace(writing.pieces, least_alone_cells=writing.least_chalk_cells)
    writing = replace(writing, most_brighter=writing.most_brighter_chalk, pieces=pieces)
    chalk = replace(settings, writing=writing, sure_score=settings.end_score)
    return read_mark(negative, rows, cols, game, chalk)


def _headed(lines: Sequence[Line], turned: Sequence[tuple[Line, int]]) -> list[tuple[tuple[Line, int], int]]:
    """What stands under another line and is a single mark if that is a word like "tým", each with the index of that."""
    short = [line for line in lines if not line.lonely and not line.long]
    words = [(k, line, turn) for k, (line, turn) in enumerate(turned) if line.long]
    return [((line, turn), k) for line in short for k, word, turn in words if under(line.box, word.box, turn)]


_NEVER = -99.0
"""Nats of what can't be, in place of minus infinity."""


def _scores(
    turned: Sequence[tuple[Line, int]],
    heads: npt.NDArray[np.int64],
    teams: Sequence[Candidate],
    others: Sequence[Candidate],
    size: str,
    settings: BoardMarkSettings,
) -> FloatArray:
    """How well each team, and each other's mark alone, explains each turned line, in nats, (lines, candidates).

    ``heads``: index of the line over each, -1 where it counts by itself. ``size``: of the board, as people write it.
    """
    known = (*_BEFORE, size)
    read = read_lines(normalise_lines(np.stack([line.framed(turn) for line, turn in turned])))
    columns = _with_twins(read, teams)
    firsts = _firsts(teams)
    spellings = [one for k, team in enumerate((*teams, *others)) for one in _spellings(k, team, firsts, size)]
    owners, before, marks = (
        np.array([getattr(each, name) for each in spellings]) for name in ("team", "before", "mark")
    )
    lengths = np.array([len(each.word) for each in spellings])
    lines = {id(line): line for line, _ in turned}
    single = {name: line.lonely and not is_tally(line.darkness) for name, line in lines.items()}
    lonely = np.array([single[id(line)] for line, _ in turned]) | (heads >= 0)
    likely = _likely(lengths, columns, _aspects(turned)) & (lonely[:, None] | ~(marks | (lengths == 1)))
    introduced = likely.any(1) | np.isin(np.arange(len(turned)), heads)
    asked = np.column_stack([*[introduced] * len(known), likely])
    told = spelled(columns, [*known, *(each.word for each in spellings)], asked)
    nothing, free = columns[..., 0].sum(1, keepdims=True), columns.max(2).sum(1, keepdims=True)
    words = told[:, [k for k, word in enumerate(_BEFORE) if len(word) > 1]].max(1)
    likely &= ((heads < 0) | (words > np.maximum(nothing, free - settings.word_slack)[:, 0])[heads])[:, None]
    baselines = np.concatenate([np.maximum(told[:, : len(known)], nothing), nothing], 1)[:, before]
    likelihoods, agreed = told[:, len(known) :], np.zeros(likely.shape)
    for some, cut in ((marks & (before < 0), whole), (marks & (before >= 0), tail)):
        alone, nobodys = _alone(turned, teams, others, np.asarray(likely[:, some].any(1)), cut, settings)
        worse = alone - alone.max(1, keepdims=True)  # beside a 3, a heart's < makes the whole a B rather
        likelihoods[:, some] += (alone + worse)[:, owners[some]]
        agreed[:, some] = np.clip(alone - nobodys[:, None], 0, _MOST_ALONE)[:, owners[some]]
    fits = likelihoods - free + settings.slack * (lengths - (lengths == 1))
    by_spelling = np.where(likely, likelihoods - baselines + agreed + settings.fit_weight * np.minimum(fits, 0), _NEVER)
    scores = np.full((len(turned), len(teams) + len(others)), _NEVER)
    np.maximum.at(scores.T, owners, by_spelling.T)
    overhead = np.array(
        [
            (line.foot in line.turns and line.foot != turn) or any(_stands_on(other, line) for other, _ in turned)
            for line, turn in turned
        ]
    )
    behind = np.array(
        [
            (not line.long and turn in line.after) or (line.line is not None and line.foot != turn)
            for line, turn in turned
        ]
    )
    return np.asarray(scores - (settings.overhead * overhead + settings.behind * behind)[:, None])


def _stands_on(line: Line, whole: Line, unclear_too: bool = False) -> bool:
    """Whether a line is another without the stroke under it, that is clearly no letter's, or may be none."""
    under = line.line
    return under is not None and (under.clear or unclear_too) and nearly_one(under.whole, whole.box)


def _alone(
    turned: Sequence[tuple[Line, int]],
    teams: Sequence[Candidate],
    others: Sequence[Candidate],
    asked: npt.NDArray[np.bool_],
    cut: Callable[[Float32Array], Float32Array | None],
    settings: BoardMarkSettings,
) -> tuple[FloatArray, FloatArray]:
    """Log-probabilities of characters in turned lines being candidates' marks, (lines, candidates), or none, (lines,).

    0 for lines that are not asked, or of which nothing is ``cut``: they say nothing.
    """
    windows = {k: cut(np.rot90(turned[k][0].darkness, turned[k][1])) for k in np.flatnonzero(asked).tolist()}
    seen = {k: window for k, window in windows.items() if window is not None}
    told, signs = np.zeros((len(turned), NONE + 1)), np.zeros((len(turned), 1))
    if seen:
        read = read_windows(normalise(np.stack(list(seen.values()))))
        told[list(seen)] = np.maximum(_with_twins(read.log_probabilities, teams, first=0), _LEAST_ALONE)
        signs[list(seen), 0] = settings.sign * (read.sign_nats > settings.sign_nats)
    mine, others_told = (told[:, [each.character for each in some]] for some in (teams, others))
    return np.hstack([mine - signs, others_told]), told[:, NONE]


def _aspects(turned: Sequence[tuple[Line, int]]) -> FloatArray:
    """How long lines are per height, once they are turned, (N,)."""
    sides = np.array([line.darkness.shape[:: 1 - 2 * (turn % 2)] for line, turn in turned], np.float64)
    return np.asarray(sides[:, 1] / sides[:, 0])


def _likely(lengths: npt.NDArray[np.int64], columns: Float32Array, aspects: FloatArray) -> npt.NDArray[np.bool_]:
    """Which lines (N,) may be spellings of some lengths (S,), as (N, S).

    By the count of characters read freely, and by how long they are per height: few characters do not fill a long line.
    """
    shown = np.pad(columns.argmax(2), ((0, 0), (1, 0)))
    free = np.sum((shown[:, 1:] != 0) & (shown[:, 1:] != shown[:, :-1]), 1)[:, None]
    short = lengths * _MOST_LONG < aspects[:, None]
    return np.asarray((free / 2 <= lengths) & (lengths <= np.maximum(1.7 * free, 1)) & ~short)


_MOST_LONG = 1.8
"""How long a line is at most for each of its characters, gaps included, per height."""


def _with_twins(log_probabilities: Float32Array, teams: Sequence[Candidate], first: int = 1) -> Float32Array:
    """Log-probabilities with each character counted for its twin too, where no team uses it or nobody tells them apart.

    Along the last axis characters begin at ``first``.
    """
    used = {CHARACTERS[team.character] for team in teams} | set("".join(team.word for team in teams))
    told = log_probabilities.copy()
    for one, other in (*TWINS, *(twins[::-1] for twins in TWINS)):
        if one in used and (other not in used or (one, other) in SAME):
            mine, others = (CHARACTERS.index(each) + first for each in (one, other))
            told[..., mine] = np.logaddexp(told[..., mine], log_probabilities[..., others])
    return told


_LEAST_ALONE = -12.0
_MOST_ALONE = 10.0
"""Nats: how much the reader of characters may speak against a single character, and for it."""


@dataclass(frozen=True, slots=True)
class _Spelling:
    """A team's index, what may stand for it, which of ``_BEFORE`` it begins with (-1 none), whether its mark follows.

    Such words are held against what stands before them, which speaks for no team; or against the size after them, which
    counts as one more of ``_BEFORE``.
    """

    team: int
    word: str
    before: int
    mark: bool


def _bare(index: int, team: Candidate) -> _Spelling:
    """A candidate's mark alone."""
    return _Spelling(index, ALPHABET[team.character + 1], -1, True)


def _firsts(teams: Sequence[Candidate]) -> tuple[int, ...]:
    """Which of ``_BEFORE`` may stand before a mark: no letter that is a listed team's own, in "C, B" it is that."""
    marks = {CHARACTERS[team.character] for team in teams if team.word}
    return tuple(k for k, word in enumerate(_BEFORE) if word not in marks)


def _spellings(index: int, team: Candidate, firsts: Sequence[int], size: str) -> list[_Spelling]:
    """All that may stand for a team on a board of some size, after one of the ``firsts`` or alone."""
    words = [re.sub(f"[^{ALPHABET[1:]}]", "", word) for word in team.word.split()]
    name, first = "".join(words), words[0] if len(words) > 1 else ""
    mark = _bare(index, team)
    if first in _BEFORE:
        own = _Spelling(index, name, _BEFORE.index(first), words[1:] == [mark.word])
    else:
        own = _Spelling(index, name, -1, False)
    bare = [mark, *([own] if name not in ("", mark.word) else [])]
    plain = [each for each in bare if each.before < 0]
    return [
        *bare,
        *(_Spelling(index, each.word + size, len(_BEFORE), False) for each in plain),
        *(_Spelling(index, _BEFORE[k] + each.word, k, each.mark) for k in firsts for each in plain),
    ]
