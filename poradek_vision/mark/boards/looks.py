"""Whether another look for a mark may show more, which costs as much as the first: told in a hundredth of its time.

Lengths are in cells unless their names say pixels.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.mark.boards.page import BESIDE_CELLS, cells_outside, smaller
from poradek_vision.mark.pictures import Float32Array, U8Array, disk
from poradek_vision.model import Rectified

_PER_CELL = 20
"""Pixels of a cell that are looked at."""
_GAP, _RIM = 0.15, 0.2
"""So near a grid its lines run on, and so near the edge of what is seen paper goes on beyond it."""
_LEVELS, _TINT = (0.3, 2.5), 0.2
"""How bright paper may be against that beside the grid, and how far from its hue a channel, as a share."""
_LEAST_RIM = 0.1
"""Share of the rim that shows paper: less is a corner."""
_STROKE = 0.225
"""Strokes of chalk are thinner than this."""
_BRIGHTER, _MORE_LEVELS = 1.2, 12.0
"""How much brighter chalk is than what it is written on, as a factor and in levels besides."""
_LEAST_CHALK = 0.0005
"""Share of the paper that the strokes of a small letter take."""


def goes_beyond(rectified: Rectified, rows: int, cols: int) -> bool:
    """Whether the paper of a board reaches the edge of what is seen round it, so that a mark may lie farther away.

    Parameters
    ----------
    rectified : Rectified
        The board with the same margin on all sides.
    rows, cols : int
    """
    small = smaller(rectified, rectified.px_per_cell // _PER_CELL)
    outside, rim = cells_outside(small, rows, cols), small.seen.copy()
    height, width = rim.shape
    edge = round(_RIM * _PER_CELL)
    rim[edge : height - edge, edge : width - edge] = False
    return bool(rim.any()) and float(_is_paper(small.pixels, small, outside)[rim].mean()) > _LEAST_RIM


def has_chalk(rectified: Rectified, rows: int, cols: int) -> bool:
    """Whether strokes brighter than the paper lie on it.

    Parameters
    ----------
    rectified : Rectified
        The board with some margin.
    rows, cols : int

    References
    ----------
    Meyer, Iterative image transformations for an automatic screening of cervical smears, J. Histochem. Cytochem. 27
    (1979): the top-hat keeps what is bright and narrow.
    """
    small = smaller(rectified, rectified.px_per_cell // _PER_CELL)
    outside, stroke = cells_outside(small, rows, cols), disk(_STROKE * _PER_CELL)
    unwritten = cv2.morphologyEx(small.pixels, cv2.MORPH_CLOSE, stroke)  # gaps between dark letters are no strokes
    ground = np.asarray(cv2.morphologyEx(unwritten, cv2.MORPH_OPEN, stroke), np.uint8)
    paper = _is_paper(ground, small, outside) & (outside > _GAP) & small.seen
    chalk = small.pixels.mean(2) > _BRIGHTER * ground.mean(2) + _MORE_LEVELS
    return bool(paper.any()) and float(chalk[paper].mean()) > _LEAST_CHALK


def _is_paper(picture: U8Array, small: Rectified, outside: Float32Array) -> npt.NDArray[np.bool_]:
    """Where a picture (h, w, 3) looks like what lies beside the grid in the small one, (h, w)."""
    beside = (outside > _GAP) & (outside < BESIDE_CELLS)
    usual = np.maximum(np.median(small.pixels[beside], axis=0), 1) if beside.any() else np.full(3, 255.0)
    ratios = picture / usual.astype(np.float32)
    level = ratios.mean(2)
    tint = np.abs(ratios / np.maximum(level, np.float32(1e-3))[..., None] - 1).max(2)
    alike: npt.NDArray[np.bool_] = (level > _LEVELS[0]) & (level < _LEVELS[1]) & (tint < _TINT)
    return alike
