"""Boxes (x, y, width, height) of pieces of ink: int64 arrays (..., 4), px."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.pictures import Box


def inside(small: npt.NDArray[np.int64], large: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Whether boxes (..., 4) lie within others."""
    first = (large[..., :2] < small[..., :2]).all(-1)
    last = (small[..., :2] + small[..., 2:] < large[..., :2] + large[..., 2:]).all(-1)
    return np.asarray(first & last)


def overlap(a: npt.NDArray[np.int64], b: npt.NDArray[np.int64], axis: int) -> npt.NDArray[np.int64]:
    """How far boxes (..., 4) overlap along an axis; less than 0 where there is a gap."""
    last = np.minimum(a[..., axis] + a[..., 2 + axis], b[..., axis] + b[..., 2 + axis])
    return np.asarray(last - np.maximum(a[..., axis], b[..., axis]))


def around(boxes: npt.NDArray[np.int64]) -> Box:
    """The box round some boxes (N, 4)."""
    left, top = boxes[:, :2].min(0).tolist()
    right, bottom = (boxes[:, :2] + boxes[:, 2:]).max(0).tolist()
    return left, top, right - left, bottom - top
