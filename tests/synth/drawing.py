"""Boards drawn on a screen: pure colours on white, flat, to the very edge of the picture or not, perhaps slanted."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from poradek_vision.geometry import FloatArray, project
from synth.board import make_rows
from synth.ground import Picture

PURE = {"R": (255, 0, 0), "G": (0, 255, 0), "B": (0, 0, 255), "Y": (255, 255, 0)}


@dataclass(frozen=True, slots=True)
class DrawingLook:
    """How a drawing looks: lengths in px, ``inset`` (white left around a sticker) in parts of a cell."""

    size: int = 5
    cell: int = 60
    margin: int = 40
    line: int = 2
    inset: float = 0.15
    fill: float = 0.6
    quarter_turns: int = 0
    slant: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """A picture (H, W, 3) uint8 RGB, its crossings (size+1, size+1, 2) px and the rows of colours."""

    pixels: Picture
    crossings: FloatArray
    rows: list[str]


def random_drawing(seed: int, size: int, to_edge: bool, slanted: bool) -> Drawing:
    """A drawing of a board of a size, all else drawn at random."""
    rng = np.random.default_rng([seed, size])
    cell = int(rng.choice([24, 40, 60, 100] if size > 6 else [40, 60, 100, 150]))
    look = DrawingLook(
        size, cell, 0 if to_edge else int(rng.uniform(0.4, 1.5) * cell), 1 if cell < 40 else int(rng.choice([1, 2, 3])),
        float(rng.choice([0.0, 0.08, 0.15])), float(rng.choice([0.3, 0.6, 0.9])), int(rng.integers(4)),
        0.12 if slanted else 0.0,
    )  # fmt: skip
    return draw_board(look, seed)


def draw_board(look: DrawingLook, seed: int) -> Drawing:
    """Draw a board."""
    rng = np.random.default_rng(seed)
    side = look.size * look.cell + 2 * look.margin + look.line
    picture = np.full((side, side, 3), 255, np.uint8)
    starts = look.margin + np.arange(look.size + 1) * look.cell
    for start in starts:
        picture[look.margin : side - look.margin, start : start + look.line] = 0
        picture[start : start + look.line, look.margin : side - look.margin] = 0
    rows = make_rows(rng, look.size, look.size, "RYGB", look.fill)
    gap = int(look.inset * look.cell)
    for i, row in enumerate(rows):
        for j, colour in enumerate(row):
            if colour != ".":
                top, left = starts[i] + look.line + gap, starts[j] + look.line + gap
                picture[top : starts[i + 1] - gap, left : starts[j + 1] - gap] = PURE[colour]
    crossings = np.stack(np.meshgrid(starts, starts), -1) + (look.line - 1) / 2
    if look.slant:
        picture, crossings = _slanted(picture, crossings, look.slant, rng)
    for _ in range(look.quarter_turns):
        picture = np.rot90(picture)
        crossings = np.stack([crossings[..., 1], picture.shape[0] - 1 - crossings[..., 0]], -1)
    return Drawing(np.ascontiguousarray(picture), crossings, rows)


def _slanted(
    picture: Picture, crossings: FloatArray, slant: float, rng: np.random.Generator
) -> tuple[Picture, FloatArray]:
    """The picture with its corners moved, and white around it."""
    height, width = picture.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    moved = corners + rng.uniform(-slant, slant, (4, 2)).astype(np.float32) * width
    moved -= moved.min(0)
    homography = cv2.getPerspectiveTransform(corners, moved)
    size = np.ceil(moved.max(0)).astype(int).tolist()
    seen = cv2.warpPerspective(picture, homography, size, flags=cv2.INTER_LINEAR, borderValue=(255, 255, 255))
    return seen, project(homography, crossings.reshape(-1, 2)).reshape(crossings.shape)
