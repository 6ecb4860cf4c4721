"""A printed sheet with its stickers as a texture: the shapes of ``poradek_vision.sheet`` in ink, colour and gloss.

The page's point (x, y), in mm, lies at texture pixel ``(x * px_per_mm - 0.5, y * px_per_mm - 0.5)``. Colours are
linear light, 0–1.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from poradek_vision.geometry import FloatArray
from poradek_vision.model import EMPTY, Fiducial, Game, Rect, SheetSpec
from poradek_vision.sheet import KEY_FOOT_MM, LINE_MM
from synth.board import Sticker
from synth.glyphs import strokes
from synth.look import PaperLook, Rgb, StickerLook

Texture = npt.NDArray[np.float32]
_INK = 0.035
_TAGS = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
_CODES = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


@dataclass(frozen=True, slots=True, eq=False)
class PageTexture:
    """The page's face: albedo (h, w, 3) and gloss with the surface's tilt (h, w, 3), both float32."""

    albedo: Texture
    material: Texture
    px_per_mm: float


def linear(srgb: npt.ArrayLike) -> FloatArray:
    """Linear light of sRGB values 0–255."""
    v = np.asarray(srgb, np.float64) / 255
    return np.asarray(np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4), np.float64)


def paint_page(
    spec: SheetSpec,
    game: Game,
    stickers: list[Sticker],
    key: list[Sticker],
    looks: tuple[PaperLook, StickerLook],
    px_per_mm: float,
    rng: np.random.Generator,
) -> PageTexture:
    """Print the sheet and stick the stickers on it; ``key`` holds the colour key's, one a box, in box units."""
    paper, look = looks
    ink = _print(spec, game, px_per_mm)
    albedo = _paper_colour(ink.shape, paper.white, rng)
    albedo *= (1 - ink * (1 - _INK / 0.8))[..., None]
    page = PageTexture(albedo, np.zeros((*ink.shape, 3), np.float32), px_per_mm)
    colours = {code: linear(pigment).astype(np.float32) for code, pigment in look.pigments}
    for sticker in stickers:
        stick(page, sticker, spec.grid_origin_mm, spec.cell_mm, colours[sticker.colour], look, rng)
        if sticker.owner not in ("", EMPTY):  # one that nobody marked
            _mark(page, sticker, spec, game, look, rng)
    for box, sticker in zip(spec.key, key, strict=False):
        stick(page, sticker, (box.x, box.y), spec.cell_mm, colours[sticker.colour], look, rng)
    return page


def _paper_colour(shape: tuple[int, ...], white: Rgb, rng: np.random.Generator) -> Texture:
    """Paper with faint mottling."""
    coarse = rng.normal(1, 0.012, (shape[0] // 40 + 2, shape[1] // 40 + 2)).astype(np.float32)
    mottle = cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return mottle[..., None] * np.array(white, np.float32)


def _print(spec: SheetSpec, game: Game, px_per_mm: float) -> Texture:
    """All that is printed in black, as ink coverage 0–1."""
    width, height = (round(side * px_per_mm) for side in spec.page_mm)
    ink = np.zeros((height, width), np.float32)
    for rect in (*spec.ruler, *_lines(spec), *_outlines(spec), *_hundred_mm(spec)):
        _stamp(ink, rect, np.ones((1, 1)), px_per_mm)
    for fiducial in spec.fiducials:
        _stamp(ink, fiducial.square, _bits(fiducial), px_per_mm)
    if spec.cut_x_mm is not None:  # a half has no room for a header
        return ink
    return np.maximum(ink, _texts(spec, game, px_per_mm, (width, height)))


def _lines(spec: SheetSpec) -> list[Rect]:
    """The grid's lines as thin rectangles."""
    g, half = spec.grid, LINE_MM / 2
    across = [Rect(g.x - half, g.y + row * spec.cell_mm - half, g.w + LINE_MM, LINE_MM) for row in range(spec.rows + 1)]
    down = [Rect(g.x + col * spec.cell_mm - half, g.y - half, LINE_MM, g.h + LINE_MM) for col in range(spec.cols + 1)]
    return across + down


def _outlines(spec: SheetSpec) -> list[Rect]:
    """The key's boxes: four thin rectangles each."""
    w = 0.4
    return [
        side
        for b in spec.key
        for side in (
            Rect(b.x - w / 2, b.y - w / 2, b.w + w, w),
            Rect(b.x - w / 2, b.y + b.h - w / 2, b.w + w, w),
            Rect(b.x - w / 2, b.y, w, b.h),
            Rect(b.x + b.w - w / 2, b.y, w, b.h),
        )
    ]


def _hundred_mm(spec: SheetSpec) -> list[Rect]:
    """The line of 100 mm at the foot."""
    x, y = spec.page_mm[0] / 2 - 50, spec.page_mm[1] - KEY_FOOT_MM + 3
    return [Rect(x, y, 100, 0.3), Rect(x - 0.15, y - 2, 0.3, 4), Rect(x + 99.85, y - 2, 0.3, 4)]


def _bits(fiducial: Fiducial) -> FloatArray:
    """A tag's 8×8 bits, black = 1."""
    picture = cv2.aruco.generateImageMarker(_TAGS, fiducial.id, 8, borderBits=1)
    return np.asarray(picture < 128, np.float64)


def _stamp(ink: Texture, square: Rect, bits: FloatArray, px_per_mm: float) -> None:
    """Print a pattern of black squares into a rectangle, every pixel with its exact share of ink."""
    rows, cols = bits.shape
    ys, cover_y = _coverage(square.y, square.h, rows, px_per_mm, ink.shape[0])
    xs, cover_x = _coverage(square.x, square.w, cols, px_per_mm, ink.shape[1])
    ink[ys, xs] = np.minimum(1, ink[ys, xs] + cover_y @ bits @ cover_x.T)


def _coverage(start: float, length: float, parts: int, px_per_mm: float, limit: int) -> tuple[slice, FloatArray]:
    """The pixels that an interval touches, and how much of each pixel each of its parts covers."""
    edges = (start + length * np.arange(parts + 1) / parts) * px_per_mm
    first, last = max(0, int(np.floor(edges[0]))), min(limit, int(np.ceil(edges[-1])))
    pixel = np.arange(first, last)[:, None]
    share = np.clip(np.minimum(pixel + 1, edges[1:]) - np.maximum(pixel, edges[:-1]), 0, 1)
    return slice(first, last), share


def _font(size_px: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The bundled bold font, else Pillow's own."""
    fonts = resources.files("poradek_vision").joinpath("fonts")
    if fonts.is_dir():
        for file in sorted(fonts.iterdir(), key=lambda f: ("Bold" not in f.name, f.name)):
            if file.name.endswith(".ttf"):
                with resources.as_file(file) as path:
                    return ImageFont.truetype(str(path), round(size_px))
    return ImageFont.load_default(round(size_px))


def _texts(spec: SheetSpec, game: Game, px_per_mm: float, size: tuple[int, int]) -> Texture:
    """Header, key names and card's names as ink coverage."""
    canvas = Image.new("L", size)
    draw = ImageDraw.Draw(canvas)

    def write(text: str, x_mm: float, y_mm: float, high_mm: float, anchor: str = "ms", most_mm: float = 190) -> None:
        font = _font(high_mm / 0.72 * px_per_mm)
        if draw.textlength(text, font) > most_mm * px_per_mm:
            font = _font(high_mm / 0.72 * most_mm * px_per_mm**2 / draw.textlength(text, font))
        draw.text((x_mm * px_per_mm, y_mm * px_per_mm), text, 255, font, anchor=anchor)

    middle = spec.page_mm[0] / 2
    write(_heading(spec, game), middle, 38, 14, most_mm=spec.page_mm[0] - 30)
    write(f"{spec.rows}×{spec.cols}   {game.title}", middle, 50, 5)
    for box, colour in zip(spec.key, game.colours, strict=False):
        write(colour.name, box.x + box.w / 2, box.y + box.h + 5, 3)
    if spec.kind == "card":
        for row, colour in enumerate(game.colours):
            x, y = spec.grid_origin_mm
            write(colour.name, x - 0.75 * spec.cell_mm, y + (row + 0.5) * spec.cell_mm, 3, anchor="rm")
    return np.asarray(canvas, np.float32) / 255


def _heading(spec: SheetSpec, game: Game) -> str:
    """The sheet's title in capitals."""
    if spec.kind == "card":
        return "KALIBRACE"
    if spec.team_index is None:
        return "ÚZEMÍ NIKOHO"
    if spec.team_index >= len(game.teams):
        return str(spec.team_index + 1)
    team = game.teams[spec.team_index]
    return f"{team.name.upper()}  {team.mark}"


def stick(
    page: PageTexture,
    sticker: Sticker,
    origin_mm: tuple[float, float],
    cell_mm: float,
    colour: Texture,
    look: StickerLook,
    rng: np.random.Generator,
) -> None:
    """Lay one sticker on the page: its shadow edge, its colour with a slight gradient and wear, its gloss."""
    outline = (np.array(origin_mm) + sticker.outline * cell_mm) * page.px_per_mm - 0.5
    pad = int(0.8 * page.px_per_mm) + 2
    left, top = np.floor(outline.min(0)).astype(int) - pad
    right, bottom = np.ceil(outline.max(0)).astype(int) + pad + 1
    height, width = page.albedo.shape[:2]
    left, top, right, bottom = max(left, 0), max(top, 0), min(right, width), min(bottom, height)
    alpha = _alpha(outline - [left, top], (right - left, bottom - top))
    albedo = page.albedo[top:bottom, left:right]
    reach = 0.35 * page.px_per_mm
    shadow = cv2.GaussianBlur(shifted(alpha, round(reach)), (0, 0), max(0.5, reach))
    albedo *= (1 - 0.4 * shadow)[..., None]
    tone = colour * np.exp(rng.normal(0, 0.02, 3)).astype(np.float32) * np.float32(np.exp(rng.normal(0, 0.03)))
    tone = tone * (1 - sticker.fade) + 0.55 * sticker.fade
    y, x = np.mgrid[-1 : 1 : alpha.shape[0] * 1j, -1 : 1 : alpha.shape[1] * 1j].astype(np.float32)
    gx, gy = rng.normal(0, 0.03, 2)
    face = tone * (1 + gx * x + gy * y)[..., None]
    if look.gloss:
        face = _creased(face, x, y, rng)
    albedo += alpha[..., None] * (face - albedo)
    material = np.array([look.gloss, *sticker.tilt], np.float32)
    page.material[top:bottom, left:right] += alpha[..., None] * (material - page.material[top:bottom, left:right])


def shifted(mask: Texture, by: int) -> Texture:
    """A mask moved right and down by some pixels; nothing comes in from the left and top."""
    moved = np.zeros_like(mask)
    moved[by:, by:] = mask[: mask.shape[0] - by, : mask.shape[1] - by]
    return moved


def _creased(face: Texture, x: Texture, y: Texture, rng: np.random.Generator) -> Texture:
    """Now and then a fine light crease across the sticker."""
    if rng.random() > 0.12:
        return face
    angle, at = rng.uniform(0, np.pi), rng.uniform(-0.4, 0.4)
    away = np.abs(x * np.cos(angle) + y * np.sin(angle) - at)
    return np.asarray(face + 0.18 * np.exp(-((away / 0.025) ** 2))[..., None], np.float32)


def _alpha(outline: FloatArray, size: tuple[int, int]) -> Texture:
    """Coverage of a polygon, anti-aliased."""
    many = 4
    picture = np.zeros((size[1] * many, size[0] * many), np.uint8)
    points = np.round((outline * many + (many - 1) / 2) * 16).astype(np.int32)
    cv2.fillPoly(picture, [points], 255, cv2.LINE_8, 4)
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return small.astype(np.float32) / 255


def _mark(
    page: PageTexture, sticker: Sticker, spec: SheetSpec, game: Game, look: StickerLook, rng: np.random.Generator
) -> None:
    """The owner's mark on a sticker: written by pen, or a printed code."""
    centre = (np.array(spec.grid_origin_mm) + np.array(sticker.centre) * spec.cell_mm) * page.px_per_mm - 0.5
    side = sticker.side * spec.cell_mm * page.px_per_mm
    mask = np.zeros((int(side * 1.5) // 2 * 2 + 1,) * 2, np.uint8)
    middle = mask.shape[0] // 2
    if look.marks == "pen":
        _write(mask, sticker.owner, side, page.px_per_mm, rng)
    else:
        _code(mask, [team.mark for team in game.teams].index(sticker.owner), side, sticker.turn_deg)
    x, y = np.floor(centre).astype(int) - middle
    shift = np.float32([[1, 0, centre[0] - np.floor(centre[0])], [0, 1, centre[1] - np.floor(centre[1])]])
    ink = cv2.warpAffine(mask, shift, mask.shape).astype(np.float32)[..., None] / 255
    patch = page.albedo[y : y + mask.shape[0], x : x + mask.shape[1]]
    patch -= ink * (patch - np.array([0.02, 0.02, 0.035], np.float32)) * 0.94


def _write(mask: npt.NDArray[np.uint8], mark: str, side: float, px_per_mm: float, rng: np.random.Generator) -> None:
    """A character in felt pen."""
    high, turn = side * rng.uniform(0.5, 0.66), np.radians(rng.normal(0, 9))
    turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    middle = mask.shape[0] // 2 + rng.normal(0, 0.04 * side, 2)
    thick = max(1, round(px_per_mm * rng.uniform(0.8, 1.5)))
    for stroke in strokes(mark, rng):
        points = np.round((stroke @ turned * high + middle) * 16).astype(np.int32)
        cv2.polylines(mask, [points], False, 255, thick, cv2.LINE_AA, 4)


def _code(mask: npt.NDArray[np.uint8], team_index: int, side: float, turn_deg: float) -> None:
    """The printed 4×4 code, half as wide as its sticker, black where the code is black."""
    picture = 255 - cv2.aruco.generateImageMarker(_CODES, team_index, 6 * 16, borderBits=1)
    scale, middle = 0.5 * side / len(picture), mask.shape[0] // 2
    c, s = scale * np.cos(np.radians(turn_deg)), scale * np.sin(np.radians(turn_deg))
    half = (len(picture) - 1) / 2
    turn = np.array([[c, -s, middle - half * (c - s)], [s, c, middle - half * (s + c)]])
    smooth = cv2.GaussianBlur(picture, (0, 0), 0.4 / scale) if scale < 1 else picture
    mask[:] = cv2.warpAffine(smooth, turn, mask.shape)
