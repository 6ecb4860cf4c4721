"""Where each colour lies on each board of a batch: by what the others of its camera show, and by what it shows itself.

Arrays run over B boards, then over the palette's colours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poradek_vision.colour import BoolArray, FloatArray
from poradek_vision.model import BoardLook, CellReading, Flag, Lab, Palette

JudgedBoard = tuple[BoardLook, tuple[CellReading, ...]]
"""What is learned from, and judged again: the look of a board, and its cells."""


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """Numbers of judging boards together, each with its unit.

    Deviations are per axis of CIELAB; the ranges were measured on rendered photos of four phones in five lights
    (``tests/benchmarks/phones.py``).
    """

    on: bool = True
    """Off for measuring what it is worth."""
    sure_margin: float = 10.0
    """A cell teaches from such a margin on, delta E."""
    key_cells: float = 6.0
    """What a box of the colour key counts, in cells."""
    camera_deviation: float = 15.0
    """How far a camera's colours lie from its palette, which may be another camera's: 2 to 27."""
    light_deviation: float = 4.0
    light_reach: float = 0.25
    """How far they move with the light: 2 to 4; and how far apart two lights are that have little in common, as
    log(R / B) of paper white: lamp and shade 0.9, sun and flash 0.1."""
    board_deviation: float = 5.0
    """How far they lie on one board from those on others in its light: 2 to 5."""
    cell_deviation: float = 3.5
    """How far one sticker lies from the others of its board: 2 to 4."""
    known_deviation: float = 7.0
    """A colour wins only where the others tell its place as surely as this: two boards do, by 6.6, one by 7.8."""
    like_others: float = 8.0
    """Something that the palette had no colour for may be no sticker, unless it lies so near to one, delta E: 50 of 50
    that were right did."""
    widths: float = 2.0
    """Every other colour may lie nearer than it seems by so many deviations of what is known of it."""
    near: float = 0.6
    """A colour is where its palette says if it lies nearer there than this share of its distance to any other."""


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """Where colours lie, CIELAB (B, colours, 3), and how surely: deviations (B, colours) per axis."""

    centres: FloatArray
    deviations: FloatArray

    def of(self, board: int) -> Known:
        """That of one board, (colours, 3) and (colours,)."""
        return Known(self.centres[board], self.deviations[board])


def learn_together(boards: Sequence[JudgedBoard], palette: Palette, settings: BatchSettings) -> tuple[Known, Known]:
    """Learn where the colours of some boards lie that one camera took.

    1. Sure cells and the colour key: where each colour lies on each board that shows it.
    2. Kriging: its way there from the palette is one of the camera, and one that changes smoothly with the light, and
       one of the board, and noise. What the others show foretells it for each board, and how surely.
    3. What the board shows itself is joined to that, each counting by how sure it is.

    Parameters
    ----------
    boards : sequence of JudgedBoard
    palette : Palette
        The camera's.
    settings : BatchSettings

    Returns
    -------
    others : Known
        By what the other boards show.
    own : Known
        With what each shows itself.

    References
    ----------
    Rasmussen & Williams, Gaussian Processes for Machine Learning (2006), sections 2.2, and 5.4.2 for leaving one out.
    Efron & Morris, Stein's estimation rule and its competitors, J. Am. Stat. Assoc. 68 (1973): how much of a board's
    own mean to believe beside that of the others.
    """
    shown, counts = _evidence(boards, palette, settings)
    alike = _alike([look for look, _ in boards], settings)
    others, own = (Known(np.empty(shown.shape), np.empty(counts.shape)) for _ in range(2))
    for k, entry in enumerate(palette.entries):
        way = shown[:, k] - entry.centre
        noise = settings.cell_deviation**2 / np.maximum(counts[:, k], 1)
        foretold, variance = _foretold(way, noise, counts[:, k] > 0, alike, settings)
        trust = np.where(counts[:, k] > 0, variance / (variance + noise), 0.0)
        own_way = foretold + trust[:, None] * np.nan_to_num(way - foretold)
        others.centres[:, k], others.deviations[:, k] = entry.centre + foretold, np.sqrt(variance)
        own.centres[:, k], own.deviations[:, k] = entry.centre + own_way, np.sqrt((1 - trust) * variance)
    return others, own


def _foretold(
    way: FloatArray, noise: FloatArray, seen: BoolArray, alike: FloatArray, settings: BatchSettings
) -> tuple[FloatArray, FloatArray]:
    """A colour's way from the palette on each board, as the others foretell it, (B, 3), and its variance (B,).

    Parameters
    ----------
    way : ndarray of shape (B, 3)
        As the boards show it.
    noise : ndarray of shape (B,)
        Variance of that about the true way on the board.
    seen : ndarray of shape (B,), bool
        Which boards show it at all.
    alike : ndarray of shape (B, B)
        Covariance of what boards have in common.
    settings : BatchSettings
    """
    at, of_board = np.flatnonzero(seen), settings.board_deviation**2
    foretold, variance = np.zeros(way.shape), np.diag(alike) + of_board
    odd = np.ones(len(at))
    for _ in range(_ROUNDS if len(at) else 0):
        inverse = np.linalg.inv(alike[np.ix_(at, at)] + np.diag(of_board * odd + noise[at]))
        pull, reach = inverse @ way[at], alike[:, at]
        foretold = reach @ pull
        variance = np.diag(alike) - np.einsum("bs,st,bt->b", reach, inverse, reach) + of_board
        spread = 1 / np.diag(inverse)  # of what a board shows about what the others foretell
        foretold[at] = way[at] - spread[:, None] * pull
        variance[at] = spread - noise[at] - of_board * (odd - 1)
        odd = np.maximum(1.0, np.square(pull).mean(1) * spread)
    return foretold, variance


_ROUNDS = 2
"""In the second, boards that lie farther off than the others foretell count less."""


def _evidence(
    boards: Sequence[JudgedBoard], palette: Palette, settings: BatchSettings
) -> tuple[FloatArray, FloatArray]:
    """CIELAB (B, colours, 3) that boards show, NaN where they show none, and in how many cells, (B, colours)."""
    codes = [entry.colour for entry in palette.entries]
    shown, counts = np.full((len(boards), len(codes), 3), np.nan), np.zeros((len(boards), len(codes)))
    for b, (look, cells) in enumerate(boards):
        for k, code in enumerate(codes):
            sure = [cell.lab for cell in cells if cell.colour == code and _teaches(cell, settings)]
            boxes = [lab for boxed, lab in look.key if boxed == code]
            counts[b, k] = len(sure) + settings.key_cells * len(boxes)
            if counts[b, k]:
                total = len(sure) * _middle(sure) + settings.key_cells * len(boxes) * _middle(boxes)
                shown[b, k] = total / counts[b, k]
    return shown, counts


def _middle(labs: Sequence[Lab | None]) -> FloatArray:
    """The median (3,) of colours, which a wrong one among them moves little."""
    middle: FloatArray = np.median(np.array(labs, np.float64), axis=0) if labs else np.zeros(3)
    return middle


def _teaches(cell: CellReading, settings: BatchSettings) -> bool:
    """Whether a cell shows its colour for sure, on its own board at least."""
    return cell.lab is not None and set(cell.flags) <= _OF_BOARD and cell.margin >= settings.sure_margin


_OF_BOARD = frozenset({Flag.STRANGE_LIGHT, Flag.OWNER_UNCLEAR})
"""Doubts that are not about how a cell compares with the others of its board."""


def _alike(looks: Sequence[BoardLook], settings: BatchSettings) -> FloatArray:
    """Covariance (B, B) of what boards have in common: the camera, and the light as far as it is the same."""
    red, green, blue = np.log(np.maximum([look.light for look in looks], _DARK)).T
    light = np.stack([red - blue, 2 * green - red - blue], -1)
    apart = np.square(light[:, None] - light).sum(-1) / settings.light_reach**2
    covariance: FloatArray = settings.camera_deviation**2 + settings.light_deviation**2 * np.exp(-apart / 2)
    return covariance


_DARK = 1e-3
"""The least light, linear, that has a colour."""
