"""What the tiny camp lacks: cells in doubt, a board of nobody, and one without a line."""

import numpy as np
from PIL import Image

LINELESS = "bez čar.png"
LINELESS_ROWS = ("RYG", "B.R", "YYB")
LINELESS_CORNERS = ((150, 120), (510, 120), (510, 480), (150, 480))
DOUBTS = {("Vlci", 4): [(0, 3), (1, 2)], ("Lišky", 4): [(2, 2)]}
"""Cells that are made doubtful: the photos are too easy for any to be."""
NOBODYS = ("Vlci", 3)
"""The board whose team is made to be unknown."""
_SWATCHES = {"R": (200, 36, 44), "Y": (246, 205, 40), "G": (44, 148, 74), "B": (34, 84, 172)}


def lineless_board() -> Image.Image:
    """Stickers on paper without a line: nothing finds it but a person."""
    rng = np.random.default_rng(7)
    pixels = np.full((600, 700, 3), (236, 234, 230), np.float64)
    for row, line in enumerate(LINELESS_ROWS):
        for col, colour in enumerate(line):
            if colour in _SWATCHES:
                top, left = 120 + 120 * row + 20, 150 + 120 * col + 20
                pixels[top : top + 80, left : left + 80] = _SWATCHES[colour]
    return Image.fromarray(np.clip(pixels + rng.normal(0, 2, pixels.shape), 0, 255).astype(np.uint8))
