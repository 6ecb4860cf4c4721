"""What is stuck on a board: plausible layouts, the stickers as outlines in cells, and who covers what.

Frame: the board's, unit one cell, x along columns, y down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray, polygon_area
from poradek_vision.model import EMPTY
from synth.look import StickerLook

LABEL_PX = 32
"""Resolution of the label picture, px per cell."""
OWN_LEAST, FOREIGN_MOST = 0.36, 0.22
"""A sticker shows on at least this share of its cell; strangers cover at most that of a cell."""
Labels = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Sticker:
    """One sticker: its cell, colour, whose it is, its outline in cells (N, 2), wear and a tilt of its surface."""

    row: int
    col: int
    colour: str
    owner: str
    centre: tuple[float, float]
    side: float
    turn_deg: float
    outline: FloatArray
    under: bool = False
    torn: bool = False
    fade: float = 0.0
    tilt: tuple[float, float] = (0.0, 0.0)


def make_rows(rng: np.random.Generator, rows: int, cols: int, codes: str, fill: float, join: float = 0.62) -> list[str]:
    """A layout as children make it: patches of one colour, some strays, ``fill`` of the cells covered.

    ``join`` is how often a sticker takes the colour of a neighbour.
    """
    return ["".join(row) for row in _patches(rng, rows, cols, codes, fill, join)]


def make_owners(rng: np.random.Generator, rows: list[str], marks: str) -> list[str]:
    """Who stuck each sticker: patches again, ``.`` where the cell is empty."""
    owners = _patches(rng, len(rows), len(rows[0]), marks, 1.0, 0.66)
    return [
        "".join(EMPTY if colour == EMPTY else owner for colour, owner in zip(row, line, strict=True))
        for row, line in zip(rows, owners, strict=True)
    ]


def _patches(rng: np.random.Generator, rows: int, cols: int, letters: str, fill: float, join: float) -> list[list[str]]:
    """Fill cells in random order; each takes a neighbour's letter with probability ``join``."""
    grid = [[EMPTY] * cols for _ in range(rows)]
    order = rng.permutation(rows * cols)[: round(fill * rows * cols)]
    for place in order:
        row, col = divmod(int(place), cols)
        near = [
            grid[r][c]
            for r in range(max(0, row - 1), min(rows, row + 2))
            for c in range(max(0, col - 1), min(cols, col + 2))
            if grid[r][c] != EMPTY
        ]
        pool = near if near and rng.random() < join else list(letters)
        grid[row][col] = pool[int(rng.integers(len(pool)))]
    return grid


def place_stickers(
    rng: np.random.Generator, rows: list[str], owners: list[str] | None, look: StickerLook
) -> list[Sticker]:
    """Stick the layout: off-centre, turned, torn, over one another, so that each is still mostly in its cell.

    Returns the stickers in the order in which they were stuck: a later one lies on top.
    """
    codes = sorted({code for code, _ in look.pigments})
    placed: list[Sticker] = []
    for place in rng.permutation(len(rows) * len(rows[0])):
        row, col = divmod(int(place), len(rows[0]))
        if rows[row][col] == EMPTY:
            continue
        owner = owners[row][col] if owners else ""
        if rng.random() < look.over:
            other = str(rng.choice([code for code in codes if code != rows[row][col]]))
            placed.append(replace(_sticker(rng, row, col, other, owner, look, torn=0), under=True))
        placed.append(_sticker(rng, row, col, rows[row][col], owner, look, torn=look.torn))
    return _settled(placed, len(rows), len(rows[0]))


def _sticker(
    rng: np.random.Generator, row: int, col: int, colour: str, owner: str, look: StickerLook, torn: float
) -> Sticker:
    """One sticker thrown at its cell."""
    dx, dy = np.clip(rng.normal(0, look.offset, 2), -0.25, 0.25)
    side = look.size * rng.uniform(0.94, 1.06)
    turn = rng.normal(0, look.turn_deg)
    shape = _shape(rng, look, side)
    is_torn = bool(rng.random() < torn)
    if is_torn:
        shape = _torn(rng, shape, side)
    fade = float(rng.uniform(0.2, 0.5)) if rng.random() < look.faded else float(rng.uniform(0, 0.06))
    centre = (float(col + 0.5 + dx), float(row + 0.5 + dy))
    tilt = (float(rng.normal(0, 0.035)), float(rng.normal(0, 0.035)))
    return Sticker(
        row, col, colour, owner, centre, side, turn, _turned(shape, turn) + centre, False, is_torn, fade, tilt
    )


def _shape(rng: np.random.Generator, look: StickerLook, side: float) -> FloatArray:
    """A sticker's outline about the origin."""
    if look.shape == "any":
        return _odd_shape(rng, side)
    is_round = look.shape == "round" or (look.shape == "mixed" and rng.random() < 0.5)
    return _disc(side * 1.04) if is_round else _square(side, rng.uniform(0.02, 0.12))


def _odd_shape(rng: np.random.Generator, side: float) -> FloatArray:
    """What else shops sell: strips, triangles, hexagons, stars, hearts."""
    kind = rng.choice(["square", "disc", "strip", "triangle", "hexagon", "star", "heart"])
    if kind == "square":
        return _square(side, rng.uniform(0.02, 0.3))
    if kind == "disc":
        return _disc(side * 1.04)
    if kind == "strip":
        return _square(side, 0.03) * [1.08, 0.72]
    if kind == "heart":
        t = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        y = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
        return np.stack([16 * np.sin(t) ** 3, -y], 1) * side / 30
    corners = {"triangle": 3, "hexagon": 6, "star": 10}[str(kind)]
    angle = 2 * np.pi * np.arange(corners) / corners - np.pi / 2
    reach = np.where(np.arange(corners) % 2, 0.62, 1.0) if kind == "star" else np.ones(corners)
    return (0.72 if kind == "triangle" else 0.6) * side * (reach * [np.cos(angle), np.sin(angle)]).T


def _square(side: float, corner: float) -> FloatArray:
    """A square with rounded corners about the origin."""
    inner = side / 2 - corner * side
    arcs = [
        [inner * sx + corner * side * np.cos(a), inner * sy + corner * side * np.sin(a)]
        for quarter, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1)))
        for a in np.pi / 2 * (quarter + np.linspace(0, 1, 5))
    ]
    return np.array(arcs)


def _disc(diameter: float) -> FloatArray:
    """A circle about the origin."""
    angle = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    return diameter / 2 * np.stack([np.cos(angle), np.sin(angle)], 1)


def _torn(rng: np.random.Generator, shape: FloatArray, side: float) -> FloatArray:
    """The shape with a jagged piece torn off on one side."""
    direction = rng.uniform(0, 2 * np.pi)
    normal, along = np.array([np.cos(direction), np.sin(direction)]), np.array([-np.sin(direction), np.cos(direction)])
    edge = side * rng.uniform(0.18, 0.34)
    dense = np.concatenate(
        [np.linspace(a, b, 12, endpoint=False) for a, b in zip(shape, np.roll(shape, -1, 0), strict=True)]
    )
    reach = dense @ normal
    across = dense @ along / side
    jag = edge + side * (0.05 * np.sin(across * 9 + rng.uniform(0, 6)) + 0.02 * np.sin(across * 31 + rng.uniform(0, 6)))
    return dense - np.maximum(reach - jag, 0)[:, None] * normal


def _turned(points: FloatArray, degrees: float) -> FloatArray:
    """Points turned about the origin, clockwise as seen (y down)."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return points @ np.array([[c, s], [-s, c]])


def labels(stickers: list[Sticker], rows: int, cols: int) -> Labels:
    """Which sticker is on top where: its index in the list, -1 for paper; LABEL_PX pixels a cell."""
    picture = np.full((rows * LABEL_PX, cols * LABEL_PX), -1, np.int32)
    for index, sticker in enumerate(stickers):
        outline = np.round((sticker.outline * LABEL_PX - 0.5) * 16).astype(np.int32)
        cv2.fillPoly(picture, [outline], index, cv2.LINE_8, 4)
    return picture


def covers(stickers: list[Sticker], rows: int, cols: int) -> tuple[FloatArray, FloatArray]:
    """Shares of each cell that its own top sticker, and that other cells' stickers, visibly cover: two (rows, cols)."""
    top = labels(stickers, rows, cols)
    home = np.array([[s.row, s.col] for s in stickers] or [[-1, -1]])
    visible = np.array([not s.under for s in stickers] or [False])
    row, col = np.indices(top.shape) // LABEL_PX
    here = (top >= 0) & (home[top, 0] == row) & (home[top, 1] == col)
    foreign = (top >= 0) & ~here
    blocks = (rows, LABEL_PX, cols, LABEL_PX)
    return (
        (here & visible[top]).reshape(blocks).mean((1, 3)).astype(np.float64),
        foreign.reshape(blocks).mean((1, 3)).astype(np.float64),
    )


def _settled(stickers: list[Sticker], rows: int, cols: int) -> list[Sticker]:
    """Move stickers towards their cells' centres until each lies mostly in its own and leaves the others alone."""
    for _ in range(12):
        own, foreign = covers(stickers, rows, cols)
        crowded = foreign > FOREIGN_MOST
        hidden = np.array([s.row * cols + s.col for s in stickers if not s.under and own[s.row, s.col] < _least(s)])
        if not crowded.any() and not len(hidden):
            break
        trouble = crowded.copy()
        trouble.flat[hidden.astype(int)] = True
        near = cv2.dilate(trouble.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        stickers = [_centred(s) if near[s.row, s.col] else s for s in stickers]
    return stickers


def _least(sticker: Sticker) -> float:
    """How much of its cell a sticker must show on: less where it is small or torn."""
    return min(OWN_LEAST, 0.8 * abs(polygon_area(sticker.outline)))


def _centred(sticker: Sticker) -> Sticker:
    """The sticker half as far from its cell's centre, and a little smaller where it is larger than the cell."""
    cell = np.array([sticker.col + 0.5, sticker.row + 0.5])
    old = np.array(sticker.centre)
    new = cell + 0.5 * (old - cell)
    shrink = 0.96 if sticker.side > 0.9 else 1.0
    return replace(
        sticker,
        centre=(float(new[0]), float(new[1])),
        side=sticker.side * shrink,
        outline=(sticker.outline - old) * shrink + new,
    )
