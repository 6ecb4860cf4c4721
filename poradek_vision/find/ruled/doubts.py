"""Doubts about a ruled grid: about all of it, where it may be another, or about cells of which too little was seen."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from poradek_vision.find.ruled.candidates import Candidate, RuledSettings
from poradek_vision.find.ruled.refine import Ruling
from poradek_vision.geometry import FloatArray


def is_doubtful(candidate: Candidate, ruling: Ruling, settings: RuledSettings) -> bool:
    """Whether a grid may be another: cells of another size or place, lines of something else, or hidden ones."""
    choice, vouched = candidate.choice, candidate.vouched
    drawn = max(ruling.to_border, ruling.ended) > settings.drawn_to_border
    beyond = choice.beyond > settings.some_beyond and ruling.ended < settings.some_ended
    placed = vouched or candidate.is_sure(settings)
    open_end = settings.guessed_open_end if ruling.guessed.any() else settings.doubt_open_end
    uneven, unsure = unevenness(ruling.crossings), bool(_unsure_corners(candidate, ruling, settings).any())
    closed = ruling.ended > settings.closed_ended and ruling.goes_on < settings.some_goes_on and not ruling.unended
    unclear = (
        candidate.contested
        or max(candidate.worth, candidate.closer_worth) < settings.doubt_worth
        or (candidate.fits_elsewhere(settings) and not closed)
    )
    return bool(
        (unclear and not vouched)
        or ((beyond or ruling.goes_on > settings.some_goes_on) and choice.outside > settings.doubt_outside)
        or (choice.beyond > settings.doubt_beyond and not closed)
        or (not drawn and choice.rungs < settings.doubt_rungs)
        or ruling.errors.max() > settings.lost_cells
        or (unsure and not placed)
        or ruling.error_cells > settings.doubt_error_cells
        or ruling.goes_on > settings.doubt_goes_on
        or ruling.unended > settings.some_goes_on
        or ruling.unseen > settings.doubt_unseen
        or (ruling.open_end > open_end and not closed)
        or _beside_at_worst(ruling, placed=placed) > settings.doubt_beside
        or ruling.restless > settings.doubt_restless
        or ruling.missing.sum() > (settings.most_missing if placed and not unsure else 0)
        or (ruling.missing.any() and uneven > settings.uneven_missing)
        or uneven > (settings.most_uneven if drawn else settings.doubt_uneven)
    )


def unsure_cells(candidate: Candidate, ruling: Ruling, settings: RuledSettings) -> npt.NDArray[np.bool_]:
    """Cells (size, size) of a grid that is sure as a whole with a corner that is not, or a side that is missing.

    So are those along a border that is guessed, unless the network has seen them.
    """
    corner = _unsure_corners(candidate, ruling, settings)
    upright, lying = ruling.missing | (ruling.beside > settings.doubt_beside)
    if not candidate.vouched:
        upright[[0, -1]] |= ruling.guessed[:2, None]
        lying[[0, -1]] |= ruling.guessed[2:, None]
    side = (upright[:-1] | upright[1:]).T | lying[:-1] | lying[1:]
    unsure: npt.NDArray[np.bool_] = corner[:-1, :-1] | corner[:-1, 1:] | corner[1:, :-1] | corner[1:, 1:] | side
    return unsure


def _beside_at_worst(ruling: Ruling, *, placed: bool) -> float:
    """Largest distance of a line from where it was fitted, cells; within a grid that is sure half of it counts.

    A fold bends lines within a cell; a border so far off is the paper's edge.
    """
    inner, border = ruling.beside[:, 1:-1].max(initial=0.0), ruling.beside[:, [0, -1]].max()
    return float(max(border, inner / 2 if placed else inner))


def _unsure_corners(candidate: Candidate, ruling: Ruling, settings: RuledSettings) -> npt.NDArray[np.bool_]:
    """Which crossings (size+1, size+1) too little was seen of."""
    limit = settings.sure_cells if candidate.vouched else settings.doubt_cells
    return np.asarray(ruling.errors > limit, np.bool_)


def unevenness(crossings: FloatArray) -> float:
    """The largest change, along a line, of the ratio of two sides of cells (n, n, 2) that follow each other.

    A border taken from something beside it leaves one row of cells too wide; slant makes each as much wider.

    Examples
    --------
    >>> x, y = np.meshgrid([0.0, 1.0, 2.0, 3.5], np.arange(4.0))
    >>> round(unevenness(np.stack([x, y], -1)), 9)
    1.5
    >>> x, y = np.meshgrid([0.0, 1.0, 2.5, 4.75], np.arange(4.0))
    >>> round(unevenness(np.stack([x, y], -1)), 9)
    1.0
    """
    sides = [np.hypot(*np.moveaxis(np.diff(crossings, axis=axis), -1, 0)) for axis in (0, 1)]
    changes = [np.diff(np.log(np.maximum(side, 1e-9)), n=2, axis=axis) for axis, side in enumerate(sides)]
    return float(np.exp(max(np.abs(change).max(initial=0.0) for change in changes)))
