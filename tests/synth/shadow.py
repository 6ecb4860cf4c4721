"""The shadow that a sheet throws on the ground."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray
from synth.camera import Camera
from synth.light import Light
from synth.paper import Surface

Field = npt.NDArray[np.float32]


def cast(surfaces: list[Surface], camera: Camera, light: Light) -> Field:
    """What the sheets leave of the light on the ground, 0–1, as large as the photo."""
    width, height = camera.size
    left = np.ones((height, width), np.float32)
    for surface in surfaces:
        rim = _rim(surface.position)
        scale = width / 300
        sharp = light.look.strength > 0
        fallen = _fallen(rim, light) if sharp else rim * [1, 1, 0]
        left *= 1 - 0.85 * _filled(camera.project(fallen), (width, height), (1.2 if sharp else 5) * scale)
        left *= 1 - 0.35 * _filled(camera.project(rim * [1, 1, 0]), (width, height), 4 * scale)
    return left


def _rim(position: FloatArray) -> FloatArray:
    """World points along the edge of a page."""
    m = 6  # the table's margin, in steps
    inner = position[m:-m, m:-m]
    return np.concatenate([inner[0], inner[:, -1], inner[-1, ::-1], inner[::-1, 0]])


def _fallen(points: FloatArray, light: Light) -> FloatArray:
    """Where the light throws points on the ground."""
    away, _ = light.towards(points[None].astype(np.float32))
    down = points[:, 2:] / np.maximum(away[0, :, 2:], 0.15)
    return np.asarray(points - away[0] * down, np.float64)


def _filled(outline: FloatArray, size: tuple[int, int], blur_px: float) -> Field:
    """A polygon's soft mask, computed at a quarter of the photo's size."""
    small = np.zeros((size[1] // 4 + 1, size[0] // 4 + 1), np.uint8)
    cv2.fillPoly(small, [np.round(np.clip(outline, -9000, 9000) / 4 * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(small, (0, 0), max(0.8, blur_px / 4))
    return (
        np.asarray(cv2.resize(soft, (small.shape[1] * 4, small.shape[0] * 4))[: size[1], : size[0]], np.float32) / 255
    )
