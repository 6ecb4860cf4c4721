"""A hand-made board as a sheet of a scene: its page's shape, where its crossings are, its face as a texture."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import cv2
import numpy as np

from poradek_vision.geometry import FloatArray
from poradek_vision.model import SheetSpec
from synth.board import Sticker
from synth.ground import Picture
from synth.hand_page import PX_PER_MM, HandLook, rule_page, write_mark
from synth.look import StickerLook
from synth.page import PageTexture, linear, stick


@dataclass(frozen=True, slots=True)
class HandSheet:
    """A page ruled by hand; of the look only what is drawn on the page counts, the rest is the scene's."""

    look: HandLook
    seed: int

    @property
    def spec(self) -> SheetSpec:
        """The page in the shape of a printed sheet without anything printed on it."""
        page, _, origin_mm = _ruled(self)
        width, height = (side / PX_PER_MM for side in page.shape[1::-1])
        size = self.look.size
        return SheetSpec("team", None, size, size, 0, self.look.cell_mm, (width, height), origin_mm, (), ())

    @property
    def crossings_mm(self) -> FloatArray:
        """Where the lines cross, (size+1, size+1, 2), mm from the page's top left."""
        return _ruled(self)[1]

    def paint(
        self, stickers: list[Sticker], look: StickerLook, px_per_mm: float, rng: np.random.Generator
    ) -> PageTexture:
        """The page's face with stickers on it."""
        page, _, origin_mm = _ruled(self)
        scale = px_per_mm / PX_PER_MM
        face = linear(np.arange(256)).astype(np.float32)[page]
        face = cv2.resize(
            face, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        )
        texture = PageTexture(_WHITE * _mottled(face, rng), np.zeros_like(face), px_per_mm)
        colours = {code: linear(pigment).astype(np.float32) for code, pigment in look.pigments}
        for sticker in stickers:
            stick(texture, sticker, origin_mm, self.look.cell_mm, colours[sticker.colour], look, rng)
        return texture


_WHITE = np.float32(0.85)
"""What white paper reflects."""


@functools.lru_cache(maxsize=16)
def _ruled(sheet: HandSheet) -> tuple[Picture, FloatArray, tuple[float, float]]:
    """The page with its mark, without stickers: drawn once though asked for its shape, its crossings and its face."""
    rng = np.random.default_rng([sheet.seed, 808])
    page, crossings, (left, top) = rule_page(sheet.look, rng)
    write_mark(page, sheet.look, left, top, rng)
    return page, crossings, (left, top)


def _mottled(face: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A face with the clouds and the fibres that cheap paper has."""
    height, width = face.shape[:2]
    clouds = cv2.resize(rng.normal(1, 0.015, (height // 40 + 2, width // 40 + 2)).astype(np.float32), (width, height))
    fibres = cv2.GaussianBlur(rng.normal(0, 0.05, (height, width)).astype(np.float32), (9, 1), 1.5)
    return np.asarray(face * (clouds + fibres)[..., None], np.float32)
