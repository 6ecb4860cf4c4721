"""How large the stickers of a board are: small dots are stickers as well as squares that fill their cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poradek_vision.cells.patches import Patches
from poradek_vision.cells.samples import Samples
from poradek_vision.colour import BoolArray, FloatArray
from poradek_vision.geometry import compactness

COMPACT = 0.95
"""How near together a small sticker's samples lie, as :func:`geometry.compactness`: squares 0.96, letters 0.93 at most.
"""


@dataclass(frozen=True, slots=True)
class SizeSettings:
    """Numbers of telling small stickers, each with its unit; set on drawn boards."""

    usual_share: float = 0.45
    """Share of a cell's core that a usual sticker covers at least: a disk 0.55 of a cell wide does."""
    trace_share: float = 0.03
    """What covers less is no sticker: a disk 0.15 of a cell wide."""
    inner_cells: float = 0.36
    """Half the side of what is looked at: beyond may be the broad lines of a pen."""
    off_centre: float = 0.25
    """How far the middle of a sticker may lie from that of its cell, cells."""
    least: int = 4
    """So many alike are no chance."""
    alike: float = 2.5
    """Factor between the quartiles of their shares up to which stickers are of one size."""


def sticker_scale(patches: Patches, settings: SizeSettings) -> float:
    """How much of a cell the stickers of a board cover, against what usual ones do: 1 unless they are small.

    Whatever is not paper may be one, if it is compact and in the middle of its cell.

    Parameters
    ----------
    patches : Patches
        Of all cells; every other sample each way is enough.
    settings : SizeSettings

    Returns
    -------
    float
        More than 0, at most 1.
    """
    seen = patches.inside & ~patches.ink
    inner = np.abs(patches.places).max(1) < settings.inner_cells
    stuck = seen & ~patches.paper & inner
    share = (stuck * patches.window).sum(1) / np.maximum((seen * patches.window).sum(1), 1e-9)
    some = np.flatnonzero(share > settings.trace_share)
    if len(some) < settings.least or np.median(share[some]) >= settings.usual_share:
        return 1.0
    places = patches.places.astype(np.float64)
    centre = stuck[some] @ places / np.maximum(stuck[some].sum(1, keepdims=True), 1)
    compact = compactness(stuck[some], places, 1 / len(places))
    small = share[some[_are_spots(compact, centre, settings)]]
    if len(small) < settings.least:
        return 1.0
    low, usual, high = np.percentile(small, [25, 50, 75]).tolist()
    return min(usual / settings.usual_share, 1.0) if high <= settings.alike * low else 1.0


def has_spot(samples: Samples, settings: SizeSettings) -> BoolArray:
    """Which cells (N,) show a compact spot of colour near their middles, be it ever so small.

    Parameters
    ----------
    samples : Samples
        Of N cells.
    settings : SizeSettings
    """
    first = np.arange(len(samples.share)), 1 + samples.share[:, 1:].argmax(1)
    spot = _are_spots(samples.compact[first], np.nan_to_num(samples.centre[first], nan=1.0), settings)
    spots: BoolArray = spot & (samples.share[first] > settings.trace_share)
    return spots


def _are_spots(compact: FloatArray, centre: FloatArray, settings: SizeSettings) -> BoolArray:
    """Which of such compactness (N,) and such middles (N, 2), from those of their cells, may be stickers."""
    spots: BoolArray = (compact >= COMPACT) & (np.abs(centre).max(1) < settings.off_centre)
    return spots
