"""Stickers whose colour is known, on the card or on a reviewed board: what they look like, which not to learn from.

Nothing is taken for granted about the colours themselves: what in a cell is not paper is its sticker, and a row's
colour is what most of its stickers agree on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from poradek_vision.cells.patches import Patches
from poradek_vision.cells.shades import SampleSettings, distances
from poradek_vision.colour import BoolArray, FloatArray, delta_e, lab_from_reflectance, reflectance_from_lab
from poradek_vision.model import KnownCell, Lab, Palette


@dataclass(frozen=True, slots=True)
class CardSettings:
    """Numbers of learning from known stickers, each with its unit."""

    paper_delta: float = 12.0
    """What lies farther than this from paper, in any shade, shows a sticker; CIELAB with half the lightness."""
    least_share: float = 0.15
    """Least share of a cell's core that shows a sticker: with less it counts as empty."""
    alike_delta: float = 16.0
    """Samples of one sticker lie within this of their median, CIELAB with half the lightness."""
    least_alike: float = 0.6
    """Least share of a sticker's samples that must be alike."""
    hidden_share: float = 0.3
    """Share of a core outside the photo, from which on nothing is learned from it."""
    dark_light: float = 0.004
    """Paper darker than this (linear) has drowned in noise."""
    kin_delta: float = 9.0
    """Stickers of one colour in one photo lie within this of each other, delta E."""
    veils: tuple[float, float] = (0.1, 0.7)
    """Least and largest share of white light that glare lays over a sticker; what is further from its row is odd."""
    lead_delta: float = 12.0
    """So much better, in delta E, a row must fit another colour of the game than its own, to have been swapped."""


def known_cells(
    patches: Patches,
    codes: Sequence[str],
    cols: int,
    prior: Palette,
    samples: SampleSettings,
    settings: CardSettings,
) -> tuple[KnownCell, ...]:
    """What each cell of a board shows whose colours are known, and which cells not to learn from.

    1. Each cell by itself: what is not paper is its sticker; empty, uneven, hidden and dark ones are put aside.
    2. Each colour: the stickers that most of its cells agree on stay.
    3. What is left over of a colour is glare, another colour of the card, or odd.

    Parameters
    ----------
    patches : Patches
        Of all cells, row by row.
    codes : sequence of str
        The colour that each cell has, ``"."`` for cells to leave out.
    cols : int
        Cells in a row of the board.
    prior : Palette
        What the colours roughly look like: decides where stickers of a row are equally divided.
    samples : SampleSettings
    settings : CardSettings
    """
    known = {entry.colour for entry in prior.entries}
    lone = [_lone(patches, k, code, cols, prior, samples, settings) for k, code in enumerate(codes) if code in known]
    centres = {
        entry.colour: _agreed([cell.lab for cell in lone if _fits(cell, entry.colour)], entry.centre, settings)
        for entry in prior.entries
        if any(_fits(cell, entry.colour) for cell in lone)
    }
    return tuple(_judged(lone, centres, settings))


def _fits(cell: KnownCell, colour: str) -> bool:
    return cell.colour == colour and not cell.fault


def _lone(
    patches: Patches, k: int, code: str, cols: int, prior: Palette, samples: SampleSettings, settings: CardSettings
) -> KnownCell:
    """One cell by itself."""
    row, col = divmod(k, cols)
    weight = patches.window * ~(patches.ink[k] & patches.inside[k])
    seen = weight * patches.inside[k]
    cell = KnownCell(row, col, code, (0.0, 0.0, 0.0))
    if seen.sum() < (1 - settings.hidden_share) * weight.sum():
        return replace(cell, fault="hidden")
    if patches.white[k].mean() < settings.dark_light:
        return replace(cell, fault="dark")
    sticker = (seen > 0) & (distances(patches.lab[k], prior, samples, patches.stock)[:, 0] > settings.paper_delta)
    if seen[sticker].sum() < settings.least_share * seen.sum():
        return replace(cell, fault="empty")
    lab = patches.lab[k][sticker]
    apart = np.linalg.norm((lab - np.median(lab, axis=0)) * [samples.lightness_weight, 1, 1], axis=1)
    alike = apart <= settings.alike_delta
    lightness, a, b = lab[alike].mean(0).round(3).tolist() if alike.any() else np.median(lab, axis=0).tolist()
    even = seen[sticker][alike].sum() >= settings.least_alike * seen[sticker].sum()
    return replace(cell, lab=(lightness, a, b), fault="" if even else "uneven")


def _agreed(labs: Sequence[Lab], prior: Lab, how: CardSettings) -> FloatArray:
    """The colour (3,) that explains most stickers, as they are or under glare.

    Glare may lie over more stickers than it leaves free, but the free ones explain it and it does not explain them. Of
    two colours that explain equally many the one counts that is nearer to what was expected.
    """
    lab = np.array(labs)
    kin = delta_e(lab[:, None], lab[None]) <= how.kin_delta
    explained = kin | np.array([_veiled(lab, pure, how) for pure in lab])
    order = np.lexsort((delta_e(lab, prior), -kin.sum(1), -explained.sum(1)))
    agreed: FloatArray = np.median(lab[kin[order[0]]], axis=0)
    return agreed


def _judged(
    cells: Sequence[KnownCell], centres: Mapping[str, FloatArray], settings: CardSettings
) -> Iterator[KnownCell]:
    """The cells with what is wrong with them compared with the others of their colour, and with other colours."""
    labs, codes = np.array([cell.lab for cell in cells]).reshape(-1, 1, 3), tuple(centres)
    apart = delta_e(labs, np.array(list(centres.values())).reshape(1, -1, 3))
    for cell, off in zip(cells, apart, strict=True):
        if cell.fault or off[codes.index(cell.colour)] <= settings.kin_delta:
            yield cell
        elif off.min() <= settings.kin_delta:
            yield replace(cell, fault="other", looks=codes[int(off.argmin())])
        else:
            glare = _veiled(np.array([cell.lab]), centres[cell.colour], settings)[0]
            yield replace(cell, fault="glare" if glare else "odd")


def _veiled(lab: FloatArray, pure: FloatArray, settings: CardSettings) -> BoolArray:
    """Which stickers (N, 3) are a colour (3,) under a veil of white light."""
    veils = np.linspace(*settings.veils, 8)[:, None]
    veiled = lab_from_reflectance(reflectance_from_lab(pure) * (1 - veils) + veils)
    near: BoolArray = delta_e(lab[:, None], veiled).min(-1) <= settings.kin_delta
    return near


def swapped_rows(cells: Sequence[KnownCell], prior: Palette, settings: CardSettings) -> tuple[tuple[str, str], ...]:
    """Colours whose stickers stand in each other's rows, as (row, what its stickers look like).

    Two rows are swapped if each of them fits the other's colour in ``prior`` far better than its own.

    Parameters
    ----------
    cells : sequence of KnownCell
        Of one card.
    prior : Palette
        What the colours are expected to look like.
    settings : CardSettings
    """
    expected = {entry.colour: entry.centre for entry in prior.entries}
    seen = {code: [cell.lab for cell in cells if _fits(cell, code)] for code in expected}
    centres = {code: np.median(labs, axis=0) for code, labs in seen.items() if labs}
    off = {
        (row, other): float(delta_e(centre, expected[other])) for row, centre in centres.items() for other in centres
    }
    return tuple(
        (row, other)
        for row, other in off
        if off[row, other] + settings.lead_delta < off[row, row]
        and off[other, row] + settings.lead_delta < off[other, other]
    )
