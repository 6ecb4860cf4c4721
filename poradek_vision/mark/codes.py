"""Printed codes on stickers: ``DICT_4X4_50`` of OpenCV's ArUco, read by correlation, so that blurred ones are read too.

A code is laid out as 8×8 modules: a rim of bare sticker, a black border, 4×4 modules that tell the id.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.mark.pictures import Float32Array, FloatArray
from poradek_vision.mark.stickers import Ink

IDS = 50
_MODULES = 8
_PER_MODULE = 2
_SAMPLES = _MODULES * _PER_MODULE
_CODE_SHARE = 6 / _MODULES
"""Share of the layout's side that the black square takes."""
_SURE = 0.93
_TRIED = 0.8
"""A correlation from which on no better place is searched for, near by and everywhere."""
_LEAST_SEEN = 0.6
"""Share of the layout that must lie on the sticker; below it the correlation counts less."""


def likeness_to_codes(inks: Sequence[Ink]) -> float:
    """How much the marks of a board look like codes: the median of their correlations with the best, at first sight.

    Some 40 stickers from all over the board are looked at.

    Parameters
    ----------
    inks : sequence of Ink
        At least one.
    """
    return float(np.median([_fit(ink, _square(ink)[None]).best for ink in inks[:: 1 + len(inks) // 40]]))


def read_codes(inks: Sequence[Ink]) -> Float32Array:
    """How well each code fits each sticker.

    1. Where the ink lies as a tilted square; a correlation with every code in every turn.
    2. Where that is not sure, squares a little elsewhere.
    3. Where that fails, as on a code half covered, squares of the board's usual size all over the sticker, turned
       like the ink that is seen. Samples that lie off the sticker don't count.

    Parameters
    ----------
    inks : sequence of Ink

    Returns
    -------
    ndarray of shape (N, 50), float32
        The best correlation with each id, at most 1.
    """
    squares = [_square(ink) for ink in inks]
    fits = [_fit(ink, square[None]) for ink, square in zip(inks, squares, strict=True)]
    sides = [fit.square[2] for fit in fits if fit.best > _TRIED]
    usual = float(np.median(sides)) if sides else 0.0
    for k, (ink, square) in enumerate(zip(inks, squares, strict=True)):
        if fits[k].best < _SURE:
            fits[k] = fits[k].better(_fit(ink, _moved(square, _NEAR)))
        if usual and fits[k].best < _TRIED:
            far = _fit(ink, _moved(np.array([*ink.middle, usual, square[3]]), _FAR))
            fits[k] = fits[k].better(far).better(_fit(ink, _moved(far.square, _NEAR)))
    return np.stack([fit.correlations for fit in fits]) if fits else np.empty((0, IDS), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """The best correlation with each id (50,), and the square that the very best had."""

    correlations: Float32Array
    square: FloatArray

    @property
    def best(self) -> float:
        return float(self.correlations.max())

    def better(self, other: _Fit) -> _Fit:
        """The best of both, id by id."""
        square = self.square if self.best >= other.best else other.square
        return _Fit(np.maximum(self.correlations, other.correlations), square)


def _moves(shifts: Sequence[float], growths: Sequence[float], turns: Sequence[float]) -> FloatArray:
    """Every combination of moves of a square, (M, 4): x, y and growth in sides, turn in degrees."""
    x, y, growth, turn = np.meshgrid(shifts, shifts, growths, turns, indexing="ij")
    return np.stack([x, y, growth, turn], -1).reshape(-1, 4)


_NEAR = _moves((-0.09, 0.0, 0.09), (-0.08, 0.0, 0.08), (-5.0, 0.0, 5.0))
_FAR = _moves((-0.4, -0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3, 0.4), (-0.03, 0.03), (-6.0, 0.0, 6.0))


def _moved(square: FloatArray, moves: FloatArray) -> FloatArray:
    """A square, moved in every way, (M, 4)."""
    return np.asarray(square + moves * [square[2], square[2], square[2], 1.0], np.float64)


def _square(ink: Ink) -> FloatArray:
    """The tilted square that holds a mark: middle x and y, side, turn in degrees."""
    points = cv2.findNonZero(ink.strokes)
    if points is None:
        return np.array([*ink.middle, len(ink.strokes) / 4, 0.0])
    (x, y), (width, height), turn = cv2.minAreaRect(points)
    return np.array([x, y, (width + height) / 2 + 1, turn])


def _fit(ink: Ink, squares: FloatArray) -> _Fit:
    """The best correlation with each id over some squares (M, 4), and over the four turns."""
    templates, seen_share = _templates(), 1.0 / _SAMPLES**2
    at = _places(squares)
    values = _sampled(ink.darkness, at)
    weights = (_sampled(ink.seen, at) > 127).astype(np.float32)
    total = np.maximum(weights.sum(1, keepdims=True), 1)
    mean = (values * weights).sum(1, keepdims=True) / total
    spread = (values**2 * weights).sum(1, keepdims=True) / total - mean**2
    black = weights @ templates / total
    common = (values * weights) @ templates / total - mean * black
    fit = common / np.sqrt(np.maximum(spread * (black - black**2), 1e-6))
    fit *= np.minimum(1, total * seen_share / _LEAST_SEEN)
    by_square = fit.reshape(len(squares), 4, IDS).max(1).astype(np.float32)
    return _Fit(by_square.max(0), squares[int(by_square.max(1).argmax())])


def _places(squares: FloatArray) -> Float32Array:
    """Where the samples of the layouts lie, (M, 256, 2), px of the patch."""
    steps = ((np.arange(_SAMPLES) + 0.5) / _SAMPLES - 0.5) / _CODE_SHARE
    u, v = (grid.ravel() for grid in np.meshgrid(steps, steps))
    x, y, side, turn = squares.T[..., None]
    cos, sin = np.cos(np.deg2rad(turn)) * side, np.sin(np.deg2rad(turn)) * side
    return np.stack([x + u * cos - v * sin, y + u * sin + v * cos], -1).astype(np.float32)


def _sampled(picture: npt.NDArray[np.generic], at: Float32Array) -> Float32Array:
    """A picture's values at points, 0 beyond its edge."""
    return np.asarray(cv2.remap(picture, at, None, cv2.INTER_LINEAR, borderValue=0), np.float32)  # type: ignore[call-overload]


@functools.cache
def _templates() -> Float32Array:
    """Black (1) and bare (0) samples of every code in every turn, (256, 4 * 50)."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    codes = [np.pad(dictionary.generateImageMarker(code, _MODULES - 2) < 128, 1) for code in range(IDS)]
    fine = [np.kron(code, np.ones((_PER_MODULE, _PER_MODULE))) for code in codes]
    return np.stack([np.rot90(code, turn).ravel() for turn in range(4) for code in fine], 1).astype(np.float32)
