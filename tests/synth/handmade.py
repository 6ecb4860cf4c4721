"""Boards ruled by hand, with exact truth: pens, papers, wobble, stickers over the lines, a mark near the grid.

Frames: *page* mm, origin its top-left corner, and photo px. ``page = flat + bend(flat)``, ``flat`` being what a
homography makes of the photo: that is all the camera and the paper's curl there is here, enough for finding lines.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray, fit_homography, project
from synth.ground import SIDE_PX, Picture, paint_ground
from synth.hand_page import PX_PER_MM, HandLook, draw_page
from synth.look import GROUNDS


@dataclass(frozen=True, slots=True, eq=False)
class HandShot:
    """A photo (H, W, 3) uint8 RGB, its crossings (size+1, size+1, 2) px and the rows of colours."""

    pixels: Picture
    crossings: FloatArray
    rows: list[str]


_PAPERS = ("white", "cream", "recycled", "kraft")


def random_hand_look(seed: int, hard: float) -> HandLook:
    """A look drawn at random; ``hard`` from 0 (easy) to 1."""
    rng = np.random.default_rng(seed)
    size = int(rng.choice([3, 4, 5, 6, 8, 12]))
    cell = rng.uniform(22, 38) * (0.5 if size > 6 else 1.0)
    tool = rng.choice(["pencil", "pen", "marker"])
    pen = {"pencil": 0.5, "pen": 0.6, "marker": rng.uniform(1.2, 2.4)}[tool]
    return HandLook(
        size=size, cell_mm=cell, pen_mm=min(pen, cell / 10),
        ink="grey" if tool == "pencil" else str(rng.choice(["black", "blue", "red", "green"])),
        paper=str(rng.choice(_PAPERS)), kind=str(rng.choice(["plain", "squared", "lined"])),  # type: ignore[arg-type]
        wobble=rng.uniform(0.003, 0.008 + 0.015 * hard), uneven=rng.uniform(0, 0.015 + 0.02 * hard),
        fill=rng.uniform(0.2, 0.95), sticker=rng.uniform(0.6, 0.8 + 0.1 * hard),
        off_centre=rng.uniform(0.02, 0.05 + 0.07 * hard), turn_deg=rng.uniform(2, 6 + 14 * hard),
        round_share=float(rng.choice([0.0, 0.5, 1.0])), mark=str(rng.choice(list("ABCDEFG12345"))),
        underline=bool(rng.random() < 0.4), ground=GROUNDS[rng.integers(len(GROUNDS))],
        tilt=rng.uniform(0, 0.12 + 0.35 * hard),
        roll_deg=rng.uniform(-180, 180) if rng.random() < 0.2 else rng.normal(0, 8),
        zoom=rng.uniform(0.5, 0.9), bend=rng.uniform(0, 0.01 + 0.03 * hard), shade=rng.uniform(0.35, 1),
        tint=tuple(np.exp(rng.normal(0, 0.04 + 0.08 * hard, 3))), noise=rng.uniform(1, 3 + 6 * hard),
        blur_px=rng.uniform(0.5, 1 + hard),
    )  # fmt: skip


def shoot_hand_made(look: HandLook, seed: int) -> HandShot:
    """The photo of a hand-made board on a ground."""
    rng = np.random.default_rng(seed)
    page, crossings_mm, rows = draw_page(look, rng)
    view = _View(look, np.array(page.shape[1::-1]) / PX_PER_MM, rng)
    return HandShot(_photograph(page, view, look, rng), view.seen(crossings_mm), rows)


def random_pair(seed: int, hard: float) -> tuple[HandLook, HandLook]:
    """Looks of two boards that one hand ruled on one sheet, each of its own size and with its own team's mark."""
    rng = np.random.default_rng([seed, 606])
    look = replace(random_hand_look(seed, hard), kind="plain", pen_mm=1.0, zoom=rng.uniform(0.7, 0.95))
    cells = rng.uniform(20, 32, 2) if rng.random() < 0.5 else np.full(2, rng.uniform(20, 32))
    marks = rng.permutation(list("ABCDEFG12345"))[:2]
    one, other = (
        replace(
            look, size=int(rng.choice([3, 4, 5, 6])), cell_mm=float(cell), mark=str(mark), pen_mm=min(look.pen_mm, 2)
        )
        for cell, mark in zip(cells, marks, strict=True)
    )
    return one, other


def shoot_pair(looks: tuple[HandLook, HandLook], seed: int) -> tuple[HandShot, HandShot]:
    """The photo of two boards on one sheet, beside each other or one below the other, as taken of each."""
    rng = np.random.default_rng(seed)
    drawn = [draw_page(look, rng) for look in looks]
    axis = int(rng.integers(2))
    across = max(page.shape[1 - axis] for page, *_ in drawn)
    halves, shifts = [], []
    for page, *_ in drawn:
        more = [(0, across - side) if k == 1 - axis else (0, 0) for k, side in enumerate(page.shape[:2])]
        shifts.append(sum(half.shape[axis] for half in halves) / PX_PER_MM * np.eye(2)[1 - axis])
        halves.append(np.pad(page, [*more, (0, 0)], mode="edge"))
    page = np.concatenate(halves, axis)
    wide = page.shape[1] > page.shape[0]
    look = replace(looks[0], photo_px=(2700, 2000) if wide else (2000, 2700))
    view = _View(look, np.array(page.shape[1::-1]) / PX_PER_MM, rng)
    pixels = _photograph(page, view, look, rng)
    first, second = (
        HandShot(pixels, view.seen(crossings + shift), rows)
        for (_, crossings, rows), shift in zip(drawn, shifts, strict=True)
    )
    return first, second


def bent_view(page: Picture, look: HandLook, rng: np.random.Generator) -> Picture:
    """The photo of any flat picture, taken as PX_PER_MM, as the look's camera sees it."""
    return _photograph(page, _View(look, np.array(page.shape[1::-1]) / PX_PER_MM, rng), look, rng)


class _View:
    """The camera and the paper's bend: page mm from photo px and back."""

    def __init__(self, look: HandLook, page_mm: FloatArray, rng: np.random.Generator) -> None:
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * page_mm
        roll, way = np.radians(look.roll_deg), rng.uniform(0, 2 * np.pi)
        turned = (corners - page_mm / 2) @ np.array([[np.cos(roll), np.sin(roll)], [-np.sin(roll), np.cos(roll)]])
        lean = turned @ np.array([np.cos(way), np.sin(way)])
        seen = turned - np.outer(lean, [np.cos(way), np.sin(way)]) * look.tilt * 0.5
        seen = seen / (1 + lean / np.hypot(*page_mm) * 2 * look.tilt)[:, None]
        seen -= (seen.min(0) + seen.max(0)) / 2
        seen *= look.zoom * (np.array(look.photo_px) / np.ptp(seen, axis=0)).min()
        self.flat_from_photo = fit_homography(seen + np.array(look.photo_px) / 2, corners)
        self.page_mm = page_mm
        self.bend_mm, self.phase = look.bend * page_mm.max(), rng.uniform(0, 6, 2)
        self.waves = rng.uniform(0.7, 1.6, 2) * 2 * np.pi / page_mm.max()

    def bend(self, flat: FloatArray) -> FloatArray:
        """Page minus flat point, mm."""
        return self.bend_mm * np.sin(flat[..., ::-1] * self.waves + self.phase)

    def page(self, photo: FloatArray) -> FloatArray:
        """Page mm of photo px."""
        flat = project(self.flat_from_photo, photo)
        return flat + self.bend(flat)

    def seen(self, page: FloatArray) -> FloatArray:
        """Photo px of page mm; the bend is inverted by iteration."""
        flat = page
        for _ in range(12):
            flat = page - self.bend(flat)
        return project(np.linalg.inv(self.flat_from_photo), flat)


def _photograph(page: Picture, view: _View, look: HandLook, rng: np.random.Generator) -> Picture:
    """The page on its ground, lit and developed."""
    width, height = look.photo_px
    mm = view.page(np.stack(np.meshgrid(np.arange(width), np.arange(height)), -1).astype(np.float64)).astype(np.float32)
    on_page = np.all((mm >= 0) & (mm < view.page_mm), axis=-1)
    sheet = cv2.remap(page, mm * PX_PER_MM - 0.5, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    ground = np.clip(paint_ground(look.ground, rng) ** (1 / 2.2) * 255, 0, 255).astype(np.uint8)
    under = cv2.remap(ground, (mm * 1.7) % SIDE_PX, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    return _develop(np.where(on_page[..., None], sheet, under).astype(np.float32), look, rng)


def _develop(scene: npt.NDArray[np.float32], look: HandLook, rng: np.random.Generator) -> Picture:
    """Light, blur, noise and JPEG."""
    height, width = scene.shape[:2]
    coarse = rng.uniform(0, 1, (6, 5)).astype(np.float32)
    field = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    shadow = look.shade + (1 - look.shade) / (1 + np.exp(-(field - 0.5) * 25))
    lit = scene * (shadow[..., None] * np.asarray(look.tint, np.float32))
    lit = cv2.GaussianBlur(lit, (0, 0), look.blur_px) + rng.normal(0, look.noise, scene.shape).astype(np.float32)
    coded = cv2.imencode(".jpg", np.clip(lit, 0, 255).astype(np.uint8)[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 88])[1]
    return np.ascontiguousarray(cv2.imdecode(coded, cv2.IMREAD_COLOR)[..., ::-1])
