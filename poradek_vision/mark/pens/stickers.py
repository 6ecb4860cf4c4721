"""Stickers as they are seen: each of a rectified board told from all round it, its colour divided out.

A *patch* is a cell with a quarter of a cell round it, at the pixels of the rectified picture. Darkness is 0 on the
sticker's own colour and 1 where it is black; off the sticker it is 0. All patches of a board are judged at once: in
(N, P, P) each of N cells has its patch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.pens.stacks import Pieces, averaged, closed, dilated, eroded, find_pieces
from poradek_vision.mark.pictures import Float32Array, U8Array, quantile, usual_of_kind
from poradek_vision.model import CellReading, Rectified

_T = TypeVar("_T", bound=np.generic)


@dataclass(frozen=True, slots=True)
class StickerSettings:
    """Numbers of finding a sticker and its ink, each with its unit; set on rendered photos."""

    margin_cells: float = 0.25
    """What is looked at round a cell."""
    core_cells: float = 0.6
    """Side of the middle in which most is the sticker's own colour."""
    least_bright: float = 0.72
    most_bright: float = 1.6
    """Sticker without ink is between these, against its own colour."""
    shade_cells: float = 0.3
    least_shade: float = 0.5
    """Where nothing over this is brighter, against what lies there, which is shaded; but never against less than so."""
    most_off: float = 0.24
    foreign_off: float = 0.4
    """How far, against the sticker's brightness, a pixel may lie off the line from black to the sticker's colour."""
    neck_cells: float = 0.16
    wide_neck_cells: float = 0.4
    """Stickers of one colour that touch less than this are told apart, the wider only where they still hang together.
    """
    close_cells: float = 0.16
    """Gaps in the sticker's colour are closed up to this: pen strokes that reach its edge."""
    inside_cells: float = 0.42
    """Pieces of the sticker's colour, and holes in it, whose middles lie farther than this from the cell's are no part
    of the sticker, but of a neighbour of its colour, or the gap between them."""
    beside_share: float = 0.25
    """A piece with so much of the middle against the largest is part of the same sticker, parted by a stroke."""
    whole_share: float = 0.7
    same_share: float = 0.8
    """What is larger than this, against the median of the board, or against what another way left of it, is a whole
    sticker."""
    smooth_cells: float = 0.03
    """Blur before strokes are looked for."""
    light_cells: float = 0.55
    """Light on a sticker is even over this."""
    ink_share: float = 0.4
    """Ink is at least this dark against the darkest of the sticker."""
    least_dark: float = 0.07
    """What is paler than this is no ink."""
    blank_dark: float = 0.04
    """A sticker that is nowhere darker than this bears no mark: of 4,120 marks on rendered photos 4 were as pale, none
    of them legible; of 274 blank stickers 250."""
    noise_times: float = 3.5
    """And ink stands out this many times from the grain of the sticker."""
    faint_share: float = 0.6
    """Where there is ink, what hangs together with it and has this share of its darkness is ink too."""
    reach_cells: float = 0.36
    """Ink whose centre lies farther from the sticker's is no part of the mark."""
    rim_cells: float = 0.05
    """So near its edge a sticker looks darker than it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Stickers:
    """What is seen of N stickers. Heavy.

    Attributes
    ----------
    darkness : ndarray of shape (N, P, P), float32
    bare : ndarray of shape (N, P, P), bool
        Where a sticker shows no ink.
    seen : ndarray of shape (N, P, P), bool
        Where it is, its ink included, its rim not.
    """

    darkness: Float32Array
    bare: npt.NDArray[np.bool_]
    seen: npt.NDArray[np.bool_]


def see_stickers(rectified: Rectified, cells: Sequence[CellReading], settings: StickerSettings) -> Stickers:
    """The stickers in some cells, each judged by the colour that its cell was read as.

    1. ``along`` and ``off``: each pixel along and off the line from black to the sticker's colour.
    2. ``sticker``: the piece of its colour that fills the middle, ink included.
    3. ``darkness`` against the light on the sticker.

    Parameters
    ----------
    rectified : Rectified
        The grid with at least ``settings.margin_cells`` round it, at about 48 px per cell.
    cells : sequence of CellReading
        Those with stickers; at least one.
    settings : StickerSettings
    """
    px = rectified.px_per_cell
    planes = _planes(rectified, cells, settings.margin_cells)
    colours = _own_colours(planes, [cell.colour for cell in cells], px, settings)
    along, off = _shares(_halved(planes), colours)
    bare = _bare(along, off, px / 2, settings)
    sticker = _stickers(bare, px / 2, settings)
    light = _twice(_light(along, bare & sticker, px / 2, settings))
    inked = _twice((sticker > 0) & (off < settings.foreign_off))
    darkness = np.where(inked, np.clip(1 - _along(planes, colours) / light, -0.3, 1), np.float32(0))
    return Stickers(darkness, _twice((bare & sticker) > 0), _twice(sticker > 0))


def _planes(rectified: Rectified, cells: Sequence[CellReading], margin: float) -> Float32Array:
    """The patches of cells, 0 to 1, by channel: (3, N, P, P)."""
    px, (u0, v0) = rectified.px_per_cell, rectified.origin_cells
    side = round((1 + 2 * margin) * px)
    channels = rectified.pixels.transpose(2, 0, 1).astype(np.float32) / np.float32(255)
    planes = np.empty((3, len(cells), side, side), np.float32)
    for k, cell in enumerate(cells):
        left, top = round((cell.col - margin - u0) * px), round((cell.row - margin - v0) * px)
        planes[:, k] = channels[:, top : top + side, left : left + side]
    return planes


def _own_colours(planes: Float32Array, colours: Sequence[str], px: int, settings: StickerSettings) -> Float32Array:
    """The colour of each sticker where it is, (N, 3): the median of what in its middle has most of the usual hue.

    Paper and ink have little of any hue, so neither a small sticker nor a broad pen misleads.
    """
    usual = _usual_colours(planes, colours, px)
    cores = _cores(planes, settings.core_cells * px)
    hues = np.einsum("nmc,nc->nm", cores, usual - usual.mean(1, keepdims=True))
    pure = np.argpartition(hues, int(0.6 * hues.shape[1]), axis=1)[:, int(0.6 * hues.shape[1]) :]
    chosen = np.take_along_axis(cores, pure[..., None], 1)
    return np.maximum(quantile(chosen.swapaxes(0, 1), 0.5), np.float32(0.02))


def _usual_colours(planes: Float32Array, colours: Sequence[str], px: int) -> Float32Array:
    """What a sticker of each one's colour looks like on this board, (N, 3): the median of the middles."""
    middles = quantile(_cores(planes, 0.3 * px).swapaxes(0, 1), 0.5)
    return usual_of_kind(middles, np.array(colours))


def _cores(planes: Float32Array, side_px: float) -> Float32Array:
    """Every second pixel of the middle of each patch, (N, M, 3)."""
    middle, half = planes.shape[-1] // 2, max(round(side_px / 2), 1)
    core = planes[..., middle - half : middle + half : 2, middle - half : middle + half : 2]
    return core.reshape(*core.shape[:2], -1).transpose(1, 2, 0)


def _halved(planes: Float32Array) -> Float32Array:
    """Patches at half the resolution."""
    parts = [planes[..., i::2, j::2] for i in (0, 1) for j in (0, 1)]
    return np.asarray(sum(parts) / np.float32(4), np.float32)


def _along(planes: Float32Array, colours: Float32Array) -> Float32Array:
    """How far each pixel lies along the line from black to its sticker's colour, which is 1."""
    weights = (colours / (colours**2).sum(1, keepdims=True)).T[:, :, None, None]
    return np.asarray(planes[0] * weights[0] + planes[1] * weights[1] + planes[2] * weights[2], np.float32)


def _shares(planes: Float32Array, colours: Float32Array) -> tuple[Float32Array, Float32Array]:
    """How far each pixel lies along that line, and off it."""
    along = _along(planes, colours)
    square = (planes**2).sum(0) / (colours**2).sum(1)[:, None, None]
    return along, np.sqrt(np.maximum(square - along**2, 0))


def _bare(along: Float32Array, off: Float32Array, px: float, settings: StickerSettings) -> U8Array:
    """1 where stickers show no ink, whether in the light or in the shade."""
    alike = (off < settings.most_off) & (along < settings.most_bright)
    around = closed(np.where(alike, along, np.float32(0)), settings.shade_cells * px)
    shade = np.clip(around, settings.least_shade, 1)
    return np.asarray(alike & (along > settings.least_bright * shade), np.uint8)


def _twice(stack: npt.NDArray[_T]) -> npt.NDArray[_T]:
    """Each pixel four times."""
    return stack.repeat(2, 1).repeat(2, 2)


def _stickers(bare: U8Array, px: float, settings: StickerSettings) -> U8Array:
    """1 on the stickers without their rims, ink included.

    Strokes part a sticker, so its gaps are closed; but stickers of one colour may be nearer to each other than a stroke
    is wide. Where so a neighbour is joined, it reaches beyond the patch.
    """
    gaps = closed(bare, settings.close_cells * px)
    whole = _told_apart(gaps, settings.neck_cells, px, settings)
    reach = _reach(whole)
    joined = np.nonzero(reach)[0]
    if len(joined):
        areas = _area(whole[reach == 0] if not reach.all() else whole)
        whole[joined] = _parted(whole[joined], bare[joined], gaps[joined], float(np.median(areas)), px, settings)
    return (eroded(whole, 2 * settings.rim_cells * px) > 0).astype(np.uint8)


def _parted(
    joined: U8Array, bare: U8Array, gaps: U8Array, usual: float, px: float, settings: StickerSettings
) -> U8Array:
    """Stickers and the neighbours that they are joined with, parted where this leaves whole stickers.

    Either at a wider neck, or at the gap that was closed.
    """
    whole, least = joined.copy(), np.full(len(joined), settings.whole_share * usual)
    for mask, neck in ((gaps, settings.wide_neck_cells), (bare, settings.neck_cells)):
        alone = _told_apart(mask, neck, px, settings)
        better = (_area(alone) >= least) & (2 * _reach(alone) < _reach(joined)) & (_reach(alone) <= _reach(whole))
        whole[better] = alone[better]
        least = np.where(better, settings.same_share * np.minimum(_area(whole), usual), least)
    return whole


def _area(masks: U8Array) -> npt.NDArray[np.int64]:
    """How many pixels each mask has, (N,)."""
    return np.asarray(np.count_nonzero(masks, (1, 2)))


def _reach(masks: U8Array) -> npt.NDArray[np.int64]:
    """How many pixels of each mask lie at the edges of its patch, (N,)."""
    return _area(masks[:, [0, -1]]) + _area(masks[..., [0, -1]])


def _told_apart(bare: U8Array, neck_cells: float, px: float, settings: StickerSettings) -> U8Array:
    """The pieces that have most of the middles, without what hangs on them by a neck; then closed."""
    filled, neck = bare | _holes(bare, px, settings), neck_cells * px
    pieces = find_pieces(eroded(filled, neck))
    shares = pieces.count(_middle(bare.shape, round(px / 3)))
    best = pieces.most(shares)
    beside = (shares >= settings.beside_share * best) & _inside(pieces, bare.shape[1], px, settings)
    whole = dilated(pieces.mask((shares > 0) & ((shares == best) | beside)), neck) & (filled * np.uint8(255))
    return closed(whole, settings.close_cells * px)


def _holes(masks: U8Array, px: float, settings: StickerSettings) -> U8Array:
    """1 on what is enclosed near the middles of masks: pen strokes."""
    pieces = find_pieces((masks == 0).astype(np.uint8))
    edge = np.ones(masks.shape, bool)
    edge[:, 1:-1, 1:-1] = False
    enclosed = (pieces.count(edge) == 0) & _inside(pieces, masks.shape[1], px, settings)
    enclosed[0] = False
    return pieces.mask(enclosed) & np.uint8(1)


def _middle(shape: tuple[int, ...], half: int) -> npt.NDArray[np.bool_]:
    """The middle square of each patch."""
    middle = np.zeros(shape, bool)
    low, high = shape[1] // 2 - half, shape[1] // 2 + half
    middle[:, low:high, low:high] = True
    return middle


def _inside(pieces: Pieces, side: int, px: float, settings: StickerSettings) -> npt.NDArray[np.bool_]:
    """Which pieces have their middles in the cell itself, (K,)."""
    return np.asarray(np.abs(pieces.middles - (side - 1) / 2).max(1) < settings.inside_cells * px)


def _light(along: Float32Array, bare: U8Array, px: float, settings: StickerSettings) -> Float32Array:
    """Brightness of stickers without their ink, smoothed."""
    size = round(settings.light_cells * px) | 1
    weight = bare.astype(np.float32)
    around, total = averaged(weight, size), averaged(along * weight, size)
    return np.where(around > 0.02, total / np.maximum(around, np.float32(0.02)), np.float32(1))
