"""The named reasons for doubt."""

from __future__ import annotations

import enum


class Flag(enum.StrEnum):
    """A named reason for doubt. Its sentence for people is ``flag.<value>`` in the catalogue of texts."""

    # of a cell
    LOW_MARGIN = "low_margin"
    """Two colours (or a colour and empty paper) explain the cell almost equally well."""
    UNEVEN_CORE = "uneven_core"
    """The core shows several things (two stickers, a torn one, one that lies half in the cell), or a band of colour."""
    GLARE = "glare"
    """Light reflected by the sticker hides its colour."""
    TOO_DARK = "too_dark"
    """Too little light to tell colours apart."""
    OFF_PALETTE = "off_palette"
    """A colour that no sticker of the palette has in this light."""
    UNLIKE_FELLOWS = "unlike_fellows"
    """Neither the colour nor the outline of the board's other stickers: a leaf of their colour may lie there."""
    HIDDEN = "hidden"
    """The cell lies outside the photo, or something covers it."""
    PHOTOS_DISAGREE = "photos_disagree"
    """Two photos of the same board show different things here."""
    OWNER_UNCLEAR = "owner_unclear"
    """Nobody could read which team stuck this sticker."""
    UNLIKE_OTHERS = "unlike_others"
    """The other boards of the batch show this colour so differently that the sticker may have another one."""
    # of a board
    GRID_UNCERTAIN = "grid_uncertain"
    """The lines were not seen well enough to be sure where each cell is."""
    CROPPED = "cropped"
    """Part of the grid lies outside the photo."""
    BLURRED = "blurred"
    """The photo is too blurred to trust."""
    UNDEREXPOSED = "underexposed"
    """The photo is too dark to trust."""
    OVEREXPOSED = "overexposed"
    """So much of the board is clipped to white that colours can't be trusted."""
    TEAM_UNCLEAR = "team_unclear"
    """Whose board this is could not be read for sure."""
    UNKNOWN_TEAM = "unknown_team"
    """The printed sheet's number belongs to no team of this game."""
    STRANGE_LIGHT = "strange_light"
    """Light or colours lie outside what the palette has seen; also of the cells of these colours."""
