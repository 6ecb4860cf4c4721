"""Cells that are too bright to be judged: where paper is clipped, a sticker may be as white as the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poradek_vision.cells.samples import Samples
from poradek_vision.colour import BoolArray, FloatArray, reflectance_from_lab, weakest
from poradek_vision.model import EMPTY, CellReading, Palette


@dataclass(frozen=True, slots=True)
class ExposureSettings:
    """Numbers of finding washed-out cells."""

    clipped_share: float = 0.5
    """Share of an empty core in which a channel has to be clipped."""
    bright_peak: float = 0.85
    """Strongest channel of the paper's light (linear) from which on it counts as clipped: round a sticker some is not.
    """
    most_washed: float = 0.3
    """How far the weakest channel of a quarter of the stickers may have risen from the palette's towards white."""
    trace_share: float = 0.15
    """Share of a clipped empty core that is pale, not paper, from which it shows traces of a sticker."""
    sure_margin: float = 16.0
    """Least margin of a sticker among washed-out ones, delta E: green goes towards yellow there."""


def washed_out(
    cells: Sequence[CellReading], samples: Samples, palette: Palette, settings: ExposureSettings
) -> BoolArray:
    """Which cells are in doubt because the light is more than the photo can show.

    Clipped paper alone is harmless: a sticker reflects little of at least one colour, and stays coloured long after
    paper has become 255. How far beyond that the exposure is, the stickers on clipped paper tell by how much of the
    light that they should swallow they show. Where they are washed out, or none is seen, an empty cell may hold one
    that is gone; so it may where another, as bright, shows traces of colour: of 15 such cells on rendered photos all
    had a sticker.

    Parameters
    ----------
    cells : sequence of CellReading
        All N of a board, row by row.
    samples : Samples
        Theirs.
    palette : Palette
        What the stickers look like in good light.
    settings : ExposureSettings

    Returns
    -------
    ndarray of shape (N,), bool
    """
    bright = samples.peak > settings.bright_peak
    if not bright.any():
        return np.zeros(len(cells), np.bool_)
    empty = np.array([cell.colour == EMPTY for cell in cells])
    white = empty & (samples.clipped.max(1) > settings.clipped_share)
    washed = _washed([cell.colour for cell in cells], bright, samples, palette)
    if washed.size and np.percentile(washed, 75) < settings.most_washed:
        traces = white & (samples.pale > settings.trace_share)
        return np.asarray(white & traces.any(), np.bool_)
    margins = np.array([cell.margin for cell in cells])
    return np.asarray(white | (~empty & bright & (margins < settings.sure_margin)), np.bool_)


def _washed(colours: Sequence[str], bright: BoolArray, samples: Samples, palette: Palette) -> FloatArray:
    """For each sticker on clipped paper how far its weakest channel has risen from the palette's (0) to white (1)."""
    codes = [entry.colour for entry in palette.entries]
    at = [(cell, codes.index(colour)) for cell, colour in enumerate(colours) if colour != EMPTY and bright[cell]]
    if not at:
        return np.zeros(0)
    cell, colour = np.array(at).T
    seen = weakest(reflectance_from_lab(samples.lab[cell, 1 + colour]))
    true = weakest(reflectance_from_lab([entry.centre for entry in palette.entries]))[colour]
    washed: FloatArray = (seen - true) / np.maximum(1 - true, 0.1)
    return washed[np.isfinite(washed)]
