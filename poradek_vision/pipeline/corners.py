"""Corners of grids that a person gave: they take the place of what would be found."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from poradek_vision.errors import BoardNotFound
from poradek_vision.find import FindSettings, fit_corners
from poradek_vision.model import Correction, GridFit, Photo

_log = logging.getLogger(__name__)


def with_corners(
    found: tuple[GridFit, ...], photo: Photo, corrections: Sequence[Correction], settings: FindSettings
) -> tuple[GridFit, ...]:
    """The grids found, with those that a person gave corners for in their places.

    Parameters
    ----------
    found : tuple of GridFit
    photo : Photo
    corrections : sequence of Correction
        Those of this photo; the board's own ``size`` counts only with ``corners``.
    settings : FindSettings

    Raises
    ------
    BoardNotFound
        If no grid was found, and the corners can't be used.
    """
    words = {(word.index, word.target): word.value for word in corrections}
    grids = list(found)
    for index in sorted(index for index, target in words if target == "corners"):
        old = grids[index] if index < len(grids) else None
        size = int(words.get((index, "size"), old.rows if old else 0))
        try:
            if index > len(grids):
                raise BoardNotFound("find.corners_too_far", photo=photo.name, board=index + 1, count=len(grids))
            grid = _by_hand(photo, words[index, "corners"], size, settings)
        except BoardNotFound as error:
            if not grids:
                raise
            _log.warning("%s", error)  # what was found stands; settling notes that the corners were not used
            continue
        if old:
            grids[index] = replace(grid, kind=old.kind, team_index=old.team_index, cell_mm=old.cell_mm)
        else:
            grids.append(grid)
    return tuple(grids)


def _by_hand(photo: Photo, corners: str, size: int, settings: FindSettings) -> GridFit:
    """The grid between the corners that a person gave, in file px."""
    if not size:
        raise BoardNotFound("find.corners_need_size", photo=photo.name)
    numbers = tuple(map(float, corners.split()))
    if not lie_within(numbers, photo.full_size):
        width, height = photo.full_size
        raise BoardNotFound("find.corners_outside", photo=photo.name, width=width, height=height)
    return fit_corners(photo, np.array(numbers).reshape(4, 2), size, size, settings.growth)


def lie_within(corners: Sequence[float], full_size: tuple[int, int]) -> bool:
    """Whether a grid with such corners can be read in a photo.

    Parameters
    ----------
    corners : sequence of float
        Four points, as eight numbers, in file px.
    full_size : (int, int)
        Width and height of the photo, in its own pixels.

    Examples
    --------
    >>> lie_within((-5, 0, 90, 0, 90, 90, 0, 90), (100, 100)), lie_within((0, 0, 200, 0, 90, 90, 0, 90), (100, 100))
    (True, False)
    """
    points, room = np.reshape(corners, (4, 2)), np.array(full_size)
    return bool(np.all(points >= -_BESIDE * room) and np.all(points <= (1 + _BESIDE) * room))


_BESIDE = 0.1
"""How far outside the photo a corner may lie, as a share of its sides: a grid may be cut off a little."""
