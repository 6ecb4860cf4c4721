"""Where ink lies near the middles of cells: what a search for printed codes starts from."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.mark.codes.places import Indices
from poradek_vision.mark.pictures import FloatArray, U8Array


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """Connected spots of ink. Heavy.

    Attributes
    ----------
    labels : ndarray of shape (h, w), int32
        Which is where.
    middles : ndarray of shape (K, 2)
        Px.
    areas : ndarray of shape (K,), int64
        Px; 0 of specks and the grid's lines.
    which : ndarray of shape (k,), int64
        Those that are neither.
    """

    labels: npt.NDArray[np.int32]
    middles: FloatArray
    areas: npt.NDArray[np.int64]
    which: Indices

    @staticmethod
    def of(ink: U8Array, middles: FloatArray, px: int) -> Spots:
        """The spots of a picture of ink, by what is darkest near the middle of each cell."""
        _, labels, stats, spot_middles = cv2.connectedComponentsWithStats(_inked(ink, middles, px))
        areas = stats[:, cv2.CC_STAT_AREA].astype(np.int64)
        widest = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(1)
        areas[(areas <= 0.01 * px * px) | (widest >= px)] = 0
        spots = np.asarray(spot_middles, np.float64)
        return Spots(np.asarray(labels, np.int32), spots, areas, np.flatnonzero(areas))

    def places(self, middles: FloatArray, px: int) -> FloatArray:
        """The tilted square round the ink near each cell's middle, (N, 4); the middle itself where there is none."""
        return np.stack([self._place(middle, px) for middle in middles])

    def _place(self, middle: FloatArray, px: int) -> FloatArray:
        """The square round the largest spot near a cell's middle, and those beside it that are no specks to it.

        A spot larger than any code is the outline of a sticker, which the sharpening of phones darkens.
        """
        near = self.which[np.hypot(*(self.middles[self.which] - middle).T) < 0.42 * px]
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


def _inked(ink: U8Array, middles: FloatArray, px: int) -> U8Array:
    """Where there is ink (1), by what is darkest in each cell."""
    reach, inked = round(0.5 * px), np.zeros_like(ink)
    for x, y in np.round(middles).astype(int):
        left, top = max(0, x - reach), max(0, y - reach)
        cell = ink[top : y + reach, left : x + reach]
        some = cell[::2, ::2].ravel()
        place = int(0.97 * len(some))
        inked[top : y + reach, left : x + reach] = cell > 0.45 * np.partition(some, place)[place]
    return inked
