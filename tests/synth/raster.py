"""Draw a textured surface into a photo: for each pixel the page's point seen there, and what it sends to the camera."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray
from synth.camera import Camera
from synth.light import Light
from synth.page import PageTexture
from synth.paper import MARGIN_MM, STEP_MM, Surface, lookup

Field = npt.NDArray[np.float32]
_COARSE_PX = 4
"""Pixel positions are solved on this grid and read between."""
_LOST_PX, _RIM = 1.5, 3
"""A pixel that Newton leaves this far off, inside the table by so many nodes, sees no point of the page."""


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A rectangle of the photo: left, top, width and height in whole pixels."""

    left: int
    top: int
    width: int
    height: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """Rows and columns of the photo's array."""
        return slice(self.top, self.top + self.height), slice(self.left, self.left + self.width)

    def coarse(self, step: int) -> FloatArray:
        """Pixel positions every ``step`` pixels, one step beyond the region on all sides: (h, w, 2)."""
        x = self.left + (np.arange(-1, -(-self.width // step) + 1) + 0.5) * step - 0.5
        y = self.top + (np.arange(-1, -(-self.height // step) + 1) + 0.5) * step - 0.5
        return np.stack(np.meshgrid(x, y), -1)

    def dense(self, field: FloatArray, step: int) -> Field:
        """Values at :meth:`coarse` positions read for every pixel of the region."""
        size = (field.shape[1] * step, field.shape[0] * step)
        grown = cv2.resize(np.ascontiguousarray(field, np.float32), size, interpolation=cv2.INTER_LINEAR)
        return np.asarray(grown[step : step + self.height, step : step + self.width], np.float32)


def region_of(points: FloatArray, size: tuple[int, int], pad: int = 6) -> Region | None:
    """The part of a photo of this size (width, height) that the points span, or None where they lie outside."""
    left, top = np.maximum(np.floor(points.min(0)).astype(int) - pad, 0)
    right, bottom = np.minimum(np.ceil(points.max(0)).astype(int) + pad, size)
    return Region(int(left), int(top), int(right - left), int(bottom - top)) if right > left and bottom > top else None


def draw_page(scene: Field, camera: Camera, light: Light, surface: Surface, page: PageTexture) -> None:
    """Draw a page over the scene."""
    seen = camera.project(surface.position)
    region = region_of(seen.reshape(-1, 2), camera.size)
    if region is None:
        return
    index = page_points(seen, region.coarse(_COARSE_PX))
    flat = index.reshape(-1, 2)
    shape = index.shape[:2]
    position = region.dense(lookup(surface.position, flat).reshape(*shape, 3), _COARSE_PX)
    normal = region.dense(lookup(surface.normal, flat).reshape(*shape, 3), _COARSE_PX)
    mm = region.dense(index * STEP_MM - MARGIN_MM, _COARSE_PX)
    px_per_mm = region.dense(_scale(index * STEP_MM, _COARSE_PX), _COARSE_PX)
    albedo = _sample(page.albedo, mm, page.px_per_mm, px_per_mm)
    sent = albedo * light.on(position, normal)
    if page.material[..., 0].any():
        material = _sample(page.material, mm, page.px_per_mm, px_per_mm)
        sent += light.mirrored(position, normal, material, camera.centre)
    alpha = _edge(mm, surface.page_mm, px_per_mm)[..., None]
    target = scene[region.slices]
    target += alpha * (sent - target)


def page_points(seen: FloatArray, pixels: FloatArray) -> FloatArray:
    """Where in the table ``seen`` (h, w, 2) of pixel positions each of ``pixels`` (H, W, 2) lies: (H, W, 2) as (x, y).

    A smooth guess from the table's own nodes, then Newton steps on the bilinear table. Pixels off the table get a
    place on its edge.
    """
    table = np.concatenate([seen, np.gradient(seen, axis=1), np.gradient(seen, axis=0)], -1)
    wanted = pixels.reshape(-1, 2)
    index = _guess(seen, pixels).reshape(-1, 2)
    limit = np.array([seen.shape[1] - 1.0, seen.shape[0] - 1.0])
    for _ in range(5):
        x, y, a, c, b, d = lookup(table, index).T
        off = wanted - np.stack([x, y], 1)
        det = a * d - b * c
        det = np.where(np.abs(det) < 1e-3, 1e-3, det)
        step = np.stack([d * off[:, 0] - b * off[:, 1], a * off[:, 1] - c * off[:, 0]], 1) / det[:, None]
        index = np.clip(index + np.clip(step, -12, 12), 0, limit)
    lost = np.hypot(*(wanted - lookup(seen, index)).T) > _LOST_PX
    index[lost & ((index > _RIM) & (index < limit - _RIM)).all(1)] = 0
    return index.reshape(pixels.shape)


def _guess(seen: FloatArray, pixels: FloatArray) -> FloatArray:
    """Roughly where each pixel lies in the table: its nodes scattered over the pixels, smoothed into the gaps."""
    height, width = pixels.shape[:2]
    step = pixels[0, 1, 0] - pixels[0, 0, 0]
    at = np.round((seen - pixels[0, 0]) / step).astype(int)
    inside = (at >= 0).all(-1) & (at[..., 0] < width) & (at[..., 1] < height)
    rows, cols = np.nonzero(inside)
    votes = np.zeros((height, width, 3))
    np.add.at(
        votes, (at[rows, cols, 1], at[rows, cols, 0]), np.stack([cols, rows, np.ones_like(rows)], 1).astype(float)
    )
    guess = np.zeros((height, width, 2))
    for sigma in (64.0, 16.0, 4.0, 1.5):
        blurred = cv2.GaussianBlur(votes, (0, 0), sigma)
        known = blurred[..., 2] > 1e-3 if sigma < 60 else np.ones((height, width), bool)
        guess[known] = blurred[known, :2] / np.maximum(blurred[known, 2:], 1e-12)
    return guess


def _scale(mm: FloatArray, step: int) -> FloatArray:
    """Photo pixels per mm at places ``step`` pixels apart whose points in mm are given."""
    along, down = np.gradient(mm, axis=1), np.gradient(mm, axis=0)
    area = np.abs(along[..., 0] * down[..., 1] - along[..., 1] * down[..., 0])
    return np.asarray(step / np.sqrt(np.maximum(area, 1e-3)), np.float64)


def _sample(texture: Field, mm: Field, texture_px_per_mm: float, px_per_mm: Field) -> Field:
    """Read a texture with as much smoothing as the photo's scale asks for: a blend of its halvings."""
    level = np.clip(np.log2(texture_px_per_mm / px_per_mm), 0, 2.999)[..., None]
    sampled = np.zeros((*mm.shape[:2], 3), np.float32)
    for depth in range(4):
        weight = np.clip(1 - np.abs(level - depth), 0, 1)
        if weight.any():
            index = mm * (texture_px_per_mm / 2**depth) - 0.5
            read = cv2.remap(texture, index, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            sampled += weight * read
        if depth < 3 and (level > depth).any():
            texture = cv2.resize(texture, (texture.shape[1] // 2, texture.shape[0] // 2), interpolation=cv2.INTER_AREA)
        else:
            break
    return sampled


def _edge(mm: Field, page_mm: tuple[float, float], px_per_mm: Field) -> Field:
    """How much of each pixel the page covers: 1 inside, 0 outside, a ramp of one pixel on its edge."""
    x, y = mm[..., 0], mm[..., 1]
    inside = np.minimum(np.minimum(x, page_mm[0] - x), np.minimum(y, page_mm[1] - y))
    return np.asarray(np.clip(inside * px_per_mm + 0.5, 0, 1), np.float32)


def draw_ground(
    camera: Camera, light: Light, texture: Field, texture_px_per_mm: float, shadow: Field, turn_deg: float
) -> Field:
    """The ground as the camera sees it, out to a hazy distance: a whole scene (H, W, 3)."""
    step = 8
    region = Region(0, 0, *camera.size)
    rays = camera.rays(region.coarse(step))
    reach = camera.centre[2] / np.maximum(-rays[..., 2], 0.02)
    plane = camera.centre + rays * reach[..., None]
    plane[..., 2] = 0
    position = region.dense(plane, step)
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    mm = position[..., :2] @ np.array([[c, s], [-s, c]], np.float32)
    scale = region.dense(_scale(plane[..., :2], step), step)
    middle = np.float32(texture.shape[0] / texture_px_per_mm / 2)
    index = (mm + middle) * np.float32(texture_px_per_mm)
    near = cv2.remap(texture, index, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    smooth = cv2.blur(texture, (9, 9))
    far = cv2.remap(smooth, index, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    share = np.clip(np.log2(texture_px_per_mm / np.maximum(scale, 1e-3)) / 3, 0, 1)[..., None]
    albedo = near * (1 - share) + far * share
    albedo += np.clip(1 - scale * 4, 0, 1)[..., None] * (texture.mean((0, 1)) * 0.7 - albedo)
    up = np.broadcast_to(np.array([0, 0, 1], np.float32), position.shape)
    return np.asarray(albedo * light.on(position, up, shadow) * (0.35 + 0.65 * shadow[..., None]), np.float32)
