"""Drawings and screenshots told from photos: they are flat."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_FLAT = 0.75
"""Share of pixels just like their neighbour from which a picture is a drawing; of rendered photos up to 0.25 are."""
_STEP = 7
"""Only every so manieth row is looked at."""


def is_drawing(rgb: npt.NDArray[np.uint8]) -> bool:
    """Whether a picture is flat nearly all over, as no photo is.

    Parameters
    ----------
    rgb : ndarray of shape (H, W, 3), uint8

    Examples
    --------
    >>> is_drawing(np.full((20, 20, 3), 255, np.uint8))
    True
    """
    rows = rgb[::_STEP]
    return bool(np.all(rows[:, 1:] == rows[:, :-1], axis=-1).mean() > _FLAT)
