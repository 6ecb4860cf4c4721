"""Grids of paper, screens and food that are no board: puzzles filled in by pen, cards, prints, windows, a waffle."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from synth.coloured_squares import INK, SIDE, Tone, bare_ground, sheet_on_ground, toy_tone, write
from synth.ground import Picture

_PENS: tuple[Tone, ...] = ((36, 52, 150), (30, 30, 40), (170, 40, 50), (40, 110, 60))


def pen_tone(rng: np.random.Generator) -> Tone:
    """The colour of somebody's pen."""
    return _PENS[rng.integers(len(_PENS))]


def scribble(picture: Picture, rng: np.random.Generator, text: str, box: tuple[float, float, float], pen: Tone) -> None:
    """A digit or a letter by hand in a cell (left, top, side), leaning, over no more than two thirds of it."""
    left, top, side = box
    size = side * rng.uniform(0.45, 0.7)
    glyph = np.zeros((120, 120), np.uint8)
    font = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX)[int(rng.integers(2))]
    cv2.putText(glyph, text, (24, 92), font, 3.2 / max(len(text), 1) ** 0.8, 255, int(rng.integers(5, 12)), cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((60, 60), float(rng.normal(0, 9)), size / 120)
    turn[:, 2] += (
        left + side / 2 + rng.normal(0, 0.04) * side - 60,
        top + side / 2 + rng.normal(0, 0.04) * side - 60,
    )
    alpha = cv2.warpAffine(glyph, turn, picture.shape[1::-1])[..., None] / np.float32(255)
    picture[:] = (picture * (1 - alpha) + np.array(pen, np.float32) * alpha).astype(np.uint8)


def rule(picture: Picture, corner: tuple[int, int], shape: tuple[int, int], cell: int, wide: int = 2) -> None:
    """Print the lines of rows × cols cells."""
    (left, top), (rows, cols) = corner, shape
    for row in range(rows + 1):
        cv2.line(picture, (left, top + row * cell), (left + cols * cell, top + row * cell), INK, wide)
    for col in range(cols + 1):
        cv2.line(picture, (left + col * cell, top), (left + col * cell, top + rows * cell), INK, wide)


def _bingo(rng: np.random.Generator) -> Picture:
    """A bingo card: five by five printed numbers, a letter over each column, some numbers dabbed or crossed out."""
    picture, cell = sheet_on_ground(rng), int(rng.uniform(130, 190))
    left, top, dab = (SIDE - 5 * cell) // 2, 330, toy_tone(rng)
    dabbed = rng.random() < 0.5
    for row, col in np.ndindex(5, 5):
        x, y = left + col * cell, top + row * cell
        write(picture, str(15 * col + rng.integers(1, 16)), (x + 0.2 * cell, y + 0.65 * cell), cell / 70)
        if rng.random() < 0.4 and dabbed:
            soft = picture.copy()
            cv2.circle(soft, (x + cell // 2, y + cell // 2), round(0.3 * cell), dab, -1, cv2.LINE_AA)
            picture[:] = cv2.addWeighted(soft, 0.6, picture, 0.4, 0)
        elif rng.random() < 0.3:
            cv2.line(picture, (x + 20, y + 20), (x + cell - 20, y + cell - 20), pen_tone(rng), 6, cv2.LINE_AA)
    rule(picture, (left, top), (5, 5), cell, 4)
    for col, letter in enumerate("BINGO"):
        write(picture, letter, (left + (col + 0.3) * cell, top - 30), cell / 45, toy_tone(rng))
    return picture


def _kakuro(rng: np.random.Generator) -> Picture:
    """A kakuro: black cells with two small sums, others filled by pen."""
    picture, count = sheet_on_ground(rng), int(rng.integers(5, 10))
    cell, pen = 1000 // count, pen_tone(rng)
    for row, col in np.ndindex(count, count):
        x, y = 200 + col * cell, 200 + row * cell
        if row * col == 0 or rng.random() < 0.2:
            cv2.rectangle(picture, (x, y), (x + cell, y + cell), (40, 40, 44), -1)
            cv2.line(picture, (x, y), (x + cell, y + cell), (200, 200, 200), 2, cv2.LINE_AA)
            write(picture, str(rng.integers(3, 40)), (x + 0.5 * cell, y + 0.4 * cell), cell / 110, (240, 240, 240))
        elif rng.random() < 0.75:
            scribble(picture, rng, str(rng.integers(1, 10)), (x, y, cell), pen)
    rule(picture, (200, 200), (count, count), cell)
    return picture


def _pen_sudoku(rng: np.random.Generator) -> Picture:
    """A sudoku of four, six or nine, some digits printed, the others by pen."""
    picture, count = sheet_on_ground(rng), int(rng.choice([4, 6, 9]))
    cell, pen, done = 1000 // count, pen_tone(rng), rng.uniform(0.3, 1)
    for row, col in np.ndindex(count, count):
        x, y, digit = 200 + col * cell, 200 + row * cell, str(rng.integers(1, count + 1))
        if rng.random() < 0.35:
            write(picture, digit, (x + 0.3 * cell, y + 0.75 * cell), cell / 50)
        elif rng.random() < done:
            scribble(picture, rng, digit, (x, y, cell), pen)
    rule(picture, (200, 200), (count, count), cell)
    step = {4: 2, 6: 3, 9: 3}[count] * cell
    for at in range(200, 200 + count * cell + 1, step):
        cv2.line(picture, (at, 200), (at, 200 + count * cell), INK, 6)
        cv2.line(picture, (200, at), (200 + count * cell, at), INK, 6)
    return picture


def _crossed_words(rng: np.random.Generator) -> Picture:
    """A word search or a filled magic square: a letter in every cell, by one pen, words ringed by another."""
    picture, count = sheet_on_ground(rng), int(rng.choice([3, 4, 5, 6, 8, 10, 12]))
    cell, pen, ring = 1000 // count, pen_tone(rng), toy_tone(rng)
    for row, col in np.ndindex(count, count):
        scribble(picture, rng, chr(int(rng.integers(65, 91))), (200 + col * cell, 200 + row * cell, cell), pen)
    rule(picture, (200, 200), (count, count), cell)
    for _ in range(int(rng.integers(0, 4))):
        row, first = int(rng.integers(count)), int(rng.integers(count))
        middle = (200 + (2 * first + 2) * cell // 2, 200 + (2 * row + 1) * cell // 2)
        cv2.ellipse(picture, middle, (round(0.9 * cell), round(0.42 * cell)), 0, 0, 360, ring, 5, cv2.LINE_AA)
    return picture


def _battleships(rng: np.random.Generator) -> Picture:
    """Two fields of battleships on squared paper: ships shaded by pencil, shots as crosses and dots."""
    picture, cell = sheet_on_ground(rng), int(rng.uniform(34, 52))
    for at in range(110, SIDE - 90, cell):
        cv2.line(picture, (90, at), (SIDE - 90, at), (176, 196, 216), 1)
        cv2.line(picture, (at, 70), (at, SIDE - 70), (176, 196, 216), 1)
    pen = pen_tone(rng)
    for left in (110 + cell, 110 + cell * (14 if 25 * cell < SIDE - 220 else 1)):
        top = 110 + 2 * cell + (0 if left > 110 + cell else cell * 12 * (25 * cell >= SIDE - 220))
        for row, col in np.ndindex(10, 10):
            x, y, chance = left + col * cell, top + row * cell, rng.random()
            if chance < 0.14:
                cv2.rectangle(picture, (x + 3, y + 3), (x + cell - 3, y + cell - 3), pen, -1)
            elif chance < 0.3:
                cv2.line(picture, (x + 8, y + 8), (x + cell - 8, y + cell - 8), pen, 3, cv2.LINE_AA)
                cv2.line(picture, (x + cell - 8, y + 8), (x + 8, y + cell - 8), pen, 3, cv2.LINE_AA)
        cv2.rectangle(picture, (left, top), (left + 10 * cell, top + 10 * cell), pen, 4)
    return picture


def _tic_tac_toe(rng: np.random.Generator) -> Picture:
    """Many games of noughts and crosses on one sheet, by two pens."""
    picture, cell = sheet_on_ground(rng), int(rng.uniform(70, 110))
    pens = pen_tone(rng), pen_tone(rng)
    for left in range(160, SIDE - 160 - 3 * cell, 4 * cell):
        for top in range(160, SIDE - 160 - 3 * cell, 4 * cell):
            for k in (1, 2):
                cv2.line(picture, (left, top + k * cell), (left + 3 * cell, top + k * cell), INK, 5, cv2.LINE_AA)
                cv2.line(picture, (left + k * cell, top), (left + k * cell, top + 3 * cell), INK, 5, cv2.LINE_AA)
            for row, col in np.ndindex(3, 3):
                if rng.random() < 0.8:
                    which = int(rng.integers(2))
                    box = (left + col * cell, top + row * cell, cell)
                    scribble(picture, rng, "OX"[which], box, pens[which])
    return picture


def _waffle(rng: np.random.Generator) -> Picture:
    """A waffle with berries and cream in some of its hollows."""
    picture, count = bare_ground(rng), int(rng.integers(4, 9))
    cell, crust = 1000 // count, np.array([214, 160, 84]) * rng.uniform(0.8, 1.1)
    cv2.rectangle(picture, (190, 190), (210 + count * cell, 210 + count * cell), np.minimum(crust, 255).tolist(), -1)
    berries: tuple[Tone, ...] = ((180, 24, 40), (60, 60, 130), (250, 244, 226))
    for row, col in np.ndindex(count, count):
        x, y, rim = 200 + col * cell, 200 + row * cell, cell // 7
        hollow = tuple((crust * rng.uniform(0.6, 0.75)).tolist())
        cv2.rectangle(picture, (x + rim, y + rim), (x + cell - rim, y + cell - rim), hollow, -1)
        if rng.random() < 0.3:
            berry = berries[rng.integers(3)]
            cv2.circle(picture, (x + cell // 2, y + cell // 2), round(0.32 * cell), berry, -1, cv2.LINE_AA)
    return picture


def _lit_windows(rng: np.random.Generator) -> Picture:
    """A block of flats at night: rows of windows, some lit yellow, some blue by a television."""
    picture = np.full((SIDE, SIDE, 3), rng.uniform(8, 36), np.uint8)
    wide, high = int(rng.uniform(90, 200)), int(rng.uniform(90, 200))
    tones: tuple[Tone, ...] = ((250, 214, 120), (255, 236, 190), (110, 150, 235), (22, 26, 36), (240, 150, 70))
    for y in range(60, SIDE - high, high):
        for x in range(60, SIDE - wide, wide):
            tone = tones[rng.choice(5, p=[0.3, 0.15, 0.1, 0.4, 0.05])]
            cv2.rectangle(picture, (x, y), (x + round(0.75 * wide), y + round(0.75 * high)), tone, -1)
    return picture


def _leafy_paving(rng: np.random.Generator) -> Picture:
    """Paving stones with coloured leaves on them."""
    picture, pitch = bare_ground(rng), int(rng.uniform(120, 300))
    slab = rng.uniform(120, 200)
    for y in range(-int(rng.integers(pitch)), SIDE, pitch):
        for x in range(-pitch // 2, SIDE, pitch):
            tone = float(slab * rng.uniform(0.9, 1.08))
            cv2.rectangle(picture, (x, y), (x + pitch - 8, y + pitch - 8), (tone, tone, 0.97 * tone), -1)
    leaves: tuple[Tone, ...] = ((196, 60, 30), (226, 170, 40), (90, 130, 50), (150, 90, 40))
    for _ in range(int(rng.integers(10, 60))):
        at, reach = rng.integers(0, SIDE, 2).tolist(), int(rng.uniform(24, 70))
        turn, thin = float(rng.uniform(0, 180)), round(reach * rng.uniform(0.4, 0.8))
        cv2.ellipse(picture, at, (reach, thin), turn, 0, 360, leaves[rng.integers(4)], -1, cv2.LINE_AA)
    return picture


def _print_out(rng: np.random.Generator) -> Picture:
    """A printed table of square cells: names on the left, numbers in them, some cells shaded, palely or strongly."""
    picture, count = sheet_on_ground(rng), int(rng.integers(4, 13))
    cell, strong = 960 // count, rng.random() < 0.5
    for row, col in np.ndindex(count, count):
        x, y = 300 + col * cell, 260 + row * cell
        if row == 0 or rng.random() < 0.3:
            tone = np.array(toy_tone(rng)) if strong else 255 - 0.25 * (255 - np.array(toy_tone(rng)))
            cv2.rectangle(picture, (x, y), (x + cell, y + cell), tone.tolist(), -1)
        if rng.random() < 0.9:
            write(picture, str(rng.integers(1, 100)), (x + 0.2 * cell, y + 0.65 * cell), cell / 75)
    for row in range(count):
        write(picture, "Name", (130, 260 + (row + 0.65) * cell), cell / 75)
    rule(picture, (300, 260), (count, count), cell)
    return picture


def _draughts_men(rng: np.random.Generator) -> Picture:
    """A chessboard with men and pieces of two colours, seen from above, letters and digits round it."""
    picture, cell = bare_ground(rng), int(rng.uniform(90, 125))
    light, dark = ((240, 226, 196), (120, 76, 46)) if rng.random() < 0.5 else ((236, 240, 222), (90, 140, 80))
    left = (SIDE - 8 * cell) // 2
    cv2.rectangle(picture, (left - 50, left - 50), (left + 8 * cell + 50, left + 8 * cell + 50), dark, -1)
    for row, col in np.ndindex(8, 8):
        x, y = left + col * cell, left + row * cell
        cv2.rectangle(picture, (x, y), (x + cell - 1, y + cell - 1), dark if (row + col) % 2 else light, -1)
        if rng.random() < 0.4:
            middle = (x + cell // 2, y + cell // 2)
            man: Tone = (250, 244, 230) if row > 4 else (30, 28, 30)
            cv2.circle(picture, middle, round(0.34 * cell), man, -1, cv2.LINE_AA)
            cv2.circle(picture, middle, round(0.2 * cell), (120, 110, 100), 3, cv2.LINE_AA)
    for k in range(8):
        write(picture, "ABCDEFGH"[k], (left + (k + 0.4) * cell, left - 12), 1.0, light)
        write(picture, str(8 - k), (left - 40, left + (k + 0.6) * cell), 1.0, light)
    return picture


def _stamps(rng: np.random.Generator) -> Picture:
    """A sheet of stickers or stamps as it is sold: one colour or several, edge to edge, narrow white between them."""
    picture, count = bare_ground(rng), int(rng.integers(3, 9))
    cell, one = 1000 // count, toy_tone(rng)
    cv2.rectangle(picture, (170, 170), (230 + count * cell, 230 + count * cell), (246, 245, 240), -1)
    mixed, gap = rng.random() < 0.5, max(2, round(cell * rng.uniform(0.02, 0.06)))
    for row, col in np.ndindex(count, count):
        x, y = 200 + col * cell, 200 + row * cell
        tone = toy_tone(rng) if mixed else one
        cv2.rectangle(picture, (x + gap, y + gap), (x + cell - gap, y + cell - gap), tone, -1)
    return picture


PASTIMES: dict[str, Callable[[np.random.Generator], Picture]] = {
    "bingo": _bingo, "kakuro": _kakuro, "pen sudoku": _pen_sudoku, "crossed words": _crossed_words,
    "battleships": _battleships, "tic-tac-toe": _tic_tac_toe, "waffle": _waffle, "lit windows": _lit_windows,
    "leafy paving": _leafy_paving, "print-out": _print_out, "draughtsmen": _draughts_men, "stamps": _stamps,
}  # fmt: skip
