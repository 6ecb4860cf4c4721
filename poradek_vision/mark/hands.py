"""The hands of one board: marks of one team look alike, so those read for sure help to read the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poradek_vision.mark.characters import usual_looks
from poradek_vision.mark.pictures import Float32Array, FloatArray


@dataclass(frozen=True, slots=True)
class HandSettings:
    """Numbers of learning a board's hands."""

    sure: float = 0.95
    """Least probability of a mark that others are compared with."""
    usual_weight: float = 2.0
    """So many sure marks weigh as much as what all other hands write."""
    example: float = 0.97
    nearest: int = 3
    """Marks are examples of their kind from this probability on; so many of them are compared with."""
    trust: float = 0.1
    """Share of the evidence of likeness that counts: the looks of one mark are far from independent of each other."""


def compare_hands(
    scores: FloatArray, looks: Float32Array, classes: Sequence[int], settings: HandSettings
) -> FloatArray:
    """Log-probabilities of marks, given how the marks of the same board look that are read for sure.

    1. ``middles``: where each class has its middle on this board, drawn to the usual one where few are sure.
    2. Each mark gains what its likeness to the board's middles exceeds its likeness to the usual ones.

    Parameters
    ----------
    scores : ndarray of shape (N, C), float64
        Log-probabilities of the classes.
    looks : ndarray of shape (N, 96)
        As :class:`characters.Characters` has them.
    classes : sequence of int
        Which class each column is.
    settings : HandSettings

    Returns
    -------
    ndarray of shape (N, C), float64
    """
    usual = usual_looks()[list(classes)].astype(np.float64)
    best = scores.argmax(1)
    sure = scores.max(1) > np.log(settings.sure)
    gains = np.zeros(scores.shape)
    for k, middle in enumerate(usual):
        mine = sure & (best == k)
        count, total = mine.sum(), looks[mine].sum(0)
        # a sure mark must not speak for itself: each is compared with the others
        counts, totals = count - mine[:, None], total - looks * mine[:, None]
        middles = (settings.usual_weight * middle + totals) / (settings.usual_weight + counts)
        nearer = ((looks - middle) ** 2).sum(1) - ((looks - middles) ** 2).sum(1)
        gains[:, k] = settings.trust * nearer / 2
    adapted = scores + gains
    top = adapted.max(1, keepdims=True)
    compared: FloatArray = adapted - top - np.log(np.exp(adapted - top).sum(1, keepdims=True))
    return compared


def unlike_others(scores: FloatArray, looks: Float32Array, settings: HandSettings) -> FloatArray:
    """How far each mark lies from its own kind on the board, against how far from all others, (N,).

    Distances are means of those to the nearest few marks that are read for sure; infinite where there are none of its
    own kind, 0 where there are none but of its own.

    Parameters
    ----------
    scores : ndarray of shape (N, C), float64
        Log-probabilities of the classes.
    looks : ndarray of shape (N, 96)
    settings : HandSettings

    Examples
    --------
    >>> looks = np.array([[0, 0], [0, 1], [9, 0], [9, 1], [6, 0]], np.float32)
    >>> scores = np.log([[0.98, 0.02], [0.98, 0.02], [0.02, 0.98], [0.02, 0.98], [0.6, 0.4]])
    >>> unlike_others(scores, looks, HandSettings()).round(2).tolist()
    [0.01, 0.01, 0.01, 0.01, 3.84]
    """
    squares = (looks.astype(np.float64) ** 2).sum(1)
    apart = squares[:, None] + squares - 2 * (looks @ looks.T)
    best = scores.argmax(1)
    apart[:, scores.max(1) < np.log(settings.example)] = np.inf
    np.fill_diagonal(apart, np.inf)
    same = best[:, None] == best
    own, others = (_nearest(np.where(kind, apart, np.inf), settings.nearest) for kind in (same, ~same))
    return np.divide(own, others, out=np.where(np.isfinite(own), 0.0, np.inf), where=np.isfinite(others))


def _nearest(apart: FloatArray, count: int) -> FloatArray:
    """The mean of the least few of each row, or of those there are; infinite where there are none."""
    least = np.sort(apart, axis=1)[:, :count]
    there = np.isfinite(least)
    sums = np.where(there, least, 0).sum(1)
    return np.where(there.any(1), sums / np.maximum(there.sum(1), 1), np.inf)
