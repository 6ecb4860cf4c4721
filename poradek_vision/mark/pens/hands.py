"""The hands of one board: marks of one team look alike, so a board's marks teach how its own hands write."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poradek_vision.mark.network import log_softmax
from poradek_vision.mark.pens.edges import edges
from poradek_vision.mark.pictures import Float32Array, FloatArray


@dataclass(frozen=True, slots=True)
class HandSettings:
    """Numbers of learning a board's hands, set on drawn lands in fonts and hands that the reader was not trained on."""

    edges_apart: float = 34.0
    looks_apart: float = 1.18
    """Usual squared distance of two marks of a board, by their edges and by what the network saw."""
    own_weight: float = 0.45
    full_board: int = 96
    """What a mark's own log-probability counts for on a board of so many marks; all on one of one mark."""
    shown_weight: float = 10.5
    """Nats for a mark that all like it on the board are, against one that none is."""
    few: int = 8
    """Of so many marks what they show counts half as much."""
    least: float = -9.0
    """No log-probability counts as less."""


def learn_hands(scores: FloatArray, windows: Float32Array, looks: Float32Array, settings: HandSettings) -> FloatArray:
    """Log-probabilities of marks, given how the marks of the same board look and what they were read as.

    1. ``alike``: how much any two marks look alike, from 0 to 1.
    2. ``shown``: what each is by the others, by Gaussian process regression on all but itself; each teaches as much
       as it was read for sure.
    3. Each mark's own score and what the others show, weighed.

    A hand that the reader hardly knows is so read by its clear marks; what lies between two hands stays in doubt.

    Parameters
    ----------
    scores : ndarray of shape (N, C), float64
        Log-probabilities of the classes; the last is no mark, which none teaches.
    windows : ndarray of shape (N, 32, 32), float32
        As :func:`characters.normalise` leaves them.
    looks : ndarray of shape (N, 96), float32
        As :class:`characters.Characters` has them.
    settings : HandSettings

    Returns
    -------
    ndarray of shape (N, C), float64

    References
    ----------
    Rasmussen & Williams, Gaussian Processes for Machine Learning, equation 5.12.
    """
    alike = np.exp(-_apart(edges(windows)) / settings.edges_apart - _apart(looks) / settings.looks_apart)
    read = np.exp(scores)
    read[:, -1] = 0
    certainty = np.linalg.inv(alike + np.diag(1 / np.maximum(read.max(1), _LEAST)))
    shown = read - certainty @ read / np.diag(certainty)[:, None]
    count = len(scores)
    own = 1 - (1 - settings.own_weight) * min(count / settings.full_board, 1)
    taught = settings.shown_weight * count / (count + settings.few)
    return log_softmax(own * np.maximum(scores, settings.least) + taught * shown)


_LEAST = 1e-3


def _apart(points: Float32Array) -> FloatArray:
    """Squared distances of points (N, D) from each other, (N, N)."""
    exact = points.astype(np.float64)
    squares = (exact**2).sum(1)
    return np.asarray(np.maximum(squares[:, None] + squares - 2 * exact @ exact.T, 0))
