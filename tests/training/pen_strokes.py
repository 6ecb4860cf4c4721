"""Real capitals and digits as pens left them on a tablet: the public format of UJIpenchars2, and strokes from it.

Each line of such a file is a word: ``WORD A trn_UJI_W07-01`` names the character, the writer (07) and the session;
``NUMSTROKES 2`` and as many lines ``POINTS 3 # x y x y x y`` follow, y down, 100 units a millimetre, a point for each
equal while. Comments begin with ``//``.

References
----------
Llorens et al., The UJIpenchars Database: A Pen-Based Database of Isolated Handwritten Characters, LREC 2008. In the UCI
Machine Learning Repository as UJI Pen Characters (Version 2), CC BY 4.0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.characters import CHARACTERS
from training.strokes import FloatArray, catmull_rom, drawn

Strokes = list[FloatArray]
Writer = Mapping[str, list[Strokes]]
"""What one person wrote: of each character one or more, each as strokes (N, 2)."""
PENS = (0.05, 0.08, 0.12, 0.17)
"""Widths of pens, a ballpoint to a fat marker, as shares of a mark's longer side."""


def load_writers(paths: Iterable[Path]) -> tuple[Writer, ...]:
    """The capitals and digits of all writers of some files, by the writers' names."""
    written: dict[str, defaultdict[str, list[Strokes]]] = defaultdict(lambda: defaultdict(list))
    for path in paths:
        for character, writer, strokes in parse(path.read_text(encoding="utf-8").splitlines()):
            if character in CHARACTERS:
                written[writer][character].append(strokes)
    return tuple(written[name] for name in sorted(written))


def parse(lines: Iterable[str]) -> list[tuple[str, str, Strokes]]:
    """Characters, their writers and strokes, in the order of a file.

    Examples
    --------
    >>> text = ["// two writers", "WORD 1 trn_UJI_W07-01", " NUMSTROKES 1", "  POINTS 2 # 5 0 5 90"]
    >>> [(character, writer, strokes[0].tolist()) for character, writer, strokes in parse(text)]
    [('1', 'trn_UJI_W07', [[5.0, 0.0], [5.0, 90.0]])]
    """
    words: list[tuple[str, str, Strokes]] = []
    for line in lines:
        match line.split():
            case ["WORD", character, name]:
                words.append((character, name.rpartition("-")[0], []))
            case ["POINTS", count, "#", *numbers]:
                words[-1][2].append(np.array(numbers, np.float64).reshape(int(count), 2))
    return words


def pen_ink(strokes: Strokes, size: int, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Ink (S, S), 255, of strokes by one of :data:`PENS`, smooth through their points."""
    high = max(float(np.ptp(np.concatenate(strokes), axis=0).max()), 1.0)
    lines = [_smooth(stroke / high) for stroke in strokes]
    return drawn(lines, float(rng.choice(PENS)), size, rng)


def somebodys(mark: str, writers: Sequence[Writer], rng: np.random.Generator) -> Strokes:
    """The strokes of a character by one of some people, or between two who wrote it alike; in a box one unit high.

    Examples
    --------
    >>> upright, slanted = [np.array([[5.0, 0], [5, 90]])], [np.array([[10.0, 0], [0, 90]])]
    >>> one = somebodys("1", [{"1": [upright]}, {"1": [slanted]}], np.random.default_rng(1))
    >>> float(np.ptp(one[0][:, 1])), bool(0 <= np.ptp(one[0][:, 0]) <= 10 / 90)
    (1.0, True)
    """
    able = [written for writer in writers for written in writer.get(mark, ())]
    one, other = (_evenly(able[k]) for k in rng.integers(len(able), size=2))
    if rng.random() < _ONE_ALONE or not _alike(one, other):
        return one
    share = rng.uniform(0, 1)
    return [a + share * (b - a) for a, b in zip(one, other, strict=True)]


_ONE_ALONE = 0.4
_POINTS = 20
_NEAR = 0.16
"""Marks whose strokes run alike to this share of their height are the same way of writing."""


def _alike(one: Strokes, other: Strokes) -> bool:
    """Whether both have the same strokes, one after the other, in the same directions."""
    return len(one) == len(other) and max(float(np.abs(a - b).mean()) for a, b in zip(one, other, strict=True)) < _NEAR


def _evenly(strokes: Strokes) -> Strokes:
    """Strokes round their middle, in a box one unit high or wide, by points at equal distances."""
    points = np.concatenate(strokes)
    low, high = points.min(0), points.max(0)
    return [_resampled((stroke - (low + high) / 2) / max(float((high - low).max()), 1.0)) for stroke in strokes]


def _resampled(line: FloatArray) -> FloatArray:
    """A line by :data:`_POINTS` points at equal distances along it, (P, 2)."""
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    at = np.linspace(0, length[-1], _POINTS)
    return np.stack([np.interp(at, length, along) for along in line.T], 1)


def _smooth(stroke: FloatArray) -> FloatArray:
    """A curve through points; a dot stays where it is."""
    return catmull_rom(stroke) if len(stroke) > 2 else stroke[[0, -1]]
