"""What lies on a sheet: fallen leaves and dirt in the page's texture; thumbs and pins painted over the photo."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray
from poradek_vision.model import Rect, SheetSpec
from synth.camera import Camera
from synth.ground import leaf_outline
from synth.light import Light
from synth.look import Clutter
from synth.page import PageTexture, linear, shifted
from synth.paper import Surface
from synth.raster import region_of

Field = npt.NDArray[np.float32]
HIDE_PX_PER_MM = 2.0
_LEAVES = ((176, 112, 40), (150, 60, 30), (96, 120, 44), (200, 160, 60), (112, 74, 40), (60, 104, 50))
_PINS = ((200, 30, 40), (30, 80, 190), (240, 200, 40), (30, 140, 70), (235, 235, 235))


def litter_page(page: PageTexture, spec: SheetSpec, look: Clutter, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Drop leaves and dirt on the page; some leaves on fiducials; HIDE_PX_PER_MM px a mm of what they hide."""
    width, height = (round(side * HIDE_PX_PER_MM) for side in spec.page_mm)
    hidden = np.zeros((height, width), np.uint8)
    hide = rng.permutation(len(spec.fiducials))[: look.hidden_tags]
    spots = [_beside(spec, spec.fiducials[int(k)].square, rng) for k in hide]
    spots += [(place, rng.uniform(14, 34)) for place in _margin_places(spec, look.leaves, rng)]
    for centre, length in spots:
        outline = leaf_outline(rng, length) + centre
        _lay_leaf(page, outline, rng)
        cv2.fillPoly(hidden, [np.round((outline * HIDE_PX_PER_MM - 0.5) * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
    _dirty(page, look.dirt, rng)
    return hidden > 0


def _beside(spec: SheetSpec, tag: Rect, rng: np.random.Generator) -> tuple[FloatArray, float]:
    """A leaf over a fiducial, pushed away from the grid."""
    centre = np.array([tag.x + tag.w / 2, tag.y + tag.h / 2])
    away = centre - [spec.grid.x + spec.grid.w / 2, spec.grid.y + spec.grid.h / 2]
    return centre + 3 * np.sign(away) + rng.normal(0, 1, 2), rng.uniform(24, 30)


def _margin_places(spec: SheetSpec, count: int, rng: np.random.Generator) -> list[FloatArray]:
    """Places off the grid, its fiducials and its ruler."""
    g, off = spec.grid, 34.0
    places: list[FloatArray] = []
    for _ in range(40 * count):
        place = rng.uniform((0, 0), spec.page_mm)
        if len(places) < count and not (
            g.x - off < place[0] < g.x + g.w + off and g.y - off < place[1] < g.y + g.h + off
        ):
            places.append(place)
    return places


def _lay_leaf(page: PageTexture, outline_mm: FloatArray, rng: np.random.Generator) -> None:
    """A leaf in the page's texture, with a soft shadow and a midrib."""
    outline = outline_mm * page.px_per_mm - 0.5
    pad = int(4 * page.px_per_mm)
    height, width = page.albedo.shape[:2]
    left, top = np.maximum(np.floor(outline.min(0)).astype(int) - pad, 0)
    right, bottom = np.minimum(np.ceil(outline.max(0)).astype(int) + pad, (width, height))
    if right <= left or bottom <= top:
        return
    mask = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillPoly(mask, [np.round((outline - [left, top]) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    rib = np.zeros_like(mask)
    ends = np.round((np.stack([outline[0], outline[len(outline) // 2]]) - [left, top]) * 16).astype(np.int32)
    cv2.polylines(rib, [ends], False, 90, max(1, round(page.px_per_mm * 0.5)), cv2.LINE_AA, 4)
    alpha = mask.astype(np.float32)[..., None] / 255
    reach = round(1.2 * page.px_per_mm)
    shadow = cv2.GaussianBlur(shifted(alpha[..., 0], reach), (0, 0), max(1.0, float(reach)))
    patch = page.albedo[top:bottom, left:right]
    patch *= 1 - 0.5 * shadow[..., None]
    tone = linear(_LEAVES[int(rng.integers(len(_LEAVES)))]) * rng.uniform(0.6, 1.2)
    blotch = cv2.resize(
        rng.uniform(0.75, 1.2, (6, 6)).astype(np.float32), mask.shape[::-1], interpolation=cv2.INTER_CUBIC
    )
    face = tone.astype(np.float32) * blotch[..., None] * (1 + rib.astype(np.float32)[..., None] / 255)
    patch += alpha * (face - patch)
    page.material[top:bottom, left:right] *= 1 - alpha


def _dirty(page: PageTexture, amount: float, rng: np.random.Generator) -> None:
    """Specks of soil, drops of water that left a ring."""
    height, width = page.albedo.shape[:2]
    for _ in range(int(amount * 60)):
        x, y = rng.uniform((0, 0), (width, height))
        radius = rng.gamma(2.0, 0.28) * page.px_per_mm
        drop = rng.random() < 0.15
        half = int(radius * (6 if drop else 2)) + 3
        ys, xs = slice(max(0, int(y) - half), int(y) + half + 1), slice(max(0, int(x) - half), int(x) + half + 1)
        patch = page.albedo[ys, xs]
        yy, xx = np.mgrid[ys.start : ys.start + patch.shape[0], xs.start : xs.start + patch.shape[1]]
        away = np.hypot(xx - x, yy - y) / radius
        stain = 0.14 * np.exp(-((away - 3.5) ** 2) * 3) if drop else 0.7 * np.exp(-(away**2) * 2)
        patch *= 1 - (stain[..., None] * np.array([0.8, 0.95, 1.1])).astype(np.float32)


def paint_pins(
    scene: Field, camera: Camera, light: Light, surface: Surface, count: int, rng: np.random.Generator
) -> None:
    """Drawing pins near the page's corners."""
    width, height = surface.page_mm
    corners = np.array([(7, 7), (width - 7, 7), (width - 7, height - 7), (7, height - 7)], np.float64)
    for place in corners[:count] + rng.uniform(-3, 3, (4, 2))[:count]:
        centre, scale, shine = _spot(camera, light, surface, place)
        tone = linear(_PINS[int(rng.integers(len(_PINS)))]).astype(np.float32) * shine
        _ball(scene, centre + scale * np.array([1.0, 1.2]), scale * 4.4, None)
        _ball(scene, centre, scale * 3.8, tone)


def _spot(camera: Camera, light: Light, surface: Surface, place_mm: FloatArray) -> tuple[FloatArray, float, Field]:
    """Where a place of the page is in the photo, the photo's px per mm there, and the light that falls on it."""
    around = place_mm + np.array([[0, 0], [1, 0], [0, 1]])
    world = surface.at(around)
    seen = camera.project(world)
    scale = float(np.sqrt(np.abs(np.linalg.det(seen[1:] - seen[0]))))
    up = np.array([[[0, 0, 1]]], np.float32)
    return seen[0], scale, light.on(world[None, :1].astype(np.float32), up)[0, 0]


def _ball(scene: Field, centre: FloatArray, radius: float, tone: Field | None) -> None:
    """A shaded ball, or with no tone its soft shadow."""
    region = region_of(np.stack([centre - radius, centre + radius]), scene.shape[1::-1])
    if region is None:
        return
    y, x = np.mgrid[region.slices]
    away = np.hypot(x - centre[0], y - centre[1]) / radius
    patch = scene[region.slices]
    if tone is None:
        patch *= (1 - 0.55 * np.clip(1.2 - away, 0, 1))[..., None].astype(np.float32)
        return
    lit = np.sqrt(np.clip(1 - away**2, 0, 1)) * 0.7 + 0.3
    spark = np.exp(-(((x - centre[0] + 0.3 * radius) ** 2 + (y - centre[1] + 0.35 * radius) ** 2) / (0.05 * radius**2)))
    face = tone * lit[..., None].astype(np.float32) + (0.8 * spark[..., None] * float(tone.max())).astype(np.float32)
    patch += np.clip((1 - away) * radius + 0.5, 0, 1)[..., None].astype(np.float32) * (face - patch)


def paint_thumbs(
    scene: Field, camera: Camera, light: Light, surface: Surface, spec: SheetSpec, count: int, rng: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """Thumbs that hold the page by its margin. Returns what they hide, as large as the photo."""
    hidden = np.zeros(scene.shape[:2], bool)
    for _ in range(count):
        tip, outward = _grip(spec, rng)
        seen, scale, shine = _spot(camera, light, surface, tip)
        ahead = camera.project(surface.at((tip + outward)[None]))[0] - seen
        direction = ahead / max(float(np.hypot(*ahead)), 1e-6)
        tone = linear((222, 168, 138)).astype(np.float32) * np.float32(rng.uniform(0.45, 1.05)) * shine
        hidden |= _thumb(scene, seen, direction, scale * rng.uniform(8.5, 11), tone)
    return hidden


def _grip(spec: SheetSpec, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Where a thumb's tip lies on the page, in mm, and which way its hand is."""
    width, height = spec.page_mm
    room = spec.grid.x - 8
    depth, along = rng.uniform(6, max(8, min(26, room - 12))), rng.uniform(0.15, 0.9)
    side = int(rng.integers(3))
    place = [(depth, along * height), (width - depth, along * height), (along * width, height - depth)][side]
    outward = [(-1.0, 0.25), (1.0, 0.25), (0.1, 1.0)][side]
    return np.array(place), np.array(outward)


def _thumb(scene: Field, tip: FloatArray, direction: FloatArray, radius: float, tone: Field) -> npt.NDArray[np.bool_]:
    """A thumb as a capsule growing into a hand, with a nail and a shadow."""
    hidden = np.zeros(scene.shape[:2], bool)
    far = tip + direction * 60 * radius
    region = region_of(np.stack([tip, far]), (scene.shape[1], scene.shape[0]), pad=int(3 * radius))
    if region is None:
        return hidden
    y, x = (axis.astype(np.float32) for axis in np.mgrid[region.slices])
    base = tip + direction * radius
    along = (x - base[0]) * np.float32(direction[0]) + (y - base[1]) * np.float32(direction[1])
    beside = np.abs((y - base[1]) * np.float32(direction[0]) - (x - base[0]) * np.float32(direction[1]))
    reach = np.maximum(along, 0) / np.float32(radius)
    wide = np.float32(radius) * (
        1 + 0.08 * np.minimum(reach, 4) + 0.8 / (1 + np.exp(-(np.minimum(reach, 20) - 5) * 1.6))
    )
    away = np.hypot(beside, np.minimum(along, 0)) / wide
    shadow = cv2.GaussianBlur((away < 1.05).astype(np.float32), (0, 0), radius * 0.35)
    patch = scene[region.slices]
    patch *= (1 - 0.45 * shadow)[..., None]
    lit = 0.45 + 0.6 * np.sqrt(np.clip(1 - away**2, 0, 1))
    nail = np.clip((1 - np.hypot(beside / (0.62 * radius), (along - 0.15 * radius) / (0.8 * radius))) * 6, 0, 1)
    wrinkle = 1 - 0.12 * np.exp(-(((reach - 2.6) / 0.12) ** 2)) - 0.1 * np.exp(-(((reach - 3.0) / 0.1) ** 2))
    face = tone * (lit * wrinkle)[..., None] * (1 + nail[..., None] * np.array([0.18, 0.3, 0.35], np.float32))
    patch += np.clip((1 - away) * wide + 0.5, 0, 1)[..., None] * (face - patch)
    hidden[region.slices] = away < 1
    return hidden
