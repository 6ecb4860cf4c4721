"""Single characters: capital letters and digits, written or printed, from small pictures of their ink.

A *window* is a picture of shape (32, 32), float32, 0 background and 1 full ink, in which the character fills about
two thirds of the longer side. A tiny convolutional network reads windows; its weights were made by
``python -m training.train`` in ``tests/``; ``tests/training/README.md`` tells how.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.network import convolve, load_weights, log_softmax
from poradek_vision.mark.pictures import Float32Array, normalised

CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
"""The characters that are read, in the order of the network's classes; one more class stands for none of them."""
NONE = len(CHARACTERS)
"""The class of what is no character."""
WINDOW_PX = 32
_TOP_SHARE = 0.06
_LEAST_INK = 0.08
"""The darkest ``_TOP_SHARE`` of a window count as full ink; what is paler than ``_LEAST_INK`` never does."""


def normalise(windows: npt.NDArray[np.floating]) -> Float32Array:
    """Bring ink to 1 and background to 0, whatever the contrast.

    Parameters
    ----------
    windows : ndarray of shape (N, 32, 32)
        Darkness: 0 the background's brightness, 1 black.
    """
    return normalised(windows, _TOP_SHARE, _LEAST_INK)


@dataclass(frozen=True, slots=True, eq=False)
class Characters:
    """What windows show. Heavy.

    Attributes
    ----------
    log_probabilities : ndarray of shape (N, 37), float32
        Of :data:`CHARACTERS` and of :data:`NONE`, calibrated on fonts and strokes that the network was not trained on.
    looks : ndarray of shape (N, 96), float32
        What the network saw, as square roots, of unit length: alike where marks are.
    sign_nats : ndarray of shape (N,), float32
        By how much each looks rather like a sign, such as a heart or an arrow, than like any character.
    """

    log_probabilities: Float32Array
    looks: Float32Array
    sign_nats: Float32Array


def read_windows(windows: Float32Array) -> Characters:
    """Read one character in each window.

    Parameters
    ----------
    windows : ndarray of shape (N, 32, 32), float32
        As :func:`normalise` leaves them.

    Examples
    --------
    >>> blank = np.zeros((1, 32, 32), np.float32)
    >>> int(read_windows(blank).log_probabilities.argmax()) == NONE
    True
    """
    weights = load_weights(_WEIGHTS)
    batches = [_pooled(windows[start : start + _BATCH]) for start in range(0, len(windows), _BATCH)]
    pooled = np.concatenate([np.empty((0, weights["dense0"].shape[1]), np.float32), *batches])
    features = np.maximum(pooled @ weights["dense0"].T + weights["dense_bias0"], 0)
    scores = features @ weights["dense1"].T + weights["dense_bias1"]
    looks = np.sqrt(features / np.maximum(features.sum(1, keepdims=True), np.float32(1e-6)))
    shapes = np.maximum(pooled @ weights["sign0"].T + weights["sign_bias0"], 0)
    signs = shapes @ weights["sign1"].T + weights["sign_bias1"]
    return Characters(log_softmax(scores / weights["temperature"]), looks, signs[:, 0])


_BATCH = 4
"""So many windows stay in the processor's cache; all at once takes twice as long."""
_STRIDES = (1, 2, 1, 2, 1)
_WEIGHTS = "characters.npz"


def _pooled(windows: Float32Array) -> Float32Array:
    """What the network's last maps show of windows, (N, 1024)."""
    weights = load_weights(_WEIGHTS)
    maps = windows[..., None]
    for layer, stride in enumerate(_STRIDES):
        maps = convolve(maps, weights[f"conv{layer}"], weights[f"conv_bias{layer}"], (stride, stride))
    count, height, width, channels = maps.shape
    pooled = maps.reshape(count, height // 2, 2, width // 2, 2, channels).max((2, 4))
    return np.asarray(pooled.transpose(0, 3, 1, 2).reshape(count, -1), np.float32)
