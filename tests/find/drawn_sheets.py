"""Printed sheets drawn flat or gently bent, seen through a known homography: every crossing's place is known exactly.

Much plainer than :mod:`synth`: no light, no lens, no clutter, and milliseconds to draw.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray, fit_homography, project
from poradek_vision.model import DEFAULT_COLOURS, Fiducial, Game, GridFit, Photo, Rect, SheetSpec, Team
from poradek_vision.sheet import LINE_MM, team_sheet

Picture = npt.NDArray[np.uint8]

GAME = Game(teams=(Team("Vlci", "A"), Team("Lišky", "B")), no_mans_land=0)
PAPER, INK, LEAF = (238, 238, 234), (28, 28, 30), (96, 120, 52)
SWATCHES = {colour.code: tuple(int(colour.swatch[i : i + 2], 16) for i in (1, 3, 5)) for colour in DEFAULT_COLOURS}
_PAGE_PX = 10  # per mm of the drawn page: all measures of a 20 mm sheet are whole pixels then


@dataclass(frozen=True)
class Laid:
    """A sheet in a photo: where its page's corners lie, what is stuck on it, what covers it.

    ``bend_mm`` is the largest displacement of the page against its own plane, ``bulge_mm`` that of a bulge in its
    middle, ``covered`` are rectangles in mm with what lies there.
    """

    spec: SheetSpec
    quad: tuple[tuple[float, float], ...]
    rows: tuple[str, ...] = ()
    bend_mm: float = 0.0
    bulge_mm: float = 0.0
    covered: tuple[tuple[Rect, tuple[int, int, int]], ...] = field(default=())

    @property
    def mm_from_photo(self) -> FloatArray:
        w, h = self.spec.page_mm
        return fit_homography(self.quad, [[0, 0], [w, 0], [w, h], [0, h]])

    def photo(self, mm: npt.ArrayLike) -> FloatArray:
        """Where points of the page (..., 2) lie in the photo, px."""
        points = np.asarray(mm, np.float64)
        flat = points
        for _ in range(30):
            flat = points - self.bend(flat)
        return project(np.linalg.inv(self.mm_from_photo), flat)

    def crossings(self) -> FloatArray:
        """The truth: (rows+1, cols+1, 2) photo px."""
        spec = self.spec
        cells = np.stack(np.meshgrid(np.arange(spec.cols + 1.0), np.arange(spec.rows + 1.0)), -1)
        return self.photo(cells * spec.cell_mm + spec.grid_origin_mm)

    def bend(self, mm: FloatArray) -> FloatArray:
        """Displacement (..., 2) in mm at places (..., 2) of the plane: what is seen there is printed so far off."""
        x, y = np.moveaxis(mm / self.spec.page_mm, -1, 0) * np.pi
        bent = self.bend_mm * np.stack([np.sin(1.3 * y + 0.4), np.cos(1.1 * x) * np.sin(0.9 * y)], -1)
        bulge = self.bulge_mm * np.exp(-((x / np.pi - 0.5) ** 2 + (y / np.pi - 0.5) ** 2) / (2 * 0.12**2))
        return bent + bulge[..., None] * [0.8, 0.6]


def square_on(centre: tuple[float, float], width: float, turned_deg: float = 0.0, page=(210.0, 297.0)):
    """The quad of a page seen from straight above, ``width`` px wide, turned clockwise."""
    turn = np.radians(turned_deg)
    across = width / 2 * np.array([np.cos(turn), np.sin(turn)])
    down = page[1] / page[0] * width / 2 * np.array([-np.sin(turn), np.cos(turn)])
    ways = (-across - down, across - down, across + down, down - across)
    return tuple((float(x), float(y)) for x, y in np.array(centre) + ways)


def lay(size: int = 5, team: int = 0, game: Game = GAME, width: float = 540.0, turned_deg: float = 0.0, **more) -> Laid:
    """One team's sheet in the middle of a photo of 600 × 800, seen from straight above unless a quad is given."""
    more = {"quad": square_on((300.3, 400.7), width, turned_deg), **more}
    return Laid(team_sheet(game, team, size), **more)


TILTED = ((80.0, 40.0), (460.0, 73.0), (560.0, 746.0), (20.0, 666.0))
"""A quad in a photo of 600 × 800 as a tilted camera sees it."""


def photograph(
    *sheets: Laid,
    size: tuple[int, int] = (600, 800),
    over: int = 2,
    blur_px: float = 0.6,
    noise: float = 1.5,
    seed: int = 1,
) -> Photo:
    """A photo (width, height) of sheets on a mottled ground, averaged over ``over`` × ``over`` rays a pixel."""
    width, height = size
    pixels = cv2.resize(_ground(width, height, seed), (width * over, height * over), interpolation=cv2.INTER_LINEAR)
    for sheet in sheets:
        _lay_on(pixels, over, sheet)
    smooth = cv2.GaussianBlur(
        cv2.resize(pixels, size, interpolation=cv2.INTER_AREA).astype(np.float32), (0, 0), blur_px
    )
    grain = np.random.default_rng(seed).standard_normal((height, width, 1), np.float32)
    return photo_of(np.clip(smooth + noise * grain + 0.5, 0, 255).astype(np.uint8))


def photo_of(pixels: Picture, scale: float = 1.0) -> Photo:
    """A photo record round pixels (H, W, 3)."""
    pixels.setflags(write=False)
    height, width = pixels.shape[:2]
    return Photo("IMG_1.jpg", "00", "", pixels, scale, (round(width / scale), round(height / scale)))


def worst_px(grid: GridFit, laid: Laid) -> float:
    """Largest distance of a found crossing from the truth; infinite where the sizes differ."""
    found, truth = np.array(grid.crossings), laid.crossings()
    return float(np.hypot(*np.moveaxis(found - truth, -1, 0)).max()) if found.shape == truth.shape else np.inf


def cell_px(laid: Laid) -> float:
    """Least side of a cell in the photo."""
    truth = laid.crossings()
    return float(min(np.hypot(*np.moveaxis(np.diff(truth, axis=axis), -1, 0)).min() for axis in (0, 1)))


def cover_tags(laid: Laid, corners: Iterable[int], what: tuple[int, int, int] = LEAF) -> Laid:
    """The sheet with some fiducials painted over, white rim included."""
    squares = [tag.square for tag in laid.spec.fiducials if tag.corner in set(corners)]
    return replace(laid, covered=tuple((Rect(s.x - 1.5, s.y - 1.5, s.w + 3, s.h + 3), what) for s in squares))


def _lay_on(pixels: Picture, over: int, sheet: Laid) -> None:
    """Paint one sheet into a supersampled photo."""
    page = draw_page(sheet.spec, sheet.rows, sheet.covered)
    if sheet.bend_mm or sheet.bulge_mm:
        page = _bent(page, sheet)
    rays_from_photo = np.array([[over, 0, (over - 1) / 2], [0, over, (over - 1) / 2], [0, 0, 1]])
    page_from_mm = np.array([[_PAGE_PX, 0, -0.5], [0, _PAGE_PX, -0.5], [0, 0, 1]])
    rays_from_page = rays_from_photo @ np.linalg.inv(page_from_mm @ sheet.mm_from_photo)
    size = (pixels.shape[1], pixels.shape[0])
    cv2.warpPerspective(page, rays_from_page, size, pixels, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)


def _bent(page: Picture, sheet: Laid) -> Picture:
    """A drawn page as the flat frame sees it: what the bend brings to each place."""
    height, width = page.shape[:2]
    whole_mm = np.stack(np.meshgrid(*(np.arange(n // _PAGE_PX) + 0.5 for n in (width, height))), -1)
    coarse = ((whole_mm + sheet.bend(whole_mm)) * _PAGE_PX - 0.5).astype(np.float32)
    points = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.remap(page, points, None, cv2.INTER_LINEAR, borderValue=PAPER))


@functools.lru_cache(maxsize=16)
def draw_page(spec: SheetSpec, rows: tuple[str, ...] = (), covered: tuple = ()) -> Picture:
    """A sheet as printed, 10 px a mm, with stickers where ``rows`` has codes."""
    page = np.full((round(spec.page_mm[1] * _PAGE_PX), round(spec.page_mm[0] * _PAGE_PX), 3), PAPER, np.uint8)
    _fill(page, spec.ruler, INK)
    _draw_grid(page, spec)
    for tag in spec.fiducials:
        _draw_tag(page, tag)
    left, top = spec.grid_origin_mm
    c = spec.cell_mm
    for row, line in enumerate(rows):
        for col, code in enumerate(line):
            if code in SWATCHES:
                _fill(page, [Rect(left + (col + 0.1) * c, top + (row + 0.12) * c, 0.8 * c, 0.8 * c)], SWATCHES[code])
    for rect, what in covered:
        _fill(page, [rect], what)
    return page


def _draw_grid(page: Picture, spec: SheetSpec) -> None:
    """The grid's lines."""
    (left, top), c, w = spec.grid_origin_mm, spec.cell_mm, LINE_MM
    lines = [Rect(left + k * c - w / 2, top - w / 2, w, spec.rows * c + w) for k in range(spec.cols + 1)]
    lines += [Rect(left - w / 2, top + k * c - w / 2, spec.cols * c + w, w) for k in range(spec.rows + 1)]
    _fill(page, lines, INK)


def _draw_tag(page: Picture, tag: Fiducial) -> None:
    """One fiducial."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    bits = dictionary.generateImageMarker(tag.id, 8, borderBits=1)
    x, y, side = (round(v * _PAGE_PX) for v in (tag.square.x, tag.square.y, tag.square.w))
    white = np.kron(bits, np.ones((side // 8, side // 8), np.uint8)) > 0
    page[y : y + side, x : x + side] = np.where(white[..., None], PAPER, INK)


def _fill(page: Picture, rects: Iterable[Rect], colour: tuple[int, int, int]) -> None:
    """Paint rectangles given in mm."""
    for r in rects:
        x0, y0, x1, y1 = (round(v * _PAGE_PX) for v in (r.x, r.y, r.x + r.w, r.y + r.h))
        page[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)] = colour


def _ground(width: int, height: int, seed: int) -> Picture:
    """Mottled brown and green."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(40, 130, (height // 12 + 2, width // 12 + 2, 3), np.uint8)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC))
