"""The product on one page: photos become readings, readings settle into boards, boards become points.

``read_photo`` sees, ``read_batch`` does so for many files, ``score`` settles and counts, ``save_scored`` writes;
``calibrate`` makes a camera's palette of what ``learn_from_cards`` or ``learn_from_results`` saw.
"""

from poradek_vision.pipeline.batch import read_batch
from poradek_vision.pipeline.calibration import (
    Calibration,
    Lesson,
    Lessons,
    calibrate,
    learn_from_cards,
    learn_from_results,
)
from poradek_vision.pipeline.reading import Setup, palette_for, read_photo
from poradek_vision.pipeline.scoring import Scored, save_scored, score

__all__ = [
    "Calibration",
    "Lesson",
    "Lessons",
    "Scored",
    "Setup",
    "calibrate",
    "learn_from_cards",
    "learn_from_results",
    "palette_for",
    "read_batch",
    "read_photo",
    "save_scored",
    "score",
]
