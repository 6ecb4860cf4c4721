"""Which N × N cells of a lattice are the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poradek_vision.find.ruled.evidence import Evidence, FloatPicture
from poradek_vision.find.ruled.lattice import Lattice, Place, Window
from poradek_vision.find.ruled.looks import Looks, cover, in_cells, level, look, visible
from poradek_vision.find.ruled.seeds import sample
from poradek_vision.geometry import FloatArray, box_sums

_ALONE = 9.0
"""Lead of a window where there is no other."""
_REACH, _FOLLOWED = 0.14, 0.08
"""How far from its place a line is looked for, cells, and where it was followed already."""
_CLEAR = 0.3
"""How clear a piece of line is that counts as seen."""
_COVERED, _WRITTEN = 0.4, 0.4
"""Share of a cell's core under a sticker that makes it covered, and of the lines' ink that is writing in its middle."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The best window of a lattice.

    Attributes
    ----------
    window : Window
    score : float
        Mean over the board's pieces of line: 1 all seen, -1 none.
    lead : float
        By how many pieces per side the next best window is worse.
    share_seen : float
        Share of the pieces that were clearly seen.
    between : float
        Pieces seen half way between the lines in cells without a sticker, as a share of all.
    beyond : float
        Pieces seen one cell beyond the border, as a share of all there, on the second worst side.
    outside : float
        Pieces seen anywhere outside the window, as a share of those in it.
    stickers : int
        Cells with a sticker in them.
    written : float
        Share of the cells that have ink in their middle and no sticker.
    rungs : float
        How clear the lines across the outer row of cells are where they are least so: below 0 they are missing.
    split : float
        Share of the cells with stickers in which these end half way, and others begin: such cells are several.
    """

    window: Window
    score: float
    lead: float
    share_seen: float
    between: float
    beyond: float
    outside: float
    stickers: int
    written: float
    rungs: float
    split: float


def choose(evidence: Evidence, lattice: Lattice, sizes: Sequence[int]) -> Choice | None:
    """Weigh every window of every size.

    For a window: its own pieces of line, seen or not; against it, lines that go on beyond its border, and stickers
    there. Pieces under stickers say nothing.

    Returns
    -------
    Choice or None
        None where the lattice has room for no size.
    """
    u0, u1, v0, v1 = lattice.window
    pad = 2
    wide = (u0 - pad, u1 + pad, v0 - pad, v1 + pad)
    seen = look(evidence, lattice, wide, _REACH)
    scale = _scale(seen, lattice.window)
    down, across = _maps(seen, visible(seen, scale), wide)
    stickers = cover(evidence, lattice, wide)
    best = _best(down, across, stickers, sizes)
    if best is None:
        return None
    score, second, n, j, i = best
    window = (wide[0] + i, wide[0] + i + n, wide[2] + j, wide[2] + j + n)
    inner, clear = _inside(seen, window), visible(seen, scale)
    half = look(evidence, lattice, window, _REACH, 0.5)
    covered = stickers[j : j + n, i : i + n] > _COVERED
    within = _in_bare_cells(half, window, covered)
    written = _cores(evidence, lattice, window) > _WRITTEN * scale
    return Choice(
        window=window,
        score=score / (2 * n * (n + 1)),
        lead=min((score - second) / n, _ALONE),
        share_seen=float((clear[inner] > _CLEAR).mean()),
        between=float((visible(half, scale)[within] > _CLEAR).sum()) / (2 * n * n),
        beyond=float(np.sort(_beyond(down, across, n)[:, j - 1, i - 1])[-2] / (2 * n + 1)),
        outside=_more(clear[~inner & _inside(seen, lattice.window)]) / max(_more(clear[inner]), 1e-9),
        stickers=int(covered.sum()),
        written=float((written & ~covered).mean()),
        rungs=float(min(side[j - 1, i - 1] for side in _outer_rungs(down, across, n))),
        split=_split(evidence, lattice, window, covered),
    )


def worth_of(evidence: Evidence, place: Place, size: int) -> float:
    """The worth of a board of known size whose lines were followed, as of a candidate: 1 if all is seen, none between.

    Parameters
    ----------
    evidence : Evidence
    place : Place
        Board cells to work px.
    size : int
    """
    window = (0, size, 0, size)
    seen = look(evidence, place, window, _FOLLOWED)
    scale = _scale(seen, window)
    covered = cover(evidence, place, window) > _COVERED
    half = look(evidence, place, window, _REACH, 0.5)
    between = (visible(half, scale)[_in_bare_cells(half, window, covered)] > _CLEAR).sum() / (2 * size**2)
    written = (_cores(evidence, place, window) > _WRITTEN * scale) & ~covered
    score = visible(seen, scale).mean()
    return float(score - 2 * between - 0.5 * written.mean() - _split(evidence, place, window, covered))


def _in_bare_cells(half: Looks, window: Window, covered: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which pieces half way between lines lie in cells of the window without a sticker, whose marks are no lines."""
    u = np.where(half.axis == 0, half.line, half.cell) - window[0]
    v = np.where(half.axis == 0, half.cell, half.line) - window[2]
    n = len(covered)
    within = (u < n) & (v < n)
    bare: npt.NDArray[np.bool_] = within & ~covered[np.minimum(v, n - 1), np.minimum(u, n - 1)]
    return bare


def _cores(evidence: Evidence, lattice: Place, window: Window) -> FloatPicture:
    """Darkest ink in the middle of each cell, (v cells, u cells)."""
    ink = in_cells(evidence.ink, lattice, window, np.linspace(0.35, 0.65, 7))
    darkest: FloatPicture = np.partition(ink, -4, axis=-1)[..., -4]
    return darkest


def _split(evidence: Evidence, lattice: Place, window: Window, covered: npt.NDArray[np.bool_]) -> float:
    """Share of the covered cells in which stickers leave a gap with others on both its sides, one way or the other."""
    v, u = np.nonzero(covered)
    if not len(u):
        return 0.0
    across, along = np.meshgrid(_ACROSS_CELL, _ALONG_CELL)
    lengthwise = np.stack([across, along], -1)
    corner = np.stack([u + window[0], v + window[2]], -1)[:, None, None, None]
    points = lattice(corner + np.stack([lengthwise, lengthwise[..., ::-1]]))
    profile = sample(evidence.stickers, points).mean(2)
    before = np.maximum.accumulate(profile, axis=-1)
    after = np.maximum.accumulate(profile[..., ::-1], axis=-1)[..., ::-1]
    return float(((np.minimum(before, after) - profile).max(-1) > _GAP).mean(0).max())


_MAY_MISS = 0.3
"""How clearly the lines across an outer row of cells may be missing, as some are in glare."""
_ACROSS_CELL, _ALONG_CELL = np.linspace(0.1, 0.9, 17), np.array([0.3, 0.4, 0.5, 0.6, 0.7])
_GAP = 0.6
"""Share of a sticker that is missing at a gap."""


def _scale(seen: Looks, window: Window) -> float:
    """Ink of the lattice's lines."""
    return max(level(seen.strength[_inside(seen, window)], 0.7), 0.03)


def _inside(seen: Looks, window: Window) -> np.ndarray:
    """Which pieces belong to a window."""
    first = np.where(seen.axis == 0, window[0], window[2]), np.where(seen.axis == 0, window[2], window[0])
    last = np.where(seen.axis == 0, window[1], window[3]), np.where(seen.axis == 0, window[3], window[1])
    inside: np.ndarray = (
        (seen.line >= first[0]) & (seen.line <= last[0]) & (seen.cell >= first[1]) & (seen.cell < last[1])
    )
    return inside


def _maps(seen: Looks, clear: FloatArray, wide: Window) -> tuple[FloatArray, FloatArray]:
    """How clear pieces of vertical lines (v cells, u lines) and horizontal ones (v lines, u cells) are."""
    nu, nv = wide[1] - wide[0], wide[3] - wide[2]
    on = seen.axis == 0
    down, across = np.zeros((nv, nu + 1)), np.zeros((nv + 1, nu))
    down[seen.cell[on] - wide[2], seen.line[on] - wide[0]] = clear[on]
    across[seen.line[~on] - wide[2], seen.cell[~on] - wide[0]] = clear[~on]
    return down, across


def _best(
    down: FloatArray, across: FloatArray, stickers: FloatArray, sizes: Sequence[int]
) -> tuple[float, float, int, int, int] | None:
    """The best window: its evidence, that of the next best, its size, first row and column; None without any."""
    ranked = []
    for n in sizes:
        if n <= min(stickers.shape) - 2:
            scores = _weigh(down, across, stickers, n)
            j, i = np.unravel_index(scores.argmax(), scores.shape)
            top = np.sort(np.append(scores, -np.inf), axis=None)[-2:]
            ranked.append((float(top[1]), float(top[0]), n, int(j) + 1, int(i) + 1))
    if not ranked:
        return None
    first, *others = sorted(ranked, key=lambda each: -each[0])
    return first[0], max([first[1], *(each[0] for each in others)]), *first[2:]


def _weigh(down: FloatArray, across: FloatArray, stickers: FloatArray, n: int) -> FloatArray:
    """Evidence, in pieces of line, for every window with n cells a side and a cell around it: by first row, column."""
    own = box_sums(down, n, n + 1)[1:-1, 1:-1] + box_sums(across, n + 1, n)[1:-1, 1:-1]
    beside, above = box_sums(stickers, n, 1)[1:-1], box_sums(stickers, 1, n)[:, 1:-1]
    ring = beside[:, : -n - 1] + beside[:, n + 1 :] + above[: -n - 1] + above[n + 1 :]
    missing = np.sum([np.maximum(-side - _MAY_MISS, 0) for side in _outer_rungs(down, across, n)], axis=0) * (n + 1)
    evidence: FloatArray = own - _beyond(down, across, n).sum(0) - ring - missing
    return evidence


def _beyond(down: FloatArray, across: FloatArray, n: int) -> FloatArray:
    """Pieces of line clearly seen one cell beyond each window: above, below, left, right; (4, rows, columns).

    A line along the border is the sheet's edge, or an underline, where its rungs are clearly not there.
    """
    by_row, by_column = _rungs(down, across, n)
    seen_by_row, seen_by_column = _rungs(np.maximum(down, 0), np.maximum(across, 0), n)
    lying = box_sums(np.maximum(across, 0), 1, n)[:, 1:-1]
    upright = box_sums(np.maximum(down, 0), n, 1)[1:-1]
    first, last = slice(None, -n - 1), slice(n + 1, None)
    line_first, line_last = slice(None, -n - 2), slice(n + 2, None)
    return np.stack([
        _together(by_row[first], seen_by_row[first], lying[line_first], n),
        _together(by_row[last], seen_by_row[last], lying[line_last], n),
        _together(by_column[:, first], seen_by_column[:, first], upright[:, line_first], n),
        _together(by_column[:, last], seen_by_column[:, last], upright[:, line_last], n),
    ])  # fmt: skip


def _together(mean: FloatArray, rungs: FloatArray, line: FloatArray, n: int) -> FloatArray:
    """Pieces of a line and of its rungs that are seen, as far as the rungs are not missing."""
    together: FloatArray = ((n + 1) * rungs + line) * np.clip(1 + mean, 0, 1)
    return together


def _outer_rungs(down: FloatArray, across: FloatArray, n: int) -> tuple[FloatArray, ...]:
    """How clear the rungs of each window's first and last row, first and last column are, each (rows, columns)."""
    by_row, by_column = _rungs(down, across, n)
    first, last = slice(1, -n), slice(n, -1)
    return by_row[first], by_row[last], by_column[:, first], by_column[:, last]


def _rungs(down: FloatArray, across: FloatArray, n: int) -> tuple[FloatArray, FloatArray]:
    """Mean of the n + 1 pieces of lines that cross each row of n cells, and each column."""
    return box_sums(down, 1, n + 1)[:, 1:-1] / (n + 1), box_sums(across, n + 1, 1)[1:-1] / (n + 1)


def _more(clear: FloatArray) -> float:
    """Pieces clearly seen."""
    return float(np.maximum(clear, 0).sum())
