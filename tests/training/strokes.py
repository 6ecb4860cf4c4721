"""Handwritten capitals and digits as pen strokes: the ways in which people write each of them, deformed at random."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

_RING = "~30 11 04 18 39 58 64 51 30"
_OPEN_RING = "~41 20 05 18 39 59 64 51 20"
WAYS = {
    "A": "09 30 69;15 55/09 30;30 69;16 56/~09 13 31 53 69;15 55/~09 02 20 40 62 69;05 65/~09 11 30 51 69;05 65/"
    "09 40 59;26 56/60 09;60 59;25 66/~09 04 20 40 64 69;05 65/09 00 60 69;05 65/~60 09;60 69;06 66/"
    "~09 30 69 15 55",
    "B": "00 09;~00 30 52 34 04;~04 44 66 48 09/~09 00 40 52 34 14 34 65 48 09/"
    "09 00;~00 40 51 43 14;~14 54 66 58 09/00 09;~10 50 52 24 55 67 48 09/"
    "10 19;~00 40 51 34 14;~14 54 66 49 09/~00 50 62 24;~24 65 58 09;00 09/~04 44 66 48 09 00 40 52 34 04/"
    "~29 20 50 53 34 65 58 19;~19 08/00 09;~00 50 53 34 04;~04 64 67 49 09",
    "C": "~61 40 11 04 18 49 68/~62 50 20 03 06 29 59 67/~50 20 04 28 59/61 63;~61 30 04 29 67/~60 30 05 39 69/"
    "~62 61 30 11 05 28 59 67/~63 60 20 04 28 59 66/~60 10 01 08 19 69/~50 20 03 06 39 68",
    "D": "00 09;~00 30 62 66 39 09/~09 00 40 63 66 49 09/10 19;~00 40 63 66 49 09/~00 30 63 66 39 09;10 19/"
    "00 09;~00 20 53 56 29 09/20 29;~00 30 63 66 39 09/~29 20 09 49 66 62 30 01/~09 00 60 66 59 09/"
    "00 09;~00 50 63 66 49 09",
    "E": "60 00 09 69;04 54/00 09;00 60;04 44;09 69/~60 20 02 24 44;~24 05 08 39 69/~61 20 02 14 34;~34 06 19 59/"
    "60 00 09 69;05 65/~60 20 04 28 69;04 54/~50 10 02 34 06 19 69/00 09;00 50;04 54;09 59/"
    "~60 10 03 34 04 07 29 69/60 00 09 69;~04 33 54/60 10 00 04 09 19 69;04 34",
    "F": "60 00 09;04 54/00 09;00 60;04 44/~60 30 10 09;04 54/20 29;~01 10 60;04 54/00 09;00 50;05 45/"
    "20 ~19;10 70;14 54/60 00 09;04 44/~10 19;00 60;~14 33 54/~70 30 20 19;04 54/00 60;20 29;04 54",
    "G": "~61 40 11 04 18 49 67;67 65 35/~60 20 04 28 58 65;35 65 69/~61 30 04 29 67 64;34 64/"
    "~61 30 04 18 49 65 35/~61 30 04 29 66 65;45 65 69/~50 10 05 29 68 65 35/~60 20 04 29 59 66;45 66/"
    "~61 40 11 04 18 49 67;35 75;65 69/~60 20 04 28 58 65 35;65 68 49/~61 30 04 28 57 64 34 64 69/"
    "~60 10 04 19 59 66;46 66",
    "H": "00 09;60 69;04 64/00 09;60 69;05 65/00 09;60 69;~04 33 64/10 09;60 59;04 64/00 09;50 59;05 55/"
    "00 09 04 64 60 69/~00 09 05 44 60 69/~10 09;~60 59;04 74/00 09;60 69;~04 44 63",
    "I": "30 39/10 50;30 39;19 59/30 39/20 40;30 39;29 49/00 60;30 39;09 69/10 60;40 29;09 59/"
    "~00 20 30;30 39;~39 49 68/30 29/20 49",
    "J": "~50 56 38 18 06/20 70;~50 56 38 18 06/~60 67 49 19 07/~50 57 39 09/00 60;~40 47 29 09/"
    "20 50;~50 57 38 17/00 70;~40 48 29 08/~10 50 57 39 17 25 54/~50 58 49 19 07/30 60;~60 68 39 08 06",
    "K": "00 09;60 04;14 69/00 09;60 05 69/00 09;~60 34 04;~24 46 69/00 09;50 14 69/00 09;60 05;05 69/"
    "10 19;~60 43 15;15 69/~60 24 04 24 69;00 09/~00 09;60 25 69/00 09;60 05;~25 44 69",
    "L": "00 09 69/~00 08 19 69/00 09;09 59/~10 09 69/00 09 49/10 09 59 58/~40 20 31 26 08 18 49 69/"
    "~20 19 08 18 49 68/00 09 69 67",
    "M": "09 00 36 60 69/09 10 35 50 69/00 09;00 39 60;60 69/~09 01 20 34 50 61 69/~09 10 30 35 40 50 69/"
    "09 00 33 60 69/09 20 45 60 79/00 09;00 35;35 60;60 69/~09 10 30 34 35 40 60 69/00 09 00 38 60 69/"
    "~08 09 20 21 36 50 51 68 79/19 10 36 60 69",
    "N": "09 00 69 60/00 09;00 69;60 69/~09 01 20 48 69 60/09 10 59 60/00 09;00 59;50 59/~09 00 10 59 69 60/"
    "09 00 09 00 69 60/~08 09 10 11 49 58 60/~09 05 10 30 48 59 60",
    "O": f"{_RING}/{_OPEN_RING}/~40 10 05 29 59 64 50 20/~20 04 28 59 65 51 20/~50 20 04 29 59 65 40 10/"
    "~40 20 03 06 29 49 66 63 50 30/~31 00 05 29 69 65 50 20",
    "P": "00 09;~00 40 62 44 04/~09 00 40 62 45 05/10 19;~00 50 62 44 14/~19 11 40 62 45 15/00 09;~00 50 63 46 05/"
    "00 09;~00 30 52 34 04/~29 20 10 03;~10 50 63 45 15/~19 20 60 63 45 05/00 09;00 50 54 04",
    "Q": f"{_RING};46 69/{_RING};~35 57 79/{_OPEN_RING};38 59/{_RING};47 78/~40 10 05 29 59 64 50 20;36 79/"
    f"{_RING};~26 46 59 79/~49 10 05 29 59 64 40 10;45 69/~20 02 16 47 65 61 30 10;~37 47 58 78",
    "R": "00 09;~00 40 62 44 04;24 69/~09 00 40 62 45 05 25 69/00 09;~00 50 52 34 04;04 69/"
    "10 19;~00 50 62 44 14;~34 46 69/00 09;~00 40 52 34 04;14 59/~19 10 50 62 45 15;25 69/"
    "~29 20 50 63 44 14;~34 45 58 69/~09 00 60 63 45 05;~25 46 59 69/00 09;00 50 54 04 69",
    "S": "~61 30 02 24 45 67 39 08/~60 20 02 24 54 66 49 09/~62 50 20 03 34 66 49 19 07/~60 30 12 35 56 48 09/"
    "~61 40 11 13 45 67 48 18 07/~50 20 12 44 67 39 09/~71 60 30 22 45 57 39 08/60 00 04 64 69 09/"
    "~60 30 22 55 57 39 17 26",
    "T": "00 60;30 39/00 70;30 39/01 60;30 39/00 60;40 29/00 60;30 39;29 49/01 00 60 61;30 39/00 50;20 29/"
    "~00 10 30 60;~30 27 39/~01 10 50 61;30 29/00 60;30 39;19 59",
    "U": "~00 06 29 49 66 60/~00 06 29 49 66 60;60 69/~00 07 39 67 60/~00 05 18 49 57 60;60 59 69/~00 08 29 58 50/"
    "00 06 ~29 49 66 60/~00 10 06 29 49 66 60;~60 67 79/00 09 69 60/~10 05 18 38 60",
    "V": "00 39 60/00 39;39 60/~00 13 38 39 53 60/00 29 50/00 39 70/~00 29 39 60 70/~00 10 38 60 70/00 39 60 70/"
    "10 29 60;60 70",
    "W": "00 19 33 49 60/00 19 40 59 80/~00 08 28 33 38 58 60/~00 17 29 42 59 67 80/00 29 42 59 80/"
    "~00 05 19 38 32 38 59 75 80/00 19 32 49 70/~00 08 18 31 38 48 60/00 19 30 49 60/"
    "~00 06 29 34 30 34 49 66 60/00 19;19 35;35 59;59 80",
    "X": "00 69;60 09/~00 34 69;~60 34 09/~00 34 09;~60 34 69/00 59;50 09/10 59;60 09/~00 25 69;60 09/"
    "~10 33 59 69;~60 34 09/~01 00 34 59 68;~61 60 34 09 08",
    "Y": "00 34 60;34 39/60 19;00 34/~00 04 25 55 60;~60 57 39 19/00 35;60 35 39/00 33 50;33 29/~00 34 60;34 39/"
    "~00 03 25 55 60;~60 58 39 09/60 09;00 24/00 34 60 34 38",
    "Z": "00 60 09 69/00 60 09 69;15 55/~01 20 60;60 09;~09 39 69/01 00 60 09 69 68/00 60 09 69;24 45/"
    "00 50 09 59;04 64/~00 50 61 34 09;09 69/~01 10 60;60 09;~09 18 59 69/~01 10 50 61 34;~34 55 57 39 08/"
    "00 50 09 59;14 44",
    "0": f"{_RING}/~20 03 06 29 46 43 20/{_RING};60 09/{_OPEN_RING}/~30 10 05 29 49 55 40 20/"
    "~20 03 06 29 46 43 20;50 09/~40 10 04 29 49 65 40/~30 20 04 29 49 65 50 20 30 31/"
    "~20 04 07 29 48 63 40 20;50 09/~40 20 05 29 49 65 41 10 00",
    "1": "30 39/03 30 39/12 30 39/13 40 49;19 69/02 30 39;09 69/04 40 49/~02 20 30;30 39/05 40 39/13 30 39;19 59/"
    "06 40 39/07 40 49/~05 30 40;40 39/04 30 39;09 69/~03 20 31;30 39/20 29 69/03 30 28;08 58",
    "2": "~02 20 50 63 36 09;09 69/~01 30 62 45 09 69/~02 20 60 54 18 07 27 49 69/~03 10 50 62 09;09 69/"
    "~11 30 52 35 09;09 69/~02 11 40 53 26 09 39 69/~02 20 50 52 35 08;~08 18 39 68/"
    "~01 20 40 52 35 08;~08 17 28 49 68/~03 01 30 61 54 09;09 69/00 50 54 09 69/~01 30 52 36 08 07 18 29 69",
    "3": "~01 30 52 34 24;~24 34 66 49 08/~01 20 51 43 24 54 66 48 18 07/00 60 24;~24 55 67 49 08/"
    "~02 30 61 34 65 49 08/~00 40 52 34;~34 56 49 09/00 50 23;~23 54 66 39 08/~00 30 51 33 13 33 56 38 08/"
    "00 50 34 69 09/~01 30 61 44 24 34 66 59 29 07",
    "4": "10 05 65;40 49/49 40 05 65/50 05 65;40 49/00 04 64;60 69/10 14 64;50 59/~20 05 16 65;43 39/59 50 06 76/"
    "00 05 55;50 59/~20 06 66;54 49/40 06 66;46 49/00 03 53;50 59/~00 04 14 54;~51 54 49/~10 05 25 64;60 39/"
    "39 40 06 66/01 05 65;43 49/~30 05 55 52;~52 49",
    "5": "60 10 04;~04 44 66 49 08/10 04;~04 33 65 49 09;10 60/~60 10 14 44 66 49 09/~60 20 03 34 65 49 08/"
    "60 00 04;~04 53 66 59 09/20 14;~14 43 65 49 09;20 70/60 00 03;~03 33 65 59 29 08/~60 20 12 45 57 39 08/"
    "60 10 04;~04 44 66 49 19 07",
    "6": "~50 10 05 29 58 56 34 06/~60 20 05 29 59 65 34 05/~30 05 29 57 45 15 06/50 06;~06 39 66 35 06/"
    "~40 12 06 39 66 44 05/~51 20 05 18 49 67 45 15/~40 03 06 29 58 66 45 06/~60 40 05 08 39 67 45 08/"
    "~51 40 10 05 29 59 66 45 25 07",
    "7": "00 60 29/00 60 29;15 55/00 60 19/02 00 60 29/~00 60 44 39/02 00 60 29;25 65/00 60 29;25 65/"
    "~01 20 60;60 29/01 60 39;24 64/~02 10 30 60;60 19;15 55/~01 20 60;~60 35 29;15 55/"
    "~03 00 20 60;60 29;14 64/00 60 39;24 64/~02 11 50 60 33 29",
    "8": "~50 20 02 34 66 39 07 34 61 50/~30 02 34 62 30;~34 07 39 67 34/~60 20 02 54 67 39 07 25 61 60/"
    "~61 40 11 23 55 67 39 17 25 53 61/~30 12 34 52 30;~34 06 39 66 34/~40 11 34 67 39 07 34 61 40/"
    "~60 20 02 34 66 59 19 06 34 62 60/~50 30 12 55 57 39 17 25 52 40/~51 10 12 45 57 29 17 43 61",
    "9": "~62 40 10 03 25 54 61;~61 66 49/~62 30 03 25 62;62 69/~51 20 03 24 52 61 59/"
    "~60 20 03 34 61 60;~60 57 39 08/~62 30 03 25 62 67 39 08/~52 30 03 25 52;51 39/"
    "~61 30 02 24 61;~61 65 39/~52 30 02 24 53 51;51 59/~61 40 10 03 24 61 60;~60 58 49 28/"
    "~63 50 20 03 34 62 51;52 19/~50 20 03 24 52 50 59",
}  # fmt: skip
"""Ways parted by ``/``, strokes by ``;``; points as two digits, x and y (down) from 0 to 9; ``~`` bends smoothly."""


def written(mark: str, rng: np.random.Generator) -> list[FloatArray]:
    """The strokes of a character as a hand might write it, each (N, 2), in a box about one unit high.

    Everything differs: the way, proportions and slant, each point, where strokes begin and end, tremor; some are gone
    over twice.
    """
    ways = WAYS[mark].split("/")
    sloppy = rng.gamma(2.0, 0.5)  # 1 on average; most people write neatly, some don't
    aspect, slant = np.exp(rng.normal(-0.08, 0.26)), rng.normal(0.06, 0.18)
    wave = rng.normal(0, 0.022 * sloppy, (2, 2, 2))
    phase = rng.uniform(0, 2 * np.pi, (2, 2))
    lines = [_dense(stroke, sloppy, rng) for stroke in ways[rng.integers(len(ways))].split(";")]
    strokes = []
    for line in _unlifted(lines, rng):
        moved = _by_itself(line, sloppy, rng)
        bend = np.einsum("nk,kij->nj", np.sin(4 * moved + phase[0]), wave) + _tremor(len(moved), rng)
        x, y = (moved + bend).T
        strokes.append(np.stack([x * aspect - slant * y, y], 1))
    return strokes if rng.random() < 0.93 else strokes + _retraced(strokes, rng)


def _retraced(strokes: list[FloatArray], rng: np.random.Generator) -> list[FloatArray]:
    """The same strokes gone over once more, as people do where a pen hardly writes."""
    return [stroke * rng.normal(1, 0.03, 2) + rng.normal(0, 0.025, 2) for stroke in strokes]


def _by_itself(line: FloatArray, sloppy: float, rng: np.random.Generator) -> FloatArray:
    """A stroke shifted, turned and stretched a little against the others; now and then with a hook at its end."""
    turn, stretch = rng.normal(0, 0.05 * sloppy), np.exp(rng.normal(0, 0.05 * sloppy))
    middle = line.mean(0)
    matrix = stretch * np.array([[1, -turn], [turn, 1]])
    moved = (line - middle) @ matrix.T + middle + rng.normal(0, 0.025 * sloppy, 2)
    if rng.random() < 0.06:
        moved = np.concatenate([moved, moved[-1:] + rng.normal(0, 0.07, 2)])
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
    points += rng.normal(0, 0.028 * sloppy, points.shape)
    for end, inner in ((0, 1), (-1, -2)):  # pens stop early and late
        points[end] += (points[end] - points[inner]) * rng.normal(0.02, 0.07 * sloppy)
    if smooth and len(points) > 2:
        return catmull_rom(points)
    if len(points) > 2 and rng.random() < 0.35:
        points = _cut_corners(_cut_corners(points, 0.12), 0.25)
    return np.concatenate([np.linspace(a, b, 7)[:-1] for a, b in itertools.pairwise(points)] + [points[-1:]])


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
