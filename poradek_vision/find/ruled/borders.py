"""What tells a border from a line beside it: where the lines across it end, or that they go on."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from poradek_vision.find.ruled.evidence import Evidence
from poradek_vision.find.ruled.lattice import Place
from poradek_vision.find.ruled.seeds import sample
from poradek_vision.geometry import FloatArray

_END_STEP, _END_GAP = 0.02, 3
"""Steps along a line in search of its end, cells, and how many without ink make an end."""
_ENDS_AGREE = 0.08
"""Standard deviation up to which the ends of lines say where a border is, cells."""
_OVERSHOOT = 0.03
"""How far a line goes beyond the middle of the border across it: half a pen's width and the hand's momentum, cells."""


def goes_on(evidence: Evidence, place: Place, size: int) -> FloatArray:
    """Share of lines that go on beyond each border, as a larger board's would: left, right, upper, lower, (4,).

    What is dark half way between them, too, is ground or cloth beside the paper and no line.
    """
    halves = np.arange(2 * size + 1) / 2
    outward, beside, line = np.meshgrid(_BEYOND, _BESIDE, halves, indexing="ij")
    shares = []
    for axis in (0, 1):
        for across in (-outward, size + outward):
            index = np.stack([across, line + beside] if axis == 0 else [line + beside, across], -1)
            dark = sample(evidence.ink, place(index)).max(1).mean(0) > _DARK
            shares.append(dark[::2].mean() - dark[1::2].mean())
    return np.array(shares)


def ended(evidence: Evidence, place: Place, size: int) -> npt.NDArray[np.bool_]:
    """Which lines are seen to end at each border, as a whole board's do: left, right, upper, lower, (4, size+1)."""
    near: npt.NDArray[np.bool_] = np.abs(_border_ends(evidence, place, size)) < _ENDED  # NaN is no end
    return near


_ENDED = 0.15
"""So near a border lines end at it, cells."""
_BEYOND, _BESIDE, _DARK = np.linspace(0.35, 0.6, 6), np.linspace(-0.15, 0.15, 13), 0.5
"""Where beyond a border lines are looked for, along and across, cells, and the mean likeness to the pen of one."""


def line_ends(evidence: Evidence, place: Place, size: int) -> FloatArray:
    """Where the lines across a border end, in each of its cells, (L, N): how far beside it; NaN where not known.

    An underline or a sheet's edge near a border is thus told from it. A pen's width lies between ends and border. Lines
    that stop short of a border tell nothing of it: where they end there is none, and a little beyond it is.
    """
    ends = np.full((2 * (size + 1), size), np.nan)
    found = _border_ends(evidence, place, size)
    known = [mine[np.isfinite(mine)] for mine in found]
    sides = [side for side, mine in enumerate(known) if len(mine) >= 2 and np.std(mine) < _ENDS_AGREE]
    if sides:
        first, last = found[sides, :-1], found[sides, 1:]
        one = np.where(np.isnan(first), last, first)
        there = np.where(np.isnan(first) | np.isnan(last), one, (first + last) / 2)
        usual = np.array([[np.median(known[side])] for side in sides])
        there = np.where(np.isnan(there), usual, there) - _OVERSHOOT
        short = _stop_short(evidence, place, size, np.array(sides), there)
        outward = np.where(np.array(sides) % 2, 1, -1)[:, None]
        ends[[(0, size, size + 1, 2 * size + 1)[side] for side in sides]] = np.where(short, np.nan, outward * there)
    return ends


def _stop_short(
    evidence: Evidence, place: Place, size: int, sides: npt.NDArray[np.intp], ends: FloatArray
) -> npt.NDArray[np.bool_]:
    """In which cells along borders no line is where lines end, (S, N), but a little beyond: (S, N).

    ``sides`` (S,): 0 left, 1 right, 2 upper, 3 lower. Where stickers hide a line, it is as in most other cells.
    """
    beyond = np.arange(-_AT_END, _SHORT + _END_STEP / 2, _END_STEP)
    along = (np.arange(_PER_CELL * size) + 0.5) / _PER_CELL
    out = beyond + ends.repeat(_PER_CELL, axis=1)[..., None]
    across = np.where((sides % 2)[:, None, None], size + out, -out)
    lengthwise = np.broadcast_to(along[:, None], out.shape)
    upright = (sides < 2)[:, None, None]
    index = np.stack([np.where(upright, across, lengthwise), np.where(upright, lengthwise, across)], -1)
    points = place(index)
    hidden = (sample(evidence.stickers, points) > _HIDDEN).reshape(len(sides), size, -1).any(2)
    ink = sample(evidence.ink, points).reshape(len(sides), size, _PER_CELL, -1).mean(2)
    here = beyond <= _AT_END
    short: npt.NDArray[np.bool_] = (ink[..., here].max(2) < _NO_LINE) & (ink[..., ~here].max(2) > _LINE)
    free = np.asarray(~hidden)
    for side in range(len(sides)):
        short[side, ~free[side]] = free[side].any() and short[side, free[side]].mean() > _MOST
    return short


_AT_END, _SHORT, _PER_CELL = 0.06, 0.3, 4
"""How far from where lines end a border still lies there, and how far beyond it may lie at most, cells; samples in each
cell along it."""
_NO_LINE, _LINE, _HIDDEN, _MOST = 0.2, 0.5, 0.5, 0.5
"""Mean likeness to the pen of no line and of one, share of a sticker under which nothing is told, and of cells."""


def _border_ends(evidence: Evidence, place: Place, size: int) -> FloatArray:
    """How far beyond each border the lines across it end, (4, size+1) cells; NaN where a sticker hides it.

    Borders: left, right, upper, lower.
    """
    t = np.arange(-0.35, 0.35, _END_STEP)
    across, along = np.meshgrid(np.concatenate([-t, size + t]), np.arange(size + 1.0))
    upright = np.stack([across, along], -1).reshape(size + 1, 2, len(t), 2).swapaxes(0, 1)
    index = np.concatenate([upright, upright[..., ::-1]])
    points = place(index)
    beside = place(index + np.array([[0, 0.01], [0, 0.01], [0.01, 0], [0.01, 0]])[:, None, None]) - points
    beside /= np.maximum(np.hypot(beside[..., 0], beside[..., 1]), 1e-9)[..., None]
    steps = np.arange(-2.0, 3)[:, None, None, None, None]
    ink = sample(evidence.ink, points + steps * beside).max(0)
    hidden = sample(evidence.stickers, points) > 0.5
    inner = np.sort(ink[..., t < -0.1], axis=-1)
    on = ink > 0.5 * inner[..., inner.shape[-1] // 2, None]
    gap = np.all(np.lib.stride_tricks.sliding_window_view(~on, _END_GAP, axis=-1), axis=-1)
    gap[..., t[: gap.shape[-1]] < -0.2] = False
    first = np.where(gap.any(-1), gap.argmax(-1), 0)[..., None]
    at = np.arange(len(t))
    clear = ~np.any(hidden & (at < first + _END_GAP), axis=-1)
    drawn = np.sum(on & (at < np.maximum(first, 1)), axis=-1) > 0.8 * np.maximum(first[..., 0], 1)
    return np.where(clear & drawn & gap.any(-1), t[first[..., 0]], np.nan)
