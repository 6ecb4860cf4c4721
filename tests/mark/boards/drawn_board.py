"""Hand-made boards drawn straight into their own frame, with something written beside the grid."""

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont
from synth.glyphs import strokes
from training.strokes import drawn

from poradek_vision.model import Rectified

PX = 40
FINER = 2
MARGIN = 2.6
_FONT = Path(__file__).parents[3] / "poradek_vision" / "fonts" / "DejaVuSans.ttf"


def printed(text: str) -> npt.NDArray[np.floating]:
    """A text in a plain font: ink (h, w), 0 to 1."""
    font = ImageFont.truetype(str(_FONT), 40)
    left, top, right, bottom = font.getbbox(text)
    picture = Image.new("L", (int(right - left), int(bottom - top)))
    ImageDraw.Draw(picture).text((-left, -top), text, 255, font)
    return np.asarray(picture) / 255


def written(mark: str, seed: int = 0) -> npt.NDArray[np.floating]:
    """A character by a pen: ink (h, w), 0 to 1."""
    rng = np.random.default_rng(seed)
    return drawn(strokes(mark, rng), 0.09, 64, rng) / 255


def draw_board(
    ink: npt.NDArray[np.floating],
    n: int = 4,
    height: float = 0.9,
    below: bool = False,
    turned: int = 0,
    pen: tuple[int, int, int] = (40, 50, 110),
    paper: tuple[int, int, int] = (235, 232, 222),
    ring: bool = False,
) -> Rectified:
    """A board of size ``n`` with ``ink`` written above or below it, then turned clockwise by quarters.

    ``height`` of the writing in cells; ``ring`` draws a circle round it.
    """
    side = round((n + 2 * MARGIN) * PX)
    pixels = np.full((side, side, 3), paper, np.float32)
    grid = round(MARGIN * PX)
    for k in range(n + 1):
        at, end = grid + k * PX, grid + n * PX
        cv2.line(pixels, (grid, at), (end, at), (60, 60, 70), 2, cv2.LINE_AA)
        cv2.line(pixels, (at, grid), (at, end), (60, 60, 70), 2, cv2.LINE_AA)
    for k in range(n):
        cv2.rectangle(
            pixels, (grid + k * PX + 4, grid + k * PX + 3), (grid + k * PX + 37, grid + k * PX + 36), (43, 143, 73), -1
        )
    scale = height * PX / ink.shape[0]
    small = cv2.resize(ink.astype(np.float32), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    tall, wide = small.shape
    left, top = (side - wide) // 2, grid + n * PX + round(0.6 * PX) if below else grid - tall - round(0.6 * PX)
    area = pixels[top : top + tall, left : left + wide]
    area[:] = area * (1 - small[..., None]) + np.array(pen) * small[..., None]
    if ring:
        middle, axes = (left + wide // 2, top + tall // 2), (round(0.45 * wide), round(0.48 * tall))
        cv2.ellipse(pixels, middle, axes, 0, 0, 360, pen, 2, cv2.LINE_AA)
    pixels = cv2.resize(pixels, None, fx=FINER, fy=FINER, interpolation=cv2.INTER_CUBIC)
    grain = np.random.default_rng(5).normal(0, 2, pixels.shape)
    taken = np.clip(cv2.GaussianBlur(pixels, (0, 0), 0.8) + grain, 0, 255).astype(np.uint8)
    taken = np.ascontiguousarray(np.rot90(taken, -turned))
    return Rectified(taken, FINER * PX, (-MARGIN, -MARGIN), np.ones(taken.shape[:2], bool))
