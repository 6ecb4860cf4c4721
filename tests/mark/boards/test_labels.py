"""Letters and digits that name a grid's rows and columns."""

import numpy as np
import pytest

from poradek_vision.mark.boards.labels import are_labels


def above(places, away=0.5, size=0.35):
    """Boxes of pieces above a grid, their middles at these places along it, cells."""
    return np.array([[at - 0.1, -away - size / 2, 0.2, size] for at in places])


def turned(boxes, quarters, n):
    """Boxes as they are when the grid of n cells is turned clockwise by quarters."""
    for _ in range(quarters):
        boxes = np.column_stack([n - boxes[:, 1] - boxes[:, 3], boxes[:, 0], boxes[:, 3], boxes[:, 2]])
    return boxes


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("n", [3, 4, 6])
def test_one_before_each_cell_is_a_row_of_labels_on_any_side(quarters, n):
    boxes = turned(np.vstack([above(np.arange(n) + 0.55), [[1.0, -2.0, 0.8, 1.1]]]), quarters, n)
    assert are_labels(boxes, n, n).tolist() == [*[True] * n, False]


def test_one_label_may_be_hidden():
    assert are_labels(above([0.5, 1.5, 3.5, 4.4]), 5, 5).all()


@pytest.mark.parametrize(
    "boxes",
    [
        above(np.arange(8) * 0.5 + 0.25),  # letters of a word
        above([0.5, 1.5]),
        above([0.5, 1.5, 2.5], size=0.8),  # a name, a large letter before each cell
        above([0.0, 1.0, 2.0, 3.0]),  # before the lines
        np.vstack([above([0.5], 0.3), above([1.5], 0.9), above([2.5], 0.3)]),
        above([0.5, 1.5, 2.5], away=1.6),
        np.empty((0, 4)),
    ],
)
def test_other_writing_is_no_row_of_labels(boxes):
    assert not are_labels(boxes, 3, 3).any()
