"""Whether what looks like a sticker ends at its cell's border, as stickers do, or runs on where only paper can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poradek_vision.cells.light import Lit
from poradek_vision.cells.samples import Samples, shows_colour
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
    rim_cells: tuple[float, float] = (0.37, 0.44)
    """Where a rim of the cell itself is looked at: a sticker that overlaps one border leaves paper at the other."""
    across_cells: float = 0.2
    """How far to both sides of that."""
    least_tone: float = 0.3
    """A sticker differs by more from the paper beside it, as a log of red or blue light against green: of 7,584 under
    hard lights all but two faded ones do, of 11 empty cells that two lights made look like stickers four."""
    most_step: float = 0.4
    """What differs by more in brightness, as the mean of the logs of the channels, is no paper running on."""
    same_tone: float = 0.06
    same_step: float = 0.25
    """Paper whose middle differs by less from paper beside it bears no sticker, whatever the light: a glare that makes
    a sticker's tone so like paper's lays ten times paper's light over it."""
    near_cells: tuple[float, float] = (0.57, 0.67)
    same_light: float = 0.05
    """What has the same light at its rim and so far from its middle, over the line, as a channel's log, goes on there:
    of bleached stickers it differs by twice as much at least, or they are not seen at all."""


def runs_on(lit: Lit, cells: Sequence[CellReading], samples: Samples, cols: int, settings: EdgeSettings) -> BoolArray:
    """Which cells look like stickers and show no other tone than the paper beside them.

    Where two lamps, or a lamp and a window, tint one board in two ways, paper looks like a sticker; but a sticker's
    tone ends with it, that of a light goes on over the line.

    1. ``core``: the light in the middle of each sticker; ``steps``: from there to that in each neighbour that is empty,
       or outside the grid.
    2. A step counts where the opposite rim of the cell is like its core, too, lest a sticker that overlaps a border be
       taken for paper. The mean of the steps to opposite sides leaves a slope of light out.
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
    colours = np.array([cell.colour for cell in cells])
    core = _core(lit, samples, cols, settings)
    beyond, there = _beyond(lit, len(cells), cols, settings)
    free = (there < 0) | (colours[there] == EMPTY)
    steps = np.where(free[..., None], beyond - core, np.nan)
    opposite = (steps[:2] + steps[2:]) / 2
    least = settings.least_tone, settings.most_step
    linked = _alike(steps, *least)
    if linked.any():
        linked &= _alike(_far_rim(lit, cols, core, settings) - core, *least)
    found = (linked.any(0) | _alike(opposite, *least).any(0)) & (colours != EMPTY)
    same = (colours[:, None] == colours) & _alike(core[:, None] - core, *least)
    as_doubtful: BoolArray = (same & found).any(1)
    return as_doubtful


def is_paper(lit: Lit, cells: Sequence[CellReading], samples: Samples, cols: int, settings: EdgeSettings) -> BoolArray:
    """Which empty cells are surely paper, however strange its light: they go on from paper whose light is not.

    Of what is no brighter than a photo can show the tone tells; of all that shows no trace of colour the very light.

    Parameters
    ----------
    lit, cells, samples, cols, settings
        As of :func:`runs_on`.

    Returns
    -------
    ndarray of shape (N,), bool
    """
    empty = np.array([cell.colour == EMPTY for cell in cells])
    core = _light(lit, _middles(len(cells), cols)[:, None] + _square(settings.core_cells))
    beyond, there = _beyond(lit, len(cells), cols, settings)
    linked = _alike(beyond - core, settings.same_tone, settings.same_step) & empty & (samples.clipped.max(1) < _CLIPPED)
    sure = np.array([not cell.flags for cell in cells])
    plain = empty & ~sure & ~shows_colour(samples)
    paper: BoolArray = _joined(linked, there, empty & sure) | (plain & goes_over(lit, cells, plain, cols, settings))
    return paper


def goes_over(
    lit: Lit, cells: Sequence[CellReading], suspect: BoolArray, cols: int, settings: EdgeSettings
) -> BoolArray:
    """Which cells have, over one of their lines, the very light of their middle, where no sticker can be.

    A bleached sticker ends within its cell, and so does a glare on one; beyond the line paper lies. Shade and sun go on
    there.

    Parameters
    ----------
    lit : Lit
    cells : sequence of CellReading
        All N of a board, row by row.
    suspect : ndarray of shape (N,), bool
        The empty cells that may bear such a sticker.
    cols : int
    settings : EdgeSettings

    Returns
    -------
    ndarray of shape (N,), bool
    """
    middles, some = _middles(len(cells), cols), np.flatnonzero(suspect)
    ways = (*_WAYS, *_DIAGONALS)
    core = _light(lit, middles[some, None] + _square(settings.core_cells))
    even = np.zeros((len(ways), len(cells)), np.bool_)
    even[:, some] = True
    for along in (settings.near_cells, settings.rim_cells):
        there = np.concatenate([_strips(along, settings), _corners(along)])
        step = _light(lit, middles[some, None] + there[:, None]) - core
        even[:, some] &= np.abs(step).max(-1) < settings.same_light
    sure = np.array([not cell.flags for cell in cells]) & ~suspect
    return _joined(even, _neighbours(middles, cols, ways), sure)


def _joined(linked: BoolArray, there: npt.NDArray[np.intp], paper: BoolArray) -> BoolArray:
    """Which cells (N,) are paper, or linked (ways, N) to what lies outside the grid or to paper, be it over others."""
    for _ in range(len(paper)):
        more = paper | (linked & ((there < 0) | paper[there])).any(0)
        if (more == paper).all():
            break
        paper = more
    return paper


_WAYS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Steps (u, v) to the four neighbours, opposite ones two apart."""
_DIAGONALS = ((1, 1), (-1, 1), (-1, -1), (1, -1))
"""Steps (u, v) over the corners."""
_EACH_WAY = 5
"""Samples along each side of what is looked at."""
_FEWEST = 5
"""Samples that must be seen of them."""
_DIM = 0.01
"""Added to light before its log, so that noise in the dark does not stand out."""
_CLIPPED = 0.05
"""Share of a core in which a channel may be as bright as a photo can show: what clips may have any tone."""


def _core(lit: Lit, samples: Samples, cols: int, settings: EdgeSettings) -> FloatArray:
    """The log of the light (N, 3) about the middle of the colour that each cell shows most."""
    each = np.arange(len(samples.share))
    middle = np.nan_to_num(samples.centre[each, 1 + samples.share[:, 1:].argmax(1)])
    return _light(lit, (_middles(len(each), cols) + middle)[:, None] + _square(settings.core_cells))


def _beyond(lit: Lit, count: int, cols: int, settings: EdgeSettings) -> tuple[FloatArray, npt.NDArray[np.intp]]:
    """The log of the light (4, N, 3) beyond the sides of N cells, and whose it is there (4, N): -1 outside the grid."""
    middles = _middles(count, cols)
    there = _neighbours(middles, cols, _WAYS)
    strips = np.where(
        (there < 0)[..., None, None],
        _strips(settings.outside_cells, settings)[:, None],
        _strips(settings.beside_cells, settings)[:, None],
    )
    return _light(lit, middles[:, None] + strips), there


def _neighbours(middles: FloatArray, cols: int, ways: Sequence[tuple[int, int]]) -> npt.NDArray[np.intp]:
    """Which cells (ways, N) lie one step away from those with such middles (N, 2): -1 outside the grid."""
    u, v = np.moveaxis(np.floor(middles + np.array(ways)[:, None]), -1, 0).astype(np.intp)
    outside = (u < 0) | (u >= cols) | (v < 0) | (v >= len(middles) // cols)
    return np.where(outside, -1, v * cols + u)


def _far_rim(lit: Lit, cols: int, core: FloatArray, settings: EdgeSettings) -> FloatArray:
    """The log of the light (4, N, 3) just within the side of each cell that lies opposite to each way."""
    middles = _middles(len(core), cols)
    return _light(lit, middles[:, None] - _strips(settings.rim_cells, settings)[:, None])


def _middles(count: int, cols: int) -> FloatArray:
    """The middles (N, 2) of cells, u and v, row by row."""
    v, u = np.divmod(np.arange(count), cols)
    return np.stack([u, v], 1) + 0.5


def _square(half: float) -> FloatArray:
    """Places (M, 2) all over a square of so many cells, from its middle."""
    side = np.linspace(-half, half, _EACH_WAY)
    return np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)


def _strips(along: tuple[float, float], settings: EdgeSettings) -> FloatArray:
    """Places (4, M, 2) that lie so far away each way."""
    across = np.linspace(-settings.across_cells, settings.across_cells, _EACH_WAY)
    right = np.stack(np.meshgrid(np.linspace(*along, _EACH_WAY), across), -1).reshape(-1, 2)
    down = right[:, ::-1]
    return np.stack([right, down, -right, -down])


def _corners(along: tuple[float, float]) -> FloatArray:
    """Places (4, M, 2) that lie so far away along both axes."""
    side = np.linspace(*along, _EACH_WAY)
    square = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
    return np.array(_DIAGONALS)[:, None] * square


def _light(lit: Lit, places: FloatArray) -> FloatArray:
    """The log of the median light (..., 3) at places (..., M, 2), u and v; NaN where little is seen."""
    pitch = lit.u[0, 1] - lit.u[0, 0]
    at = np.rint((places - (lit.u[0, 0], lit.v[0, 0])) / pitch).astype(np.intp)
    col, row = (np.clip(at[..., k], 0, lit.u.shape[1 - k] - 1) for k in (0, 1))
    seen = lit.inside[row, col] & ~lit.ink[row, col]
    light = np.where(seen[..., None], lit.reflectance[row, col] * lit.white[row, col], np.inf)
    order = np.sort(np.ascontiguousarray(np.moveaxis(light, -1, -2), np.float32), axis=-1)
    count = seen.sum(-1)
    middle = np.take_along_axis(order, np.maximum(count - 1, 0)[..., None, None] // 2, -1)[..., 0]
    return np.where((count < _FEWEST)[..., None], np.nan, np.log(middle + _DIM))


def _alike(steps: FloatArray, tone: float, brightness: float) -> BoolArray:
    """Which steps (..., 3) of light are less than so much, in tone and in brightness."""
    in_tone = np.maximum(np.abs(steps[..., 0] - steps[..., 1]), np.abs(steps[..., 2] - steps[..., 1]))
    alike: BoolArray = (in_tone < tone) & (np.abs(steps.mean(-1)) < brightness)
    return alike
