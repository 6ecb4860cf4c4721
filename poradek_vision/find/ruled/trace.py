"""Lines traced from end to end: the best path near each expected line, however it bends.

Frames: board cells and work px. Every line of an N × N board has its samples at the same places along it.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.ruled.between import between
from poradek_vision.find.ruled.evidence import Evidence, FloatPicture
from poradek_vision.find.ruled.lattice import Place
from poradek_vision.find.ruled.seeds import sample_at
from poradek_vision.geometry import FloatArray

_F = TypeVar("_F", bound=np.floating)

PER_CELL = 8
"""Samples along a line in each cell."""
_STEP_CELLS = 0.015
"""Steps across a line."""
_STEEPEST = 2
"""Steps across that a line may go from one sample to the next."""
_BEND_COST = 0.08
"""Cost of a step across, against that of a sample without ink."""
_FAR_COST = 0.15
"""The same of lying at the end of the reach."""
_PEN = 0.04
"""How far beyond the ends of the lines across it a border may lie, cells; at twice that it is none."""
_OUTER = 0.65
"""Share by which ink there counts less outside a border, and more inside: of two lines the outer is an underline."""
_COVERED = 0.4
"""What a sample under a sticker counts against one that is seen."""
_SIDE, _RIM = 0.1, 2
"""How far beside a line a sticker's colour is looked for, cells, and how far a line may stick out of it, steps."""
_GAP = 0.06
"""How far beside a line the paper is compared with it, cells."""


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """The lines of a board: L = 2 (N+1) lines, vertical ones first, with T samples each.

    Attributes
    ----------
    axis, line : ndarray of shape (L,), int
        0 for the line x = line, 1 for y = line.
    along : ndarray of shape (T,)
        The samples' coordinate along the line, cells.
    off : ndarray of shape (L, T)
        How far across from its expected place the line was seen, cells.
    points : ndarray of shape (L, T, 2)
        Where that is, work px.
    ink : ndarray of shape (L, T)
        How much darker than both sides it is there.
    hidden : ndarray of shape (L, T)
        1 where a sticker shows its colour there.
    """

    axis: npt.NDArray[np.intp]
    line: npt.NDArray[np.intp]
    along: FloatArray
    off: FloatArray
    points: FloatArray
    ink: FloatPicture
    hidden: FloatPicture

    def by_cell(self, values: npt.NDArray[_F]) -> npt.NDArray[_F]:
        """Values (L, T) as (L, N, samples in a cell)."""
        return values.reshape(len(values), -1, PER_CELL)


def trace(
    evidence: Evidence, place: Place, expected: FloatArray, reach: float, strength: FloatArray | None = None,
    pen: FloatPicture | None = None,
) -> Trace:  # fmt: skip
    """Trace every line of a board.

    1. ``profiles``: ink across each sample's expected place, less what lies beside it.
    2. The path of most ink by dynamic programming: steps across cost, and so does being far from the expected place.
    3. Each sample moves to the centre of the ink around the path.

    Parameters
    ----------
    evidence : Evidence
    place : Place
        Board cells to work px.
    expected : ndarray of shape (L, N)
        How far across from its whole number a border is expected in each cell along it, cells; NaN where not known.
    reach : float
        How far from its whole number it is looked for, cells.
    strength : ndarray of shape (L, N), optional
        How much ink a line has in each cell, against the usual; 1 if not given.
    pen : ndarray of shape (3,), optional
        The pen's colour, as of :func:`~poradek_vision.find.ruled.between.pen_colour`, to tell lines between stickers.

    References
    ----------
    Fischler, Tenenbaum & Wolf, Detection of roads and linear structures in low-resolution aerial imagery using a
    multisource knowledge integration technique, CGIP 15 (1981), for the optimal path.
    """
    size = expected.shape[1]
    axis, line = np.repeat([0, 1], size + 1), np.tile(np.arange(size + 1), 2)
    along = (np.arange(size * PER_CELL) + 0.5) / PER_CELL
    half, gap = round(reach / _STEP_CELLS), round(_GAP / _STEP_CELLS)
    steps = np.arange(-half - gap, half + gap + 1, dtype=np.float32) * np.float32(_STEP_CELLS)
    bow = _bow(place, axis, line, along, (half + gap) * _STEP_CELLS)
    x, y = _on_bow(bow[..., None].astype(np.float32), steps / steps[-1])
    profiles = sample_at(evidence.ink, x, y)
    if strength is not None:
        profiles /= np.repeat(strength, PER_CELL, axis=1).astype(np.float32)[..., None]
        np.minimum(profiles, 1, out=profiles)
    core = slice(gap, -gap)
    covered = sample_at(evidence.colour, x[..., core], y[..., core])
    under = covered.max(-1) > 0.5
    drawn = np.zeros_like(profiles)
    if pen is not None and under.any():
        drawn[under] = _between_stickers(evidence, pen, bow[..., under], half + gap)
        drawn[under] *= 1 - sample_at(evidence.printed, x[under], y[under])
        np.maximum(profiles, drawn, out=profiles)
    wanted = _contrast(profiles, gap)
    outward = np.where(line == size, 1, np.where(line == 0, -1, 0)).astype(np.float32)[:, None, None]
    wanted *= 1 - _OUTER * outward * steps[core] / np.float32(reach)
    covered *= np.float32(_COVERED)
    cost = _far(expected, outward, steps[core], reach)
    cost -= np.maximum(wanted, covered, out=wanted)
    at, ink = _centres(profiles, _best_paths(cost) + gap, gap)
    off = (at - half - gap) * _STEP_CELLS
    seen = _on_bow(bow, off / ((half + gap) * _STEP_CELLS))
    hidden = sample_at(evidence.colour, *seen.astype(np.float32))
    there = np.take_along_axis(drawn, np.round(at).astype(np.intp)[..., None], 2)[..., 0]
    hidden *= 1 - np.clip(2 * there - 1, 0, 1)
    return Trace(axis, line, along, off, np.moveaxis(seen, 0, -1), ink, hidden)


def _between_stickers(evidence: Evidence, pen: FloatPicture, bow: FloatArray, half: int) -> FloatPicture:
    """Likeness to the pen at so many steps to both sides of samples (3, 2, M), where stickers are: (M, K)."""
    beside = round(_SIDE / _STEP_CELLS)
    steps = np.arange(-half - beside, half + beside + 1, dtype=np.float32) / np.float32(half)
    x, y = _on_bow(bow[..., None].astype(np.float32), steps)
    near = cv2.dilate(sample_at(evidence.colour, x, y), np.ones((1, 2 * _RIM + 1), np.uint8))
    found: FloatPicture = between(evidence, pen, x, y, beside) * near[:, beside:-beside]
    return found


def _contrast(profiles: FloatPicture, gap: int) -> FloatPicture:
    """How much darker profiles (L, T, K), smoothed, are than what lies so many places beside, (L, T, K - 2 gap)."""
    smooth = profiles.copy()
    smooth[..., 1:-1] += profiles[..., :-2]
    smooth[..., 1:-1] += profiles[..., 2:]
    smooth[..., 1:-1] /= 3
    return smooth[..., gap:-gap] - np.minimum(smooth[..., : -2 * gap], smooth[..., 2 * gap :])


def _far(expected: FloatArray, outward: FloatPicture, steps: FloatPicture, reach: float) -> FloatPicture:
    """Cost of being far from the expected place (L, N), at steps (K,) beside each sample: (L, T, K)."""
    known = expected[..., None].astype(np.float32)
    far = np.float32(_FAR_COST) * ((steps - np.nan_to_num(known)) / np.float32(reach)) ** 2
    far += np.nan_to_num(np.clip((outward * (steps - known) - np.float32(_PEN)) / np.float32(_PEN), 0, 1))
    return np.repeat(far, PER_CELL, axis=1)


def _bow(
    place: Place, axis: npt.NDArray[np.intp], line: npt.NDArray[np.intp], along: FloatArray, reach: float
) -> FloatArray:
    """The profiles' places as parabolas, (3, 2, L, T): so near a line no map from cells to pixels is more."""
    shape = len(line), len(along)
    before, on, after = (place(_offset(axis, line, along, np.full(shape, s))) for s in (-reach, 0.0, reach))
    return np.moveaxis(np.stack([on, (after - before) / 2, (after + before) / 2 - on]), -1, 1)


def _on_bow(bow: npt.NDArray[_F], steps: npt.NDArray[_F]) -> npt.NDArray[_F]:
    """Points (2, L, T, …) at steps of the reach."""
    points: npt.NDArray[_F] = steps * bow[2]
    points += bow[1]
    points *= steps
    points += bow[0]
    return points


def _offset(axis: npt.NDArray[np.intp], line: npt.NDArray[np.intp], along: FloatArray, off: FloatArray) -> FloatArray:
    """Board cells of samples that lie ``off`` (L, T) beside their lines, (L, T, 2)."""
    across, lengthwise = line[:, None] + off, np.broadcast_to(along, off.shape)
    down = (axis == 0)[:, None]
    return np.stack([np.where(down, across, lengthwise), np.where(down, lengthwise, across)], -1)


def _best_paths(cost: FloatPicture) -> npt.NDArray[np.intp]:
    """The cheapest path through each line's costs (L, T, K): the place among K at each sample, (L, T)."""
    lines, samples, places = cost.shape
    shifts = np.arange(2 * _STEEPEST + 1)
    bend = (_BEND_COST * (shifts - _STEEPEST) ** 2).astype(np.float32)
    wide = places + 2 * _STEEPEST
    totals = np.full((samples, lines, wide), np.inf, np.float32)
    totals[:, :, _STEEPEST:-_STEEPEST] = cost.transpose(1, 0, 2)
    for before, here in itertools.pairwise(totals):
        least = before[:, _STEEPEST:-_STEEPEST]
        for k in range(_STEEPEST):
            from_both = np.minimum(before[:, k : k + places], before[:, wide - places - k : wide - k])
            least = np.minimum(least, np.add(from_both, bend[k], out=from_both))
        here[:, _STEEPEST:-_STEEPEST] += least
    path, first = np.zeros((samples, lines), np.intp), wide * np.arange(lines)
    path[-1] = totals[-1, :, _STEEPEST:-_STEEPEST].argmin(1)
    around = first[:, None] + shifts
    for t in range(samples - 1, 0, -1):
        came = totals[t - 1].take(path[t, :, None] + around)
        path[t - 1] = path[t] + (came + bend).argmin(1) - _STEEPEST
    return path.T


def _centres(profiles: FloatPicture, path: npt.NDArray[np.intp], gap: int) -> tuple[FloatArray, FloatPicture]:
    """Centre of the ink around each path (L, T), in places of the profiles, and how dark it is."""
    places = profiles.shape[-1]
    near = np.clip(path[..., None] + np.arange(-gap, gap + 1), 0, places - 1)
    ink = profiles.take(near + places * np.arange(path.size).reshape(*path.shape, 1))
    most = ink.max(-1)
    weight = np.maximum(ink - most[..., None] / 2, 0)
    at = (weight * near).sum(-1) / np.maximum(weight.sum(-1), 1e-9)
    return np.where(most > 0, at, path), most
