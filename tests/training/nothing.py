"""What lies round hand-made boards and is no writing, in the frame of the reader of lines."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.mark.lines import LINE_HEIGHT_PX, LINE_WIDTH_PX

F32Array = npt.NDArray[np.float32]
_SHAPE = (LINE_HEIGHT_PX, LINE_WIDTH_PX)


def no_writing(rng: np.random.Generator) -> F32Array:
    """Ink (32, 128), 0 to 1: gravel, grain, edges, corners of lines and stickers, stones, scribbles, nothing."""
    ways = (_gravel, _grain, _edges, _corner, _blobs, _scribble, _arcs)
    way = int(rng.integers(len(ways) + 1))
    ink = ways[way](rng) if way < len(ways) else np.zeros(_SHAPE, np.float32)
    if rng.random() < 0.4:  # seen in a narrow frame
        half = int(rng.integers(6, LINE_WIDTH_PX // 2))
        ink[:, : LINE_WIDTH_PX // 2 - half] = ink[:, LINE_WIDTH_PX // 2 + half :] = 0
    return ink


def _gravel(rng: np.random.Generator) -> F32Array:
    """Dark gaps between stones, or the stones."""
    noise = cv2.GaussianBlur(rng.normal(0, 1, _SHAPE).astype(np.float32), (0, 0), rng.uniform(0.8, 3.5))
    least = np.quantile(noise, rng.uniform(0.5, 0.92))
    return np.clip((noise - least) / (3 * noise.std()) * rng.uniform(1, 8), 0, 1)


def _grain(rng: np.random.Generator) -> F32Array:
    """Streaks of wood or cloth, at any angle."""
    noise = cv2.GaussianBlur(rng.normal(0, 1, (200, 200)).astype(np.float32), (0, 0), 8, sigmaY=rng.uniform(0.6, 2.0))
    turn = cv2.getRotationMatrix2D((100, 100), rng.uniform(-90, 90), 1.0)
    turned = cv2.warpAffine(noise, turn, (200, 200))[84:116, 36:164]
    least = np.quantile(turned, rng.uniform(0.5, 0.9))
    return np.clip((turned - least) / (2.5 * turned.std()) * rng.uniform(1, 6), 0, 1)


def _edges(rng: np.random.Generator) -> F32Array:
    """Long lines: the sheet's edge, a ruled line, a blade of grass."""
    ink = np.zeros(_SHAPE, np.float32)
    for _ in range(int(rng.integers(1, 4))):
        a, b = (_anywhere(rng) for _ in range(2))
        cv2.line(ink, a, b, rng.uniform(0.4, 1.0), int(rng.integers(1, 9)), cv2.LINE_AA)
    return ink


def _corner(rng: np.random.Generator) -> F32Array:
    """Two lines that meet, as of a grid or a sticker, or two that cross."""
    ink = np.zeros(_SHAPE, np.float32)
    middle, turn = _anywhere(rng), rng.uniform(0, np.pi)
    for k in range(int(rng.integers(2, 5))):
        way = turn + k * np.pi / 2 + rng.normal(0, 0.15)
        reach = rng.uniform(8, 90)
        end = round(middle[0] + reach * np.cos(way)), round(middle[1] + reach * np.sin(way))
        cv2.line(ink, middle, end, rng.uniform(0.6, 1.0), int(rng.integers(2, 9)), cv2.LINE_AA)
    return ink


def _blobs(rng: np.random.Generator) -> F32Array:
    """Pins, stones, spots, with soft shades."""
    ink = np.zeros(_SHAPE, np.float32)
    for _ in range(int(rng.integers(1, 7))):
        axes = (int(rng.integers(2, 22)), int(rng.integers(2, 16)))
        cv2.ellipse(ink, _anywhere(rng), axes, rng.uniform(0, 180), 0, 360, rng.uniform(0.4, 1.0), -1, cv2.LINE_AA)
    return cv2.GaussianBlur(ink, (0, 0), rng.uniform(0.4, 5))


def _scribble(rng: np.random.Generator) -> F32Array:
    """A line that goes anywhere."""
    ink = np.zeros(_SHAPE, np.float32)
    steps = rng.normal(0, rng.uniform(3, 14), (int(rng.integers(4, 30)), 2))
    steps[:, 0] += rng.uniform(-3, 6)
    points = np.cumsum(steps, 0)
    points += np.array([LINE_WIDTH_PX / 2, LINE_HEIGHT_PX / 2]) - points.mean(0)
    cv2.polylines(ink, [np.rint(points).astype(np.int32)], False, 1.0, int(rng.integers(1, 6)), cv2.LINE_AA)
    return ink


def _arcs(rng: np.random.Generator) -> F32Array:
    """Parts of large circles: rims of round stickers and cups, leaves, shadows."""
    ink = np.zeros(_SHAPE, np.float32)
    for _ in range(int(rng.integers(1, 3))):
        axes = (int(rng.integers(14, 80)), int(rng.integers(12, 60)))
        begin = rng.uniform(0, 360)
        end, turn, thick = begin + rng.uniform(40, 200), rng.uniform(0, 180), int(rng.integers(2, 12))
        cv2.ellipse(ink, _anywhere(rng), axes, turn, begin, end, rng.uniform(0.5, 1.0), thick, cv2.LINE_AA)
    return ink


def _anywhere(rng: np.random.Generator) -> tuple[int, int]:
    """Some point of the frame or near it."""
    return int(rng.integers(-8, LINE_WIDTH_PX + 8)), int(rng.integers(-4, LINE_HEIGHT_PX + 4))
