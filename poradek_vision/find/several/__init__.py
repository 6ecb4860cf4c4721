"""Several boards ruled by hand in one photo: in ``company`` of each other, ``beside`` printed sheets, in ``parts``."""

from poradek_vision.find.several.beside import BesideSettings, find_beside, parts_beside, shows_beside
from poradek_vision.find.several.company import find_every
from poradek_vision.find.several.parts import Sheet, around

__all__ = ["BesideSettings", "Sheet", "around", "find_beside", "find_every", "parts_beside", "shows_beside"]
