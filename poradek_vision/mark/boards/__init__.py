"""Whose board: a mark or a name written on the paper near the grid.

The page is looked at in its own light (``page``, ``strokes``, ``looks``), its ink put together into pieces and lines
of writing (``pieces``, ``surrounds``, ``writing``, ``labels``), and these read among the game's teams (``reading``).
"""

from poradek_vision.mark.boards.looks import goes_beyond, has_chalk
from poradek_vision.mark.boards.reading import BoardMarkSettings, read_chalk, read_mark

__all__ = ["BoardMarkSettings", "goes_beyond", "has_chalk", "read_chalk", "read_mark"]
