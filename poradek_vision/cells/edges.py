"""Whether what looks like a sticker ends at its cell's border, as stickers do, or runs on where only paper can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poradek_vision.cells.light import Lit
from poradek_vision.cells.samples import Samples
from poradek_vision.colour import BoolArray, FloatArray
from poradek_vision.model import EMPTY, CellReading


@dataclass(frozen=True, slots=True)
class EdgeSettings:
    """Numbers of telling stickers by their edges, each with its unit; lengths from the middle of a cell, cells."""

    core_cells: float = 0.12
    """Half the side of what is taken for the sticker, about the middle of its colour."""
    beside_cells: tuple[float, float] = (0.66, 0.92)
    outside_cells: tuple[float, float] = (0.58, 0.74)
    """Where paper is looked at, in an empty neighbour, beyond what overlaps from here, and outside the grid."""
    across_cells: float = 0.2
    """How far to both sides of that."""
    least_tone: float = 0.3
    """A sticker differs by more from the paper beside it, as a log of red or blue light against green: of 7,584 under
    hard lights all but two faded ones do, of 11 empty cells that two lights made look like stickers four."""
    most_step: float = 0.4
    """What differs by more in brightness, as the mean of the logs of the channels, is no paper running on."""


def runs_on(lit: Lit, cells: Sequence[CellReading], samples: Samples, cols: int, settings: EdgeSettings) -> BoolArray:
    """Which cells look like stickers and show no other tone than the paper beside them.

    Where two lamps, or a lamp and a window, tint one board in two ways, paper looks like a sticker; but a sticker's
    tone ends with it, that of a light goes on over the line.

    1. ``core``: the light in the middle of each sticker; ``beyond``: that in each neighbour that is empty, or outside.
    2. The steps between the two, and the mean of those to opposite sides, which a slope of light leaves out.
    3. Cells of the same colour as such a one, and as like it, are as doubtful, wherever they lie.

    Parameters
    ----------
    lit : Lit
    cells : sequence of CellReading
        All N of a board, row by row.
    samples : Samples
        Theirs.
    cols : int
    settings : EdgeSettings

    Returns
    -------
    ndarray of shape (N,), bool
    """
    colours = np.array([cell.colour for cell in cells]).reshape(-1, cols)
    core = _core(lit, samples, cols, settings)
    steps = np.stack([_beyond(lit, colours, way, settings) for way in _WAYS]) - core
    opposite = (steps[:2] + steps[2:]) / 2
    alike = _alike(np.concatenate([steps, opposite]), settings).any(0)
    found: BoolArray = alike & (colours.ravel() != EMPTY)
    same = (colours.ravel()[:, None] == colours.ravel()) & _alike(core[:, None] - core, settings)
    as_doubtful: BoolArray = (same & found).any(1)
    return as_doubtful


_WAYS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Steps (u, v) to the four neighbours, opposite ones two apart."""
_EACH_WAY = 5
"""Samples along each side of what is looked at."""
_FEWEST = 5
"""Samples that must be seen of them."""
_DIM = 0.01
"""Added to light before its log, so that noise in the dark does not stand out."""


def _core(lit: Lit, samples: Samples, cols: int, settings: EdgeSettings) -> FloatArray:
    """The log of the light (N, 3) about the middle of the colour that each cell shows most."""
    each = np.arange(len(samples.share))
    middle = np.nan_to_num(samples.centre[each, 1 + samples.share[:, 1:].argmax(1)])
    v, u = np.divmod(each, cols)
    side = np.linspace(-settings.core_cells, settings.core_cells, _EACH_WAY)
    return _light(lit, np.stack([u, v], 1) + 0.5 + middle, side, side)


def _beyond(lit: Lit, colours: npt.NDArray[np.str_], way: tuple[int, int], settings: EdgeSettings) -> FloatArray:
    """The log of the light (N, 3) beyond one side of each cell; NaN where a sticker lies there."""
    rows, cols = colours.shape
    v, u = (axis.ravel() for axis in np.indices(colours.shape))
    there_u, there_v = u + way[0], v + way[1]
    outside = (there_u < 0) | (there_u >= cols) | (there_v < 0) | (there_v >= rows)
    free = outside | (colours[np.clip(there_v, 0, rows - 1), np.clip(there_u, 0, cols - 1)] == EMPTY)
    beyond = np.full((len(u), 3), np.nan)
    across = np.linspace(-settings.across_cells, settings.across_cells, _EACH_WAY)
    for some, (near, far) in ((outside, settings.outside_cells), (free & ~outside, settings.beside_cells)):
        along = np.linspace(near, far, _EACH_WAY) * sum(way)
        x, y = (along, across) if way[0] else (across, along)
        beyond[some] = _light(lit, np.stack([u, v], 1)[some] + 0.5, x, y)
    return beyond


def _light(lit: Lit, places: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """The log of the median light (N, 3) on a lattice of x and y about places (N, 2); NaN where little is seen."""
    around = np.stack(np.meshgrid(x, y), -1).reshape(-1, 2)
    pitch = lit.u[0, 1] - lit.u[0, 0]
    at = np.rint((places[:, None] + around - (lit.u[0, 0], lit.v[0, 0])) / pitch).astype(np.intp)
    col, row = (np.clip(at[..., k], 0, lit.u.shape[1 - k] - 1) for k in (0, 1))
    seen = lit.inside[row, col] & ~lit.ink[row, col]
    light = np.log(lit.reflectance[row, col] * lit.white[row, col] + _DIM)
    order = np.sort(np.where(seen[..., None], light, np.inf), axis=1)
    count = seen.sum(1)
    middle = np.take_along_axis(order, np.maximum(count - 1, 0)[:, None, None] // 2, 1)[:, 0]
    return np.where((count < _FEWEST)[:, None], np.nan, middle)


def _alike(steps: FloatArray, settings: EdgeSettings) -> BoolArray:
    """Which steps (..., 3) of light are no edges of a sticker."""
    tone = np.maximum(np.abs(steps[..., 0] - steps[..., 1]), np.abs(steps[..., 2] - steps[..., 1]))
    alike: BoolArray = (tone < settings.least_tone) & (np.abs(steps.mean(-1)) < settings.most_step)
    return alike
