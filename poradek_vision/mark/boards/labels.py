"""Letters and digits along a grid's sides that name its columns and rows, as on a chessboard: no marks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.pictures import FloatArray


def are_labels(boxes: FloatArray, rows: int, cols: int) -> npt.NDArray[np.bool_]:
    """Which pieces of ink are labels of the grid's rows or columns.

    Those stand at one distance from a side, one before the middle of nearly each cell, all of about one size, and apart
    from each other as the letters of a word never are.

    Parameters
    ----------
    boxes : ndarray of shape (N, 4)
        Left, top, width and height of each piece, in cells of the board.
    rows, cols : int

    Returns
    -------
    ndarray of shape (N,), bool

    Examples
    --------
    >>> boxes = np.array([[0.3, -0.6, 0.3, 0.4], [1.3, -0.6, 0.3, 0.4], [2.4, -0.6, 0.2, 0.4], [4.0, 1.0, 0.8, 1.0]])
    >>> are_labels(boxes, 3, 3).tolist()
    [True, True, True, False]
    """
    found = np.zeros(len(boxes), np.bool_)
    middles, sizes = boxes[:, :2] + boxes[:, 2:] / 2, boxes[:, 2:].max(1)
    for axis, along, across in ((0, cols, rows), (1, rows, cols)):
        for away in (-middles[:, 1 - axis], middles[:, 1 - axis] - across):
            beside = np.flatnonzero((sizes >= _LEAST_CELLS) & (away > 0) & (away < _NEAR_CELLS))
            found[beside] |= _in_a_row(middles[beside, axis], away[beside], sizes[beside], along)
    return found


def _in_a_row(at: FloatArray, away: FloatArray, sizes: FloatArray, count: int) -> npt.NDArray[np.bool_]:
    """Which pieces beside a side have a like one before nearly each of its cells, and none between these."""
    like = (np.abs(away - away[:, None]) < _MOST_ASIDE) & (sizes < 2 * sizes[:, None]) & (sizes[:, None] < 2 * sizes)
    rows = [np.sort(at[each]) for each in like]
    before = [np.count_nonzero((row > 0) & (row < count) & (np.abs(row % 1 - 0.5) < _MOST_ASIDE)) for row in rows]
    apart = [len(row) <= count + 1 and np.diff(row).min(initial=np.inf) > _LEAST_APART for row in rows]
    full = (np.array(before, np.int64) >= max(count - 1, 3)) & np.array(apart, np.bool_)
    return np.asarray(full & (sizes <= _MOST_CELLS), np.bool_)


_NEAR_CELLS = 1.0
"""Labels stand nearer to the grid than this."""
_LEAST_CELLS, _MOST_CELLS = 0.12, 0.55
"""How large labels are: letters of a word that had one before each cell would be larger than the gaps between them."""
_MOST_ASIDE = 0.3
"""So many cells from the middle of its cell, and from the line of the others, a label may stand."""
_LEAST_APART = 0.6
"""Labels stand farther from each other than this, in cells, and at most one more stands beside a row of them."""
