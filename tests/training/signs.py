"""Signs that are no character, as on stickers and beside boards: drawn by any pen, or from symbol fonts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import ImageFont

from poradek_vision.mark.characters import WINDOW_PX, normalise
from training.hands import bent, by_another_pen, middle_lines
from training.samples import GLYPH_PX, Bank, font_glyph, place, spoil, thicker_or_thinner
from training.sign_ways import SIGNS
from training.strokes import drawn, drawn_way

U8Array = npt.NDArray[np.uint8]

HELD = ("anchor", "arrow", "at", "bolt", "crown", "flower", "hash", "heart", "house", "key", "square", "tree")
"""What is measured with, where these are not trained on."""
PUNCTUATION = "?#&@%*+="
_RANGES = (
    "2190-2199 21a6-21ad 21e0-21ea 2600-2609 260e-2612 2614-262f 2638-263e 2654-2668 266b-266c 266f-2685 "
    "2692-269d 26a0-26a9 26bd-26cd 26cf-26ef 2701-2704 2706-2712 2719-274b 274f-2754 2763-2767 2794-2795 "
    "2797-27af 27b1-27be 1f300-1f310 1f31b-1f387 1f389-1f3b0 1f3b2-1f3e6 1f3e8-1f4a3 1f4a5-1f4a6 1f4a8-1f4ae "
    "1f4b3-1f4ef 1f5fb-1f640 1f680-1f6a8 1f6ad-1f6bd 1f6bf-1f6c5"
)
_PICTOGRAMS = tuple(
    code
    for first, last in (pair.split("-") for pair in _RANGES.split())
    for code in range(int(first, 16), int(last, 16) + 1)
)
"""Code points of dingbats and of pictures, without what looks like a character, as a single note does."""
_HELD_EVERY = 6
"""Each so many-th pictogram is held."""


@dataclass(frozen=True, slots=True, eq=False)
class SignBank:
    """Signs to make samples from: names in ``SIGNS``, and glyphs (N, 96, 96) of fonts with their middle lines."""

    drawn: Sequence[str]
    glyphs: U8Array
    lines: U8Array


def load_signs(symbols: Sequence[Path], fonts: Sequence[Path], held: bool | None = None) -> SignBank:
    """The signs, pictograms of some fonts and punctuation of others; only those that are ``held`` or not, or all."""
    names = [name for name in SIGNS if held is None or held == (name in HELD)]
    kept = [code for k, code in enumerate(_PICTOGRAMS) if held is None or held == (k % _HELD_EVERY == 0)]
    marks = [mark for k, mark in enumerate(PUNCTUATION) if held is None or held == (k % 3 == 1)]
    glyphs = np.stack(
        [glyph for path in symbols for glyph in _glyphs(path, "".join(map(chr, kept)))]
        + [glyph for path in fonts for glyph in _glyphs(path, "".join(marks))]
    )
    return SignBank(names, glyphs, middle_lines(glyphs))


def _glyphs(path: Path, characters: str) -> list[U8Array]:
    """Those of some characters that a font has."""
    font = ImageFont.truetype(str(path), 72)
    lacking = bytes(font.getmask("\uffff")), bytes(font.getmask("\U000e0fff"))
    return [font_glyph(font, each) for each in characters if bytes(font.getmask(each)) not in (*lacking, b"")]


def sign_glyph(bank: SignBank, rng: np.random.Generator) -> U8Array:
    """Ink (96, 96) of a sign: by a pen, or a font's, by this or another pen; all bent."""
    strength = rng.gamma(2.0, 0.008)
    if rng.random() < _DRAWN_SHARE:
        width = rng.uniform(0.035, 0.17)
        ink = drawn(drawn_way(SIGNS[str(rng.choice(bank.drawn))], rng), width, GLYPH_PX, rng)
        return bent(ink, strength, rng) if rng.random() < 0.6 else ink
    which = rng.integers(len(bank.glyphs))
    if rng.random() < 0.35:
        return bent(thicker_or_thinner(bank.glyphs[which], rng), strength, rng)
    return by_another_pen(bent(bank.lines[which], strength, rng), rng, 12)


_DRAWN_SHARE = 0.6


def sign_sample(count: int, signs: SignBank, bank: Bank, seed: int) -> npt.NDArray[np.float16]:
    """Normalised windows of signs (count, 32, 32), spoilt as those of characters are."""
    rng = np.random.default_rng(seed)
    windows = np.empty((count, WINDOW_PX, WINDOW_PX), np.float16)
    for k in range(count):
        ink = place(sign_glyph(signs, rng), rng)
        ink = np.rot90(ink, rng.integers(1, 4) if rng.random() < _TURNED_SHARE else 0)
        windows[k] = normalise(spoil(ink, rng.uniform(0.2, 0.95), bank, rng)[None])[0]
    return windows


_TURNED_SHARE = 0.25
"""Of the signs that lie on their side or stand on their head: what is beside a board is looked at from four sides."""
