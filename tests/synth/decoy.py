"""Photos without a board: things made of squares that a finder might take for one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray
from synth.camera import aim
from synth.develop import develop
from synth.ground import SIDE_MM, SIDE_PX, paint_ground
from synth.light import set_up
from synth.look import Difficulty, Look, random_look
from synth.page import PageTexture, linear
from synth.paper import Surface, shape_page
from synth.raster import draw_ground, draw_page
from synth.scene import Shot
from synth.shadow import cast

DecoyKind = Literal["ground", "tiles", "keyboard", "window", "squared paper", "chessboard"]
_PX_PER_MM = 4.0
_SIZE_MM = (300.0, 300.0)
Picture = npt.NDArray[np.uint8]


def make_decoy(seed: int, kind: DecoyKind, difficulty: Difficulty = "easy", look: Look | None = None) -> Shot:
    """A photo of something that is no board; the truth holds no boards."""
    rng = np.random.default_rng([seed, 707])
    look = look or random_look(seed, difficulty)
    look = replace(look, paper=replace(look.paper, bend_deg=0.0, folds=(), crumple_mm=0.0))
    surface = shape_page(_SIZE_MM, look.paper, (0.0, 0.0, 0.0), rng)
    camera = aim(replace(look.view, tilt_deg=min(look.view.tilt_deg, 40.0)), surface.at(_square(_SIZE_MM)))
    light = set_up(look.light, np.zeros(3), camera.centre, rng)
    things: list[Surface] = [] if kind == "ground" else [surface]
    texture = paint_ground(look.clutter.ground, rng)
    scene = draw_ground(camera, light, texture, SIDE_PX / SIDE_MM, cast(things, camera, light), 0.0)
    if kind != "ground":
        face = linear(np.arange(256)).astype(np.float32)[_PAINTERS[kind](rng)]
        draw_page(scene, camera, light, surface, PageTexture(face, np.zeros_like(face), _PX_PER_MM))
    white = scene.reshape(-1, 3)[::97].mean(0) * 2.5
    return Shot(develop(scene, look.develop, white, 60.0, rng), (), look, seed)


def _square(size_mm: tuple[float, float]) -> FloatArray:
    """A page's corners."""
    width, height = size_mm
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)


def _blank(tone: tuple[int, int, int]) -> Picture:
    """A surface of one colour."""
    return np.full((round(_SIZE_MM[1] * _PX_PER_MM), round(_SIZE_MM[0] * _PX_PER_MM), 3), tone, np.uint8)


def _cells(rng: np.random.Generator, count: int, gap: int, tones: npt.ArrayLike, back: tuple[int, int, int]) -> Picture:
    """A grid of ``count`` squares a side, in colours drawn from ``tones``."""
    picture, palette = _blank(back), np.asarray(tones, np.float64)
    side = len(picture) // count
    for row in range(count):
        for col in range(count):
            tone = palette[rng.integers(len(palette))] * rng.uniform(0.94, 1.04)
            top, left = row * side + gap, col * side + gap
            picture[top : top + side - 2 * gap, left : left + side - 2 * gap] = np.clip(tone, 0, 255)
    return picture


def _tiles(rng: np.random.Generator) -> Picture:
    """Bathroom tiles, some coloured."""
    tones = [[222, 222, 214]] * 6 + [[60, 110, 170], [190, 60, 50], [230, 200, 80], [60, 140, 80]]
    return _cells(rng, int(rng.integers(4, 9)), 4, tones, (150, 146, 140))


def _keyboard(rng: np.random.Generator) -> Picture:
    """Keys with letters, every row shifted."""
    picture = _blank((40, 42, 46))
    for row in range(6):
        for col in range(12):
            left, top = col * 96 + row % 3 * 30, row * 190 + 20
            cv2.rectangle(picture, (left + 6, top), (left + 90, top + 160), (24, 24, 28), -1)
            cv2.putText(picture, chr(65 + int(rng.integers(26))), (left + 26, top + 90), 0, 1.6, (230, 230, 230), 3)
    return picture


def _window(rng: np.random.Generator) -> Picture:
    """A window's panes with a blurred garden behind them."""
    picture = _cells(rng, int(rng.integers(3, 5)), 14, [[96, 140, 90], [150, 180, 210], [70, 110, 60]], (236, 234, 228))
    cloud = cv2.resize(rng.uniform(0.7, 1.2, (9, 9, 1)).astype(np.float32), picture.shape[1::-1])
    return np.clip(picture * cloud[..., None], 0, 255).astype(np.uint8)


def _squared_paper(rng: np.random.Generator) -> Picture:
    """A sheet from an exercise book with 5-mm squares and some writing."""
    picture = _blank((236, 236, 230))
    step = round(5 * _PX_PER_MM)
    picture[::step] = picture[:, ::step] = (150, 170, 205)
    for _ in range(30):
        at = tuple(int(v) for v in rng.integers(60, 1100, 2))
        cv2.putText(picture, chr(65 + int(rng.integers(26))), at, 0, 1.4, (40, 50, 130), 3)
    return picture


def _chessboard(rng: np.random.Generator) -> Picture:
    """A chessboard with draughtsmen."""
    picture = _blank((226, 200, 160))
    side = len(picture) // 8
    for row in range(8):
        for col in range(8):
            if (row + col) % 2:
                picture[row * side : (row + 1) * side, col * side : (col + 1) * side] = (110, 66, 36)
            if rng.random() < 0.3:
                tone = ((30, 30, 32), (236, 226, 206))[int(rng.integers(2))]
                cv2.circle(picture, (col * side + side // 2, row * side + side // 2), side // 3, tone, -1, cv2.LINE_AA)
    return picture


_PAINTERS: dict[DecoyKind, Callable[[np.random.Generator], Picture]] = {
    "tiles": _tiles,
    "keyboard": _keyboard,
    "window": _window,
    "squared paper": _squared_paper,
    "chessboard": _chessboard,
}
