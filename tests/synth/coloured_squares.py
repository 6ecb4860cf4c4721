"""What has coloured squares and is no board: a cube, chessmen, tiles, books, calendars, tables, crosswords, quilts."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from synth.ground import SIDE_PX, Picture, paint_ground
from synth.look import GROUNDS

SIDE = 1400
_TOYS = ((196, 30, 44), (250, 210, 40), (30, 140, 70), (30, 80, 190), (240, 120, 30), (240, 240, 236))
INK = (30, 30, 34)
Tone = tuple[float, ...]


def bare_ground(rng: np.random.Generator) -> Picture:
    """A bare ground."""
    kind = GROUNDS[rng.integers(len(GROUNDS))]
    return np.clip(paint_ground(kind, rng)[:SIDE, :SIDE] ** (1 / 2.2) * 255, 0, 255).astype(np.uint8)


def toy_tone(rng: np.random.Generator) -> Tone:
    """One of the colours of toys, a little off."""
    return tuple(float(v) for v in np.clip(np.array(_TOYS[rng.integers(len(_TOYS))]) * rng.uniform(0.9, 1.05), 0, 255))


def sheet_on_ground(rng: np.random.Generator) -> Picture:
    """White paper on a ground."""
    picture = bare_ground(rng)
    cv2.rectangle(picture, (90, 70), (SIDE - 90, SIDE - 70), (246, 245, 240), -1)
    return picture


def write(picture: Picture, text: str, at: tuple[float, float], size: float, tone: Tone = INK) -> None:
    """Print a text."""
    place = (round(at[0]), round(at[1]))
    cv2.putText(picture, text, place, cv2.FONT_HERSHEY_DUPLEX, size, tone, max(1, round(2 * size)), cv2.LINE_AA)


def _face(rng: np.random.Generator) -> Picture:
    """One side of a cube: nine coloured stickers on black."""
    face = np.full((300, 300, 3), 24, np.uint8)
    for place in range(9):
        row, col = divmod(place, 3)
        corner = (col * 100 + 8, row * 100 + 8)
        cv2.rectangle(face, corner, (corner[0] + 83, corner[1] + 83), toy_tone(rng), -1)
    return face


def _cube(rng: np.random.Generator) -> Picture:
    """A twisty cube, one side towards the camera, or three of them seen."""
    picture = bare_ground(rng)
    near, far = 420, int(rng.choice([0, 190]))
    front = np.array([[0, far], [near, far], [near, near + far], [0, near + far]], np.float32)
    top = np.array([[far, 0], [near + far, 0], [near, far], [0, far]], np.float32)
    right = np.array([[near, far], [near + far, 0], [near + far, near], [near, near + far]], np.float32)
    for quad in (front, top, right)[: 3 if far else 1]:
        flat = np.array([[0, 0], [300, 0], [300, 300], [0, 300]], np.float32)
        homography = cv2.getPerspectiveTransform(flat, quad + np.float32(400))
        cv2.warpPerspective(_face(rng), homography, (SIDE, SIDE), picture, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    return picture


def _chessmen(rng: np.random.Generator) -> Picture:
    """A board for draughts or ludo with coloured men on it."""
    picture, count = bare_ground(rng), int(rng.choice([5, 6, 8, 8, 10]))
    cell = 1000 // count
    light, dark = ((240, 226, 196), (120, 76, 46)) if rng.random() < 0.6 else ((244, 244, 240), (60, 60, 64))
    for row, col in np.ndindex(count, count):
        x, y = 200 + col * cell, 200 + row * cell
        cv2.rectangle(picture, (x, y), (x + cell - 1, y + cell - 1), dark if (row + col) % 2 else light, -1)
        if rng.random() < 0.35:
            cv2.circle(picture, (x + cell // 2, y + cell // 2), round(cell * 0.36), toy_tone(rng), -1, cv2.LINE_AA)
    return picture


def _coloured_tiles(rng: np.random.Generator) -> Picture:
    """A bathroom: white tiles, some of them coloured, joints all over."""
    picture = np.full((SIDE, SIDE, 3), rng.uniform(130, 215), np.uint8)
    pitch, joint = int(rng.uniform(90, 260)), int(rng.uniform(3, 9))
    share = rng.uniform(0.1, 0.9)
    for y in range(-int(rng.integers(pitch)), SIDE, pitch):
        for x in range(-pitch // 2, SIDE, pitch):
            tone = toy_tone(rng) if rng.random() < share else (238.0, 238.0, 234.0)
            cv2.rectangle(picture, (x, y), (x + pitch - joint, y + pitch - joint), tone, -1)
    return picture


def _books(rng: np.random.Generator) -> Picture:
    """A shelf: spines of many colours, boards between the rows."""
    picture = np.full((SIDE, SIDE, 3), (90, 62, 40), np.uint8)
    for top in range(0, SIDE, 350):
        x = 0
        while x < SIDE:
            width, high = int(rng.uniform(24, 90)), int(rng.uniform(210, 320))
            tone = tuple(float(v) for v in rng.uniform(30, 235, 3))
            cv2.rectangle(picture, (x, top + 330 - high), (x + width - 3, top + 330), tone, -1)
            cv2.rectangle(picture, (x + 4, top + 345 - high), (x + width - 8, top + 375 - high), toy_tone(rng), -1)
            x += width
    return picture


def _table(rng: np.random.Generator, cell: tuple[int, int], shape: tuple[int, int], share: float) -> Picture:
    """A printed table on paper, a share of its cells filled with colour."""
    picture, (wide, high), (rows, cols) = sheet_on_ground(rng), cell, shape
    left, top = (SIDE - cols * wide) // 2, 260
    for row, col in np.ndindex(rows, cols):
        corner, end = (left + col * wide, top + row * high), (left + (col + 1) * wide, top + (row + 1) * high)
        if rng.random() < share:
            cv2.rectangle(picture, corner, end, toy_tone(rng), -1)
        cv2.rectangle(picture, corner, end, INK, 2)
        write(picture, str(rng.integers(1, 32)), (corner[0] + 8, corner[1] + 0.4 * high), 0.9)
    write(picture, "September", (left, 200), 2.2)
    return picture


def _calendar(rng: np.random.Generator) -> Picture:
    """A month: seven columns, holidays in colour."""
    return _table(rng, (150, int(rng.uniform(130, 170))), (5, 7), rng.uniform(0, 0.3))


def _timetable(rng: np.random.Generator) -> Picture:
    """A school's timetable: every lesson in its colour."""
    return _table(rng, (int(rng.uniform(130, 170)), int(rng.uniform(80, 110))), (5, 7), rng.uniform(0.5, 0.9))


def _spreadsheet(rng: np.random.Generator) -> Picture:
    """A spreadsheet on a screen: narrow cells, some filled, a bar above."""
    picture = np.full((SIDE, SIDE, 3), 255, np.uint8)
    cv2.rectangle(picture, (0, 0), (SIDE, 130), (33, 115, 70), -1)
    wide, high = int(rng.uniform(90, 160)), int(rng.uniform(36, 60))
    for y in range(130, SIDE, high):
        for x in range(0, SIDE, wide):
            if rng.random() < 0.08:
                cv2.rectangle(picture, (x, y), (x + wide, y + high), toy_tone(rng), -1)
            cv2.rectangle(picture, (x, y), (x + wide, y + high), (205, 205, 205), 1)
            if rng.random() < 0.6:
                write(picture, str(rng.integers(1, 9999)), (x + 8, y + 0.7 * high), 0.8)
    return picture


def _crossword(rng: np.random.Generator) -> Picture:
    """A crossword: black and white squares, letters written in by pen."""
    picture, count = sheet_on_ground(rng), int(rng.integers(7, 14))
    cell = 1000 // count
    for row, col in np.ndindex(count, count):
        corner, end = (200 + col * cell, 200 + row * cell), (200 + (col + 1) * cell, 200 + (row + 1) * cell)
        if rng.random() < 0.22:
            cv2.rectangle(picture, corner, end, INK, -1)
        elif rng.random() < 0.5:
            at = (corner[0] + 0.25 * cell, corner[1] + 0.8 * cell)
            write(picture, chr(int(rng.integers(65, 91))), at, cell / 40, (40, 50, 150))
        cv2.rectangle(picture, corner, end, INK, 2)
    return picture


def _noughts(rng: np.random.Generator) -> Picture:
    """Noughts and crosses, drawn by pen on paper."""
    picture, cell = sheet_on_ground(rng), int(rng.uniform(120, 240))
    for k in range(4):
        wobble = rng.integers(-6, 7, 4)
        _stroke(picture, (300, 300 + k * cell + wobble[0]), (300 + 3 * cell, 300 + k * cell + wobble[1]), INK)
        _stroke(picture, (300 + k * cell + wobble[2], 300), (300 + k * cell + wobble[3], 300 + 3 * cell), INK)
    for row, col in np.ndindex(3, 3):
        x, y, reach = 300 + col * cell + cell // 2, 300 + row * cell + cell // 2, cell // 4
        if rng.random() < 0.4:
            cv2.circle(picture, (x, y), reach, (190, 40, 40), 7, cv2.LINE_AA)
        elif rng.random() < 0.6:
            for way in (reach, -reach):
                _stroke(picture, (x - reach, y - way), (x + reach, y + way), (40, 60, 170))
    return picture


def _stroke(picture: Picture, start: tuple[int, int], end: tuple[int, int], tone: Tone) -> None:
    """A stroke of a pen."""
    cv2.line(picture, start, end, tone, 6, cv2.LINE_AA)


def _quilt(rng: np.random.Generator) -> Picture:
    """A patchwork blanket: squares of cloth, seams between them."""
    picture, cell = np.full((SIDE, SIDE, 3), 225, np.uint8), int(rng.uniform(110, 220))
    weave = rng.uniform(0.85, 1.1, (SIDE_PX, SIDE_PX, 1)).astype(np.float32)[:SIDE, :SIDE]
    for y in range(0, SIDE, cell):
        for x in range(0, SIDE, cell):
            cv2.rectangle(picture, (x + 4, y + 4), (x + cell - 4, y + cell - 4), toy_tone(rng), -1)
    return np.clip(picture * weave, 0, 255).astype(np.uint8)


COLOURED: dict[str, Callable[[np.random.Generator], Picture]] = {
    "cube": _cube, "chessmen": _chessmen, "coloured tiles": _coloured_tiles, "books": _books, "calendar": _calendar,
    "timetable": _timetable, "spreadsheet": _spreadsheet, "crossword": _crossword, "noughts": _noughts,
    "quilt": _quilt,
}  # fmt: skip
