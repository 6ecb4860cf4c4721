"""Printed sheets: ``search`` looks for their ``fiducials`` and compares the ruler frame; ``growth`` fits one sheet."""

from poradek_vision.find.printed.growth import GrowthSettings
from poradek_vision.find.printed.search import FindSettings, Sheets, find_printed, seen_well

__all__ = ["FindSettings", "GrowthSettings", "Sheets", "find_printed", "seen_well"]
