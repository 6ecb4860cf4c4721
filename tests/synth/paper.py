"""The page as a surface in space: bent, folded, crumpled, lying on the ground.

World: mm, x and y on the ground, z up. A surface is a table of positions every STEP_MM along the page, read
bilinearly, and that table *is* the surface: what is drawn and what is told as truth come from the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from poradek_vision.geometry import FloatArray
from synth.look import Fold, PaperLook

STEP_MM = 1.5
MARGIN_MM = 9.0
"""The table reaches this far beyond the page, so that the page's edge lies inside it."""


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Positions (h, w, 3) and normals (h, w, 3) of a page's points, in mm of the world."""

    position: FloatArray
    normal: FloatArray
    page_mm: tuple[float, float]

    def at(self, points_mm: FloatArray) -> FloatArray:
        """World positions of points of the page, (N, 2) -> (N, 3)."""
        return lookup(self.position, (points_mm + MARGIN_MM) / STEP_MM)


def lookup(table: FloatArray, index: FloatArray) -> FloatArray:
    """Read a table (h, w, C) bilinearly at (N, 2) places (x, y) in steps; outside it the edge's value."""
    height, width = table.shape[:2]
    x, y = np.clip(index[:, 0], 0, width - 1.001), np.clip(index[:, 1], 0, height - 1.001)
    col, row = x.astype(np.intp), y.astype(np.intp)
    fx, fy = (x - col)[:, None], (y - row)[:, None]
    top = table[row, col] * (1 - fx) + table[row, col + 1] * fx
    low = table[row + 1, col] * (1 - fx) + table[row + 1, col + 1] * fx
    return top * (1 - fy) + low * fy


def shape_page(
    page_mm: tuple[float, float],
    look: PaperLook,
    pose: tuple[float, float, float],
    rng: np.random.Generator,
) -> Surface:
    """Bend, fold and crumple a page, and lay it on the ground at ``pose``: its centre in mm and its turn in degrees."""
    width, height = page_mm
    u = np.arange(-MARGIN_MM, width + MARGIN_MM + STEP_MM, STEP_MM) - width / 2
    v = np.arange(-MARGIN_MM, height + MARGIN_MM + STEP_MM, STEP_MM) - height / 2
    across, down = np.meshgrid(u, -v)  # the world's y points up the page
    x, y, z = _bent(across, down, look, np.hypot(width, height) / 2)
    for fold in look.folds:
        z = z + _fold_height(across, down, fold, page_mm)
    z = z + look.crumple_mm * _crumple(z.shape, rng)
    z = z - z.min() + 0.3
    c, s = np.cos(np.radians(pose[2])), np.sin(np.radians(pose[2]))
    position = np.stack([pose[0] + c * x - s * y, pose[1] + s * x + c * y, z], -1)
    return Surface(position, _normals(position), page_mm)


def _bent(x: FloatArray, y: FloatArray, look: PaperLook, reach: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Bend the flat page into a cylinder, keeping lengths: its slope grows evenly, or only towards one end."""
    c, s = np.cos(np.radians(look.bend_dir_deg)), np.sin(np.radians(look.bend_dir_deg))
    along, beside = x * c + y * s, y * c - x * s
    line = np.linspace(-reach - 30, reach + 30, 800)
    share = line / reach
    slope = np.radians(look.bend_deg) * ((1 - look.bend_end) * share / 2 + look.bend_end * np.maximum(share, 0) ** 2)
    step = line[1] - line[0]
    run, rise = np.cumsum(np.cos(slope)) * step, np.cumsum(np.sin(slope)) * step
    middle = len(line) // 2
    bent = np.interp(along, line, run - run[middle])
    return bent * c - beside * s, bent * s + beside * c, np.interp(along, line, rise - rise[middle])


def _fold_height(x: FloatArray, y: FloatArray, fold: Fold, page_mm: tuple[float, float]) -> FloatArray:
    """A crease: the page rises away from its line on both sides, rounded over 2 mm."""
    c, s = np.cos(np.radians(fold.normal_deg)), np.sin(np.radians(fold.normal_deg))
    at = fold.at * (abs(c) * page_mm[0] + abs(s) * page_mm[1])
    return np.asarray(np.tan(np.radians(fold.angle_deg / 2)) * np.hypot(x * c + y * s - at, 1.0), np.float64)


def _crumple(shape: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
    """Smooth bumps of about unit height."""
    bumps = np.zeros(shape, np.float32)
    for size, height in ((26.0, 1.0), (10.0, 0.3)):
        noise = cv2.GaussianBlur(rng.normal(0, 1, shape).astype(np.float32), (0, 0), size / STEP_MM)
        bumps += np.float32(height) * noise / max(float(noise.std()), 1e-6)
    return bumps.astype(np.float64)


def _normals(position: FloatArray) -> FloatArray:
    """Unit normals, pointing up."""
    along, down = np.gradient(position, axis=1), np.gradient(position, axis=0)
    normal = np.cross(down, along)
    return np.asarray(normal / np.linalg.norm(normal, axis=-1, keepdims=True), np.float64)
