"""A line of writing, joined or not: what each of its columns shows, and how well a word explains it.

A *line* is a picture of shape (32, 128), float32, 0 background and 1 full ink, in which the writing fills most of the
height or of the width. Cases and accents are not told apart. Its weights were
made by ``python -m training.train_lines`` in ``tests/``, seed 7; ``tests/training/README.md`` tells how.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.characters import CHARACTERS
from poradek_vision.mark.network import convolve, load_weights, log_softmax
from poradek_vision.mark.pictures import Float32Array, normalised

ALPHABET = " " + CHARACTERS
"""What a column can show; the first stands for none of the others."""
LINE_HEIGHT_PX = 32
LINE_WIDTH_PX = 128
COLUMN_PX = 2
_STRIDES = ((2, 2), (1, 1), (2, 1), (1, 1), (2, 1))
_BATCH = 4
_TOP_SHARE, _LEAST_INK = 0.03, 0.06
"""As in :func:`mark.pictures.normalised`: a line has less ink on it than one character's window."""


def normalise_lines(lines: npt.NDArray[np.floating]) -> Float32Array:
    """Bring ink to 1 and background to 0, whatever the contrast.

    Parameters
    ----------
    lines : ndarray of shape (N, 32, 128)
        Darkness: 0 the paper's brightness, 1 black.
    """
    return normalised(lines, _TOP_SHARE, _LEAST_INK)


def read_lines(lines: Float32Array) -> Float32Array:
    """What the columns of lines show.

    Parameters
    ----------
    lines : ndarray of shape (N, 32, 128), float32
        As :func:`normalise_lines` leaves them.

    Returns
    -------
    ndarray of shape (N, 64, 37), float32
        Log-probabilities of :data:`ALPHABET` in each column.
    """
    batches = [_forward(lines[start : start + _BATCH]) for start in range(0, len(lines), _BATCH)]
    return np.concatenate([np.empty((0, LINE_WIDTH_PX // COLUMN_PX, len(ALPHABET)), np.float32), *batches])


def _forward(lines: Float32Array) -> Float32Array:
    """Log-probabilities of one batch."""
    weights = load_weights("lines.npz")
    maps = lines[..., None]
    for layer, stride in enumerate(_STRIDES):
        maps = convolve(maps, weights[f"conv{layer}"], weights[f"conv_bias{layer}"], stride)
    count, height, width, channels = maps.shape
    columns = maps.transpose(0, 2, 3, 1).reshape(count, 1, width, channels * height)
    hidden = convolve(columns, weights["conv5"], weights["conv_bias5"])
    return log_softmax(hidden[:, 0] @ weights["dense0"].T + weights["dense_bias0"])
