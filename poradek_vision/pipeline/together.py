"""The second pass over a batch: the boards of one camera are judged together, from their readings alone.

What a reading holds stays as it is, on disk and in the cache: this is worked out anew whenever a batch is scored, so
that one more photo changes conclusions, never readings.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from dataclasses import replace

from poradek_vision.cells import JudgedBoard, judge_together
from poradek_vision.model import BoardLook, BoardReading, CellReading, Flag
from poradek_vision.pipeline.reading import Setup, is_strange, palette_for


@functools.lru_cache(maxsize=1)  # a review scores the same readings again after every click
def read_together(readings: tuple[BoardReading, ...], setup: Setup) -> tuple[BoardReading, ...]:
    """Readings as they are after the boards of each camera were judged together.

    Boards on paper of their own colour, such as hand-made ones may be on, and those that were judged by another palette
    than their camera's, such as drawings on a screen, are left alone.

    Parameters
    ----------
    readings : tuple of BoardReading
        Of a batch, in any order.
    setup : Setup

    Returns
    -------
    tuple of BoardReading
        In the same order; where cells were decided or put in doubt, these are others.
    """
    result = list(readings)
    groups: dict[str, list[tuple[str, int, int, JudgedBoard]]] = defaultdict(list)
    for place, one in enumerate(readings):
        if one.look and setup.batch.on and _may_be_compared(one, one.look, setup):
            groups[one.camera].append((one.sha256, one.index, place, (one.look, one.cells)))
    for camera, members in groups.items():
        members.sort(key=lambda member: member[:2])  # sums come out the same to the last digit
        boards = [board for *_, board in members]
        settings = setup.cells
        together = judge_together(boards, palette_for(camera, setup), settings.samples, settings.judging, setup.batch)
        for (_, _, place, _), cells in zip(members, together, strict=True):
            result[place] = _with_cells(result[place], cells)
    return tuple(result)


def _may_be_compared(reading: BoardReading, look: BoardLook, setup: Setup) -> bool:
    """Whether a board's colours were judged against white paper by the palette of its camera."""
    return look.paper == _WHITE and reading.palette == palette_for(reading.camera, setup).camera


_WHITE = (1.0, 1.0, 1.0)


def _with_cells(reading: BoardReading, cells: tuple[CellReading, ...]) -> BoardReading:
    """A reading with cells judged anew, and without a doubt about its light that rested on them."""
    if cells == reading.cells:
        return reading
    kept = tuple(flag for flag in reading.flags if flag is not Flag.STRANGE_LIGHT or is_strange(cells))
    return replace(reading, cells=cells, flags=kept)
