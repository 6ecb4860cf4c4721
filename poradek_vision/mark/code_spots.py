"""Where ink lies near the middles of cells: what a search for printed codes starts from."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.mark.code_places import Indices
from poradek_vision.mark.pictures import FloatArray, U8Array


def first_places(ink: U8Array, middles: FloatArray, px: int) -> FloatArray:
    """The tilted square round the ink near each cell's middle, (N, 4); the middle itself where there is none."""
    spots = _Spots.of(_inked(ink, middles, px), px)
    return np.stack([spots.place(middle, px) for middle in middles])


def _inked(ink: U8Array, middles: FloatArray, px: int) -> U8Array:
    """Where there is ink (1), by what is darkest in each cell."""
    reach, inked = round(0.5 * px), np.zeros_like(ink)
    for x, y in np.round(middles).astype(int):
        left, top = max(0, x - reach), max(0, y - reach)
        cell = ink[top : y + reach, left : x + reach]
        dark = np.sort(cell[::2, ::2], axis=None)
        inked[top : y + reach, left : x + reach] = cell > 0.45 * dark[int(0.97 * len(dark))]
    return inked


@dataclass(frozen=True, slots=True, eq=False)
class _Spots:
    """Connected spots of ink: which is where (h, w), their middles (K, 2) and areas (K,), px; 0 where it is none."""

    labels: npt.NDArray[np.int32]
    middles: FloatArray
    areas: npt.NDArray[np.int64]

    @staticmethod
    def of(inked: U8Array, px: int) -> _Spots:
        """The spots of a picture, without specks and the grid's lines."""
        _, labels, stats, middles = cv2.connectedComponentsWithStats(inked)
        areas = stats[:, cv2.CC_STAT_AREA].astype(np.int64)
        widest = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(1)
        areas[(areas <= 0.01 * px * px) | (widest >= px)] = 0
        return _Spots(np.asarray(labels, np.int32), np.asarray(middles, np.float64), areas)

    def place(self, middle: FloatArray, px: int) -> FloatArray:
        """The square round the largest spot near a cell's middle, and those beside it that are no specks to it.

        A spot larger than any code is the outline of a sticker, which the sharpening of phones darkens.
        """
        near = np.flatnonzero((np.hypot(*(self.middles - middle).T) < 0.42 * px) & (self.areas > 0))
        for largest in near[np.argsort(-self.areas[near])]:
            square = self._square(largest, near, middle, px)
            if square[2] < _LARGEST_CELLS * px:
                return square
            near = near[near != largest]
        return np.array([*middle, 0.4 * px, 0.0])

    def _square(self, largest: int, near: Indices, middle: FloatArray, px: int) -> FloatArray:
        """The tilted square round a spot and those near it that may be parts of one code."""
        beside = np.hypot(*(self.middles[near] - self.middles[largest]).T) < 0.38 * px
        chosen = np.zeros(len(self.areas), np.uint8)
        chosen[near[beside & (self.areas[near] > 0.06 * self.areas[largest])]] = 1
        left, top = (max(0, round(at - 0.9 * px)) for at in middle)
        patch = self.labels[top : top + round(1.8 * px), left : left + round(1.8 * px)]
        (x, y), (width, height), turn = cv2.minAreaRect(cv2.findNonZero(chosen[patch]))
        return np.array([left + x, top + y, (width + height) / 2 + 1, turn])


_LARGEST_CELLS = 0.62
"""No code is as large: half a sticker that fills its cell and a fifth more."""
