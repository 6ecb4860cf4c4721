"""The frozen records that flow between the rooms, and the flags.

Two kinds. *Heavy* records (:class:`Photo`, :class:`Rectified`) hold pixels, compare
by identity and are never saved. All others are *plain*: numbers, strings and tuples,
equal by value, hashable, and the same after a trip through JSON.

Conventions: rows and columns count from 0; a colour or owner is a short string, ``"."``
an empty cell, ``""`` an owner that is not known; points are (x, y) in pixels of the
upright photo with pixel centres at whole numbers.
"""

from poradek_vision.model.boards import (
    EMPTY,
    Board,
    Correction,
    LedgerRow,
    OpenCell,
    SettledCell,
    Settlement,
    Status,
    Target,
)
from poradek_vision.model.flags import Flag
from poradek_vision.model.game import (
    BOARD_SIZES,
    DEFAULT_COLOURS,
    LANGUAGES,
    Colour,
    Contact,
    Game,
    Language,
    Rules,
    Team,
    Tie,
    swatch_rgb,
)
from poradek_vision.model.palettes import DEFAULT_CAMERA, Fault, KnownCell, Lab, Palette, PaletteEntry, Separation
from poradek_vision.model.photos import GridFit, Photo, Rectified
from poradek_vision.model.plane import Matrix3, Point
from poradek_vision.model.readings import BoardLook, BoardReading, CellReading, Failure, MarkReading, Outcome, photo_of
from poradek_vision.model.results import BoardScore, Influence, MergedShape, Reach, Results, Run, TeamTotal
from poradek_vision.model.sheet import Fiducial, Half, Rect, SheetKind, SheetSpec
from poradek_vision.model.text import Text, bare, natural_key

__all__ = [
    "BOARD_SIZES",
    "DEFAULT_CAMERA",
    "DEFAULT_COLOURS",
    "EMPTY",
    "LANGUAGES",
    "Board",
    "BoardLook",
    "BoardReading",
    "BoardScore",
    "CellReading",
    "Colour",
    "Contact",
    "Correction",
    "Failure",
    "Fault",
    "Fiducial",
    "Flag",
    "Game",
    "GridFit",
    "Half",
    "Influence",
    "KnownCell",
    "Lab",
    "Language",
    "LedgerRow",
    "MarkReading",
    "Matrix3",
    "MergedShape",
    "OpenCell",
    "Outcome",
    "Palette",
    "PaletteEntry",
    "Photo",
    "Point",
    "Reach",
    "Rect",
    "Rectified",
    "Results",
    "Rules",
    "Run",
    "Separation",
    "SettledCell",
    "Settlement",
    "SheetKind",
    "SheetSpec",
    "Status",
    "Target",
    "Team",
    "TeamTotal",
    "Text",
    "Tie",
    "bare",
    "natural_key",
    "photo_of",
    "swatch_rgb",
]
