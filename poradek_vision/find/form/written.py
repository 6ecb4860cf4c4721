"""What is written in a grid's cells: letters and digits, no small signs that show where a sticker goes."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.channels import channel_sum
from poradek_vision.find.form.laid import BORDER_PX, BoolArray, Laid, Picture, taken


@dataclass(frozen=True, slots=True)
class CellWritingSettings:
    """Numbers of telling writing, each with its unit; the shares in rendered photos."""

    rim_cells: float = 0.15
    """What is so near a cell's border may be the border."""
    dark_share: float = 0.5
    """Writing is at least this dark against the grid's lines, and against those round its cell, for where light washes
    lines out the others are still dark; what squared paper has is fainter."""
    ink_share: float = 0.02
    """A cell of which so much is written on has writing in it: print in calendars and timetables takes 0.03 and more,
    empty cells of rendered boards mostly nothing."""
    sign_cells: float = 0.34
    sign_aspect: float = 0.65
    sign_aside: float = 0.13
    """What is no wider and no higher, about as wide as high, and so near the middle of its cell shows where a sticker
    goes: a dot, a plus, a small cross. Print so small stands at a cell's side, and what is in the middle is larger."""
    stroke_ink: float = 0.25
    """Light that a pen's stroke takes at least, more than most narrow shadows."""


def written_in(board: Laid, settings: CellWritingSettings) -> BoolArray:
    """Cells (rows, cols) that something is written in, no small sign."""
    strokes = strokes_in(board, settings)
    written = inked(strokes, settings)
    for place in zip(*np.nonzero(written), strict=True):
        written[place] = not _is_sign(strokes[place], board.px, settings)
    return written


def inked(strokes: BoolArray, settings: CellWritingSettings) -> BoolArray:
    """Cells (rows, cols) with strokes (rows, cols, h, w) in them."""
    return np.asarray(strokes.mean((2, 3)) > settings.ink_share, np.bool_)


def strokes_in(board: Laid, settings: CellWritingSettings) -> BoolArray:
    """What is as dark as writing within the rims of cells, (rows, cols, h, w)."""
    cells = board.cells(board.ink, (0, 1)).reshape(board.rows, board.cols, board.px, board.px)
    rim = round(settings.rim_cells * board.px)
    b = BORDER_PX
    sides = [cells[..., :b, :].max(2), cells[..., :b].max(3), cells[..., -b:, :].max(2), cells[..., -b:].max(3)]
    own = np.median(np.concatenate(sides, axis=2), axis=2)
    dark = np.maximum(settings.dark_share * np.maximum(np.percentile(sides[:2], 60), own), settings.stroke_ink)
    inner = cells[..., rim : board.px - rim, rim : board.px - rim]
    strokes = np.asarray(inner > dark[..., None, None], np.bool_)
    places = np.argwhere(inked(strokes, settings))
    if not len(places):
        return strokes
    light, broad = (
        board.cells(channel_sum(picture), (0, 1)).reshape(cells.shape)[..., rim:-rim, rim:-rim]
        for picture in (board.levels, board.filled)
    )
    for place in map(tuple, places):
        strokes[place] &= taken(light[place], _with_ends(broad[place], light[place])) > dark[place]
    return strokes


def _with_ends(broad: Picture, light: Picture) -> npt.NDArray[np.float32]:
    """What is broad in a cell (h, w), with what is narrow of it in the ``light``: the ends of shadows and stickers.

    Closing by reconstruction. Letters are joined to nothing broad, or darker than the shade that they touch.

    References
    ----------
    Vincent, Morphological grayscale reconstruction in image analysis, IEEE Trans. Image Processing 2 (1993).
    """
    joined = np.asarray(broad, np.float32)
    for _ in range(len(joined)):
        joined = np.maximum(np.asarray(cv2.erode(joined, np.ones((3, 3), np.uint8)), np.float32), light)
    return joined


def _is_sign(strokes: BoolArray, px: int, settings: CellWritingSettings) -> bool:
    """Whether the strokes (h, w) in a cell of px are a small sign in its very middle."""
    first, last = np.transpose([np.flatnonzero(strokes.any(axis))[[0, -1]] for axis in (1, 0)])
    sides, middle = last - first + 1, (np.array(strokes.shape) - 1) / 2
    small = settings.sign_aspect * max(sides) < min(sides) and max(sides) < settings.sign_cells * px
    return bool(small and np.abs((first + last) / 2 - middle).max() < settings.sign_aside * px)
