"""How strong a board's lines are in each place: glare, blur along one way, or a dry pen leaves some of them pale."""

from __future__ import annotations

import numpy as np

from poradek_vision.find.ruled.evidence import Evidence
from poradek_vision.find.ruled.lattice import Place
from poradek_vision.find.ruled.looks import in_cells
from poradek_vision.find.ruled.trace import Trace
from poradek_vision.geometry import FloatArray

_PALEST = 0.12
"""Least strength, as a share of the pen's usual ink."""
_NOISES = 3.0
"""The same in times of what is dark in the middle of cells: ruled paper, grain and dirt are no lines."""
_MIDDLE, _DARKEST = np.linspace(0.2, 0.8, 9), 0.95
"""Where the noise of a cell is looked for, cells, and the share of places there that are paler than it."""
_MOST_CELLS = 0.75
"""Share of the cells that are less noisy than what is taken for those that a sticker fills."""


def strength(evidence: Evidence, place: Place, seen: Trace, before: FloatArray) -> FloatArray:
    """How dark each piece of a board's lines is, against the pen's usual ink.

    Lines fade bit by bit: what is pale between two dark pieces of its line, or after the last one, is a sticker's rim
    or a crease, so that a piece is as dark as the paler of its neighbours at least.

    Parameters
    ----------
    evidence : Evidence
    place : Place
        Board cells to work px.
    seen : Trace
        The board's lines as traced.
    before : ndarray of shape (L, N)
        The strength with which they were.

    Returns
    -------
    ndarray of shape (L, N)
        Above 0; 1 where they are as dark as usual, and where nothing tells.
    """
    size = before.shape[1]
    bare, ink = seen.by_cell(seen.hidden) < 0.5, seen.by_cell(seen.ink) * before[..., None]
    own = np.median(np.where(bare, ink, 0.0), axis=2)
    known = np.where(bare.mean(2) < 0.5, np.inf, own)
    beside = np.minimum(_last_known(known), _last_known(known[:, ::-1])[:, ::-1])
    told = np.maximum(own, np.minimum(beside, 1.0))
    inside = in_cells(evidence.ink, place, (0, size, 0, size), _MIDDLE)
    noise = np.quantile(inside.astype(np.float64), _DARKEST, axis=-1)
    found: FloatArray = np.where(told > np.maximum(_NOISES * _round_pieces(noise), _PALEST), told, 1.0)
    return found


def _last_known(pieces: FloatArray) -> FloatArray:
    """Of pieces (L, N) of lines the one before each, or before that, that is known; infinity where none is."""
    before = np.full_like(pieces, np.inf)
    for k in range(1, pieces.shape[1]):
        before[:, k] = np.where(np.isfinite(pieces[:, k - 1]), pieces[:, k - 1], before[:, k - 1])
    return before


def _round_pieces(cells: FloatArray) -> FloatArray:
    """The larger of the values (N, N) of the cells on both sides of each piece of line, (L, N), and most others."""
    framed = np.maximum(np.pad(cells, 1), np.quantile(cells, _MOST_CELLS))
    across = np.maximum(framed[1:-1, :-1], framed[1:-1, 1:])
    return np.concatenate([across.T, np.maximum(framed[:-1, 1:-1], framed[1:, 1:-1])])
