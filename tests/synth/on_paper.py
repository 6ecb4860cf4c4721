"""What is printed, painted or ruled on paper in squares and is no board: pixel art, charts, albums, points."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from synth.coloured_squares import INK, SIDE, Tone, bare_ground, sheet_on_ground, toy_tone, write
from synth.ground import Picture
from synth.pastimes import pen_tone, rule, scribble

_SQUARED: Tone = (176, 196, 216)


def _mixed(tone: Tone, share: float) -> Tone:
    """A tone on white paper of which a share shows."""
    return tuple(246 + share * (v - 246) for v in tone)


def _pixel_art(rng: np.random.Generator) -> Picture:
    """A mirrored figure of coloured squares on squared paper, filled by felt pen; a frame round it perhaps."""
    picture, count = sheet_on_ground(rng), int(rng.integers(5, 13))
    cell = min(1000 // count, int(rng.uniform(45, 150)))
    for at in range(90 + cell, SIDE - 90, cell):
        cv2.line(picture, (90, at), (SIDE - 90, at), _SQUARED, 2)
        cv2.line(picture, (at, 70), (at, SIDE - 70), _SQUARED, 2)
    tones, share = [toy_tone(rng) for _ in range(3)], rng.uniform(0.5, 0.9)
    left, top = 90 + cell * max(1, (SIDE - 180 - count * cell) // (2 * cell)), 90 + 2 * cell
    for row, col in np.ndindex(count, (count + 1) // 2):
        if rng.random() < share:
            tone = tones[rng.integers(3)]
            for k in {col, count - 1 - col}:
                x, y, rim = left + k * cell, top + row * cell, int(rng.integers(0, 4))
                cv2.rectangle(picture, (x + rim, y + rim), (x + cell - rim, y + cell - rim), tone, -1)
    if rng.random() < 0.4:
        cv2.rectangle(picture, (left, top), (left + count * cell, top + count * cell), pen_tone(rng), 4)
    return picture


def _hundred_chart(rng: np.random.Generator) -> Picture:
    """The numbers from 1 to 100 in ten rows, multiples of one number coloured."""
    picture, cell, step = sheet_on_ground(rng), 100, int(rng.integers(2, 8))
    tone = _mixed(toy_tone(rng), rng.uniform(0.4, 1))
    for row, col in np.ndindex(10, 10):
        x, y, number = 200 + col * cell, 200 + row * cell, 10 * row + col + 1
        if number % step == 0:
            cv2.rectangle(picture, (x, y), (x + cell, y + cell), tone, -1)
        write(picture, str(number), (x + 22, y + 66), 1.3)
    rule(picture, (200, 200), (10, 10), cell, 3)
    return picture


def _elements(rng: np.random.Generator) -> Picture:
    """The periodic table: eighteen columns, the rows of unlike length, groups in colour."""
    picture, cell = sheet_on_ground(rng), 66
    tones = [_mixed(toy_tone(rng), rng.uniform(0.3, 0.9)) for _ in range(18)]
    for row, col in np.ndindex(9, 18):
        tall = (row == 0 and col in (0, 17)) or (row in (1, 2) and (col < 2 or col > 11)) or row > 2
        if tall and row != 6:
            x, y = 106 + col * cell, 300 + row * cell
            cv2.rectangle(picture, (x, y), (x + cell, y + cell), tones[col if row < 7 else 3], -1)
            cv2.rectangle(picture, (x, y), (x + cell, y + cell), INK, 2)
            write(picture, chr(65 + int(rng.integers(26))), (x + 16, y + 48), 1.0)
    return picture


def _stamp_album(rng: np.random.Generator) -> Picture:
    """A page of stamps in rows on dark or white card, pale rims, a picture on each."""
    picture, rows, cols = bare_ground(rng), int(rng.integers(3, 7)), int(rng.integers(3, 7))
    cell, card = 1100 // max(rows, cols), (246.0, 245.0, 240.0) if rng.random() < 0.5 else (30.0, 30.0, 34.0)
    cv2.rectangle(picture, (110, 110), (190 + cols * cell, 190 + rows * cell), card, -1)
    for row, col in np.ndindex(rows, cols):
        if rng.random() < 0.2:
            continue
        x, y, rim, tone = 150 + col * cell, 150 + row * cell, cell // 8, toy_tone(rng)
        cv2.rectangle(picture, (x + rim, y + rim), (x + cell - rim, y + cell - rim), (236, 234, 226), -1)
        cv2.rectangle(picture, (x + 2 * rim, y + 2 * rim), (x + cell - 2 * rim, y + cell - 2 * rim), tone, -1)
        middle = (x + cell // 2, y + cell // 2)
        cv2.circle(picture, middle, round(0.14 * cell), tuple(0.4 * v for v in tone), -1, cv2.LINE_AA)
    return picture


def _marked_month(rng: np.random.Generator) -> Picture:
    """A wall calendar: small dates, days lit by a highlighter, something written on others."""
    picture, cell = sheet_on_ground(rng), int(rng.uniform(120, 165))
    for row, col in np.ndindex(6, 7):
        x, y = 120 + col * cell, 280 + row * cell
        if rng.random() < 0.3:
            tone = _mixed(toy_tone(rng), rng.uniform(0.5, 1))
            cv2.rectangle(picture, (x + 6, y + 6), (x + cell - 6, y + cell - 6), tone, -1)
        elif rng.random() < 0.3:
            scribble(picture, rng, "Jana", (x, y, cell), pen_tone(rng))
        write(picture, str((7 * row + col) % 31 + 1), (x + 10, y + 40), 0.9)
    rule(picture, (120, 280), (6, 7), cell, 3)
    write(picture, "Srpen", (120, 200), 2.4, toy_tone(rng))
    return picture


def _points(rng: np.random.Generator) -> Picture:
    """A table ruled for points: team letters down, rounds across, numbers by pen, some cells crossed in colour."""
    picture, count = sheet_on_ground(rng), int(rng.integers(3, 9))
    cell, pen = 950 // (count + 1), pen_tone(rng)
    for row, col in np.ndindex(count + 1, count + 1):
        x, y = 220 + col * cell, 220 + row * cell
        if row == 0 and col:
            scribble(picture, rng, str(col), (x, y, cell), INK)
        elif row and col == 0:
            scribble(picture, rng, "ABCDEFGH"[row - 1], (x, y, cell), INK)
        elif row and rng.random() < 0.7:
            scribble(picture, rng, str(rng.integers(0, 40)), (x, y, cell), pen)
        elif row and rng.random() < 0.5:
            cv2.line(picture, (x + 8, y + 8), (x + cell - 8, y + cell - 8), toy_tone(rng), 8, cv2.LINE_AA)
    rule(picture, (220, 220), (count + 1, count + 1), cell, 3)
    return picture


def _advent(rng: np.random.Generator) -> Picture:
    """An Advent calendar: numbered doors on a dark picture, some open and showing a sweet."""
    picture, cols = bare_ground(rng), int(rng.choice([4, 5, 6]))
    cell, paint = 1000 // cols, rng.uniform(20, 120, 3)
    cv2.rectangle(picture, (140, 140), (260 + cols * cell, 260 + 24 // cols * cell), paint.tolist(), -1)
    for day in range(24 // cols * cols):
        x, y, rim = 200 + day % cols * cell, 200 + day // cols * cell, cell // 9
        door = toy_tone(rng) if rng.random() < 0.5 else tuple((1.3 * paint).tolist())
        cv2.rectangle(picture, (x + rim, y + rim), (x + cell - rim, y + cell - rim), door, -1)
        if rng.random() < 0.5:
            write(picture, str(day + 1), (x + 0.3 * cell, y + 0.65 * cell), cell / 90, (250, 246, 230))
        else:
            cv2.circle(picture, (x + cell // 2, y + cell // 2), cell // 4, (110, 66, 40), -1, cv2.LINE_AA)
    return picture


def _morris(rng: np.random.Generator) -> Picture:
    """Nine men's morris: three squares in each other, men of two colours on their corners."""
    picture, step = sheet_on_ground(rng), int(rng.uniform(120, 180))
    middle, men = SIDE // 2, (toy_tone(rng), toy_tone(rng))
    for k in (1, 2, 3):
        cv2.rectangle(picture, (middle - k * step,) * 2, (middle + k * step,) * 2, INK, 6)
    for x, y in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        ends = [(middle + k * step * x, middle + k * step * y) for k in (1, 3)]
        cv2.line(picture, *ends, INK, 6)
        for k in (1, 2, 3):
            for at in ((k * x, k * y), (k * (x + y), k * (y - x))):
                if rng.random() < 0.6:
                    place = (middle + at[0] * step, middle + at[1] * step)
                    cv2.circle(picture, place, step // 4, men[rng.integers(2)], -1, cv2.LINE_AA)
    return picture


def _colour_chart(rng: np.random.Generator) -> Picture:
    """A photographer's card: four rows of six patches, the last one of greys, black or white between them."""
    picture, cell, card = bare_ground(rng), 180, ((22.0,) * 3, (244.0,) * 3)[rng.integers(2)]
    cv2.rectangle(picture, (130, 250), (190 + 6 * cell, 310 + 4 * cell), card, -1)
    gap = round(cell * rng.uniform(0.04, 0.14))
    for row, col in np.ndindex(4, 6):
        x, y = 160 + col * cell, 280 + row * cell
        tone = (float(240 - 40 * col),) * 3 if row == 3 else tuple(rng.uniform(20, 240, 3).tolist())
        cv2.rectangle(picture, (x + gap, y + gap), (x + cell - gap, y + cell - gap), tone, -1)
    return picture


ON_PAPER: dict[str, Callable[[np.random.Generator], Picture]] = {
    "pixel art": _pixel_art, "hundred chart": _hundred_chart, "elements": _elements, "stamp album": _stamp_album,
    "marked month": _marked_month, "points": _points, "advent": _advent, "morris": _morris,
    "colour chart": _colour_chart,
}  # fmt: skip
