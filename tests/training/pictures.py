"""Real digits as small pictures: the sheet that comes with OpenCV's samples, ``samples/data/digits.png``.

50 rows of 100 digits, white on black in 20×20 px each, five rows of each digit from 0 to 9. OpenCV's own example trains
on the left half and tests on the right one; so do we.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from training.hands import bent, by_another_pen, middle_lines

U8Array = npt.NDArray[np.uint8]

SIDE_PX = 20
_GLYPH_PX = 96
_FILL = 0.72
_SHARE_REDRAWN = 0.4
"""So many are drawn anew along their middle lines, by another pen."""


def load_pictures(path: Path, left: bool) -> dict[str, U8Array]:
    """The digits of one half of the sheet, each kind (N, 96, 96), enlarged without hard edges.

    Parameters
    ----------
    path : Path
    left : bool
        The half that trains; else the one that measures.

    Raises
    ------
    ValueError
        If the file is no such sheet.
    """
    sheet = cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_GRAYSCALE)
    if sheet is None or sheet.shape != (50 * SIDE_PX, 100 * SIDE_PX):
        raise ValueError(f"{path} is no sheet of 50 x 100 digits")
    cells = sheet.reshape(50, SIDE_PX, 100, SIDE_PX).swapaxes(1, 2)
    half = cells[:, :50] if left else cells[:, 50:]
    return {str(kind): np.stack([_enlarged(cell) for cell in rows]) for kind, rows in enumerate(_by_kind(half))}


def picture_ink(picture: U8Array, rng: np.random.Generator) -> U8Array:
    """Ink (96, 96) of an enlarged digit: its edges more or less sharp, or by another pen; bent."""
    ink = sharpened(picture, rng.uniform(0.3, 0.55), rng.uniform(2, 6))
    if rng.random() < _SHARE_REDRAWN:
        ink = by_another_pen(middle_lines(ink[None])[0], rng)
    return bent(ink, rng.gamma(2.0, 0.008), rng)


def sharpened(picture: U8Array, edge: float, steepness: float) -> U8Array:
    """A soft picture, its edges where it has ``edge`` of full ink, so many times as steep.

    Examples
    --------
    >>> sharpened(np.array([[0, 90, 170, 255]], np.uint8), 0.5, 5).tolist()
    [[0, 0, 255, 255]]
    """
    return np.clip(((picture / 255 - edge) * steepness + 0.5) * 255, 0, 255).astype(np.uint8)


def _by_kind(half: U8Array) -> U8Array:
    """The pictures of each of ten kinds, (10, N, 20, 20)."""
    return half.reshape(10, -1, SIDE_PX, SIDE_PX)


def _enlarged(cell: U8Array) -> U8Array:
    """A digit in the middle of a picture, the longer side of its ink 72 % of it."""
    x, y, width, height = cv2.boundingRect((cell > 100).astype(np.uint8))
    scale = _FILL * _GLYPH_PX / max(width, height, 1)
    middle = np.array([x + (width - 1) / 2, y + (height - 1) / 2])
    to_glyph = np.hstack([scale * np.eye(2), ((_GLYPH_PX - 1) / 2 - scale * middle)[:, None]])
    return cv2.warpAffine(cell, to_glyph, (_GLYPH_PX, _GLYPH_PX), flags=cv2.INTER_CUBIC)
