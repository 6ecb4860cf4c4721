"""Lines of writing as on hand-made boards: names and marks in all cases, with what is drawn round them."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from poradek_vision.mark.lines import ALPHABET, COLUMN_PX, LINE_HEIGHT_PX, LINE_WIDTH_PX, normalise_lines
from training.hands import by_another_pen, middle_lines
from training.nothing import no_writing
from training.pen_strokes import Writer, somebodys
from training.strokes import FloatArray, drawn, rewritten, written

F32Array = npt.NDArray[np.float32]
Ink = tuple[F32Array, list[tuple[str, float, float]]]
"""Ink of a line, and each character with its left and right end, px."""

NAMES = [
    "Vlci",
    "Lišky",
    "Medvědi",
    "Sovy",
    "Jezevci",
    "Veverky",
    "Rysi",
    "Jeleni",
    "Kamzíci",
    "Netopýři",
    "Datli",
    "Kuny",
    "Vydry",
    "Bobři",
    "Zajíci",
    "Srnky",
    "Čápi",
    "Havrani",
    "Krkavci",
    "Jestřábi",
    "Káňata",
    "Orli",
    "Sokoli",
    "Ježci",
    "Krtci",
    "Ještěrky",
    "Užovky",
    "Zmije",
    "Mloci",
    "Žáby",
    "Ropuchy",
    "Kapři",
    "Štiky",
    "Pstruzi",
    "Tygři",
    "Lvi",
    "Zubři",
    "Bizoni",
    "Losi",
    "Draci",
    "Indiáni",
    "Piráti",
    "Rytíři",
    "Skřítci",
    "Vikingové",
    "Šípy",
    "Blesky",
    "Duby",
    "Buky",
    "Lípy",
    "Smrky",
    "Kameny",
    "Ohně",
    "Hvězdy",
    "Les",
]
PREFIXES = (
    *("tým ", "Tým ", "TÝM ", "T: ", "team ", "Team ", "tým č. ", "t. "),
    *("skupina ", "družina ", "Skupina ", "Družina ", "oddíl ", "Oddíl ", "č. ", "sk. "),
)
_ACCENTS = dict(zip("ACDEINORSTUYZ", ["Á", "Č", "Ď", "ÉĚ", "Í", "Ň", "Ó", "Ř", "Š", "Ť", "ÚŮ", "Ý", "Ž"], strict=True))
PLAIN = {accented: plain for plain, all_ in _ACCENTS.items() for accented in all_ + all_.lower()} | {"×": "X"}
IGNORED = -1


def random_text(rng: np.random.Generator) -> str:
    """What somebody might write: a name, a mark, a prefix with either, the board's size after it, or any letters."""
    way = rng.random()
    if way < 0.22:
        return str(rng.choice(NAMES))
    if way < 0.35:
        return str(rng.choice(PREFIXES)) + (str(rng.choice(NAMES)) if rng.random() < 0.4 else _any(1, rng))
    if way < 0.42:
        return (str(rng.choice(NAMES)) if rng.random() < 0.5 else _any(1, rng)) + _note(rng)
    if way < 0.62:
        return _any(1, rng)
    return _any(int(rng.integers(2, 10)), rng)


def _note(rng: np.random.Generator) -> str:
    """What may follow a name or a mark: the board's size, points, or a date."""
    a, b, c = (int(each) for each in rng.integers([2, 1, 1], [13, 60, 13]))
    notes = (f" {a}x{a}", f" {a}×{a}", f" {a} x {a}", f" ({a}x{a})", f" - {a}x{a}", f" {b} b.", f" {b}.{c}.", f" {b}")
    return str(rng.choice(notes))


def _any(count: int, rng: np.random.Generator) -> str:
    """Any characters; digits now and then, accents too, each case."""
    letters = [chr(65 + int(k)) for k in rng.integers(26, size=count)]
    letters = [str(rng.choice(list(_ACCENTS[a]))) if a in _ACCENTS and rng.random() < 0.1 else a for a in letters]
    if rng.random() < 0.3:
        letters = [str(rng.integers(10)) if rng.random() < 0.7 else a for a in letters]
    text = "".join(letters)
    return text if count == 1 or rng.random() < 0.4 else text.capitalize() if rng.random() < 0.7 else text.lower()


def line_sample(
    count: int, kinds: Sequence[Sequence[Path]], seed: int, writers: Sequence[Writer] = ()
) -> tuple[npt.NDArray[np.float16], npt.NDArray[np.int8]]:
    """Normalised lines (count, 32, 128), and the class of each column (count, 64): 0 none, ``IGNORED`` between.

    ``kinds`` of fonts: printed ones, written ones, and those whose letters are joined. ``writers``: real pens.
    """
    rng = np.random.default_rng(seed)
    faces = [[ImageFont.truetype(str(path), 48) for path in paths] for paths in kinds]
    lines = np.empty((count, LINE_HEIGHT_PX, LINE_WIDTH_PX), np.float16)
    classes = np.zeros((count, LINE_WIDTH_PX // COLUMN_PX), np.int8)
    for k in range(count):
        if rng.random() < _NOTHING_SHARE:
            line = spoilt(no_writing(rng), rng)
        else:
            among = faces[rng.choice(len(faces), p=_KIND_SHARES)]
            line, classes[k] = one_line(random_text(rng), among[rng.integers(len(among))], rng, writers)
        lines[k] = normalise_lines(line[None])[0]
    return lines, classes


_NOTHING_SHARE = 0.14
_KIND_SHARES = (0.25, 0.4, 0.35)
"""Of the lines from fonts, so many are from each kind."""
_BY_PEN_SHARE = 0.4
"""Of those, so many are drawn anew along the middle lines of their strokes."""


def one_line(
    text: str, face: ImageFont.FreeTypeFont, rng: np.random.Generator, writers: Sequence[Writer] = ()
) -> tuple[F32Array, npt.NDArray[np.int8]]:
    """Darkness of one line (32, 128), and the class of each column: none of any where it does not stand upright."""
    if rng.random() < 0.2:
        text = text.upper()
    apart = float(rng.uniform(12, 20)) if rng.random() < _HOLLOW_SHARE else 0.0
    if rng.random() < 0.3:
        ink, places = _pen(text, rng, writers, apart)
    else:
        ink, places = _printed(text, face, rng, apart)
    if apart:
        ink = _hollow(ink, rng)
    turns = _turns(text, rng)
    ink, places = np.ascontiguousarray(np.rot90(ink, turns)), [] if turns else places
    line, classes = _framed(ink, places, rng)
    return spoilt(line, rng), classes


_HOLLOW_SHARE = 0.05
"""Of the lines: their letters stand apart, so that the outlines of these do not merge."""


def _hollow(ink: F32Array, rng: np.random.Generator) -> F32Array:
    """The outlines of bold letters in place of their strokes."""
    bold, rim = (np.ones((int(size),) * 2, np.uint8) for size in rng.integers([4, 2], [10, 4]))
    thick = cv2.dilate(ink, bold)
    return np.asarray(cv2.dilate(thick, rim) - cv2.erode(thick, np.ones((2, 2), np.uint8)), np.float32)


def _turns(text: str, rng: np.random.Generator) -> int:
    """By how many quarters some writing is turned: a word seldom, a single mark often, unless it reads as another."""
    if len(text) > 3:
        return 2 if rng.random() < 0.08 else 0
    share = _TURNED_MARKS if len(text) == 1 else 0.2
    upper, way = text.upper(), rng.random()
    if way < share:
        return 0 if upper in _ALIKE_ASIDE else int(rng.choice([1, 3]))
    return 2 if way < 1.25 * share and len(text) == 1 and upper not in _ALIKE_OVER else 0


_TURNED_MARKS = 0.4
_ALIKE_ASIDE, _ALIKE_OVER = "I1HNZXO0", "IHNZXO085S269MWULE3V"
"""Characters that are others, or the same, on their side, and upside down."""


@functools.cache
def _has_accents(face: ImageFont.FreeTypeFont) -> bool:
    """Whether a font has Czech letters, or a box in their place."""
    return bytes(face.getmask("Ř")) != bytes(face.getmask("\uffff"))


def _printed(text: str, face: ImageFont.FreeTypeFont, rng: np.random.Generator, apart: float) -> Ink:
    """A line from a font, its letters ``apart`` by so many px, or at random; accents that it lacks are drawn."""
    plain = text if _has_accents(face) else "".join(PLAIN.get(character, character) for character in text)
    apart = apart or (rng.uniform(0, 12) if rng.random() < 0.3 else 0.0)
    picture = Image.new("L", (int(face.getlength(plain) + apart * len(plain)) + 60, 150))
    draw = ImageDraw.Draw(picture)
    places, at = [], 30.0
    if not apart:
        draw.text((30, 45), plain, 255, face)
    for k, character in enumerate(plain):
        if apart:
            draw.text((at, 45 + rng.normal(0, 2)), character, 255, face)
            end = at + face.getlength(character)
        else:
            at, end = 30 + face.getlength(plain[:k]), 30 + face.getlength(plain[: k + 1])
        places.append((character, at, end))
        at = end + apart
    ink = np.asarray(picture).astype(np.float32) / 255
    for character, accented, (_, begin, end) in zip(plain, text, places, strict=True):
        if character != accented:
            _accent(ink, (begin + end) / 2, 45 + face.getbbox(character)[1] - rng.uniform(2, 7), rng)
    change = rng.random()
    size = int(rng.integers(2, 6))
    if change < _BY_PEN_SHARE:
        ink = by_another_pen(middle_lines((255 * ink[None]).astype(np.uint8))[0], rng, 9).astype(np.float32) / 255
    elif change < 0.65:
        ink = cv2.dilate(ink, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    elif change < 0.7:
        ink = cv2.erode(ink, np.ones((2, 2), np.uint8))
    return ink, places


def _pen(text: str, rng: np.random.Generator, writers: Sequence[Writer], apart: float) -> Ink:
    """A line of capitals by a pen, or by a real one."""
    width = rng.uniform(0.05, 0.15)
    people = [writers[rng.integers(len(writers))]] if writers and rng.random() < _REAL_SHARE else []
    pieces, places, at = [np.zeros((110, 8), np.float32)], [], 8.0
    for character in text.upper():
        plain = PLAIN.get(character, character)
        if plain in ALPHABET[1:]:
            ink = drawn(_strokes(plain, people, rng), width, 64, rng).astype(np.float32) / 255
            columns = np.nonzero(ink.any(0))[0]
            ink = np.pad(ink[:, columns[0] : columns[-1] + 1], ((28, 18), (0, 0)))
            if plain != character:
                _accent(ink, ink.shape[1] / 2, rng.uniform(22, 30), rng)
        else:
            ink = np.zeros((110, int(rng.integers(8, 22))), np.float32)
        gap = np.zeros((110, round(apart) + int(rng.integers(2, 14))), np.float32)
        pieces += [np.roll(ink, int(rng.normal(0, 2)), 0), gap]
        places.append((character, at, at + ink.shape[1]))
        at += ink.shape[1] + gap.shape[1]
    return np.concatenate(pieces, 1), places


_REAL_SHARE = 0.6


def _strokes(mark: str, people: Sequence[Writer], rng: np.random.Generator) -> list[FloatArray]:
    """A character's strokes, by somebody if there is anybody."""
    return rewritten(somebodys(mark, people, rng), rng) if people else written(mark, rng)


def _accent(ink: F32Array, middle: float, bottom: float, rng: np.random.Generator) -> None:
    """A hook or a stroke over a letter."""
    thick = int(rng.integers(2, 6))
    foot = (round(middle), max(round(bottom), 2))
    high = int(rng.integers(7, 14))
    cv2.line(ink, foot, (foot[0] + int(rng.integers(3, 10)), foot[1] - high), 1.0, thick, cv2.LINE_AA)
    if rng.random() < 0.6:
        cv2.line(ink, foot, (foot[0] - int(rng.integers(3, 10)), foot[1] - high), 1.0, thick, cv2.LINE_AA)


def _framed(
    ink: F32Array, places: list[tuple[str, float, float]], rng: np.random.Generator
) -> tuple[F32Array, npt.NDArray[np.int8]]:
    """Bend, underline and fit a line into its frame as the reader does, and say what each column shows."""
    ys, xs = np.nonzero(ink > 0.3)
    if not len(ys):
        return np.zeros((LINE_HEIGHT_PX, LINE_WIDTH_PX), np.float32), np.zeros(LINE_WIDTH_PX // COLUMN_PX, np.int8)
    top, bottom, left, right = ys.min(), ys.max() + 1, xs.min(), xs.max() + 1
    below = rng.uniform(3, 14) if rng.random() < 0.15 else 0.0
    ink = ink.copy()
    if below and bottom + below < ink.shape[0] - 2:
        y = round(bottom + below)
        cv2.line(ink, (left, y), (right, y + int(rng.normal(0, 2))), 1.0, int(rng.integers(2, 6)), cv2.LINE_AA)
        bottom = y + 2
    height, width = bottom - top, right - left
    room = rng.uniform(0.78, 0.98)
    high = LINE_HEIGHT_PX * room / height
    wide = min(high * np.exp(rng.normal(0, 0.15)), LINE_WIDTH_PX * 0.97 / width)
    high = min(high, 1.6 * wide)  # as the reader of boards does it
    slant, bow = rng.normal(0, 0.12), rng.normal(0, 0.04) * height
    out_y, out_x = np.mgrid[:LINE_HEIGHT_PX, :LINE_WIDTH_PX].astype(np.float32)
    start = rng.uniform(0.3, 0.7) * (LINE_WIDTH_PX - wide * width)
    v = (out_y - LINE_HEIGHT_PX / 2 + rng.normal(0, 0.8)) / high
    u = (out_x - start) / wide
    source_x = left + u + slant * v
    source_y = (top + bottom) / 2 + v + bow * np.sin(u / 60 + rng.uniform(0, 6)) + rng.normal(0, 0.03) * (u - width / 2)
    moves = rng.normal(0, rng.gamma(2.0, 0.018) * height, (2, 3, 9)).astype(np.float32)
    dx, dy = (cv2.resize(move, (LINE_WIDTH_PX, LINE_HEIGHT_PX), interpolation=cv2.INTER_CUBIC) for move in moves)
    source_x, source_y = source_x + dx, source_y + dy
    shrunk = cv2.GaussianBlur(ink, (0, 0), max(0.35 / high, 0.4))
    line = cv2.remap(shrunk, source_x.astype(np.float32), source_y.astype(np.float32), cv2.INTER_LINEAR)
    return line, _columns(places, left, start, wide)


def _columns(places: list[tuple[str, float, float]], left: float, start: float, wide: float) -> npt.NDArray[np.int8]:
    """The class of each column: a character round its middle, none between characters."""
    middles = (np.arange(LINE_WIDTH_PX // COLUMN_PX) + 0.5) * COLUMN_PX
    classes = np.zeros(len(middles), np.int8)
    for character, begin, end in places:
        kind = ALPHABET.find(PLAIN.get(character.upper(), character.upper()))
        if kind <= 0:
            continue
        a, b = ((at - left) * wide + start for at in (begin, end))
        away = np.abs(middles - (a + b) / 2) / max(b - a, 1)
        classes[(away < 0.36) & (classes == 0)] = IGNORED
        classes[(away < 0.2) | (away == away.min())] = kind
    return classes


def spoilt(line: F32Array, rng: np.random.Generator) -> F32Array:
    """Fade, rule, blur and add grain."""
    strength = rng.uniform(0.15, 0.9)
    dark = line * strength
    if rng.random() < 0.2:
        step, thick = rng.uniform(6, 18), rng.uniform(0.05, 0.4) * strength
        for y in np.arange(rng.uniform(0, step), LINE_HEIGHT_PX, step):
            dark[int(y)] = np.maximum(dark[int(y)], thick)
        if rng.random() < 0.5:
            for x in np.arange(rng.uniform(0, step), LINE_WIDTH_PX, step):
                dark[:, int(x)] = np.maximum(dark[:, int(x)], thick)
    if rng.random() < 0.08:
        middle = (LINE_WIDTH_PX // 2 + int(rng.normal(0, 8)), LINE_HEIGHT_PX // 2)
        axes = (int(rng.integers(14, 60)), int(rng.integers(14, 18)))
        cv2.ellipse(dark, middle, axes, 0, 0, 360, strength, 1, cv2.LINE_AA)
    if rng.random() < 0.2:
        x = int(rng.choice([0, LINE_WIDTH_PX - 6]))
        dark[:, x : x + int(rng.integers(1, 6))] = strength * rng.uniform(0, 1)
    if rng.random() < 0.6:
        dark = cv2.GaussianBlur(dark, (0, 0), rng.uniform(0.3, 1.3) if rng.random() < 0.85 else rng.uniform(1.3, 2.2))
    if rng.random() < 0.06:  # something lies on it, or the sheet ends
        edge = int(rng.integers(0, LINE_WIDTH_PX // 5))
        dark[:, :edge] = 0
    if rng.random() < 0.3:
        dark += rng.uniform(0.1, 0.8) * (dark - cv2.GaussianBlur(dark, (0, 0), rng.uniform(0.8, 2.0)))
    grain = cv2.GaussianBlur(rng.normal(0, 1, dark.shape).astype(np.float32), (0, 0), rng.uniform(0.4, 1.0)) * 1.6
    return dark + strength * rng.uniform(0, 0.45) ** 2 * grain
