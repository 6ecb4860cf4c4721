"""Palettes: the colours of one camera, what they are learned from and how well they can be told apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from poradek_vision.model.plane import Matrix3

Lab = tuple[float, float, float]
"""CIELAB of a reflectance against paper white."""

DEFAULT_CAMERA = "default"
"""What a palette says that is for every camera without one of its own."""


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """One colour of a palette, in the light-corrected space of ``colour``: CIELAB of the reflectance against paper.

    ``centre`` is (L, a, b); ``spread`` the 3×3 covariance of samples round it, row by row; ``count`` the samples.
    """

    colour: str
    centre: Lab
    spread: Matrix3
    count: int


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one camera; ``camera`` is ``"default"`` where none is named."""

    camera: str
    entries: tuple[PaletteEntry, ...]
    photos: tuple[str, ...] = ()
    date: str = ""
    version: str = ""


Fault = Literal["", "hidden", "dark", "empty", "uneven", "glare", "other", "odd"]
"""Why nothing is learned from a sticker: it is outside the photo, in the dark, not there, not of one colour, hidden by
glare, of another colour of the game, or unlike the others of its colour."""


@dataclass(frozen=True, slots=True)
class KnownCell:
    """What a cell shows whose colour is known, on the calibration card or on a reviewed board.

    ``lab`` is CIELAB of the reflectance against paper; ``fault`` says why nothing is learned from it, ``""`` where
    something is; ``looks`` is the code of the colour that it looks like instead.
    """

    row: int
    col: int
    colour: str
    lab: Lab
    fault: Fault = ""
    looks: str = ""


@dataclass(frozen=True, slots=True)
class Separation:
    """How well two colours of a palette can be told apart; ``"."`` is empty paper.

    ``widths`` is how far the one lies on its own side of the border between them, in standard deviations of its
    samples, the worse of the two; ``confused`` the share of such stickers to be taken for the other.
    """

    first: str
    second: str
    widths: float
    confused: float
