"""What the readers of marks do to pictures of one channel, with the types that OpenCV's own stubs lose."""

from __future__ import annotations

import math
from typing import TypeVar, cast

import cv2
import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
Float32Array = npt.NDArray[np.float32]
U8Array = npt.NDArray[np.uint8]
_T = TypeVar("_T", np.float32, np.float64)
Box = tuple[int, int, int, int]
"""Left, top, width, height in px."""


def disk(diameter: float) -> U8Array:
    """A round kernel of about this many pixels across, at least 3.

    Examples
    --------
    >>> disk(3).tolist()
    [[0, 1, 0], [1, 1, 1], [0, 1, 0]]
    """
    size = max(round(diameter) | 1, 3)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


def eroded(mask: U8Array, diameter: float) -> U8Array:
    """A mask without its rim, half of ``diameter`` wide; the picture's own edge is no rim."""
    return np.asarray(cv2.erode(mask, disk(diameter)), np.uint8)


def dilated(mask: U8Array, diameter: float) -> U8Array:
    """A mask with a rim more, half of ``diameter`` wide."""
    return np.asarray(cv2.dilate(mask, disk(diameter)), np.uint8)


def blurred(picture: Float32Array, sigma: float) -> Float32Array:
    """A picture smoothed by a Gaussian of ``sigma`` px; of one or more channels."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.float32)


def normalised(darkness: npt.NDArray[np.floating], top_share: float, least_ink: float) -> Float32Array:
    """Ink brought to 1 and background to 0, whatever the contrast, in each picture (N, H, W) of darkness.

    The background is the median; the darkest ``top_share`` of a picture count as full ink, which is never taken for
    less than ``least_ink`` darker than the background.
    """
    flat = np.asarray(darkness, np.float32).reshape(len(darkness), math.prod(darkness.shape[1:]))
    ranked = np.sort(flat, axis=1)
    background = ranked[:, ranked.shape[1] // 2, None]
    ink = ranked[:, -round(top_share * ranked.shape[1]) :].mean(1, keepdims=True) - background
    scaled = np.clip((flat - background) / np.maximum(ink, least_ink), -0.5, 1.3)
    return np.asarray(scaled.reshape(darkness.shape), np.float32)


def bounding_box(mask: U8Array) -> Box:
    """The smallest box round what is not 0; all zeros where everything is."""
    left, top, width, height = cv2.boundingRect(mask)
    return left, top, width, height


def quantile(values: npt.NDArray[np.floating], share: float) -> Float32Array:
    """The value that this share lies below, along the first axis; several times faster than ``np.quantile``.

    Examples
    --------
    >>> float(quantile(np.arange(5.0), 0.5))
    2.0
    """
    place = min(int(share * len(values)), len(values) - 1)
    return np.asarray(np.partition(values, place, axis=0)[place], np.float32)


def usual_of_kind(values: npt.NDArray[_T], kind: npt.NDArray[np.generic]) -> npt.NDArray[_T]:
    """For each of the values (N, ...) the median of those of its kind (N,)."""
    usual = np.empty_like(values)
    for one in np.unique(kind):
        usual[kind == one] = np.median(values[kind == one], axis=0)
    return usual


def square_window(picture: Float32Array, middle: tuple[float, float], side: float, side_px: int) -> Float32Array:
    """A square of a picture, resampled to ``side_px`` pixels along a side; 0 beyond the picture's edge.

    Parameters
    ----------
    picture : ndarray of shape (H, W), float32
    middle : (float, float)
        Of the square, px of the picture.
    side : float
        Of the square, px of the picture.
    side_px : int
    """
    scale = side / side_px
    left, top = (at - scale * (side_px - 1) / 2 for at in middle)
    to_picture = np.array([[scale, 0, left], [0, scale, top]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cast(Float32Array, cv2.warpAffine(picture, to_picture, (side_px, side_px), flags=flags))
