"""Lattices that may be boards: grown from cells, each with its best window, and told from tiles, forms and windows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.ruled.choice import Choice, choose
from poradek_vision.find.ruled.evidence import Evidence
from poradek_vision.find.ruled.growing import grow
from poradek_vision.find.ruled.lattice import Lattice, Window
from poradek_vision.find.ruled.seeds import Seed
from poradek_vision.geometry import FloatArray, polygon_area


@dataclass(frozen=True, slots=True)
class RuledSettings:
    """Numbers of finding hand-made grids; the shares and scores were set on 60 rendered photos and synthetic ones."""

    work_px: int = 750_000
    """Pixels of the picture that is searched: there a pencil line on a board across half the photo is one px wide."""
    farther_px: int = 200_000
    """Pixels of the picture in which lines as broad as a marker's are as thin as others at the usual size."""
    closer_px: int = 2_000_000
    """The same for a second look, where the first shows no board, or only cells too small to trust."""
    closer_enlarged: float = 2.0
    """But no picture that was enlarged by this already: there is nothing closer to be seen."""
    least_cell_px: float = 22.0
    """Side of the smallest trusted cell, px of the picture that is searched."""
    glance_cell_px: float = 32.0
    """Side of the smallest cell, px of the same picture, from which a finer photo would show no more: on 165 rendered
    boards crossings were the same with 24 as with 40, and no printed sheet with its fiducials unseen has such cells."""
    sheet_cell_px: float = 50.0
    """Side of cells, px of the same picture, from which a printed sheet's fiducials, 0.6 to 0.8 cells wide, would have
    been seen there: from 40 px on they are safe, also under soft focus."""
    follow_cell_px: float = 64.0
    """Side of a cell, px of the picture in which lines are followed: any pen is thin there, any pencil seen."""
    follow_enlarged: float = 1.3
    """But a photo is enlarged by this at most, unless it was to be searched: more shows nothing more."""
    follow_pen_px: float = 9.0
    """Nor so much that lines are broader than this there: such are taken for stickers in part."""
    follow_margin_cells: float = 0.7
    """What is looked at round a board then."""
    most_seeds: int = 4
    """Cells from which a lattice is grown that is not sure: of 164 rendered boards no fifth found one."""
    beside_seeds: int = 2
    """The same once one is: another board's cells are as clear as those of the first."""
    spare_seeds: int = 3
    """Cells tried beside those, like them, if no lattice is sure but one may be a board's."""
    clear_seeds: int = 2
    """Takes the place of ``most_seeds`` where only what is clear counts."""
    sure_worth: float = 0.4
    """So clear a lattice ends the search around it: pieces of line seen, less twice those half way between, and …"""
    sure_share: float = 0.05
    """… this share of its lead over the next best size or place."""
    sure_lead: float = 1.0
    """Least lead of such a lattice: part of a board that lies half in shade is clear, too, but leads by less."""
    sure_split: float = 0.1
    """Share of cells that hold several stickers each, below which it is sure: they may be twice as wide as the board's.
    """
    clear_score: float = 0.5
    """Lattices so well seen are known for what they are, board or not: no like cell in them is tried again, and the
    network does not gainsay them."""
    least_heat: float = 0.5
    """Mean heat of crossings and cells from which a lattice that the network sees is a board's."""
    least_heat_lead: float = 0.8
    """The same for its lead over the next best size or place, in crossings and cells per cell of a side."""
    sure_heat: float = 0.6
    sure_heat_lead: float = 1.8
    """The same from which the network vouches for a board whose lines are hidden: of 240 rendered boards none of those
    off by a line reaches either, of 20 wholly under stickers 17 reach both."""
    sure_cells: float = 0.06
    """Takes the place of ``doubt_cells`` then."""
    hold: float = 0.1
    """What each crossing of a lattice that the network saw counts for against a sample of a line clearly seen: the
    worst crossings of 16 boards wholly under stickers lie 0.10 cells off then, 0.20 without."""
    least_stuck: float = 0.6
    """Share of its cells with a sticker from which its lines need not be seen."""
    least_worth: float = 0.1
    """Lattices less clear than this are no board's."""
    least_seen: float = 0.25
    """Share of the pieces of line that must be seen."""
    most_beyond: float = 0.5
    """Lines that go on beyond two borders or more are tiles, windows or squared paper."""
    any_cells: bool = False
    """Whether a grid counts whatever its cells hold: who names a size asks for a grid, be it blank or filled in."""
    most_written: float = 0.3
    """Share of cells with writing in them, from which a grid without stickers is a puzzle or a form."""
    doubt_worth: float = 0.22
    """Less clear lattices are doubtful."""
    doubt_lead: float = 0.5
    """Below this lead two sizes or places fit alike."""
    doubt_outside: float = 0.4
    """Pieces of line seen outside the board, as a share of its own, from which it may be part of something larger …"""
    some_goes_on: float = 0.3
    some_beyond: float = 0.08
    """… if some of its own lines go on, or some pieces right beyond its border are seen: six of 436 rendered boards lie
    on cloth or boards with as many lines, and on 16 of 17 things that are no board with so many other doubts fall."""
    some_ended: float = 0.15
    """Share of the lines across each border that must be seen to end there to make pieces beyond it those of something
    else, as of a checked cloth: of three rendered boards found with a row too few none had any on one side."""
    closed_ended: float = 0.3
    """The same from which a board is all that there is, if hardly any line goes on and at no border more than end."""
    doubt_cells: float = 0.08
    """Largest standard error of a crossing that is trusted, the cells round others are in doubt: of 436 rendered boards
    eight have more, six of them with a crossing over 0.08 off."""
    lost_cells: float = 0.25
    """Standard error of a crossing from which it may be the next line's, by two of them."""
    doubt_beyond: float = 0.2
    """Lines that go on so far beyond two borders may be those of tiles, some of them covered."""
    doubt_rungs: float = -0.4
    """Outer rows whose lines across are so clearly missing at first sight may be none, unless they are seen later."""
    doubt_uneven: float = 1.48
    """Largest change, along a line, of the ratio of two cells' sides in a row: slant changes it little. Of 240 rendered
    boards found rightly one has more, of seven found wrongly five."""
    drawn_to_border: float = 0.5
    """How clearly the lines across every border must be seen up to it, or what share of them end at it: then its row
    is there, and as wide as it is."""
    most_uneven: float = 1.8
    """Takes the place of ``doubt_uneven`` then: paper that bends away made up to 1.61 of such boards."""
    doubt_goes_on: float = 0.6
    """Share of lines that go on beyond a border from which the board may be larger; ``some_goes_on``, where no more are
    seen to end there: of 237 rendered boards two of four such had been followed to the places of the next lines."""
    doubt_unseen: float = 0.6
    """Share of a line where paper shows in its place: the line lies elsewhere."""
    doubt_open_end: float = 0.75
    """Share of a border's first or last cell where paper shows in its place: on 240 rendered boards none that was right
    has more, and all but one that were off by a line. Where lines are seen to end all round, a sticker lies there."""
    guessed_open_end: float = 0.25
    """Takes the place of ``doubt_open_end`` where neither a border nor the lines' ends at it are seen: then no sticker
    hides it, it lies elsewhere."""
    doubt_beside: float = 0.06
    """Largest distance of a line that is seen from where it was fitted: 0.03 on boards that were right, 0.14 where a
    border had been drawn to the paper's edge. Inside a grid that is sure it is a fold, and twice as much is allowed."""
    most_missing: int = 1
    """Pieces of line that may be missing: one, where something washed out by glare lies on it."""
    uneven_missing: float = 1.25
    """Takes the place of ``doubt_uneven`` where pieces of line are missing: all miss some where a line was followed to
    the place of the next one, and are bent there."""
    doubt_restless: float = 0.1
    """How far a crossing may still move in the last turn of following, cells: of 171 rendered boards found rightly one
    has more."""
    doubt_error_cells: float = 0.011
    """Largest mean distance of the lines seen from where they were fitted."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A lattice and its best window."""

    lattice: Lattice
    choice: Choice
    hot: bool = False
    """Whether the network saw it clearly."""
    contested: bool = False
    """Whether lines alone said otherwise, if not for sure."""
    vouched: bool = False
    """Whether the network is sure of these very cells."""
    closer_worth: float = -np.inf
    """Its ``worth`` as seen from closer, where its lines were followed, if that was asked."""

    @property
    def worth(self) -> float:
        """Clear lines, none half way between, and nothing in the cells but stickers, one in each."""
        return self.clarity - 0.5 * self.choice.written - self.choice.split

    @property
    def clarity(self) -> float:
        """Clear lines, and none half way between."""
        return self.choice.score - 2 * self.choice.between

    @property
    def size(self) -> int:
        """Cells along a side."""
        return self.choice.window[1] - self.choice.window[0]

    @property
    def cell_px(self) -> float:
        """Mean side of a cell, work px."""
        return float(np.sqrt(abs(polygon_area(self.quad)))) / self.size

    @property
    def quad(self) -> FloatArray:
        """Corners of the window, (4, 2) work px."""
        return corners_of(self.lattice, self.choice.window)

    def is_sure(self, settings: RuledSettings) -> bool:
        """Whether no other lattice here can be better."""
        lead, split = self.choice.lead, self.choice.split
        clear = lead > settings.sure_lead and self.worth + settings.sure_share * lead > settings.sure_worth
        return clear and split < settings.sure_split

    def unexplained(self, seeds: list[Seed], settings: RuledSettings) -> list[Seed]:
        """The seeds that may lead to something new: not those in this, if it is sure or clear and has such cells."""
        if self.is_sure(settings):
            return [seed for seed, held in zip(seeds, self._hold(seeds), strict=True) if not held]
        if self.clarity < settings.clear_score or not seeds:
            return seeds
        return [seed for seed, same in zip(seeds, self.lattice.have_cell(seeds), strict=True) if not same]

    def holds(self, point: FloatArray) -> bool:
        """Whether a point (2,) lies in the window."""
        return lies_in(point, self.quad)

    def _hold(self, seeds: Sequence[Seed]) -> npt.NDArray[np.bool_]:
        """In which seeds (N) the cell's centre lies in the window."""
        quad = self.quad
        origin, along, down = (
            np.array([getattr(seed, name) for seed in seeds]) for name in ("origin", "along", "down")
        )
        away = (origin + (along + down) / 2).reshape(-1, 1, 2) - quad
        x, y = (np.roll(quad, -1, axis=0) - quad).T
        turn = x * away[..., 1] - y * away[..., 0]
        return np.asarray((turn > 0).all(1) | (turn < 0).all(1))

    def fits_elsewhere(self, settings: RuledSettings) -> bool:
        """Whether another size or place of the board fits about alike."""
        return self.choice.lead < settings.doubt_lead

    def same(self, other: Candidate) -> bool:
        """Whether both are the same cells: as many, and each corner of one is close to one of the other."""
        return self.same_cells(other.quad, other.choice.window)

    def same_cells(self, quad: FloatArray, window: Window) -> bool:
        """Whether a window of a lattice, with its corners (4, 2) work px, is of the same cells."""
        away = np.linalg.norm(self.quad[:, None] - quad, axis=-1).min(1).max()
        return self.size == window[1] - window[0] and bool(away < _SAME * self.cell_px)

    def overlaps(self, other: Candidate) -> bool:
        """Whether either's middle lies in the other."""
        return self.holds(other.quad.mean(0)) or other.holds(self.quad.mean(0))


_SAME = 0.5
"""Distance of corners up to which two windows are of the same cells, cells."""


def sift(
    candidates: Iterable[Candidate], evidence: Evidence, settings: RuledSettings
) -> tuple[list[Candidate], list[Candidate]]:
    """Boards, of those that overlap the clearest, and what was refused.

    One that has another size or place that fits alike comes after those that have none, however clear it is.
    """
    kept, refused = list[Candidate](), list[Candidate]()
    for candidate in sorted(candidates, key=lambda c: (c.fits_elsewhere(settings), -c.worth)):
        if not any(candidate.overlaps(other) for other in kept):
            (kept if is_board(candidate, evidence, settings) else refused).append(candidate)
    return kept, refused


def grow_candidates(
    evidence: Evidence, seeds: Iterable[Seed], sizes: Sequence[int], settings: RuledSettings
) -> Iterator[Candidate]:
    """Lattices grown from the best seeds that differ and repeat no known one; if none is sure, also from others."""
    tried, spare, known = list[Seed](), list[Seed](), list[Candidate]()
    in_vain = 0

    def candidates(left: list[Seed], most: int, *, differ: bool) -> Iterator[Candidate]:
        nonlocal in_vain
        while left and in_vain < most:
            seed = left.pop(0)
            if differ and any(seed.like(other) for other in tried):
                spare.append(seed)
                continue
            tried.append(seed)
            in_vain += 1
            lattice = grow(evidence, seed, most=max(sizes) + 4)
            choice = weigh(evidence, lattice, sizes, settings)
            if choice is not None:
                known.append(Candidate(lattice, choice))
                left = known[-1].unexplained(left, settings)
                if known[-1].is_sure(settings):
                    in_vain, most = 0, settings.beside_seeds
                yield known[-1]

    yield from candidates(list(seeds), settings.most_seeds, differ=True)
    if any(candidate.worth > 0 for candidate in known) and not any(candidate.is_sure(settings) for candidate in known):
        for candidate in known:
            spare = candidate.unexplained(spare, settings)
        yield from candidates(spare, settings.most_seeds + settings.spare_seeds, differ=False)


def weigh(evidence: Evidence, lattice: Lattice, sizes: Sequence[int], settings: RuledSettings) -> Choice | None:
    """What :func:`choose` says; writing in cells does not count where any may be in them."""
    choice = choose(evidence, lattice, sizes)
    return replace(choice, written=0.0) if choice is not None and settings.any_cells else choice


def lies_in(point: FloatArray, outline: FloatArray) -> bool:
    """Whether a point (2,) lies in an outline (N, 2)."""
    return cv2.pointPolygonTest(outline.astype(np.float32), point.tolist(), measureDist=False) > 0


def corners_of(lattice: Lattice, window: Window) -> FloatArray:
    """Corners of a window, (4, 2) work px."""
    u0, u1, v0, v1 = window
    return lattice(np.array([[u0, v0], [u1, v0], [u1, v1], [u0, v1]], np.float64))


def is_board(candidate: Candidate, evidence: Evidence, settings: RuledSettings) -> bool:
    """Whether lines may be those of a board."""
    choice = candidate.choice
    tiles = not evidence.drawing and _at_edge(candidate, evidence)
    if choice.stickers == 0 and not settings.any_cells and (choice.written > settings.most_written or tiles):
        return False
    clear = candidate.worth > settings.least_worth and choice.share_seen > settings.least_seen
    hidden = candidate.hot and choice.stickers > settings.least_stuck * candidate.size**2
    return (clear or hidden) and choice.beyond < settings.most_beyond


def _at_edge(candidate: Candidate, evidence: Evidence) -> bool:
    """Whether half a cell beyond two corners or more the photo ends: tiles go on there."""
    u0, u1, v0, v1 = candidate.choice.window
    beyond = np.array([[u0 - 0.5, v0 - 0.5], [u1 + 0.5, v0 - 0.5], [u1 + 0.5, v1 + 0.5], [u0 - 0.5, v1 + 0.5]])
    points = candidate.lattice(beyond)
    return int(np.sum(np.any((points < 0) | (points > np.array(evidence.size) - 1), axis=1))) >= 2
