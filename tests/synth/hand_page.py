"""A page ruled by hand: pens, papers, wobble, a mark near the grid, stickers over the lines; mm from its top left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from poradek_vision.geometry import FloatArray
from synth.board import make_rows
from synth.glyphs import strokes
from synth.ground import Picture
from synth.look import GroundKind

PageKind = Literal["plain", "squared", "lined"]
PAPERS = {
    "white": (250, 250, 247),
    "cream": (246, 240, 222),
    "recycled": (214, 207, 192),
    "kraft": (186, 148, 106),
    "dark kraft": (158, 118, 78),
    "cardboard": (196, 162, 120),
    "newsprint": (206, 203, 194),
    "grey": (176, 177, 176),
}
"""sRGB of papers against white of 255."""
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
    pressure: float = 0.0
    """How much of the pen's ink may be missing in places."""
    ground: GroundKind | str = "planks"
    tilt: float = 0.2
    roll_deg: float = 10.0
    zoom: float = 0.6
    bend: float = 0.0
    shade: float = 0.5
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    noise: float = 3.0
    blur_px: float = 0.8
    photo_px: tuple[int, int] = (1500, 2000)


def draw_page(look: HandLook, rng: np.random.Generator) -> tuple[Picture, FloatArray, list[str]]:
    """The page with its stickers at PX_PER_MM, its crossings (size+1, size+1, 2) in mm, and the rows of colours."""
    page, crossings, (left, top) = rule_page(look, rng)
    rows = make_rows(rng, look.size, look.size, "RYGB", look.fill)
    for i, row in enumerate(rows):
        for j, colour in enumerate(row):
            if colour != ".":
                _stick(page, crossings[i : i + 2, j : j + 2].mean((0, 1)), STICKERS[colour], look, rng)
    write_mark(page, look, left, top, rng)
    return page, crossings, rows


def rule_page(look: HandLook, rng: np.random.Generator) -> tuple[Picture, FloatArray, tuple[float, float]]:
    """The page with its grid alone at PX_PER_MM, its crossings (size+1, size+1, 2) and where they begin, in mm."""
    side = look.size * look.cell_mm
    left, top = rng.uniform(12, 40), rng.uniform(38, 60)
    page_mm = (side + left + rng.uniform(12, 40), side + top + rng.uniform(12, 60))
    page = np.empty((round(page_mm[1] * PX_PER_MM), round(page_mm[0] * PX_PER_MM), 3), np.uint8)
    page[:] = PAPERS[look.paper]
    _rule_paper(page, look.kind, rng)
    blank = page.copy()
    lines = np.arange(look.size + 1.0)
    crossings = np.stack(np.meshgrid(lines, lines), -1)
    crossings[..., 0] += rng.normal(0, look.uneven, look.size + 1)[None, :]
    crossings[..., 1] += rng.normal(0, look.uneven, look.size + 1)[:, None]
    crossings += rng.normal(0, look.wobble, crossings.shape)
    crossings = crossings * look.cell_mm + [left, top]
    for line in (*crossings, *crossings.transpose(1, 0, 2)):
        _draw(page, _wobbly(line, look, rng), look.pen_mm, INKS[look.ink])
    return _faint(page, blank, look.pressure, rng), crossings, (left, top)


def _faint(page: Picture, blank: Picture, pressure: float, rng: np.random.Generator) -> Picture:
    """The page with its lines fainter in places, as a pencil or a dry marker leaves them."""
    if not pressure:
        return page
    height, width = page.shape[:2]
    coarse = rng.uniform(0, 1, (height // 60 + 2, width // 60 + 2)).astype(np.float32)
    left = 1 - pressure * cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)[..., None]
    return np.asarray(blank + left * (page.astype(np.float32) - blank) + 0.5, np.uint8)


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


def write_mark(page: Picture, look: HandLook, left: float, top: float, rng: np.random.Generator) -> None:
    """Write the team's mark above the grid, perhaps underlined."""
    centre = np.array([left + look.size * look.cell_mm * rng.uniform(0.2, 0.8), top - 18])
    for stroke in strokes(look.mark, rng):
        _draw(page, centre + stroke * 18, max(look.pen_mm, 1.0), INKS[look.ink])
    if look.underline:
        _draw(page, centre + np.array([[-12, 12.0], [12, 12.5]]), max(look.pen_mm, 1.0), INKS[look.ink])
