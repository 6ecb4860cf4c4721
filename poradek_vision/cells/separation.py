"""How well the colours of a palette can be told apart, by the very distances that cells are judged by."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from poradek_vision.cells.shades import WHITE, SampleSettings, distances
from poradek_vision.colour import FloatArray, lab_from_reflectance
from poradek_vision.model import EMPTY, Palette, Separation


@dataclass(frozen=True, slots=True)
class SeparationSettings:
    """Numbers of foretelling confusions, each with its unit."""

    draws: int = 500
    """Stickers made up for each colour."""
    field_spread: tuple[float, float, float] = (3.0, 3.0, 3.0)
    """How much more than on the card stickers on boards differ, per axis of CIELAB: with half of it rare confusions
    came out too rare, with 4 those of colours far apart too frequent (``tests/benchmarks/separation.py``)."""
    paper_shades: tuple[float, float] = (0.25, 1.1)
    """Share of the light round it that paper in a shadow the size of a sticker may still have."""
    like_paper_delta: float = 9.0
    """A colour nearer than this to paper in some shade is like paper; CIELAB with half the lightness. Black lies 12."""
    least_widths: float = 2.0
    close_widths: float = 3.0
    """Colours that lie fewer noise widths apart can't be told apart, or are close."""


def separations(palette: Palette, samples: SampleSettings, settings: SeparationSettings) -> tuple[Separation, ...]:
    """How far apart all pairs of colours lie, and each from empty paper, in noise widths; the worst pair first.

    Paper in the shade counts as paper at no cost: a grey sticker may always be a shadow, however well it is known.

    1. For each colour ``draws`` stickers are made up from its spread and that of the field.
    2. ``lead`` is how much farther each lies from the other colour than from its own, in the classifier's distance.
    3. ``widths`` is the mean of the leads in units of their standard deviation; the confusions are those of a normal
       distribution of leads.

    Parameters
    ----------
    palette : Palette
    samples : SampleSettings
    settings : SeparationSettings

    References
    ----------
    Green & Swets, Signal Detection Theory and Psychophysics (1966): d' as the measure of how far two signals part.
    """
    codes = (EMPTY, *(entry.colour for entry in palette.entries))
    stickers = _made_up(palette, settings)
    apart = [_distances(each, palette, samples, settings) for each in stickers]
    found = []
    for first, second in itertools.combinations(range(len(codes)), 2):
        widths = min(_widths(apart[a][:, b] - apart[a][:, a]) for a, b in ((first, second), (second, first)))
        found.append(Separation(codes[first], codes[second], round(widths, 2), _beyond(widths)))
    return tuple(sorted(found, key=lambda one: one.widths))


def _distances(lab: FloatArray, palette: Palette, samples: SampleSettings, settings: SeparationSettings) -> FloatArray:
    """The classifier's distances (N, 1 + colours), to paper in the nearest shade."""
    apart = distances(lab, palette, samples)
    apart[:, 0] = np.minimum(apart[:, 0], _from_paper(lab, WHITE, samples, settings))
    return apart


def _from_paper(
    lab: FloatArray, stock: FloatArray, samples: SampleSettings, settings: SeparationSettings
) -> FloatArray:
    """How far colours (N, 3) lie from paper of a reflectance (3,) in the nearest shade, (N,)."""
    shades = lab_from_reflectance(np.linspace(*settings.paper_shades, 12)[:, None] * stock)
    off = (lab[:, None] - shades) * [samples.lightness_weight, 1, 1]
    nearest: FloatArray = np.linalg.norm(off, axis=-1).min(1)
    return nearest


def like_paper(
    palette: Palette, stock: FloatArray, samples: SampleSettings, settings: SeparationSettings
) -> frozenset[str]:
    """The colours of a palette, by their codes, that nobody can tell from empty paper or from a shadow on it.

    Parameters
    ----------
    palette : Palette
    stock : ndarray of shape (3,)
        Reflectance of the paper.
    samples : SampleSettings
    settings : SeparationSettings
    """
    off = _from_paper(np.array([entry.centre for entry in palette.entries]), stock, samples, settings)
    return frozenset(
        entry.colour for entry, far in zip(palette.entries, off, strict=True) if far < settings.like_paper_delta
    )


def _made_up(palette: Palette, settings: SeparationSettings) -> list[FloatArray]:
    """CIELAB (draws, 3) of pieces of paper, and of stickers of each colour; always the same ones."""
    normal = np.random.default_rng(0).standard_normal((settings.draws, 3))
    field = np.diag(np.square(settings.field_spread))
    means = [np.array([100.0, 0, 0]), *(np.array(entry.centre) for entry in palette.entries)]
    spreads = [field, *(np.array(entry.spread) + field for entry in palette.entries)]
    return [mean + normal @ _root(spread).T for mean, spread in zip(means, spreads, strict=True)]


def _root(spread: FloatArray) -> FloatArray:
    """The symmetric root of a covariance; a palette typed by hand may hold one that is none."""
    values, vectors = np.linalg.eigh((spread + spread.T) / 2)
    root: FloatArray = (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
    return root


def _widths(lead: FloatArray) -> float:
    return float(lead.mean() / max(float(lead.std()), 1e-9))


def _beyond(widths: float) -> float:
    """The share of a normal distribution beyond so many standard deviations, to two digits.

    Examples
    --------
    >>> _beyond(2.0), _beyond(0.0)
    (0.023, 0.5)
    """
    return float(f"{math.erfc(widths / math.sqrt(2)) / 2:.2g}")
