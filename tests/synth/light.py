"""Light that falls on a place, and what a glossy sticker mirrors of it. Linear light, paper-white units."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray
from synth.ground import leaf_outline
from synth.look import LightLook

Field = npt.NDArray[np.float32]
SHADE_PX, SHADE_MM = 1100, 2200.0
_POINT_KINDS = ("lamp", "flash")


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """A look's light set up over a scene: where it stands, and the pattern of shade it throws on the ground."""

    look: LightLook
    centre: FloatArray
    place: FloatArray
    colour: Field
    ambient: Field
    pattern: Field

    def towards(self, position: Field) -> tuple[Field, Field]:
        """Unit vectors to the sun or lamp, (h, w, 3), and its strength there, (h, w)."""
        if self.look.kind not in _POINT_KINDS:
            sun = (self.place / np.linalg.norm(self.place)).astype(np.float32)
            return np.broadcast_to(sun, position.shape), np.full(position.shape[:2], self.look.strength, np.float32)
        away = self.place.astype(np.float32) - position
        distance = np.sqrt(dot(away, away))
        usual = np.linalg.norm(self.place - self.centre)
        return away / distance[..., None], (self.look.strength * (usual / distance) ** 2).astype(np.float32)

    def visible(self, position: Field) -> Field:
        """How much of the sun reaches a place through the leaves, 0–1."""
        if self.look.kind not in ("dapple", "half sun"):
            return np.ones(position.shape[:2], np.float32)
        slide = (self.place[:2] / self.place[2]).astype(np.float32)
        ground = position[..., :2] - position[..., 2:] * slide - self.centre[:2].astype(np.float32)
        index = ground * (SHADE_PX / SHADE_MM) + SHADE_PX / 2
        return np.asarray(
            cv2.remap(
                self.pattern,
                np.ascontiguousarray(index, np.float32),
                None,
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REFLECT,
            ),
            np.float32,
        )

    def on(self, position: Field, normal: Field, shadow: Field | float = 1.0) -> Field:
        """Light on a surface, (h, w, 3); ``shadow`` 0–1 is what objects near by leave of the sun."""
        to_light, strength = self.towards(position)
        direct = np.maximum(dot(normal, to_light), 0) * strength * self.visible(position) * shadow
        drift = 1 + 0.12 * np.tanh((position[..., 0] - self.centre[0]) / 300) * np.float32(
            np.cos(np.radians(self.look.azimuth_deg))
        )
        soft = (0.62 + 0.38 * normal[..., 2]) * drift
        return np.asarray(direct[..., None] * self.colour + soft[..., None] * self.ambient, np.float32)

    def mirrored(self, position: Field, normal: Field, material: Field, eye: FloatArray) -> Field:
        """What glossy places mirror, (h, w, 3); ``material`` is gloss and the surface's own tilt."""
        gloss = material[..., 0]
        facet = normal + np.concatenate([material[..., 1:], np.zeros_like(material[..., :1])], -1)
        facet = unit(facet)
        to_eye = unit(eye.astype(np.float32) - position)
        to_light, strength = self.towards(position)
        shine = np.maximum(dot(facet, unit(to_light + to_eye)), 0) ** (30 + 220 * gloss)
        glance = 0.04 + 0.96 * (1 - np.clip(dot(facet, to_eye), 0, 1)) ** 5
        sun = (gloss * shine * strength * 1.6 * self.visible(position))[..., None] * self.colour
        return np.asarray(sun + (gloss * glance * 0.9)[..., None] * self.ambient, np.float32)


def dot(a: Field, b: Field) -> Field:
    """Scalar products along a last axis of 3; many times faster than a sum over it."""
    return np.asarray(a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2], np.float32)


def unit(vectors: Field) -> Field:
    """Vectors of length one."""
    return np.asarray(vectors / np.sqrt(np.maximum(dot(vectors, vectors), 1e-12))[..., None], np.float32)


def set_up(look: LightLook, centre: FloatArray, eye: FloatArray, rng: np.random.Generator) -> Light:
    """Place the light over a scene centred at ``centre`` and seen from ``eye``."""
    azimuth, elevation = np.radians([look.azimuth_deg, look.elevation_deg])
    direction = np.array([np.cos(azimuth) * np.cos(elevation), np.sin(azimuth) * np.cos(elevation), np.sin(elevation)])
    place = {"lamp": centre + direction * rng.uniform(350, 800), "flash": eye + np.array([14.0, 6.0, 0.0])}.get(
        look.kind, direction
    )
    colour = np.array([1.0, 1 - 0.32 * look.warmth, 1 - 0.68 * look.warmth], np.float32)
    pattern = np.ones((1, 1), np.float32)
    if look.kind == "dapple":
        pattern = _dapple(look, rng)
    elif look.kind == "half sun":
        pattern = _edge(look, rng)
    return Light(look, centre, place, colour, np.array(look.ambient, np.float32), pattern)


def _dapple(look: LightLook, rng: np.random.Generator) -> Field:
    """Sun through leaves: near ones sharp, far ones soft."""
    scale = SHADE_PX / SHADE_MM
    pattern = np.ones((SHADE_PX, SHADE_PX), np.float32)
    for softness, share in ((1.0, 0.5), (3.0, 0.35)):
        layer = np.full((SHADE_PX, SHADE_PX), 255, np.uint8)
        size = look.dapple_mm * scale * (1 if softness == 1 else 1.8)
        for _ in range(int(share * SHADE_PX**2 / (0.4 * size**2))):
            outline = leaf_outline(rng, size * rng.uniform(0.6, 1.7)) + rng.uniform(0, SHADE_PX, 2)
            cv2.fillPoly(layer, [np.round(outline * 16).astype(np.int32)], 0, cv2.LINE_AA, 4)
        blur = max(0.6, look.softness_mm * softness * scale)
        pattern *= cv2.GaussianBlur(layer.astype(np.float32) / 255, (0, 0), blur)
    return pattern


def _edge(look: LightLook, rng: np.random.Generator) -> Field:
    """One shade edge across the scene, as of a roof or a trunk."""
    angle, at = rng.uniform(0, 2 * np.pi), rng.uniform(-50, 50)
    x, y = np.meshgrid(*(2 * [(np.arange(SHADE_PX) - SHADE_PX / 2) * SHADE_MM / SHADE_PX]))
    away = (
        x * np.cos(angle)
        + y * np.sin(angle)
        - at
        + 12 * np.sin((y * np.cos(angle) - x * np.sin(angle)) / rng.uniform(60, 300))
    )
    return np.asarray(1 / (1 + np.exp(-np.clip(away / look.softness_mm * 1.7, -40, 40))), np.float32)
