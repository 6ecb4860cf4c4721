"""Phones that see colours each their own way, lights that a camp has, and sets of stickers: what calibration is for."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from poradek_vision.model import DEFAULT_COLOURS, Colour, Game
from synth.album import Phone
from synth.look import PIGMENTS, Clutter, Develop, GroundKind, LightLook, Look, PaperLook, Rgb, StickerLook, View

CampLight = Literal["sun", "shade", "dusk", "lamp", "flash"]

_MIXES: dict[Phone, tuple[float, float]] = {
    Phone("Tarn", "One"): (9.0, 1.1),
    Phone("Ostrov", "3"): (-9.0, 1.05),
    Phone("Kestrel", "Nox 2"): (5.0, 1.35),
    Phone("Aster", "Mini"): (-6.0, 0.75),
}
"""How far each phone turns hues, degrees, and how much it strengthens colours."""

CAMP_PHONES = tuple(_MIXES)
CAMP_LIGHTS: dict[CampLight, tuple[LightLook, Develop]] = {
    "sun": (LightLook("sun", 140, 50, 4.0, 0.2, (0.85, 0.96, 1.2)), Develop(kelvin_error=300)),
    "shade": (LightLook("overcast", ambient=(0.75, 0.95, 1.35)), Develop(awb=0.6, kelvin_error=-600)),
    "dusk": (LightLook("dusk", ambient=(0.82, 0.93, 1.22)), Develop(awb=0.7, noise=1.8, denoise=0.5, ev=-0.4)),
    "lamp": (LightLook("lamp", 60, 55, 6.0, 0.8, (0.8, 0.92, 1.15)), Develop(awb=0.6, kelvin_error=1200)),
    "flash": (LightLook("flash", 0, 60, 6.0, 0.0, (0.5, 0.53, 0.6)), Develop(awb=0.9, contrast=0.6)),
}
MORE_COLOURS = {
    "O": Colour("O", "oranžová", "#f08020"),
    "P": Colour("P", "růžová", "#f08cb4"),
    "L": Colour("L", "světle modrá", "#78bee6"),
    "D": Colour("D", "tmavě zelená", "#1e6e46"),
    "A": Colour("A", "tmavě modrá", "#1e3282"),
    "E": Colour("E", "světle zelená", "#96d25a"),
    "K": Colour("K", "černá", "#202022"),
    "W": Colour("W", "bílá", "#f4f4f2"),
}
MORE_PIGMENTS: dict[str, tuple[Rgb, Rgb]] = {
    "O": ((246, 140, 40), (236, 110, 24)),
    "P": ((246, 150, 190), (232, 110, 160)),
    "L": ((140, 200, 236), (96, 176, 222)),
    "D": ((36, 116, 74), (16, 88, 56)),
    "A": ((34, 60, 148), (22, 38, 110)),
    "E": ((160, 214, 96), (120, 196, 80)),
    "K": ((40, 40, 42), (22, 22, 24)),
    "W": ((240, 240, 238), (226, 226, 224)),
}


def colour_game(game: Game, codes: str) -> Game:
    """A game with these colours."""
    known = {colour.code: colour for colour in DEFAULT_COLOURS} | MORE_COLOURS
    return replace(game, colours=tuple(known[code] for code in codes))


def sticker_pigments(codes: str, seed: int) -> tuple[tuple[str, Rgb], ...]:
    """What one shop sells: a pigment for each colour."""
    rng = np.random.default_rng([seed, 909])
    ends = PIGMENTS | MORE_PIGMENTS
    return tuple((code, _between(*ends[code], float(rng.uniform(0.1, 0.9)))) for code in codes)


def phone_look(
    phone: Phone, light: CampLight, pigments: tuple[tuple[str, Rgb], ...], seed: int, *, key: bool = False
) -> Look:
    """A look as a leader's photo has it with this phone in this light; the seed places the camera, bends the page."""
    rng = np.random.default_rng([seed, 1010])
    where, developed = CAMP_LIGHTS[light]
    grounds: tuple[GroundKind, ...] = ("planks", "grass", "leaves", "cloth")
    return Look(
        "medium",
        PaperLook((0.8, 0.8, 0.79), rng.uniform(-10, 10), rng.uniform(0, 180), 0.4, crumple_mm=0.1),
        StickerLook("mixed", rng.uniform(0.74, 0.88), 0.06, 8.0, gloss=0.3, key_filled=key, pigments=pigments),
        replace(where, azimuth_deg=rng.uniform(0, 360)),
        View(1512, 2016, rng.uniform(2, 25), rng.uniform(0, 360), rng.uniform(-10, 10), rng.uniform(0.82, 0.94)),
        Clutter(grounds[int(rng.integers(len(grounds)))]),
        replace(
            developed, ev=developed.ev + rng.uniform(-0.15, 0.15), quality=85, mix=hue_mix(*_MIXES[phone]),
            kelvin_error=developed.kelvin_error + rng.uniform(-250, 250), tint=rng.uniform(-0.02, 0.02),
        ),
    )  # fmt: skip


def hue_mix(turn_deg: float, strength: float) -> tuple[Rgb, Rgb, Rgb]:
    """The matrix that turns colours about the grey axis of linear RGB and moves them away from it."""
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    third = np.full((3, 3), 1 / 3)
    across = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]]) / np.sqrt(3)
    rows = third + strength * (c * (np.eye(3) - third) + s * across)
    red, green, blue = ((float(a), float(b), float(g)) for a, b, g in rows)
    return red, green, blue


def _between(first: Rgb, last: Rgb, t: float) -> Rgb:
    red, green, blue = ((1 - t) * a + t * b for a, b in zip(first, last, strict=True))
    return red, green, blue
