"""How the printed codes look: black and bare samples of every code, turned and blurred as a photo blurs them.

A code is laid out as 8×8 modules: a rim of bare sticker, a black border, 4×4 modules that tell the id.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import cv2
import numpy as np

from poradek_vision.mark.pictures import Float32Array

IDS = 50
MODULES = 8
CODE_SHARE = 6 / MODULES
"""Share of the layout's side that the black square takes."""
TURNS = 4
_FINE = 4
"""Pixels per module in which layouts are drawn."""


@dataclass(frozen=True, slots=True)
class Blur:
    """How a photo blurs codes, in modules: ``soft`` in all directions (sigma), ``smear`` along a line.

    The line's direction is in degrees clockwise from the right, in the frame of the board, or of a code.
    """

    soft: float
    smear: float = 0.0
    direction_deg: float = 0.0


@functools.lru_cache(maxsize=256)
def layouts(count: int, per_module: int, blur: Blur, wander: float = 0.0) -> Float32Array:
    """Samples of the first codes in every quarter turn: black 1, bare 0, without what light may do to them.

    Parameters
    ----------
    count : int
    per_module : int
        Samples along a module: 1 or 2.
    blur : Blur
        In the frame of the code.
    wander : float
        As for :func:`without_light`.

    Returns
    -------
    ndarray of shape ((8 * per_module)**2, 4 * count), float32
        Columns of length 1, free of :func:`light_terms`; column ``count * turn + id``.
    """
    blurred = cv2.filter2D(_drawn(count), -1, _kernel(blur))  # the bare rims keep one code out of the next
    side = MODULES * per_module
    samples = cv2.resize(blurred, (side, side * count * TURNS), interpolation=cv2.INTER_AREA)
    columns = without_light(np.asarray(samples, np.float32).reshape(-1, side * side), wander)
    lengths = np.sqrt((columns**2).sum(1, keepdims=True))
    return np.ascontiguousarray((columns / lengths).T)


@functools.lru_cache(maxsize=4)
def _drawn(count: int) -> Float32Array:
    """The first codes in every quarter turn, sharp, one under the other."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    codes = [np.pad(dictionary.generateImageMarker(code, MODULES - 2) < 128, 1) for code in range(count)]
    turned = np.concatenate([np.rot90(code, turn) for turn in range(TURNS) for code in codes]).astype(np.float32)
    return np.kron(turned, np.ones((_FINE, _FINE), np.float32))


def _kernel(blur: Blur) -> Float32Array:
    """A Gaussian as wide as the blur, in pixels of the drawing."""
    along = np.array([np.cos(np.deg2rad(blur.direction_deg)), np.sin(np.deg2rad(blur.direction_deg))])
    spread = np.eye(2) * (blur.soft**2 + 1e-4) + np.outer(along, along) * blur.smear**2 / 12
    inverse = np.linalg.inv(spread * _FINE**2)
    reach = int(np.ceil(3 * _FINE * np.hypot(blur.soft, blur.smear / 3)))
    x, y = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1))
    weights = np.exp(-(inverse[0, 0] * x**2 + 2 * inverse[0, 1] * x * y + inverse[1, 1] * y**2) / 2)
    return np.asarray(weights / weights.sum(), np.float32)


@functools.cache
def sample_steps(per_module: int) -> Float32Array:
    """Where the samples of a layout lie, from the code's middle, in sides of the code, ((8 * per_module)**2, 2)."""
    side = MODULES * per_module
    steps = ((np.arange(side) + 0.5) / side - 0.5) / CODE_SHARE
    return np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2).astype(np.float32)


@functools.cache
def to_samples(per_module: int) -> Float32Array:
    """What makes the points of :func:`sample_steps` of places, see :func:`_leading`, (4, 2 * (8 * per_module)**2)."""
    return _leading(sample_steps(per_module))


@functools.cache
def to_rim() -> Float32Array:
    """What makes points of the bare rim of a sticker just round its code, (4, 2 * 60)."""
    steps = sample_steps(2)
    return _leading(steps[np.abs(steps).max(1) > 0.5 + 0.5 * _MODULE])


def _leading(steps: Float32Array) -> Float32Array:
    """What makes points, x and y by turns, of x, y, and the cosine and sine of a turn times a side, (4, 2 * S)."""
    u, v = steps.T
    one, none = np.ones_like(u), np.zeros_like(u)
    rows = [(one, none), (none, one), (u, v), (-v, u)]
    return np.stack([np.stack(row, -1).ravel() for row in rows])


_MODULE = 1 / (MODULES * CODE_SHARE)
"""A module's side, in sides of a code."""


@functools.cache
def light_terms(per_module: int) -> Float32Array:
    """What light does to a sticker, as an orthonormal basis ((8 * per_module)**2, 6): even, a slope, and bent."""
    u, v = sample_steps(per_module).T
    terms = np.stack([np.ones_like(u), u, v, u * u, u * v, v * v], 1)
    return np.asarray(np.linalg.qr(terms)[0], np.float32)


def without_light(samples: Float32Array, wander: float = 0.0) -> Float32Array:
    """Samples of layouts with even, sloping and bent light taken out, and more or less of what wanders over a module.

    Parameters
    ----------
    samples : ndarray of shape (..., S), float32
    wander : float
        How much of the disturbance is smooth - glare, the edge of a shade, what JPEG leaves - against noise that is new
        in each sample, as variances; its likelihood then weighs what is fine more than what is coarse.

    Returns
    -------
    ndarray of shape (..., S), float32
        In a measure in which the disturbance is alike in all directions.
    """
    per_module = math.isqrt(samples.shape[-1]) // MODULES
    if wander:
        return np.asarray(samples @ _whitening(per_module, wander), np.float32)
    terms = light_terms(per_module)
    return np.asarray(samples - samples @ terms @ terms.T, np.float32)


@functools.lru_cache(maxsize=8)
def _whitening(per_module: int, wander: float) -> Float32Array:
    """The symmetric root of the inverse of the disturbance's covariance, the terms of light projected out."""
    at = sample_steps(per_module).astype(np.float64) / _MODULE
    apart = ((at[:, None] - at[None]) ** 2).sum(-1)
    alike = (2 / per_module) * wander * np.exp(-apart / (2 * _WANDER_MODULES**2))
    inverse = np.linalg.inv(np.eye(len(at)) + alike)
    lit = inverse @ light_terms(per_module).astype(np.float64)
    metric = inverse - lit @ np.linalg.solve(light_terms(per_module).T @ lit, lit.T)
    strengths, directions = np.linalg.eigh((metric + metric.T) / 2)
    return np.asarray((directions * np.sqrt(strengths.clip(0))) @ directions.T, np.float32)


_WANDER_MODULES = 1.0
"""How far apart samples are when what wanders is alike by a factor of exp(-1/2), modules."""
