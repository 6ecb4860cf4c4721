"""Crossings and cells of a grid in the order in which its photo shows them: from its own top left."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray, polygon_area

_T = TypeVar("_T", bound=np.generic)


def upright(crossings: FloatArray) -> FloatArray:
    """Crossings (n, n, 2) turned, and mirrored if need be, to begin at the grid's top left as seen in the picture.

    Examples
    --------
    >>> upright(np.array([[[0.0, 1.0], [0.0, 0.0]], [[1.0, 1.0], [1.0, 0.0]]]))[0].tolist()
    [[0.0, 0.0], [1.0, 0.0]]
    """
    return _turned(crossings, *_way_up(crossings))


def upright_cells(cells: npt.NDArray[np.bool_], crossings: FloatArray) -> npt.NDArray[np.bool_]:
    """What is said of the cells (n - 1, n - 1) between crossings (n, n, 2), turned as :func:`upright` turns these.

    Examples
    --------
    >>> x, y = np.meshgrid(np.arange(3.0), np.arange(3.0))
    >>> upright_cells(np.array([[True, False], [False, False]]), np.stack([-x, y], -1)).astype(int).tolist()
    [[0, 1], [0, 0]]
    """
    return _turned(cells, *_way_up(crossings))


def _way_up(crossings: FloatArray) -> tuple[bool, int]:
    """Whether crossings (n, n, 2) are to be mirrored, and then by how many quarters turned, to be upright."""
    corners = crossings[:: len(crossings) - 1, :: len(crossings) - 1]
    mirrored = polygon_area(corners.reshape(4, 2)[[0, 1, 3, 2]]) < 0
    turns = [_turned(corners, mirrored, quarters) for quarters in range(4)]
    rightward = [float((turn[:, 1] - turn[:, 0])[:, 0].sum()) for turn in turns]
    return mirrored, int(np.argmax(rightward))


def _turned(grid: npt.NDArray[_T], mirrored: bool, quarters: int) -> npt.NDArray[_T]:
    """A grid (n, n, …) mirrored along its diagonal, or not, and turned by quarters."""
    return np.rot90(grid.swapaxes(0, 1) if mirrored else grid, quarters)
