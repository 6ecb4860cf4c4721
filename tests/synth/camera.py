"""A pinhole camera with radial distortion, above the ground.

World: mm, z up. Photo: px, upright, pixel centres at whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from poradek_vision.geometry import FloatArray
from synth.look import View


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """Where the camera stands and how it maps: rows of ``axes`` are its right, down and forward in the world."""

    centre: FloatArray
    axes: FloatArray
    focal_px: float
    k1: float
    size: tuple[int, int]

    def project(self, points: FloatArray) -> FloatArray:
        """Photo pixels of world points, (..., 3) -> (..., 2)."""
        seen = (points - self.centre) @ self.axes.T
        flat = seen[..., :2] / np.maximum(seen[..., 2:], 1.0)
        flat = flat * (1 + self.k1 * (flat**2).sum(-1, keepdims=True))
        return np.asarray(flat * self.focal_px + self._middle, np.float64)

    def rays(self, pixels: FloatArray) -> FloatArray:
        """Directions in the world of photo pixels, (..., 2) -> (..., 3), not of unit length."""
        bent = (pixels - self._middle) / self.focal_px
        flat = bent
        for _ in range(6):
            flat = bent / (1 + self.k1 * (flat**2).sum(-1, keepdims=True))
        return np.asarray(np.concatenate([flat, np.ones((*flat.shape[:-1], 1))], -1) @ self.axes, np.float64)

    @property
    def _middle(self) -> FloatArray:
        return (np.array(self.size) - 1) / 2


def aim(view: View, outline: FloatArray) -> Camera:
    """The camera that sees ``outline`` (N, 3) at the view's tilt, roll and fill.

    Distance and direction are found by trying: scale the distance by how much of the frame the outline takes, and
    move the point aimed at by how far the outline is off its place.
    """
    size = np.array([view.width, view.height])
    focal = view.focal_mm / 36 * size.max()
    axes = _axes(view)
    target, distance = outline.mean(0), 900.0
    for _ in range(12):
        camera = Camera(target - distance * axes[2], axes, float(focal), view.k1, (view.width, view.height))
        seen = camera.project(outline)
        low, high = seen.min(0), seen.max(0)
        room = size - 1 - (high - low)
        off = (low + high) / 2 - (size - 1) / 2 - np.array(view.shift) * np.maximum(room, 0) * 0.9
        target = target + (off / focal * distance) @ axes[:2]
        distance *= float(((high - low) / size).max()) / view.fill
    return replace(camera, centre=target - distance * axes[2])


def _axes(view: View) -> FloatArray:
    """The camera's right, down and forward: straight down with the world's y up, then tilted, turned and rolled."""
    tilt, azimuth, roll = np.radians([view.tilt_deg, view.azimuth_deg, view.roll_deg])
    lean = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    forward = np.sin(tilt) * lean + np.array([0, 0, -np.cos(tilt)])
    up = np.array([0.0, 1.0, 0.0])
    up = up - (up @ forward) * forward
    up /= np.linalg.norm(up)
    right = np.cross(forward, up)
    c, s = np.cos(roll), np.sin(roll)
    return np.stack([c * right + s * up, -(c * up - s * right), forward])
