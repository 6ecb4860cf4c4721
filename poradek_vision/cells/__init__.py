"""What is in each cell: a rectified board becomes samples, samples become a colour, or empty paper, or a doubt.

All colours are judged as reflectances against the paper white of the same place (see :mod:`colour`). ``light`` and
``paper`` find that white, ``stock`` the paper's own colour; ``patches`` are cells cut out, ``samples`` compares them,
by ``shades``, with the palette that ``adapt`` has moved to the photo; ``judging`` and ``exposure`` decide, ``sizes``,
``bleached`` and ``edges`` tell small and pale stickers, and paper that a light has tinted, ``fellows`` leaves.
``batch`` looks again at all boards of a camera; ``card`` and ``separation`` are for calibration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from poradek_vision.cells.adapt import Adapted, AdaptSettings, adapt
from poradek_vision.cells.batch import judge_together
from poradek_vision.cells.batch_colours import BatchSettings, JudgedBoard
from poradek_vision.cells.bleached import BleachedSettings, bleached
from poradek_vision.cells.card import CardSettings, known_cells, swapped_rows
from poradek_vision.cells.edges import EdgeSettings, goes_over, is_paper, runs_on
from poradek_vision.cells.exposure import ExposureSettings, washed_out
from poradek_vision.cells.fellows import FellowSettings, like_doubtful, unlike_fellows
from poradek_vision.cells.judging import (
    JudgingSettings,
    doubted,
    have_prints,
    in_doubtful_company,
    judge,
    lifted,
    plain_lab,
)
from poradek_vision.cells.light import LightSettings, Lit, divide_light
from poradek_vision.cells.patches import cut, grid_boxes
from poradek_vision.cells.samples import in_usual_light, sample, show, shows_colour
from poradek_vision.cells.separation import SeparationSettings, like_paper, separations
from poradek_vision.cells.shades import WHITE, SampleSettings
from poradek_vision.cells.sizes import SizeSettings, has_spot, sticker_scale
from poradek_vision.cells.stock import Stock, StockSettings, fit_stock
from poradek_vision.model import EMPTY, BoardLook, CellReading, Flag, KnownCell, Palette, Point, Rectified

__all__ = [
    "BatchSettings",
    "CellSettings",
    "JudgedBoard",
    "SeenCells",
    "judge_together",
    "learn_cells",
    "read_cells",
    "separations",
    "swapped_rows",
]


@dataclass(frozen=True, slots=True)
class CellSettings:
    """Numbers of judging cells, each with its unit; those of its steps in their own records."""

    light: LightSettings = field(default_factory=LightSettings)
    samples: SampleSettings = field(default_factory=SampleSettings)
    stock: StockSettings = field(default_factory=StockSettings)
    sizes: SizeSettings = field(default_factory=SizeSettings)
    adapt: AdaptSettings = field(default_factory=AdaptSettings)
    card: CardSettings = field(default_factory=CardSettings)
    separation: SeparationSettings = field(default_factory=SeparationSettings)
    exposure: ExposureSettings = field(default_factory=ExposureSettings)
    bleached: BleachedSettings = field(default_factory=BleachedSettings)
    edges: EdgeSettings = field(default_factory=EdgeSettings)
    fellows: FellowSettings = field(default_factory=FellowSettings)
    judging: JudgingSettings = field(default_factory=JudgingSettings)
    px_per_cell: int = 16
    """Samples along a cell."""
    margin_cells: float = 0.75
    """What must be seen round the grid."""


@dataclass(frozen=True, slots=True)
class SeenCells:
    """The cells of a board row by row, the palette adapted to its photo, and what light does to its colours."""

    cells: tuple[CellReading, ...]
    palette: Palette
    look: BoardLook


def read_cells(
    rectified: Rectified,
    rows: int,
    cols: int,
    framed: bool,
    key: tuple[Point, ...],
    palette: Palette,
    settings: CellSettings,
) -> SeenCells:
    """Judge every cell of a rectified board.

    1. Light: paper white is found everywhere and divided out; on a board without a frame the paper may be of any
       colour, which the stickers tell.
    2. Samples with the palette given; from them and the colour key a palette for this photo.
    3. Samples with that palette, and a judgement of each cell; one whose colour is strange to the palette is in
       doubt, and an empty one where stickers are washed out. With stickers like paper, such as white ones, all cells
       that show either are.

    Parameters
    ----------
    rectified : Rectified
        The grid with at least ``settings.margin_cells`` round it, at ``settings.px_per_cell``.
    rows, cols : int
    framed : bool
        Whether a ruler frame and fiducials are printed round the grid.
    key : tuple of (u, v)
        Top-left corners of the colour key's boxes, cells, in the palette's order; empty where there are none.
    palette : Palette
        With the game's colours in the game's order.
    settings : CellSettings

    Returns
    -------
    SeenCells
    """
    lit = divide_light(rectified, rows, cols, framed, settings.light)
    boxes, how = grid_boxes(rows, cols), settings.samples
    some = cut(lit, boxes, how, step=2)
    scale = sticker_scale(some, settings.sizes)
    step = 2 if scale == 1 else 1
    if step == 1:
        some = cut(lit, boxes, how)
    stock = Stock(WHITE) if framed else fit_stock(some, palette, settings.stock.scaled(scale))
    keys = show(cut(lit, np.array(key), how, step=2), palette, how) if key else None
    shown = show(some if framed else cut(lit, boxes, how, step, stock.paper), palette, how)
    adapted = adapt(palette, shown, keys, settings.adapt.scaled(scale))
    patches = cut(lit, boxes, how, stock=stock.paper)
    samples = sample(patches, adapted.palette, how)
    judging = settings.judging.scaled(scale)
    cells = judge(samples, cols, adapted.palette, how, judging)
    if any(cell.flags and cell.colour == EMPTY for cell in cells):
        paper = is_paper(lit, cells, samples, cols, settings.edges)
        cells = judge(in_usual_light(samples, paper), cols, adapted.palette, how, judging)
    spots = has_spot(samples, settings.sizes) & [cell.colour == EMPTY for cell in cells]
    cells = doubted(cells, spots.tolist(), Flag.UNEVEN_CORE, settings.judging)
    dazzling = lifted(cells, samples, settings.judging)
    dazzling &= shows_colour(samples) | ~goes_over(lit, cells, dazzling, cols, settings.edges)
    cells = doubted(cells, dazzling.tolist(), Flag.GLARE, settings.judging)
    empty = np.array([cell.colour == EMPTY and not cell.flags for cell in cells])
    pale = bleached(patches, empty, settings.bleached) & empty
    pale &= ~goes_over(lit, cells, pale, cols, settings.edges)
    cells = doubted(cells, pale.tolist(), Flag.LOW_MARGIN, settings.judging)
    stuck = np.array([cell.colour != EMPTY for cell in cells])
    endless = runs_on(lit, cells, samples, cols, settings.edges) & ~have_prints(samples, stuck, settings.judging)
    cells = doubted(cells, endless.tolist(), Flag.LOW_MARGIN, settings.judging)
    odd = unlike_fellows(cells, samples, adapted.palette, settings.fellows)
    cells = doubted(cells, odd.tolist(), Flag.UNLIKE_FELLOWS, settings.judging)
    washed = washed_out(cells, samples, palette, settings.exposure)
    papery = like_paper(palette, stock.paper, how, settings.separation)
    papery = papery | {EMPTY} if papery else papery
    cells = doubted(cells, [cell.colour in papery for cell in cells], Flag.LOW_MARGIN, settings.judging)
    strange = [cell.colour in adapted.strange | stock.doubtful for cell in cells]
    cells = doubted(cells, strange, Flag.STRANGE_LIGHT, settings.judging)
    cells = doubted(cells, washed.tolist(), Flag.OVEREXPOSED, settings.judging)
    alike = in_doubtful_company(cells, settings.judging) | like_doubtful(
        cells, samples, adapted.palette, settings.fellows
    )
    cells = doubted(cells, alike.tolist(), Flag.LOW_MARGIN, settings.judging)
    return SeenCells(cells, adapted.palette, _look(lit, stock, adapted))


def _look(lit: Lit, stock: Stock, adapted: Adapted) -> BoardLook:
    """What light does to a board's colours, to four digits."""
    light, paper = (
        (float(r), float(g), float(b)) for r, g, b in (np.median(lit.white, (0, 1)).round(4), stock.paper.round(4))
    )
    return BoardLook(light, paper, tuple((code, plain_lab(seen)) for code, seen in adapted.key.items()))


def learn_cells(
    rectified: Rectified,
    size: tuple[int, int],
    framed: bool,
    codes: Sequence[str],
    prior: Palette,
    settings: CellSettings,
) -> tuple[KnownCell, ...]:
    """What the cells of a rectified board show whose colours are known, and which not to learn from.

    Parameters
    ----------
    rectified : Rectified
        As for :func:`read_cells`.
    size : (int, int)
        Rows and columns.
    framed : bool
        Whether a ruler frame and fiducials are printed round the grid.
    codes : sequence of str
        The colour of each cell, row by row; ``"."`` leaves one out.
    prior : Palette
        What the colours roughly look like.
    settings : CellSettings
    """
    rows, cols = size
    lit = divide_light(rectified, rows, cols, framed, settings.light)
    boxes, how = grid_boxes(rows, cols), settings.samples
    stock = Stock(WHITE) if framed else fit_stock(cut(lit, boxes, how, step=2), prior, settings.stock)
    patches = cut(lit, boxes, how, stock=stock.paper)
    return known_cells(patches, codes, cols, prior, settings.samples, settings.card)
