"""A convolutional network forward in numpy: small enough that no framework earns its weight.

Maps have shape (N, H, W, C); kernels (K, C, h, w).
"""

from __future__ import annotations

import functools
from importlib import resources
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.pictures import Float32Array

_T = TypeVar("_T", np.float32, np.float64)


@functools.cache
def load_weights(name: str) -> dict[str, Float32Array]:
    """The trained weights of a network, stored beside this module."""
    with resources.files(__package__).joinpath(name).open("rb") as file, np.load(file) as stored:
        return {key: stored[key].astype(np.float32) for key in stored.files}


def convolve(
    maps: Float32Array,
    kernel: Float32Array,
    bias: Float32Array,
    stride: tuple[int, int] = (1, 1),
    beside: Float32Array | None = None,
) -> Float32Array:
    """Convolution with a rim of zeros, then the positive part.

    Parameters
    ----------
    maps : ndarray of shape (N, H, W, C)
    kernel : ndarray of shape (K, C, h, w), h and w odd
    bias : ndarray of shape (K,)
    stride : (int, int)
        Along H and W.
    beside : ndarray of shape (H, C), optional
        What lies left and right of the maps, column by column, in place of zeros: so a part of a wider map is seen as
        it would be in the whole.

    Returns
    -------
    ndarray of shape (N, H / stride, W / stride, K)

    Examples
    --------
    >>> picture = np.ones((1, 2, 2, 1), np.float32)
    >>> convolve(picture, np.ones((1, 1, 3, 3), np.float32), np.zeros(1, np.float32))[0, :, :, 0]
    array([[4., 4.],
           [4., 4.]], dtype=float32)
    """
    count, height, width, channels = maps.shape
    high, wide = kernel.shape[2:]
    framed = np.zeros((count, height + high - 1, width + wide - 1, channels), np.float32)
    rows = slice(high // 2, high // 2 + height)
    framed[:, rows, wide // 2 : wide // 2 + width] = maps
    if beside is not None:
        framed[:, rows, : wide // 2] = framed[:, rows, wide // 2 + width :] = beside[:, None]
    each, down, right, inner = framed.strides
    shape = (count, -(-height // stride[0]), -(-width // stride[1]))
    steps = (each, down * stride[0], right * stride[1], down, inner)
    windows = np.ndarray((*shape, high, wide * channels), np.float32, framed, strides=steps)
    around = windows.reshape(-1, high * wide * channels)
    convolved: Float32Array = around @ kernel.transpose(2, 3, 1, 0).reshape(around.shape[1], -1)
    convolved += bias
    return np.maximum(convolved, 0, out=convolved).reshape(*shape, -1)


def log_softmax(scores: npt.NDArray[_T]) -> npt.NDArray[_T]:
    """Log-probabilities along the last axis.

    Examples
    --------
    >>> log_softmax(np.zeros((1, 2), np.float32)).round(3)
    array([[-0.693, -0.693]], dtype=float32)
    """
    shifted = scores - scores.max(-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(-1, keepdims=True)), scores.dtype)
