"""Debug pictures: photo and reading become something to look at. Paints from records, after the fact.

Letters stand beside every colour, words beside every doubt. All pictures are RGB, (h, w, 3), uint8.
"""

from poradek_vision.overlay.board import paint_board
from poradek_vision.overlay.calibration import paint_calibration
from poradek_vision.overlay.contact import FlaggedCrop, contact_sheet, flagged_crops
from poradek_vision.overlay.failure import paint_failure
from poradek_vision.overlay.land import paint_land
from poradek_vision.overlay.pen import Picture, encode_jpeg, encode_png, is_bright
from poradek_vision.overlay.plain import reduced, whole_board
from poradek_vision.overlay.words import colour_or_paper, mark_of

__all__ = [
    "FlaggedCrop",
    "Picture",
    "colour_or_paper",
    "contact_sheet",
    "encode_jpeg",
    "encode_png",
    "flagged_crops",
    "is_bright",
    "mark_of",
    "paint_board",
    "paint_calibration",
    "paint_failure",
    "paint_land",
    "reduced",
    "whole_board",
]
