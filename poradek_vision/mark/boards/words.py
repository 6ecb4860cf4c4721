"""How well words explain lines: the sum over all ways in which a line's columns can spell each of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.lines import ALPHABET
from poradek_vision.mark.pictures import Float32Array, FloatArray

NEVER = -1e9
"""Log-likelihood of what can't be, or was not asked."""


def spelled(columns: Float32Array, words: Sequence[str], asked: npt.NDArray[np.bool_]) -> FloatArray:
    """Log-likelihoods of words: 0 where every column of a line is sure, and spells the word.

    The forward sums of connectionist temporal classification: each character takes one or more columns in a row,
    with columns of none between, which only equal neighbours need.

    Parameters
    ----------
    columns : ndarray of shape (L, T, 37)
        Log-probabilities of ``ALPHABET`` in each column of each line.
    words : sequence of str
        Characters of ``ALPHABET``, none of them the first one; not empty.
    asked : ndarray of shape (L, len(words)), bool
        Which lines are held against which words.

    Returns
    -------
    ndarray of shape (L, len(words)), float64

    References
    ----------
    Graves et al., Connectionist temporal classification, ICML 2006, section 4.1.

    Examples
    --------
    >>> columns = np.full((1, 3, 37), -9.0, np.float32)
    >>> columns[0, [0, 1, 2], [1, 0, 2]] = -0.1  # A, none, B
    >>> spelled(columns, ["AB", "BA"], np.array([[True, True]])).round(1)
    array([[ -0.3, -18.1]])
    """
    likelihoods = np.full(asked.shape, NEVER)
    sizes = np.searchsorted(_LENGTHS, [len(word) for word in words])
    for size in range(len(_LENGTHS) + 1):
        some = np.flatnonzero(sizes == size).tolist()
        line, which = np.nonzero(asked[:, some])
        if len(line):
            likelihoods[line, np.array(some)[which]] = _forward(columns, line, [words[k] for k in some], which)
    return likelihoods


_LENGTHS = (1, 5, 9)
"""Words up to each of these lengths, and the longer ones, are summed up together, so that few states are empty."""


def _forward(
    columns: Float32Array, line: npt.NDArray[np.intp], words: Sequence[str], which: npt.NDArray[np.intp]
) -> FloatArray:
    """Log-likelihoods of pairs of a line and a word, (P,).

    Chances are against the likeliest character of each column, so only what is hopeless becomes too small for a number.
    """
    states, skips, ends = _states(words)
    likeliest = columns.max(-1, keepdims=True).astype(np.float64)
    chances = np.exp(columns - likeliest).transpose(1, 2, 0).reshape(columns.shape[1], -1)
    places = states[which].T * len(columns) + line
    skippable = skips[which].T.astype(np.float64)
    sums = np.zeros((states.shape[1] + 2, len(which)))  # two states that never are, before the first
    sums[2:4] = chances[0][places[:2]]
    for column in chances[1:]:
        moved = sums[2:] + sums[1:-1]
        moved += sums[:-2] * skippable
        moved *= column.take(places)
        sums[2:] = moved
    pairs, last = np.arange(len(which)), ends[which] + 2
    total = sums[last, pairs] + sums[last - 1, pairs]
    logs = np.log(total, out=np.full(len(which), NEVER), where=total > 0)
    return np.asarray(logs + likeliest.sum((1, 2))[line], np.float64)


def _states(words: Sequence[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Each word as characters with none between, before and after, padded; where none may be skipped; last states."""
    longest = 2 * max(map(len, words)) + 1
    states = np.zeros((len(words), longest), np.int64)
    for row, word in zip(states, words, strict=True):
        row[1 : 2 * len(word) : 2] = [ALPHABET.index(character) for character in word]
    skips = np.zeros(states.shape, bool)
    skips[:, 2:] = (states[:, 2:] != 0) & (states[:, 2:] != states[:, :-2])
    return states, skips, np.array([2 * len(word) for word in words])
