"""Single characters: capital letters and digits, written or printed, from small pictures of their ink.

A *window* is a picture of shape (32, 32), float32, 0 background and 1 full ink, in which the character fills about
two thirds of the longer side. A tiny convolutional network reads windows; ``weights.md`` says how it was trained.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.network import Float32Array, convolve, load_weights, log_softmax

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
    flat = np.asarray(windows, np.float32).reshape(len(windows), -1)
    ranked = np.sort(flat, axis=1)
    background = ranked[:, ranked.shape[1] // 2, None]
    ink = ranked[:, -round(_TOP_SHARE * ranked.shape[1]) :].mean(1, keepdims=True) - background
    scaled = np.clip((flat - background) / np.maximum(ink, _LEAST_INK), -0.5, 1.3)
    return scaled.reshape(windows.shape).astype(np.float32)


def read_windows(windows: Float32Array) -> Float32Array:
    """What characters windows show.

    Parameters
    ----------
    windows : ndarray of shape (N, 32, 32), float32
        As :func:`normalise` leaves them.

    Returns
    -------
    ndarray of shape (N, 37), float32
        Log-probabilities of :data:`CHARACTERS` and of :data:`NONE`, calibrated on fonts and strokes that the network
        was not trained on.

    Examples
    --------
    >>> blank = np.zeros((1, 32, 32), np.float32)
    >>> int(read_windows(blank).argmax()) == NONE
    True
    """
    batches = [_forward(windows[start : start + _BATCH]) for start in range(0, len(windows), _BATCH)]
    scores = np.concatenate([np.empty((0, NONE + 1), np.float32), *batches]) / load_weights(_WEIGHTS)["temperature"]
    return log_softmax(scores)


_BATCH = 16
"""So many windows stay in the processor's cache; all at once takes twice as long."""
_STRIDES = (1, 2, 1, 2, 1)
_WEIGHTS = "characters.npz"


def _forward(windows: Float32Array) -> Float32Array:
    """Scores (N, 37) before the softmax."""
    weights = load_weights(_WEIGHTS)
    maps = windows[..., None]
    for layer, stride in enumerate(_STRIDES):
        maps = convolve(maps, weights[f"conv{layer}"], weights[f"conv_bias{layer}"], (stride, stride))
    count, height, width, channels = maps.shape
    pooled = maps.reshape(count, height // 2, 2, width // 2, 2, channels).max((2, 4))
    flat = pooled.transpose(0, 3, 1, 2).reshape(count, -1)
    features = np.maximum(flat @ weights["dense0"].T + weights["dense_bias0"], 0)
    scores: Float32Array = features @ weights["dense1"].T + weights["dense_bias1"]
    return scores
