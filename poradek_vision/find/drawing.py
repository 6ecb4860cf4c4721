"""Drawings and screenshots told from photos: they have few colours."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_COLOURS, _SHARE = 8, 0.7
"""Share of pixels in the so many most frequent colours from which a picture is a drawing; rendered photos reach 0.6."""
_LOOKED_AT = 5_000
"""Pixels that are looked at, spread evenly."""


def is_drawing(rgb: npt.NDArray[np.uint8]) -> bool:
    """Whether a picture is flat nearly all over, as no photo is.

    Parameters
    ----------
    rgb : ndarray of shape (H, W, 3), uint8

    Examples
    --------
    >>> is_drawing(np.full((20, 20, 3), 255, np.uint8))
    True
    >>> is_drawing(np.arange(1200, dtype=np.uint8).reshape(20, 20, 3))
    False
    """
    pixels = rgb.reshape(-1, 3)
    few = pixels[:: len(pixels) // _LOOKED_AT + 1].astype(np.int64)
    counts = np.unique(few @ [65536, 256, 1], return_counts=True)[1]
    return bool(np.sort(counts)[-_COLOURS:].sum() > _SHARE * len(few))
