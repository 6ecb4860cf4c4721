"""Capital letters and digits as pen strokes, for marks that a child writes on a sticker."""

from __future__ import annotations

import numpy as np

from poradek_vision.geometry import FloatArray

_BOWL = "06 00 30 41 42 33 03"
_RING = "10 01 05 16 36 45 41 30 10"
_STROKES = {
    "A": "06 20 46|14 34", "B": "00 06|00 30 41 42 33 03|03 33 44 45 36 06", "C": "41 30 10 01 05 16 36 45",
    "D": "00 06|00 20 42 44 26 06", "E": "40 00 06 46|03 33", "F": "40 00 06|03 33",
    "G": "41 30 10 01 05 16 36 45 43 23", "H": "00 06|40 46|03 43", "I": "10 30|20 26|16 36", "J": "40 45 36 16 05",
    "K": "00 06|40 03 46", "L": "00 06 46", "M": "06 00 23 40 46", "N": "06 00 46 40", "O": _RING, "P": _BOWL,
    "Q": _RING + "|24 46", "R": _BOWL + "|23 46", "S": "41 30 10 01 02 13 33 44 45 36 16 05", "T": "00 40|20 26",
    "U": "00 05 16 36 45 40", "V": "00 26 40", "W": "00 16 22 36 40", "X": "00 46|40 06", "Y": "00 23 40|23 26",
    "Z": "00 40 06 46", "0": _RING + "|41 05", "1": "02 20 26", "2": "01 10 30 41 42 06 46",
    "3": "00 40 23 33 44 45 36 16 05", "4": "30 04 44|32 36", "5": "40 00 03 33 44 45 36 06",
    "6": "40 10 02 05 16 36 45 44 33 13 04", "7": "00 40 16|13 33", "8": "20 01 02 23 44 45 26 05 04 23 42 41 20",
    "9": "43 13 02 01 10 30 41 44 26",
}  # fmt: skip
"""Points as two digits: x 0–4, y 0 (top) – 6 (bottom); strokes parted by ``|``."""


def strokes(mark: str, rng: np.random.Generator) -> list[FloatArray]:
    """The strokes of a written character, centred on the origin, one unit high, each written a little differently."""
    slant, width = rng.normal(0, 0.08), rng.uniform(0.85, 1.1)
    written = []
    for stroke in _STROKES[mark].split("|"):
        points = np.array([[int(p[0]), int(p[1])] for p in stroke.split()], np.float64)
        points = (points - [2, 3]) / 6 + rng.normal(0, 0.025, points.shape)
        points[:, 0] = points[:, 0] * width - slant * points[:, 1]
        written.append(_rounded(points) if len(points) > 4 else points)
    return written


def _rounded(points: FloatArray) -> FloatArray:
    """Cut the corners twice (Chaikin), keeping the ends."""
    for _ in range(2):
        cut = np.empty((2 * len(points) - 2, 2))
        cut[0::2], cut[1::2] = 0.75 * points[:-1] + 0.25 * points[1:], 0.25 * points[:-1] + 0.75 * points[1:]
        points = np.concatenate([points[:1], cut, points[-1:]])
    return points
