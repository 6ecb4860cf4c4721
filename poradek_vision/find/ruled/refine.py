"""The chosen lines followed exactly: curl, lens and the wobble of a hand."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.ruled.between import pen_colour, tints
from poradek_vision.find.ruled.borders import ended, goes_on, line_ends
from poradek_vision.find.ruled.evidence import Evidence, FloatPicture, by_pen
from poradek_vision.find.ruled.lattice import Place
from poradek_vision.find.ruled.looks import look
from poradek_vision.find.ruled.pale import strength
from poradek_vision.find.ruled.seeds import sample
from poradek_vision.find.ruled.trace import PER_CELL, Trace, trace
from poradek_vision.find.ruled.wander import Wander, fit_wander
from poradek_vision.find.surface import Sightings, Surface, fit_surface, flat_surface
from poradek_vision.geometry import FloatArray, fit_homography

_ROUNDS = ((0.27, 0.15), (0.15, 0.08))
"""Reach of the trace and scale of the fit, cells."""
_MOST_TURNS, _STILL = 3, 0.1
"""A round is repeated, so often at most, while a crossing moves farther than this, cells: a corner that bends away is
reached step by step."""
_STIFFNESS = 0.005
"""Cost of bending: lines ruled by hand wander a few per cent of a cell from one to the next."""
_REACHES = (0.2, 0.14)
"""Reach of the looks that follow each line, cells."""
_END_CELLS = 0.09
"""How far a border may lie from where the lines across it end."""
_SEEN_WELL = 60.0
"""Per cent of the samples of lines that are fainter than those that show what pen was used."""
_DRAWN_STEADILY = 0.3
"""How much less than a hand's the lines of a drawing wander, also where they are hidden."""
_FAINT, _BESIDE_IT = 0.35, 0.08
"""Likeness to the pen below which a sample is no line, and distance at which it is another, cells."""
_SEEN = 0.2
"""Mean trust of a cell's samples from which a line is seen there."""
_ENDS_TELL = 2
"""Lines that end at a border of which nothing else is seen, from which it is known to be there."""
_PAPER_ALONG = 0.75
"""Share of a piece's samples where paper shows in its place from which it is missing."""
_TINTED = 0.12
"""How far from the paper's hue a piece of line must be for it to be no paper, against its brightest channel."""
_RIM_PX = 9
"""So near a sticker nothing is bare, px of the picture in which lines are followed."""
_LEAST_TRUST = 4.0
"""Samples, each with its trust, of vertical and of horizontal lines from which a surface is fitted."""
_RUN = 3
"""Samples in a row in which a line must be seen."""


@dataclass(frozen=True, slots=True, eq=False)
class Ruling:
    """The followed lines of a board.

    Attributes
    ----------
    crossings : ndarray of shape (size+1, size+1, 2)
        Where lines cross, work px.
    error_cells : float
        Mean distance of the lines seen from where the crossings have them.
    errors : ndarray of shape (size+1, size+1)
        Standard error of each crossing, cells.
    goes_on : float
        Share of the lines that go on beyond the border which they cross, on the side where most do.
    unended : float
        The same, where no more are seen to end at that border.
    ended : float
        Share of the lines across a border that are seen to end at it, on the side where fewest do.
    unseen : float
        Of the line that is least seen, the share where there is neither line nor sticker.
    open_end : float
        The same of a border's first or last cell, where it is largest: what no line confirms there is a guess.
    beside : ndarray of shape (2, size+1, size)
        Mean distance of each piece of vertical and of horizontal lines, from one crossing to the next, from where the
        crossings have it, cells; 0 where it is not seen.
    restless : float
        How far the crossing that moved most still did so in the last turn, cells.
    to_border : float
        How clearly the lines across a border are seen up to it, 0–1, on the side where they are least so.
    missing : ndarray of shape (2, size+1, size), bool
        Such pieces in whose place paper shows all along.
    guessed : ndarray of shape (4,), bool
        Borders of which no piece is seen, nor lines across that end there: left, right, upper, lower. None in drawings,
        where colours that fill cells end at a border, seen or not.
    """

    crossings: FloatArray
    error_cells: float
    errors: FloatArray
    goes_on: float
    unended: float
    ended: float
    unseen: float
    open_end: float
    beside: FloatArray
    restless: float
    to_border: float
    missing: npt.NDArray[np.bool_]
    guessed: npt.NDArray[np.bool_]


def follow(evidence: Evidence, place: Place, size: int, hold: float = 0.0) -> Ruling:
    """Follow a board's lines, in rounds of ever shorter reach: first a bending surface, then every line's wander.

    Parameters
    ----------
    evidence : Evidence
    place : Place
        Board cells to work px, as expected.
    size : int
    hold : float
        What each crossing's expected place counts for against a sample of a line clearly seen: where stickers hide the
        lines and the place was not learnt from them, it tells more than a smooth sheet.
    """
    board = _crossings(size)
    expected = _held(place(board).reshape(-1, 2), board.reshape(-1, 2), hold)
    surface = flat_surface(fit_homography(place(board).reshape(-1, 2), board.reshape(-1, 2)), size, size)
    darkest = _darkest(evidence, place, size)
    pen = None if evidence.drawing else pen_colour(evidence, darkest)
    evidence = by_pen(evidence, darkest)
    dark = np.ones((2 * (size + 1), size))
    for reach, scale in _ROUNDS:
        for _ in range(_MOST_TURNS):
            before = place(board)
            place = fine_mesh(place, size)
            ends = line_ends(evidence, place, size)
            seen = trace(evidence, place, ends, reach, dark, pen)
            surface = _fit(seen, _trust(seen, ends, dark), expected, surface, scale)
            dark = strength(evidence, place, seen, dark)
            place = surface.photo
            restless = _moved(before, place(board))
            if restless < _STILL:
                break
    wander = Wander(np.zeros_like(board), np.zeros((2, 0, 0)))
    for reach in _REACHES:
        mesh = _wandering(surface, wander, size)
        ends = line_ends(evidence, mesh, size)
        seen = trace(evidence, mesh, ends, reach, dark, pen)
        trust = _trust(seen, ends, dark)
        off = seen.off + _wander_at(wander, seen)
        wander = fit_wander(size, seen.axis, seen.line, seen.along, off, trust, held=hold > 0)
    fitted = _Fitted(evidence, seen, trust, np.abs(off - _wander_at(wander, seen)))
    steady = _DRAWN_STEADILY if evidence.drawing else 1.0
    crossings, errors = surface.photo(board + wander.cells), steady * wander.errors().max(-1)
    return _ruling(fitted, crossings, errors, restless)


@dataclass(frozen=True, slots=True, eq=False)
class _Fitted:
    """Lines as traced for the last time: how far each sample (L, T) is trusted, and left beside its fitted line."""

    evidence: Evidence
    seen: Trace
    trust: FloatArray
    left: FloatArray


def _ruling(fitted: _Fitted, crossings: FloatArray, errors: FloatArray, restless: float) -> Ruling:
    """What speaks for the lines of a board and against them."""
    evidence, seen, trust, left = fitted.evidence, fitted.seen, fitted.trust, fitted.left
    size = len(crossings) - 1
    border, pieces, place = [0, size, size + 1, 2 * size + 1], (2, size + 1, size), Mesh(crossings)
    bare = _bare(evidence, seen, left)
    bare_pieces = seen.by_cell(bare).mean(2)
    at_border, on = ended(evidence, place, size), goes_on(evidence, place, size)
    shown = np.any(seen.by_cell(trust).mean(2)[border] > _SEEN, axis=1)
    return Ruling(
        crossings,
        error_cells=float(np.average(left, weights=trust + 1e-9)),
        errors=errors,
        goes_on=float(on.max()),
        unended=float(np.where(on > at_border.mean(1), on, 0.0).max()),
        ended=float(at_border.mean(1).min()),
        unseen=float(bare.mean(1).max()),
        open_end=float(bare_pieces[border][:, [0, -1]].max()),
        beside=_beside(seen, trust, left).reshape(pieces),
        restless=restless,
        to_border=_to_border(trust, size),
        missing=(bare_pieces > _PAPER_ALONG).reshape(pieces),
        guessed=~shown & (at_border.sum(1) < _ENDS_TELL) & (not evidence.drawing),
    )


def _moved(before: FloatArray, after: FloatArray) -> float:
    """How far the crossing (n, n, 2) that moved most did so, cells."""
    side = np.median(np.hypot(*np.moveaxis(np.diff(after, axis=0), -1, 0)))
    return float(np.hypot(*np.moveaxis(after - before, -1, 0)).max() / side)


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """A map from board cells to pixels: bilinear between nodes (rows, cols, 2) and beyond them.

    The first node lies at (``first``, ``first``), each next one ``step`` cells on.
    """

    nodes: FloatArray
    first: float = 0.0
    step: float = 1.0

    def __call__(self, board: FloatArray) -> FloatArray:
        """Pixels (..., 2) of board cells (..., 2)."""
        rows, cols = self.nodes.shape[:2]
        x, y = (board.reshape(-1, 2).T - self.first) / self.step
        col = np.clip(x.astype(np.intp), 0, cols - 2)
        row = np.clip(y.astype(np.intp), 0, rows - 2)
        x, y = (x - col)[:, None], (y - row)[:, None]
        flat, at = self.nodes.reshape(-1, 2), row * cols + col
        upper, lower = flat[at], flat[at + cols]
        upper += (flat[at + 1] - upper) * x
        lower += (flat[at + cols + 1] - lower) * x
        upper += (lower - upper) * y
        placed: FloatArray = upper.reshape(board.shape)
        return placed


def fine_mesh(place: Place, size: int) -> Mesh:
    """A map that is smooth between crossings, fast: 0.001 cells off at the most where a curl or tilt is strong."""
    along = np.arange(-_NODES_BEYOND, (size + _NODES_BEYOND) + _NODE_CELLS / 2, _NODE_CELLS)
    return Mesh(place(np.stack(np.meshgrid(along, along), -1)), -_NODES_BEYOND, _NODE_CELLS)


def _wandering(surface: Surface, wander: Wander, size: int) -> Mesh:
    """A map to where lines are that wander beside a surface: between crossings they are bent as it is."""

    def place(board: FloatArray) -> FloatArray:
        return surface.photo(board + Mesh(wander.cells)(np.clip(board, 0, size)))

    return fine_mesh(place, size)


_NODE_CELLS, _NODES_BEYOND = 0.25, 0.5
"""Distance of a mesh's nodes, and how far beyond the border they reach, cells."""


def _darkest(evidence: Evidence, place: Place, size: int) -> FloatArray:
    """Points on the lines that are seen best, and not under stickers if any are not, (N, 2) work px."""
    seen = look(evidence, place, (0, size, 0, size), _ROUNDS[0][0] / 2)
    well = seen.ink >= np.percentile(seen.ink, _SEEN_WELL)
    bare = well & (seen.hidden < 0.5)[:, None]
    clear = bare if bare.any() else well
    return (seen.points + seen.shift[..., None] * seen.normal)[clear]


def _held(points: FloatArray, board: FloatArray, weight: float) -> Sightings:
    """Crossings (N, 2) of a board as if they had been seen in their places, px, each with a weight; none without."""
    count = len(board) if weight else 0
    return Sightings(
        np.concatenate([points[:count]] * 2), np.repeat([0, 1], count), board[:count].T.ravel(),
        np.full(2 * count, weight),
    )  # fmt: skip


def _fit(seen: Trace, trust: FloatArray, expected: Sightings, surface: Surface, scale: float) -> Surface:
    """A bending surface through the traced lines; the same as before where too few are seen either way."""
    if min(trust[seen.axis == axis].sum() for axis in (0, 1)) < _LEAST_TRUST:
        return surface
    line, sample = np.nonzero(trust)  # the others say nothing
    sightings = Sightings(
        seen.points[line, sample], seen.axis[line], seen.line[line].astype(np.float64), trust[line, sample]
    )
    return fit_surface(sightings + expected, surface, scale, _STIFFNESS, bend=True)


def _wander_at(wander: Wander, seen: Trace) -> FloatArray:
    """How far across each line wanders at its samples, (L, T) cells."""
    nodes = np.arange(wander.cells.shape[0])
    down = [np.interp(seen.along, nodes, wander.cells[:, k, 0]) for k in nodes]
    across = [np.interp(seen.along, nodes, wander.cells[k, :, 1]) for k in nodes]
    return np.array(down + across)


def _trust(seen: Trace, ends: FloatArray, dark: FloatArray) -> FloatArray:
    """How far each sample (L, T) is trusted, 0–1.

    Dark as the lines are, and its neighbours too, and on no sticker; of a border, where the lines across it end.
    """
    clear = np.clip(2 * seen.ink - 1, 0, 1) * (1 - seen.hidden)
    padded = np.pad(clear, ((0, 0), (_RUN // 2, _RUN // 2)))
    run = np.lib.stride_tricks.sliding_window_view(padded, _RUN, axis=1).mean(-1)
    shift = np.median(seen.by_cell(seen.off), axis=2)
    outward = np.where(seen.line == 0, -1, 1)[:, None]
    beside = np.maximum(np.nan_to_num(outward * (shift - ends)) / _END_CELLS, 0)
    trust: FloatArray = np.minimum(clear, run) * np.repeat(np.sqrt(dark) * np.exp(-(beside**2)), PER_CELL, axis=1)
    return trust


def _beside(seen: Trace, trust: FloatArray, left: FloatArray) -> FloatArray:
    """Mean distance of each piece of line (L, N), where it is seen, from where it was fitted, cells; else 0."""
    weight = seen.by_cell(trust)
    mean = (weight * seen.by_cell(left)).sum(2) / np.maximum(weight.sum(2), 1e-9)
    return np.where(weight.mean(2) > _SEEN, mean, 0.0)


def _to_border(trust: FloatArray, size: int) -> float:
    """Mean trust (L, T) in the outer samples of the lines that cross a border, on the worst of the four sides."""
    inner = trust.reshape(2, size + 1, -1)[:, 1:-1]
    return float(min(inner[..., :_RUN].mean((1, 2)).min(), inner[..., -_RUN:].mean((1, 2)).min()))


def _bare(evidence: Evidence, seen: Trace, left: FloatArray) -> FloatPicture:
    """How far paper shows in the place of a line at each of its samples (L, T), 0–1.

    Between two cells what is tinted all along is a sticker too pale to be told by itself; beyond a border it may be
    ground.
    """
    near_sticker = np.asarray(cv2.dilate(evidence.colour, np.ones((_RIM_PX, _RIM_PX), np.uint8)), np.float32)
    bare: FloatPicture = (1 - sample(near_sticker, seen.points)) * ((seen.ink < _FAINT) | (left > _BESIDE_IT))
    tinted = np.median(seen.by_cell(tints(evidence, seen.points)), axis=2) > _TINTED
    tinted[(seen.line == 0) | (seen.line == tinted.shape[1])] = False
    return bare * ~np.repeat(tinted, PER_CELL, axis=1)


def _crossings(size: int) -> FloatArray:
    """Board coordinates of all crossings, (size+1, size+1, 2)."""
    lines = np.arange(size + 1.0)
    return np.stack(np.meshgrid(lines, lines), -1)
