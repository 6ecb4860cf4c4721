"""How lines wander: what is seen of a line holds along it, and says little of the others."""

import numpy as np
import pytest

from poradek_vision.find.ruled.trace import PER_CELL
from poradek_vision.find.ruled.wander import fit_wander

SIZE = 4
AXIS, LINE = np.repeat([0, 1], SIZE + 1), np.tile(np.arange(SIZE + 1), 2)
ALONG = (np.arange(SIZE * PER_CELL) + 0.5) / PER_CELL


def made_trace():
    """Lines seen where they are expected, all of them: how far off, and trust."""
    return np.zeros((len(AXIS), len(ALONG))), np.ones((len(AXIS), len(ALONG)))


def fit(off, trust):
    return fit_wander(SIZE, AXIS, LINE, ALONG, off, trust)


def test_lines_in_their_places_do_not_wander():
    wander = fit(*made_trace())
    np.testing.assert_allclose(wander.cells, 0, atol=1e-9)
    assert wander.errors().max() < 0.03


@pytest.mark.parametrize(("axis", "line"), [(0, 2), (1, 3)])
def test_a_line_beside_its_place_is_followed_and_its_neighbours_stay(axis, line):
    off, trust = made_trace()
    off[(axis == AXIS) & (line == LINE)] = 0.06
    cells = fit(off, trust).cells[..., axis]
    mine = cells[:, line] if axis == 0 else cells[line]
    np.testing.assert_allclose(mine, 0.06, atol=0.01)
    others = np.delete(cells, line, axis=1 if axis == 0 else 0)
    assert np.abs(others).max() < 0.01


def test_a_line_half_hidden_goes_on_as_it_was_seen():
    off, trust = made_trace()
    off[2], trust[2, 2 * PER_CELL :] = 0.06, 0.0
    wander = fit(off, trust)
    assert 0.02 < wander.cells[4, 2, 0] < 0.06
    assert wander.errors()[4, 2, 0] > 1.5 * wander.errors()[0, 2, 0]


def test_a_few_samples_far_off_count_little():
    off, trust = made_trace()
    off[2, 5:8] = 0.3
    assert np.abs(fit(off, trust).cells).max() < 0.03


def test_a_line_never_seen_is_unsure():
    off, trust = made_trace()
    trust[0] = 0.0
    wander = fit(off, trust)
    assert wander.errors()[:, 0, 0].min() > 1.5 * wander.errors()[:, 1, 0].max()


def test_where_no_line_holds_the_sheet_it_may_lie_anywhere_unless_its_place_is_known():
    off, trust = made_trace()
    trust[:, 2 * PER_CELL :] = 0.0
    trust[[3, 4, SIZE + 4, SIZE + 5]] = 0.0
    wander = fit(off, trust)
    errors = wander.errors().max(-1)
    assert errors[4, 4] > 0.08
    assert errors[0, 0] < 0.02
    held = fit_wander(SIZE, AXIS, LINE, ALONG, off, trust, held=True)
    assert held.errors().max() < 0.08
