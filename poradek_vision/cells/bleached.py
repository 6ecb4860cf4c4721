"""Stickers that light or age has bleached to the colour of paper: their outlines show in cells that look empty."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from poradek_vision.cells.light import beside
from poradek_vision.cells.patches import Patches
from poradek_vision.colour import BoolArray, FloatArray
from poradek_vision.geometry import compactness


@dataclass(frozen=True, slots=True)
class BleachedSettings:
    """Numbers of telling bleached stickers, each with its unit."""

    core_cells: float = 0.15
    """Half the side of what is taken for the sticker."""
    ring_cells: float = 0.3
    """How far from the middle of a cell its paper is looked for."""
    least_step: float = 0.12
    """Least difference between the two, as a channel's log of light: of dirt and creases it is less."""
    line_step: float = 0.7
    """What is so much darker than middle and ring is a line, as the same, and so is what lies beside it."""
    least_compact: float = 0.95
    """Stickers lie so near together, as :func:`geometry.compactness`; edges of shade cut off halves and corners."""
    least_share: float = 0.08
    least_paper: float = 0.06
    """Share of its cell that a sticker takes at least, and the paper beside it."""
    clear_step: float = 0.1
    clear_factor: float = 3.0
    """Where an empty cell of the board differs from its paper by so much less, most often, a difference from the first
    on is a sticker however blurred: of 5,379 empty cells under hard lights none is so, of nine stickers that looked
    empty, most of them in a haze, three are."""
    least_cells: int = 4
    """Of fewer empty cells it can't be told what is usual."""
    most_blurred: float = 0.1
    """Share of the cell, at most, that lies half way between the two: light fades more slowly than a sticker ends. It
    is 0.06 at most in bleached stickers, 0.11 and more in small cells with broad lines, on rendered photos."""


def bleached(patches: Patches, empty: BoolArray, settings: BleachedSettings) -> BoolArray:
    """In which boxes a compact patch in the middle differs from what is round it, be it ever so much like paper.

    So it must against what most empty boxes show in the same places, too: broad lines darken the rims of all.

    Parameters
    ----------
    patches : Patches
        Of N boxes, each a cell: of those that look empty it tells something.
    empty : ndarray of shape (N,), bool
        Which these are.
    settings : BleachedSettings

    Returns
    -------
    ndarray of shape (N,), bool
    """
    log = np.log(patches.light + _DIM)
    core = np.abs(patches.places).max(1) < settings.core_cells
    off = log - np.median(log[:, core], axis=1)[:, None]
    found = _patches_in(off, patches, empty, settings)
    if found.any() and empty.sum() >= settings.least_cells:
        found &= _patches_in(off - np.median(off[empty], axis=0), patches, empty, settings)
    return found


def _patches_in(off: FloatArray, patches: Patches, empty: BoolArray, settings: BleachedSettings) -> BoolArray:
    """In which boxes (N,) samples that differ by (N, M, 3) from the middle surround a compact patch of its colour."""
    places, judged = patches.places, patches.inside & ~patches.ink
    ring = judged & (np.abs(places).max(1) > settings.ring_cells)
    plain = judged & ~_lines(off.mean(-1), ring, settings)
    paper = _farthest(off, plain & ring)
    step = np.abs(paper).max(-1)
    along = (off * paper[:, None]).sum(-1) / np.maximum((paper**2).sum(-1), 1e-9)[:, None]
    within = plain & (along < 0.5)
    compact = compactness(within, places, 1 / len(places)) >= settings.least_compact
    sharp = (plain & (np.abs(along - 0.5) < 0.25)).mean(1) < settings.most_blurred
    share, beyond = within.mean(1), (plain & (along > 0.75)).mean(1)
    usual = np.median(step[empty]) if empty.sum() >= settings.least_cells else np.inf
    clear = step > max(settings.clear_step, settings.clear_factor * float(usual))
    found: BoolArray = (clear | ((step > settings.least_step) & sharp)) & compact
    found &= (share > settings.least_share) & (beyond > settings.least_paper)
    return found


def _lines(off: FloatArray, ring: BoolArray, settings: BleachedSettings) -> BoolArray:
    """Dark samples and those beside them, (N, M), by how far brightness (N, M) is from the middle's and the ring's."""
    order = np.sort(np.where(ring, off, np.inf), axis=1)
    around = np.take_along_axis(order, np.maximum(ring.sum(1, keepdims=True) - 1, 0) // 2, 1)
    dark = off < np.minimum(around, 0.0) - settings.line_step
    side = math.isqrt(off.shape[1])
    return beside(dark.reshape(-1, side, side)).reshape(off.shape)


_DIM = 0.01
"""Added to light before its log, so that noise in the dark does not stand out."""


def _farthest(off: FloatArray, ring: BoolArray) -> FloatArray:
    """The colour (N, 3) of those of a ring's samples (N, M) that differ most from the middle, by (N, M, 3)."""
    order = np.argsort(np.where(ring, -np.abs(off).max(-1), 1.0), axis=1)
    most = np.minimum(ring.sum(1) * _FAR, _MOST_FAR * ring.shape[1])  # their median is half way
    some = (most[:, None] / 2 + np.arange(_MEAN_OF)).astype(np.intp)
    rows = np.arange(len(off))[:, None]
    return np.asarray(off[rows, order[rows, some]].mean(1) * (ring.sum(1) > _MEAN_OF)[:, None], np.float64)


_FAR, _MOST_FAR = 0.4, 0.15
"""Share of a ring that differs most, and at most of the samples of a cell: its corners beside a disk or a square."""
_MEAN_OF = 5
"""Samples whose mean is a colour."""
