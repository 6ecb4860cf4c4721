"""Marks written on stickers by hands that the reader was not trained on: how many are right, in doubt, silently wrong.

    python tests/benchmarks/hands.py FOLDER [--count 15] [--seed 9000] [--hands own two font mixed digits]
    python tests/benchmarks/hands.py FOLDER --hands writers writer --strokes FILE…
    python tests/benchmarks/hands.py FOLDER --hands pictures --pictures digits.png

Draws no man's lands, from clear to hardly legible, and reads them. ``FOLDER`` is where the fonts of
``tests/training/held_*.txt`` lie, see ``tests/training/README.md``. Hands: each team its ``own``, or ``two`` of them;
each team a printed ``font``; another hand or font for each sticker (``mixed``); ``digits`` are real ones of 43 people,
of 8×8 px each, enlarged, as they come with scikit-learn: they serve for this alone; ``pictures`` are real ones of 20×20
px, of which the reader was trained on others, see ``training/pictures.py``. Strokes of real pens, see
``training/pen_strokes.py``, are of another person on each sticker (``writers``), or of one for each team (``writer``),
whose marks differ only by a little bending, as they were written but once or twice; capitals and digits are counted
apart.
"""

from __future__ import annotations

import argparse
import functools
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parents[1]))
from mark.drawn_land import Stamp, draw_land, random_look
from training.hands import bent, by_another_pen
from training.pen_strokes import Writer, load_writers, pen_ink
from training.pictures import U8Array, load_pictures, sharpened
from training.samples import Bank
from training.train import held_bank

from poradek_vision.mark import OwnerSettings, read_owners
from poradek_vision.mark.characters import CHARACTERS
from poradek_vision.model import Game, Team

HANDS = ("own", "two", "font", "mixed", "digits", "pictures", "writers", "writer")
DRAWN = HANDS[:4]
BY_PEN = HANDS[6:]
DIGITS = HANDS[4:6]
LEVELS = 5
ALPHABETS = {
    "any": ("ABCDEFGH", "12345678", "ABCDEFGHJKLMNPRSTUVXYZ"),
    "A-Z": ("ABCDEFGH", "ABCDEFGHJKLMNPRSTUVXYZ"),
    "0-9": ("12345678", "0123456789"),
}
"""The marks of a game: the first letters, the first digits, or any that are not easily confused by people."""
GLYPH_PX = 96


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """Whose hands there are: those of fonts, and people."""

    bank: Bank | None
    writers: Sequence[Writer]
    pictures: Mapping[str, U8Array]


def main() -> None:
    """Draw, read, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=15, help="lands of each kind of hands")
    parser.add_argument("--seed", type=int, default=9000)
    parser.add_argument("--hands", nargs="+", choices=HANDS, default=DRAWN)
    parser.add_argument("--strokes", nargs="+", type=Path, default=[], help="files of pen strokes")
    parser.add_argument("--pictures", type=Path, help="a sheet of real digits")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    bank = held_bank(asked.folder) if set(asked.hands) & set(DRAWN) else None
    pictures = load_pictures(asked.pictures, left=False) if asked.pictures else {}
    sources = Sources(bank, load_writers(asked.strokes), pictures)
    for hands in asked.hands:
        for alphabet in ("A-Z", "0-9") if hands in BY_PEN else ("0-9",) if hands in DIGITS else ("any",):
            count: Counter[str] = Counter()
            for k in range(asked.count):
                rng = np.random.default_rng([asked.seed, k])
                count += judged(hands, alphabet, sources, k % LEVELS / (LEVELS - 1), rng)
            print(f"{hands:7s} {alphabet} {told(count)}", flush=True)


def told(count: Counter[str]) -> str:
    """Counts in words."""
    right, doubt = (100 * count[what] / count["marks"] for what in ("right", "doubt"))
    return f"{count['marks']:6d} marks: {right:6.2f} % right, {doubt:5.2f} % in doubt, {count['silent']} silently wrong"


def judged(hands: str, alphabet: str, sources: Sources, level: float, rng: np.random.Generator) -> Counter[str]:
    """How the marks of one land were read."""
    marks = some_marks(int(rng.integers(3, 9)), alphabet, rng)
    owners = patches(len(marks), rng)
    picture, cells = draw_land(owners, stamp_of(hands, marks, sources, rng), random_look(rng, level), rng)
    game = Game(teams=tuple(Team(f"team {mark}", mark) for mark in marks))
    count: Counter[str] = Counter()
    for reading in read_owners(picture, cells, game, OwnerSettings()).readings:
        right = reading.likeliest == game.teams[owners[reading.row, reading.col]].name
        doubt = bool(reading.flags)
        count += Counter(marks=1, right=right, doubt=doubt, silent=not right and not doubt)
    return count


def some_marks(count: int, alphabet: str, rng: np.random.Generator) -> str:
    """The marks of a game: the first ones of an alphabet or any."""
    *first, all_of_them = ALPHABETS[alphabet]
    mixed = "".join(rng.permutation(list(all_of_them)))
    return str(rng.choice([*first, mixed]))[:count]


def patches(teams: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Who owns each cell, (12, 12), in patches; -1 where it is empty."""
    hills = cv2.resize(rng.random((6, 6, teams), np.float32), (12, 12), interpolation=cv2.INTER_CUBIC)
    owners = hills.argmax(-1)
    owners[rng.random((12, 12)) < 0.12] = -1
    return owners


def stamp_of(hands: str, marks: str, sources: Sources, rng: np.random.Generator) -> Stamp:
    """What writes the marks of the teams on a land."""
    if hands in BY_PEN:
        return by_people(marks, sources.writers, hands == "writer", rng)
    if hands == "digits":
        return lambda team, own: own.choice(real_digits()[int(marks[team])])
    if hands == "pictures":
        return lambda team, own: sharpened(own.choice(sources.pictures[marks[team]]), 0.45, own.uniform(2, 6)) / 255
    kinds, bank = [CHARACTERS.index(mark) for mark in marks], sources.bank
    assert bank
    if hands == "font":
        of_team = rng.integers(len(bank.fonts), size=len(marks))
        return lambda team, _: bank.fonts[of_team[team], kinds[team]] / 255
    if hands == "mixed":
        return lambda team, own: by_hand(kinds[team], int(own.integers(1 << 30)), bank, own)
    seeds = rng.integers(1 << 30, size=(len(marks), 2 if hands == "two" else 1))
    return lambda team, own: by_hand(kinds[team], int(own.choice(seeds[team])), bank, own)


def by_people(marks: str, writers: Sequence[Writer], one_each: bool, rng: np.random.Generator) -> Stamp:
    """What people wrote: one person for each team, or another for each sticker, by any pen."""
    able = [[writer[mark] for writer in writers if mark in writer] for mark in marks]
    of_team = [int(rng.integers(len(people))) for people in able]

    def stamp(team: int, own: np.random.Generator) -> npt.NDArray[np.floating]:
        written = able[team][of_team[team] if one_each else own.integers(len(able[team]))]
        ink = pen_ink(written[own.integers(len(written))], GLYPH_PX, own)
        return bent(ink, 0.012, own) / 255 if one_each else ink / 255

    return stamp


def by_hand(kind: int, hand: int, bank: Bank, rng: np.random.Generator) -> npt.NDArray[np.floating]:
    """A character by one of many hands, its own pen or another; each time a little different."""
    traits = np.random.default_rng(hand)
    glyphs = bank.hands if (own_pen := traits.random() < 0.4) else bank.lines
    written = bent(glyphs[traits.integers(len(glyphs)), kind], 0.012, rng)
    return (written if own_pen else by_another_pen(written, traits)) / 255


@functools.cache
def real_digits() -> list[npt.NDArray[np.floating]]:
    """Real digits enlarged, of each kind (N, 96, 96)."""
    from sklearn.datasets import load_digits

    real = load_digits()
    large = np.stack([_enlarged(image / 16) for image in real.images])
    return [large[real.target == digit] for digit in range(10)]


def _enlarged(image: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    """A digit with sharp edges, its longer side 72 % of the picture."""
    smooth = cv2.resize(image, (GLYPH_PX, GLYPH_PX), interpolation=cv2.INTER_CUBIC).clip(0, 1)
    ink = np.clip((cv2.GaussianBlur(smooth, (0, 0), 2) - 0.35) * 2.2, 0, 1)
    left, top, width, height = cv2.boundingRect((ink > 0.5).astype(np.uint8))
    scale = 0.72 * GLYPH_PX / max(width, height)
    middle = np.array([left + (width - 1) / 2, top + (height - 1) / 2])
    to_window = np.hstack([scale * np.eye(2), ((GLYPH_PX - 1) / 2 - scale * middle)[:, None]])
    return cv2.warpAffine(ink, to_window, (GLYPH_PX, GLYPH_PX))


if __name__ == "__main__":
    main()
