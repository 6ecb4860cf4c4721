"""Linear light, paper white, CIELAB and delta E; knows no cells.

Light is linear, 0–1 per channel of sRGB; *reflectance* is light divided by that of white paper in the same place, so
that white paper has (1, 1, 1) in sun and in shade alike. CIELAB of a reflectance takes paper as its white.
"""

from __future__ import annotations

import colorsys
import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from skimage.color import deltaE_ciede2000

from poradek_vision.model import DEFAULT_CAMERA, Colour, Palette, PaletteEntry, swatch_rgb

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.floating[Any]]

_VALUES = np.arange(256) / 255
_LINEAR = np.where(_VALUES <= 0.04045, _VALUES / 12.92, ((_VALUES + 0.055) / 1.055) ** 2.4)
_LINEAR.setflags(write=False)

_XYZ_FROM_RGB = np.array([
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
])  # fmt: skip
_XYZ_FROM_RGB /= _XYZ_FROM_RGB.sum(1, keepdims=True)  # relative to white, as CIELAB wants it
_LAB_FROM_F = np.array([[0.0, 116, 0], [500, -500, 0], [0, 200, -200]])


def linear_from_srgb(rgb: npt.NDArray[np.uint8]) -> FloatArray:
    """Linear light of sRGB bytes, any shape, 0–1.

    References
    ----------
    IEC 61966-2-1:1999.

    Examples
    --------
    >>> linear_from_srgb(np.array([0, 128, 255], np.uint8)).round(4)
    array([0.    , 0.2159, 1.    ])
    """
    linear: FloatArray = _LINEAR[rgb]
    return linear


def srgb_from_linear(linear: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    """SRGB bytes of linear light, any shape; undoes :func:`linear_from_srgb`, what is out of range is clipped.

    Examples
    --------
    >>> srgb_from_linear([0.0, 0.2159, 1.3])
    array([  0, 128, 255], dtype=uint8)
    """
    light = np.clip(np.asarray(linear, np.float64), 0, 1)
    shown = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.asarray(np.rint(255 * shown), np.uint8)


def lab_from_reflectance(reflectance: npt.ArrayLike) -> FloatArray:
    """CIELAB of reflectances against paper white.

    Parameters
    ----------
    reflectance : array_like of shape (..., 3)
        Linear RGB; white paper is (1, 1, 1).

    Returns
    -------
    ndarray of shape (..., 3), float64
        L 0–100 (above 100 for what is brighter than paper), a, b.

    References
    ----------
    CIE 15:2018, section 8.2.1.

    Examples
    --------
    >>> lab_from_reflectance([1.0, 1.0, 1.0]).round(6) + 0.0
    array([100.,   0.,   0.])
    """
    xyz = np.maximum(np.asarray(reflectance, np.float64), 0) @ _XYZ_FROM_RGB.T
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    lab: FloatArray = f @ _LAB_FROM_F.T
    lab[..., 0] -= 16
    return lab


def reflectance_from_lab(lab: npt.ArrayLike) -> FloatArray:
    """Reflectances (..., 3) of CIELAB values (..., 3); undoes :func:`lab_from_reflectance`.

    Examples
    --------
    >>> reflectance_from_lab(lab_from_reflectance([0.5, 0.02, 0.1])).round(9)
    array([0.5 , 0.02, 0.1 ])
    """
    lightness, a, b = np.moveaxis(np.asarray(lab, np.float64), -1, 0)
    fy = (lightness + 16) / 116
    f = np.stack([fy + a / 500, fy, fy - b / 200], -1)
    xyz = np.where(f**3 > 216 / 24389, f**3, (116 * f - 16) * 27 / 24389)
    reflectance: FloatArray = xyz @ np.linalg.inv(_XYZ_FROM_RGB).T
    return reflectance


def strongest(rgb: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The largest of three channels (..., 3): ``rgb.max(-1)``, several times as fast.

    Examples
    --------
    >>> strongest(np.array([[0.1, 0.5, 0.3]]))
    array([0.5])
    """
    largest: npt.NDArray[Any] = np.maximum(np.maximum(rgb[..., 0], rgb[..., 1]), rgb[..., 2])
    return largest


def weakest(rgb: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The least of three channels (..., 3), as :func:`strongest`."""
    least: npt.NDArray[Any] = np.minimum(np.minimum(rgb[..., 0], rgb[..., 1]), rgb[..., 2])
    return least


def delta_e(lab: npt.ArrayLike, other: npt.ArrayLike) -> FloatArray:
    """Colour difference CIEDE2000 of CIELAB values (..., 3), broadcast.

    References
    ----------
    Sharma, Wu & Dalal, The CIEDE2000 color-difference formula, Color Research & Application 30 (2005).

    Examples
    --------
    >>> round(float(delta_e([50, 2.6772, -79.7751], [50, 0, -82.7485])), 4)
    2.0425
    """
    first, second = np.broadcast_arrays(np.asarray(lab, np.float64), np.asarray(other, np.float64))
    difference: FloatArray = np.asarray(deltaE_ciede2000(first, second))  # type: ignore[no-untyped-call]
    return difference


def swatch_lab(swatch: str) -> FloatArray:
    """CIELAB (3,) of a swatch ``"#rrggbb"`` printed on white paper.

    Examples
    --------
    >>> swatch_lab("#ffffff").round(6) + 0.0
    array([100.,   0.,   0.])
    """
    return lab_from_reflectance(linear_from_srgb(np.array(swatch_rgb(swatch), np.uint8)))


def palette_of_swatches(colours: Sequence[Colour], camera: str = "swatches") -> Palette:
    """The palette of a game whose stickers nobody has photographed yet: its swatches, with a wide spread."""
    return Palette(camera, tuple(_entry_of_swatch(colour) for colour in colours))


def drawn_palettes(colours: Sequence[Colour]) -> tuple[Palette, Palette]:
    """The colours in which a board may be drawn on a screen: the game's swatches, and the pure ones next to them.

    Examples
    --------
    >>> pure = drawn_palettes([Colour("Y", "yellow", "#f6cd28")])[1]
    >>> pure.entries[0].centre == palette_of_swatches([Colour("Y", "yellow", "#ffff00")]).entries[0].centre
    True
    """
    pure = [replace(colour, swatch=_pure(colour.swatch)) for colour in colours]
    return palette_of_swatches(colours), palette_of_swatches(pure, "drawing")


def _pure(swatch: str) -> str:
    """The swatch with its hue moved to the next pure colour, at full strength; greys and hues between stay."""
    red, green, blue = (part / 255 for part in swatch_rgb(swatch))
    hue, saturation, _ = colorsys.rgb_to_hsv(red, green, blue)
    nearest = round(hue * 6) / 6
    if saturation < _GREYISH or abs(hue - nearest) > _NEAR_PURE:
        return swatch
    return "#" + "".join(f"{round(255 * part):02x}" for part in colorsys.hsv_to_rgb(nearest, 1, 1))


_GREYISH, _NEAR_PURE = 0.4, 0.07
"""Saturation below which a swatch is grey, and distance of hues, as a share of the circle: orange stays orange."""


def complete(palette: Palette, colours: Sequence[Colour]) -> Palette:
    """A palette with exactly the game's colours, in its order; those it lacks come from their swatches.

    The default palette has never seen this game's stickers: what it has under a letter counts only where that is the
    colour that the game means by it, since B may be blue in one game and black in another.

    Examples
    --------
    >>> spread = ((9.0, 0.0, 0.0), (0.0, 9.0, 0.0), (0.0, 0.0, 9.0))
    >>> default = Palette("default", (PaletteEntry("B", (51.8, 11.5, -46.9), spread, 488),))
    >>> blue, black = Colour("B", "blue", "#2254ac"), Colour("B", "black", "#101010")
    >>> complete(default, [blue]).entries[0].count, complete(default, [black]).entries[0].count
    (488, 0)
    """
    known = {entry.colour: entry for entry in palette.entries}
    if palette.camera == DEFAULT_CAMERA:
        meant = {colour.code: swatch_lab(colour.swatch) for colour in colours}
        known = {
            code: one for code, one in known.items() if code in meant and delta_e(one.centre, meant[code]) < _MEANT
        }
    entries = tuple(known.get(colour.code) or _entry_of_swatch(colour) for colour in colours)
    return Palette(palette.camera, entries, palette.photos, palette.date, palette.version)


_MEANT = 30.0
"""Farthest that a colour of the default palette may lie from the swatch of the game's colour, delta E: plain blue
#0000ff, which many will write, lies 26 from the blue of stickers, white and black 41 and more."""
_WIDE = 15.0
"""Spread of a colour known from its swatch only, per axis of CIELAB."""


def _entry_of_swatch(colour: Colour) -> PaletteEntry:
    """A colour's entry from its swatch."""
    lightness, a, b = swatch_lab(colour.swatch).tolist()
    v = _WIDE**2
    return PaletteEntry(colour.code, (lightness, a, b), ((v, 0.0, 0.0), (0.0, v, 0.0), (0.0, 0.0, v)), 0)


def fill_white(light: FloatArray, paper: npt.NDArray[Any], scales_px: Sequence[float]) -> FloatArray:
    """Paper white at every pixel, from the pixels that show paper.

    Normalised convolution at several scales, finest first: where a fine window holds enough paper its mean stands,
    elsewhere the coarser one shows through. So shade edges stay where they are, and the light on a sticker is that of
    the paper round it.

    Parameters
    ----------
    light : ndarray of shape (H, W, C)
        Linear light.
    paper : ndarray of shape (H, W), bool or float
        Which pixels are paper, or how surely they are, 0–1.
    scales_px : sequence of float
        Standard deviations of the windows, ascending.

    Returns
    -------
    ndarray of shape (H, W, C)
        Linear light of white paper.

    References
    ----------
    Knutsson & Westin, Normalized and differential convolution, CVPR 1993.
    """
    stack = np.concatenate([np.moveaxis(light * paper[..., None], -1, 0), paper[None]]).astype(np.float32)
    sums = stack.sum((1, 2))
    white: FloatArray = np.broadcast_to((sums[:-1] / max(sums[-1], 1e-9))[:, None, None], (len(sums) - 1, *paper.shape))
    for sigma in reversed(scales_px):
        blurred = _blurred(stack, sigma)
        trust = np.clip(blurred[-1] / _ENOUGH_PAPER, 0, 1)
        white = trust * blurred[:-1] / np.maximum(blurred[-1], 1e-9) + (1 - trust) * white
    return np.maximum(np.moveaxis(white, 0, -1), 1e-4)


_ENOUGH_PAPER = 0.08
"""Share of a window that must be paper for its mean to stand alone."""


def _blurred(stack: npt.NDArray[np.float32], sigma: float) -> npt.NDArray[np.float32]:
    """Planes (C, H, W) blurred by a Gaussian; outside there is nothing.

    A wide window changes so slowly that it is reckoned at every few samples only, and drawn straight between them.
    """
    height, width = stack.shape[1:]
    step = max(1, int(sigma / _STEPS_PER_SIGMA))
    down, across = _gaussian(height, sigma, step), _gaussian(width, sigma, step)
    blurred = down @ stack @ across.T
    wide = blurred if step == 1 else _straight(height, step) @ blurred @ _straight(width, step).T
    return np.asarray(wide, np.float32)


_STEPS_PER_SIGMA = 4.0
"""Samples per standard deviation of a window: straight lines between them leave the Gaussian by 1 % at its top."""


@functools.lru_cache(maxsize=64)
def _gaussian(count: int, sigma: float, step: int) -> npt.NDArray[np.float32]:
    """The matrix that blurs a line of samples, for the places of :func:`_every`; its ends lose weight outwards."""
    kernel = np.exp(-0.5 * ((_every(count, step)[:, None] - np.arange(count)) / sigma) ** 2)
    return np.asarray(kernel / (sigma * np.sqrt(2 * np.pi)), np.float32)


@functools.lru_cache(maxsize=64)
def _straight(count: int, step: int) -> npt.NDArray[np.float32]:
    """The matrix that draws straight lines between values at the places of :func:`_every`."""
    return np.asarray(np.maximum(1 - np.abs(np.arange(count)[:, None] - _every(count, step)) / step, 0), np.float32)


def _every(count: int, step: int) -> FloatArray:
    """Every ``step``-th place along a line of samples, both its ends included or passed."""
    return np.arange(0.0, count - 1 + step, step)


def fit_palette(
    samples: Mapping[str, FloatArray], camera: str, photos: Sequence[str], date: str, version: str
) -> Palette:
    """A palette from samples of each colour.

    Few samples tell little of a spread: each is the mean of what they show and of what is usual, which counts like
    ``_USUAL_COUNT`` samples.

    Parameters
    ----------
    samples : mapping of colour code to ndarray of shape (N, 3)
        CIELAB of reflectances, N >= 1; outliers move the centre little, since it is a median.
    camera : str
    photos : sequence of str
        Where the samples come from.
    date, version : str
        ISO date of the photos, and version of the tool.

    Raises
    ------
    ValueError
        If a colour has no samples.
    """
    entries = []
    for code, lab in samples.items():
        if not len(lab):
            raise ValueError(f"no samples of colour {code}")
        scatter = (lab - lab.mean(0)).T @ (lab - lab.mean(0))
        spread = (scatter + _USUAL_COUNT * _USUAL) / (len(lab) - 1 + _USUAL_COUNT)
        entries.append(_entry(code, np.median(lab, axis=0), spread, len(lab)))
    return Palette(camera, tuple(entries), tuple(photos), date, version)


_USUAL = np.diag([4.0, 4.0, 4.0])
_USUAL_COUNT = 4
"""Covariance of one colour's stickers in one photo without glare (rendered), and how many samples it outweighs."""


def merged(old: Palette, new: Palette) -> Palette:
    """A palette of the samples of two, of one camera: as if all had been seen at once.

    Entries keep the old one's order; the date is the later one's, the version the new one's.

    Examples
    --------
    >>> spread = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    >>> red = [Palette("B7", (PaletteEntry("R", (50.0, a, 40.0), spread, 5),), (f"{a}.jpg",)) for a in (60.0, 64.0)]
    >>> merged(*red).entries[0].centre, merged(*red).entries[0].spread[1][1]
    ((50.0, 62.0, 40.0), 5.0)
    """
    mine, others = ({entry.colour: entry for entry in palette.entries} for palette in (old, new))
    entries = tuple(
        _pooled(mine[code], others[code]) if code in mine and code in others else mine.get(code) or others[code]
        for code in dict.fromkeys((*mine, *others))
    )
    photos = tuple(dict.fromkeys((*old.photos, *new.photos)))
    return Palette(old.camera, entries, photos, max(old.date, new.date), new.version)


def _pooled(one: PaletteEntry, other: PaletteEntry) -> PaletteEntry:
    """Mean and covariance of the samples of two entries together."""
    count = one.count + other.count
    share = one.count / count if count else 0.5
    apart = np.array(one.centre) - np.array(other.centre)
    centre = share * np.array(one.centre) + (1 - share) * np.array(other.centre)
    spread = share * np.array(one.spread) + (1 - share) * np.array(other.spread)
    return _entry(one.colour, centre, spread + share * (1 - share) * np.outer(apart, apart), count)


def _entry(code: str, centre: FloatArray, spread: FloatArray, count: int) -> PaletteEntry:
    """An entry to two digits after the point, which is finer than anything seen."""
    lightness, a, b = centre.round(2).tolist()
    rows = [(float(x), float(y), float(z)) for x, y, z in spread.round(2)]
    return PaletteEntry(code, (lightness, a, b), (rows[0], rows[1], rows[2]), count)
