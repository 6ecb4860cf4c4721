"""Windows of marks from drawn lands: which kind each is, and that they look as marks do."""

import numpy as np

from poradek_vision.mark.characters import read_windows
from training.lands import land_windows
from training.samples import Bank


def test_most_marks_are_what_their_kinds_say():
    blank = np.zeros((1, 36, 96, 96), np.uint8)
    strokes_alone = Bank(blank, blank, blank, hand_share=0, font_share=0)
    windows, kinds = land_windows(1, strokes_alone, 3)
    assert windows.shape == (len(kinds), 32, 32)
    assert len(kinds) > 100
    read = read_windows(windows.astype(np.float32)).log_probabilities.argmax(1)
    assert (read == kinds).mean() > 0.7
