"""Grids ruled by hand: found by their lines, grown from one cell, refused where they are no board's.

Frames: *index* coordinates of a lattice (cells, the seed's corner at (0, 0)), *board* cells, and *work* pixels of the
reduced picture that is searched; only what leaves this folder is in file pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from poradek_vision.find.ruled.choice import Choice, choose
from poradek_vision.find.ruled.evidence import Evidence, Part, gather
from poradek_vision.find.ruled.heat_lattice import hot_lattices
from poradek_vision.find.ruled.lattice import Lattice, Window, grow, look
from poradek_vision.find.ruled.refine import follow
from poradek_vision.find.ruled.seeds import Seed, find_seeds, sample
from poradek_vision.geometry import FloatArray, fit_homography, plain_matrix, plain_points, polygon_area
from poradek_vision.model import Flag, GridFit, Photo, Point

__all__ = ["Ruled", "RuledSettings", "find_ruled"]


@dataclass(frozen=True, slots=True)
class RuledSettings:
    """Numbers of finding hand-made grids; the shares and scores were set on 60 rendered photos and synthetic ones."""

    work_px: int = 750_000
    """Pixels of the picture that is searched: there a pencil line on a board across half the photo is one px wide."""
    closer_px: int = 2_000_000
    """The same for a second look, where the first shows no board, or only cells too small to trust."""
    least_cell_px: float = 22.0
    """Side of the smallest trusted cell, px of the picture that is searched."""
    follow_cell_px: float = 64.0
    """Side of a cell, px of the picture in which lines are followed: any pen is thin there, any pencil seen."""
    follow_margin_cells: float = 0.7
    """What is looked at round a board then."""
    most_seeds: int = 6
    """Cells from which a grid is grown."""
    spare_seeds: int = 4
    """Cells tried beside those, like them, if no lattice is sure but one may be a board's."""
    sure_worth: float = 0.4
    """So clear a lattice ends the search around it: pieces of line seen, less twice those half way between, and …"""
    sure_share: float = 0.05
    """… this share of its lead over the next best size or place."""
    clear_score: float = 0.5
    """Lattices so well seen are known for what they are, board or not: no like cell in them is tried again."""
    least_heat: float = 0.5
    """Mean heat of crossings and cells from which a lattice that the network sees is a board's."""
    least_heat_lead: float = 0.8
    """The same for its lead over the next best size or place, in crossings and cells per cell of a side."""
    least_stuck: float = 0.6
    """Share of its cells with a sticker from which its lines need not be seen."""
    least_worth: float = 0.1
    """Lattices less clear than this are no board's."""
    least_seen: float = 0.25
    """Share of the pieces of line that must be seen."""
    most_beyond: float = 0.5
    """Lines that go on beyond two borders or more are tiles, windows or squared paper."""
    most_written: float = 0.3
    """Share of cells with writing in them, from which a grid without stickers is a puzzle or a form."""
    doubt_worth: float = 0.22
    """Less clear lattices are doubtful."""
    doubt_lead: float = 0.5
    """Below this lead two sizes or places fit alike."""
    doubt_outside: float = 0.4
    """Pieces of line seen outside the board, as a share of its own, from which it may be part of something larger."""
    doubt_cells: float = 0.052
    """Largest standard error of a crossing that is trusted; one in a hundred grids followed well exceeds it."""
    doubt_beyond: float = 0.2
    """Lines that go on so far beyond two borders may be those of tiles, some of them covered."""
    doubt_rungs: float = -0.4
    """Outer rows whose lines across are so clearly missing may be none."""
    doubt_uneven: float = 1.38
    """Largest ratio of two cells' sides in a row: slant and curl leave 1.37 at most on 180 rendered boards but one."""
    doubt_goes_on: float = 0.6
    """Share of lines that go on beyond a border from which the board may be larger."""
    doubt_unseen: float = 0.6
    """Share of a line where paper shows in its place: the line lies elsewhere."""
    doubt_error_cells: float = 0.011
    """Largest mean distance of the lines seen from where they were fitted."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """What came of a photo's lines: grids found, and quads (file px) of lattices that were no board's."""

    grids: tuple[GridFit, ...]
    candidates: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A lattice and its best window."""

    lattice: Lattice
    choice: Choice
    hot: bool = False
    """Whether the network saw it clearly."""
    contested: bool = False
    """Whether lines alone said otherwise, if not for sure."""

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
        return _corners(self.lattice, self.choice.window)

    def is_sure(self, settings: RuledSettings) -> bool:
        """Whether no other lattice here can be better."""
        lead = self.choice.lead
        return lead > settings.doubt_lead and self.worth + settings.sure_share * lead > settings.sure_worth

    def unexplained(self, seeds: list[Seed], settings: RuledSettings) -> list[Seed]:
        """The seeds that may lead to something new: not those in this, if it is sure or clear and has such cells."""
        if self.is_sure(settings):
            return [seed for seed in seeds if not self.holds(seed.middle)]
        if self.clarity < settings.clear_score or not seeds:
            return seeds
        return [seed for seed, same in zip(seeds, self.lattice.have_cell(seeds), strict=True) if not same]

    def holds(self, point: FloatArray) -> bool:
        """Whether a point (2,) lies in the window."""
        return cv2.pointPolygonTest(self.quad.astype(np.float32), point.tolist(), measureDist=False) > 0

    def same(self, other: Candidate) -> bool:
        """Whether both are the same cells: as many, and each corner of one is close to one of the other."""
        away = np.linalg.norm(self.quad[:, None] - other.quad, axis=-1).min(1).max()
        return self.size == other.size and bool(away < _SAME * self.cell_px)

    def overlaps(self, other: Candidate) -> bool:
        """Whether either's middle lies in the other."""
        return self.holds(other.quad.mean(0)) or other.holds(self.quad.mean(0))


_SAME = 0.5
"""Distance of corners up to which two windows are of the same cells, cells."""


def find_ruled(photo: Photo, sizes: Sequence[int], settings: RuledSettings) -> Ruled:
    """Every hand-made grid in a photo.

    1. ``evidence``: thin dark lines and stickers, at about 0.75 megapixels.
    2. ``candidates``: lattices grown from the most promising cells, each with its best N × N window.
    3. Those that are no board's are refused; of those that overlap the clearest stays.
    4. ``hot``: where one is not sure, or there is none, those that a small network sees, also under stickers.
    5. The lines of the others are followed: curl, lens and the wobble of a hand.

    Parameters
    ----------
    photo : Photo
    sizes : sequence of int
        Sides that a board may have, in cells.
    settings : RuledSettings

    Returns
    -------
    Ruled
        Grids from the photo's top left to its bottom right, each from its own top left as seen in the photo; which
        side is really up is not known here. A grid for which two sizes or places fit about as well carries
        ``Flag.GRID_UNCERTAIN``.
    """
    evidence = gather(photo.pixels, settings.work_px)
    kept, refused = _sift(grow_candidates(evidence, find_seeds(evidence), sizes, settings), evidence, settings)
    stray = [plain_points(_file_px(candidate.quad, evidence, photo)) for candidate in refused]
    if not kept or not all(candidate.is_sure(settings) for candidate in kept):
        kept = _with_hot(kept, _hot_candidates(photo, evidence, sizes, settings))
    if not any(candidate.hot for candidate in kept) and _worth_a_closer_look(kept, refused, settings):
        closer = gather(photo.pixels, settings.closer_px, _part(kept, evidence, photo))
        clearer, _ = _sift(grow_candidates(closer, find_seeds(closer), sizes, settings), closer, settings)
        kept, evidence = (clearer, closer) if clearer else (kept, evidence)
    grids = [_grid(photo, evidence, candidate, settings) for candidate in kept]
    return Ruled(tuple(sorted(grids, key=lambda grid: sum(grid.crossings[0][0]))), tuple(stray))


def _hot_candidates(photo: Photo, evidence: Evidence, sizes: Sequence[int], settings: RuledSettings) -> list[Candidate]:
    """Boards that the network sees clearly and whose lines do not speak for other cells, the hottest first."""
    found = []
    for lattice, hot in hot_lattices(photo.pixels, evidence, sizes):
        choice = choose(evidence, lattice, (hot.window[1] - hot.window[0],))
        clear = hot.mean > settings.least_heat and hot.lead > settings.least_heat_lead
        if clear and choice is not None and choice.window == hot.window:
            found.append((hot.lead, Candidate(lattice, choice, hot=True)))
    found.sort(key=lambda entry: -entry[0])
    return [candidate for _, candidate in found if _is_board(candidate, evidence, settings)]


def _with_hot(kept: list[Candidate], hot: list[Candidate]) -> list[Candidate]:
    """Boards found by their lines, and those that the network saw, in place of such as it gainsays."""
    for candidate in hot:
        rivals = [other for other in kept if candidate.overlaps(other)]
        if not any(other.hot or other.same(candidate) for other in rivals):
            others = [other for other in kept if not candidate.overlaps(other)]
            kept = [*others, replace(candidate, contested=bool(rivals))]
    return kept


def _worth_a_closer_look(kept: list[Candidate], refused: list[Candidate], settings: RuledSettings) -> bool:
    """Whether cells are too small to trust, or nothing was clearly seen, not even lines that are no board's."""
    if kept:
        return min(candidate.cell_px for candidate in kept) < settings.least_cell_px
    return not any(c.clarity > settings.clear_score and c.cell_px > settings.least_cell_px for c in refused)


def _part(kept: list[Candidate], evidence: Evidence, photo: Photo) -> Part | None:
    """The part of the photo round what was found, with a margin of half of it; None for the whole."""
    if not kept:
        return None
    points = evidence.decoded_px(np.concatenate([_corners(c.lattice, c.lattice.window) for c in kept]))
    low, high = points.min(0), points.max(0)
    margin = (high - low) / 2
    left, top = np.maximum(low - margin, 0).astype(int).tolist()
    right, bottom = np.minimum(high + margin, photo.pixels.shape[1::-1]).astype(int).tolist()
    return left, top, right, bottom


def _sift(
    candidates: Iterable[Candidate], evidence: Evidence, settings: RuledSettings
) -> tuple[list[Candidate], list[Candidate]]:
    """Boards, of those that overlap the clearest, and what was refused."""
    kept, refused = list[Candidate](), list[Candidate]()
    for candidate in sorted(candidates, key=lambda c: -c.worth):
        if not any(candidate.overlaps(other) for other in kept):
            (kept if _is_board(candidate, evidence, settings) else refused).append(candidate)
    return kept, refused


def grow_candidates(
    evidence: Evidence, seeds: Iterable[Seed], sizes: Sequence[int], settings: RuledSettings
) -> Iterator[Candidate]:
    """Lattices grown from the best seeds that differ and repeat no known one; if none is sure, also from others."""
    tried, spare, known = list[Seed](), list[Seed](), list[Candidate]()

    def candidates(left: list[Seed], most: int) -> Iterator[Candidate]:
        while left and len(tried) < most:
            seed = left.pop(0)
            if most == settings.most_seeds and any(seed.like(other) for other in tried):
                spare.append(seed)
                continue
            tried.append(seed)
            lattice = grow(evidence, seed, most=max(sizes) + 4)
            choice = choose(evidence, lattice, sizes)
            if choice is not None:
                known.append(Candidate(lattice, choice))
                left = known[-1].unexplained(left, settings)
                yield known[-1]

    yield from candidates(list(seeds), settings.most_seeds)
    if any(candidate.worth > 0 for candidate in known) and not any(candidate.is_sure(settings) for candidate in known):
        for candidate in known:
            spare = candidate.unexplained(spare, settings)
        yield from candidates(spare, settings.most_seeds + settings.spare_seeds)


def _corners(lattice: Lattice, window: Window) -> FloatArray:
    """Corners of a window, (4, 2) work px."""
    u0, u1, v0, v1 = window
    return lattice(np.array([[u0, v0], [u1, v0], [u1, v1], [u0, v1]], np.float64))


def _is_board(candidate: Candidate, evidence: Evidence, settings: RuledSettings) -> bool:
    """Whether lines may be those of a board."""
    choice = candidate.choice
    tiles = not evidence.drawing and _at_edge(candidate, evidence)
    if choice.stickers == 0 and (choice.written > settings.most_written or tiles):
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


def _grid(photo: Photo, evidence: Evidence, candidate: Candidate, settings: RuledSettings) -> GridFit:
    """Follow a grid's lines: its record in file px."""
    window = candidate.choice.window
    corner, size = np.array([window[0], window[2]], np.float64), window[1] - window[0]
    closer = _close_up(photo, evidence, candidate, settings)

    def place(board: FloatArray) -> FloatArray:
        return closer.work_px(evidence.decoded_px(candidate.lattice(board + corner)))

    ruling = follow(closer, place, size)
    work = upright(ruling.crossings)
    crossings = _file_px(work, closer, photo)
    lines = np.arange(size + 1.0)
    board = np.stack(np.meshgrid(lines, lines), -1).reshape(-1, 2)
    side_px = float(np.median(np.hypot(*np.moveaxis(np.diff(crossings, axis=1), -1, 0))))
    flags = []
    ends = np.array(photo.pixels.shape[1::-1]) - 0.5
    if np.any(closer.decoded_px(work) < -0.5) or np.any(closer.decoded_px(work) > ends):
        flags.append(Flag.CROPPED)
    choice = candidate.choice
    if (
        candidate.contested
        or candidate.worth < settings.doubt_worth
        or choice.lead < settings.doubt_lead
        or choice.outside > settings.doubt_outside
        or choice.beyond > settings.doubt_beyond
        or choice.rungs < settings.doubt_rungs
        or ruling.unsure_cells > settings.doubt_cells
        or ruling.error_cells > settings.doubt_error_cells
        or ruling.goes_on > settings.doubt_goes_on
        or ruling.unseen > settings.doubt_unseen
        or unevenness(crossings) > settings.doubt_uneven
    ):
        flags.append(Flag.GRID_UNCERTAIN)
    return GridFit(
        rows=size,
        cols=size,
        photo_from_board=plain_matrix(fit_homography(board, crossings.reshape(-1, 2))),
        crossings=tuple(plain_points(line) for line in crossings),
        error_px=ruling.error_cells * side_px,
        how="ruled",
        flags=tuple(flags),
    )


def _close_up(photo: Photo, evidence: Evidence, candidate: Candidate, settings: RuledSettings) -> Evidence:
    """The evidence around a candidate, at a scale at which its cells have the same size in every photo."""
    quad = evidence.decoded_px(candidate.quad)
    margin = settings.follow_margin_cells * candidate.cell_px / evidence.scale
    room = np.array(photo.pixels.shape[1::-1])
    low = np.clip(quad.min(0) - margin, 0, room - 8).astype(int)
    high = np.clip(quad.max(0) + margin, low + 8, room).astype(int)
    scale = settings.follow_cell_px * evidence.scale / candidate.cell_px
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


def unevenness(crossings: FloatArray) -> float:
    """The largest ratio of two sides of cells (n, n, 2) that follow each other on a line.

    A border taken from something beside it leaves one row of cells too wide.

    Examples
    --------
    >>> x, y = np.meshgrid([0.0, 1.0, 2.0, 3.5], np.arange(4.0))
    >>> round(unevenness(np.stack([x, y], -1)), 9)
    1.5
    """
    sides = [np.hypot(*np.moveaxis(np.diff(crossings, axis=axis), -1, 0)) for axis in (0, 1)]
    steps = [np.diff(np.log(np.maximum(side, 1e-9)), axis=axis) for axis, side in enumerate(sides)]
    return float(np.exp(max(np.abs(step).max() for step in steps)))


def upright(crossings: FloatArray) -> FloatArray:
    """Crossings (n, n, 2) turned, and mirrored if need be, to begin at the grid's top left as seen in the picture.

    Examples
    --------
    >>> upright(np.array([[[0.0, 1.0], [0.0, 0.0]], [[1.0, 1.0], [1.0, 0.0]]]))[0].tolist()
    [[0.0, 0.0], [1.0, 0.0]]
    """
    if polygon_area([crossings[0, 0], crossings[0, -1], crossings[-1, -1], crossings[-1, 0]]) < 0:
        crossings = crossings.transpose(1, 0, 2)
    turns = [np.rot90(crossings, k) for k in range(4)]
    best: FloatArray = max(turns, key=lambda c: float((c[0, -1] - c[0, 0] + c[-1, -1] - c[-1, 0])[0]))
    return best


def _file_px(work: FloatArray, evidence: Evidence, photo: Photo) -> FloatArray:
    """Work pixels as pixels of the photo's file."""
    return (evidence.decoded_px(work) + 0.5) / photo.scale - 0.5
