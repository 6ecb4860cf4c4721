"""The chosen lines followed exactly: curl, lens and the wobble of a hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poradek_vision.find.ruled.evidence import Evidence
from poradek_vision.find.ruled.lattice import Lattice, Looks, Place, Window, look
from poradek_vision.find.ruled.seeds import sample
from poradek_vision.find.surface import Sightings, Surface, fit_surface, flat_surface, residuals, standard_errors
from poradek_vision.geometry import FloatArray, fit_homography

_ROUNDS = ((0.2, 0.1), (0.14, 0.05), (0.1, 0.03))
"""Reach of the look and scale of the fit, cells."""
_STIFFNESS = 0.02
"""Cost of bending: lines ruled by hand wander a few per cent of a cell from one to the next."""
_WANDER_CELLS, _WANDER_PRIOR = 0.06, 0.5
"""How far a line wanders from the surface at a crossing, and how many samples weigh as much as the surface."""
_END_STEP, _END_GAP = 0.02, 4
"""Steps along a line in search of its end, cells, and how many without ink make an end."""
_END_CELLS = 0.06
"""How far a border may lie from where the lines across it end."""


@dataclass(frozen=True, slots=True, eq=False)
class Ruling:
    """The followed lines of a board.

    Attributes
    ----------
    surface : Surface
        Board cells to work px.
    seen : Looks
        The last look along the lines, index coordinates counted from the board's corner.
    sightings : Sightings
        Its samples as points on lines, with the trust in each.
    error_cells : float
        Median distance of the lines seen from where the surface has them.
    """

    surface: Surface
    seen: Looks
    sightings: Sightings
    error_cells: float

    def crossings(self, size: int) -> FloatArray:
        """Where lines cross, (size+1, size+1, 2) work px: the surface, corrected by what was seen right there."""
        sum_, weight = np.zeros((size + 1, size + 1, 2)), np.full((size + 1, size + 1, 2), _WANDER_PRIOR)
        board = self.surface.board(self.seen.points + self.seen.shift[..., None] * self.seen.normal)
        off = board[np.arange(len(board)), :, self.seen.axis] - self.seen.line[:, None]
        trust = self.sightings.weight.reshape(off.shape) / (1 + (off / _WANDER_CELLS) ** 2)
        t = self.seen.index[np.arange(len(board)), :, 1 - self.seen.axis] - self.seen.cell[:, None]
        for end in (0, 1):
            near = np.where(np.abs(t - end) < 0.35, trust, 0.0)
            row = np.where(self.seen.axis == 0, self.seen.cell + end, self.seen.line)
            col = np.where(self.seen.axis == 0, self.seen.line, self.seen.cell + end)
            np.add.at(sum_, (row, col, self.seen.axis), (near * off).sum(1))
            np.add.at(weight, (row, col, self.seen.axis), near.sum(1))
        return self.surface.photo(_crossings(size) + sum_ / weight)

    def unsure_cells(self, size: int) -> float:
        """The largest standard error of a crossing, cells."""
        scale = _ROUNDS[-1][1]
        board = _crossings(size).reshape(-1, 2)
        return float(standard_errors(self.sightings, self.surface, board, scale, _STIFFNESS).max())


def follow(evidence: Evidence, lattice: Lattice, window: Window) -> Ruling:
    """Fit a bending surface to a window's lines, in rounds of ever shorter reach."""
    corner, size = np.array([window[0], window[2]], np.float64), window[1] - window[0]
    board = _crossings(size).reshape(-1, 2)
    surface = flat_surface(fit_homography(lattice(board + corner), board), size, size)
    place: Place = lambda points: lattice(points + corner)  # noqa: E731
    for reach, scale in _ROUNDS:
        seen = look(evidence, place, (0, size, 0, size), reach)
        sightings = _sightings(seen, _at_ends(evidence, place, seen, size))
        surface = fit_surface(sightings, surface, scale, _STIFFNESS, bend=True)
        place = surface.photo
    weight = sightings.weight + 1e-9
    error = float(np.average(np.abs(residuals(sightings, surface)), weights=weight))
    seen = look(evidence, place, (0, size, 0, size), _ROUNDS[-1][0])
    return Ruling(surface, seen, _sightings(seen, _at_ends(evidence, place, seen, size)), error)


def _at_ends(evidence: Evidence, place: Place, seen: Looks, size: int) -> FloatArray:
    """Trust (P,) in each piece: a border runs where the lines across it end, an underline or a sheet's edge doesn't.

    Where lines end is compared with where the border's pieces were seen; half a pen's width lies between, the median.
    """
    shift = np.median(seen.shift / seen.cell_px, axis=1)
    trust = np.ones(len(shift))
    borders = []
    for axis in (0, 1):
        for at, outward in ((0, -1), (size, 1)):
            mine = np.flatnonzero((seen.axis == axis) & (seen.line == at))
            mine = mine[np.argsort(seen.cell[mine])]
            ends = _ends(evidence, place, axis, at, outward, size) * outward
            if np.isfinite(ends).sum() >= 2:
                pairs = np.stack([ends[:-1], ends[1:]])
                lone = np.isnan(pairs).all(0)
                pairs[:, lone] = np.nanmedian(ends)
                borders.append((mine, outward, np.nanmean(pairs, axis=0)))
    if borders:
        pen = np.median(np.concatenate([outward * (expected - shift[mine]) for mine, outward, expected in borders]))
        for mine, outward, expected in borders:
            trust[mine] = np.exp(-(((shift[mine] - expected + outward * pen) / _END_CELLS) ** 2))
    return trust


def _ends(evidence: Evidence, place: Place, axis: int, at: int, outward: int, size: int) -> FloatArray:
    """How far beyond a border each line across it ends, (size+1,) cells; NaN where a sticker hides it."""
    t = np.arange(-0.35, 0.35, _END_STEP)
    across, along = np.meshgrid(at + outward * t, np.arange(size + 1.0))
    index = np.stack([across, along] if axis == 0 else [along, across], -1)
    points = place(index)
    beside = place(index + np.where(axis == 0, [0, 0.01], [0.01, 0])) - points
    beside /= np.maximum(np.hypot(beside[..., 0], beside[..., 1]), 1e-9)[..., None]
    ink = np.max([sample(evidence.ink, points + step * beside) for step in (-3, -2, -1, 0, 1, 2, 3)], axis=0)
    hidden = sample(evidence.stickers, points) > 0.5
    inner = np.sort(ink[:, t < -0.1], axis=1)
    on = ink > 0.4 * inner[:, inner.shape[1] // 2, None]
    gap = np.all(np.lib.stride_tricks.sliding_window_view(~on, _END_GAP, axis=1), axis=-1)
    gap[:, t[: gap.shape[1]] < -0.2] = False
    first = np.where(gap.any(1), gap.argmax(1), 0)
    clear = np.array([not row[: k + _END_GAP].any() for row, k in zip(hidden, first, strict=True)])
    drawn = np.array([row[: max(k, 1)].mean() > 0.8 for row, k in zip(on, first, strict=True)])
    return np.where(clear & drawn & gap.any(1), t[first], np.nan)


def _crossings(size: int) -> FloatArray:
    """Board coordinates of all crossings, (size+1, size+1, 2)."""
    lines = np.arange(size + 1.0)
    return np.stack(np.meshgrid(lines, lines), -1)


def _sightings(seen: Looks, at_ends: FloatArray) -> Sightings:
    """Every sample of a piece that was seen, as a point on its line."""
    strength = max(float(np.percentile(seen.strength, 75)), 0.02)
    trust = (
        np.clip(seen.ink / strength - 0.25, 0, 1)
        * (np.clip(seen.strength / strength - 0.25, 0, 1) * (1 - seen.hidden) * at_ends)[:, None]
    )
    points = seen.points + seen.shift[..., None] * seen.normal
    samples = seen.ink.shape[1]
    return Sightings(
        points.reshape(-1, 2), np.repeat(seen.axis, samples), np.repeat(seen.line, samples).astype(np.float64),
        trust.ravel(),
    )  # fmt: skip
