"""A line of writing, joined or not: what each of its columns shows, and how well a word explains it.

A *line* is a picture of shape (32, 128), float32, 0 background and 1 full ink, in which the writing fills most of the
height or of the width. Cases and accents are not told apart. Its weights were
made by ``python -m training.train_lines`` in ``tests/``; ``tests/training/README.md`` tells how.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

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
_BATCH = 2
"""So many lines stay in the processor's cache; twice as many take half as long again."""
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
    read = np.empty((len(lines), LINE_WIDTH_PX // COLUMN_PX, len(ALPHABET)), np.float32)
    reaches = _reaches(lines)
    for reach in np.unique(reaches).tolist():
        mine, middle = np.flatnonzero(reaches == reach), slice(_MIDDLE_PX - reach, _MIDDLE_PX + reach)
        at_once = max(_BATCH * _MIDDLE_PX // reach, 1)
        for some in (mine[start : start + at_once] for start in range(0, len(mine), at_once)):
            if reach == _MIDDLE_PX:
                read[some] = _forward(lines[some])
            else:
                read[some] = _blank_line()
                read[some, middle.start // COLUMN_PX : middle.stop // COLUMN_PX] = _forward(
                    lines[some, :, middle], _blank_maps()
                )
    return read


_MIDDLE_PX = LINE_WIDTH_PX // 2
_SEEN_PX = 14
"""So far from its own place a column sees ink, or the end of the line."""
_REACH_STEP_PX = 8


def _reaches(lines: Float32Array) -> npt.NDArray[np.int64]:
    """How far from their middles lines must be looked at, so that all beyond is as in a blank line, px."""
    away = np.abs(np.arange(LINE_WIDTH_PX) + 0.5 - _MIDDLE_PX)
    inked = np.where((lines != 0).any(1), away, 0).max(1) + 0.5 + _SEEN_PX
    reaches = _REACH_STEP_PX * np.ceil(inked / _REACH_STEP_PX).astype(np.int64)
    return np.asarray(np.where(reaches <= _MIDDLE_PX - _SEEN_PX, reaches, _MIDDLE_PX), np.int64)


@functools.cache
def _blank_line() -> Float32Array:
    """What the columns of a line without any ink show, (64, 37)."""
    read: Float32Array = _forward(np.zeros((1, LINE_HEIGHT_PX, LINE_WIDTH_PX), np.float32))[0]
    return read


@functools.cache
def _blank_maps() -> tuple[Float32Array, ...]:
    """What each layer is shown of a line without any ink, far from its ends: columns (H, C)."""
    column = np.zeros((LINE_HEIGHT_PX, 1), np.float32)
    columns = [column]
    for layer, stride in enumerate(_STRIDES):
        columns.append(_layer(columns[-1][None, :, None], layer, stride, columns[-1])[0, :, 0])
    return (*columns[:-1], _flat(columns[-1][None, :, None])[0, :, 0])


def _forward(lines: Float32Array, beside: Sequence[Float32Array | None] = (None,) * 6) -> Float32Array:
    """Log-probabilities of one batch (N, 32, W); ``beside`` as :func:`convolve` has it, for each layer."""
    weights = load_weights("lines.npz")
    maps = lines[..., None]
    for layer, stride in enumerate(_STRIDES):
        maps = _layer(maps, layer, stride, beside[layer])
    hidden = _layer(_flat(maps), len(_STRIDES), (1, 1), beside[-1])
    return log_softmax(hidden[:, 0] @ weights["dense0"].T + weights["dense_bias0"])


def _layer(maps: Float32Array, layer: int, stride: tuple[int, int], beside: Float32Array | None) -> Float32Array:
    """One layer of the network."""
    weights = load_weights("lines.npz")
    return convolve(maps, weights[f"conv{layer}"], weights[f"conv_bias{layer}"], stride, beside)


def _flat(maps: Float32Array) -> Float32Array:
    """Maps (N, H, W, C) with all rows of a column in one, (N, 1, W, C * H)."""
    count, height, width, channels = maps.shape
    return maps.transpose(0, 2, 3, 1).reshape(count, 1, width, channels * height)
