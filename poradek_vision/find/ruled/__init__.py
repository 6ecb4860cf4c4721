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
)
from poradek_vision.find.ruled.choice import choose, worth_of
from poradek_vision.find.ruled.doubts import is_doubtful, unsure_cells
from poradek_vision.find.ruled.evidence import Evidence, Part, find_stickers, gather
from poradek_vision.find.ruled.facing import upright, upright_cells
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
from poradek_vision.find.ruled.looks import look, pen_px
from poradek_vision.find.ruled.refine import Mesh, fine_mesh, follow
from poradek_vision.find.ruled.seeds import find_seeds, sample
from poradek_vision.find.turning import marked_cells
from poradek_vision.geometry import FloatArray, fit_homography, plain_matrix, plain_points
from poradek_vision.model import Flag, GridFit, Photo, Point

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

    Parameters
    ----------
    photo : Photo
    sizes : sequence of int
        Sides that a board may have, in cells.
    settings : RuledSettings
    """
    evidence = gather(photo.pixels, settings.work_px)
    boards, refused = _by_lines(evidence, sizes, settings)
    return Glance(evidence, boards, refused, photo.scale)


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
    stray = [plain_points(_file_px(candidate.quad, evidence, photo)) for candidate in refused]
    hot = list[Hot]() if seen.is_sure(settings) else hot_lattices(maps or Maps(photo.pixels), evidence, sizes)
    kept = _with_hot(kept, _hot_candidates(hot, evidence, settings), settings)
    kept = [_unless_gainsaid(candidate, hot, settings) for candidate in kept]
    unsure = [plain_points(_file_px(quad, evidence, photo)) for quad in _unsure(hot, kept)]
    finer = evidence.scale < settings.closer_enlarged
    boards = [(candidate, evidence) for candidate in kept]
    if finer and not any(candidate.hot for candidate in kept) and _worth_a_closer_look(kept, refused, settings):
        closer = gather(photo.pixels, settings.closer_px, _part(kept, evidence, photo))
        clearer, _ = _by_lines(closer, sizes, settings)
        boards = _in_place(boards, clearer, closer, clearer=False)
    clear = any(candidate.vouched or candidate.clarity > settings.clear_score for candidate, _ in boards)
    if not clear and any(best.mean > LEAST_WARM for _, best in hot):  # what is bold the network sees as well
        farther = gather(photo.pixels, settings.farther_px)
        boards = _in_place(boards, _sure(farther, sizes, settings), farther, clearer=True)
    followed = (_grid(photo, its_evidence, candidate, settings) for candidate, its_evidence in boards)
    grids = [grid for grid in followed if grid]
    return Ruled(tuple(sorted(grids, key=lambda grid: sum(grid.crossings[0][0]))), tuple(stray), tuple(unsure))


def _sure(evidence: Evidence, sizes: Sequence[int], settings: RuledSettings) -> list[Candidate]:
    """Boards that lines alone show for sure: then one of the first seeds does."""
    boards, _ = _by_lines(evidence, sizes, replace(settings, most_seeds=settings.clear_seeds, spare_seeds=0))
    return [board for board in boards if board.is_sure(settings)]


def _in_place(boards: Sequence[Seen], others: Sequence[Candidate], evidence: Evidence, *, clearer: bool) -> list[Seen]:
    """Boards, and others seen in other evidence, instead of those that they overlap, if asked only where clearer."""
    kept, new = list(boards), list[Seen]()
    for other in others:
        rivals = [seen for seen in kept if _overlap(seen, (other, evidence))]
        if not (clearer and any(board.worth >= other.worth for board, _ in rivals)):
            kept = [seen for seen in kept if seen not in rivals]
            new.append((other, evidence))
    return [*kept, *new]


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
        choice = choose(evidence, lattice, (hot.window[1] - hot.window[0],))
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


def _grid(photo: Photo, evidence: Evidence, candidate: Candidate, settings: RuledSettings) -> GridFit | None:
    """Follow a grid's lines: its record in file px; None where they lead away from it."""
    window = candidate.choice.window
    corner, size = np.array([window[0], window[2]], np.float64), window[1] - window[0]
    closer = _close_up(photo, evidence, candidate, settings)

    def place(board: FloatArray) -> FloatArray:
        return closer.work_px(evidence.decoded_px(candidate.lattice(board + corner)))

    ruling = follow(closer, place, size, settings.hold if candidate.vouched else 0.0)
    lines = np.arange(size + 1.0)
    board = np.stack(np.meshgrid(lines, lines), -1)
    away = np.hypot(*np.moveaxis(ruling.crossings - place(board), -1, 0))
    if not away.max() < _LOST * settings.follow_cell_px:
        return None
    work = upright(ruling.crossings)
    crossings = _file_px(work, closer, photo)
    side_px = float(np.median(np.hypot(*np.moveaxis(np.diff(crossings, axis=1), -1, 0))))
    flags = []
    ends = np.array(photo.pixels.shape[1::-1]) - 0.5
    if np.any(closer.decoded_px(work) < -0.5) or np.any(closer.decoded_px(work) > ends):
        flags.append(Flag.CROPPED)
    if candidate.worth < settings.doubt_worth and candidate.choice.lead > settings.sure_lead:
        candidate = replace(candidate, closer_worth=worth_of(closer, fine_mesh(Mesh(ruling.crossings), size), size))
    doubtful = is_doubtful(candidate, ruling, settings)
    if doubtful:
        flags.append(Flag.GRID_UNCERTAIN)
    unsure = upright_cells(unsure_cells(candidate, ruling, settings), ruling.crossings)
    return GridFit(
        rows=size,
        cols=size,
        photo_from_board=plain_matrix(fit_homography(board.reshape(-1, 2), crossings.reshape(-1, 2))),
        crossings=tuple(plain_points(line) for line in crossings),
        error_px=ruling.error_cells * side_px,
        how="ruled",
        flags=tuple(flags),
        unsure=() if doubtful else marked_cells(unsure),
    )


_LOST = 5.0
"""So far from where a lattice has them crossings are those of no board, cells: where a board's corner bends away they
were up to 1.2 off, and right."""


def _close_up(photo: Photo, evidence: Evidence, candidate: Candidate, settings: RuledSettings) -> Evidence:
    """The evidence around a candidate, at a scale at which its cells have the same size in every photo fine enough."""
    quad = evidence.decoded_px(candidate.quad)
    margin = settings.follow_margin_cells * candidate.cell_px / evidence.scale
    room = np.array(photo.pixels.shape[1::-1])
    low = np.clip(quad.min(0) - margin, 0, room - 8).astype(int)
    high = np.clip(quad.max(0) + margin, low + 8, room).astype(int)
    scale = settings.follow_cell_px * evidence.scale / candidate.cell_px
    scale = min(scale, max(settings.follow_enlarged, evidence.scale))
    scale = min(
        scale,
        evidence.scale
        * settings.follow_pen_px
        / max(pen_px(evidence, candidate.lattice, candidate.choice.window), 1.0),
    )
    return gather(
        photo.pixels,
        int(np.prod((high - low) * scale)),
        (*low.tolist(), *high.tolist()),
        _paper(photo, evidence, candidate),
    )


def _paper(photo: Photo, evidence: Evidence, candidate: Candidate) -> FloatArray | None:
    """Colour of the paper beside the lines that are seen best, (3,) levels; None where stickers leave too little."""
    seen = look(evidence, candidate.lattice, candidate.choice.window, _LINE_REACH)
    clear = seen.ink >= np.percentile(seen.ink, _SEEN_WELL)
    beside = (seen.points + (seen.shift + _BESIDE_LINE * seen.cell_px)[..., None] * seen.normal)[clear]
    bare = beside[sample(evidence.stickers, beside[:, None])[:, 0] < _COVERED]
    if len(bare) < _LEAST_BARE:
        return None
    x, y = np.round(evidence.decoded_px(bare)).astype(np.intp).T
    height, width = photo.pixels.shape[:2]
    colours = photo.pixels[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)].astype(np.float64) + 1
    paper: FloatArray = np.exp(np.median(np.log(colours), axis=0))
    return paper


_LINE_REACH, _BESIDE_LINE = 0.15, 0.13
"""Where lines are looked for round their places, and how far beside them there is paper, cells."""
_COVERED, _LEAST_BARE = 0.1, 12
"""Share of a sticker from which a place is no paper, and places whose median is its colour."""
_SEEN_WELL = 60.0
"""Per cent of the samples of lines that are fainter than those beside which the paper is looked at."""


def _file_px(work: FloatArray, evidence: Evidence, photo: Photo) -> FloatArray:
    """Work pixels as pixels of the photo's file."""
    return (evidence.decoded_px(work) + 0.5) / photo.scale - 0.5
