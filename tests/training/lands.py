"""Windows of marks as the reader itself takes them from drawn lands: with edges of stickers and blots for ink."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
from mark.drawn_land import Look, draw_land, random_look

from poradek_vision.mark import OwnerSettings
from poradek_vision.mark.characters import CHARACTERS, normalise
from poradek_vision.mark.pens.inks import ink_windows, sticker_inks
from training.samples import Bank, glyph

_CELLS = 12
_VIEWS = ((False, 1.0), (False, 1.0), (False, 1.0), (True, 1.2), (True, 1.0), (False, 1.2), (False, 0.85))
"""Round steady middles or not, and how much wider than a mark's own window, as a second look is."""
_PENS = ((0, 0, 0), (0, 0, 0), (0, 0, 0), (0.05, 0.15, 0.45), (0.5, 0.1, 0.1), (0.1, 0.3, 0.15))
"""How much of each colour of light pens let through: black, blue, red, green."""


def land_windows(lands: int, bank: Bank, seed: int) -> tuple[npt.NDArray[np.float16], npt.NDArray[np.int64]]:
    """Normalised windows (N, 32, 32) of all marks found on so many lands, and their classes."""
    windows, kinds = zip(*(_of_one(bank, np.random.default_rng([seed, k])) for k in range(lands)), strict=True)
    return np.concatenate(windows), np.concatenate(kinds)


def _of_one(bank: Bank, rng: np.random.Generator) -> tuple[npt.NDArray[np.float16], npt.NDArray[np.int64]]:
    """The windows of one land that is full of all characters, all of one view."""
    owners, settings = rng.integers(len(CHARACTERS), size=(_CELLS, _CELLS)), OwnerSettings()
    picture, cells = draw_land(owners, lambda kind, own: glyph(kind, bank, own) / 255, _any_look(rng), rng)
    inks = sticker_inks(picture, cells, settings.stickers)
    inks = inks.of(which := np.flatnonzero(inks.marked))
    steady, wider = _VIEWS[rng.integers(len(_VIEWS))]
    fill = settings.written.fill / wider
    windows = normalise(ink_windows(inks, picture.px_per_cell, inks.usual_extent_px, fill, steady))
    return windows.astype(np.float16), np.array([owners[cell.row, cell.col] for cell in cells])[which]


def _any_look(rng: np.random.Generator) -> Look:
    """A look from clear to hardly legible; marks larger and more turned at times, by pens of several colours."""
    look = random_look(rng, rng.uniform(0, 1))
    return replace(
        look,
        spin_deg=rng.choice([6.0, 10.0, 16.0]),
        mark_size=look.mark_size * rng.uniform(0.9, 1.25),
        turn_deg=rng.uniform(3, 17),
        pen=_PENS[rng.integers(len(_PENS))],
    )
