"""Whose sticker: printed codes or written marks on the no man's land, all stickers of a board read together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.codes import IDS, CodeSettings, judge_codes, read_codes, survey_codes
from poradek_vision.mark.pens import Side, StickerSettings, WrittenSettings, read_written, side_up, sticker_inks
from poradek_vision.mark.pictures import FloatArray
from poradek_vision.model import EMPTY, CellReading, Flag, Game, Rectified


@dataclass(frozen=True, slots=True)
class OwnerSettings:
    """Numbers of reading owners, each with its unit."""

    stickers: StickerSettings = field(default_factory=StickerSettings)
    written: WrittenSettings = field(default_factory=WrittenSettings)
    codes: CodeSettings = field(default_factory=CodeSettings)
    px_per_cell: int = 48
    """Of the rectified board."""
    margin_cells: float = 0.25
    """What must be seen round the grid."""
    codes_above: float = 0.915
    marks_below: float = 0.8
    """A board some of whose stickers correlate with a code by more than the first bears codes, by less than the second
    marks. Between the two lie blurred codes, and letters as bold as the modules of a code: both are read there, and
    none is sure,"""
    most_sure: float = 0.5
    few_sure: float = 0.25
    """unless so many stickers bear sure ones of one kind, and fewer than so many of the other: of such letters one in
    six is a sure code at the most, of such codes one in six a sure mark."""


@dataclass(frozen=True, slots=True)
class OwnerReading:
    """Whose sticker lies in one cell.

    Attributes
    ----------
    row, col : int
    owner : str
        The team's name; ``""`` where it is not clear. Without a team list the mark, or the code's number from 1.
    likeliest : str
        The best guess even where it is not clear.
    margin : float
        Written marks: difference of log-probability to the next team. Codes: the same, see :class:`CodeEvidence`.
    confidence : float
    flags : tuple of Flag
        ``OWNER_UNCLEAR`` or nothing.
    """

    row: int
    col: int
    owner: str
    likeliest: str
    margin: float
    confidence: float
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class Owners:
    """Whose stickers lie on a no man's land, cell by cell, and which side of it is up."""

    side: Side
    readings: tuple[OwnerReading, ...]


def read_owners(
    rectified: Rectified, cells: Sequence[CellReading], game: Game, settings: OwnerSettings, upright: bool = True
) -> Owners:
    """Read who stuck each sticker of a no man's land.

    1. Whether the board bears codes or written marks: whichever most stickers look like.
    2. All codes, or the ink of every sticker, its colour divided out; then the side that is up, and all marks; among
       those of the game's teams.

    Parameters
    ----------
    rectified : Rectified
        With ``settings.margin_cells`` round the grid, at ``settings.px_per_cell``.
    cells : sequence of CellReading
        Those without a sticker are passed over.
    game : Game
    settings : OwnerSettings
    upright : bool
        Whether it is known that this side is up; else the marks tell, and where they leave it open, none is sure. Of
        codes no side is up.

    Returns
    -------
    Owners
        Readings for each cell with a sticker, in the order given, rows and columns as given.
    """
    stuck = [cell for cell in cells if cell.colour != EMPTY]
    side = Side(0, upright)
    if not stuck:
        return Owners(side, ())
    codes = _codes_of(game)
    survey = survey_codes(rectified, stuck, len(codes), settings.codes)

    def by_code() -> _Read:
        evidence = read_codes(survey, rectified, stuck, len(codes), settings.codes)
        return _Read(side, codes, *judge_codes(evidence, settings.codes.trust))

    def by_mark() -> _Read:
        return _read_marks(rectified, stuck, game, settings, side)

    if survey.likeness >= settings.codes_above:
        read = by_code()
    elif survey.likeness <= settings.marks_below:
        read = by_mark()
    else:
        read = _clearer(by_mark(), by_code(), settings)
    sure = read.sure & seen_wholly(rectified, stuck)
    readings = (
        _reading(cell, read.teams, score, float(trust), bool(clear))
        for cell, score, trust, clear in zip(stuck, read.scores, read.confidence, sure, strict=True)
    )
    return Owners(read.side, tuple(readings))


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """What N stickers bear if they bear codes, or if they bear marks.

    Attributes
    ----------
    side : Side
    teams : tuple of str
    scores : ndarray of shape (N, teams)
        Log-probabilities.
    confidence : ndarray of shape (N,)
        How often the likeliest is right.
    sure : ndarray of shape (N,), bool
    """

    side: Side
    teams: tuple[str, ...]
    scores: FloatArray
    confidence: FloatArray
    sure: npt.NDArray[np.bool_]


def _codes_of(game: Game) -> tuple[str, ...]:
    """Whom each code names; without a team list its number from 1."""
    return tuple(team.name for team in game.teams[:IDS]) or tuple(str(code + 1) for code in range(IDS))


def _clearer(marks: _Read, codes: _Read, settings: OwnerSettings) -> _Read:
    """Whichever more stickers surely bear; none is sure unless that is clear."""
    other, clearer = sorted((marks, codes), key=lambda read: read.sure.mean())
    clear = clearer.sure.mean() > settings.most_sure and other.sure.mean() < settings.few_sure
    return replace(clearer, sure=clearer.sure & clear)


def _read_marks(
    rectified: Rectified, cells: Sequence[CellReading], game: Game, settings: OwnerSettings, side: Side
) -> _Read:
    """The side that is up, and what :func:`read_written` tells; a sticker without any ink is nobody's."""
    px, inks = rectified.px_per_cell, sticker_inks(rectified, cells, settings.stickers)
    which = np.flatnonzero(inks.marked)
    side = side if side.sure else side_up(inks.of(which), game, px, settings.written.fill)
    teams, seen, clear = read_written(inks.of(which), game, px, settings.written, side.quarter_turns)
    scores, sure = np.full((len(cells), len(teams)), _NOBODYS), np.zeros(len(cells), bool)
    scores[which], sure[which] = seen, clear
    return _Read(side, teams, scores, np.exp(scores.max(1)), sure & side.sure)


_NOBODYS = -30.0
"""Log-probability that a sticker without any ink is a team's."""


def seen_wholly(rectified: Rectified, cells: Sequence[CellReading]) -> npt.NDArray[np.bool_]:
    """Of which cells the photo shows all, and a little round them: beyond its edge the picture is made up.

    Parameters
    ----------
    rectified : Rectified
    cells : sequence of CellReading

    Returns
    -------
    ndarray of shape (N,), bool
    """
    if rectified.seen.all():
        return np.ones(len(cells), bool)
    px, origin = rectified.px_per_cell, np.array(rectified.origin_cells)

    def whole(cell: CellReading) -> bool:
        left, top = np.maximum(np.array([cell.col, cell.row]) - _ROUND - origin, 0) * px
        right, bottom = (np.array([cell.col, cell.row]) + 1 + _ROUND - origin) * px
        return bool(rectified.seen[int(top) : int(bottom), int(left) : int(right)].all())

    return np.array([whole(cell) for cell in cells])


_ROUND = 0.12
"""How far beyond its cell a mark may reach that still is mostly in it, cells."""


def _reading(
    cell: CellReading, teams: Sequence[str], scores: FloatArray, confidence: float, sure: bool
) -> OwnerReading:
    """The record of one sticker."""
    order = np.argsort(-scores, kind="stable")
    margin = float(scores[order[0]] - scores[order[1]]) if len(order) > 1 else float(scores[order[0]])
    likeliest = teams[order[0]]
    flags = () if sure else (Flag.OWNER_UNCLEAR,)
    return OwnerReading(cell.row, cell.col, likeliest if sure else "", likeliest, margin, confidence, flags)
