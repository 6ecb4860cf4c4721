"""What a cell shows, decided from its samples: a colour or empty paper, how surely, and every doubt there is."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from poradek_vision.cells.samples import Samples, SampleSettings, differences
from poradek_vision.colour import FloatArray, lab_from_reflectance, reflectance_from_lab
from poradek_vision.model import EMPTY, CellReading, Flag, Palette


@dataclass(frozen=True, slots=True)
class JudgingSettings:
    """Numbers of deciding what a cell shows, each with its unit."""

    empty_share: float = 0.12
    """A core that shows less colour than this is empty: neighbours reach in by at most 0.16 (rendered photos)."""
    sticker_share: float = 0.28
    """A core that shows more than this has a sticker: the smallest and worst placed cover 0.36 (rendered photos)."""
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
    hidden_share: float = 0.4
    pale_share: float = 0.15
    inked_share: float = 0.4
    """Shares of the core from which on something odd, what is not seen, what is neither paper nor a colour, or what is
    written on a sticker makes the cell doubtful: a printed code fills 0.3 of it."""
    lifted: float = 1.25
    lifted_share: float = 0.05
    """Where the paper in an empty core is brighter than the rim lets expect by the first, a fleck of sun or a glare on
    a sticker, the second takes the place of ``pale_share``: of 31 such empty cells 29 show less than 0.02."""
    glare_share: float = 0.04
    shine_share: float = 0.3
    """Share of an empty core that may be brighter than paper, where a trace of colour shows and where none does."""
    clipped_share: float = 0.3
    towards_white: tuple[float, ...] = (0.33, 0.67, 1.0)
    """A channel that has clipped in such a share of the core may have been brighter, at most as white paper: a blue
    sticker on brown paper that a camera took for white. How far that way colours are tried, in steps of the log."""
    clipped_reflectance: float = 0.8
    """Only a channel that reflects less than this may have been much brighter."""
    clipped_lift: float = 1.15
    """An empty core that has clipped may be a pale sticker where it is brighter by this than the rim lets expect: of
    2,413 such cells of rendered photos one was empty, four bore a sticker."""
    astride_each: float = 0.15
    astride_both: float = 0.42
    """How far the colour of two neighbouring cells leans towards their common border, each and together, in cells, from
    which on it may be one sticker: in halves on both sides, stickers of 0.6 to 1.05 cells lean by 0.35 to 0.24 each."""
    strange_tint: float = 9.5
    """Chroma of the paper in an empty cell against sun and shade mixed to its brightness: of 2,800 empty cells of
    rendered photos 99.7 % lie within 8.3; four of five stickers that looked empty, in a fleck of sun or under a flash,
    lay beyond 10.9."""
    trust: tuple[tuple[float, float], ...] = (
        (0.0, 0.6), (6.0, 0.9), (10.0, 0.99), (14.0, 0.992), (18.0, 0.999), (22.5, 0.9994), (27.5, 0.9998)
    )  # fmt: skip
    trust_empty: tuple[tuple[float, float], ...] = ((18.0, 0.87), (27.5, 0.9), (35.0, 0.99), (45.0, 0.9998))
    trust_doubtful: float = 0.88
    """Share of right cells by margin, of stickers and of empty cells, and the most that a flagged cell gets: measured
    on 8,206 cells of 380 rendered boards, more than half of them hard, 119 of the scenes twice under two white
    balances, by ``tests/benchmarks/confidence.py``."""
    dark_light: float = 0.004
    """Paper darker than this (linear) has drowned in noise."""


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
    settings : CellSettings
    """
    codes = (EMPTY, *(entry.colour for entry in palette.entries))
    colours = samples.share[:, 1:]
    first = colours.argmax(1)
    each = range(len(first))
    lab = samples.lab[each, 1 + first]
    brighter = _may_be_brighter(lab, samples, settings)
    apart, veil = _apart(lab, brighter, samples, palette, how, settings)
    readings = []
    for k in each:
        present = float(colours[k].sum()) * (_REACHED if _is_reached_into(samples, k, cols, settings) else 1.0)
        likeliest = int(apart[k, 1:].argmin() if brighter[k].any() else first[k])
        best = likeliest + 1 if present > (settings.empty_share + settings.sticker_share) / 2 else 0
        order = np.argsort(apart[k]) if best else np.argsort(-samples.share[k], kind="stable")
        rival = int(order[order != best][0])
        margin = float(apart[k, rival] - apart[k, best]) if best else _empty_margin(present, settings)
        if best and brighter[k].sum() > 1:  # two clipped channels tell no hue
            margin = 0.0
        flags = _doubts(samples, k, best, present, margin, float(apart[k, best]), float(veil[k, best]), settings)
        row, col = divmod(k, cols)
        readings.append(CellReading(row, col, codes[best], "", margin, codes[rival], 0.0, flags))
    astride = _astride(samples.centre[each, 1 + first], tuple(reading.colour for reading in readings), cols, settings)
    return tuple(_trusted(reading, k in astride, settings) for k, reading in enumerate(readings))


def _trusted(reading: CellReading, astride: bool, settings: JudgingSettings) -> CellReading:
    """A reading with its last flag and its confidence."""
    flags = tuple(dict.fromkeys((*reading.flags, Flag.UNEVEN_CORE))) if astride else reading.flags
    margins, shares = zip(*(settings.trust_empty if reading.colour == EMPTY else settings.trust), strict=True)
    share = round(float(np.interp(reading.margin, margins, shares)), 4)
    return replace(reading, flags=flags, confidence=min(share, settings.trust_doubtful) if flags else share)


def _may_be_brighter(lab: FloatArray, samples: Samples, settings: JudgingSettings) -> npt.NDArray[np.bool_]:
    """Which channels (N, 3) of stickers' colours, CIELAB (N, 3), have clipped far below white paper's."""
    clipped: npt.NDArray[np.bool_] = samples.clipped > settings.clipped_share
    dim = reflectance_from_lab(np.nan_to_num(lab)) < settings.clipped_reflectance
    return clipped & dim & ~np.isnan(lab)


def _apart(
    lab: FloatArray,
    brighter: npt.NDArray[np.bool_],
    samples: Samples,
    palette: Palette,
    how: SampleSettings,
    settings: JudgingSettings,
) -> tuple[FloatArray, FloatArray]:
    """How far colours, CIELAB (N, 3), are from paper and each colour, (N, 1 + colours), and under which veil.

    Channels that may have been brighter, (N, 3), are tried as such, one or all: the nearest such colour counts.
    """
    apart, veil = differences(np.nan_to_num(lab), palette, how, samples.stock)
    some = np.flatnonzero(brighter.any(1))
    seen = np.maximum(reflectance_from_lab(lab[some]), _TRACE)
    for way, channels in itertools.product(settings.towards_white if len(some) else (), _CHANNELS):
        reflectance = np.where(brighter[some] & channels, seen ** (1 - way), seen)
        more, _ = differences(lab_from_reflectance(reflectance), palette, how, samples.stock)
        apart[some, 1:] = np.minimum(apart[some, 1:], more[:, 1:])
    return apart, veil


_CHANNELS = np.array([[True, True, True], *np.eye(3, dtype=bool)])
"""Channels that may have been brighter: all that clipped, or one of them."""


def _astride(centre: FloatArray, colours: tuple[str, ...], cols: int, settings: JudgingSettings) -> set[int]:
    """Cells that may share one sticker: neighbours of one colour, each with its colour on the side of the other."""
    found: set[int] = set()
    for k, colour in enumerate(colours):
        for axis, other in ((0, k + 1 if (k + 1) % cols else len(colours)), (1, k + cols)):
            if other >= len(colours) or colour == EMPTY or colours[other] != colour:
                continue
            here, there = float(centre[k, axis]), -float(centre[other, axis])
            if min(here, there) > settings.astride_each and here + there > settings.astride_both:
                found |= {k, other}
    return found


_TRACE = 0.02
"""Share of a core that is no chance."""
_REACHED = 0.5
"""What a neighbour's sticker that reaches into a cell counts for there."""


def _is_reached_into(samples: Samples, k: int, cols: int, settings: JudgingSettings) -> bool:
    """Whether all colour in a cell lies at its rim, towards neighbours whose stickers have that colour."""
    rows, (row, col) = len(samples.share) // cols, divmod(k, cols)
    for colour in np.flatnonzero(samples.share[k, 1:] > _TRACE) + 1:
        centre = samples.centre[k, colour]
        axis = int(np.abs(centre).argmax())
        step = int(np.sign(centre[axis]))
        there = (row + step * (axis == 1), col + step * (axis == 0))
        if abs(centre[axis]) < settings.rim_cells or not (0 <= there[0] < rows and 0 <= there[1] < cols):
            return False
        if samples.share[there[0] * cols + there[1], colour] < settings.sticker_share:
            return False
    return True


def _empty_margin(present: float, settings: JudgingSettings) -> float:
    """How far an empty cell is from having a sticker, on the scale of delta E."""
    return 50.0 * (1 - present / settings.sticker_share)


def _doubts(
    samples: Samples,
    k: int,
    best: int,
    present: float,
    margin: float,
    off: float,
    veil: float,
    settings: JudgingSettings,
) -> tuple[Flag, ...]:
    """The flags of one cell."""
    colours: FloatArray = np.sort(samples.share[k, 1:])[::-1]
    second = float(colours[1]) if len(colours) > 1 else 0.0
    clipped = samples.clipped[k].max() > settings.clipped_share
    doubts = {
        Flag.HIDDEN: samples.hidden[k] > settings.hidden_share,
        Flag.TOO_DARK: samples.light[k] < settings.dark_light,
        Flag.GLARE: veil > settings.most_veil and (clipped or samples.share[k, best] < settings.pure_share * present)
        if best
        else samples.glare[k] > (settings.glare_share if present > _TRACE else settings.shine_share)
        or (clipped and samples.lift[k] > settings.clipped_lift),
        Flag.UNEVEN_CORE: settings.empty_share < present < settings.sticker_share
        or (best > 0 and second > settings.rival_share * float(colours[0]))
        or (best > 0 and (samples.pale[k] > settings.pale_share or samples.inked[k] > settings.inked_share)),
        Flag.LOW_MARGIN: margin < settings.sure_margin
        if best
        else samples.tint[k] > settings.strange_tint
        or samples.pale[k] + samples.inked[k]
        > (settings.lifted_share if samples.lift[k] > settings.lifted else settings.pale_share),
        Flag.OFF_PALETTE: samples.odd[k] > settings.odd_share or (best > 0 and off > settings.off_delta),
    }
    return tuple(flag for flag, doubtful in doubts.items() if doubtful)


def doubted(
    cells: tuple[CellReading, ...], doubtful: Sequence[bool], flag: Flag, settings: JudgingSettings
) -> tuple[CellReading, ...]:
    """Readings, some of which bear one more flag."""
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
