"""Handwritten capitals and digits as pen strokes: the ways in which people write each of them, deformed at random."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import numpy.typing as npt

from training.ways import WAYS

FloatArray = npt.NDArray[np.float64]


def written(mark: str, rng: np.random.Generator) -> list[FloatArray]:
    """The strokes of a character as a hand might write it, each (N, 2), in a box about one unit high.

    Everything differs: the way, proportions and slant, how high the waist is and how much wider the head than the foot,
    each point, where strokes begin and end, tremor; some are gone over twice.
    """
    return drawn_way(WAYS[mark], rng)


def drawn_way(all_of_them: str, rng: np.random.Generator) -> list[FloatArray]:
    """The strokes of one of some ways of drawing, written as in ``ways.py``, as :func:`written` has them."""
    ways, sloppy = all_of_them.split("/"), _sloppiness(rng)
    return _deformed([_dense(stroke, sloppy, rng) for stroke in ways[rng.integers(len(ways))].split(";")], sloppy, rng)


def rewritten(lines: list[FloatArray], rng: np.random.Generator) -> list[FloatArray]:
    """Strokes that somebody wrote, in a box about one unit high, as another hand might write them.

    They differ in all in which :func:`written` ones do; along each stroke its points move smoothly.
    """
    sloppy = _sloppiness(rng)
    return [catmull_rom(line) for line in _deformed([_swayed(line, sloppy, rng) for line in lines], sloppy, rng)]


def _sloppiness(rng: np.random.Generator) -> float:
    """1 on average; most people write neatly, some don't."""
    return float(rng.gamma(2.0, 0.5))


def _swayed(line: FloatArray, sloppy: float, rng: np.random.Generator) -> FloatArray:
    """A line, its points displaced smoothly."""
    knots, at = rng.normal(0, 0.025 * sloppy, (5, 2)), np.linspace(0, 4, len(line))
    return line + np.stack([np.interp(at, range(5), along) for along in knots.T], 1)


def _deformed(lines: list[FloatArray], sloppy: float, rng: np.random.Generator) -> list[FloatArray]:
    """Lines with other proportions, slant, waist, wedge, bends and tremor."""
    aspect, slant = np.exp(rng.normal(-0.08, 0.26)), rng.normal(0.06, 0.18)
    waist, wedge = rng.normal(0, [0.2, 0.25])
    wave = rng.normal(0, 0.022 * sloppy, (2, 2, 2))
    phase = rng.uniform(0, 2 * np.pi, (2, 2))
    strokes = []
    for line in _unlifted(lines, rng):
        moved = _by_itself(line, sloppy, rng)
        bend = np.einsum("nk,kij->nj", np.sin(4 * moved + phase[0]), wave) + _tremor(len(moved), rng)
        x, y = (moved + bend).T
        x, y = x * aspect * (1 - wedge * y), y + waist * (0.25 - y**2)
        strokes.append(np.stack([x - slant * y, y], 1))
    return strokes if rng.random() < 0.93 else strokes + _retraced(strokes, rng)


def _retraced(strokes: list[FloatArray], rng: np.random.Generator) -> list[FloatArray]:
    """The same strokes gone over once more, as people do where a pen hardly writes."""
    return [stroke * rng.normal(1, 0.03, 2) + rng.normal(0, 0.025, 2) for stroke in strokes]


def _by_itself(line: FloatArray, sloppy: float, rng: np.random.Generator) -> FloatArray:
    """A stroke shifted, turned and stretched a little against the others; now and then with a hook at an end."""
    turn, stretch = rng.normal(0, 0.05 * sloppy), np.exp(rng.normal(0, 0.05 * sloppy))
    middle = line.mean(0)
    matrix = stretch * np.array([[1, -turn], [turn, 1]])
    moved = (line - middle) @ matrix.T + middle + rng.normal(0, 0.025 * sloppy, 2)
    if rng.random() < 0.1:
        moved = np.concatenate([moved, moved[-1:] + rng.normal(0, 0.07, 2)])
    if rng.random() < 0.1:
        moved = np.concatenate([moved[:1] + rng.normal(0, 0.07, 2), moved])
    return moved


def _unlifted(lines: list[FloatArray], rng: np.random.Generator) -> list[FloatArray]:
    """Strokes as they are, or, now and then, all joined by a pen that is not lifted."""
    return [np.concatenate(lines)] if rng.random() < 0.06 else lines


def drawn(strokes: list[FloatArray], width: float, size: int, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Ink (255) of strokes that fill a picture of ``size`` px to its margins; ``width`` of the pen per height."""
    points = np.concatenate(strokes)
    low, high = points.min(0), points.max(0)
    scale = size * 0.72 / max(float((high - low).max()), 0.2)
    thick = max(round(width * size * 0.72), 1)
    ink = np.zeros((size, size), np.uint8)
    fade = rng.random() < 0.3
    for stroke in strokes:
        at = (stroke - (low + high) / 2) * scale + size / 2
        fixed = np.rint(at * 16).astype(np.int32)
        if fade:  # pressure differs along the stroke
            widths = thick * (1 + 0.35 * np.sin(np.linspace(0, 3, len(at)) + rng.uniform(0, 6)))
            for a, b, w in zip(fixed[:-1], fixed[1:], widths, strict=False):
                cv2.line(ink, a.tolist(), b.tolist(), 255, max(round(w), 1), cv2.LINE_AA, 4)
        else:
            cv2.polylines(ink, [fixed], False, 255, thick, cv2.LINE_AA, 4)
    return ink


def _dense(stroke: str, sloppy: float, rng: np.random.Generator) -> FloatArray:
    """One stroke as a dense line, its points and ends displaced."""
    smooth = "~" in stroke
    points = np.array([[int(p[0]), int(p[1])] for p in stroke.replace("~", "").split()], np.float64) / 9 - [0.33, 0.5]
    points += rng.normal(0, 0.034 * sloppy, points.shape)
    for end, inner in ((0, 1), (-1, -2)):  # pens stop early and late
        points[end] += (points[end] - points[inner]) * rng.normal(0.02, 0.07 * sloppy)
    if len(points) > 2 and (smooth or rng.random() < 0.1):
        return catmull_rom(points)
    if len(points) > 2 and rng.random() < 0.35:
        points = _cut_corners(_cut_corners(points, 0.12), 0.25)
    bow = rng.normal(0, 0.06 * sloppy)
    return np.concatenate([_bowed(a, b, bow) for a, b in itertools.pairwise(points)] + [points[-1:]])


def _bowed(start: FloatArray, end: FloatArray, bow: float) -> FloatArray:
    """A line from one point towards another, (6, 2), bent aside in its middle by a share of its length."""
    t = np.linspace(0, 1, 7)[:-1, None]
    along = end - start
    return start + along * t + 4 * t * (1 - t) * bow * np.array([-along[1], along[0]])


def catmull_rom(points: FloatArray) -> FloatArray:
    """A smooth curve through points."""
    padded = np.concatenate([2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]])
    t = np.linspace(0, 1, 7)[:-1, None]
    pieces = [
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        for a, b, c, d in zip(padded[:-3], padded[1:-2], padded[2:-1], padded[3:], strict=True)
    ]
    return np.concatenate([*pieces, points[-1:]])


def _cut_corners(points: FloatArray, share: float) -> FloatArray:
    """Chaikin's cut, keeping the ends."""
    cut = np.empty((2 * len(points) - 2, 2))
    cut[0::2] = (1 - share) * points[:-1] + share * points[1:]
    cut[1::2] = share * points[:-1] + (1 - share) * points[1:]
    return np.concatenate([points[:1], cut, points[-1:]])


def _tremor(count: int, rng: np.random.Generator) -> FloatArray:
    """A shaky hand: displacements along a line."""
    shake = rng.normal(0, rng.choice([0.0, 0.006, 0.015], p=[0.5, 0.3, 0.2]), (count + 4, 2))
    return (shake[:-4] + shake[1:-3] + shake[2:-2] + shake[3:-1] + shake[4:]) / 2
