"""What the sheet lies on: procedural textures, linear light, seen from straight above.

A ground is a square texture of SIDE_PX pixels, SIDE_MM wide, repeated by reflection. A photograph can be one, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray
from synth.look import GroundKind
from synth.page import linear

Texture = npt.NDArray[np.float32]
Picture = npt.NDArray[np.uint8]
SIDE_PX, SIDE_MM = 1500, 900.0
_PX_PER_MM = SIDE_PX / SIDE_MM


def paint_ground(kind: GroundKind | str, rng: np.random.Generator) -> Texture:
    """The texture of a ground, or of a piece of the photograph in a file, (SIDE_PX, SIDE_PX, 3) float32."""
    picture = _PAINTERS[kind](rng) if kind in _PAINTERS else _photographed(Path(kind), rng)
    return linear(np.arange(256)).astype(np.float32)[picture]


def photographs(folder: Path) -> list[Path]:
    """The pictures in a folder that can be grounds, by name."""
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() in _PICTURES)
    if not found:
        raise ValueError(f"{folder}: no {', '.join(_PICTURES)} in it")
    return found


def one_of(grounds: Sequence[Path], seed: int) -> str:
    """The photograph that a photo of this seed is laid on."""
    return str(grounds[int(np.random.default_rng([seed, 707]).integers(len(grounds)))])


_PICTURES = (".jpg", ".jpeg", ".png", ".webp")


def _photographed(path: Path, rng: np.random.Generator) -> Picture:
    """A square piece of a photograph, two fifths of its shorter side or more."""
    whole = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    if whole is None:
        raise ValueError(f"{path}: no picture")
    side = round(rng.uniform(0.4, 1) * min(whole.shape[:2]))
    top, left = (int(rng.integers(room - side + 1)) for room in whole.shape[:2])
    piece = whole[top : top + side, left : left + side, ::-1]
    smaller = cv2.INTER_AREA if side > SIDE_PX else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(piece, (SIDE_PX, SIDE_PX), interpolation=smaller), np.uint8)


def noise(rng: np.random.Generator, size_px: tuple[float, float]) -> Texture:
    """Smooth noise in -1 … 1, stretched to the grain's size (x, y) in pixels."""
    small = (max(2, round(SIDE_PX / size_px[1])), max(2, round(SIDE_PX / size_px[0])))
    coarse = rng.uniform(-1, 1, small).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_CUBIC), np.float32)


def leaf_outline(rng: np.random.Generator, length: float) -> FloatArray:
    """The outline of a leaf about the origin, (N, 2): a beech's oval or a maple's lobes, turned at random."""
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    if rng.random() < 0.6:
        points = np.stack([np.cos(angle), rng.uniform(0.35, 0.6) * np.sin(angle) * (1 - 0.35 * np.cos(angle))], 1)
    else:
        reach = 0.66 + 0.28 * np.cos(5 * angle) + 0.09 * np.cos(15 * angle)
        points = np.stack([reach * np.cos(angle), reach * np.sin(angle)], 1)
    points = points * (1 + rng.normal(0, 0.03, (40, 1))) * length / 2
    turn = rng.uniform(0, 2 * np.pi)
    return points @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])


def _shade(picture: npt.ArrayLike, factor: Texture) -> Picture:
    """A picture, or one colour, times a field of brightness."""
    return np.clip(np.asarray(picture, np.float32) * factor[..., None], 0, 255).astype(np.uint8)


def _grain(rng: np.random.Generator, picture: Picture, strength: float) -> Picture:
    """Fine noise over a picture."""
    fine = rng.normal(1, strength, picture.shape[:2]).astype(np.float32)
    return _shade(picture, cv2.GaussianBlur(fine, (0, 0), 0.7) * 1.0)


def _flat(rng: np.random.Generator, colour: tuple[float, float, float], depth: float, size_px: float) -> Picture:
    """One colour with smooth clouds."""
    return _shade(np.array(colour), 1 + depth * noise(rng, (size_px, size_px)))


def _leaf_litter(rng: np.random.Generator) -> Picture:
    """Fallen leaves over needles, the lower ones darker."""
    picture = _needles(rng)
    tones = np.array([[120, 72, 34], [150, 96, 42], [92, 58, 34], [168, 120, 52], [86, 92, 40], [134, 60, 30]])
    for layer in range(7):
        leaves = [leaf_outline(rng, rng.uniform(30, 85) * _PX_PER_MM) + rng.uniform(0, SIDE_PX, 2) for _ in range(60)]
        picture = _shade(picture, 1 - 0.8 * _shadow_of(leaves))
        for points in leaves:
            tone = tones[rng.integers(len(tones))] * rng.uniform(0.55, 1.1) * (0.5 + 0.5 * layer / 6)
            cv2.fillPoly(picture, [_fixed(points)], tone.tolist(), cv2.LINE_AA, 4)
            _veins(picture, points, tone)
    return _grain(rng, _shade(picture, 1 + 0.18 * noise(rng, (14, 14))), 0.1)


def _fixed(points: FloatArray) -> npt.NDArray[np.int32]:
    """Points as OpenCV draws them: in sixteenths of a pixel."""
    return np.round(points * 16).astype(np.int32)


def _shadow_of(leaves: list[FloatArray]) -> Texture:
    """The soft shadow that a layer of leaves throws on what lies below, 0–1."""
    mask = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    for points in leaves:
        cv2.fillPoly(mask, [_fixed(points + 4)], 255, cv2.LINE_AA, 4)
    return cv2.GaussianBlur(mask, (0, 0), 5).astype(np.float32) / 255


def _veins(picture: Picture, points: FloatArray, tone: FloatArray) -> None:
    """A leaf's midrib and side veins."""
    tip, stem = points[0], points[len(points) // 2]
    lines = [np.stack([tip, stem])]
    for share in (0.25, 0.5, 0.75):
        on = tip + share * (stem - tip)
        lines += [np.stack([on, on + 0.6 * (points[k] - on)]) for k in (int(20 * share), int(40 - 20 * share) - 1)]
    for line in lines:
        cv2.polylines(picture, [_fixed(line)], False, (tone * 1.25).tolist(), 1, cv2.LINE_AA, 4)


def _strokes(
    rng: np.random.Generator, picture: Picture, count: int, length_mm: tuple[float, float], tones: npt.ArrayLike
) -> None:
    """Thin curved strokes: needles, blades of grass, twigs; the later the lighter."""
    palette = np.asarray(tones, np.float64)
    start = rng.uniform(0, SIDE_PX, (count, 2))
    angle, bend = rng.uniform(0, 2 * np.pi, count), rng.normal(0, 0.6, count)
    length = rng.uniform(*length_mm, count) * _PX_PER_MM
    turned = angle[:, None] + bend[:, None] * np.linspace(0, 1, 5)
    steps = np.stack([np.cos(turned), np.sin(turned)], -1) * (length[:, None, None] / 5)
    lines = np.concatenate([start[:, None], start[:, None] + np.cumsum(steps, 1)], 1)
    for k, line in enumerate(_fixed(lines)):
        tone = palette[rng.integers(len(palette))] * (0.4 + 0.8 * k / count)
        cv2.polylines(picture, [line], False, tone.tolist(), int(rng.integers(1, 4)), cv2.LINE_AA, 4)


def _needles(rng: np.random.Generator) -> Picture:
    """Dry needles and twigs on dark soil."""
    picture = _flat(rng, (58, 42, 28), 0.4, 30)
    _strokes(rng, picture, 3600, (25, 70), [[124, 86, 48], [96, 66, 40], [150, 110, 62], [70, 74, 40]])
    return _grain(rng, picture, 0.08)


def _grass(rng: np.random.Generator) -> Picture:
    """A meadow, with clover and dry blades."""
    picture = _flat(rng, (32, 52, 18), 0.4, 40)
    _strokes(rng, picture, 5200, (30, 95), [[70, 112, 36], [92, 132, 48], [56, 92, 34], [140, 132, 70], [108, 146, 60]])
    return _grain(rng, picture, 0.06)


def _planks(rng: np.random.Generator) -> Picture:
    """Boards of a table or a floor, with grain and dark gaps."""
    base = np.array([[168, 118, 70], [126, 84, 52], [150, 140, 126], [196, 160, 108]][int(rng.integers(4))])
    field = 1 + 0.16 * noise(rng, (400, 7)) + 0.09 * noise(rng, (160, 2.5)) + 0.07 * noise(rng, (300, 60))
    wide = round(rng.uniform(80, 150) * _PX_PER_MM)
    for top in range(0, SIDE_PX, wide):
        field[top : top + wide] = np.roll(field[top : top + wide], int(rng.integers(SIDE_PX)), 1) * rng.uniform(
            0.85, 1.1
        )
        field[top : top + 5] *= np.array([0.5, 0.2, 0.15, 0.2, 0.6], np.float32)[: SIDE_PX - top, None]
    return _grain(rng, _shade(base, field), 0.04)


def _plaid(rng: np.random.Generator) -> Picture:
    """A woollen blanket: the same coloured stripes along and across, woven."""
    tones = np.array([[28, 46, 110], [150, 30, 34], [190, 150, 40], [30, 84, 52], [60, 30, 70], [130, 130, 126]])
    order = rng.permutation(len(tones))[:4]
    stripe = np.zeros((SIDE_PX, 3))
    at = 0
    while at < SIDE_PX:
        wide = int(rng.choice([14, 40, 90, 160]) * _PX_PER_MM * rng.uniform(0.6, 1))
        stripe[at : at + wide] = tones[rng.choice(order)]
        at += wide
    weave = ((np.add.outer(np.arange(SIDE_PX), np.arange(SIDE_PX)) // 3) % 2)[..., None]
    cloth = np.where(weave, stripe[:, None], stripe[None])
    cloth = cv2.GaussianBlur(cloth.astype(np.float32), (0, 0), 1.6)
    return _grain(rng, _shade(cloth, 1 + 0.14 * noise(rng, (4, 4)) + 0.08 * noise(rng, (120, 120))), 0.1)


def _gravel(rng: np.random.Generator) -> Picture:
    """Pebbles."""
    picture = _flat(rng, (84, 78, 70), 0.3, 12)
    for _ in range(5200):
        x, y = rng.integers(0, SIDE_PX, 2)
        a = rng.gamma(3.0, 2.1) * _PX_PER_MM + 2
        axes, turn = (int(a), int(a * rng.uniform(0.55, 0.95))), float(rng.uniform(0, 180))
        tone = np.array([142, 134, 124]) * rng.uniform(0.55, 1.25) * rng.uniform(0.93, 1.07, 3)
        cv2.ellipse(picture, (int(x) + 2, int(y) + 2), axes, turn, 0, 360, (40, 37, 34), -1, cv2.LINE_AA)
        cv2.ellipse(picture, (int(x), int(y)), axes, turn, 0, 360, np.clip(tone, 0, 255).tolist(), -1, cv2.LINE_AA)
    return _grain(rng, picture, 0.1)


def _tarp(rng: np.random.Generator) -> Picture:
    """A tarpaulin with soft folds and a fine weave."""
    colour = ((44, 84, 60), (40, 74, 132), (120, 124, 112), (166, 88, 40))[int(rng.integers(4))]
    folds = np.abs(noise(rng, (500, 90))) * 0.35 + 0.12 * noise(rng, (150, 150))
    weave = 0.04 * np.sin(np.arange(SIDE_PX) * 1.9)
    return _grain(rng, _shade(np.array(colour), (0.85 + folds + weave).astype(np.float32)), 0.03)


def _cloth(rng: np.random.Generator) -> Picture:
    """Dark cloth: a coat, a sleeping bag, a car's boot."""
    colour = ((26, 28, 36), (44, 30, 30), (30, 38, 32), (60, 60, 64))[int(rng.integers(4))]
    return _grain(rng, _shade(np.array(colour), 1 + 0.3 * noise(rng, (200, 60)) + 0.2 * noise(rng, (5, 5))), 0.12)


_PAINTERS: dict[str, Callable[[np.random.Generator], Picture]] = {
    "leaves": _leaf_litter,
    "needles": _needles,
    "grass": _grass,
    "planks": _planks,
    "plaid": _plaid,
    "gravel": _gravel,
    "tarp": _tarp,
    "cloth": _cloth,
}
