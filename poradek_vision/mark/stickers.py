"""The ink on stickers: each sticker of a rectified board, its colour divided out, and where its mark lies.

A *patch* is a cell with a quarter of a cell round it, at the pixels of the rectified picture. Darkness is 0 on the
sticker's own colour and 1 where it is black; off the sticker it is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from poradek_vision.mark.pictures import (
    Float32Array,
    FloatArray,
    U8Array,
    blurred,
    bounding_box,
    closed,
    dilated,
    eroded,
    quantile,
    square_window,
)
from poradek_vision.model import CellReading, Point, Rectified


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
    close_cells: float = 0.16
    """Gaps in the sticker's colour are closed up to this: pen strokes."""
    smooth_cells: float = 0.03
    """Blur before strokes are looked for."""
    light_cells: float = 0.55
    """Light on a sticker is even over this."""
    ink_share: float = 0.4
    """Ink is at least this dark against the darkest of the sticker."""
    least_dark: float = 0.07
    """What is paler than this is no ink."""
    noise_times: float = 3.5
    """And ink stands out this many times from the grain of the sticker."""
    faint_share: float = 0.6
    """Where there is ink, what hangs together with it and has this share of its darkness is ink too."""
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
        Of the mark's box, or as ``steady_middle`` where no ink was found; px of the patch.
    steady_middle : (float, float)
        Where the darkness near the sticker's middle has its own middle: less exact, but never led astray by a part of
        the mark that stands out from the grain.
    extent_px : float
        Longer side of the mark's box; 0 where no ink was found.
    """

    darkness: Float32Array
    seen: U8Array
    strokes: U8Array
    middle: Point
    steady_middle: Point
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
        patches.append(rectified.pixels[top : top + side, left : left + side].astype(np.float32) / np.float32(255))
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
    seen = eroded(_sticker(bare, px, settings), 2 * settings.rim_cells * px)
    light = _light(along, bare & (seen > 0), px, settings)
    dark = np.where((seen > 0) & (off < settings.foreign_off), np.clip(1 - along / light, -0.3, 1), 0)
    darkness = dark.astype(np.float32)
    anchor = _anchor(seen)
    strokes = _strokes(darkness, bare & (seen > 0), seen, anchor, px, settings)
    steady = _steady_middle(darkness, anchor, px)
    left, top, width, height = bounding_box(strokes)
    if not width:
        return Ink(darkness, seen, strokes, steady, steady, 0.0)
    middle = (left + (width - 1) / 2, top + (height - 1) / 2)
    return Ink(darkness, seen, strokes, middle, steady, float(max(width, height)))


def _own_colour(core: Float32Array, usual: Float32Array) -> Float32Array:
    """The sticker's colour where it is: the median of those pixels of the middle that have most of the usual hue.

    Paper and ink have little of any hue, so neither a small sticker nor a broad pen misleads.
    """
    hue = core @ (usual - usual.mean())
    return np.maximum(quantile(core[hue >= quantile(hue, 0.6)], 0.5), np.float32(0.02))


def _sticker(bare: U8Array, px: int, settings: StickerSettings) -> U8Array:
    """The piece of the sticker's colour that has most of the middle, ink included."""
    outlines, _ = cv2.findContours(closed(bare, settings.close_cells * px), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(bare)
    cv2.drawContours(filled, outlines, -1, 255, -1)
    neck = settings.neck_cells * px
    count, labels = cv2.connectedComponents(eroded(filled, neck))
    side, half = bare.shape[0], px // 3
    middle = labels[side // 2 - half : side // 2 + half, side // 2 - half : side // 2 + half]
    sizes = np.bincount(middle.ravel(), minlength=count)
    sizes[0] = 0
    if not sizes.any():
        return filled
    return dilated(np.where(labels == sizes.argmax(), np.uint8(255), np.uint8(0)), neck) & filled


def _light(along: Float32Array, bare: U8Array, px: int, settings: StickerSettings) -> Float32Array:
    """Brightness of the sticker without its ink, smoothed."""
    size = (round(settings.light_cells * px) | 1,) * 2
    weight = bare.astype(np.float32)
    around = cv2.blur(weight, size)
    total = cv2.blur(along.astype(np.float32) * weight, size)
    return np.where(around > 0.02, total / np.maximum(around, 0.02), 1.0).astype(np.float32)


def _strokes(
    darkness: Float32Array, bare: U8Array, seen: U8Array, anchor: FloatArray, px: int, settings: StickerSettings
) -> U8Array:
    """The strokes of the mark: what is darkest, near the middle."""
    smooth = blurred(darkness, settings.smooth_cells * px)
    grain = 1.48 * float(quantile(np.abs(smooth[bare > 0]), 0.5)) if bare.any() else 0.0
    size, half = len(seen), round(0.3 * px)
    y, x = (int(np.clip(round(at), half, size - half)) for at in anchor[::-1])
    peak = float(quantile(smooth[y - half : y + half, x - half : x + half].ravel(), 0.98))
    least = max(settings.ink_share * peak, settings.noise_times * grain, settings.least_dark)
    faint = ((smooth > settings.faint_share * least) & (seen > 0)).astype(np.uint8)
    _, labels, stats, centres = cv2.connectedComponentsWithStats(faint)
    areas = np.bincount(labels[smooth > least], minlength=len(stats))
    keep = (areas >= 0.002 * px * px) & (np.hypot(*(centres - anchor).T) < settings.reach_cells * px)
    keep[0] = False
    keep &= areas > 0.08 * areas[keep].max(initial=0)
    return np.where(keep[labels], np.uint8(255), np.uint8(0))


def _steady_middle(darkness: Float32Array, anchor: FloatArray, px: int) -> Point:
    """The middle of the darkness, by mean shift from the sticker's middle."""
    dark = np.maximum(darkness[::2, ::2] - 0.02, 0)
    steps = np.arange(len(dark)) * 2.0
    x, y = float(anchor[0]), float(anchor[1])
    for width in (0.25 * px, 0.22 * px):
        near_x, near_y = np.exp(-(((steps - x) / width) ** 2) / 2), np.exp(-(((steps - y) / width) ** 2) / 2)
        columns, rows = near_y @ dark * near_x, dark @ near_x * near_y
        if columns.sum() <= 0:
            break
        x, y = float(columns @ steps / columns.sum()), float(rows @ steps / rows.sum())
    return x, y


def _anchor(seen: U8Array) -> FloatArray:
    """Where the mark is expected: between the middles of the sticker and of the cell."""
    middle = np.full(2, (len(seen) - 1) / 2)
    moments = cv2.moments(seen, True)
    if not moments["m00"]:
        return middle
    return 0.35 * middle + 0.65 * np.array([moments["m10"], moments["m01"]]) / moments["m00"]


def ink_windows(inks: Sequence[Ink], px: int, side_px: int, fill: float, steady: bool = False) -> Float32Array:
    """Square pictures round marks, scaled so that a mark fills its window.

    Sizes far from the board's median are drawn to it: one hand writes all of them about as large.

    Parameters
    ----------
    inks : sequence of Ink
        Of all stickers of a board.
    px : int
        Per cell.
    side_px : int
        Of a window.
    fill : float
        Share of the window's side that the mark's longer side takes.
    steady : bool
        Round the steady middles instead, all of the usual size.

    Returns
    -------
    ndarray of shape (N, side_px, side_px), float32
        Darkness.
    """
    extents = np.array([ink.extent_px for ink in inks])
    usual = float(np.median(extents[extents > 0])) if np.any(extents > 0) else 0.4 * px
    extents = np.clip(np.where((extents > 0) & (not steady), extents, usual), 0.65 * usual, 1.5 * usual)
    windows = np.empty((len(inks), side_px, side_px), np.float32)
    for window, ink, extent in zip(windows, inks, extents, strict=True):
        middle = ink.steady_middle if steady else ink.middle
        window[:] = square_window(ink.darkness, middle, float(extent) / fill, side_px)
    return windows
