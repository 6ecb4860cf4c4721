"""Many small pictures at once: a stack of shape (N, H, W), which OpenCV sees as one strip.

Between the pictures of a strip lie rows that belong to none, so that nothing reaches from one into the next. Masks are
uint8, 255 or 1 where they hold; the same operations serve for brightness.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.mark.pictures import Float32Array, FloatArray, U8Array, disk

_T = TypeVar("_T", np.uint8, np.float32, np.int32)


def eroded(masks: npt.NDArray[_T], diameter: float) -> npt.NDArray[_T]:
    """Masks without their rims, half of ``diameter`` wide; a picture's own edge is no rim."""
    kernel = disk(diameter)
    strip = cv2.erode(_strip(masks, len(kernel), 255), kernel)
    smaller: npt.NDArray[_T] = _stack(strip, len(masks), len(kernel))
    return smaller


def dilated(masks: npt.NDArray[_T], diameter: float) -> npt.NDArray[_T]:
    """Masks with a rim more, half of ``diameter`` wide."""
    kernel = disk(diameter)
    strip = cv2.dilate(_strip(masks, len(kernel), 0), kernel)
    larger: npt.NDArray[_T] = _stack(strip, len(masks), len(kernel))
    return larger


def closed(masks: npt.NDArray[_T], diameter: float) -> npt.NDArray[_T]:
    """Masks without their gaps and holes thinner than ``diameter``; brightness without what is dark and so thin."""
    return eroded(dilated(masks, diameter), diameter)


def blurred(pictures: Float32Array, sigma: float) -> Float32Array:
    """Pictures smoothed by a Gaussian of ``sigma`` px; beyond their edges is 0."""
    gap = int(4 * sigma) + 1
    strip = cv2.GaussianBlur(_strip(pictures, gap, 0), (0, 0), sigma, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(_stack(strip, len(pictures), gap), np.float32)


def averaged(pictures: Float32Array, size: int) -> Float32Array:
    """Means over squares of an odd ``size`` px; beyond the pictures' edges is 0.

    Examples
    --------
    >>> averaged(np.ones((2, 1, 3), np.float32), 3)[1].round(2)
    array([[0.22, 0.33, 0.22]], dtype=float32)
    """
    gap = size // 2
    strip = cv2.blur(_strip(pictures, gap, 0), (size, size), borderType=cv2.BORDER_CONSTANT)
    return np.asarray(_stack(strip, len(pictures), gap), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """What hangs together in masks. Heavy.

    Attributes
    ----------
    labels : ndarray of shape (N, H, W), int32
        Which piece each pixel belongs to; 0 none.
    picture : ndarray of shape (K,), int64
        In which picture each piece lies; piece 0, which is none, in the first.
    middles : ndarray of shape (K, 2), float64
        (x, y) in px of its picture.
    """

    labels: npt.NDArray[np.int32]
    picture: npt.NDArray[np.int64]
    middles: FloatArray

    def count(self, mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """How many pixels of each piece lie in a mask (N, H, W), (K,); none of piece 0."""
        counts = np.bincount(self.labels[mask], minlength=len(self.picture))
        counts[0] = 0
        return counts

    def most(self, values: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The largest of the values (K,) of all pieces in the same picture, (K,)."""
        largest = np.zeros(len(self.labels), np.int64)
        np.maximum.at(largest, self.picture, values)
        return largest[self.picture]

    def mask(self, keep: npt.NDArray[np.bool_]) -> U8Array:
        """255 on those of the pieces (K,) that are kept, (N, H, W)."""
        return np.where(keep, np.uint8(255), np.uint8(0))[self.labels]


def find_pieces(masks: U8Array) -> Pieces:
    """What hangs together in each mask of a stack.

    Examples
    --------
    >>> pieces = find_pieces(np.array([[[1, 0, 1]], [[1, 1, 0]]], np.uint8))
    >>> pieces.picture.tolist(), pieces.middles[1:].tolist()
    ([0, 0, 0, 1], [[0.0, 0.0], [2.0, 0.0], [0.5, 0.0]])
    """
    _, labels, _, centres = cv2.connectedComponentsWithStats(_strip(masks, 1, 0))
    pitch = masks.shape[1] + 1
    picture = np.floor_divide(centres[:, 1], pitch).astype(np.int64)
    picture[0] = 0
    middles = np.asarray(centres - np.outer(pitch * picture, (0, 1)), np.float64)
    return Pieces(np.asarray(_stack(np.asarray(labels, np.int32), len(masks), 1), np.int32), picture, middles)


def _strip(stack: npt.NDArray[_T], gap: int, filling: int) -> npt.NDArray[_T]:
    """Pictures under each other, ``gap`` rows of ``filling`` after each: (N * (H + gap), W)."""
    count, height, width = stack.shape
    strip = np.full((count, height + gap, width), filling, stack.dtype)
    strip[:, :height] = stack
    return strip.reshape(-1, width)


def _stack(strip: npt.NDArray[Any], count: int, gap: int) -> npt.NDArray[Any]:
    """The pictures of a strip (count * (H + gap), W)."""
    return strip.reshape(count, -1, strip.shape[1])[:, :-gap]
