"""Whose sticker, by the character that a pen wrote on it.

``stickers`` and ``inks`` part the pen's strokes from the sticker, ``written`` reads them among the game's marks, and
``hands`` learns from the sure ones how each team writes; ``upright`` finds which side of the board is up.
"""

from poradek_vision.mark.pens.inks import sticker_inks
from poradek_vision.mark.pens.stickers import StickerSettings
from poradek_vision.mark.pens.upright import Side, side_up
from poradek_vision.mark.pens.written import WrittenSettings, read_written

__all__ = ["Side", "StickerSettings", "WrittenSettings", "read_written", "side_up", "sticker_inks"]
