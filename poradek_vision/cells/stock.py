"""What colour the paper itself has, white, cream or brown, by the stickers on it: they must come out as the palette's.

Under a photo's unknown light brown paper looks like white paper by a lamp, but the stickers on it don't: against white
paper a yellow one reflects as much red as the paper and a tenth of the blue, against brown paper twice the red and
half of the blue.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from poradek_vision.cells.patches import Patches
from poradek_vision.cells.shades import WHITE
from poradek_vision.colour import FloatArray, lab_from_reflectance, reflectance_from_lab, strongest
from poradek_vision.model import Palette


@dataclass(frozen=True, slots=True)
class StockSettings:
    """Numbers of guessing the paper's own colour, each with its unit; checked on 60 rendered hand-made boards.

    A paper is told by how far it goes from blue to yellow, as log(R / B), and from magenta to green, as
    log(G / sqrt(R B)), and by the log of its strongest channel, all against white paper.
    """

    usual: tuple[tuple[float, float, float], ...] = (
        (0.0, 0.0, 0.0), (0.2, -0.05, 0.0), (0.25, -0.35, 0.5), (0.0, -0.55, 1.0), (0.7, -0.5, 1.5), (1.2, -0.75, 1.5)
    )  # fmt: skip
    """Yellow and strongest channel of white, cream, recycled and grey paper, of cardboard and wrapping paper, and how
    unusual each is, squared deviations."""
    deviation: tuple[float, float] = (0.25, 0.25)
    """How far a paper lies from the nearest of these, in yellow and strongest channel."""
    brightest: float = 0.08
    """Deviation of the strongest channel above that of white paper."""
    green: tuple[float, float] = (0.11, 0.06)
    """How much green a paper has by how yellow it is, and the deviation from that."""
    palette_deviation: tuple[float, float, float] = (12.0, 9.0, 9.0)
    """How far stickers of other makes lie from the palette's besides its own spread, L, a, b."""
    too_bright: float = 0.05
    """Deviation of a sticker's strongest channel above that of white paper, as a log: nothing reflects more light than
    falls on it."""
    farthest: float = 16.0
    """No sticker counts for more than this, squared deviations."""
    clipped_share: float = 0.5
    brighter: tuple[float, ...] = (1.0, 1.5, 2.5)
    """A channel that has clipped in such a share of a sticker may have been brighter by these factors."""
    rival_cost: float = 4.0
    rival_share: float = 0.5
    """Another paper is nearly as good if it costs at most this more, squared deviations, and makes a colour doubtful
    if it changes more than this share of its stickers."""
    one_share: float = 0.85
    one_cells: int = 4
    one_cost: float = 2.5
    """Where so many stickers, and this share of all, come out as one colour that explains them so badly in the mean,
    squared deviations, it is doubtful: a brown paper may make all that is pale look blue."""
    alike_tone: float = 0.6
    """How far apart stickers of one make lie at most, as log(R / G) and log(B / G), whatever the paper."""
    most_cells: int = 48
    least_share: float = 0.5
    small_share: float = 0.25
    """A cell counts if so much of its core is not paper; where stickers are small, times what they show in."""

    def scaled(self, scale: float) -> StockSettings:
        """The same for stickers that show in so much less of their cells."""
        return replace(self, least_share=scale * self.small_share) if scale < 1 else self


@dataclass(frozen=True, slots=True, eq=False)
class Stock:
    """The paper's own reflectance against white paper, (3,), and the colours that another paper would make others."""

    paper: FloatArray
    doubtful: frozenset[str] = frozenset()


def fit_stock(patches: Patches, palette: Palette, settings: StockSettings) -> Stock:
    """The colour of the paper that explains the stickers best.

    1. The reflectances, against the paper, of all cells that do not show it.
    2. Every paper of a coarse table: how far the colours, times the paper's, lie from the palette, and how unusual
       the paper is.
    3. The best one is refined by halving steps. Where another paper is nearly as good under which stickers would have
       another colour, that colour is doubtful; so is one that nearly all stickers seem to have, far off.

    Parameters
    ----------
    patches : Patches
        Of all cells, cut against the paper.
    palette : Palette
    settings : StockSettings

    Returns
    -------
    Stock
        That of white paper where no cell has a sticker.

    References
    ----------
    Finlayson, Hordley & Hubel, Color by correlation, IEEE Trans. PAMI 23 (2001): of all lights that may be, the one
    under which what is seen is most usual.
    """
    colours = _sticker_colours(patches, settings)
    if not colours.size:
        return Stock(WHITE)
    weights = _weights(colours[0], settings)
    papers, step = _table(_COARSE), np.array([0.2, 0.1, 0.2])
    costs, labels = _cost(papers, colours, weights, palette, settings)
    best, least = papers[costs.argmin()], float(costs.min())
    for _ in range(_HALVINGS):
        step = step / 2
        near = best + _table((_AROUND, _AROUND, _AROUND)) * step
        cost, nearest = _cost(near, colours, weights, palette, settings)
        best, least, label = near[cost.argmin()], float(cost.min()), nearest[cost.argmin()]
    changed = labels[costs < least + settings.rival_cost] != label
    doubtful = frozenset(
        palette.entries[k].colour
        for k in np.unique(label)
        if changed[:, label == k].mean(1).max(initial=0.0) > settings.rival_share
    )
    off = (least - float(_unusual(best[None], settings)[0])) / float(weights.sum())
    return Stock(_reflectance(best[None])[0], doubtful | _only_colour(label, off, palette, settings))


def _only_colour(label: npt.NDArray[np.intp], off: float, palette: Palette, settings: StockSettings) -> frozenset[str]:
    """The one colour of which nearly all of several stickers (N,) seem to be, from which they lie so far off."""
    most = int(np.bincount(label).argmax())
    only = len(label) >= settings.one_cells and (label == most).mean() >= settings.one_share
    return frozenset({palette.entries[most].colour}) if only and off > settings.one_cost else frozenset()


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


def _weights(colours: FloatArray, settings: StockSettings) -> FloatArray:
    """What each cell's colour (N, 3) counts: all that are alike, whatever the paper, count about as one."""
    logs = np.log(np.maximum(colours, 0.05))
    tones = np.stack([logs[:, 0] - logs[:, 1], logs[:, 2] - logs[:, 1]], 1)
    alike = np.hypot(*np.moveaxis(tones[:, None] - tones, -1, 0)) < settings.alike_tone
    weights: FloatArray = 1 / (1 + alike.sum(1))
    return weights


def _cost(
    papers: FloatArray, colours: FloatArray, weights: FloatArray, palette: Palette, settings: StockSettings
) -> tuple[FloatArray, npt.NDArray[np.intp]]:
    """How badly papers explain the stickers' colours, in squared deviations, and which colours they make of them.

    Parameters
    ----------
    papers : ndarray of shape (M, 3)
    colours : ndarray of shape (K, N, 3)
    weights : ndarray of shape (N,)

    Returns
    -------
    cost : ndarray of shape (M,)
    nearest : ndarray of shape (M, N), int
        Index of the palette's entry.
    """
    reflected = colours[:, None] * _reflectance(papers)[:, None]
    lab = lab_from_reflectance(reflected)
    apart = np.stack([_deviation(lab, entry.centre, entry.spread, settings) for entry in palette.entries], -1).min(0)
    nearest, apart = apart.argmin(-1), apart.min(-1)
    bright = np.maximum(np.log(strongest(reflected).min(0)), 0) / settings.too_bright
    least = np.minimum(apart, settings.farthest) + np.minimum(bright**2, settings.farthest)
    return _unusual(papers, settings) + least @ weights, nearest


def _deviation(lab: FloatArray, centre: object, spread: object, settings: StockSettings) -> FloatArray:
    """Squared Mahalanobis distance (...) of CIELAB values (..., 3) from a colour."""
    inverse = np.linalg.inv(np.asarray(spread) + np.diag(np.square(settings.palette_deviation)))
    away = lab - np.asarray(centre)
    squared: FloatArray = ((away @ inverse) * away).sum(-1)
    return squared


def _unusual(papers: FloatArray, settings: StockSettings) -> FloatArray:
    """How unusual papers (M, 3) are, in squared deviations."""
    yellow, green, strongest = papers.T
    slope, of_green = settings.green
    of_yellow, of_strongest = settings.deviation
    kinds = [
        ((yellow - usual) / of_yellow) ** 2 + ((strongest - dark) / of_strongest) ** 2 + rare
        for usual, dark, rare in settings.usual
    ]
    cost: FloatArray = ((green - slope * yellow) / of_green) ** 2 + np.min(kinds, axis=0)
    return cost + np.where(strongest > 0, (strongest / settings.brightest) ** 2, 0.0)
