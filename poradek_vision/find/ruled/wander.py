"""How lines ruled by hand wander from where a smooth sheet has them: the likeliest crossings, and how sure they are.

Frame: board cells; a line's *wander* is how far across it lies from its whole number, in cells. Vertical lines
(axis 0) and horizontal ones (axis 1) wander independently.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray, solve_definite

_PAPER = (0.05, 2.5)
"""What the smooth sheet has left of curls and folds: standard deviation and reach, cells. In 60 rendered photos up to
0.04 cells are left beside a cubic, near folds."""
_CURL = (0.3, 6.0)
"""How far off the smooth sheet itself may lie where no line holds it, cells. On 436 rendered boards crossings were off
by as much as these numbers say where they say most: 0.05 to 0.09 cells."""
_CURL_KNOWN = 0.05
"""The same where each crossing's place is known beforehand."""
_OFFSET, _TURN = 0.025, 0.005
"""A line ruled beside its place, and aslant, cells at its ends."""
_WOBBLE = (0.012, 1.0)
"""The tremor of a hand: standard deviation and reach along the line, cells."""
_SAMPLE = 0.03
"""Noise of one sample, cells; those of a piece of line err together, so that each says less than its own."""
_STRAYS = (0.06, 0.04, 0.03, 0.03)
"""Distance at which a sample counts half, cells, from round to round: it may belong to something else. Of pieces that
were seen 99 in 100 lie within 0.03 of their lines, the others, on rims of stickers, as far away as was looked."""


@dataclass(frozen=True, slots=True, eq=False)
class Wander:
    """The likeliest wander of lines at their crossings, and how sure it is.

    Attributes
    ----------
    cells : ndarray of shape (n+1, n+1, 2)
        At row and column of a crossing, (x, y).
    precision : ndarray of shape (2, (n+1)², (n+1)²)
        Inverse covariance, across vertical and across horizontal lines, crossings in order of lines.
    """

    cells: FloatArray
    precision: FloatArray

    def errors(self) -> FloatArray:
        """Standard errors of ``cells``."""
        across, down = np.sqrt(np.diagonal(np.linalg.inv(self.precision), axis1=1, axis2=2))
        side = self.cells.shape[0]
        return np.stack([across.reshape(side, side).T, down.reshape(side, side)], -1)


def fit_wander(
    size: int, axis: npt.NDArray[np.intp], line: npt.NDArray[np.intp], along: FloatArray, off: FloatArray,
    trust: FloatArray, held: bool = False,
) -> Wander:  # fmt: skip
    """The likeliest wander of an N × N board's lines, each seen at T samples.

    Kriging: a Gaussian process on the crossings, linear between them, with the covariance of a sheet's curl, of paper,
    of a ruler laid beside its place and of a hand; the samples are weighted by Cauchy's function of their residuals.

    Parameters
    ----------
    size : int
        N.
    axis, line : ndarray of shape (L,), int
        0 for the line x = line, 1 for y = line.
    along : ndarray of shape (T,)
        Where on each line the samples are, cells.
    off : ndarray of shape (L, T)
        How far across from its whole number the line was seen, cells.
    trust : ndarray of shape (L, T)
        0–1.
    held : bool
        Whether the crossings' places were known beforehand, also where no line is seen.

    References
    ----------
    Rasmussen & Williams, Gaussian Processes for Machine Learning (2006), chapter 2.
    """
    prior = _precision(size, held)
    cells, precision = np.zeros((size + 1, size + 1, 2)), np.empty((2, *prior.shape))
    for k in (0, 1):
        at, sample = np.nonzero((axis == k)[:, None] & (trust > 0))
        cell = np.clip(along[sample].astype(np.intp), 0, size - 1)
        before = line[at] * (size + 1) + cell
        share = along[sample] - cell
        mean, precision[k] = _posterior(prior, before, share, off[at, sample], trust[at, sample])
        by_line = mean.reshape(size + 1, size + 1)
        cells[..., k] = by_line.T if k == 0 else by_line
    return Wander(cells, precision)


def _posterior(
    prior: FloatArray, before: npt.NDArray[np.intp], share: FloatArray, off: FloatArray, trust: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Mean and precision at the crossings, in order of lines.

    Each sample (S,) lies between the crossing ``before`` it and the next one, a ``share`` of the way on, so that it
    speaks of just these two.
    """
    count = len(prior)
    own, diagonal = np.arange(count), np.arange(count - 1)
    mean, precision = np.zeros(count), prior
    for stray in _STRAYS:
        expected = (1 - share) * mean[before] + share * mean[before + 1]
        weight = trust / _SAMPLE**2 / (1 + ((off - expected) / stray) ** 2)
        first, second = weight * (1 - share), weight * share
        precision = prior.copy()
        precision[own, own] += _both(before, first * (1 - share), second * share, count)
        shared = np.bincount(before, first * share, count)[:-1]
        precision[diagonal, diagonal + 1] += shared
        precision[diagonal + 1, diagonal] += shared
        mean = solve_definite(precision, _both(before, first * off, second * off, count))
    return mean, precision


def _both(before: npt.NDArray[np.intp], first: FloatArray, second: FloatArray, count: int) -> FloatArray:
    """Sums at each crossing of what samples say of the one before them, and of the one after."""
    return np.asarray(np.bincount(before, first, count) + np.bincount(before + 1, second, count), np.float64)


@functools.lru_cache(maxsize=16)
def _precision(size: int, held: bool) -> FloatArray:
    """Inverse of the prior covariance, not to be written into."""
    precision: FloatArray = np.asarray(np.linalg.inv(_covariance(size, held)), np.float64)
    precision.setflags(write=False)
    return precision


def _covariance(size: int, held: bool) -> FloatArray:
    """Prior covariance of the crossings' wander across one family of lines, ((n+1)², (n+1)²), in order of lines."""
    line, at = (a.ravel() for a in np.meshgrid(np.arange(size + 1.0), np.arange(size + 1.0), indexing="ij"))
    across, along = np.abs(line[:, None] - line), np.abs(at[:, None] - at)
    slant = (2 * at / size - 1) * _TURN
    own = _OFFSET**2 + slant[:, None] * slant + _matern(along, *_WOBBLE)
    away = np.hypot(across, along)
    curl = _smooth(away, _CURL_KNOWN if held else _CURL[0], _CURL[1])
    covariance: FloatArray = curl + _matern(away, *_PAPER) + np.where(across == 0, own, 0.0)
    return covariance


def _matern(distance: FloatArray, deviation: float, reach: float) -> FloatArray:
    """Matérn's covariance of order 3/2: once differentiable, so that folds are followed."""
    scaled = np.sqrt(3) * distance / reach
    covariance: FloatArray = deviation**2 * (1 + scaled) * np.exp(-scaled)
    return covariance


def _smooth(distance: FloatArray, deviation: float, reach: float) -> FloatArray:
    """Matérn's covariance of order 5/2: twice differentiable, as a sheet that curls."""
    scaled = np.sqrt(5) * distance / reach
    covariance: FloatArray = deviation**2 * (1 + scaled + scaled**2 / 3) * np.exp(-scaled)
    return covariance
