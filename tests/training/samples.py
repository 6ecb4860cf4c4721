"""Windows of single characters as photos show them: faded, blurred, tilted, cut, with bits of what lies beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from poradek_vision.mark.characters import CHARACTERS, NONE, WINDOW_PX, normalise
from training.hands import bent, by_another_pen, middle_lines
from training.pen_strokes import Writer, somebodys
from training.pictures import picture_ink
from training.strokes import drawn, rewritten, written

U8Array = npt.NDArray[np.uint8]
F32Array = npt.NDArray[np.float32]

GLYPH_PX = 96
_FINE_PX = 2 * WINDOW_PX
_HAND_SHARE = 0.35
_FONT_SHARE = 0.13
_PEN_SHARE = 0.8
"""Of the samples by strokes so many are real ones, if there are any."""
_PICTURE_SHARE = 0.3
"""Of the samples of a kind of which there are real pictures."""
_NONE_SHARE = 0.07
_SPOILT_SHARE = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class Bank:
    """Glyphs to make samples from, each (N, 36, 96, 96), and how much of the samples comes from each.

    Attributes
    ----------
    fonts : ndarray
        Of printed fonts.
    hands, lines : ndarray
        Of fonts that look written, and their middle lines.
    hand_share, font_share : float
        Shares of samples; the others are strokes.
    writers : sequence of Writer
        People whose strokes are written anew, besides the ways of writing.
    pictures : mapping of str to ndarray of shape (N, 96, 96)
        Real pictures of some characters.
    """

    fonts: U8Array
    hands: U8Array
    lines: U8Array
    hand_share: float = _HAND_SHARE
    font_share: float = _FONT_SHARE
    writers: Sequence[Writer] = ()
    pictures: Mapping[str, U8Array] = field(default_factory=dict)


def load_bank(
    fonts: Sequence[Path], hands: Sequence[Path], hand_share: float = _HAND_SHARE, font_share: float = _FONT_SHARE
) -> Bank:
    """The glyphs of font files."""
    inks = np.stack([font_glyphs(path) for path in hands])
    lines = np.stack([middle_lines(ink) for ink in inks])
    return Bank(np.stack([font_glyphs(path) for path in fonts]), inks, lines, hand_share, font_share)


def font_glyphs(path: Path) -> U8Array:
    """Ink of every character of a font, shape (36, 96, 96).

    Raises
    ------
    ValueError
        If the font lacks some of them.
    """
    font = ImageFont.truetype(str(path), 72)
    glyphs = np.stack([font_glyph(font, character) for character in CHARACTERS])
    if len({glyph.tobytes() for glyph in glyphs}) < len(CHARACTERS) - 2:  # some draw O as 0 and I as 1
        raise ValueError(f"{path} lacks characters")
    return glyphs


def window(kind: int, bank: Bank, rng: np.random.Generator) -> F32Array:
    """A window with a character of class ``kind``, spoilt at random, not yet normalised."""
    ink = _nothing(bank, rng) if kind == NONE else place(glyph(kind, bank, rng), rng)
    strength = rng.uniform(0.2, 0.95)
    return spoil(ink, strength, bank, rng)


def sample(count: int, bank: Bank, seed: int) -> tuple[npt.NDArray[np.float16], npt.NDArray[np.int64]]:
    """Normalised windows (count, 32, 32) and their classes."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(len(CHARACTERS), size=count)
    kinds[rng.random(count) < _NONE_SHARE] = NONE
    windows = np.empty((count, WINDOW_PX, WINDOW_PX), np.float16)
    for k, kind in enumerate(kinds):
        windows[k] = normalise(window(int(kind), bank, rng)[None])[0]
    return windows, kinds


def font_glyph(font: ImageFont.FreeTypeFont, character: str) -> U8Array:
    """A character of a font, its longer side 72 % of the picture."""
    left, top, right, bottom = font.getbbox(character)
    if right <= left or bottom <= top:
        raise ValueError(f"no {character}")
    picture = Image.new("L", (int(right - left) + 4, int(bottom - top) + 4))
    ImageDraw.Draw(picture).text((2 - left, 2 - top), character, 255, font)
    ink = np.asarray(picture)
    ys, xs = np.nonzero(ink > 127)
    if not len(ys):
        raise ValueError(f"no {character}")
    ink = ink[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    scale = 0.72 * GLYPH_PX / max(ink.shape)
    ink = cv2.resize(ink, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    framed = np.zeros((GLYPH_PX, GLYPH_PX), np.uint8)
    y, x = (GLYPH_PX - ink.shape[0]) // 2, (GLYPH_PX - ink.shape[1]) // 2
    framed[y : y + ink.shape[0], x : x + ink.shape[1]] = ink
    return framed


def glyph(kind: int, bank: Bank, rng: np.random.Generator) -> U8Array:
    """Ink (96, 96) of a character: strokes, a written font's by this or another pen, or a printed font's; all bent."""
    pictures = bank.pictures.get(CHARACTERS[kind], ())
    if len(pictures) and rng.random() < _PICTURE_SHARE:
        return picture_ink(pictures[rng.integers(len(pictures))], rng)
    way = rng.random()
    strength = rng.gamma(2.0, 0.008)
    if way < bank.hand_share:
        hand = rng.integers(len(bank.hands))
        if rng.random() < 0.35:
            return bent(bank.hands[hand, kind], strength, rng)
        return by_another_pen(bent(bank.lines[hand, kind], strength, rng), rng)
    if way < bank.hand_share + bank.font_share:
        return bent(thicker_or_thinner(bank.fonts[rng.integers(len(bank.fonts)), kind], rng), strength, rng)
    width = rng.uniform(0.035, 0.17) if rng.random() < 0.7 else rng.uniform(0.12, 0.32)  # a ballpoint to a fat marker
    ink = drawn(_strokes(CHARACTERS[kind], bank, rng), width, GLYPH_PX, rng)
    if rng.random() < 0.2:
        ink = _by_broad_nib(ink, rng)
    return bent(ink, strength, rng) if rng.random() < 0.6 else ink


def _strokes(mark: str, bank: Bank, rng: np.random.Generator) -> list[npt.NDArray[np.float64]]:
    """The strokes of a character, in a way of writing or somebody's, written anew."""
    if bank.writers and rng.random() < _PEN_SHARE:
        return rewritten(somebodys(mark, bank.writers, rng), rng)
    return written(mark, rng)


def _by_broad_nib(ink: U8Array, rng: np.random.Generator) -> U8Array:
    """Ink drawn wider along one slant, as a chisel-shaped marker does."""
    angle, reach = rng.uniform(0, np.pi), rng.uniform(1, 5)
    along = reach * np.array([np.cos(angle), np.sin(angle)])
    nib = np.zeros((11, 11), np.uint8)
    cv2.line(nib, np.rint(5 - along).astype(int).tolist(), np.rint(5 + along).astype(int).tolist(), 1)
    return cv2.dilate(ink, nib)


def thicker_or_thinner(ink: U8Array, rng: np.random.Generator) -> U8Array:
    """Ink as it is, or a little thicker or thinner."""
    size, change = int(rng.integers(1, 6)), rng.random()
    if change < 0.25:
        return cv2.dilate(ink, np.ones((size, size), np.uint8))
    if change < 0.35 and size < 4:
        return cv2.erode(ink, np.ones((size, size), np.uint8))
    return ink


def place(ink: U8Array, rng: np.random.Generator, scale: float | None = None) -> F32Array:
    """Turn, tilt, stretch and shift a glyph into a fine window (64, 64)."""
    if scale is None:
        scale = 0.66 * np.exp(rng.normal(0, 0.17)) if rng.random() < 0.8 else rng.uniform(0.38, 0.95)
    angle = np.deg2rad(np.clip(rng.normal(0, 12), -32, 32))
    squeeze = np.exp(rng.normal(0, 0.17))
    side = scale * _FINE_PX / (0.72 * GLYPH_PX)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    shear = np.array([[squeeze, rng.normal(0, 0.13)], [0, 1 / squeeze]])
    linear = side * turn @ shear
    middle = _FINE_PX / 2 + rng.normal(0, 0.05 * _FINE_PX, 2)
    to_window = np.eye(3)
    to_window[:2, :2] = linear
    to_window[:2, 2] = middle - linear @ np.full(2, GLYPH_PX / 2)
    to_window[2, :2] = rng.normal(0, 0.0006, 2)
    return cv2.warpPerspective(ink, to_window, (_FINE_PX, _FINE_PX), flags=cv2.INTER_AREA).astype(np.float32) / 255


def spoil(ink: F32Array, strength: float, bank: Bank, rng: np.random.Generator) -> F32Array:
    """Fade, cover, dirty, blur and reduce a fine window, most of them; darkness of shape (32, 32)."""
    spoilt = rng.random() < _SPOILT_SHARE

    def may(chance: float) -> bool:
        return spoilt and rng.random() * _SPOILT_SHARE < chance

    dark = ink * strength
    if may(0.15):
        dark *= 1 - 0.6 * _smooth(_FINE_PX, 6, rng)
    if may(0.06):
        dark[_half_plane(rng.uniform(0.1, 0.4) * _FINE_PX, rng)] = 0
    if may(0.15):
        _edge(dark, rng)
    if may(0.05):
        dark = np.maximum(dark, strength * _beside(bank, rng))
    if may(0.04):
        _ring(dark, strength, rng)
    if may(0.05):
        _underline(dark, strength, rng)
    if may(0.2):
        dark = dark + rng.uniform(0, 0.25) * (_smooth(_FINE_PX, 14, rng) - 0.5)
    if may(0.06):
        dark *= 1 - _spot(rng)
    dark = _blurred(dark, spoilt, rng)
    small = cv2.resize(dark.astype(np.float32), (WINDOW_PX, WINDOW_PX), interpolation=cv2.INTER_AREA)
    grain = rng.normal(0, 1, small.shape).astype(np.float32)
    if rng.random() < 0.6:
        grain = cv2.GaussianBlur(grain, (0, 0), rng.uniform(0.5, 1.6)) * 2
    noisy = small + strength * rng.uniform(0, 0.48 if spoilt else 0.3) ** 2 * grain
    if rng.random() < 0.3:  # phones sharpen
        noisy += rng.uniform(0.2, 1.0) * (noisy - cv2.GaussianBlur(noisy, (0, 0), rng.uniform(0.8, 2.0)))
    return noisy


def _beside(bank: Bank, rng: np.random.Generator) -> F32Array:
    """A part of another character that reaches into a window, 0 to 1."""
    shift = rng.choice([-1, 1]) * rng.uniform(0.6, 0.85) * _FINE_PX
    moved = place(glyph(int(rng.integers(NONE)), bank, rng), rng)
    by = (shift, rng.normal(0, 6)) if rng.random() < 0.5 else (rng.normal(0, 6), shift)
    return cv2.warpAffine(moved, np.array([[1, 0, by[0]], [0, 1, by[1]]]), moved.shape)


def _nothing(bank: Bank, rng: np.random.Generator) -> F32Array:
    """Ink that is no character: none at all, dots, scratches, pieces of characters at the rim."""
    dark = np.zeros((_FINE_PX, _FINE_PX), np.float32)
    way = rng.random()
    if way < 0.3:
        return dark
    if way < 0.5:
        for _ in range(int(rng.integers(1, 5))):
            at = rng.integers(6, _FINE_PX - 6, 2).tolist()
            cv2.circle(dark, at, int(rng.integers(1, 5)), 1.0, -1, cv2.LINE_AA)
        return dark
    if way < 0.65:
        for _ in range(int(rng.integers(1, 3))):
            _edge(dark, rng)
        return dark
    if way < 0.8:
        points = np.cumsum(rng.normal(0, 14, (int(rng.integers(5, 14)), 2)), 0)
        points = (points - points.mean(0)) * 0.8 + _FINE_PX / 2
        cv2.polylines(dark, [np.rint(points).astype(np.int32)], False, 1.0, int(rng.integers(1, 6)), cv2.LINE_AA)
        return dark
    return np.maximum(dark, np.maximum(_beside(bank, rng), _beside(bank, rng) * (rng.random() < 0.5)))


def _smooth(size: int, coarse: float, rng: np.random.Generator) -> F32Array:
    """Smooth noise from 0 to 1; ``coarse`` px from hill to hill."""
    count = max(round(size / coarse), 2)
    hills = rng.random((count, count)).astype(np.float32)
    return np.clip(cv2.resize(hills, (size, size), interpolation=cv2.INTER_CUBIC), 0, 1)


def _half_plane(reach: float, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """What lies farther than ``reach`` px from the middle on one side."""
    angle = rng.uniform(0, 2 * np.pi)
    y, x = np.mgrid[:_FINE_PX, :_FINE_PX] - _FINE_PX / 2
    return x * np.cos(angle) + y * np.sin(angle) > max(reach, 0.25 * _FINE_PX)


def _edge(dark: F32Array, rng: np.random.Generator) -> None:
    """The dark edge of a sticker, or a line of the grid, near the rim."""
    angle, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.36, 0.5) * _FINE_PX
    normal = np.array([np.cos(angle), np.sin(angle)])
    foot = _FINE_PX / 2 + reach * normal
    along = np.array([-normal[1], normal[0]]) * 2 * _FINE_PX
    ends = np.rint([foot - along * rng.uniform(0.02, 1), foot + along * rng.uniform(0.02, 1)]).astype(int)
    cv2.line(dark, ends[0].tolist(), ends[1].tolist(), rng.uniform(0.2, 1.0), int(rng.integers(1, 8)), cv2.LINE_AA)


def _ring(dark: F32Array, strength: float, rng: np.random.Generator) -> None:
    """A circle drawn round the character."""
    axes = np.rint(rng.uniform(0.42, 0.52, 2) * _FINE_PX).astype(int).tolist()
    middle = np.rint(_FINE_PX / 2 + rng.normal(0, 2, 2)).astype(int).tolist()
    cv2.ellipse(dark, middle, axes, 0, rng.uniform(0, 60), 360, strength, int(rng.integers(1, 5)), cv2.LINE_AA)


def _underline(dark: F32Array, strength: float, rng: np.random.Generator) -> None:
    """A line drawn under the character."""
    y = rng.uniform(0.87, 0.97) * _FINE_PX
    ends = np.rint([[rng.uniform(0, 15), y + rng.normal(0, 2)], [_FINE_PX - rng.uniform(0, 15), y]]).astype(int)
    cv2.line(dark, ends[0].tolist(), ends[1].tolist(), strength, int(rng.integers(1, 6)), cv2.LINE_AA)


def _spot(rng: np.random.Generator) -> F32Array:
    """A glare that washes ink out, 0 to 1."""
    y, x = np.mgrid[:_FINE_PX, :_FINE_PX].astype(np.float32)
    at, wide = rng.uniform(0.2, 0.8, 2) * _FINE_PX, rng.uniform(0.1, 0.25) * _FINE_PX
    return rng.uniform(0.4, 1) * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * wide**2))


def _blurred(dark: F32Array, spoilt: bool, rng: np.random.Generator) -> F32Array:
    """A little out of focus; if ``spoilt``, now and then a lot, or moved."""
    far = spoilt and rng.random() < 0.4
    dark = cv2.GaussianBlur(dark, (0, 0), rng.uniform(2.2, 5.0) if far else rng.uniform(0.5, 2.2))
    if spoilt and rng.random() < 0.2:
        length = int(rng.integers(3, 12))
        kernel = np.zeros((length, length), np.float32)
        angle = rng.uniform(0, np.pi)
        reach = np.array([np.cos(angle), np.sin(angle)]) * (length - 1) / 2
        ends = np.rint([(length - 1) / 2 - reach, (length - 1) / 2 + reach]).astype(int)
        cv2.line(kernel, ends[0].tolist(), ends[1].tolist(), 1.0)
        dark = cv2.filter2D(dark, -1, kernel / kernel.sum())
    return dark
