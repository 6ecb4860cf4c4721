"""What a cell shows, decided from its samples: a colour or empty paper, how surely, and every doubt there is."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from poradek_vision.cells.samples import TRACE, Samples
from poradek_vision.cells.shades import SampleSettings, differences
from poradek_vision.cells.sizes import COMPACT
from poradek_vision.colour import BoolArray, FloatArray, lab_from_reflectance, reflectance_from_lab
from poradek_vision.model import EMPTY, CellReading, Flag, Lab, Palette


@dataclass(frozen=True, slots=True)
class JudgingSettings:
    """Numbers of deciding what a cell shows, each with its unit."""

    empty_share: float = 0.12
    """A core that shows less colour than this is empty: neighbours reach in by at most 0.16 (rendered photos)."""
    sticker_share: float = 0.28
    """A core that shows more than this has a sticker: the smallest and worst placed cover 0.36 (rendered photos)."""
    pale_weight: float = 0.5
    """What is neither paper nor a colour counts so much against a sticker: where light changes over a cell, paper has
    every tint between white and one that looks like a colour; stickers end at their edges."""
    rim_cells: float = 0.28
    """Colour whose middle lies farther than this from the cell's, towards a neighbour with a sticker of that colour, is
    that sticker's and counts half: neighbours' are at 0.31 and farther, a cell's own within 0.25 (rendered photos)."""
    rival_share: float = 0.5
    """A second colour that shows more than this share of the first one makes the cell doubtful."""
    sure_margin: float = 8.0
    """Least margin, delta E."""
    most_veil: float = 0.3
    pure_share: float = 0.9
    """Under a thicker veil of gloss than this a colour is a guess, unless nearly all that is coloured shows it and
    nothing has clipped."""
    off_delta: float = 16.0
    """A sticker farther than this from its colour in the palette of the photo, delta E, may be something else: of
    1,851 on rendered photos 99.5 % lie within 13."""
    odd_share: float = 0.3
    dark_share: float = 0.45
    hidden_share: float = 0.4
    pale_share: float = 0.15
    inked_share: float = 0.4
    """Shares of the core from which on something odd, what is black, what is not seen, what is neither paper nor a
    colour, or what is written on a sticker makes the cell doubtful: a printed code fills 0.3 of it."""
    lifted: float = 1.25
    lifted_share: float = 0.05
    """Where the paper in an empty core is brighter than the rim lets expect by the first, a fleck of sun or a glare on
    a sticker, the second takes the place of ``pale_share``: of 31 such empty cells 29 show less than 0.02."""
    least_solid: float = 0.35
    """Share of a sticker's samples that lie among their like: 0.5 and more in the smallest stickers, crosses and rings
    drawn by pen in an empty cell have 0.2 at most (rendered photos)."""
    least_lump: float = 0.78
    """How near together a sticker lies at least, as :attr:`Samples.lump`: of 3,749 on rendered and path-traced photos
    99.9 % have more than 0.81, bands as wide as a pencil, 0.3 of a cell, at most 0.76, half a square has 0.76."""
    print_share: tuple[float, float] = (0.04, 0.25)
    print_size: float = 0.15
    print_outline: float = 0.82
    print_stickers: int = 3
    print_of_all: float = 0.75
    """Holes that fill such a share of an outline are print, as white disks, stars and smiles are, if the sticker fills
    so much of its cell and its outline is so compact, and at least so many, and this share of all the board's
    stickers, have the like: stickers come from one sheet. Of those printed on rendered photos nearly all have 0.07 to
    0.25, 0.24 and 0.84; rings drawn by a pen a tenth of a cell broad have holes of 0.27 and more."""
    glare_share: float = 0.04
    shine_share: float = 0.3
    """Share of an empty core that may be brighter than paper, where a trace of colour shows and where none does."""
    clipped_share: float = 0.3
    towards_white: tuple[float, ...] = (0.33, 0.67, 1.0)
    """A channel that has clipped in such a share of a sticker may have been brighter, at most as white paper: a blue
    sticker on brown paper that a camera took for white. How far that way colours are tried, in steps of the log."""
    clipped_reflectance: float = 0.8
    """Only a channel that reflects less than this may have been much brighter."""
    clipped_lift: float = 1.15
    """An empty core that has clipped may be a pale sticker where it is brighter by this than the rim lets expect, and
    its light does not go on over a line."""
    astride_each: float = 0.15
    astride_both: float = 0.42
    """How far the colour of two neighbouring cells leans towards their common border, each and together, in cells, from
    which on it may be one sticker: in halves on both sides, stickers of 0.6 to 1.05 cells lean by 0.35 to 0.24 each."""
    strange_tint: tuple[float, float] = (5.0, 9.5)
    even_rim: float = 0.55
    """Chroma of the paper in an empty cell against sun and shade mixed to its brightness, and against what the rim near
    by lets expect, the smaller of the two. By the first alone 99.7 % of 2,800 empty cells of rendered photos lie within
    8.3; four of five stickers that looked empty, in a fleck of sun or under a flash, beyond 10.9. The lower where the
    rim has at least this share of its light in its darkest part: of 635 empty cells on such boards, drawn in lights of
    all colours, all lie within 3.6, stickers under a glare at 7 and 8."""
    most_ripple: float = 0.2
    """How far light may vary, as :attr:`Samples.ripple`, in an empty cell of such a board that is no darker than the
    rim lets expect or shows what is neither paper nor a colour: of 216 empty cells of path-traced photos 99 % lie
    within 0.15, stickers that a flash has washed out from 0.23 to 0.6."""
    trust: tuple[tuple[float, float], ...] = (
        (0.0, 0.6), (6.0, 0.9), (10.0, 0.99), (14.0, 0.992), (18.0, 0.999), (22.5, 0.9994), (27.5, 0.9998)
    )  # fmt: skip
    trust_empty: tuple[tuple[float, float], ...] = ((18.0, 0.87), (27.5, 0.9), (35.0, 0.99), (45.0, 0.9998))
    trust_doubtful: float = 0.88
    """Share of right cells by margin, of stickers and of empty cells, and the most that a flagged cell gets: measured
    on 8,206 cells of 380 rendered boards, more than half of them hard, 119 of the scenes twice under two white
    balances, by ``tests/benchmarks/confidence.py``."""
    most_island: float = 0.12
    """How far the middle of an empty cell may stand out against its sides, as :attr:`Samples.island`: on 70 rendered
    boards about one in 400 empty cells does, and most faded stickers that looked empty did."""
    most_doubtful: float = 0.5
    few_empty: int = 4
    """Where more than this share of at least so many cells that look empty is in doubt, none of them is sure: of 34
    such hard boards that were drawn two had stickers, five in all, among the others."""
    dark_light: float = 0.004
    """Paper darker than this (linear) has drowned in noise."""

    def scaled(self, scale: float) -> JudgingSettings:
        """The same for stickers that show in so much less of their cells."""
        return replace(self, empty_share=scale * self.empty_share, sticker_share=scale * self.sticker_share)


def judge(
    samples: Samples, cols: int, palette: Palette, how: SampleSettings, settings: JudgingSettings
) -> tuple[CellReading, ...]:
    """Decide each cell from its samples.

    Parameters
    ----------
    samples : Samples
        Of all cells, row by row.
    cols : int
    palette : Palette
        The one that the samples were taken with.
    how : SampleSettings
        Those that they were taken with.
    settings : JudgingSettings
    """
    codes = (EMPTY, *(entry.colour for entry in palette.entries))
    each = np.arange(len(samples.share))
    first = 1 + samples.share[:, 1:].argmax(1)
    lab = samples.lab[each, first]
    brighter = _may_be_brighter(lab, samples, settings)
    apart, veil = _apart(lab, brighter, samples, palette, how, settings)
    present = samples.share[:, 1:].sum(1) * np.where(_reached_into(samples, cols, settings), _REACHED, 1.0)
    stuck = present - settings.pale_weight * samples.pale > (settings.empty_share + settings.sticker_share) / 2
    best = np.where(stuck, np.where(brighter.any(1), 1 + apart[:, 1:].argmin(1), first), 0)
    behind = np.where(stuck[:, None], apart, -samples.share)
    behind[each, best] = np.inf
    rival = behind.argmin(1)
    margin = np.where(stuck, apart[each, rival] - apart[each, best], _empty_margin(present, settings))
    doubts = _doubts(samples, best, present, margin, apart[each, best], veil[each, best], settings)
    doubts[Flag.UNEVEN_CORE] |= _astride(samples.centre[each, first], best, cols, settings)
    shares = confidence(stuck, margin, np.any(list(doubts.values()), axis=0), settings)
    told = (best == first) & ~brighter.any(1)
    return tuple(
        CellReading(
            *divmod(k, cols), codes[best[k]], "", float(margin[k]), codes[rival[k]], float(shares[k]), flags,
            plain_lab(lab[k]) if told[k] else None,
        )
        for k, flags in enumerate(_flags_of_each(doubts))
    )  # fmt: skip


def plain_lab(lab: FloatArray) -> Lab:
    """CIELAB (3,) as a record holds it, to two digits."""
    lightness, a, b = lab.round(2).tolist()
    return lightness, a, b


def _flags_of_each(doubts: Mapping[Flag, BoolArray]) -> Iterator[tuple[Flag, ...]]:
    """The flags of every cell."""
    for cell in zip(*(doubtful.tolist() for doubtful in doubts.values()), strict=True):
        yield tuple(itertools.compress(doubts, cell))


def confidence(stuck: BoolArray, margin: FloatArray, doubtful: BoolArray, settings: JudgingSettings) -> FloatArray:
    """Share of cells with such margins that are right, of those with a sticker and of empty ones.

    Parameters
    ----------
    stuck : ndarray of shape (N,), bool
        Which cells have a sticker.
    margin : ndarray of shape (N,)
        Delta E; of empty cells on the scale of :func:`_empty_margin`.
    doubtful : ndarray of shape (N,), bool
        Which cells bear a flag.
    settings : JudgingSettings

    Returns
    -------
    ndarray of shape (N,)
        0 to 1.
    """
    with_sticker, empty = (
        np.interp(margin, *np.transpose(points)) for points in (settings.trust, settings.trust_empty)
    )
    share = np.round(np.where(stuck, with_sticker, empty), 4)
    trusted: FloatArray = np.where(doubtful, np.minimum(share, settings.trust_doubtful), share)
    return trusted


def _may_be_brighter(lab: FloatArray, samples: Samples, settings: JudgingSettings) -> BoolArray:
    """Which channels (N, 3) of stickers' colours, CIELAB (N, 3), have clipped far below white paper's."""
    clipped: BoolArray = samples.overflown > settings.clipped_share
    dim = reflectance_from_lab(np.nan_to_num(lab)) < settings.clipped_reflectance
    return clipped & dim & ~np.isnan(lab)


def _apart(
    lab: FloatArray,
    brighter: BoolArray,
    samples: Samples,
    palette: Palette,
    how: SampleSettings,
    settings: JudgingSettings,
) -> tuple[FloatArray, FloatArray]:
    """How far colours, CIELAB (N, 3), are from paper and each colour, (N, 1 + colours), and under which veil.

    Channels that may have been brighter, (N, 3), are tried as such, each by itself: the nearest such colour counts, of
    the right colour and of its rivals alike, so that what clipping leaves open has no margin.
    """
    apart, veil = differences(np.nan_to_num(lab), palette, how, samples.stock)
    steps = np.array(list(itertools.product((0.0, *settings.towards_white), repeat=3)))[1:]
    for channels in np.unique(brighter[brighter.any(1)], axis=0):
        some = np.flatnonzero((brighter == channels).all(1))
        ways = steps[~steps[:, ~channels].any(1)]
        seen = np.maximum(reflectance_from_lab(lab[some]), TRACE)
        tried = lab_from_reflectance(seen[:, None] ** (1 - ways)).reshape(-1, 3)
        more, _ = differences(tried, palette, how, samples.stock)
        nearest = more.reshape(len(some), len(ways), -1).min(1)
        apart[some, 1:] = np.minimum(apart[some, 1:], nearest[:, 1:])
    return apart, veil


def _astride(centre: FloatArray, best: npt.NDArray[np.intp], cols: int, settings: JudgingSettings) -> BoolArray:
    """Cells (N,) that may share one sticker: neighbours of one colour, each with its colour on the side of the other.

    ``centre`` (N, 2): the middle of the colour in each cell, from the cell's own; ``best`` (N,): the class of each.
    """
    found = np.zeros((len(best) // cols, cols), bool)
    leaning, colour = centre.reshape(*found.shape, 2), best.reshape(found.shape)
    for axis, before, after in (
        (0, np.s_[:, :-1], np.s_[:, 1:]),
        (1, np.s_[:-1], np.s_[1:]),
    ):
        here, there = leaning[before][..., axis], -leaning[after][..., axis]
        shared = (np.minimum(here, there) > settings.astride_each) & (here + there > settings.astride_both)
        shared &= (colour[before] > 0) & (colour[before] == colour[after])
        found[before] |= shared
        found[after] |= shared
    return found.ravel()


_REACHED = 0.5
"""What a neighbour's sticker that reaches into a cell counts for there."""


def _reached_into(samples: Samples, cols: int, settings: JudgingSettings) -> BoolArray:
    """In which cells (N,) all colour lies at the rim, towards neighbours whose stickers have that colour."""
    share, centre = samples.share[:, 1:], samples.centre[:, 1:]
    row, col = np.divmod(np.arange(len(share)), cols)
    down = np.abs(centre[..., 1]) > np.abs(centre[..., 0])
    off = np.where(down, centre[..., 1], centre[..., 0])
    step = np.sign(off).astype(np.intp)
    there_row, there_col = row[:, None] + step * down, col[:, None] + step * ~down
    on_board = (there_row >= 0) & (there_row < len(share) // cols) & (there_col >= 0) & (there_col < cols)
    there = np.where(on_board, there_row * cols + there_col, 0)
    theirs = on_board & (share[there, np.arange(share.shape[1])] >= settings.sticker_share)
    reached: BoolArray = np.all((share <= TRACE) | (theirs & (np.abs(off) >= settings.rim_cells)), axis=1)
    return reached


def _empty_margin(present: FloatArray, settings: JudgingSettings) -> FloatArray:
    """How far empty cells (N,) are from having a sticker, on the scale of delta E, by the colour they show (N,)."""
    return 50.0 * (1 - present / settings.sticker_share)


def _doubts(
    samples: Samples,
    best: npt.NDArray[np.intp],
    present: FloatArray,
    margin: FloatArray,
    off: FloatArray,
    veil: FloatArray,
    settings: JudgingSettings,
) -> dict[Flag, BoolArray]:
    """Which cells (N,) bear each flag."""
    stuck = best > 0
    ranked = np.sort(samples.share[:, 1:], axis=1)[:, ::-1]
    second = ranked[:, 1] if ranked.shape[1] > 1 else np.zeros(len(best))
    each = np.arange(len(best))
    own, solid, compact = (shown[each, best] for shown in (samples.share, samples.solid, samples.compact))
    clipped = samples.overflown.max(1) > settings.clipped_share
    glossy = (veil > settings.most_veil) & (clipped | (own < settings.pure_share * present))
    shining = samples.glare > np.where(present > TRACE, settings.glare_share, settings.shine_share)
    uneven = (second > settings.rival_share * ranked[:, 0]) | (samples.pale - samples.blurred > settings.pale_share)
    printed = have_prints(samples, stuck, settings)
    in_pieces = (solid < settings.least_solid) & (compact < COMPACT) & ~printed
    uneven |= (samples.inked > settings.inked_share) | in_pieces
    uneven |= (samples.lump < settings.least_lump) & ~printed
    most_traces = np.where(samples.lift > settings.lifted, settings.lifted_share, settings.pale_share)
    even = samples.rim > settings.even_rim
    strange = settings.strange_tint[0 if even else 1]
    tint = np.minimum(samples.tint, samples.hue)  # a lamp may be as bright as the window beside it
    traces = (tint > strange) | (samples.pale + samples.inked > most_traces)
    traces |= samples.island > settings.most_island
    shining |= even & (samples.ripple > settings.most_ripple) & ((samples.lift > 1) | (samples.pale > TRACE))
    return {
        Flag.HIDDEN: samples.hidden > settings.hidden_share,
        Flag.TOO_DARK: samples.light < settings.dark_light,
        Flag.GLARE: np.where(stuck, glossy, shining),
        Flag.UNEVEN_CORE: (stuck & uneven) | ((present > settings.empty_share) & (present < settings.sticker_share)),
        Flag.LOW_MARGIN: np.where(stuck, margin < settings.sure_margin, traces),
        Flag.OFF_PALETTE: (samples.odd > settings.odd_share)
        | (samples.dark > settings.dark_share)
        | (stuck & (off > settings.off_delta)),
    }


def have_prints(samples: Samples, stuck: BoolArray, settings: JudgingSettings) -> BoolArray:
    """Which stickers have holes as others of the board do, of print in white: one alone may be torn.

    Parameters
    ----------
    samples : Samples
        Of all N cells.
    stuck : ndarray of shape (N,), bool
        Which have a sticker.
    settings : JudgingSettings

    Returns
    -------
    ndarray of shape (N,), bool
    """
    least, most = settings.print_share
    holed = stuck & (samples.holes >= least) & (samples.holes <= most)
    holed &= (samples.size >= settings.print_size) & (samples.outline >= settings.print_outline)
    alike = holed.sum() >= max(settings.print_stickers, settings.print_of_all * stuck.sum())
    return holed if alike else np.zeros_like(holed)


def lifted(cells: Sequence[CellReading], samples: Samples, settings: JudgingSettings) -> BoolArray:
    """Which empty cells (N,) have clipped and are brighter than the rim lets expect: by sun, or glare on a sticker."""
    empty = np.array([cell.colour == EMPTY for cell in cells])
    clipped = samples.clipped.max(1) > settings.clipped_share
    bright: BoolArray = empty & clipped & (samples.lift > settings.clipped_lift)
    return bright


def in_doubtful_company(cells: Sequence[CellReading], settings: JudgingSettings) -> BoolArray:
    """Which sure cells (N,) look empty, as others do of which most are in doubt: haze lies on all, or all has faded.

    What is hidden tells nothing of that.
    """
    empty = np.array([cell.colour == EMPTY and Flag.HIDDEN not in cell.flags for cell in cells])
    sure = np.array([not cell.flags for cell in cells]) & empty
    count = int(empty.sum())
    most = count >= settings.few_empty and sure.sum() < (1 - settings.most_doubtful) * count
    return sure if most else np.zeros_like(sure)


def doubted(
    cells: tuple[CellReading, ...], doubtful: Sequence[bool], flag: Flag, settings: JudgingSettings
) -> tuple[CellReading, ...]:
    """Readings, some of which bear one more flag.

    Parameters
    ----------
    cells : tuple of CellReading
    doubtful : sequence of bool
        Of each cell, whether it is to bear the flag.
    flag : Flag
    settings : JudgingSettings
    """
    return tuple(
        replace(
            cell,
            flags=tuple(dict.fromkeys((*cell.flags, flag))),
            confidence=min(cell.confidence, settings.trust_doubtful),
        )
        if doubt
        else cell
        for cell, doubt in zip(cells, doubtful, strict=True)
    )
