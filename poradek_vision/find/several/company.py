"""Every board ruled by hand in a photo without printed sheets: leaders lay several on a table and take one picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from poradek_vision.find.ruled import (
    MARGIN,
    Glance,
    Maps,
    Part,
    Ruled,
    RuledSettings,
    find_ruled,
    glance,
    parts_left,
    round_box,
    stickers_left,
)
from poradek_vision.find.several.beside import BesideSettings, on_paper, parts_on_pages
from poradek_vision.find.several.parts import Sheet, pages_px, search_by_lines, search_parts, with_own
from poradek_vision.geometry import polygon_area
from poradek_vision.model import Photo


def find_every(
    photo: Photo, sizes: Sequence[int], beside: BesideSettings, settings: RuledSettings, seen: Glance | None = None
) -> Ruled:
    """Every board ruled by hand in a photo, also those that are hard to see beside others.

    1. The whole photo is searched.
    2. Parts in which another board may be are chosen by the network. Nearly every photo shows one board: if that fills
       it, there is none; if it leaves some room, the network looks only where it looked before, or stickers on paper or
       paper with colour on it are left.
    3. These are searched from closer, without what is known, and others chosen until nothing new is found.
    4. Where nothing is, what is as smooth as paper is searched for clear lines: rough ground round it hides faint ones.

    Parameters
    ----------
    photo : Photo
    sizes : sequence of int
        Sides that a board may have, in cells.
    beside : BesideSettings
    settings : RuledSettings
    seen : Glance, optional
        What was seen at a glance of this photo, if it was looked at before, maybe with fewer pixels.

    Returns
    -------
    Ruled
        As from :func:`find_ruled`.
    """
    seen = seen or glance(photo, sizes, settings)
    maps = Maps(photo.pixels)
    first = find_ruled(photo, sizes, settings, seen, maps)
    evidence, sure = seen.evidence_of(photo), seen.is_sure(settings)

    def parts_of(known: Sequence[Sheet]) -> Sequence[Part]:
        taken = pages_px(photo, known)
        share = max((polygon_area(outline) / photo.pixels[..., 0].size for outline in taken), default=0.0)
        if share > _LARGE and len(known) == 1:
            return ()
        hot: Sequence[Part]
        together = stickers_left(evidence, taken)
        if len(known) > 1 or 0 < share < _SMALL:
            hot = parts_left(maps, evidence, taken, sizes, finer=True, most_hot=_MOST_HOT)
        elif not sure:
            hot = _round_each(first, photo)
        elif together := on_paper(photo, known, evidence.stickers, together, beside):
            hot = parts_left(maps, evidence, taken, sizes, finer=False, most_hot=_FEW_HOT)
        elif parts_on_pages(photo, known, beside):
            hot = parts_left(maps, evidence, taken, sizes, finer=False, most_hot=0)
        else:
            return ()
        stuck = (round_box(points, photo.pixels.shape[1::-1], MARGIN) for points in together)
        return _new([*hot, *_closer(stuck, photo)[:_MOST_STUCK]])

    more = search_parts(photo, with_own(first.grids), parts_of, sizes, settings)
    if not (first.grids or more.grids):
        more = search_by_lines(photo, (), sizes, settings)
    grids = sorted((*first.grids, *more.grids), key=lambda grid: sum(grid.crossings[0][0]))
    return Ruled(tuple(grids), (*first.candidates, *more.candidates))


_SMALL, _LARGE = 0.08, 0.24
"""Share of the photo that a board with half a cell round it takes, up to which others may well lie beside it, and from
which none does: of 60 rendered photos of two to four boards the largest takes less than the first in 33, more than the
second in one; of 300 photos of one board 9 take less, 112 more."""
_MOST_HOT, _FEW_HOT = 5, 3
"""Hot parts that are searched where another board is likely, and where stickers alone say so."""


def _round_each(first: Ruled, photo: Photo) -> list[Part]:
    """Parts round cells that the network saw."""
    seen = (np.asarray(quad) * photo.scale for quad in first.unsure)
    return _closer([round_box(quad, photo.pixels.shape[1::-1], MARGIN) for quad in seen], photo)


def _closer(parts: Iterable[Part], photo: Photo) -> list[Part]:
    """Those that are so much less than the photo that it shows them closer."""
    return [part for part in parts if _area(part) < _CLOSER * photo.pixels[..., 0].size]


def _new(parts: Sequence[Part]) -> list[Part]:
    """Parts without those that show little that one before them does not show as close."""
    new = list[Part]()
    for part in parts:
        if not any(_shared(part, other) > _SAME * max(_area(part), _area(other)) for other in new):
            new.append(part)
    return new


def _shared(one: Part, other: Part) -> int:
    """What two parts share, px."""
    width, height = (min(one[k + 2], other[k + 2]) - max(one[k], other[k]) for k in (0, 1))
    return max(width, 0) * max(height, 0)


def _area(part: Part) -> int:
    """Of a part, px."""
    left, top, right, bottom = part
    return (right - left) * (bottom - top)


_MOST_STUCK = 4
"""Parts with stickers that are searched, those with most."""
_CLOSER = 0.5
"""Share of the photo that a part takes from which it was searched as closely before."""
_SAME = 0.6
"""Share of the larger of two parts that both show, from which they show the same."""
