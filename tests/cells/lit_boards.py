"""Rectified boards drawn from known reflectances under known light: what each cell shows is known exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from poradek_vision.cells import CellSettings, read_cells
from poradek_vision.colour import FloatArray, linear_from_srgb, palette_of_swatches
from poradek_vision.model import DEFAULT_COLOURS, CellReading, Colour, Palette, Point, Rectified
from poradek_vision.sheet import RULER_FAR, RULER_NEAR

SETTINGS = CellSettings()
PX, OVER = SETTINGS.px_per_cell, 4
COLOURS = (
    *DEFAULT_COLOURS,
    Colour("O", "oranžová", "#f07a1a"),
    Colour("V", "fialová", "#7a3a9a"),
    Colour("P", "růžová", "#f08ab4"),
    Colour("T", "tyrkysová", "#28b4b4"),
)
PIGMENTS = {
    colour.code: linear_from_srgb(np.array([int(colour.swatch[i : i + 2], 16) for i in (1, 3, 5)], np.uint8))
    for colour in COLOURS
}
INK = np.array([0.04, 0.04, 0.045])
LINE = 0.03

Light = Callable[[FloatArray, FloatArray], FloatArray]
"""Linear light (h, w, 3) of white paper at board coordinates u and v (h, w)."""


def even(*rgb: float) -> Light:
    """The same light everywhere."""
    return lambda u, v: np.broadcast_to(np.array(rgb), (*u.shape, 3))


def edge_of_shade(slope: float, at: float, sun: Sequence[float], shade: Sequence[float], blur: float = 0.02) -> Light:
    """Sun where ``u + slope * v < at``, shade beyond, within a few hundredths of a cell."""

    def light(u: FloatArray, v: FloatArray) -> FloatArray:
        dark = 1 / (1 + np.exp(-(u + slope * v - at) / blur))
        return np.array(sun) * (1 - dark[..., None]) + np.array(shade) * dark[..., None]

    return light


DAY = even(0.8, 0.8, 0.8)
SUN, SHADE = (0.85, 0.82, 0.76), (0.24, 0.255, 0.29)


@dataclass(frozen=True)
class Sticker:
    """A sticker: its cell, its colour (a code or a reflectance), its side and how far off-centre, in cells."""

    row: float
    col: float
    colour: str | tuple[float, float, float]
    side: float = 0.8
    right: float = 0.0
    down: float = 0.0
    disk: bool = False
    """Round instead of square."""

    @property
    def pigment(self) -> FloatArray:
        return PIGMENTS[self.colour] if isinstance(self.colour, str) else np.array(self.colour)

    def covers(self, u: FloatArray, v: FloatArray) -> npt.NDArray[np.bool_]:
        half = self.side / 2
        if self.disk:
            return np.hypot(u - self.col - 0.5 - self.right, v - self.row - 0.5 - self.down) < half
        return (np.abs(u - self.col - 0.5 - self.right) < half) & (np.abs(v - self.row - 0.5 - self.down) < half)


def stickers_of(rows: Sequence[str], **how: float) -> tuple[Sticker, ...]:
    """One sticker for every letter."""
    return tuple(
        Sticker(row, col, code, **how) for row, line in enumerate(rows) for col, code in enumerate(line) if code != "."
    )


Paint = Callable[[FloatArray, FloatArray, FloatArray], None]
"""Something else on the board: changes reflectances (h, w, 3) in place, given u and v."""


@dataclass(frozen=True)
class Drawn:
    """A board of ``size`` with stickers, a colour key under it where ``key`` holds stickers or None, and its light."""

    size: int
    stickers: tuple[Sticker, ...] = ()
    key: tuple[str | tuple[float, float, float] | None, ...] = ()
    light: Light = DAY
    paint: Paint | None = None
    unseen_left: float = -9.0
    """What lies further left than this, in cells, is outside the photo."""
    noise: float = 1.0
    paper: tuple[float, float, float] | None = None
    """Reflectance of a hand-made board's paper against white; None: a printed sheet, white, with its frame."""
    line: float = LINE
    """Width of the grid's lines, cells."""

    @property
    def key_places(self) -> tuple[Point, ...]:
        left = (self.size - 1.25 * (len(self.key) - 1) - 1) / 2
        return tuple((left + 1.25 * k, self.size + 1.3) for k in range(len(self.key)))

    def rectified(self) -> Rectified:
        """The picture, averaged in linear light and developed without any curve but sRGB's."""
        left = top = -SETTINGS.margin_cells
        right, bottom = self.size - left, self.size - top
        if self.key:
            left, right = min(left, self.key_places[0][0] - 0.3), max(right, self.key_places[-1][0] + 1.3)
            bottom = self.key_places[0][1] + 1.3
        w, h = round((right - left) * PX), round((bottom - top) * PX)
        fine = OVER * PX
        u, v = np.meshgrid((np.arange(w * OVER) + 0.5) / fine + left, (np.arange(h * OVER) + 0.5) / fine + top)
        light = self._reflectance(u, v) * self.light(u, v)
        mean = light.reshape(h, OVER, w, OVER, 3).mean((1, 3))
        grain = np.random.default_rng(7).normal(0, self.noise, mean.shape)
        pixels = np.clip(np.round(255 * _encoded(mean) + grain), 0, 255).astype(np.uint8)
        seen = np.broadcast_to((np.arange(w) + 0.5) / PX + left > self.unseen_left, (h, w)).copy()
        pixels[~seen] = 0
        return Rectified(pixels, PX, (left, top), seen)

    def _reflectance(self, u: FloatArray, v: FloatArray) -> FloatArray:
        n = self.size
        surface = np.broadcast_to(np.array(self.paper or (1.0, 1.0, 1.0)), (*u.shape, 3)).copy()
        on_grid = np.maximum(np.abs(u - n / 2), np.abs(v - n / 2)) < (n + self.line) / 2
        near_line = np.minimum(np.abs(u - np.round(u)), np.abs(v - np.round(v))) < self.line / 2
        surface[on_grid & near_line] = INK
        beyond_u, beyond_v = np.maximum(-u, u - n), np.maximum(-v, v - n)
        if not self.paper:
            for along, away, inside in ((u, beyond_v, beyond_u < 0), (v, beyond_u, beyond_v < 0)):
                surface[inside & (away > RULER_NEAR) & (away < RULER_FAR) & (np.floor(along) % 2 == 0)] = INK
            surface[(np.minimum(beyond_u, beyond_v) > 0.2) & (np.maximum(beyond_u, beyond_v) < 1.0)] = INK
        for sticker in (*self.stickers, *self._key_stickers()):
            surface[sticker.covers(u, v)] = sticker.pigment
        if self.paint:
            self.paint(surface, u, v)
        return surface

    def _key_stickers(self) -> list[Sticker]:
        return [
            Sticker(v, u, colour)
            for (u, v), colour in zip(self.key_places, self.key, strict=True)
            if colour is not None
        ]


def _encoded(linear: FloatArray) -> FloatArray:
    """sRGB of linear light, both 0–1."""
    x = np.clip(linear, 0, 1)
    return np.where(x <= 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)


def palette_for(codes: str = "RYGB") -> Palette:
    """The swatches of some colours, which the drawn stickers have exactly."""
    return palette_of_swatches([colour for code in codes for colour in COLOURS if colour.code == code])


def read(drawn: Drawn, palette: Palette | None = None) -> tuple[tuple[CellReading, ...], Palette]:
    """What the room sees, and the palette it adapted to."""
    palette = palette or palette_for()
    framed = drawn.paper is None
    seen = read_cells(drawn.rectified(), drawn.size, drawn.size, framed, drawn.key_places, palette, SETTINGS)
    return seen.cells, seen.palette


def rows_of(cells: Sequence[CellReading]) -> tuple[str, ...]:
    """The colours row by row, as a board writes them."""
    count = 1 + max(cell.row for cell in cells)
    return tuple("".join(cell.colour for cell in cells if cell.row == row) for row in range(count))


def cell_at(cells: Sequence[CellReading], row: int, col: int) -> CellReading:
    """One cell's reading."""
    (cell,) = (cell for cell in cells if (cell.row, cell.col) == (row, col))
    return cell


def flagged(cells: Sequence[CellReading]) -> dict[tuple[int, int], tuple[str, ...]]:
    """The open cells with their flags."""
    return {(cell.row, cell.col): tuple(cell.flags) for cell in cells if cell.flags}


def moved(palette: Palette, code: str, *by: float) -> Palette:
    """A palette with one colour moved in CIELAB."""
    entries = tuple(
        replace(e, centre=tuple(float(c + d) for c, d in zip(e.centre, by, strict=True))) if e.colour == code else e
        for e in palette.entries
    )
    return replace(palette, entries=entries)
