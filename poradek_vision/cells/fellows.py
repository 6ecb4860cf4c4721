"""Stickers held against the board's others of their colour.

What has neither colour nor outline of the others may be a leaf or a piece of a pen, what is shaded as none of them and
has another size a cap or a stain; what looks like those in doubt is no surer than they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poradek_vision.cells.samples import Samples
from poradek_vision.colour import BoolArray, FloatArray, delta_e
from poradek_vision.model import EMPTY, CellReading, Flag, Palette


@dataclass(frozen=True, slots=True)
class FellowSettings:
    """Numbers of telling what is no sticker of the board's make, each with its unit.

    Either alone has many causes: shade and wear, or a neighbour on top. Both at once 7 of 5,294 stickers on rendered
    and path-traced photos had, and 9 of 21 leaves that were read as stickers for sure.
    """

    off_colour: float = 3.0
    off_outline: float = 2.5
    """So many standard deviations from the others, in colour and in outline, are too many."""
    shading: float = 3.0
    shaded_size: float = 0.18
    shaded_alone: int = 2
    """So many standard deviations more of shading and mottling are too many for what has not so many others within this
    log of its size: of 1,038 sure stickers on rendered photos none had both, of 40 caps, stains and coins that were
    sure stickers 9. Shade alone makes a slope, and another colour."""
    least: int = 5
    """Of fewer stickers it can't be told what is usual."""
    least_doubtful: int = 3
    """So many in doubt must be more like a sticker than any sure one."""
    least_fellows: int = 2
    """With so many others of its colour a sticker is compared, else with the palette."""
    colour: float = 2.0
    palette: float = 3.0
    compact: float = 0.02
    size: float = 0.12
    slope: float = 4.0
    mottled: float = 1.5
    """Least standard deviations: of a colour from others and from the palette, delta E, of compactness, of the log of a
    size, and of shading as :attr:`Samples.slope` and :attr:`Samples.mottled`; more where the board's stickers differ
    more."""


def unlike_fellows(
    cells: Sequence[CellReading], samples: Samples, palette: Palette, settings: FellowSettings
) -> BoolArray:
    """Which sure stickers differ from all others of the board both in colour and in outline, or in shading and in size.

    Parameters
    ----------
    cells : sequence of CellReading
        All N of a board, row by row.
    samples : Samples
        Theirs.
    palette : Palette
        The one adapted to the photo.
    settings : FellowSettings

    Returns
    -------
    ndarray of shape (N,), bool
    """
    unlike = np.zeros(len(cells), np.bool_)
    sure = np.array([k for k, cell in enumerate(cells) if cell.colour != EMPTY and cell.lab and not cell.flags], int)
    if len(sure) < settings.least:
        return unlike
    colour = _off_colour([cells[k] for k in sure], palette, settings)
    compact = np.maximum(_off_usual(-samples.lump[sure], settings.compact), 0)
    sizes = np.log(np.maximum(samples.size[sure], _LEAST_SIZE))
    size = _off_usual(sizes, settings.size)
    shading = np.hypot(
        np.maximum(_off_usual(samples.slope[sure], settings.slope), 0),
        np.maximum(_off_usual(samples.mottled[sure], settings.mottled), 0),
    )
    alone = _to_others(sizes, settings.shaded_alone)
    unlike[sure] = (colour > settings.off_colour) & (np.hypot(compact, size) > settings.off_outline)
    if np.median(samples.slope[sure]) > 0:  # most are large enough to be shaded
        unlike[sure] |= (shading > settings.shading) & (alone > settings.shaded_size)
    return unlike


def like_doubtful(
    cells: Sequence[CellReading], samples: Samples, palette: Palette, settings: FellowSettings
) -> BoolArray:
    """Which sure stickers look more like some of their colour in doubt for it than like any other sure one of it.

    Where light turns one colour into another, as of blue stickers overexposed till they are cyan, none is surer than
    the others.

    Parameters
    ----------
    cells : sequence of CellReading
        All N of a board.
    samples : Samples
        Theirs, clipped or not.
    palette : Palette
        The one adapted to the photo.
    settings : FellowSettings

    Returns
    -------
    ndarray of shape (N,), bool
    """
    like = np.zeros(len(cells), np.bool_)
    for place, entry in enumerate(palette.entries, 1):
        own = np.array([k for k, cell in enumerate(cells) if cell.colour == entry.colour], int)
        doubtful = np.array([Flag.LOW_MARGIN in cells[k].flags for k in own], np.bool_)
        if doubtful.sum() < settings.least_doubtful:
            continue
        lab = samples.lab[own, place]
        apart = np.nan_to_num(delta_e(lab[:, None], lab[None]), nan=np.inf)
        np.fill_diagonal(apart, np.inf)
        to_doubtful = np.sort(apart[:, doubtful], axis=1)[:, settings.least_doubtful - 1]
        like[own] = ~doubtful & (to_doubtful < apart[:, ~doubtful].min(1, initial=np.inf))
    return like


_LEAST_SIZE = 1e-3
_OF_MEDIAN = 1.4826
"""A normal distribution's standard deviation over its median absolute deviation."""


def _off_usual(values: FloatArray, least: float) -> FloatArray:
    """How far values (N,) lie above their median, in standard deviations, of which one is ``least`` at least.

    Examples
    --------
    >>> _off_usual(np.array([1.0, 1.0, 1.0, 1.5]), 0.25)
    array([0., 0., 0., 2.])
    """
    off = values - np.median(values)
    return off / max(least, _OF_MEDIAN * float(np.median(np.abs(off))))


def _to_others(values: FloatArray, count: int) -> FloatArray:
    """How far each of some values (N,) lies from so many others, the nearest ones.

    Examples
    --------
    >>> _to_others(np.array([1.0, 1.0, 2.0, 5.0]), 2)
    array([1., 1., 1., 4.])
    """
    apart: FloatArray = np.sort(np.abs(values[:, None] - values), axis=1)[:, count]
    return apart


def _off_colour(stickers: Sequence[CellReading], palette: Palette, settings: FellowSettings) -> FloatArray:
    """How far each sticker's colour (N,) lies from the others', or from the palette's, in standard deviations."""
    lab, codes = np.array([cell.lab for cell in stickers]), np.array([cell.colour for cell in stickers])
    centre = {entry.colour: entry.centre for entry in palette.entries}
    known = delta_e(lab, np.array([centre[code] for code in codes.tolist()]))
    alike = np.full(len(stickers), np.nan)
    for code in np.unique(codes):
        own = np.flatnonzero(codes == code)
        if len(own) > settings.least_fellows:
            others = own[np.nonzero(~np.eye(len(own), dtype=bool))[1].reshape(len(own), -1)]
            alike[own] = delta_e(lab[own], np.median(lab[others], axis=1))
    usual = max(settings.palette, float(np.median(known)))
    among = max(settings.colour, float(np.nanmedian(alike))) if np.isfinite(alike).any() else usual
    off: FloatArray = np.where(np.isfinite(alike), alike / among, known / usual)
    return off
