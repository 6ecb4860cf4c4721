"""Where the boards are: a photo becomes grids, and a grid a rectified picture of its board."""

from poradek_vision.find.by_hand import fit_corners
from poradek_vision.find.printed import FindSettings, Sheets, find_printed
from poradek_vision.find.rectify import Region, rectify

__all__ = ["FindSettings", "Region", "Sheets", "find_printed", "fit_corners", "rectify"]
