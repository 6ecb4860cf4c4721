"""A board resampled into its own frame, along its crossings."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.drawing import is_drawing
from poradek_vision.geometry import FloatArray, project, remap
from poradek_vision.model import GridFit, Photo, Rectified

Region = tuple[float, float, float, float]
"""Least u, least v, largest u, largest v, in cells."""


def rectify(photo: Photo, grid: GridFit, px_per_cell: int, region: Region) -> Rectified:
    """Resample the photo into the frame of a board.

    Inside the grid the picture follows the crossings, so that curled paper comes out flat; beyond it the homography
    goes on with the displacement of the nearest border. Where the photo has more pixels than asked for, they are
    averaged. A drawing goes on with its paper beyond the picture's edge.

    Parameters
    ----------
    photo : Photo
    grid : GridFit
    px_per_cell : int
    region : (float, float, float, float)
        What to show, in cells: least u, least v, largest u, largest v.

    Returns
    -------
    Rectified
    """
    over = int(np.clip(round(_px_per_cell(grid) * photo.scale / px_per_cell), 1, _MOST_OVERSAMPLING))
    points = _points_between(photo, grid, px_per_cell, region, over)
    height, width = photo.pixels.shape[:2]
    middles = points[over // 2 :: over, over // 2 :: over]
    x, y = middles[..., 0], middles[..., 1]
    inside = (x >= 0) & (x <= width - 1) & (y >= 0) & (y <= height - 1)
    pixels = remap(photo.pixels, points)
    if over > 1:
        averaged = cv2.resize(pixels, inside.shape[::-1], interpolation=cv2.INTER_AREA)
        pixels = np.asarray(averaged, np.uint8)
    if not inside.all() and is_drawing(photo.pixels):
        pixels = np.where(inside[..., None], pixels, _brightest(photo.pixels))
        inside = np.ones_like(inside)
    pixels.setflags(write=False)
    inside.setflags(write=False)
    return Rectified(pixels, px_per_cell, region[:2], inside)


_MOST_OVERSAMPLING = 3
_POINTS_PER_CELL = 8
"""Between points so near each other a photo's straight lines are straight: 0.1 px off at the most, on curled paper."""


def _points_between(
    photo: Photo, grid: GridFit, px_per_cell: int, region: Region, over: int
) -> npt.NDArray[np.float32]:
    """Where each pixel, and each of ``over``² parts of it, lies in ``photo.pixels``: some reckoned, others between."""
    step = next(step for step in range(max(1, px_per_cell // _POINTS_PER_CELL), 0, -1) if px_per_cell % step == 0)
    coarse, times = px_per_cell // step, step * over
    if times == 1:
        return photo_points(photo, grid, px_per_cell, region).astype(np.float32)
    rim = 1 / coarse  # lest the outermost points lie beyond all reckoned ones
    wide = (region[0] - rim, region[1] - rim, region[2] + 2 * rim, region[3] + 2 * rim)
    known = photo_points(photo, grid, coarse, wide).astype(np.float32)
    size = (known.shape[1] * times, known.shape[0] * times)
    width, height = (over * len(_pixel_centres(region[k], region[k + 2], px_per_cell)) for k in (0, 1))
    between = np.asarray(cv2.resize(known, size, interpolation=cv2.INTER_LINEAR), np.float32)
    return between[times : times + height, times : times + width]


def _brightest(rgb: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The brightest colour (3,) of a picture."""
    colours = rgb.reshape(-1, 3)
    brightest: npt.NDArray[np.uint8] = colours[cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY).argmax()]
    return brightest


def photo_points(photo: Photo, grid: GridFit, px_per_cell: int, region: Region) -> FloatArray:
    """Where each pixel of a rectified picture lies in ``photo.pixels``.

    Returns
    -------
    ndarray of shape (h, w, 2), float64
        (x, y) in pixels of the decoded photo.
    """
    u = _pixel_centres(region[0], region[2], px_per_cell)
    v = _pixel_centres(region[1], region[3], px_per_cell)
    crossings = np.asarray(grid.crossings)
    corner_u, corner_v = np.meshgrid(np.arange(grid.cols + 1.0), np.arange(grid.rows + 1.0))
    bent = crossings - project(grid.photo_from_board, np.stack([corner_u, corner_v], -1))
    shift: FloatArray = np.einsum(
        "vi,uj,ijk->vuk", _cubic_weights(v, grid.rows), _cubic_weights(u, grid.cols), bent, optimize=True
    )
    file_px: FloatArray = project(grid.photo_from_board, np.stack(np.meshgrid(u, v), -1)) + shift
    return (file_px + 0.5) * photo.scale - 0.5


def _pixel_centres(low: float, high: float, px_per_cell: int) -> FloatArray:
    """Board coordinates of the pixel centres along one side."""
    return (np.arange(round((high - low) * px_per_cell)) + 0.5) / px_per_cell + low


def _cubic_weights(t: FloatArray, cells: int) -> FloatArray:
    """Weights (len(t), cells+1) of cubic convolution between crossings; constant beyond the grid.

    References
    ----------
    Keys, Cubic convolution interpolation for digital image processing, IEEE Trans. ASSP 29 (1981).
    """
    t = np.clip(t, 0, cells)
    k = np.minimum(t.astype(int), cells - 1)
    f = t - k
    outer = (((-0.5 * f + 1) * f - 0.5) * f, (0.5 * f - 0.5) * f * f)
    near = np.stack([outer[0], (1.5 * f - 2.5) * f * f + 1, ((-1.5 * f + 2) * f + 0.5) * f, outer[1]], 1)
    weights = np.zeros((len(t), cells + 3))
    np.put_along_axis(weights, k[:, None] + np.arange(4), near, 1)
    inner = weights[:, 1:-1].copy()
    for missing, at, onward in ((weights[:, 0], 0, 1), (weights[:, -1], cells, -1)):  # beyond the border: straight on
        inner[:, at] += 2 * missing
        inner[:, at + onward] -= missing
    return inner


def _px_per_cell(grid: GridFit) -> float:
    """Median side of a cell, file px."""
    along = np.diff(np.asarray(grid.crossings), axis=1)
    return float(np.median(np.hypot(along[..., 0], along[..., 1])))
