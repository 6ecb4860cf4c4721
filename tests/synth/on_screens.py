"""What screens show in squares: icons, games of words, numbers, bricks and mines."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from synth.coloured_squares import INK, Tone, bare_ground, toy_tone, write
from synth.ground import Picture

_LIGHT: Tone = (250, 250, 250)


def _phone(rng: np.random.Generator, tone: Tone) -> Picture:
    """A phone on a ground, its screen, from (330, 120) to (1070, 1280), of one colour."""
    picture = bare_ground(rng)
    cv2.rectangle(picture, (310, 60), (1090, 1340), (16, 16, 18), -1)
    cv2.rectangle(picture, (330, 120), (1070, 1280), tone, -1)
    return picture


def _square(picture: Picture, corner: tuple[int, int], cell: int, gap: int, tone: Tone) -> None:
    """A filled square in a cell, a gap round it."""
    x, y = corner
    cv2.rectangle(picture, (x + gap, y + gap), (x + cell - gap, y + cell - gap), tone, -1)


def _icons(rng: np.random.Generator) -> Picture:
    """A phone's first page: four columns of icons with their names, on a picture."""
    picture = _phone(rng, tuple(rng.uniform(20, 240, 3).tolist()))
    for row, col in np.ndindex(6, 4):
        if rng.random() < 0.9:
            x, y = 345 + col * 180, 140 + row * 185
            _square(picture, (x, y), 180, 34, toy_tone(rng))
            cv2.circle(picture, (x + 90, y + 90), 30, _LIGHT, -1, cv2.LINE_AA)
            write(picture, "Mapy", (x + 50, y + 178), 0.9, _LIGHT)
    return picture


def _guessed_word(rng: np.random.Generator) -> Picture:
    """A word to be guessed: six rows of five squares, green, yellow or grey, a letter in each that was tried."""
    dark = rng.random() < 0.5
    picture = _phone(rng, (18.0, 18.0, 20.0) if dark else _LIGHT)
    tones: tuple[Tone, ...] = ((106, 170, 100), (201, 180, 88), (120, 124, 126))
    tried = int(rng.integers(2, 7))
    for row, col in np.ndindex(6, 5):
        x, y = 350 + col * 140, 240 + row * 140
        if row < tried:
            _square(picture, (x, y), 140, 6, tones[rng.integers(3)])
            write(picture, chr(int(rng.integers(65, 91))), (x + 42, y + 96), 2.2, _LIGHT)
        else:
            cv2.rectangle(picture, (x + 6, y + 6), (x + 134, y + 134), (140, 140, 142), 4)
    return picture


def _doubled_tiles(rng: np.random.Generator) -> Picture:
    """Tiles with powers of two, four by four, in yellows and reds on a brown field."""
    picture = _phone(rng, (250, 248, 239))
    cv2.rectangle(picture, (360, 440), (1040, 1120), (187, 173, 160), -1)
    tones: tuple[Tone, ...] = ((238, 228, 218), (242, 177, 121), (245, 149, 99), (246, 94, 59), (237, 204, 97))
    for row, col in np.ndindex(4, 4):
        corner, power = (360 + col * 170, 440 + row * 170), int(rng.integers(0, 6))
        _square(picture, corner, 170, 10, tones[power - 1] if power else (205, 193, 180))
        if power:
            write(picture, str(2**power), (corner[0] + 50, corner[1] + 105), 1.8, INK)
    write(picture, str(2048), (400, 380), 3.0, (119, 110, 101))
    return picture


def _falling_bricks(rng: np.random.Generator) -> Picture:
    """Bricks fallen into a pit ten columns wide, in all colours, the pit black or white with fine lines."""
    dark = rng.random() < 0.5
    picture, cell = _phone(rng, (12.0, 12.0, 16.0) if dark else _LIGHT), 68
    for row, col in np.ndindex(16, 10):
        x, y = 360 + col * cell, 160 + row * cell
        if rng.random() < (row - 4) / 12:
            _square(picture, (x, y), cell, 2, toy_tone(rng))
        cv2.rectangle(picture, (x, y), (x + cell, y + cell), (70, 70, 74) if dark else (216, 216, 216), 1)
    return picture


def _mines(rng: np.random.Generator) -> Picture:
    """A field of mines: grey squares, opened ones paler with a number in its colour, red flags."""
    picture, count = _phone(rng, (192, 192, 192)), int(rng.choice([6, 8, 9, 10]))
    cell, tones = 700 // count, ((0, 0, 255), (0, 128, 0), (255, 0, 0), (0, 0, 128))
    for row, col in np.ndindex(count, count):
        x, y, kind = 350 + col * cell, 350 + row * cell, rng.random()
        _square(picture, (x, y), cell, 3, (220, 220, 220) if kind < 0.6 else (168, 168, 170))
        if kind < 0.3:
            number = int(rng.integers(4))
            write(picture, str(number + 1), (x + 0.3 * cell, y + 0.7 * cell), cell / 50, tones[number])
        elif kind > 0.88:
            flag = np.array([[0.35, 0.2], [0.35, 0.6], [0.75, 0.4]]) * cell + (x, y)
            cv2.fillPoly(picture, [flag.astype(np.int32)], (220, 20, 20), cv2.LINE_AA)
    return picture


ON_SCREENS: dict[str, Callable[[np.random.Generator], Picture]] = {
    "icons": _icons, "guessed word": _guessed_word, "doubled tiles": _doubled_tiles, "falling bricks": _falling_bricks,
    "mines": _mines,
}  # fmt: skip
