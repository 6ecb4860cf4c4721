"""Divide a rectified board by the light that falls on it: paper white is found everywhere, sun, shade and their edge.

A picture has shape (h, w); the board frame's u and v run along w and h.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from poradek_vision.cells.paper import PaperSettings, blue_shade, likely_paper
from poradek_vision.colour import BoolArray, FloatArray, fill_white, linear_from_srgb, strongest
from poradek_vision.model import Rectified
from poradek_vision.sheet import RULER_FAR, RULER_NEAR


@dataclass(frozen=True, slots=True)
class LightSettings:
    """Numbers of finding paper white, each with its unit."""

    line_cells: float = 0.06
    """Half the width of what is left out along grid lines."""
    daylight: float = 0.15
    """How far paper may go from blue to yellow, as log(R / B), where it is as bright as the paper round it."""
    shade_rb: tuple[float, float] = (0.2, 0.4)
    """Red and blue light left in the deepest shade, as shares of those in the sun: what is in between lies on the line
    from here to white, and only a pale sticker is bluer at the same brightness."""
    tint: float = 0.12
    """How far paper may go from green to magenta, as log(G / sqrt(R B)): daylight, lamps and shade hardly go there,
    pale stickers of most colours do."""
    known_beyond_cells: float = 0.05
    known_share: float = 0.25
    """Between grid and ruler frame paper is known from so far outside the grid on, where it is brighter than this share
    of most of it."""
    fine_cells: tuple[float, ...] = (0.05, 0.12, 0.3)
    coarse_cells: tuple[float, float] = (0.8, 2.0)
    """Windows over which the light of paper is averaged, standard deviations; the coarse ones alone while it is not
    known yet what is paper."""
    ease: float = 1.3
    """Both are eased by this factor before the light is roughly known."""
    paper: PaperSettings = field(default_factory=PaperSettings)
    """Where paper is looked for on boards without a frame."""


@dataclass(frozen=True, slots=True, eq=False)
class Lit:
    """A rectified board with the light divided out.

    Attributes
    ----------
    reflectance, white : ndarray of shape (h, w, 3)
        Against paper; the light of paper.
    frame : ndarray of shape (h, w, 3)
        The light of paper as the rim round the grid alone lets expect it.
    paper : ndarray of shape (h, w), bool
        What was taken for paper by its light.
    ink : ndarray of shape (h, w), bool
        What is printed, or outside the photo: not to be judged.
    inside : ndarray of shape (h, w), bool
        What lies inside the photo.
    u, v : ndarray of shape (h, w)
        Board coordinates, cells.
    sun, shade : ndarray of shape (3,)
        The light of the brightest paper on the rim, and what of it is left in the darkest part there.
    """

    reflectance: FloatArray
    white: FloatArray
    frame: FloatArray
    paper: BoolArray
    ink: BoolArray
    inside: BoolArray
    u: FloatArray
    v: FloatArray
    sun: FloatArray
    shade: FloatArray


def divide_light(rectified: Rectified, rows: int, cols: int, framed: bool, settings: LightSettings) -> Lit:
    """Find paper white everywhere on a board and divide by it.

    1. ``known``: where paper must be, between grid and ruler frame and outside it; without a frame, where it is likely.
    2. A first white from there; what is nearly neutral under it may be paper too, between and around stickers.
    3. The white again from all of it, and once more with a stricter idea of neutral.

    Parameters
    ----------
    rectified : Rectified
        The grid with at least 0.75 cells round it.
    rows, cols : int
    framed : bool
        Whether a ruler frame and fiducials are printed round the grid.
    settings : LightSettings

    References
    ----------
    Judd, MacAdam & Wyszecki, Spectral distribution of typical daylight, JOSA 54 (1964): daylight varies along one line.
    """
    px = rectified.px_per_cell
    light = linear_from_srgb(rectified.pixels).astype(np.float32)
    h, w = light.shape[:2]
    left, top = rectified.origin_cells
    u, v = np.meshgrid((np.arange(w) + 0.5) / px + left, (np.arange(h) + 0.5) / px + top)
    ink = _lines(u, v, rows, cols, settings.line_cells) | ~rectified.seen
    if framed:
        ink |= _frame(u, v, rows, cols)
        known, alike = _between_the_frames(light, u, v, (rows, cols), ink, settings)
    else:
        known, alike = likely_paper(light, u, v, (rows, cols), ink, settings.paper)
    fine, coarse = ([cells * px for cells in windows] for windows in (settings.fine_cells, settings.coarse_cells))
    sun, shade = _sun_and_shade(light[known])
    settings = _with_shade(settings, shade)
    lit = strongest(light / sun) > _DARKER * shade.max()
    lit_so = alike | (_may_be_paper(light / sun, 1.0, ink, settings) & lit)
    frame = around = _fill_coarsely(light, known, coarse)
    for ease in (settings.ease, 1.0):
        paper = known | lit_so | _may_be_paper(light / around, ease, ink, settings)
        around = _fill_coarsely(light, paper, coarse)
    ratio = light / around
    level = ratio.mean(-1)
    local = _fill_coarsely(level[..., None], paper, [1.0 * px])[..., 0]
    paper = lit_so | (_may_be_paper(ratio, 1.0, ink, settings) & (level > _DIRTY * local))
    white = fill_white(light, paper & ~beside(~paper & ~ink), fine + coarse)
    return Lit(light / white, white, frame, paper, ink, rectified.seen, u, v, sun, shade)


def _between_the_frames(
    light: FloatArray, u: FloatArray, v: FloatArray, size: tuple[int, int], ink: BoolArray, settings: LightSettings
) -> tuple[BoolArray, BoolArray]:
    """Where paper must be (h, w): round a printed grid, but for what is printed there and what covers it.

    And, all over the picture, paper that lies in the shade of a clear sky.
    """
    rows, cols = size
    outside = np.maximum(np.maximum(-u, u - cols), np.maximum(-v, v - rows))
    bright = strongest(light)
    band: BoolArray = (outside > settings.known_beyond_cells) & (outside < _FRAME_CELLS) & ~ink
    known = band & (bright > settings.known_share * np.percentile(bright[band], 75))
    shade = blue_shade(light, known, band, ink, settings.paper)
    return known | (shade & band), shade


_FRAME_CELLS = 0.75
"""How far from the grid nothing but the ruler frame is printed, and the tags."""


def _may_be_paper(ratio: FloatArray, ease: float, ink: BoolArray, settings: LightSettings) -> BoolArray:
    """Where (h, w) it is neutral enough and not almost black; ``ratio`` (h, w, 3) is light against a guess of white."""
    level = strongest(ratio)
    red, green, blue = np.moveaxis(np.log(np.maximum(ratio, 1e-3)), -1, 0)
    neutral = np.abs(red - blue) < _most_daylight(level, settings) * ease
    neutral &= np.abs(green - (red + blue) / 2) < settings.tint * ease
    paper: BoolArray = ~ink & (level > _ALMOST_BLACK) & neutral
    return paper


def _sun_and_shade(rim: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The white (3,) of the brightest part of a rim (N, 3), and what of it is left (3,) in its darkest part."""
    brightness = rim.max(-1)
    low, high = np.percentile(brightness, [8, 80])
    sun: FloatArray = np.maximum(rim[brightness >= high].mean(0), _SOME_LIGHT)
    return sun, np.maximum(rim[brightness <= low].mean(0) / sun, _SOME_LIGHT)


_SOME_LIGHT = 1e-3
"""The least light of a channel, linear: pure colours, on a screen, have none of the others."""


def _with_shade(settings: LightSettings, shade: FloatArray) -> LightSettings:
    """The settings with the shade on this photo's rim (3,), where it is bluer than shade usually is."""
    red, _, blue = shade.tolist()
    usual = float(_most_daylight(np.array(blue), settings)) - settings.daylight
    return replace(settings, shade_rb=(red, blue)) if blue < _IN_SHADE and math.log(blue / red) > usual else settings


def mixed_light(white: FloatArray, sun: FloatArray, shade: FloatArray) -> FloatArray:
    """The light of paper as bright as some white (..., 3) would have, were it a mixture of the rim's sun and shade.

    Brighter than the sun it has the sun's colour, darker than the shade that of the shade.

    Parameters
    ----------
    white : ndarray of shape (..., 3)
    sun, shade : ndarray of shape (3,)
        As in :class:`Lit`.

    Examples
    --------
    >>> mixed_light(np.array([[0.6, 0.6, 0.6]]), np.ones(3), np.array([0.2, 0.3, 0.4])).round(3)
    array([[0.543, 0.6  , 0.657]])
    """
    level = (white / sun).mean(-1, keepdims=True)
    dark = float(shade.mean())
    part = np.clip((level - dark) / max(1 - dark, 1e-3), 0, 1)
    mixture = shade + part * (1 - shade)
    mixed: FloatArray = sun * mixture * (level / mixture.mean(-1, keepdims=True))
    return mixed


_DARKER = 0.8
"""Inside the grid the shade may be darker than on its rim by this factor."""
_IN_SHADE = 0.8
"""Least share of light that has to be missing for a shade: 1 less this."""


def _most_daylight(level: FloatArray, settings: LightSettings) -> FloatArray:
    """How far from neutral, as log(R / B), paper may be at a brightness: the line from sun to deepest shade."""
    deepest_red, deepest_blue = settings.shade_rb
    darker = np.minimum(level, 1 / level.clip(1e-3))  # a fleck of sun is to the shade round it as that to it
    shade = np.clip((1 - darker) / (1 - deepest_blue), 0, 1)
    most: FloatArray = settings.daylight + np.log((1 - (1 - deepest_blue) * shade) / (1 - (1 - deepest_red) * shade))
    return most


_ALMOST_BLACK = 0.15
"""What is darker than this share of a first guess of paper white is ink, whatever its tone."""
_DIRTY = 0.6
"""What is darker than this share of the paper in the neighbourhood is dirt or ink, not paper in the shade."""


def _fill_coarsely(light: FloatArray, paper: BoolArray, scales_px: list[float]) -> FloatArray:
    """:func:`colour.fill_white` (h, w, C) from every third sample: enough where the windows are wide."""
    coarse = fill_white(light[1::_SKIP, 1::_SKIP], paper[1::_SKIP, 1::_SKIP], [s / _SKIP for s in scales_px])
    h, w = paper.shape
    down, across = (np.minimum(np.arange(n) // _SKIP, m - 1) for n, m in zip((h, w), coarse.shape[:2], strict=True))
    filled: FloatArray = coarse[down[:, None], across]
    return filled


_SKIP = 3
"""Every so many samples."""


def beside(mask: BoolArray) -> BoolArray:
    """Masks (..., h, w) and the pixels next to them: on a sticker's blurred rim, colour mixes with paper."""
    grown = mask.copy()
    grown[..., 1:, :] |= mask[..., :-1, :]
    grown[..., :-1, :] |= mask[..., 1:, :]
    wide = grown.copy()
    wide[..., 1:] |= grown[..., :-1]
    wide[..., :-1] |= grown[..., 1:]
    return wide


def _lines(u: FloatArray, v: FloatArray, rows: int, cols: int, line: float) -> BoolArray:
    """Where (h, w) grid lines are, with a rim of ``line`` cells."""
    inside = (u > -line) & (u < cols + line) & (v > -line) & (v < rows + line)
    lines: BoolArray = inside & ((np.abs(u - np.round(u)) < line) | (np.abs(v - np.round(v)) < line))
    return lines


def _frame(u: FloatArray, v: FloatArray, rows: int, cols: int) -> BoolArray:
    """Where (h, w) ruler frame and fiducials are, with a rim."""
    beyond_u, beyond_v = np.maximum(-u, u - cols), np.maximum(-v, v - rows)
    near, far = RULER_NEAR - _RULER_RIM_CELLS, RULER_FAR + _RULER_RIM_CELLS
    ruler = ((beyond_v > near) & (beyond_v < far) & (beyond_u < _RULER_RIM_CELLS)) | (
        (beyond_u > near) & (beyond_u < far) & (beyond_v < _RULER_RIM_CELLS)
    )
    frame: BoolArray = ruler | ((beyond_u > _TAG_CELLS) & (beyond_v > _TAG_CELLS))
    return frame


_RULER_RIM_CELLS = 0.06
"""How far the blur of the ruler frame reaches."""
_TAG_CELLS = 0.12
"""How near fiducials come to the grid's corner along both axes, with their blur: 4 mm, of cells of at most 25.6 mm."""
