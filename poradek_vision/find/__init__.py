"""Where the boards are: a photo becomes grids, and a grid a rectified picture of its board."""

from poradek_vision.find.by_hand import fit_corners
from poradek_vision.find.drawing import is_drawing
from poradek_vision.find.form import Form, FormSettings, RimSettings, labelled_side, on_papers_edge, tell_form
from poradek_vision.find.halves import whole_grid
from poradek_vision.find.printed import FindSettings, Sheets, find_printed, seen_well
from poradek_vision.find.quality import QualitySettings, is_colourless, is_toned, tell_quality
from poradek_vision.find.rectify import Region, rectify
from poradek_vision.find.ruled import Glance, Ruled, RuledSettings, find_ruled, glance
from poradek_vision.find.several import (
    BesideSettings,
    Sheet,
    around,
    find_beside,
    find_every,
    parts_beside,
    shows_beside,
)
from poradek_vision.find.turning import cut_grid, turn_grid

__all__ = [
    "BesideSettings",
    "FindSettings",
    "Form",
    "FormSettings",
    "Glance",
    "QualitySettings",
    "Region",
    "RimSettings",
    "Ruled",
    "RuledSettings",
    "Sheet",
    "Sheets",
    "around",
    "cut_grid",
    "find_beside",
    "find_every",
    "find_printed",
    "find_ruled",
    "fit_corners",
    "glance",
    "is_colourless",
    "is_drawing",
    "is_toned",
    "labelled_side",
    "on_papers_edge",
    "parts_beside",
    "rectify",
    "seen_well",
    "shows_beside",
    "tell_form",
    "tell_quality",
    "turn_grid",
    "whole_grid",
]
