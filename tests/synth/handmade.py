"""Boards ruled by hand, with exact truth: pens, papers, wobble, stickers over the lines, a mark near the grid.

Frames: *page* mm, origin its top-left corner, and photo px. ``page = flat + bend(flat)``, ``flat`` being what a
homography makes of the photo: that is all the camera and the paper's curl there is here, enough for finding lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray, fit_homography, project
from synth.board import make_rows
from synth.glyphs import strokes
from synth.ground import SIDE_PX, Picture, paint_ground
from synth.look import GROUNDS, GroundKind

PageKind = Literal["plain", "squared", "lined"]
PAPERS = {"white": (250, 250, 247), "cream": (246, 240, 222), "recycled": (214, 207, 192), "kraft": (186, 148, 106)}
INKS = {
    "black": (35, 33, 36),
    "blue": (38, 52, 140),
    "red": (196, 40, 44),
    "green": (34, 110, 62),
    "grey": (118, 116, 118),
}
STICKERS = {"R": (200, 32, 42), "Y": (244, 205, 40), "G": (42, 148, 74), "B": (34, 84, 172)}
PX_PER_MM = 5.0


@dataclass(frozen=True, slots=True)
class HandLook:
    """How one hand-made board looks; lengths in mm, shares of a cell where named so."""

    size: int = 5
    cell_mm: float = 25.0
    pen_mm: float = 1.0
    ink: str = "black"
    paper: str = "white"
    kind: PageKind = "plain"
    wobble: float = 0.01
    uneven: float = 0.02
    fill: float = 0.6
    sticker: float = 0.75
    off_centre: float = 0.06
    turn_deg: float = 8.0
    round_share: float = 0.4
    mark: str = "A"
    underline: bool = False
    ground: GroundKind = "planks"
    tilt: float = 0.2
    roll_deg: float = 10.0
    zoom: float = 0.6
    bend: float = 0.0
    shade: float = 0.5
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    noise: float = 3.0
    blur_px: float = 0.8
    photo_px: tuple[int, int] = (1500, 2000)


@dataclass(frozen=True, slots=True, eq=False)
class HandShot:
    """A photo (H, W, 3) uint8 RGB, its crossings (size+1, size+1, 2) px and the rows of colours."""

    pixels: Picture
    crossings: FloatArray
    rows: list[str]


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
        paper=str(rng.choice(list(PAPERS))), kind=str(rng.choice(["plain", "squared", "lined"])),  # type: ignore[arg-type]
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


def bent_view(page: Picture, look: HandLook, rng: np.random.Generator) -> Picture:
    """The photo of any flat picture, taken as PX_PER_MM, as the look's camera sees it."""
    return _photograph(page, _View(look, np.array(page.shape[1::-1]) / PX_PER_MM, rng), look, rng)


def draw_page(look: HandLook, rng: np.random.Generator) -> tuple[Picture, FloatArray, list[str]]:
    """The page at PX_PER_MM, its crossings (size+1, size+1, 2) in mm, and the rows of colours."""
    side = look.size * look.cell_mm
    left, top = rng.uniform(12, 40), rng.uniform(38, 60)
    page_mm = (side + left + rng.uniform(12, 40), side + top + rng.uniform(12, 60))
    page = np.empty((round(page_mm[1] * PX_PER_MM), round(page_mm[0] * PX_PER_MM), 3), np.uint8)
    page[:] = PAPERS[look.paper]
    _rule_paper(page, look.kind, rng)
    lines = np.arange(look.size + 1.0)
    crossings = np.stack(np.meshgrid(lines, lines), -1)
    crossings[..., 0] += rng.normal(0, look.uneven, look.size + 1)[None, :]
    crossings[..., 1] += rng.normal(0, look.uneven, look.size + 1)[:, None]
    crossings += rng.normal(0, look.wobble, crossings.shape)
    crossings = crossings * look.cell_mm + [left, top]
    for line in (*crossings, *crossings.transpose(1, 0, 2)):
        _draw(page, _wobbly(line, look, rng), look.pen_mm, INKS[look.ink])
    rows = make_rows(rng, look.size, look.size, "RYGB", look.fill)
    for i, row in enumerate(rows):
        for j, colour in enumerate(row):
            if colour != ".":
                _stick(page, crossings[i : i + 2, j : j + 2].mean((0, 1)), STICKERS[colour], look, rng)
    _write_mark(page, look, np.array([left + side * rng.uniform(0.2, 0.8), top - 18]), rng)
    return page, crossings, rows


def _rule_paper(page: Picture, kind: PageKind, rng: np.random.Generator) -> None:
    """Print the lines of squared or lined paper."""
    height, width = np.array(page.shape[:2]) / PX_PER_MM
    tone = tuple(int(v) for v in page[0, 0] * np.array([0.86, 0.9, 0.95]))
    pitch, start = (5.0 if kind == "squared" else 8.0), rng.uniform(0, 5)
    if kind != "plain":
        for y in np.arange(start, height, pitch):
            _draw(page, np.array([[0, y], [width, y]]), 0.25, tone)
    if kind == "squared":
        for x in np.arange(start, width, pitch):
            _draw(page, np.array([[x, 0], [x, height]]), 0.25, tone)


def _wobbly(line: FloatArray, look: HandLook, rng: np.random.Generator) -> FloatArray:
    """A line through crossings as a hand draws it, a little beyond its ends, (N, 2) mm."""
    t = np.linspace(0, len(line) - 1, 8 * (len(line) - 1) + 1)
    points = np.stack([np.interp(t, np.arange(len(line)), line[:, k]) for k in (0, 1)], 1)
    points[1:-1] += cv2.GaussianBlur(rng.normal(0, look.wobble * look.cell_mm, points.shape), (1, 9), 2)[1:-1]
    ends = rng.uniform(-0.3, 1.2, 2)[:, None] * (points[[0, -1]] - points[[2, -3]]) / look.cell_mm
    return np.concatenate([points[:1] + ends[:1], points, points[-1:] + ends[1:]])


def _draw(page: Picture, points_mm: FloatArray, width_mm: float, colour: tuple[int, ...]) -> None:
    """Draw a polyline, anti-aliased; lines thinner than a pixel come out fainter."""
    width = width_mm * PX_PER_MM
    before = page.copy() if width < 1.5 else page
    cv2.polylines(
        page, [np.int32((points_mm * PX_PER_MM - 0.5) * 16)], False, colour, max(1, round(width)), cv2.LINE_AA, 4
    )
    if width < 1.5:
        page[:] = cv2.addWeighted(page, min(width, 1.0), before, 1 - min(width, 1.0), 0)


def _stick(
    page: Picture, centre: FloatArray, colour: tuple[int, int, int], look: HandLook, rng: np.random.Generator
) -> None:
    """Stick one sticker."""
    half = look.sticker * look.cell_mm / 2
    turn = np.radians(rng.normal(0, look.turn_deg))
    if rng.random() < look.round_share:
        angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        outline = np.stack([np.cos(angle), np.sin(angle)], 1) * half
    else:
        outline = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    outline = outline @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    outline += centre + rng.normal(0, look.off_centre * look.cell_mm, 2)
    shade = tuple(int(np.clip(v * rng.uniform(0.92, 1.05), 0, 255)) for v in colour)
    cv2.fillPoly(page, [np.int32((outline * PX_PER_MM - 0.5) * 16)], shade, cv2.LINE_AA, 4)


def _write_mark(page: Picture, look: HandLook, centre: FloatArray, rng: np.random.Generator) -> None:
    """Write the team's mark, perhaps underlined."""
    for stroke in strokes(look.mark, rng):
        _draw(page, centre + stroke * 18, max(look.pen_mm, 1.0), INKS[look.ink])
    if look.underline:
        _draw(page, centre + np.array([[-12, 12.0], [12, 12.5]]), max(look.pen_mm, 1.0), INKS[look.ink])


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
