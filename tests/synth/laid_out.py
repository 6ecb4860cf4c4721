"""Things of camp and kitchen that lie or hang in rows: cards, eggs, paints, beads, bricks, notes, a mat, a cloth."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from synth.coloured_squares import INK, SIDE, Tone, bare_ground, sheet_on_ground, toy_tone, write
from synth.ground import Picture

_WHITE: Tone = (246, 245, 240)


def _blend(picture: Picture, over: Picture, share: float) -> None:
    """Lay what was painted over a picture thinly on it."""
    picture[:] = cv2.addWeighted(over, share, picture, 1 - share, 0)


def _disc(picture: Picture, middle: tuple[float, float], reach: float, tone: Tone) -> None:
    """A filled circle."""
    cv2.circle(picture, (round(middle[0]), round(middle[1])), round(reach), tone, -1, cv2.LINE_AA)


def _drawn_thing(picture: Picture, rng: np.random.Generator, middle: tuple[int, int], reach: int) -> None:
    """A simple picture: a sun, a house, a fish or a leaf in one colour."""
    tone, kind = toy_tone(rng), int(rng.integers(4))
    (x, y), thin = middle, round(0.6 * reach)
    if kind == 0:
        _disc(picture, middle, 0.6 * reach, tone)
        for angle in np.linspace(0, 2 * np.pi, 9):
            way = np.array([np.cos(angle), np.sin(angle)])
            ends = np.round(np.array(middle) + np.outer([0.7 * reach, reach], way)).astype(int)
            cv2.line(picture, ends[0].tolist(), ends[1].tolist(), tone, 3, cv2.LINE_AA)
    elif kind == 1:
        cv2.rectangle(picture, (x - thin, y - thin // 3), (x + thin, y + reach), tone, -1)
        cv2.fillPoly(picture, [np.array([[x - reach, y], [x, y - reach], [x + reach, y]])], toy_tone(rng), cv2.LINE_AA)
    else:
        cv2.ellipse(picture, middle, (reach, thin), 30.0 * kind, 0, 360, tone, -1, cv2.LINE_AA)
        _disc(picture, (x + reach / 3, y - thin / 4), reach / 8, INK)


def _memory(rng: np.random.Generator) -> Picture:
    """A game of pairs: square cards in rows, some turned up with a picture, the others showing their back."""
    picture, rows, cols = bare_ground(rng), int(rng.integers(3, 9)), int(rng.integers(3, 9))
    pitch = 1200 // max(rows, cols)
    half, back, up = round(pitch * rng.uniform(0.4, 0.48)), toy_tone(rng), rng.uniform(0.1, 1)
    for row, col in np.ndindex(rows, cols):
        middle = np.array([100 + (col + 0.5) * pitch, 100 + (row + 0.5) * pitch]) + rng.normal(0, 0.012 * pitch, 2)
        card = cv2.boxPoints((middle, (2 * half, 2 * half), float(rng.normal(0, 1.5)))).astype(np.int32)
        if rng.random() < 0.08:
            continue
        turned = rng.random() < up
        cv2.fillPoly(picture, [card], _WHITE if turned else back, cv2.LINE_AA)
        if turned:
            _drawn_thing(picture, rng, (round(middle[0]), round(middle[1])), round(0.65 * half))
    return picture


def _brick_plate(rng: np.random.Generator) -> Picture:
    """A plate with studs, square bricks of all colours on it."""
    picture, count = bare_ground(rng), int(rng.choice([8, 10, 12, 16]))
    stud, plate = 1200 // count, toy_tone(rng)
    cv2.rectangle(picture, (100, 100), (100 + count * stud, 100 + count * stud), plate, -1)
    wide = int(rng.choice([1, 2, 2]))
    for row, col in np.ndindex(count // wide, count // wide):
        if rng.random() < 0.45:
            x, y = 100 + col * wide * stud, 100 + row * wide * stud
            cv2.rectangle(picture, (x + 1, y + 1), (x + wide * stud - 2, y + wide * stud - 2), toy_tone(rng), -1)
    for row, col in np.ndindex(count, count):
        x, y = 100 + (col + 0.5) * stud, 100 + (row + 0.5) * stud
        tone = picture[round(y), round(x)].astype(float)
        _disc(picture, (x + 2, y + 2), 0.32 * stud, tuple((0.6 * tone).tolist()))
        _disc(picture, (x, y), 0.3 * stud, tuple(np.minimum(1.12 * tone, 255).tolist()))
    return picture


def _chocolate(rng: np.random.Generator) -> Picture:
    """A bar of chocolate, some of its pieces broken off on to foil."""
    picture, rows, cols = bare_ground(rng), int(rng.integers(3, 7)), int(rng.integers(3, 7))
    cell, brown = 1000 // max(rows, cols), np.array(((92, 52, 30), (140, 90, 54), (238, 222, 190))[rng.integers(3)])
    cv2.rectangle(picture, (150, 150), (250 + cols * cell, 250 + rows * cell), (196, 198, 204), -1)
    for row, col in np.ndindex(rows, cols):
        if rng.random() < 0.85:
            x, y, slope = 200 + col * cell, 200 + row * cell, cell // 8
            cv2.rectangle(picture, (x, y), (x + cell, y + cell), (0.7 * brown).tolist(), -1)
            corner, end = (x + slope, y + slope), (x + cell - slope, y + cell - slope)
            cv2.rectangle(picture, corner, end, np.minimum(brown * rng.uniform(0.95, 1.1), 255).tolist(), -1)
    return picture


def _egg_box(rng: np.random.Generator) -> Picture:
    """A tray of grey pulp, painted eggs in some of its hollows."""
    picture, count = bare_ground(rng), int(rng.integers(3, 7))
    cell, pulp = 1100 // count, np.array([168, 164, 158]) * rng.uniform(0.8, 1.1)
    cv2.rectangle(picture, (140, 140), (160 + count * cell, 160 + count * cell), pulp.tolist(), -1)
    for row, col in np.ndindex(count, count):
        x, y = 150 + (col + 0.5) * cell, 150 + (row + 0.5) * cell
        _disc(picture, (x, y), 0.44 * cell, tuple((0.75 * pulp).tolist()))
        if rng.random() < 0.7:
            egg = toy_tone(rng) if rng.random() < 0.7 else (214.0, 160.0, 120.0)
            _disc(picture, (x, y), 0.36 * cell, egg)
            _disc(picture, (x - 0.1 * cell, y - 0.1 * cell), 0.1 * cell, tuple(min(1.15 * v + 20, 255) for v in egg))
    return picture


def _paint_box(rng: np.random.Generator) -> Picture:
    """A box of water colours: round or square pans of every hue in white or black plastic."""
    picture, rows, cols = bare_ground(rng), int(rng.integers(2, 6)), int(rng.integers(3, 7))
    cell, box = 1100 // max(rows, cols), _WHITE if rng.random() < 0.6 else (34.0, 34.0, 38.0)
    round_pans, half = rng.random() < 0.5, rng.uniform(0.32, 0.42)
    cv2.rectangle(picture, (130, 130), (170 + cols * cell, 170 + rows * cell), box, -1)
    for row, col in np.ndindex(rows, cols):
        x, y, tone = 150 + (col + 0.5) * cell, 150 + (row + 0.5) * cell, tuple(rng.uniform(20, 250, 3).tolist())
        if round_pans:
            _disc(picture, (x, y), half * cell, tone)
        else:
            corner, end = (round(v - half * cell) for v in (x, y)), (round(v + half * cell) for v in (x, y))
            cv2.rectangle(picture, tuple(corner), tuple(end), tone, -1)
        if rng.random() < 0.5:
            _disc(picture, (x, y), 0.15 * cell, tuple(0.5 * v + 0.5 * b for v, b in zip(tone, box, strict=True)))
    return picture


def _bead_tray(rng: np.random.Generator) -> Picture:
    """Beads or pills in the square boxes of a clear tray, one colour in each, or none."""
    picture, count = bare_ground(rng), int(rng.integers(3, 8))
    cell, wall = 1100 // count, (206, 212, 216)
    cv2.rectangle(picture, (150, 150), (150 + count * cell, 150 + count * cell), (228, 230, 230), -1)
    for row, col in np.ndindex(count, count):
        corner, tone = np.array([150 + col * cell, 150 + row * cell]), np.array(toy_tone(rng))
        for _ in range(int(rng.integers(0, 40))):
            place = corner + rng.uniform(0.15, 0.85, 2) * cell
            _disc(picture, tuple(place), 0.09 * cell, tuple((tone * rng.uniform(0.8, 1)).tolist()))
    for k in range(count + 1):
        at, end = 150 + k * cell, 150 + count * cell
        cv2.line(picture, (150, at), (end, at), wall, 9)
        cv2.line(picture, (at, 150), (at, end), wall, 9)
        cv2.line(picture, (150, at + 5), (end, at + 5), (150, 152, 154), 2)
        cv2.line(picture, (at + 5, 150), (at + 5, end), (150, 152, 154), 2)
    return picture


def _near_cube(rng: np.random.Generator) -> Picture:
    """A twisty cube so near that one side fills the photo, black or white between its stickers."""
    count, plastic = int(rng.choice([2, 3, 3, 4, 5])), ((18.0,) * 3, (236.0,) * 3)[rng.integers(2)]
    picture, cell = np.full((SIDE, SIDE, 3), plastic, np.uint8), SIDE // count
    gap = round(cell * rng.uniform(0.04, 0.09))
    for row, col in np.ndindex(count, count):
        x, y = col * cell, row * cell
        cv2.rectangle(picture, (x + gap, y + gap), (x + cell - gap, y + cell - gap), toy_tone(rng), -1)
        cv2.line(picture, (x, 0), (x, SIDE), (8, 8, 8), 3)
        cv2.line(picture, (0, y), (SIDE, y), (8, 8, 8), 3)
    return picture


def _word_tiles(rng: np.random.Generator) -> Picture:
    """A board of fifteen by fifteen squares, some of them coloured, ivory tiles with letters laid as words."""
    picture, cell = bare_ground(rng), 76
    cv2.rectangle(picture, (110, 110), (130 + 15 * cell, 130 + 15 * cell), (222, 214, 196), -1)
    bonus: tuple[Tone, ...] = ((206, 60, 50), (238, 170, 170), (60, 110, 180), (160, 200, 226))
    for row, col in np.ndindex(15, 15):
        x, y = 120 + col * cell, 120 + row * cell
        field: Tone = bonus[rng.integers(4)] if rng.random() < 0.25 else (206, 198, 176)
        cv2.rectangle(picture, (x + 2, y + 2), (x + cell - 2, y + cell - 2), field, -1)
    for _ in range(int(rng.integers(4, 14))):
        row, col, down = *rng.integers(0, 10, 2).tolist(), bool(rng.random() < 0.5)
        for k in range(int(rng.integers(2, 6))):
            x, y = 120 + (col + k * (not down)) * cell, 120 + (row + k * down) * cell
            cv2.rectangle(picture, (x + 4, y + 4), (x + cell - 4, y + cell - 4), (240, 226, 190), -1)
            write(picture, chr(int(rng.integers(65, 91))), (x + 0.25 * cell, y + 0.72 * cell), cell / 52)
    return picture


def _ludo(rng: np.random.Generator) -> Picture:
    """Člověče, nezlob se: a cross of round fields, coloured homes, tokens on some."""
    picture, cell = sheet_on_ground(rng), 104
    homes: tuple[Tone, ...] = ((214, 40, 40), (250, 200, 40), (40, 140, 70), (40, 90, 190))
    for row, col in np.ndindex(11, 11):
        middle = (SIDE // 2 + (col - 5) * cell, SIDE // 2 + (row - 5) * cell)
        corner = min(row, 10 - row) < 2 and min(col, 10 - col) < 2
        on_way = 4 <= row <= 6 or 4 <= col <= 6
        if not (corner or on_way):
            continue
        tone = homes[2 * (row > 5) + (col > 5)] if corner or row == 5 or col == 5 else _WHITE
        _disc(picture, middle, 0.4 * cell, INK)
        _disc(picture, middle, 0.37 * cell, tone)
        if rng.random() < 0.15:
            _disc(picture, middle, 0.22 * cell, homes[rng.integers(4)])
            cv2.circle(picture, middle, round(0.22 * cell), INK, 2, cv2.LINE_AA)
    return picture


def _dotted_mat(rng: np.random.Generator) -> Picture:
    """A white mat for a game of hands and feet: rows of large dots, a colour each."""
    picture, rows, cols = bare_ground(rng), 4, 6
    cv2.rectangle(picture, (40, 180), (SIDE - 40, SIDE - 180), (240, 240, 238), -1)
    tones = [toy_tone(rng) for _ in range(rows)]
    for row, col in np.ndindex(rows, cols):
        _disc(picture, (140 + col * 224, 300 + row * 266), rng.uniform(78, 84), tones[row])
    return picture


def _sticky_notes(rng: np.random.Generator) -> Picture:
    """A wall with sticky notes in rows, written on or blank."""
    picture = np.full((SIDE, SIDE, 3), (226, 226, 220), np.uint8)
    pitch, pales = int(rng.uniform(180, 330)), rng.uniform(0, 0.4)
    half = round(pitch * rng.uniform(0.38, 0.48))
    for y in range(pitch // 2 + 40, SIDE - pitch // 2, pitch):
        for x in range(pitch // 2 + 40, SIDE - pitch // 2, pitch):
            if rng.random() < 0.15:
                continue
            tone = tuple(255 * pales + (1 - pales) * v for v in toy_tone(rng))
            note = cv2.boxPoints(((x, y), (2 * half, 2 * half), float(rng.normal(0, 3)))).astype(np.int32)
            cv2.fillPoly(picture, [note], tone, cv2.LINE_AA)
            for k in range(int(rng.integers(0, 4))):
                write(picture, "Vlci Jana 18"[k:], (x - 0.8 * half, y - 0.4 * half + k * 0.4 * half), half / 90)
    return picture


def _picnic_cloth(rng: np.random.Generator) -> Picture:
    """A checked cloth: white, pale and full squares, plates on it perhaps."""
    picture, pitch = np.full((SIDE, SIDE, 3), _WHITE, np.uint8), int(rng.uniform(50, 160))
    tone, soft = toy_tone(rng), picture.copy()
    for start in range(-int(rng.integers(pitch)), SIDE, 2 * pitch):
        cv2.rectangle(soft, (start, 0), (start + pitch, SIDE), tone, -1)
    _blend(picture, soft, 0.5)
    soft[:] = picture
    for start in range(-int(rng.integers(pitch)), SIDE, 2 * pitch):
        cv2.rectangle(soft, (0, start), (SIDE, start + pitch), tone, -1)
    _blend(picture, soft, 0.5)
    for _ in range(int(rng.integers(0, 6))):
        _disc(picture, tuple(rng.uniform(0, SIDE, 2)), rng.uniform(40, 160), toy_tone(rng))
    return picture


def _flags(rng: np.random.Generator) -> Picture:
    """A meadow under the sky with lines of little flags, and a tent whose wall has seams and windows."""
    picture = bare_ground(rng)
    cv2.rectangle(picture, (0, 0), (SIDE, 450), (150, 190, 230), -1)
    tent = toy_tone(rng)
    cv2.rectangle(picture, (180, 420), (1220, 1150), tent, -1)
    seam = tuple(0.7 * v for v in tent)
    for x in range(180, 1221, int(rng.uniform(130, 300))):
        cv2.line(picture, (x, 420), (x, 1150), seam, 4, cv2.LINE_AA)
    for y in range(420, 1151, int(rng.uniform(130, 300))):
        cv2.line(picture, (180, y), (1220, y), seam, 4, cv2.LINE_AA)
    for top in range(80, 1200, int(rng.uniform(180, 400))):
        cv2.line(picture, (0, top), (SIDE, top + 30), INK, 3, cv2.LINE_AA)
        for x in range(20, SIDE, int(rng.uniform(80, 150))):
            y = top + 30 * x // SIDE
            cv2.fillPoly(picture, [np.array([[x, y], [x + 60, y], [x + 30, y + 80]])], toy_tone(rng), cv2.LINE_AA)
    return picture


def _stained_glass(rng: np.random.Generator) -> Picture:
    """A window of coloured panes, lead between them, light behind."""
    picture, rows, cols = bare_ground(rng), int(rng.integers(3, 9)), int(rng.integers(3, 9))
    cell, lead = 1100 // max(rows, cols), int(rng.uniform(6, 18))
    for row, col in np.ndindex(rows, cols):
        tone = toy_tone(rng) if rng.random() < 0.7 else (236.0, 238.0, 226.0)
        x, y = 150 + col * cell, 150 + row * cell
        cv2.rectangle(picture, (x, y), (x + cell, y + cell), tone, -1)
        cv2.rectangle(picture, (x, y), (x + cell, y + cell), (26, 26, 28), lead)
    return picture


def _four_in_a_row(rng: np.random.Generator) -> Picture:
    """An upright frame with seven columns of six holes, discs of two colours fallen into them."""
    picture, cell, frame = bare_ground(rng), 150, toy_tone(rng)
    discs = toy_tone(rng), toy_tone(rng)
    cv2.rectangle(picture, (150, 220), (250 + 7 * cell, 320 + 6 * cell), frame, -1)
    for col in range(7):
        fallen = int(rng.integers(0, 7))
        for row in range(6):
            middle = (200 + (col + 0.5) * cell, 270 + (row + 0.5) * cell)
            hole = picture[60, 60].astype(float) * 0.8
            _disc(picture, middle, 0.4 * cell, discs[rng.integers(2)] if 5 - row < fallen else tuple(hole.tolist()))
    return picture


LAID_OUT: dict[str, Callable[[np.random.Generator], Picture]] = {
    "memory": _memory, "brick plate": _brick_plate, "chocolate": _chocolate, "egg box": _egg_box,
    "paint box": _paint_box, "bead tray": _bead_tray, "near cube": _near_cube, "word tiles": _word_tiles,
    "ludo": _ludo, "dotted mat": _dotted_mat, "sticky notes": _sticky_notes, "picnic cloth": _picnic_cloth,
    "flags": _flags, "stained glass": _stained_glass, "four in a row": _four_in_a_row,
}  # fmt: skip
