"""Lines of writing, read as far as there is ink on them."""

import numpy as np
import pytest

import poradek_vision.mark.lines as lines
from poradek_vision.mark.lines import LINE_HEIGHT_PX, LINE_WIDTH_PX, normalise_lines, read_lines


@pytest.mark.parametrize("wide", [2, 11, 28, 47, 70, 72, 101, 128])
def test_a_short_line_is_read_as_in_the_whole_frame(wide, monkeypatch):
    rng = np.random.default_rng(wide)
    drawn = np.zeros((7, LINE_HEIGHT_PX, LINE_WIDTH_PX), np.float32)
    left = (LINE_WIDTH_PX - wide) // 2
    drawn[:, 2:30, left : left + wide] = rng.random((7, 28, wide)) > 0.6
    short = read_lines(normalise_lines(drawn))
    monkeypatch.setattr(lines, "_SEEN_PX", LINE_WIDTH_PX)  # now every line is read from end to end
    np.testing.assert_allclose(short, read_lines(normalise_lines(drawn)), atol=1e-4)
