"""What boards lie on, and what looks like a grid and is none: textures, tiles, keys, panes, print, leaves, chess."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float64]


def paint_any_ground(rng: np.random.Generator, side_px: int, fine: int) -> Picture:
    """A picture (side_px * fine, side_px * fine, 3) uint8 of one ground, seen at a slant."""
    canvas = _texture(rng, side_px, fine)
    kind = rng.random()
    ways = (_tiles, _keys, _panes, _print, _leaves, _chess, _squared, _stripes, _gravel, _grass)
    if kind < 0.6:
        ways[int(rng.integers(len(ways)))](canvas, rng, _slant(rng, canvas.shape[0], fine))
    return canvas


class _Slant:
    """Canvas px of a plane's own px."""

    def __init__(self, matrix: FloatArray, side: int, unit: int) -> None:
        self.matrix, self.side, self.unit = matrix, side, unit

    def __call__(self, points: Any) -> npt.NDArray[np.int32]:
        """Fixed-point canvas px (N, 2), 4 bits, of points (N, 2) of the plane."""
        flat = np.asarray(points, np.float64)
        seen = np.concatenate([flat, np.ones((len(flat), 1))], 1) @ self.matrix.T
        return np.int32(np.clip(seen[:, :2] / np.maximum(seen[:, 2:], 0.2), -3000, 3000) * 16)


def _slant(rng: np.random.Generator, side: int, fine: int) -> _Slant:
    angle = rng.normal(0, 0.15) if rng.random() < 0.6 else rng.uniform(-np.pi, np.pi)
    c, s = np.cos(angle), np.sin(angle)
    middle = np.array([[1, 0, side / 2], [0, 1, side / 2], [0, 0, 1]])
    turn = np.array([[c, -s, 0], [s, c, 0], [*(rng.normal(0, 0.25, 2) / side), 1]])
    return _Slant(middle @ turn @ np.linalg.inv(middle), side, fine)


def _texture(rng: np.random.Generator, side_px: int, fine: int) -> Picture:
    """Noise of several scales, streaked perhaps, round one or two colours."""
    colour = rng.uniform(30, 235, 3) * 0.4 + rng.uniform(30, 235) * 0.6
    canvas = np.empty((side_px, side_px, 3), np.float32)
    canvas[:] = colour
    for _ in range(int(rng.integers(1, 4))):
        step = np.exp(rng.uniform(np.log(2), np.log(60), 2) if rng.random() < 0.4 else [rng.uniform(0.1, 4)] * 2)
        coarse = rng.normal(0, 1, np.maximum(side_px / step, 2).astype(int)).astype(np.float32)
        field = cv2.resize(coarse, (side_px, side_px), interpolation=cv2.INTER_LINEAR)
        canvas += field[..., None] * (rng.normal(0, 12, 3) + rng.normal(0, 14)).astype(np.float32)
    picture = np.clip(canvas, 0, 255).astype(np.uint8)
    large = cv2.resize(picture, None, fx=fine, fy=fine, interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(large)


def _tone(rng: np.random.Generator) -> tuple[float, ...]:
    grey = rng.uniform(20, 250)
    return tuple(float(v) for v in np.clip(grey + rng.normal(0, 20, 3), 0, 255))


def _span(slant: _Slant) -> tuple[float, float]:
    return -0.6 * slant.side, 1.6 * slant.side


def _tiles(canvas: Picture, rng: np.random.Generator, slant: _Slant) -> None:
    """Tiles or bricks, joints all over."""
    low, high = _span(slant)
    pitch = np.exp(rng.uniform(np.log(24), np.log(260), 2))
    if rng.random() < 0.7:
        pitch[1] = pitch[0]
    joint, wide = _tone(rng), int(rng.integers(1, 9))
    if rng.random() < 0.6:
        canvas[:] = np.clip(canvas * 0.25 + np.array(_tone(rng)) * 0.75, 0, 255).astype(np.uint8)
    for k, y in enumerate(np.arange(low, high, pitch[1])):
        cv2.polylines(canvas, [slant([[low, y], [high, y]])], False, joint, wide, cv2.LINE_AA, 4)
        if rng.random() < 0.02 or k == 0:
            bricks = rng.random() < 0.25
        for x in np.arange(low, high, pitch[0]) if bricks else ():
            shift = pitch[0] / 2 * (k % 2)
            ends = [[x + shift, y], [x + shift, y + pitch[1]]]
            cv2.polylines(canvas, [slant(ends)], False, joint, wide, cv2.LINE_AA, 4)
    for x in () if bricks else np.arange(low, high, pitch[0]):
        cv2.polylines(canvas, [slant([[x, low], [x, high]])], False, joint, wide, cv2.LINE_AA, 4)


def _keys(canvas: Picture, rng: np.random.Generator, slant: _Slant) -> None:
    """A keyboard: rows of keys, each row shifted, letters on them."""
    size, gap = rng.uniform(24, 80), rng.uniform(0.05, 0.3)
    body, key, letter = _tone(rng), _tone(rng), _tone(rng)
    cols, rows = int(rng.integers(6, 14)), int(rng.integers(3, 7))
    left, top = (slant.side - cols * size) / 2, (slant.side - rows * size) / 2
    cv2.fillPoly(canvas, [slant(_box(left - 8, top - 8, cols * size + 16, rows * size + 16))], body, cv2.LINE_AA, 4)
    shifted = rng.random() < 0.7
    for row in range(rows):
        for col in range(cols):
            x, y = left + (col + shifted * 0.25 * row) * size, top + row * size
            inner = size * (1 - gap)
            cv2.fillPoly(canvas, [slant(_box(x, y, inner, inner))], key, cv2.LINE_AA, 4)
            at = slant([[x + inner * 0.3, y + inner * 0.7]])[0] // 16
            cv2.putText(canvas, chr(int(rng.integers(65, 91))), at.tolist(), 0, size / 90, letter, 1, cv2.LINE_AA)


def _panes(canvas: Picture, rng: np.random.Generator, slant: _Slant) -> None:
    """A window or a rack: a frame with thick bars."""
    cols, rows = int(rng.integers(1, 5)), int(rng.integers(1, 5))
    size = rng.uniform(0.5, 1.2, 2) * slant.side
    left, top = (slant.side - size) / 2
    tone, wide = _tone(rng), int(rng.integers(6, 30))
    for k in range(cols + 1):
        x = left + size[0] * k / cols
        cv2.polylines(canvas, [slant([[x, top], [x, top + size[1]]])], False, tone, wide, cv2.LINE_AA, 4)
    for k in range(rows + 1):
        y = top + size[1] * k / rows
        cv2.polylines(canvas, [slant([[left, y], [left + size[0], y]])], False, tone, wide, cv2.LINE_AA, 4)


def _print(canvas: Picture, rng: np.random.Generator, slant: _Slant) -> None:
    """A printed page."""
    sheet = np.clip(np.array([250, 248, 240]) - rng.uniform(0, 40), 0, 255)
    cv2.fillPoly(canvas, [slant(_box(20, 20, slant.side - 40, slant.side - 40))], sheet.tolist(), cv2.LINE_AA, 4)
    step = rng.uniform(7, 34)
    ink = tuple(float(v) for v in rng.uniform(0, 110, 3))
    for y in np.arange(50, slant.side - 40, step):
        x = 40.0
        while x < slant.side - 60:
            word = rng.uniform(1, 6) * step * 0.5
            ends = [[x, y], [min(x + word, slant.side - 50), y]]
            cv2.polylines(canvas, [slant(ends)], False, ink, max(int(step * 0.35), 1), cv2.LINE_AA, 4)
            x += word + 0.4 * step


def _leaves(canvas: Picture, rng: np.random.Generator, slant: _Slant) -> None:
    """Leaves, blades and stones."""
    for _ in range(int(rng.integers(15, 90))):
        size = rng.uniform(6, 60)
        axes = (int(size), max(int(size * rng.uniform(0.05, 0.8)), 1))
        hue = np.uint8([[[rng.integers(5, 70), rng.integers(40, 220), rng.integers(40, 230)]]])
        colour = cv2.cvtColor(hue, cv2.COLOR_HSV2RGB)[0, 0].astype(float).tolist()
        at = rng.integers(0, slant.side, 2).tolist()
        cv2.ellipse(canvas, at, axes, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)


def _chess(canvas: Picture, rng: np.random.Generator, slant: _Slant) -> None:
    """A chessboard or checked cloth."""
    size = rng.uniform(18, 70)
    count = int(rng.integers(6, 12)) if rng.random() < 0.5 else 2 + int(slant.side / size)
    start = (slant.side - count * size) / 2
    tones = _tone(rng), _tone(rng)
    for row in range(count):
        for col in range(count):
            box = slant(_box(start + col * size, start + row * size, size, size))
            cv2.fillPoly(canvas, [box], tones[(row + col) % 2], cv2.LINE_AA, 4)


def _squared(canvas: Picture, rng: np.random.Generator, slant: _Slant) -> None:
    """Squared paper, nothing drawn on it."""
    sheet = np.clip(np.array([250, 250, 246]) * rng.uniform(0.7, 1), 0, 255)
    tone = (sheet * (1 - rng.uniform(0.08, 0.45) * rng.uniform(0.5, 1, 3))).tolist()
    low, high = (20.0, slant.side - 20.0) if rng.random() < 0.5 else _span(slant)
    cv2.fillPoly(canvas, [slant(_box(low, low, high - low, high - low))], sheet.tolist(), cv2.LINE_AA, 4)
    pitch = rng.uniform(8, 44)
    for at in np.arange(low + pitch, high, pitch):
        for ends in ([[low, at], [high, at]], [[at, low], [at, high]]):
            cv2.polylines(canvas, [slant(ends)], False, tone, 1, cv2.LINE_AA, 4)


def _stripes(canvas: Picture, rng: np.random.Generator, slant: _Slant) -> None:
    """Planks, blinds or striped cloth."""
    low, high = _span(slant)
    at = low
    while at < high:
        wide = rng.uniform(6, 90)
        if rng.random() < 0.5:
            box = slant(_box(at, low, wide, high - low))
            cv2.fillPoly(canvas, [box], _tone(rng), cv2.LINE_AA, 4)
        else:
            cv2.polylines(canvas, [slant([[at, low], [at, high]])], False, _tone(rng), 2, cv2.LINE_AA, 4)
        at += wide


def _gravel(canvas: Picture, rng: np.random.Generator, slant: _Slant) -> None:
    """Pebbles side by side, dark between them."""
    pitch, tone = rng.uniform(9, 34), rng.uniform(70, 230)
    canvas[:] = (canvas * rng.uniform(0.1, 0.5)).astype(np.uint8)
    places = np.stack(np.meshgrid(*[np.arange(0, slant.side, pitch)] * 2), -1).reshape(-1, 2)
    for at in (places + rng.normal(0, 0.2 * pitch, places.shape)).astype(int).tolist():
        axes = (int(pitch * rng.uniform(0.35, 0.65)), int(pitch * rng.uniform(0.3, 0.5)))
        light = np.clip(tone * rng.uniform(0.75, 1.15) + rng.normal(0, 6, 3), 0, 255).tolist()
        cv2.ellipse(canvas, at, axes, rng.uniform(0, 180), 0, 360, light, -1)


def _grass(canvas: Picture, rng: np.random.Generator, slant: _Slant) -> None:
    """Blades, needles and straws, light on dark or dark on light."""
    dry = np.array(rng.choice([[90, 130, 50], [170, 150, 90], [60, 90, 40], [120, 110, 100]]), np.float64)
    count, reach = int(rng.integers(100, 900)), rng.uniform(8, 60)
    starts, ways = rng.uniform(0, slant.side, (count, 2)), rng.normal(0, reach, (count, 2))
    tones = np.clip(dry * rng.uniform(0.2, 1.7, (count, 1)) + rng.normal(0, 8, (count, 3)), 0, 255)
    for a, b, tone in zip(starts.astype(int).tolist(), (starts + ways).astype(int).tolist(), tones, strict=True):
        cv2.line(canvas, a, b, tone.tolist(), 1 + int(reach > 25))


def _box(left: float, top: float, wide: float, high: float) -> list[list[float]]:
    return [[left, top], [left + wide, top], [left + wide, top + high], [left, top + high]]
