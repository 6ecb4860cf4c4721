"""A second look at the cells of a batch: what one board leaves in doubt, all boards of its camera may decide.

A board with one or two stickers of a colour says little about it; all that one camera took say a lot. Nothing here
looks at a photo: this goes from readings to readings, whatever their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from poradek_vision.cells.batch_colours import BatchSettings, JudgedBoard, Known, learn_together
from poradek_vision.cells.judging import JudgingSettings, confidence
from poradek_vision.cells.shades import SampleSettings, differences
from poradek_vision.colour import FloatArray, delta_e
from poradek_vision.model import EMPTY, CellReading, Flag, Palette


def judge_together(
    boards: Sequence[JudgedBoard],
    palette: Palette,
    how: SampleSettings,
    judging: JudgingSettings,
    settings: BatchSettings,
) -> tuple[tuple[CellReading, ...], ...]:
    """Judge the cells of boards again that one camera took, each by what all the others show.

    1. Where each colour lies on each board, by what the others show and with what it shows itself.
    2. A sticker in doubt by its colour alone is decided if one colour leads by both, with all that is not known counted
       against it. Where the light was strange, the colour must lie where its palette says, and at no other's place.
    3. A sure one that would have another colour by the others, with all that is not known counted for it, is in doubt.
       No sure cell changes its colour.

    Parameters
    ----------
    boards : sequence of JudgedBoard
        On white paper.
    palette : Palette
        The camera's, with the game's colours.
    how : SampleSettings
    judging : JudgingSettings
    settings : BatchSettings

    Returns
    -------
    tuple of tuple of CellReading
        The cells of each board, most of them as they were.
    """
    others, own = learn_together(boards, palette, settings)
    bench = _Bench(palette, how, judging, settings)
    return tuple(_judged(cells, others.of(k), own.of(k), bench) for k, (_, cells) in enumerate(boards))


@dataclass(frozen=True, slots=True)
class _Bench:
    """What cells are judged by, besides what is known of a board's colours."""

    palette: Palette
    how: SampleSettings
    judging: JudgingSettings
    settings: BatchSettings

    @property
    def codes(self) -> tuple[str, ...]:
        """The classes that a cell may have: paper first, then the palette's colours."""
        return (EMPTY, *(entry.colour for entry in self.palette.entries))

    def apart(self, lab: FloatArray, known: Known) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Delta E of colours (N, 3) to each class, (N, 1 + colours), how unsure that is, and the veil there."""
        centres = [(float(x), float(y), float(z)) for x, y, z in known.centres]
        entries = zip(self.palette.entries, centres, strict=True)
        moved = replace(self.palette, entries=tuple(replace(entry, centre=centre) for entry, centre in entries))
        far, veil = differences(lab, moved, self.how)
        return far, self.settings.widths * np.concatenate([[0.0], known.deviations]), veil


_OF_COLOUR = frozenset({Flag.LOW_MARGIN, Flag.OFF_PALETTE, Flag.STRANGE_LIGHT})
"""Doubts that more knowledge of the colours can settle."""


def _judged(cells: tuple[CellReading, ...], others: Known, own: Known, bench: _Bench) -> tuple[CellReading, ...]:
    """The cells of one board after the second look."""
    doubts = [set(cell.flags) - {Flag.OWNER_UNCLEAR} for cell in cells]
    sure = [k for k, cell in enumerate(cells) if cell.lab is not None and not doubts[k]]
    open_ = [k for k, cell in enumerate(cells) if cell.lab is not None and doubts[k] and doubts[k] <= _OF_COLOUR]
    result = list(cells)
    for k, cell in zip(sure, _questioned([cells[k] for k in sure], others, bench), strict=True):
        result[k] = cell
    for k, cell in zip(open_, _decided([cells[k] for k in open_], others, own, bench), strict=True):
        result[k] = cell
    return tuple(result)


def _questioned(cells: Sequence[CellReading], others: Known, bench: _Bench) -> list[CellReading]:
    """Sure cells; in doubt where the other boards say that they have another colour."""
    far, unsure, _ = bench.apart(np.array([cell.lab for cell in cells]).reshape(-1, 3), others)
    trust = bench.judging.trust_doubtful
    return [
        replace(
            cell,
            second=bench.codes[int(apart.argmin())],
            flags=(*cell.flags, Flag.UNLIKE_OTHERS),
            confidence=min(cell.confidence, trust),
        )
        if (apart - unsure)[bench.codes.index(cell.colour)] > apart.min()
        else cell
        for cell, apart in zip(cells, far, strict=True)
    ]


def _decided(cells: Sequence[CellReading], others: Known, own: Known, bench: _Bench) -> list[CellReading]:
    """Cells in doubt by their colour; decided where both what others show and the board's own leave none."""
    lab, judging = np.array([cell.lab for cell in cells]).reshape(-1, 3), bench.judging
    by_others = bench.apart(lab, others)[0].argmin(1)
    apart, unsure, veil = bench.apart(lab, own)
    in_place = _in_place(own, bench)
    result = list(cells)
    for k, cell in enumerate(cells):
        best = int(apart[k].argmin())
        rivals = np.where(np.arange(len(unsure)) == best, np.inf, apart[k] - unsure)
        lead = float(rivals.min() - apart[k, best])
        if (
            best > 0
            and best == by_others[k]
            and others.deviations[best - 1] <= bench.settings.known_deviation
            and lead >= judging.sure_margin
            and apart[k, best] <= (bench.settings.like_others if Flag.OFF_PALETTE in cell.flags else judging.off_delta)
            and veil[k, best] <= judging.most_veil
            and (Flag.STRANGE_LIGHT not in cell.flags or bench.codes[best] in in_place)
        ):
            result[k] = _closed(cell, bench.codes[best], bench.codes[int(rivals.argmin())], lead, judging)
    return result


def _in_place(known: Known, bench: _Bench) -> frozenset[str]:
    """The colours, by their codes, that lie so near to their places in the palette that they can't be each other's."""
    prior = np.array([entry.centre for entry in bench.palette.entries])
    apart = delta_e(known.centres[:, None], prior)
    nearest = np.where(np.eye(len(prior), dtype=bool), np.inf, apart).min(1, initial=np.inf)
    near = np.diag(apart) < bench.settings.near * nearest
    return frozenset(code for code, fits in zip(bench.codes[1:], near, strict=True) if fits)


def _closed(cell: CellReading, colour: str, second: str, margin: float, judging: JudgingSettings) -> CellReading:
    """A cell whose colour the batch decided; its owner stays in doubt if it was."""
    flags = tuple(flag for flag in cell.flags if flag is Flag.OWNER_UNCLEAR)
    share = float(confidence(np.array([True]), np.array([margin]), np.array([bool(flags)]), judging)[0])
    return replace(cell, colour=colour, second=second, margin=margin, flags=flags, confidence=share, by_batch=True)
