"""No man's lands drawn straight into their own frame: stickers bearing marks or codes, with exact truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.model import CellReading, Rectified

COLOURS = {"R": (198, 41, 61), "Y": (246, 210, 48), "G": (43, 143, 73), "B": (33, 84, 172)}
PX = 48
_FINE = 2

Stamp = Callable[[int, np.random.Generator], npt.NDArray[np.floating]]
"""Draws the mark of a team: ink (S, S), 0 to 1, filling about 0.72 of the picture."""


@dataclass(frozen=True)
class Look:
    """How a land looks; lengths in cells."""

    size: float = 0.85
    offset: float = 0.05
    turn_deg: float = 6.0
    ink: float = 0.85
    mark_size: float = 0.45
    blur: float = 0.02
    noise: float = 3.0
    shade: float = 0.2
    cover: float = 0.0
    round: bool = False
    spin_deg: float = 8.0
    """How much marks are turned, each by itself."""
    stray: float = 0.03
    """How far marks lie from the middle of their stickers."""
    pen: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """How much of each colour of light the ink lets through: none, as black does."""


def random_look(rng: np.random.Generator, level: float) -> Look:
    """A look that is the harder the nearer ``level`` is to 1."""
    return Look(
        size=rng.uniform(0.85 - 0.25 * level, 0.9 + 0.1 * level),
        offset=0.03 + 0.08 * level,
        turn_deg=5 + 12 * level,
        ink=rng.uniform(0.85 - 0.4 * level, 0.95),
        mark_size=rng.uniform(0.4 - 0.08 * level, 0.55),
        blur=rng.uniform(0.008, 0.02 + 0.03 * level),
        noise=rng.uniform(1, 3 + 7 * level),
        shade=rng.uniform(0, 0.2 + 0.3 * level),
        cover=0.03 * level,
        round=bool(rng.random() < 0.3),
    )


def draw_land(
    owners: npt.NDArray[np.int64], stamp: Stamp, look: Look, rng: np.random.Generator, codes: bool = False
) -> tuple[Rectified, tuple[CellReading, ...]]:
    """A land whose cells bear the marks of teams ``owners`` (n, n), -1 for an empty cell."""
    n, px = len(owners), PX * _FINE
    pixels = np.full(((n + 1) * px, (n + 1) * px, 3), (226, 224, 216), np.float32)
    for k in range(n + 1):
        at = round((k + 0.5) * px)
        cv2.line(pixels, (px // 2, at), (px // 2 + n * px, at), (60, 60, 60), 3)
        cv2.line(pixels, (at, px // 2), (at, px // 2 + n * px), (60, 60, 60), 3)
    cells = []
    for row, col in rng.permutation(np.argwhere(owners >= 0)):
        colour = "RYGB"[rng.integers(4)]
        _stick(pixels, (row, col), colour, stamp(int(owners[row, col]), rng), look, rng, codes)
        cells.append(CellReading(int(row), int(col), colour, "", 30.0))
    hills = cv2.resize(rng.random((4, 4)), pixels.shape[1::-1], interpolation=cv2.INTER_CUBIC)[..., None]
    lit = cv2.GaussianBlur(pixels * (1 - look.shade * hills), (0, 0), max(look.blur * px, 0.3))
    small = cv2.resize(lit.astype(np.float32), None, fx=1 / _FINE, fy=1 / _FINE, interpolation=cv2.INTER_AREA)
    grain = cv2.GaussianBlur(rng.normal(0, 1, small.shape), (0, 0), 0.6) * 2
    taken = np.clip(small + look.noise * grain, 0, 255).astype(np.uint8)
    picture = Rectified(taken, PX, (-0.5, -0.5), np.ones(taken.shape[:2], bool))
    return picture, tuple(sorted(cells, key=lambda cell: (cell.row, cell.col)))


def _stick(
    pixels: npt.NDArray[np.float32],
    cell: tuple[int, int],
    colour: str,
    ink: npt.NDArray[np.floating],
    look: Look,
    rng: np.random.Generator,
    codes: bool,
) -> None:
    """One sticker, with its mark."""
    px = PX * _FINE
    middle = (np.array([cell[1], cell[0]]) + 1 + rng.normal(0, look.offset, 2)) * px - 0.5
    turn = rng.normal(0, look.turn_deg)
    half = look.size * px / 2
    mask = np.zeros(pixels.shape[:2], np.uint8)
    if look.round:
        cv2.circle(mask, np.rint(middle).astype(int).tolist(), round(half), 1, -1)
    else:
        box = cv2.boxPoints((middle.tolist(), (2 * half, 2 * half), turn))
        cv2.fillPoly(mask, [np.rint(box).astype(np.int32)], 1)
    colours = np.array(COLOURS[colour], np.float32) * rng.uniform(0.9, 1.08)
    span = 0.5 * look.size if codes else look.mark_size * rng.uniform(0.8, 1.15)
    spin = turn + 90 * rng.integers(4) if codes else rng.normal(0, look.spin_deg)
    scale = span * px / (0.72 * len(ink))
    to_board = cv2.getRotationMatrix2D(((len(ink) - 1) / 2,) * 2, -spin, scale)
    to_board[:, 2] += middle + rng.normal(0, look.stray * px, 2) * (not codes) - (len(ink) - 1) / 2
    low = np.maximum((middle - px).astype(int), 0)
    high = (middle + px).astype(int)
    to_board[:, 2] -= low
    near = (slice(low[1], high[1]), slice(low[0], high[0]))
    size = pixels[near].shape[1::-1]
    dark = cv2.warpAffine(ink.astype(np.float32), to_board, size, flags=cv2.INTER_AREA)
    if rng.random() < look.cover:
        dark[:, : int(dark.shape[1] * rng.uniform(0.4, 0.5))] = 0
    stuck = colours * (1 - (0.92 if codes else look.ink) * dark[..., None] * (1 - np.array(look.pen, np.float32)))
    pixels[near] = np.where(mask[near][..., None] > 0, stuck, pixels[near])
