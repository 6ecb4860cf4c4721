"""Parts of a photo made ready for painting on: cut out and scaled, or laid flat along the grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray, remap
from poradek_vision.model import GridFit, Photo
from poradek_vision.overlay.pen import GROUND, Picture, paste


@dataclass(frozen=True, slots=True)
class View:
    """A part of ``photo.pixels`` that is painted ``scale`` times as large: left, top, right, bottom in its pixels."""

    left: int
    top: int
    right: int
    bottom: int
    scale: float

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of what is painted, px."""
        return max(1, round((self.right - self.left) * self.scale)), max(
            1, round((self.bottom - self.top) * self.scale)
        )

    def paint(self, photo: Photo, picture: Picture) -> None:
        """Fill a picture of this view's size with its part of the photo."""
        paste(picture, photo.pixels[self.top : self.bottom, self.left : self.right])

    def place(self, photo: Photo, file_px: npt.ArrayLike) -> FloatArray:
        """Where points of the file (..., 2) lie in the painted part."""
        decoded = decoded_px(photo, file_px)
        placed: FloatArray = (decoded + 0.5 - [self.left, self.top]) * self.scale - 0.5
        return placed


def decoded_px(photo: Photo, file_px: npt.ArrayLike) -> FloatArray:
    """Points (..., 2) in pixels of ``photo.pixels``."""
    return (np.asarray(file_px, np.float64) + 0.5) * photo.scale - 0.5


def whole(photo: Photo, width: int, height: int) -> View:
    """All of a photo, as large as fits."""
    rows, cols = photo.pixels.shape[:2]
    return View(0, 0, cols, rows, min(width / cols, height / rows))


def around(photo: Photo, file_px: npt.ArrayLike, width: int, height: int, margin: float = 0.08) -> View:
    """The part of a photo round some points, with as much beside them as fills ``width`` × ``height``.

    All of the photo where the points lie outside it.
    """
    points = decoded_px(photo, file_px).reshape(-1, 2)
    rows, cols = photo.pixels.shape[:2]
    low, high = points.min(0), points.max(0)
    pad = margin * float((high - low).max())
    low, high = np.clip(low - pad, 0, [cols, rows]), np.clip(high + pad, 0, [cols, rows])
    if np.any(high - low < 8):
        return whole(photo, width, height)
    across, down = high - low
    left, right = _widened(low[0], high[0], max(across, down * width / height), cols)
    top, bottom = _widened(low[1], high[1], max(down, across * height / width), rows)
    return View(left, top, right, bottom, min(width / (right - left), height / (bottom - top)))


def _widened(low: float, high: float, length: float, limit: int) -> tuple[int, int]:
    """A span made as long as wished, as far as there is photo."""
    length = min(length, limit)
    start = float(np.clip((low + high - length) / 2, 0, limit - length))
    return int(start), min(limit, int(np.ceil(start + length)))


def flat(photo: Photo, grid: GridFit, region: tuple[float, float, float, float], width: int, height: int) -> Picture:
    """A part of a board laid flat along the crossings; what lies outside the photo is ground.

    Between crossings it interpolates linearly: it is for eyes, and costs a fraction of rectifying for reading.

    Parameters
    ----------
    photo : Photo
    grid : GridFit
    region : (float, float, float, float)
        Least u, least v, largest u, largest v in cells, at most one cell beyond the grid.
    width, height : int
        Of the picture, px.

    Returns
    -------
    ndarray of shape (height, width, 3), uint8
    """
    ring = np.pad(np.asarray(grid.crossings), ((1, 1), (1, 1), (0, 0)), mode="reflect", reflect_type="odd")
    known = decoded_px(photo, ring).astype(np.float32)
    u = np.linspace(region[0], region[2], 2 * width + 1)[1::2]
    v = np.linspace(region[1], region[3], 2 * height + 1)[1::2]
    points = _interpolated(_interpolated(known, v + 1, 0), u + 1, 1)
    pixels = remap(photo.pixels, points)
    last = np.array(photo.pixels.shape[1::-1]) - 1
    if known.min() < 0 or np.any(known > last):
        pixels[np.any((points < -0.5) | (points > last + 0.5), axis=-1)] = GROUND
    return pixels


def _interpolated(known: npt.NDArray[np.float32], t: FloatArray, axis: int) -> npt.NDArray[np.float32]:
    """Values at places ``t`` along an axis, linearly between the known ones.

    Not a product of matrices: these are small, and numpy would start threads for them.
    """
    before = np.clip(t.astype(int), 0, known.shape[axis] - 2)
    part = (t - before).astype(np.float32).reshape((-1, 1, 1) if axis == 0 else (-1, 1))
    low, high = known.take(before, axis), known.take(before + 1, axis)
    between: npt.NDArray[np.float32] = low + (high - low) * part
    return between
