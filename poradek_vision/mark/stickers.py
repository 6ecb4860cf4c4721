"""The ink on stickers: each sticker of a rectified board, its colour divided out, and where its mark lies.

A *patch* is a cell with a quarter of a cell round it, at the pixels of the rectified picture. Darkness is 0 on the
sticker's own colour and 1 where it is black; off the sticker it is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.model import CellReading, Rectified

Float32Array = npt.NDArray[np.float32]
U8Array = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class StickerSettings:
    """Numbers of finding a sticker and its ink, each with its unit; set on rendered photos."""

    margin_cells: float = 0.25
    """What is looked at round a cell."""
    core_cells: float = 0.6
    """Side of the middle in which most is the sticker's own colour."""
    least_bright: float = 0.72
    """Sticker without ink is at least this bright, against its own colour."""
    most_off: float = 0.24
    foreign_off: float = 0.4
    """How far, against the sticker's brightness, a pixel may lie off the line from black to the sticker's colour."""
    neck_cells: float = 0.16
    """Stickers of one colour that touch less than this are told apart."""
    light_cells: float = 0.55
    """Light on a sticker is even over this."""
    ink_share: float = 0.4
    """Ink is at least this dark against the darkest of the sticker."""
    least_dark: float = 0.07
    """What is paler than this is no ink."""
    noise_times: float = 3.5
    """And ink stands out this many times from the grain of the sticker."""
    reach_cells: float = 0.36
    """Ink whose centre lies farther from the sticker's is no part of the mark."""
    rim_cells: float = 0.05
    """So near its edge a sticker looks darker than it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Ink:
    """The ink of one sticker. Heavy.

    Attributes
    ----------
    darkness : ndarray of shape (P, P), float32
    seen : ndarray of shape (P, P), uint8
        255 where the sticker is, its ink included.
    strokes : ndarray of shape (P, P), uint8
        255 on the ink of the mark.
    middle : (float, float)
        Of the mark's box, or of the sticker where no ink was found; px of the patch.
    extent_px : float
        Longer side of the mark's box; 0 where no ink was found.
    """

    darkness: Float32Array
    seen: U8Array
    strokes: U8Array
    middle: tuple[float, float]
    extent_px: float


def sticker_inks(rectified: Rectified, cells: Sequence[CellReading], settings: StickerSettings) -> tuple[Ink, ...]:
    """The ink of the stickers in some cells, each judged by the colour that its cell was read as.

    Parameters
    ----------
    rectified : Rectified
        The grid with at least ``settings.margin_cells`` round it, at about 48 px per cell.
    cells : sequence of CellReading
        Those with stickers.
    settings : StickerSettings
    """
    px, (u0, v0) = rectified.px_per_cell, rectified.origin_cells
    side = round((1 + 2 * settings.margin_cells) * px)
    patches = []
    for cell in cells:
        left = round((cell.col - settings.margin_cells - u0) * px)
        top = round((cell.row - settings.margin_cells - v0) * px)
        patches.append(rectified.pixels[top : top + side, left : left + side].astype(np.float32) / 255)
    usual = _usual_colours(patches, [cell.colour for cell in cells], px)
    return tuple(_ink(patch, usual[cell.colour], px, settings) for patch, cell in zip(patches, cells, strict=True))


def _usual_colours(patches: Sequence[Float32Array], colours: Sequence[str], px: int) -> dict[str, Float32Array]:
    """What a sticker of each colour looks like on this board: the median of the middles."""
    middles: dict[str, list[Float32Array]] = {}
    for patch, colour in zip(patches, colours, strict=True):
        middles.setdefault(colour, []).append(np.median(_core(patch, 0.3 * px), axis=0))
    return {colour: np.median(found, axis=0) for colour, found in middles.items()}


def _core(patch: Float32Array, side_px: float) -> Float32Array:
    """Every second pixel of the middle of a patch, (M, 3)."""
    middle, half = len(patch) // 2, max(round(side_px / 2), 1)
    core: Float32Array = patch[middle - half : middle + half : 2, middle - half : middle + half : 2].reshape(-1, 3)
    return core


def _ink(pixels: Float32Array, usual: Float32Array, px: int, settings: StickerSettings) -> Ink:
    """The ink of one sticker.

    1. ``along`` and ``off``: each pixel along and off the line from black to the sticker's colour.
    2. ``seen``: the sticker, as the piece of its colour that fills the middle, holes closed.
    3. ``darkness`` against the light on the sticker.
    4. ``strokes``: what is darkest, near the middle.
    """
    colour = _own_colour(_core(pixels, settings.core_cells * px), usual)
    norm = float(colour @ colour)
    along = pixels @ (colour / norm)
    off = np.sqrt(np.maximum((pixels**2).sum(-1) / norm - along**2, 0))
    bare = ((along > settings.least_bright) & (off < settings.most_off) & (along < 1.6)).astype(np.uint8)
    seen = cv2.erode(_sticker(bare, px, settings), _disk(2 * settings.rim_cells * px))
    light = _light(along, bare & (seen > 0), px, settings)
    dark = np.where((seen > 0) & (off < settings.foreign_off), np.clip(1 - along / light, -0.3, 1), 0)
    darkness = dark.astype(np.float32)
    strokes, middle, extent = _mark(darkness, bare & (seen > 0), seen, px, settings)
    return Ink(darkness, seen, strokes, middle, extent)


def _own_colour(core: Float32Array, usual: Float32Array) -> Float32Array:
    """The sticker's colour where it is: the median of those pixels of the middle that have most of the usual hue.

    Paper and ink have little of any hue, so neither a small sticker nor a broad pen misleads.
    """
    hue = core @ (usual - usual.mean())
    return np.maximum(_quantile(core[hue >= _quantile(hue, 0.6)], 0.5), np.float32(0.02))


def _quantile(values: Float32Array, share: float) -> Float32Array:
    """The value that this share lies below, along the first axis; several times faster than ``np.quantile``."""
    place = min(int(share * len(values)), len(values) - 1)
    return np.asarray(np.partition(values, place, axis=0)[place])


def _sticker(bare: U8Array, px: int, settings: StickerSettings) -> U8Array:
    """The piece of the sticker's colour that has most of the middle, ink included."""
    closed = cv2.morphologyEx(bare, cv2.MORPH_CLOSE, _disk(0.12 * px))
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = cv2.drawContours(np.zeros_like(bare), outlines, -1, 255, -1)
    neck = _disk(settings.neck_cells * px)
    framed = cv2.copyMakeBorder(filled, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    count, labels = cv2.connectedComponents(cv2.erode(framed, neck)[1:-1, 1:-1])
    side, half = bare.shape[0], px // 3
    middle = labels[side // 2 - half : side // 2 + half, side // 2 - half : side // 2 + half]
    sizes = np.bincount(middle.ravel(), minlength=count)
    sizes[0] = 0
    if not sizes.any():
        return filled
    piece = (labels == sizes.argmax()).astype(np.uint8) * 255
    return cv2.bitwise_and(cv2.dilate(piece, neck), filled)


def _light(along: Float32Array, bare: U8Array, px: int, settings: StickerSettings) -> Float32Array:
    """Brightness of the sticker without its ink, smoothed."""
    size = (round(settings.light_cells * px) | 1,) * 2
    weight = bare.astype(np.float32)
    around = cv2.blur(weight, size)
    total = cv2.blur(along.astype(np.float32) * weight, size)
    return np.where(around > 0.02, total / np.maximum(around, 0.02), 1.0).astype(np.float32)


def _mark(
    darkness: Float32Array, bare: U8Array, seen: U8Array, px: int, settings: StickerSettings
) -> tuple[U8Array, tuple[float, float], float]:
    """The strokes of the mark, the middle of their box and its longer side."""
    smooth = cv2.GaussianBlur(darkness, (0, 0), 0.02 * px)
    anchor = _anchor(seen)
    grain = 1.48 * float(_quantile(np.abs(smooth[bare > 0]), 0.5)) if bare.any() else 0.0
    size, half = len(seen), round(0.3 * px)
    y, x = (int(np.clip(round(at), half, size - half)) for at in anchor[::-1])
    peak = float(_quantile(smooth[y - half : y + half, x - half : x + half].ravel(), 0.98))
    least = max(settings.ink_share * peak, settings.noise_times * grain, settings.least_dark)
    ink = ((smooth > least) & (seen > 0)).astype(np.uint8)
    count, labels, stats, centres = cv2.connectedComponentsWithStats(ink)
    away = np.hypot(*(centres - anchor).T) / px
    keep = (stats[:, cv2.CC_STAT_AREA] >= 0.002 * px * px) & (away < settings.reach_cells)
    keep[0] = False
    keep &= stats[:, cv2.CC_STAT_AREA] > 0.08 * stats[keep, cv2.CC_STAT_AREA].max(initial=0)
    if not keep.any():
        return np.zeros_like(seen), (float(anchor[0]), float(anchor[1])), 0.0
    strokes = (keep[labels] * 255).astype(np.uint8)
    left, top, width, height = cv2.boundingRect(strokes)
    return strokes, (left + (width - 1) / 2, top + (height - 1) / 2), float(max(width, height))


def _anchor(seen: U8Array) -> npt.NDArray[np.float64]:
    """Where the mark is expected: between the middles of the sticker and of the cell."""
    middle = np.full(2, (len(seen) - 1) / 2)
    moments = cv2.moments(seen, True)
    if not moments["m00"]:
        return middle
    return 0.35 * middle + 0.65 * np.array([moments["m10"], moments["m01"]]) / moments["m00"]


def _disk(diameter: float) -> U8Array:
    """A round kernel of about this many pixels across."""
    size = max(round(diameter) | 1, 3)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


def ink_windows(inks: Sequence[Ink], px: int, side_px: int, fill: float, slack: float = 1.0) -> Float32Array:
    """Square pictures round marks, scaled so that a mark fills its window.

    Sizes far from the board's median are drawn to it: one hand writes all of them about as large.

    Parameters
    ----------
    inks : sequence of Ink
    px : int
        Per cell.
    side_px : int
        Of a window.
    fill : float
        Share of the window's side that the mark's longer side takes.
    slack : float
        Windows this many times larger.

    Returns
    -------
    ndarray of shape (N, side_px, side_px), float32
        Darkness.
    """
    extents = np.array([ink.extent_px for ink in inks])
    usual = float(np.median(extents[extents > 0])) if np.any(extents > 0) else 0.4 * px
    extents = np.clip(np.where(extents > 0, extents, usual), 0.65 * usual, 1.5 * usual)
    windows = np.empty((len(inks), side_px, side_px), np.float32)
    for k, (ink, extent) in enumerate(zip(inks, extents, strict=True)):
        scale = extent / fill * slack / side_px
        shift = np.array(ink.middle) - scale * (side_px - 1) / 2
        to_patch = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        windows[k] = cv2.warpAffine(ink.darkness, to_patch, (side_px, side_px), flags=flags)
    return windows
