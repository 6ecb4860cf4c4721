"""Photos of boards ruled by hand as phones take them: several, or with printed sheets, in any light, the camera fooled.

What the camera takes for white may be brown paper: then the photo makes it white, and stickers on it bluer and too
bright.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from synth.ground import one_of
from synth.hand_page import INKS, PAPERS, HandLook
from synth.hand_sheet import HandSheet
from synth.look import Difficulty, Look, StickerLook, random_look
from synth.page import linear
from synth.scene import SheetName, Shot, make_scene

_PIXELS = 1_800_000
"""Of a photo, for each page in it."""
_PENS = {"pencil": (0.4, 0.8), "ballpoint": (0.4, 0.7), "fine marker": (0.8, 1.4), "marker": (1.4, 3.0)}
MARKS = "ABCDEFG12345"


def random_hand_scene(
    seed: int,
    difficulty: Difficulty,
    boards: int = 1,
    printed: Sequence[SheetName] = (),
    grounds: Sequence[Path] = (),
) -> Shot:
    """A photo of hand-made boards side by side, after some printed sheets.

    Parameters
    ----------
    seed : int
    difficulty : {"easy", "medium", "hard"}
    boards : int
        How many hand-made ones; each has another team's mark.
    printed : sequence of SheetName
        Sheets of the default game that lie in the photo too.
    grounds : sequence of Path
        Photographs of which they lie on one, in place of a painted ground.
    """
    rng = np.random.default_rng([seed, 909])
    level = ("easy", "medium", "hard").index(difficulty)
    marks = rng.permutation(list(MARKS))[:boards]
    kind = str(rng.choice(list(PAPERS)))
    sheets = [_sheet(rng, level, str(mark), kind) for mark in marks]
    look = _look(rng, random_look(seed, difficulty), kind, bool(printed))
    scale = np.sqrt(_PIXELS * (boards + len(printed)) / (look.view.width * look.view.height))
    width, height = round(look.view.width * scale), round(look.view.height * scale)
    look = replace(look, view=replace(look.view, width=width, height=height, frame="page"))
    if grounds:
        look = replace(look, clutter=replace(look.clutter, ground=one_of(grounds, seed)))
    return make_scene(seed, difficulty=difficulty, sheets=[*printed, *sheets], look=look)


def _sheet(rng: np.random.Generator, level: int, mark: str, paper: str) -> HandSheet:
    """One page ruled by hand."""
    size = int(rng.choice([3, 4, 5, 6]))
    cell = rng.uniform(20, 36)
    tool = str(rng.choice(list(_PENS)))
    inks = ["grey"] if tool == "pencil" else [ink for ink in INKS if ink != "grey"]
    look = HandLook(
        size=size, cell_mm=cell, pen_mm=min(rng.uniform(*_PENS[tool]), cell / 10), ink=str(rng.choice(inks)),
        paper=paper, kind=str(rng.choice(["plain", "plain", "squared", "lined"])),  # type: ignore[arg-type]
        wobble=rng.uniform(0.003, 0.008 + 0.006 * level), uneven=rng.uniform(0, 0.015 + 0.01 * level),
        fill=rng.uniform(0.2, 1.0), mark=mark, underline=bool(rng.random() < 0.3),
        pressure=rng.uniform(0, 0.2 + 0.15 * level) if rng.random() < 0.5 else 0.0,
    )  # fmt: skip
    return HandSheet(look, int(rng.integers(1 << 31)))


def _look(rng: np.random.Generator, look: Look, kind: str, with_printed: bool) -> Look:
    """A look with stickers of all sorts, and a camera fooled by the paper or by a lamp."""
    level = ("easy", "medium", "hard").index(look.difficulty)
    fooled = 0.0 if with_printed else rng.uniform(0, (0.5, 0.9, 1.0)[level])
    red, green, blue = 0.8 * linear(PAPERS[kind]) ** fooled
    develop = look.develop
    if look.light.kind in ("lamp", "tent") and rng.random() < 0.5:
        develop = replace(develop, awb=rng.uniform(0.1, 0.5))
    if level == 2 and rng.random() < 0.3:
        develop = replace(develop, ev=rng.uniform(0.5, 1.1))
    return replace(
        look,
        paper=replace(look.paper, white=(float(red), float(green), float(blue))),
        stickers=_stickers(rng, look.stickers, level),
        develop=develop,
    )


def _stickers(rng: np.random.Generator, look: StickerLook, level: int) -> StickerLook:
    """Stickers of all shapes and sizes."""
    shape = str(rng.choice(["square", "round", "mixed", "any"]))
    small = (0.65, 0.55, 0.45)[level]
    return replace(look, shape=shape, size=rng.uniform(small, (0.9, 0.98, 1.05)[level]))  # type: ignore[arg-type]
