"""What colour the paper itself has, white, cream or brown, by the stickers on it: they must come out as the palette's.

Under a photo's unknown light brown paper looks like white paper by a lamp, but the stickers on it don't: against white
paper a yellow one reflects as much red as the paper and a tenth of the blue, against brown paper twice the red and
half of the blue.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poradek_vision.cells.samples import WHITE, Patches
from poradek_vision.colour import FloatArray, lab_from_reflectance, reflectance_from_lab
from poradek_vision.model import Palette


@dataclass(frozen=True, slots=True)
class StockSettings:
    """Numbers of guessing the paper's own colour, each with its unit; checked on 60 rendered hand-made boards.

    A paper is told by how far it goes from blue to yellow, as log(R / B), and from magenta to green, as
    log(G / sqrt(R B)), and by the log of its strongest channel, all against white paper.
    """

    yellow: tuple[float, float, float] = (-0.08, 0.0, 0.5)
    darkest: tuple[float, float, float] = (-0.5, 0.0, 0.08)
    green: tuple[float, float] = (0.11, 0.06)
    """How usual papers are: to yellow and to dark the deviations below and above the middle one; to green what a paper
    has of it by how yellow it is, and the deviation from that. White paper, cream, recycled and wrapping paper lie at
    yellows of 0, 0.2, 0.25 and 1.2, and at 0, 0, -0.35 and -0.7 of the strongest channel."""
    palette_deviation: tuple[float, float, float] = (12.0, 9.0, 9.0)
    """How far stickers of other makes lie from the palette's besides its own spread, L, a, b."""
    farthest: float = 16.0
    """No sticker counts for more than this, squared deviations."""
    clipped_share: float = 0.5
    brighter: tuple[float, ...] = (1.0, 1.5, 2.5)
    """A channel that has clipped in such a share of a sticker may have been brighter by these factors."""
    most_cells: int = 48
    least_share: float = 0.5
    """A cell counts if so much of its core is not paper."""


def fit_stock(patches: Patches, palette: Palette, settings: StockSettings) -> FloatArray:
    """The colour of the paper that explains the stickers best.

    1. The reflectances, against the paper, of all cells that do not show it.
    2. Every paper of a coarse table: how far the colours, times the paper's, lie from the palette, and how unusual
       the paper is.
    3. The best one is refined by halving steps.

    Parameters
    ----------
    patches : Patches
        Of all cells, cut against the paper.
    palette : Palette
    settings : StockSettings

    Returns
    -------
    ndarray of shape (3,)
        Reflectance of the paper against white paper; that of white paper where no cell has a sticker.

    References
    ----------
    Finlayson, Hordley & Hubel, Color by correlation, IEEE Trans. PAMI 23 (2001): of all lights that may be, the one
    under which what is seen is most usual.
    """
    colours = _sticker_colours(patches, settings)
    if not colours.size:
        return WHITE
    papers, step = _table(_COARSE), np.array([0.2, 0.1, 0.2])
    best = papers[_cost(papers, colours, palette, settings).argmin()]
    for _ in range(_HALVINGS):
        step = step / 2
        papers = best + _table((_AROUND, _AROUND, _AROUND)) * step
        best = papers[_cost(papers, colours, palette, settings).argmin()]
    stock: FloatArray = _reflectance(best[None])[0]
    return stock


_HALVINGS = 2
_AROUND = np.array([-1.0, 0.0, 1.0])
_COARSE = (np.linspace(-0.2, 1.6, 10), np.linspace(-0.1, 0.2, 4), np.linspace(-1.4, 0.2, 9))
"""Papers that are tried, to yellow, green and dark."""


def _table(axes: tuple[FloatArray, FloatArray, FloatArray]) -> FloatArray:
    """All (M, 3) combinations of values along three axes."""
    table: FloatArray = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3)
    return table


def _sticker_colours(patches: Patches, settings: StockSettings) -> FloatArray:
    """Reflectances (K, N, 3) against the paper of some cells that do not show it.

    Where a channel has clipped it may have been brighter: each such cell has K of them.
    """
    judged = ~patches.ink & patches.inside & (patches.window > 0.3)
    shown = judged & ~patches.paper
    cells = np.flatnonzero(shown.sum(1) > settings.least_share * np.maximum(judged.sum(1), 1))
    cells = cells[:: max(1, -(-len(cells) // settings.most_cells))]
    colours = reflectance_from_lab(np.array([np.median(patches.lab[k, shown[k]], 0) for k in cells]).reshape(-1, 3))
    clipped = np.array([patches.clipped[k, shown[k]].mean(0) > settings.clipped_share for k in cells]).reshape(-1, 3)
    brighter = settings.brighter if clipped.any() else (1.0,)
    return np.stack([np.where(clipped, factor, 1.0) * colours for factor in brighter])


def _reflectance(papers: FloatArray) -> FloatArray:
    """Reflectances (M, 3) of papers (M, 3) told by yellow, green and strongest channel."""
    yellow, green, strongest = papers.T
    logs = np.stack([yellow / 2, green, -yellow / 2], -1)
    reflectance: FloatArray = np.exp(logs - logs.max(1, keepdims=True) + strongest[:, None])
    return reflectance


def _cost(papers: FloatArray, colours: FloatArray, palette: Palette, settings: StockSettings) -> FloatArray:
    """How badly each paper (M, 3) explains the stickers' colours (K, N, 3), in squared deviations.

    Each colour of the palette counts once, by the mean of the cells that are nearest to it: its stickers are all of
    one make.
    """
    lab = lab_from_reflectance(colours[:, None] * _reflectance(papers)[:, None])
    apart = np.stack([_deviation(lab, entry.centre, entry.spread, settings) for entry in palette.entries], -1).min(0)
    nearest, least = apart.argmin(-1), np.minimum(apart.min(-1), settings.farthest)
    cost = _unusual(papers, settings)
    for colour in range(apart.shape[-1]):
        count = (nearest == colour).sum(1)
        cost += (least * (nearest == colour)).sum(1) / (count + 1)
    return cost


def _deviation(lab: FloatArray, centre: object, spread: object, settings: StockSettings) -> FloatArray:
    """Squared Mahalanobis distance (...) of CIELAB values (..., 3) from a colour."""
    inverse = np.linalg.inv(np.asarray(spread) + np.diag(np.square(settings.palette_deviation)))
    away = lab - np.asarray(centre)
    squared: FloatArray = ((away @ inverse) * away).sum(-1)
    return squared


def _unusual(papers: FloatArray, settings: StockSettings) -> FloatArray:
    """How unusual papers (M, 3) are, in squared deviations."""
    yellow, green, strongest = papers.T
    slope, deviation = settings.green
    cost: FloatArray = ((green - slope * yellow) / deviation) ** 2
    for value, (below, middle, above) in ((yellow, settings.yellow), (strongest, settings.darkest)):
        cost = cost + ((value - middle) / np.where(value < middle, below, above)) ** 2
    return cost
