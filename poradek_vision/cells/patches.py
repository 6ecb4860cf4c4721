"""Boxes of a cell each, cut out of a lit board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poradek_vision.cells.light import Lit
from poradek_vision.cells.shades import WHITE, SampleSettings
from poradek_vision.colour import BoolArray, FloatArray, lab_from_reflectance, strongest, weakest


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """The samples in N boxes of one cell each, n × n = M of them in a box.

    Attributes
    ----------
    lab, light, white, frame : ndarray of shape (N, M, 3)
        CIELAB of the reflectance; the light itself, paper white in the place, and as the rim lets expect it.
    brightest, darkest : ndarray of shape (N, M)
        Strongest and weakest channel of the reflectance.
    clipped : ndarray of shape (N, M, 3), bool
        Channels as bright as a photo can show.
    paper, ink, inside : ndarray of shape (N, M), bool
    window : ndarray of shape (M,)
        Weight of each sample by its place in the cell.
    places : ndarray of shape (M, 2)
        That place (u, v), from the middle of the cell, cells.
    stock : ndarray of shape (3,)
        The paper's own reflectance against white paper; ``lab`` is against white paper, the channels' strengths are
        against the paper itself.
    sun, shade : ndarray of shape (3,)
        As in :class:`Lit`.
    """

    lab: FloatArray
    light: FloatArray
    white: FloatArray
    frame: FloatArray
    brightest: FloatArray
    darkest: FloatArray
    clipped: BoolArray
    paper: BoolArray
    ink: BoolArray
    inside: BoolArray
    window: FloatArray
    places: FloatArray
    stock: FloatArray
    sun: FloatArray
    shade: FloatArray


def cut(lit: Lit, boxes: FloatArray, settings: SampleSettings, step: int = 1, stock: FloatArray = WHITE) -> Patches:
    """Cut boxes out of a lit board.

    Parameters
    ----------
    lit : Lit
    boxes : ndarray of shape (N, 2)
        Top-left corners (u, v) of boxes one cell wide, cells; moved to the nearest sample.
    settings : SampleSettings
    step : int
        2 takes every other sample each way.
    stock : ndarray of shape (3,)
        The paper's own reflectance against white paper.
    """
    n = round(1 / (lit.u[0, 1] - lit.u[0, 0]))
    left = np.rint((boxes[:, 0] - lit.u[0, 0]) * n + 0.5).astype(int)
    top = np.rint((boxes[:, 1] - lit.v[0, 0]) * n + 0.5).astype(int)
    places = np.arange(step // 2, n, step)
    across = np.clip(left[:, None] + places, 0, lit.u.shape[1] - 1)
    down = np.clip(top[:, None] + places, 0, lit.u.shape[0] - 1)
    at = (np.repeat(down, len(places), axis=1), np.tile(across, (1, len(places))))
    reflectance = lit.reflectance[at]
    across_cell = (places + 0.5) / n
    along = _window(across_cell, settings)
    white = lit.white[at]
    light = reflectance * white
    return Patches(
        lab_from_reflectance(reflectance * stock), light, white, lit.frame[at],
        strongest(reflectance), weakest(reflectance), light > settings.clipped_light,
        lit.paper[at], lit.ink[at], lit.inside[at],
        (along[:, None] * along).ravel(),
        np.stack(np.meshgrid(across_cell, across_cell), -1).reshape(-1, 2) - 0.5, stock, lit.sun, lit.shade,
    )  # fmt: skip


def grid_boxes(rows: int, cols: int) -> FloatArray:
    """The boxes of a grid's cells, (rows * cols, 2), row by row."""
    v, u = np.divmod(np.arange(rows * cols), cols)
    return np.stack([u, v], 1).astype(np.float64)


def _window(t: FloatArray, settings: SampleSettings) -> FloatArray:
    """Weight across a cell, 0 ≤ t ≤ 1: full in the middle, falling to nothing before the border."""
    core, full = settings.core_cells, settings.full_cells
    weight: FloatArray = np.clip((core - np.abs(t - 0.5)) / (core - full), 0, 1)
    return weight
