"""A board with its margin laid flat, and what is narrow and dark on it: lines and writing."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.channels import channel_sum
from poradek_vision.find.rectify import rectify
from poradek_vision.geometry import FloatArray
from poradek_vision.model import GridFit, Photo

BoolArray = npt.NDArray[np.bool_]
Levels = npt.NDArray[np.uint8]
Picture = FloatArray | npt.NDArray[np.float32] | Levels
BORDER_PX = 4
"""So near its place the border of a cell is, px."""
_BLACK = 24.0
"""Added to levels before dividing, so that noise in the dark does not pass for ink."""


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """A board with its margin laid flat.

    Attributes
    ----------
    levels, filled : ndarray of shape (h, w, 3), uint8
        sRGB, and the same without what is dark and narrow.
    ink : ndarray of shape (h, w), float32
        Share of light that narrow dark things take.
    seen : ndarray of shape (h, w), bool
        What lies in the photo.
    rows, cols, px, margin_px : int
    """

    levels: Levels
    filled: Levels
    ink: npt.NDArray[np.float32]
    seen: BoolArray
    rows: int
    cols: int
    px: int
    margin_px: int

    def cells(self, picture: Picture, part: tuple[float, float]) -> Picture:
        """A part of every cell of a picture (h, w, …): (rows, cols, pixels, …)."""
        first, last = (round(share * self.px) for share in part)
        m, px, more = self.margin_px, self.px, picture.shape[2:]
        inner = picture[m : m + self.rows * px, m : m + self.cols * px]
        each = inner.reshape(self.rows, px, self.cols, px, *more).swapaxes(1, 2)[:, :, first:last, first:last]
        return each.reshape(self.rows, self.cols, (last - first) ** 2, *more)


def lay(photo: Photo, grid: GridFit, px: int, margin_cells: float, stroke_px: int) -> Laid:
    """Lay a board flat and part it into what is narrow and dark, and what is not.

    Parameters
    ----------
    photo : Photo
    grid : GridFit
    px : int
        Side of a cell then.
    margin_cells : float
        What is looked at round the grid.
    stroke_px : int
        What is darker than its surroundings and narrower than this is a line or writing.
    """
    region = (-margin_cells, -margin_cells, grid.cols + margin_cells, grid.rows + margin_cells)
    rectified = rectify(photo, grid, px, region)
    smooth = np.asarray(cv2.GaussianBlur(rectified.pixels, (3, 3), 0.6), np.uint8)
    filled = np.asarray(cv2.morphologyEx(smooth, cv2.MORPH_CLOSE, np.ones((stroke_px,) * 2, np.uint8)), np.uint8)
    ink = taken(channel_sum(smooth), channel_sum(filled))
    return Laid(smooth, filled, ink, rectified.seen, grid.rows, grid.cols, px, round(margin_cells * px))


def taken(light: npt.NDArray[np.float32], broad: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The share of the light of what is broad that is missing, both (..., h, w) as sums of three levels."""
    return (broad - light) / (broad + _BLACK)
