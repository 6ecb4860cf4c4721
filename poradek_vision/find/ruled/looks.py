"""What is seen along the pieces of line of a lattice, and in its cells; a piece lies between two crossings."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.ruled.evidence import Evidence, FloatPicture
from poradek_vision.find.ruled.lattice import Place, Window, over_grid
from poradek_vision.find.ruled.seeds import sample_at
from poradek_vision.geometry import FloatArray

_T = np.array([0.14, 0.28, 0.42, 0.58, 0.72, 0.86])
_STRONGEST = 0.35
"""Ink beyond this is black enough."""
_BESIDE = 0.25
"""How far to both sides a line is darker than what is beside it, cells: ruled paper across it is dark everywhere."""
_BESIDE_SHARE = 0.3
"""What this share of the places beside a line is lighter than counts as no ink."""
_HIDDEN = 0.15
"""Weight against a line that is not seen where stickers hide it: whole lines are seldom hidden."""
_OUTSIDE = -0.5
"""The same where it lies outside the photo."""
_STEP = 0.02
"""How far on a line's direction is looked at, cells."""


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """What was seen along the pieces of line of a window; a piece lies between two crossings.

    Attributes
    ----------
    axis, line, cell : ndarray of shape (P,), int
        0 for pieces of lines u = line in cell v = cell, 1 the other way round.
    index : ndarray of shape (P, S, 2)
        The samples' index coordinates.
    points, normal : ndarray of shape (P, S, 2)
        Where they should lie and the direction across the line, work px.
    shift : ndarray of shape (P, S)
        How far along ``normal`` the line was seen.
    cell_px : ndarray of shape (P, S)
        Side of a cell along ``normal``.
    ink : ndarray of shape (P, S)
        How dark it is there.
    strength : ndarray of shape (P,)
        Mean ink along the piece, where no sticker hides it.
    hidden : ndarray of shape (P,)
        Share of the piece under stickers.
    inside : ndarray of shape (P,), bool
        Whether the piece lies in the photo.
    """

    axis: npt.NDArray[np.intp]
    line: npt.NDArray[np.intp]
    cell: npt.NDArray[np.intp]
    index: FloatArray
    points: FloatArray
    normal: FloatArray
    shift: FloatArray
    cell_px: FloatArray
    ink: FloatArray
    strength: FloatArray
    hidden: FloatArray
    inside: npt.NDArray[np.bool_]


def look(evidence: Evidence, place: Place, window: Window, reach: float, offset: float = 0.0) -> Looks:
    """Look for every piece of line of a window.

    Parameters
    ----------
    evidence : Evidence
    place : Place
    window : Window
    reach : float
        How far from its place a line is looked for, cells.
    offset : float
        Added to the lines' coordinates: 0.5 looks half way between lines.
    """
    axis, line, cell, index = _pieces(window, offset)
    points, normal, width = _across(place, window, offset)
    span = max(reach, _BESIDE)
    half = int(np.clip(round(float(np.median(width)) * span), 4, 60))
    t = np.linspace(-span, span, 2 * half + 1, dtype=np.float32)
    profiles = _profiles(evidence, points, width * normal, t)
    open_paper = 1 - sample_at(evidence.colour, *points.astype(np.float32))
    pooled = np.maximum(profiles, np.maximum(np.roll(profiles, 1, -1), np.roll(profiles, -1, -1)))
    mean = np.matmul(open_paper[:, None], pooled)[:, 0] / np.maximum(open_paper.sum(1), 1)[:, None]
    best = np.where(np.abs(t) <= reach, mean * (1 - 0.4 * (t / reach) ** 2), -1).argmax(-1)
    beside = int(_BESIDE_SHARE * len(t))
    strength = mean[np.arange(len(mean)), best] - np.partition(mean, beside, axis=1)[:, beside]
    near = profiles * (np.abs(np.arange(2 * half + 1) - best[:, None, None]) <= 4)
    at = near @ t / np.maximum(near.sum(-1), 1e-9)
    ends = np.array(evidence.size) - 1
    middle = points.mean(2).T
    return Looks(
        axis, line, cell, index, np.moveaxis(points, 0, -1), np.moveaxis(normal, 0, -1), at * width, width,
        near.max(-1), strength, 1 - open_paper.mean(1), np.all((middle >= 0) & (middle <= ends), axis=1),
    )  # fmt: skip


def _profiles(evidence: Evidence, points: FloatArray, cell: FloatArray, t: FloatPicture) -> FloatPicture:
    """Ink (P, S, K) across lines, from points (2, P, S) on them at steps (K,) of a cell (2, P, S)."""
    (x, y), (along_x, along_y) = (a[..., None].astype(np.float32) for a in (points, cell))
    profiles = sample_at(evidence.ink, x + t * along_x, y + t * along_y)
    return np.minimum(profiles, _STRONGEST, out=profiles)


def _across(place: Place, window: Window, offset: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Samples' places and the directions across their lines, both (2, P, S), and the side of a cell that way (P, S)."""
    u0, u1, v0, v1 = window
    upright = _lines(place, np.arange(u0, u1 + 1, dtype=np.float64) + offset, np.arange(v0, v1), lying=False)
    lying = _lines(place, np.arange(v0, v1 + 1, dtype=np.float64) + offset, np.arange(u0, u1), lying=True)
    points, beyond, further = (np.concatenate(each, axis=1) for each in zip(upright, lying, strict=True))
    side, tangent = (beyond - points) / _STEP, (further - points) / _STEP
    normal = np.stack([-tangent[1], tangent[0]])
    normal /= np.maximum(np.hypot(*normal), 1e-9)
    width = np.sum(side * normal, 0)
    return points, normal * np.sign(width), np.abs(width)


def _lines(place: Place, lines: FloatArray, cells: npt.NDArray[np.intp], lying: bool) -> tuple[FloatArray, ...]:
    """Samples of pieces of lines in cells, a step beside them, and a step on along the line, each (2, P, S) work px."""
    along = (cells[:, None] + _T).ravel()
    across, along = np.concatenate([lines, lines + _STEP]), np.concatenate([along, along + _STEP])
    grid = over_grid(place, along, across).swapaxes(1, 2) if lying else over_grid(place, across, along)
    on, beside = slice(None, len(lines)), slice(len(lines), None)
    here, further = slice(None, len(along) // 2), slice(len(along) // 2, None)
    return tuple(grid[:, a, b].reshape(2, -1, len(_T)) for a, b in ((on, here), (beside, here), (on, further)))


def pen_px(evidence: Evidence, place: Place, window: Window) -> float:
    """How broad the broadest lines of a window are, work px: what is darker than half of a line, across it.

    Parameters
    ----------
    evidence : Evidence
    place : Place
    window : Window
    """
    seen = look(evidence, place, window, _BESIDE)
    clear = seen.ink >= level(seen.ink.ravel(), _CLEAR)
    points = (seen.points + seen.shift[..., None] * seen.normal)[clear].astype(np.float32)
    dark = (evidence.ink > float(np.median(seen.ink[clear])) / 2).astype(np.uint8)
    depth = np.asarray(cv2.distanceTransform(dark, cv2.DIST_L2, 3), np.float32)
    return 2 * level(sample_at(depth, points[:, 0], points[:, 1]).astype(np.float64), _BROAD) - 1


_CLEAR, _BROAD = 0.6, 0.9
"""Share of the samples of lines that are fainter than those of which the breadth is told, and of these that are less
broad than the broadest: near the camera lines are."""


def visible(seen: Looks, scale: float) -> FloatArray:
    """How clearly each piece was seen, -1 (paper where the line should be) to 1; 0 where a sticker hides it."""
    clear = np.clip((seen.strength / scale - 0.4) / 0.25, -1, 1) * np.minimum(2 * (1 - seen.hidden), 1)
    return np.where(seen.inside, clear - _HIDDEN * seen.hidden, _OUTSIDE)


def level(values: FloatArray, share: float) -> float:
    """The value (N) that a share of them lies below: at once, where numpy's quantile takes long to begin.

    Examples
    --------
    >>> level(np.arange(10.0), 0.7)
    6.0
    """
    at = int(share * (len(values) - 1) + 0.5)
    return float(np.partition(values, at)[at])


def cover(evidence: Evidence, place: Place, window: Window) -> FloatArray:
    """Share of each cell's core under stickers, (v cells, u cells)."""
    covered: FloatArray = in_cells(evidence.stickers, place, window, np.array([0.36, 0.5, 0.64])).mean(-1)
    return covered


def in_cells(picture: FloatPicture, place: Place, window: Window, at: FloatArray) -> FloatPicture:
    """Values of a picture at places (T,) of each cell of a window, both ways: (v cells, u cells, T²)."""
    u0, u1, v0, v1 = window
    u, v = (np.arange(u0, u1)[:, None] + at).ravel(), (np.arange(v0, v1)[:, None] + at).ravel()
    values = sample_at(picture, *over_grid(place, u, v).astype(np.float32))
    by_cell = values.reshape(u1 - u0, len(at), v1 - v0, len(at)).transpose(2, 0, 3, 1)
    return by_cell.reshape(v1 - v0, u1 - u0, -1)


@functools.lru_cache(maxsize=128)
def _pieces(
    window: Window, offset: float
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], npt.NDArray[np.intp], FloatArray]:
    """Axis, line and cell of every piece of line in a window, and its samples' index coordinates: not to be changed."""
    u0, u1, v0, v1 = window
    line_u, cell_v = (a.ravel() for a in np.meshgrid(np.arange(u0, u1 + 1), np.arange(v0, v1), indexing="ij"))
    line_v, cell_u = (a.ravel() for a in np.meshgrid(np.arange(v0, v1 + 1), np.arange(u0, u1), indexing="ij"))
    axis = np.repeat([0, 1], [len(line_u), len(line_v)])
    line, cell = np.concatenate([line_u, line_v]), np.concatenate([cell_v, cell_u])
    along = cell[:, None] + _T
    across = np.broadcast_to(line[:, None] + offset, along.shape)
    index = np.where((axis == 0)[:, None, None], np.stack([across, along], -1), np.stack([along, across], -1))
    for each in (axis, line, cell, index):
        each.setflags(write=False)
    return axis, line, cell, index
