"""What the samples of each cell say: how much of it shows paper, how much each colour, and its very colour."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import numpy as np

from poradek_vision.cells.light import beside, mixed_light
from poradek_vision.cells.patches import Patches
from poradek_vision.cells.shades import SampleSettings, differences, distances
from poradek_vision.colour import (
    BoolArray,
    FloatArray,
    lab_from_reflectance,
    reflectance_from_lab,
    strongest,
)
from poradek_vision.geometry import compactness, largest_lumps, outlines
from poradek_vision.model import Palette


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """Which colours of a palette N boxes show.

    Attributes
    ----------
    share : ndarray of shape (N, 1 + colours)
        Weighted share of the core that shows paper, and each colour of the palette.
    odd : ndarray of shape (N,)
        Weighted share of the core that is no colour of the palette.
    lab : ndarray of shape (N, 1 + colours, 3)
        Mean CIELAB of the samples of each class; NaN where there are hardly any.
    """

    share: FloatArray
    odd: FloatArray
    lab: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Samples(Shown):
    """What the cells of a grid show; arrays over N cells, row by row.

    Attributes
    ----------
    dark, glare, hidden, pale, inked : ndarray of shape (N,)
        Weighted share of the core that is black, brighter than paper, not to be seen, or nearer to paper than to any
        colour although its light is not that of paper: pale, or dark like what is written there.
    blurred : ndarray of shape (N,)
        Of the pale share what lies next to samples of the colour that the cell shows most, as a sticker's rim does.
    centre : ndarray of shape (N, 1 + colours, 2)
        Mean place (u, v) of the samples of each class from the middle of the cell, cells; NaN like ``lab``.
    solid : ndarray of shape (N, 1 + colours)
        Share of the samples of each class that have their like, or black, on all four sides: low for strokes of a pen
        on paper.
    compact : ndarray of shape (N, 1 + colours)
        How near together the samples of each class lie, as :func:`geometry.compactness`.
    lump : ndarray of shape (N,)
        The same of the largest lump of the colour that shows most, with what is written on it.
    size : ndarray of shape (N,)
        Share of the cell that this lump fills.
    outline : ndarray of shape (N,)
        The same as ``lump`` with the holes in it, as white that is printed on a sticker leaves, and all within them.
    holes : ndarray of shape (N,)
        Their share of that.
    slope : ndarray of shape (N,)
        How lightness rises over that lump of colour, L per cell: a sticker is flat, a cap or a drop has a light side. 0
        where it is too small to tell.
    mottled : ndarray of shape (N,)
        Standard deviation of a and b there.
    light, peak : ndarray of shape (N,)
        Paper white in the cell, mean and strongest of the channels, linear.
    tint : ndarray of shape (N,)
        Chroma of that paper white in the middle of the cell against the sun and shade on the rim of the board, mixed so
        that they are as bright.
    hue : ndarray of shape (N,)
        The same against what the rim near by lets expect.
    lift : ndarray of shape (N,)
        Brightness of that paper white against what the rim of the board alone lets expect.
    ripple : ndarray of shape (N,)
        How much brighter, against what the rim lets expect, the brightest of that paper white in the middle of the cell
        is than the darkest, as a log.
    clipped : ndarray of shape (N, 3)
        Weighted share of the core in which a channel is as bright as a photo can show.
    overflown : ndarray of shape (N, 3)
        The same of the part of the core that shows the colour of which it shows most.
    island : ndarray of shape (N,)
        By how much the light from the middle of the cell differs from that of all four sides alike, as a channel's log.
    stock : ndarray of shape (3,)
        The paper's own reflectance against white paper.
    rim : float
        Share of the sun's light that the darkest part of the board's rim has: near 1 where no shade lies on it.
    """

    dark: FloatArray
    glare: FloatArray
    hidden: FloatArray
    pale: FloatArray
    blurred: FloatArray
    inked: FloatArray
    centre: FloatArray
    solid: FloatArray
    compact: FloatArray
    lump: FloatArray
    size: FloatArray
    outline: FloatArray
    holes: FloatArray
    slope: FloatArray
    mottled: FloatArray
    light: FloatArray
    peak: FloatArray
    tint: FloatArray
    hue: FloatArray
    lift: FloatArray
    ripple: FloatArray
    clipped: FloatArray
    overflown: FloatArray
    island: FloatArray
    stock: FloatArray
    rim: float


def show(patches: Patches, palette: Palette, settings: SampleSettings) -> Shown:
    """Which colours each box shows, under a palette.

    Each sample counts for the class that explains it best; what is printed, dark as ink or outside the photo counts
    for none.

    Parameters
    ----------
    patches : Patches
        Of N boxes.
    palette : Palette
    settings : SampleSettings
    """
    return _sorted(patches, palette, settings)[0]


def sample(patches: Patches, palette: Palette, settings: SampleSettings) -> Samples:
    """What each box shows, under a palette, and all that puts it in doubt; see :func:`show`.

    Parameters
    ----------
    patches : Patches
        Of N boxes.
    palette : Palette
    settings : SampleSettings
    """
    shown, judged, colourful, classes = _sorted(patches, palette, settings)
    total = np.maximum(judged.sum(1), 1e-9)
    where = (colourful[..., None] * classes).swapaxes(1, 2).astype(np.float64)
    centre = where @ patches.places / np.maximum(where.sum(-1, keepdims=True), 1e-9)
    printed = patches.ink & patches.inside
    unlike_paper = judged * classes[..., 0] * ~patches.paper
    dark = patches.brightest < settings.inked_reflectance
    own = judged * np.take_along_axis(classes, 1 + shown.share[:, None, 1:].argmax(-1, keepdims=True), 2)[..., 0]
    coloured = _coloured(patches, shown.share, classes, colourful, dark)
    lumps = largest_lumps(coloured, patches.window)
    outlined = largest_lumps(outlines(coloured), patches.window)
    slope, mottled = _shading(patches, shown.share, classes & colourful[..., None])
    inmost = np.abs(patches.places).max(1) < _MIDDLE
    middle = patches.white[:, inmost].mean(1)
    darkest, brightest = np.percentile((patches.white / patches.frame)[:, inmost].mean(-1), [5, 95], axis=1)
    return Samples(
        share=shown.share,
        odd=shown.odd,
        dark=(patches.window * ~patches.ink * ~colourful).sum(1)
        / np.maximum((patches.window * ~patches.ink).sum(1), 1e-9),
        glare=(judged * (patches.darkest > settings.glare_reflectance)).sum(1) / total,
        hidden=(patches.window * ~patches.inside).sum(1) / np.maximum((patches.window * ~printed).sum(1), 1e-9),
        pale=(unlike_paper * ~dark).sum(1) / total,
        blurred=(unlike_paper * ~dark * _beside_most(classes, colourful)).sum(1) / total,
        inked=(unlike_paper * dark).sum(1) / total,
        lab=shown.lab,
        centre=centre,
        solid=_solid(classes, colourful, patches.window > 0),
        compact=compactness(where, patches.places, 1 / len(patches.places)),
        lump=compactness(lumps, patches.places, 1 / len(patches.places)),
        size=lumps.mean(1),
        outline=compactness(outlined, patches.places, 1 / len(patches.places)),
        holes=(outlined & ~coloured).sum(1) / np.maximum(outlined.sum(1), 1),
        slope=slope,
        mottled=mottled,
        light=patches.white.mean((1, 2)),
        peak=strongest(patches.white.mean(1)),
        tint=_chroma(middle / mixed_light(middle, patches.sun, patches.shade)),
        hue=_chroma(middle / patches.frame[:, inmost].mean(1)),
        lift=(patches.white / patches.frame).mean((1, 2)),
        ripple=np.log(brightest / darkest),
        island=_island(patches),
        clipped=_share_of(patches.clipped, judged),
        overflown=_share_of(patches.clipped, own),
        stock=patches.stock,
        rim=float(patches.shade.mean()),
    )


def in_usual_light(samples: Samples, paper: BoolArray) -> Samples:
    """The same, but that nothing in the light of some cells (N,) makes them doubtful: they are known to be paper."""

    def unless(values: FloatArray, usual: float) -> FloatArray:
        return np.where(paper, usual, values)

    return replace(
        samples,
        tint=unless(samples.tint, 0.0),
        hue=unless(samples.hue, 0.0),
        lift=unless(samples.lift, 1.0),
        ripple=unless(samples.ripple, 0.0),
        glare=unless(samples.glare, 0.0),
    )


def _share_of(clipped: BoolArray, weights: FloatArray) -> FloatArray:
    """Weighted share (N, 3) of samples (N, M, 3), by weights (N, M)."""
    amount = np.matmul(weights[:, None], clipped)[:, 0]
    share: FloatArray = amount / np.maximum(weights.sum(1, keepdims=True), 1e-9)
    return share


def shows_colour(samples: Samples) -> BoolArray:
    """In which cells (N,) more colour shows than by chance."""
    return np.asarray(samples.share[:, 1:].sum(1) > TRACE)


TRACE = 0.02
"""Share of a core that is no chance."""


def _sorted(
    patches: Patches, palette: Palette, settings: SampleSettings
) -> tuple[Shown, FloatArray, BoolArray, BoolArray]:
    """What boxes show; their samples' weights (N, M), which are not black (N, M), and their classes (N, M, classes)."""
    count, each = patches.ink.shape
    apart = distances(patches.lab.reshape(-1, 3), palette, settings, patches.stock).reshape(count, each, -1)
    colourful = ~patches.ink & (patches.brightest > _darkest(palette, settings))
    judged = patches.window * colourful
    total = np.maximum(judged.sum(1), 1e-9)
    classes = apart.argmin(-1)[..., None] == np.arange(apart.shape[-1])
    weights = judged[..., None] * classes
    amount = weights.sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        lab = np.matmul(weights.swapaxes(1, 2), patches.lab) / amount[..., None]
    lab[amount < _FEW * total[:, None]] = np.nan
    odd = _odd(patches, judged * (apart.min(-1) > settings.odd_delta), palette, settings) / total
    return Shown(amount / total[:, None], odd, lab), judged, colourful, classes


def _odd(patches: Patches, far: FloatArray, palette: Palette, settings: SampleSettings) -> FloatArray:
    """How much (N,) of boxes is no colour of a palette, of what lies far from all in CIELAB by its weights (N, M)."""
    amount: FloatArray = far.sum(1)
    boxes = np.flatnonzero(amount)
    lab = np.matmul(far[boxes, None], patches.lab[boxes])[:, 0] / amount[boxes, None]
    apart, _ = differences(lab, palette, settings, patches.stock)
    amount[boxes] *= apart.min(1) > settings.odd_difference
    return amount


def _coloured(
    patches: Patches, share: FloatArray, classes: BoolArray, colourful: BoolArray, dark: BoolArray
) -> BoolArray:
    """The samples (N, M) of the colour with the largest share (N, classes) and of what is written there.

    ``classes`` (N, M, classes), ``colourful`` and ``dark`` (N, M) are those of samples.
    """
    colour = np.take_along_axis(classes, 1 + share[:, None, 1:].argmax(-1, keepdims=True), 2)[..., 0]
    written = (classes[..., 0] | ~colourful) & dark & ~patches.paper & ~patches.ink
    coloured: BoolArray = (colour & colourful) | written
    return coloured


def _shading(patches: Patches, share: FloatArray, classes: BoolArray) -> tuple[FloatArray, FloatArray]:
    """How lightness rises over the colour that boxes show most, L per cell, and the deviation of a and b, both (N,).

    ``share`` (N, classes) and ``classes`` (N, M, classes) as in :func:`_coloured`; rims, where colours mix, do not
    count.
    """
    colour = np.take_along_axis(classes, 1 + share[:, None, 1:].argmax(-1, keepdims=True), 2)[..., 0]
    lumps = largest_lumps(colour, patches.window)
    side = round(np.sqrt(lumps.shape[1]))
    rims = beside(~np.pad(lumps.reshape(-1, side, side), ((0, 0), (1, 1), (1, 1))))[:, 1:-1, 1:-1]
    inner = lumps & ~rims.reshape(lumps.shape)
    counted = np.where((inner.sum(1) < _FEWEST)[:, None], 0.0, inner)
    counted /= np.maximum(counted.sum(1, keepdims=True), 1)
    away = patches.places - (counted @ patches.places)[:, None]
    lab = patches.lab - np.matmul(counted[:, None], patches.lab)
    spread = np.einsum("nm,nmi,nmj->nij", counted, away, away) + _NO_SPREAD * np.eye(2)
    rising = np.einsum("nm,nmi,nm->ni", counted, away, lab[..., 0])
    slope = np.linalg.norm(np.linalg.solve(spread, rising[..., None])[..., 0], axis=1)
    return slope, np.sqrt(np.einsum("nm,nmi->n", counted, lab[..., 1:] ** 2))


_FEWEST, _NO_SPREAD = 12, 1e-6
"""Samples without which a sticker is too small to be told, and added to their variance, square cells: it is not 0."""


def _solid(classes: BoolArray, colourful: BoolArray, judged: BoolArray) -> FloatArray:
    """Share (N, classes) of the samples of each class (N, M, classes) that lie among their like.

    ``colourful`` (N, M) are those that are not black, ``judged`` (M,) the places that count.
    """
    side = round(np.sqrt(len(judged)))
    shape = (len(classes), side, side, -1)
    own = (classes & colourful[..., None]).reshape(shape)
    wide = np.pad((classes | ~colourful[..., None]).reshape(shape), ((0, 0), (1, 1), (1, 1), (0, 0)))
    inner = own & wide[:, :-2, 1:-1] & wide[:, 2:, 1:-1] & wide[:, 1:-1, :-2] & wide[:, 1:-1, 2:]
    inside = judged.reshape(side, side, 1)
    share: FloatArray = (inner & inside).sum((1, 2)) / np.maximum((own & inside).sum((1, 2)), 1)
    return share


def _beside_most(classes: BoolArray, colourful: BoolArray) -> BoolArray:
    """Which samples (N, M) lie next to those of the colour of which boxes show most, by the classes (N, M, classes)."""
    shown = classes[..., 1:] & colourful[..., None]
    most = shown.sum(1).argmax(-1)
    own = shown[np.arange(len(shown)), :, most]
    side = round(np.sqrt(own.shape[1]))
    return beside(own.reshape(-1, side, side)).reshape(own.shape)


def _island(patches: Patches) -> FloatArray:
    """How far (N,) the middles of boxes stand out against all four sides alike; 0 where the sides differ as much.

    So does what lies within a cell, be it no colour at all; shade and its edges run on across the sides.
    """
    x, y = patches.places.T
    log = np.log(patches.light + _DIM)
    middle = log[:, (np.abs(x) < _CORE) & (np.abs(y) < _CORE)].mean(1)
    away = [
        middle - _side(log, along * sign, np.abs(across) < _SIDES[0])
        for along, across in ((x, y), (y, x))
        for sign in (1, -1)
    ]
    mean = np.mean(away, axis=0)
    apart, uneven = np.abs(mean).max(-1), np.abs(away - mean).max((0, -1))
    island: FloatArray = np.where(uneven < apart / 2, apart, 0.0)
    return island


def _side(log: FloatArray, along: FloatArray, beside: BoolArray) -> FloatArray:
    """The light (N, 3) on one side of the middles: of two strips, or of the inner where wide lines darken the outer.

    ``along`` (M,) is how far out samples lie, ``beside`` (M,) which are neither left nor right of the middle.
    """
    inner, outer = (log[:, beside & (along > near) & (along < far)].mean(1) for near, far in itertools.pairwise(_SIDES))
    darkened = float(np.median(inner - outer)) > _DARKENED
    side: FloatArray = inner if darkened else (inner + outer) / 2
    return side


_CORE, _SIDES = 0.19, (0.27, 0.32, 0.37)
"""Half the width of a middle, and the bounds of the two strips on each side of it, from the middle of the cell, cells:
between a sticker and the lines."""
_DARKENED = 0.03
"""By how much less light, as a channel's log in most cells of a board, its lines are near."""
_DIM = 0.01
"""Added to light before its log, so that noise in the dark does not stand out."""


def _darkest(palette: Palette, settings: SampleSettings) -> float:
    """What reflects less in every channel is no sticker: half of what the darkest colour does, where there is black."""
    reflected = reflectance_from_lab([entry.centre for entry in palette.entries]).max(-1)
    return min(settings.dark_reflectance, float(reflected.min()) / 2)


_MIDDLE = 0.25
"""Half the width of a cell's middle, cells: there a sticker is alone."""
_FEW = 0.02
"""Share of a cell below which a class has no colour of its own."""


def _chroma(reflectance: FloatArray) -> FloatArray:
    """CIELAB chroma (N,) of reflectances (N, 3), whatever their brightness."""
    lab = lab_from_reflectance(reflectance / reflectance.max(-1, keepdims=True))
    chroma: FloatArray = np.hypot(lab[..., 1], lab[..., 2])
    return chroma
