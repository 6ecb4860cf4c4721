"""The ink on stickers: where the mark of each lies, and windows round it.

As in :mod:`poradek_vision.mark.pens.stickers`, all patches of a board are judged at once: (N, P, P).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.characters import WINDOW_PX
from poradek_vision.mark.pens.stacks import blurred, dilated, find_pieces
from poradek_vision.mark.pens.stickers import StickerSettings, see_stickers
from poradek_vision.mark.pictures import Float32Array, FloatArray, U8Array, quantile, square_window
from poradek_vision.model import CellReading, Rectified


@dataclass(frozen=True, slots=True, eq=False)
class Inks:
    """The ink of N stickers. Heavy.

    Attributes
    ----------
    darkness : ndarray of shape (N, P, P), float32
    middles : ndarray of shape (N, 2), float64
        Of the marks' boxes, or as ``steady_middles`` where no ink was found; (x, y) in px of the patch.
    steady_middles : ndarray of shape (N, 2), float64
        Where the darkness near the sticker's middle has its own middle: less exact, but never led astray by a part of
        the mark that stands out from the grain.
    extents_px : ndarray of shape (N,), float64
        Longer sides of the marks' boxes; 0 where no ink was found.
    cut_px : ndarray of shape (N,), int64
        How many pixels beside each mark's ink lie off what is seen of its sticker.
    marked : ndarray of shape (N,), bool
        Whether there is anything on it that could be ink, or a part of it.
    """

    darkness: Float32Array
    middles: FloatArray
    steady_middles: FloatArray
    extents_px: FloatArray
    cut_px: npt.NDArray[np.int64]
    marked: npt.NDArray[np.bool_]

    def of(self, which: npt.NDArray[np.integer]) -> Inks:
        """Those of some of the stickers."""
        parts = (self.darkness, self.middles, self.steady_middles, self.extents_px, self.cut_px, self.marked)
        return Inks(*(part[which] for part in parts))

    @property
    def usual_extent_px(self) -> float:
        """The median of the marks; 0 where there are none."""
        found = self.extents_px[self.extents_px > 0]
        return float(np.median(found)) if len(found) else 0.0


def sticker_inks(rectified: Rectified, cells: Sequence[CellReading], settings: StickerSettings) -> Inks:
    """The ink of the stickers in some cells, each judged by the colour that its cell was read as.

    Parameters
    ----------
    rectified : Rectified
        The grid with at least ``settings.margin_cells`` round it, at about 48 px per cell.
    cells : sequence of CellReading
        Those with stickers; at least one.
    settings : StickerSettings
    """
    px = rectified.px_per_cell
    stickers = see_stickers(rectified, cells, settings)
    darkness, seen = stickers.darkness, stickers.seen
    anchors = _anchors(seen)
    steady = _steady_middles(darkness, anchors, px)
    smooth = blurred(darkness, settings.smooth_cells * px)
    peaks = _peaks(smooth, anchors, px)
    least = np.maximum(settings.ink_share * peaks, settings.noise_times * _grains(smooth, stickers.bare))
    strokes = _strokes(smooth, np.maximum(least, settings.least_dark), seen, anchors, px, settings)
    boxes = _boxes(strokes)
    extents = np.maximum(boxes[:, 1] - boxes[:, 0] + 1, 0).max(1)
    middles = np.where(extents[:, None] > 0, boxes.mean(1), steady)
    cut_px = np.count_nonzero((dilated(strokes, 3) > 0) & ~seen, (1, 2))
    marked = (extents > 0) | (peaks >= settings.blank_dark)
    return Inks(darkness, middles, steady, extents, cut_px, marked)


def _anchors(seen: npt.NDArray[np.bool_]) -> FloatArray:
    """Where marks are expected, (N, 2): between the middles of the sticker and of the cell."""
    steps = np.arange(seen.shape[1], dtype=np.float32)
    middle = (seen.shape[1] - 1) / 2
    area = seen.sum((1, 2))
    sums = np.stack([seen.sum(1) @ steps, seen.sum(2) @ steps], 1)
    own = sums / np.maximum(area, 1)[:, None]
    return np.asarray(np.where(area[:, None] > 0, 0.35 * middle + 0.65 * own, middle))


def _strokes(
    smooth: Float32Array,
    least: Float32Array,
    seen: npt.NDArray[np.bool_],
    anchors: FloatArray,
    px: int,
    settings: StickerSettings,
) -> U8Array:
    """The strokes of the marks: what is darker than ``least`` (N,), near the middle."""
    least = least[:, None, None]
    pieces = find_pieces(((smooth > settings.faint_share * least) & seen).astype(np.uint8))
    areas = pieces.count(smooth > least)
    keep = areas >= 0.002 * px * px
    keep &= np.hypot(*(pieces.middles - anchors[pieces.picture]).T) < settings.reach_cells * px
    keep &= areas > 0.08 * pieces.most(np.where(keep, areas, 0))
    return pieces.mask(keep)


def _grains(smooth: Float32Array, bare: npt.NDArray[np.bool_]) -> Float32Array:
    """How coarse the grain of each sticker is where it shows no ink, (N,); every second pixel tells as much."""
    bare = bare[:, ::2, ::2]
    own = np.where(bare, np.abs(smooth[:, ::2, ::2]), np.float32(np.inf)).reshape(len(bare), -1)
    count = np.count_nonzero(bare, (1, 2))
    middle = np.sort(own, axis=1)[np.arange(len(own)), count // 2]
    return np.where(count > 0, np.float32(1.48) * middle, np.float32(0))


def _peaks(smooth: Float32Array, anchors: FloatArray, px: int) -> Float32Array:
    """How dark it is where it is darkest near each anchor, (N,); every second pixel tells as much."""
    smooth = smooth[:, ::2, ::2]
    size, half = smooth.shape[1], round(0.15 * px)
    x, y = np.clip(np.rint(anchors / 2).astype(int), half, size - half).T[..., None] + np.arange(-half, half)
    near = smooth[np.arange(len(smooth))[:, None, None], y[:, :, None], x[:, None]]
    return quantile(near.reshape(len(near), -1).T, 0.98)


def _boxes(masks: U8Array) -> npt.NDArray[np.float64]:
    """First and last (x, y) of what is not 0 in each mask, (N, 2, 2); the first after the last where all is 0."""
    size = masks.shape[1]
    found = np.stack([masks.any(1), masks.any(2)], 1)
    first, last = found.argmax(2), size - 1 - found[..., ::-1].argmax(2)
    empty = ~found.any(2)
    return np.stack([np.where(empty, 1, first), np.where(empty, 0, last)], 1).astype(np.float64)


def _steady_middles(darkness: Float32Array, anchors: FloatArray, px: int) -> FloatArray:
    """The middles of the darkness, (N, 2), by mean shift from where marks are expected."""
    dark = np.maximum(darkness[:, ::2, ::2] - np.float32(0.02), 0)
    steps = np.arange(dark.shape[1], dtype=np.float32) * 2
    middles = anchors
    for width in (0.25 * px, 0.22 * px):
        near_x, near_y = np.exp(-(((steps - middles.T[..., None]) / width) ** 2) / 2).astype(np.float32)
        columns = np.einsum("nyx,ny->nx", dark, near_y) * near_x
        rows = np.einsum("nyx,nx->ny", dark, near_x) * near_y
        total = columns.sum(1)
        moved = np.stack([columns @ steps, rows @ steps], 1) / np.maximum(total, np.float32(1e-6))[:, None]
        middles = np.where(total[:, None] > 1e-6, moved, middles)
    return middles


def ink_windows(inks: Inks, px: int, usual_px: float, fill: float, steady: bool = False) -> Float32Array:
    """Square pictures round marks, scaled so that a mark fills its window.

    Where the ink found is far smaller than the board's marks are, it is but a part of one.

    Parameters
    ----------
    inks : Inks
    px : int
        Per cell.
    usual_px : float
        How large the marks of the board are; 0 where it is not known.
    fill : float
        Share of the window's side that the mark's longer side takes.
    steady : bool
        Round the steady middles instead, all of the usual size.

    Returns
    -------
    ndarray of shape (N, 32, 32), float32
        Darkness.
    """
    usual = usual_px or _USUAL_CELLS * px
    by_usual = (inks.extents_px < _LEAST_PART * usual) | steady
    extents = np.minimum(np.where(by_usual, usual, inks.extents_px), 1.5 * usual)
    middles = np.where(by_usual[:, None], inks.steady_middles, inks.middles)
    windows = np.empty((len(extents), WINDOW_PX, WINDOW_PX), np.float32)
    for window, darkness, middle, extent in zip(windows, inks.darkness, middles, extents, strict=True):
        window[:] = square_window(darkness, (middle[0], middle[1]), float(extent) / fill, WINDOW_PX)
    return windows


_USUAL_CELLS = 0.4
_LEAST_PART = 0.65
"""A mark is at least this large, against the median of the board."""
