"""How well words explain a line: the sum over all ways in which its columns can spell each of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.lines import ALPHABET
from poradek_vision.mark.pictures import Float32Array, FloatArray

_NEVER = -1e9


def spelled(columns: Float32Array, words: Sequence[str]) -> FloatArray:
    """Log-likelihoods of words: 0 where every column is sure, and spells the word.

    The forward sums of connectionist temporal classification: each character takes one or more columns in a row,
    with columns of none between, which only equal neighbours need.

    Parameters
    ----------
    columns : ndarray of shape (T, 37)
        Log-probabilities of ``ALPHABET`` in each column of a line.
    words : sequence of str
        Characters of ``ALPHABET``, none of them the first one; not empty.

    Returns
    -------
    ndarray of shape (len(words),), float64

    References
    ----------
    Graves et al., Connectionist temporal classification, ICML 2006, section 4.1.

    Examples
    --------
    >>> columns = np.full((3, 37), -9.0, np.float32)
    >>> columns[[0, 1, 2], [1, 0, 2]] = -0.1  # A, none, B
    >>> spelled(columns, ["AB", "BA"]).round(1)
    array([ -0.3, -18.1])
    """
    states, skips, ends = _states(words)
    emitted = columns.astype(np.float64)[:, states]
    sums = np.full((len(words), states.shape[1] + 2), _NEVER)  # two states that never are, before the first
    sums[:, 2:4] = emitted[0][:, :2]
    jump = np.where(skips, 0.0, _NEVER)
    for column in emitted[1:]:
        sums[:, 2:] = np.logaddexp(np.logaddexp(sums[:, 2:], sums[:, 1:-1]), sums[:, :-2] + jump) + column
    sums = sums[:, 2:]
    rows = np.arange(len(words))
    likelihoods: FloatArray = np.logaddexp(sums[rows, ends], sums[rows, ends - 1])
    return likelihoods


def _states(words: Sequence[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Each word as characters with none between, before and after, padded; where none may be skipped; last states."""
    longest = 2 * max(map(len, words)) + 1
    states = np.zeros((len(words), longest), np.int64)
    for row, word in zip(states, words, strict=True):
        row[1 : 2 * len(word) : 2] = [ALPHABET.index(character) for character in word]
    skips = np.zeros(states.shape, bool)
    skips[:, 2:] = (states[:, 2:] != 0) & (states[:, 2:] != states[:, :-2])
    return states, skips, np.array([2 * len(word) for word in words])
