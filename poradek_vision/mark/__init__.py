"""Marks: whose sticker on the no man's land, and whose board where no fiducial says so.

Marks are single capital letters or digits, by pen or from a printer, or the printed codes of teams; on hand-made boards
names too. Everything is read among what the game's teams can have written, and what is not sure is flagged.
"""

from poradek_vision.mark.alike import Advice, advise, alike, choose_marks
from poradek_vision.mark.boards import BoardMarkSettings, goes_beyond, has_chalk, read_chalk, read_mark
from poradek_vision.mark.owners import OwnerReading, Owners, OwnerSettings, read_owners

__all__ = [
    "Advice",
    "BoardMarkSettings",
    "OwnerReading",
    "OwnerSettings",
    "Owners",
    "advise",
    "alike",
    "choose_marks",
    "goes_beyond",
    "has_chalk",
    "read_chalk",
    "read_mark",
    "read_owners",
]
