"""Grids ruled by hand: found by their lines, grown from one cell, refused where they are no board's.

Frames: *index* coordinates of a lattice (cells, the seed's corner at (0, 0)), *board* cells, and *work* pixels of the
reduced picture that is searched; only what leaves this folder is in file pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from poradek_vision.find.ruled.candidates import (
    Candidate,
    RuledSettings,
    corners_of,
    grow_candidates,
    is_board,
    lies_in,
    sift,
    weigh,
)
from poradek_vision.find.ruled.close_up import file_px, grid_of
from poradek_vision.find.ruled.evidence import Evidence, Part, find_stickers, gather
from poradek_vision.find.ruled.heat import Maps
from poradek_vision.find.ruled.heat_lattice import Hot, hot_lattices, outline_of
from poradek_vision.find.ruled.left import (
    LEAST_WARM,
    MARGIN,
    parts_left,
    round_box,
    shows_cells,
    stickers_left,
    stickers_together,
)
from poradek_vision.find.ruled.seeds import find_seeds
from poradek_vision.geometry import FloatArray, plain_points
from poradek_vision.model import GridFit, Photo, Point

__all__ = [
    "MARGIN",
    "Glance",
    "Maps",
    "Part",
    "Ruled",
    "RuledSettings",
    "find_ruled",
    "find_stickers",
    "gather",
    "glance",
    "parts_left",
    "round_box",
    "shows_cells",
    "stickers_left",
    "stickers_together",
]


Seen = tuple[Candidate, Evidence]
"""A board and what it was seen in."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """What came of a photo's lines.

    Attributes
    ----------
    grids : tuple of GridFit
    candidates : tuple of tuple of Point
        Quads, file px, of lattices that were no board's.
    unsure : tuple of tuple of Point
        Quads, file px, of cells that the network saw and no grid holds: lines may show them from closer.
    """

    grids: tuple[GridFit, ...]
    candidates: tuple[tuple[Point, ...], ...]
    unsure: tuple[tuple[Point, ...], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """What a photo's lines alone show.

    Attributes
    ----------
    evidence : Evidence
    boards : list of Candidate
        The clearest of those that overlap.
    refused : list of Candidate
        Lattices that are no board's.
    scale : float
        Pixels of the photo that was looked at per pixel of its file.
    """

    evidence: Evidence
    boards: list[Candidate]
    refused: list[Candidate]
    scale: float

    def is_sure(self, settings: RuledSettings) -> bool:
        """Whether there are boards and nothing but lines is needed to be sure of all of them."""
        return bool(self.boards) and all(candidate.is_sure(settings) for candidate in self.boards)

    def is_enough(self, settings: RuledSettings) -> bool:
        """Whether the same photo with more pixels would show no more."""
        return self.is_sure(settings) and self._least_cell_px() >= settings.glance_cell_px

    def no_sheet(self, settings: RuledSettings) -> bool:
        """Whether there are boards so near that, were they printed sheets, their fiducials would have been seen."""
        return self._least_cell_px() >= settings.sheet_cell_px

    def _least_cell_px(self) -> float:
        """Side of the smallest cells seen, work px; 0 where there is no board."""
        return min((board.cell_px for board in self.boards), default=0.0)

    def evidence_of(self, photo: Photo) -> Evidence:
        """The evidence as that of the same photo with more pixels."""
        return replace(self.evidence, scale=self.evidence.scale * self.scale / photo.scale)


def glance(photo: Photo, sizes: Sequence[int], settings: RuledSettings) -> Glance:
    """The first steps of :func:`find_ruled`, for which a coarse photo of ``settings.work_px`` will do.

    Where no board is sure, white in stickers is taken for print on them, if boards are sure then.

    Parameters
    ----------
    photo : Photo
    sizes : sequence of int
        Sides that a board may have, in cells.
    settings : RuledSettings
    """
    seen = _glance(gather(photo.pixels, settings.work_px), photo.scale, sizes, settings)
    if seen.is_sure(settings):
        return seen
    evidence = gather(photo.pixels, settings.work_px, white_print=True)
    same = (np.array_equal(*each) for each in zip(evidence.masks, seen.evidence.masks, strict=True))
    if all(same):
        return seen
    printed = _glance(evidence, photo.scale, sizes, settings)
    return printed if printed.is_sure(settings) else seen


def _glance(evidence: Evidence, scale: float, sizes: Sequence[int], settings: RuledSettings) -> Glance:
    """The same in evidence of a photo of some scale, in which white in stickers is print, or paper between them."""
    boards, refused = _by_lines(evidence, sizes, settings)
    return Glance(evidence, boards, refused, scale)


def _by_lines(
    evidence: Evidence, sizes: Sequence[int], settings: RuledSettings
) -> tuple[list[Candidate], list[Candidate]]:
    """What lines alone show: the clearest boards of those that overlap, and lattices that are no board's."""
    return sift(grow_candidates(evidence, find_seeds(evidence), sizes, settings), evidence, settings)


def find_ruled(
    photo: Photo,
    sizes: Sequence[int],
    settings: RuledSettings,
    seen: Glance | None = None,
    maps: Maps | None = None,
) -> Ruled:
    """Every hand-made grid in a photo.

    1. ``evidence``: thin dark lines and stickers, at about 0.75 megapixels.
    2. ``candidates``: lattices grown from the most promising cells, each with its best N × N window.
    3. Those that are no board's are refused; of those that overlap the clearest stays.
    4. ``hot``: where one is not sure, or there is none, those that a small network sees, also under stickers.
    5. ``closer`` and ``farther``: where little was clear, small cells with more pixels, and bold lines, which are too
       broad for ``evidence``, with fewer, if the network sees cells.
    6. The lines of the others are followed: curl, lens and the wobble of a hand.

    Parameters
    ----------
    photo : Photo
    sizes : sequence of int
        Sides that a board may have, in cells.
    settings : RuledSettings
    seen : Glance, optional
        What was seen at a glance of this photo, if it was looked at before, maybe with fewer pixels.
    maps : Maps, optional
        Of this photo, if any were painted before.

    Returns
    -------
    Ruled
        Grids from the photo's top left to its bottom right, each from its own top left as seen in the photo; which
        side is really up is not known here. A grid for which two sizes or places fit about as well carries
        ``Flag.GRID_UNCERTAIN``.
    """
    seen = seen or glance(photo, sizes, settings)
    evidence, kept, refused = seen.evidence_of(photo), seen.boards, seen.refused
    stray = [plain_points(file_px(candidate.quad, evidence, photo)) for candidate in refused]
    hot = list[Hot]() if seen.is_sure(settings) else hot_lattices(maps or Maps(photo.pixels), evidence, sizes)
    kept = _with_hot(kept, _hot_candidates(hot, evidence, settings), settings)
    kept = [_unless_gainsaid(candidate, hot, settings) for candidate in kept]
    unsure = [plain_points(file_px(quad, evidence, photo)) for quad in _unsure(hot, kept)]
    finer = evidence.scale < settings.closer_enlarged
    boards = [(candidate, evidence) for candidate in kept]
    if finer and not any(candidate.hot for candidate in kept) and _worth_a_closer_look(kept, refused, settings):
        closer = gather(photo.pixels, settings.closer_px, _part(kept, evidence, photo))
        clearer, _ = _by_lines(closer, sizes, settings)
        boards = _in_place(boards, clearer, closer)
    clear = any(_is_clear(candidate, settings) for candidate, _ in boards)
    if not clear and any(best.mean > LEAST_WARM for _, best in hot):  # what is bold the network sees as well
        farther = gather(photo.pixels, settings.farther_px)
        boards = _in_place(boards, _sure(farther, sizes, settings), farther, unless_clearer=settings)
    followed = (grid_of(photo, its_evidence, candidate, settings) for candidate, its_evidence in boards)
    grids = [grid for grid in followed if grid]
    return Ruled(tuple(sorted(grids, key=lambda grid: sum(grid.crossings[0][0]))), tuple(stray), tuple(unsure))


def _sure(evidence: Evidence, sizes: Sequence[int], settings: RuledSettings) -> list[Candidate]:
    """Boards that lines alone show for sure: then one of the first seeds does."""
    boards, _ = _by_lines(evidence, sizes, replace(settings, most_seeds=settings.clear_seeds, spare_seeds=0))
    return [board for board in boards if board.is_sure(settings)]


def _is_clear(candidate: Candidate, settings: RuledSettings) -> bool:
    """Whether a board is known for what it is; squared paper, in which any place fits alike, may hide bolder lines."""
    clear = candidate.clarity > settings.clear_score and not candidate.fits_elsewhere(settings)
    return candidate.vouched or clear


def _in_place(
    boards: Sequence[Seen],
    others: Sequence[Candidate],
    evidence: Evidence,
    unless_clearer: RuledSettings | None = None,
) -> list[Seen]:
    """Boards, and others seen in other evidence, instead of those that they overlap, unless such are clearer if asked.

    One that has another size or place that fits alike is not.
    """
    kept, new = list(boards), list[Seen]()
    for other in others:
        rivals = [seen for seen in kept if _overlap(seen, (other, evidence))]
        if not (unless_clearer and any(_is_clearer(board, other, unless_clearer) for board, _ in rivals)):
            kept = [seen for seen in kept if seen not in rivals]
            new.append((other, evidence))
    return [*kept, *new]


def _is_clearer(board: Candidate, other: Candidate, settings: RuledSettings) -> bool:
    """Whether a board is as clear as another, and fits nowhere else."""
    return board.worth >= other.worth and not board.fits_elsewhere(settings)


def _overlap(one: Seen, other: Seen) -> bool:
    """Whether the middle of either board lies in the other."""
    (board, evidence), (other_board, other_evidence) = one, other
    middle, other_middle = evidence.decoded_px(board.quad.mean(0)), other_evidence.decoded_px(other_board.quad.mean(0))
    return board.holds(evidence.work_px(other_middle)) or other_board.holds(other_evidence.work_px(middle))


def _hot_candidates(seen: Sequence[Hot], evidence: Evidence, settings: RuledSettings) -> list[Candidate]:
    """Boards that the network sees clearly and whose lines do not speak for other cells, the hottest first."""
    found = []
    for lattice, hot in seen:
        if hot.mean < settings.least_heat or hot.lead < settings.least_heat_lead:
            continue
        choice = weigh(evidence, lattice, (hot.window[1] - hot.window[0],), settings)
        if choice is not None and choice.window == hot.window:
            vouched = hot.mean > settings.sure_heat and hot.lead > settings.sure_heat_lead
            found.append((hot.lead, Candidate(lattice, choice, hot=True, vouched=vouched)))
    found.sort(key=lambda entry: -entry[0])
    return [candidate for _, candidate in found if is_board(candidate, evidence, settings)]


def _unless_gainsaid(candidate: Candidate, seen: Sequence[Hot], settings: RuledSettings) -> Candidate:
    """A board found by lines; contested if these are unclear and the network sees other cells there, and not them."""
    if candidate.hot or candidate.clarity > settings.clear_score:
        return candidate
    here = [
        lattice
        for lattice, hot in seen
        if hot.mean > settings.least_heat and candidate.holds(outline_of(lattice).mean(0))
    ]
    agreed = any(candidate.same_cells(corners_of(lattice, lattice.window), lattice.window) for lattice in here)
    return replace(candidate, contested=candidate.contested or (bool(here) and not agreed))


def _unsure(seen: Sequence[Hot], kept: Sequence[Candidate]) -> list[FloatArray]:
    """Outlines (4, 2), work px, of cells that the network sees warm where no board is known, each once."""
    outlines = list[FloatArray]()
    for lattice, hot in sorted(seen, key=lambda one: -one[1].mean):
        outline = outline_of(lattice)
        middle = outline.mean(0)
        known = any(board.holds(middle) for board in kept) or any(lies_in(middle, other) for other in outlines)
        if hot.mean > LEAST_WARM and not known:
            outlines.append(outline)
    return outlines


def _with_hot(kept: list[Candidate], hot: list[Candidate], settings: RuledSettings) -> list[Candidate]:
    """Boards found by their lines, and those that the network saw, in place of such unclear ones as it gainsays."""
    for candidate in hot:
        rivals = [other for other in kept if candidate.overlaps(other)]
        clear = (other.hot or other.clarity > settings.clear_score or other.same(candidate) for other in rivals)
        if any(clear):
            kept = [replace(other, vouched=other.vouched or _agrees(candidate, other)) for other in kept]
        else:
            others = [other for other in kept if not candidate.overlaps(other)]
            kept = [*others, replace(candidate, contested=bool(rivals))]
    return kept


def _agrees(hot: Candidate, other: Candidate) -> bool:
    """Whether the network is sure of the very cells that lines alone show."""
    return hot.vouched and other.same(hot)


def _worth_a_closer_look(kept: list[Candidate], refused: list[Candidate], settings: RuledSettings) -> bool:
    """Whether cells are too small to trust, or nothing was clearly seen, not even lines that are no board's."""
    if kept:
        return min(candidate.cell_px for candidate in kept) < settings.least_cell_px
    return not any(c.clarity > settings.clear_score and c.cell_px > settings.least_cell_px for c in refused)


def _part(kept: list[Candidate], evidence: Evidence, photo: Photo) -> Part | None:
    """The part of the photo round what was found, with a margin of half of it; None for the whole."""
    if not kept:
        return None
    points = evidence.decoded_px(np.concatenate([corners_of(c.lattice, c.lattice.window) for c in kept]))
    low, high = points.min(0), points.max(0)
    margin = (high - low) / 2
    left, top = np.maximum(low - margin, 0).astype(int).tolist()
    right, bottom = np.minimum(high + margin, photo.pixels.shape[1::-1]).astype(int).tolist()
    return left, top, right, bottom
