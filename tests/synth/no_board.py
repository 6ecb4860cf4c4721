"""Photos without a board: what has lines, squares or colours and is none."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from synth.coloured_squares import COLOURED, SIDE, bare_ground
from synth.ground import Picture
from synth.handmade import HandLook, bent_view
from synth.laid_out import LAID_OUT
from synth.on_paper import ON_PAPER
from synth.on_screens import ON_SCREENS
from synth.pastimes import PASTIMES


def _tiles(rng: np.random.Generator) -> Picture:
    """A tiled wall: squares all over, joints darker or lighter."""
    tone, joint = rng.uniform(120, 245, 3), rng.uniform(30, 110, 3)
    pitch, gap = int(rng.uniform(70, 300)), int(rng.uniform(3, 12))
    picture = np.empty((SIDE, SIDE, 3), np.float32)
    picture[:] = tone
    shift = rng.integers(0, pitch, 2)
    for start in range(-pitch, SIDE, pitch):
        picture[max(start + shift[0], 0) : max(start + shift[0] + gap, 0)] = joint
        picture[:, max(start + shift[1], 0) : max(start + shift[1] + gap, 0)] = joint
    return np.clip(picture, 0, 255).astype(np.uint8)


def _window(rng: np.random.Generator) -> Picture:
    """A window with panes and trees behind."""
    picture = cv2.GaussianBlur(bare_ground(rng), (0, 0), 12)
    rows, cols, bar = int(rng.integers(1, 5)), int(rng.integers(1, 5)), int(rng.uniform(12, 40))
    tone = (float(rng.uniform(60, 230)),) * 3
    for k in range(rows + 1):
        y = 100 + k * (SIDE - 200) // rows
        cv2.rectangle(picture, (100 - bar // 2, y - bar // 2), (SIDE - 100 + bar // 2, y + bar // 2), tone, -1)
    for k in range(cols + 1):
        x = 100 + k * (SIDE - 200) // cols
        cv2.rectangle(picture, (x - bar // 2, 100 - bar // 2), (x + bar // 2, SIDE - 100 + bar // 2), tone, -1)
    return picture


def _squared(rng: np.random.Generator) -> Picture:
    """A sheet of squared or lined paper, nothing on it."""
    picture = bare_ground(rng)
    cv2.rectangle(picture, (150, 120), (1250, 1300), (246, 244, 238), -1)
    pitch = int(rng.uniform(24, 60))
    tone = tuple(float(v) for v in rng.uniform(150, 220, 3))
    for y in range(120 + pitch, 1300, pitch):
        cv2.line(picture, (150, y), (1250, y), tone, 2)
    if rng.random() < 0.7:
        for x in range(150 + pitch, 1250, pitch):
            cv2.line(picture, (x, 120), (x, 1300), tone, 2)
    return picture


def _keyboard(rng: np.random.Generator) -> Picture:
    """Keys with letters."""
    dark = rng.random() < 0.5
    picture = np.full((SIDE, SIDE, 3), 40 if dark else 190, np.uint8)
    key = int(rng.uniform(80, 140))
    for row, y in enumerate(range(300, 300 + 5 * key, key)):
        for x in range(60 + (row * key) // 3, SIDE - key, key):
            cv2.rectangle(picture, (x, y), (x + key - 10, y + key - 10), (25, 25, 28) if dark else (238, 238, 236), -1)
            letter = chr(int(rng.integers(65, 91)))
            tone = (220, 220, 220) if dark else (60, 60, 60)
            cv2.putText(picture, letter, (x + 20, y + key // 2), cv2.FONT_HERSHEY_SIMPLEX, 1.1, tone, 2, cv2.LINE_AA)
    return picture


def _chessboard(rng: np.random.Generator) -> Picture:
    """Eight by eight squares, alternately dark."""
    picture = bare_ground(rng)
    cell = int(rng.uniform(80, 130))
    light, dark = (235, 215, 175), (110, 66, 40)
    for i in range(8):
        for j in range(8):
            x, y = 180 + j * cell, 150 + i * cell
            cv2.rectangle(picture, (x, y), (x + cell - 1, y + cell - 1), dark if (i + j) % 2 else light, -1)
    cv2.rectangle(picture, (170, 140), (190 + 8 * cell, 160 + 8 * cell), (70, 40, 25), 10)
    return picture


def _sudoku(rng: np.random.Generator) -> Picture:
    """A sudoku in a newspaper: lines, every third one thick, and print in many cells."""
    picture = np.full((SIDE, SIDE, 3), (226, 222, 212), np.uint8)
    cell = int(rng.uniform(60, 110))
    for k in range(10):
        width = 6 if k % 3 == 0 else 2
        cv2.line(picture, (200, 200 + k * cell), (200 + 9 * cell, 200 + k * cell), (30, 30, 30), width)
        cv2.line(picture, (200 + k * cell, 200), (200 + k * cell, 200 + 9 * cell), (30, 30, 30), width)
    for i in range(9):
        for j in range(9):
            if rng.random() < 0.45:
                at = (200 + j * cell + cell // 4, 200 + i * cell + 3 * cell // 4)
                digit = str(rng.integers(1, 10))
                cv2.putText(picture, digit, at, cv2.FONT_HERSHEY_DUPLEX, cell / 45, (25, 25, 25), 3, cv2.LINE_AA)
    return picture


def _print(rng: np.random.Generator) -> Picture:
    """A page of text with a table of three columns."""
    picture = np.full((SIDE, SIDE, 3), 242, np.uint8)
    for y in range(80, SIDE - 60, 46):
        words = " ".join("".join(chr(int(c)) for c in rng.integers(97, 123, rng.integers(2, 9))) for _ in range(9))
        cv2.putText(picture, words, (60, y), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (40, 40, 40), 2, cv2.LINE_AA)
    return picture


PLAIN: dict[str, Callable[[np.random.Generator], Picture]] = {
    "ground": bare_ground, "tiles": _tiles, "window": _window, "squared": _squared, "keyboard": _keyboard,
    "chessboard": _chessboard, "sudoku": _sudoku, "print": _print,
}  # fmt: skip
SCENES = {**PLAIN, **COLOURED, **PASTIMES, **LAID_OUT, **ON_PAPER, **ON_SCREENS}


def shoot_no_board(name: str, seed: int) -> Picture:
    """A photo of a scene without a board, at a slant, lit unevenly, (H, W, 3) uint8 RGB."""
    rng = np.random.default_rng(seed)
    look = HandLook(
        tilt=rng.uniform(0, 0.3),
        roll_deg=rng.normal(0, 8),
        zoom=rng.uniform(0.95, 1.5),
        bend=0.004,
        photo_px=(900, 1200),
    )
    return bent_view(SCENES[name](rng), look, rng)
