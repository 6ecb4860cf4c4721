"""The product on one page: photos become readings, readings settle into boards, boards become points.

``read_photo`` sees, ``read_content`` decodes too, ``read_batch`` does so for many files; ``score`` settles and
counts, ``settled`` only settles, ``conclude`` does both with what people said, and writes; ``prove`` prints.
``calibrate`` makes a camera's palette of what ``learn_from_cards`` or ``learn_from_results`` saw. A ``Review``
follows what a person says about a batch: ``open_review``, ``revise``, ``follow``.
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
from poradek_vision.pipeline.corners import lie_within
from poradek_vision.pipeline.doubts import Doubt
from poradek_vision.pipeline.proofs import prove
from poradek_vision.pipeline.reading import Setup, palette_for, read_content, read_photo
from poradek_vision.pipeline.review import Review, fingerprint, follow, open_review, repaint, revise, save_again
from poradek_vision.pipeline.scoring import Scored, conclude, score, settled
from poradek_vision.pipeline.words import load_words, said, typed_board

__all__ = [
    "Calibration",
    "Doubt",
    "Lesson",
    "Lessons",
    "Review",
    "Scored",
    "Setup",
    "calibrate",
    "conclude",
    "fingerprint",
    "follow",
    "learn_from_cards",
    "learn_from_results",
    "lie_within",
    "load_words",
    "open_review",
    "palette_for",
    "prove",
    "read_batch",
    "read_content",
    "read_photo",
    "repaint",
    "revise",
    "said",
    "save_again",
    "score",
    "settled",
    "typed_board",
]
