"""The ink on stickers: each sticker of a rectified board, its colour divided out, and where its mark lies.

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

from poradek_vision.mark.characters import WINDOW_PX
from poradek_vision.mark.pictures import Float32Array, FloatArray, U8Array, quantile, square_window
from poradek_vision.mark.stacks import Pieces, averaged, blurred, closed, dilated, eroded, find_pieces
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
    noise_times: float = 3.5
    """And ink stands out this many times from the grain of the sticker."""
    faint_share: float = 0.6
    """Where there is ink, what hangs together with it and has this share of its darkness is ink too."""
    reach_cells: float = 0.36
    """Ink whose centre lies farther from the sticker's is no part of the mark."""
    rim_cells: float = 0.05
    """So near its edge a sticker looks darker than it is."""


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
    """

    darkness: Float32Array
    middles: FloatArray
    steady_middles: FloatArray
    extents_px: FloatArray
    cut_px: npt.NDArray[np.int64]

    def of(self, which: npt.NDArray[np.integer]) -> Inks:
        """Those of some of the stickers."""
        parts = (self.darkness, self.middles, self.steady_middles, self.extents_px, self.cut_px)
        return Inks(*(part[which] for part in parts))

    @property
    def usual_extent_px(self) -> float:
        """The median of the marks; 0 where there are none."""
        found = self.extents_px[self.extents_px > 0]
        return float(np.median(found)) if len(found) else 0.0


def sticker_inks(rectified: Rectified, cells: Sequence[CellReading], settings: StickerSettings) -> Inks:
    """The ink of the stickers in some cells, each judged by the colour that its cell was read as.

    1. ``along`` and ``off``: each pixel along and off the line from black to the sticker's colour.
    2. ``seen``: the sticker, as the piece of its colour that fills the middle, holes closed.
    3. ``darkness`` against the light on the sticker.
    4. ``strokes``: what is darkest, near the middle.

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
    seen = _twice(sticker > 0)
    anchors = _anchors(seen)
    steady = _steady_middles(darkness, anchors, px)
    strokes = _strokes(darkness, _twice(bare > 0) & seen, seen, anchors, px, settings)
    boxes = _boxes(strokes)
    extents = np.maximum(boxes[:, 1] - boxes[:, 0] + 1, 0).max(1)
    middles = np.where(extents[:, None] > 0, boxes.mean(1), steady)
    return Inks(darkness, middles, steady, extents, np.count_nonzero((dilated(strokes, 3) > 0) & ~seen, (1, 2)))


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
    named = np.array(colours)
    usual = np.empty_like(middles)
    for colour in dict.fromkeys(colours):
        usual[named == colour] = np.median(middles[named == colour], axis=0)
    return usual


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


def _anchors(seen: npt.NDArray[np.bool_]) -> FloatArray:
    """Where marks are expected, (N, 2): between the middles of the sticker and of the cell."""
    steps = np.arange(seen.shape[1], dtype=np.float32)
    middle = (seen.shape[1] - 1) / 2
    area = seen.sum((1, 2))
    sums = np.stack([seen.sum(1) @ steps, seen.sum(2) @ steps], 1)
    own = sums / np.maximum(area, 1)[:, None]
    return np.asarray(np.where(area[:, None] > 0, 0.35 * middle + 0.65 * own, middle))


def _strokes(
    darkness: Float32Array,
    bare: npt.NDArray[np.bool_],
    seen: npt.NDArray[np.bool_],
    anchors: FloatArray,
    px: int,
    settings: StickerSettings,
) -> U8Array:
    """The strokes of the marks: what is darkest, near the middle."""
    smooth = blurred(darkness, settings.smooth_cells * px)
    thin = zip(smooth[:, ::2, ::2], bare[:, ::2, ::2], anchors / 2, strict=True)  # every second pixel tells as much
    least = np.array([_least_dark(*each, px / 2, settings) for each in thin], np.float32)
    least = least[:, None, None]
    pieces = find_pieces(((smooth > settings.faint_share * least) & seen).astype(np.uint8))
    areas = pieces.count(smooth > least)
    keep = areas >= 0.002 * px * px
    keep &= np.hypot(*(pieces.middles - anchors[pieces.picture]).T) < settings.reach_cells * px
    keep &= areas > 0.08 * pieces.most(np.where(keep, areas, 0))
    return pieces.mask(keep)


def _least_dark(
    smooth: Float32Array, bare: npt.NDArray[np.bool_], anchor: FloatArray, px: float, settings: StickerSettings
) -> float:
    """How dark ink is at least on one sticker: against its darkest, and against its grain."""
    own = np.abs(smooth[bare])
    grain = 1.48 * float(quantile(own, 0.5)) if len(own) else 0.0
    size, half = len(smooth), round(0.3 * px)
    x, y = np.clip(np.rint(anchor).astype(int), half, size - half)
    peak = float(quantile(smooth[y - half : y + half, x - half : x + half].ravel(), 0.98))
    return max(settings.ink_share * peak, settings.noise_times * grain, settings.least_dark)


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
