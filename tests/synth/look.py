"""What a synthetic photo looks like: paper, stickers, light, camera and development as plain numbers.

Every number of a picture stands in a :class:`Look`; :func:`random_look` draws one by difficulty. The same seed gives
the same look, and ``dataclasses.replace`` changes one thing at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

Difficulty = Literal["easy", "medium", "hard"]
LightKind = Literal["overcast", "sun", "dapple", "half sun", "dusk", "tent", "lamp", "flash"]
GroundKind = Literal["leaves", "needles", "grass", "planks", "plaid", "gravel", "tarp", "cloth"]
Rgb = tuple[float, float, float]
NO_MIX: tuple[Rgb, Rgb, Rgb] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

GROUNDS: tuple[GroundKind, ...] = ("leaves", "needles", "grass", "planks", "plaid", "gravel", "tarp", "cloth")
LIGHTS: dict[Difficulty, dict[LightKind, float]] = {
    "easy": {"overcast": 5, "sun": 2, "lamp": 1, "dapple": 0.5},
    "medium": {"overcast": 2, "sun": 2, "dapple": 3, "half sun": 2, "dusk": 1, "tent": 1, "lamp": 2, "flash": 1},
    "hard": {"sun": 1, "dapple": 4, "half sun": 3, "dusk": 2, "tent": 2, "lamp": 2, "flash": 2},
}
PIGMENTS: dict[str, tuple[Rgb, Rgb]] = {
    "R": ((228, 66, 36), (172, 20, 52)),
    "Y": ((246, 230, 58), (246, 184, 32)),
    "G": ((104, 188, 70), (20, 104, 58)),
    "B": ((66, 146, 214), (26, 50, 132)),
}
"""sRGB ends of the range in which each colour's pigment lies: orange-red to crimson, lemon to amber, …"""


@dataclass(frozen=True, slots=True)
class Fold:
    """A crease across the page: direction of its normal, place in shares of the page from its centre, bend."""

    normal_deg: float
    at: float
    angle_deg: float


@dataclass(frozen=True, slots=True)
class PaperLook:
    """The page's colour (linear light) and shape."""

    white: Rgb = (0.80, 0.80, 0.80)
    bend_deg: float = 0.0
    bend_dir_deg: float = 0.0
    bend_end: float = 0.0
    """0 bends the page evenly, 1 only its far end (a curled-up edge)."""
    folds: tuple[Fold, ...] = ()
    crumple_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class StickerLook:
    """Shape, size (in cells), placing, wear and gloss of the stickers; pigments are sRGB 0–255."""

    shape: Literal["square", "round", "mixed", "any"] = "square"
    size: float = 0.85
    offset: float = 0.05
    turn_deg: float = 6.0
    over: float = 0.0
    torn: float = 0.0
    faded: float = 0.0
    gloss: float = 0.0
    marks: Literal["pen", "aruco"] = "pen"
    key_filled: bool = True
    pigments: tuple[tuple[str, Rgb], ...] = tuple(
        (code, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2)) for code, (a, b) in PIGMENTS.items()
    )


@dataclass(frozen=True, slots=True)
class LightLook:
    """Where the light comes from. ``strength`` of the sun, lamp or flash is relative to the ambient light."""

    kind: LightKind = "overcast"
    azimuth_deg: float = 40.0
    elevation_deg: float = 55.0
    strength: float = 0.0
    warmth: float = 0.0
    """0 white, 1 as yellow as a bulb: of the sun, lamp or flash."""
    ambient: Rgb = (1.0, 1.0, 1.0)
    dapple_mm: float = 30.0
    softness_mm: float = 3.0


@dataclass(frozen=True, slots=True)
class View:
    """The camera's pose, lens and frame. ``fill`` is the share of the frame that the sheets take."""

    width: int = 1500
    height: int = 2000
    tilt_deg: float = 0.0
    azimuth_deg: float = 0.0
    roll_deg: float = 0.0
    fill: float = 0.86
    focal_mm: float = 26.0
    """35-mm equivalent."""
    k1: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)
    frame: Literal["page", "grid"] = "page"
    """What must be inside the photo."""


@dataclass(frozen=True, slots=True)
class Clutter:
    """What lies on or beside the sheet."""

    ground: GroundKind | str = "planks"
    """Its kind, or the file of a photograph of one."""
    thumbs: int = 0
    leaves: int = 0
    pins: int = 0
    dirt: float = 0.0
    hidden_tags: int = 0


@dataclass(frozen=True, slots=True)
class Develop:
    """From scene light to the file's pixels. Blurs are in cells, so that they hurt all sizes alike."""

    ev: float = 0.0
    kelvin_error: float = 0.0
    tint: float = 0.0
    awb: float = 0.9
    """Which share of the light's own colour the white balance takes out."""
    contrast: float = 0.4
    saturation: float = 1.1
    local: float = 0.1
    noise: float = 0.3
    denoise: float = 0.2
    sharpen: float = 0.4
    defocus_cells: float = 0.004
    motion_cells: float = 0.0
    motion_deg: float = 0.0
    vignette: float = 0.1
    veil: float = 0.004
    quality: int = 90
    subsampling: Literal[0, 1, 2] = 2
    mix: tuple[Rgb, Rgb, Rgb] = NO_MIX
    """What the phone makes of red, green and blue: rows add up to 1, so that white stays white."""


@dataclass(frozen=True, slots=True)
class Look:
    """All that a photo looks like apart from what is on the boards."""

    difficulty: Difficulty = "easy"
    paper: PaperLook = field(default_factory=PaperLook)
    stickers: StickerLook = field(default_factory=StickerLook)
    light: LightLook = field(default_factory=LightLook)
    view: View = field(default_factory=View)
    clutter: Clutter = field(default_factory=Clutter)
    develop: Develop = field(default_factory=Develop)


def random_look(seed: int, difficulty: Difficulty) -> Look:
    """Draw a look: the same seed and difficulty give the same one."""
    level = ("easy", "medium", "hard").index(difficulty)
    rng = np.random.default_rng([seed, 101])
    light = _light(rng, difficulty)
    return Look(
        difficulty, _paper(rng, level), _stickers(rng, level), light, _view(rng, level), _clutter(rng, level),
        _develop(rng, level, light.kind),
    )  # fmt: skip


def _chance(rng: np.random.Generator, share: float) -> bool:
    return bool(rng.random() < share)


def _uniform(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def _paper(rng: np.random.Generator, level: int) -> PaperLook:
    white = np.clip(rng.uniform(0.74, 0.86) * np.array([1.0, 0.995, 0.98]) ** rng.uniform(-1, 3), 0, 0.9)
    folds = tuple(
        Fold(90.0 * axis + _uniform(rng, -4, 4), _uniform(rng, -0.25, 0.25), _uniform(rng, 2, (0, 9, 16)[level]))
        for axis in rng.permutation(2)[: rng.integers(0, level + 1)]
    )
    most = (7, 22, 40)[level]
    return PaperLook(
        (float(white[0]), float(white[1]), float(white[2])),
        _uniform(rng, -most, most),
        _uniform(rng, 0, 180),
        _uniform(rng, 0, 1),
        folds,
        _uniform(rng, 0, (0.1, 0.6, 1.6)[level]),
    )


def _stickers(rng: np.random.Generator, level: int) -> StickerLook:
    pigments = []
    for code, (a, b) in PIGMENTS.items():
        t = rng.beta(1.3 + 2 * (level == 0), 1.3 + 2 * (level == 0))
        r, g, blue = np.clip(np.array(a) * (1 - t) + np.array(b) * t + rng.normal(0, 3, 3), 8, 250)
        pigments.append((code, (float(r), float(g), float(blue))))
    return StickerLook(
        ("square", "round", "mixed")[int(rng.integers(3))],
        _uniform(rng, (0.74, 0.66, 0.6)[level], (0.9, 0.98, 1.05)[level]),
        (0.04, 0.09, 0.13)[level],
        (5.0, 14.0, 30.0)[level],
        (0.0, 0.04, 0.1)[level],
        (0.0, 0.02, 0.06)[level],
        (0.0, 0.04, 0.12)[level],
        _uniform(rng, 0, (0.25, 0.7, 1.0)[level]) if _chance(rng, 0.6) else 0.0,
        "pen" if _chance(rng, 0.6) else "aruco",
        _chance(rng, 0.55),
        tuple(pigments),
    )


def _light(rng: np.random.Generator, difficulty: Difficulty) -> LightLook:
    kinds = LIGHTS[difficulty]
    weights = np.array(list(kinds.values()))
    kind = list(kinds)[int(rng.choice(len(kinds), p=weights / weights.sum()))]
    azimuth, elevation = _uniform(rng, 0, 360), _uniform(rng, 28, 68)
    strength, warmth, ambient = {
        "overcast": (0.0, 0.0, (1.0, 1.0, 1.03)),
        "sun": (_uniform(rng, 2.5, 6), _uniform(rng, 0.05, 0.3), (0.85, 0.96, 1.2)),
        "dapple": (_uniform(rng, 2, 6), _uniform(rng, 0.05, 0.35), (0.88, 1.0, 1.05)),
        "half sun": (_uniform(rng, 2, 6), _uniform(rng, 0.05, 0.35), (0.8, 0.95, 1.25)),
        "dusk": (0.0, 0.0, (0.82, 0.93, 1.22)),
        "tent": (_uniform(rng, 0.0, 0.6), 0.2, _tent_colour(rng)),
        "lamp": (_uniform(rng, 4, 12), _uniform(rng, 0.6, 1.0), (0.8, 0.92, 1.15)),
        "flash": (_uniform(rng, 3, 9), 0.0, (0.9, 0.95, 1.1)),
    }[kind]
    return LightLook(
        kind, azimuth, elevation, strength, warmth, ambient, _uniform(rng, 12, 60), _uniform(rng, 1.0, 7.0)
    )


def _tent_colour(rng: np.random.Generator) -> Rgb:
    """The colour of light through a tent's cloth: green, orange, blue, khaki."""
    cloths = ((0.7, 1.1, 0.62), (1.3, 0.88, 0.5), (0.62, 0.92, 1.4), (1.15, 1.0, 0.62))
    r, g, b = np.array(cloths[int(rng.integers(4))]) ** rng.uniform(0.5, 1.1)
    return float(r), float(g), float(b)


def _view(rng: np.random.Generator, level: int) -> View:
    wide = _chance(rng, 0.25)
    long, short = ((2000, 1500), (2016, 1512), (2304, 1728), (2560, 1440))[int(rng.integers(4))]
    roll = (
        _uniform(rng, -8, 8)
        if level == 0
        else _uniform(rng, -25, 25) + (90 * int(rng.integers(4)) if _chance(rng, 0.4) else 0)
    )
    return View(
        long if wide else short,
        short if wide else long,
        _uniform(rng, 0, 18) if level == 0 else _uniform(rng, 4, (0, 36, 58)[level]),
        _uniform(rng, 0, 360),
        roll,
        _uniform(rng, (0.8, 0.68, 0.6)[level], 0.96),
        _uniform(rng, 24, 30),
        _uniform(rng, -0.03, 0.03),
        (_uniform(rng, -0.5, 0.5), _uniform(rng, -0.5, 0.5)),
        "grid" if _chance(rng, (0.1, 0.2, 0.3)[level]) else "page",
    )  # fmt: skip


def _clutter(rng: np.random.Generator, level: int) -> Clutter:
    return Clutter(
        GROUNDS[int(rng.integers(len(GROUNDS)))],
        int(rng.integers(0, 1 + level)) if _chance(rng, 0.6) else 0,
        int(rng.integers(0, (1, 4, 8)[level])),
        4 if _chance(rng, 0.4) else 0,
        _uniform(rng, 0, (0.1, 0.5, 1)[level]),
        int(rng.integers(1, 4)) if level == 2 and _chance(rng, 0.3) else 0,
    )


def _develop(rng: np.random.Generator, level: int, light: LightKind) -> Develop:
    wrong = (700, 1900, 3000)[level]
    noise = _uniform(rng, 0.1, (0.6, 1.2, 1.8)[level]) + (1.2 if light == "dusk" else 0)
    return Develop(
        _uniform(rng, -0.4, 0.3) if level < 2 else _uniform(rng, -0.9, 0.55),
        _uniform(rng, -wrong, wrong),
        _uniform(rng, -0.06, 0.06) * (level + 1) / 2,
        _uniform(rng, (0.9, 0.7, 0.4)[level], 1.0),
        _uniform(rng, 0.2, 0.8),
        _uniform(rng, 0.95, 1.3),
        _uniform(rng, 0, 0.25),
        noise,
        _uniform(rng, 0, 0.8),
        _uniform(rng, 0.1, 0.9),
        _uniform(rng, 0.003, (0.01, 0.02, 0.035)[level]),
        _uniform(rng, 0, (0.0, 0.05, 0.1)[level]) if _chance(rng, 0.5) else 0.0,
        _uniform(rng, 0, 180),
        _uniform(rng, 0, 0.35),
        _uniform(rng, 0.001, (0.01, 0.02, 0.05)[level]),
        int(rng.integers((80, 65, 50)[level], 96)),
        (2, 2, 0)[int(rng.integers(3))],  # type: ignore[arg-type]
    )
