"""A palette for one photo: the camera's, moved to what the colour key and the photo's own sure cells show.

And a doubt where a colour lies so far from all that the camera's palette has seen that it may be another one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from poradek_vision.cells.samples import Shown
from poradek_vision.colour import FloatArray, delta_e
from poradek_vision.model import Palette, PaletteEntry


@dataclass(frozen=True, slots=True)
class AdaptSettings:
    """Numbers of adaptation, each with its unit."""

    key_share: float = 0.3
    """Least share of a key box that must show its colour."""
    key_whole: bool = False
    """Whether a key counts only if every box shows its colour: where the paper may have none, and ground lies there."""
    key_delta: float = 25.0
    """Farthest that the key may lie from the palette's colour, delta E: beyond it the wrong sticker is in the box."""
    sure_share: float = 0.35
    """Least share of a cell that counts as sure."""
    sure_delta: float = 35.0
    """Farthest that a sure cell may lie from its colour, delta E."""
    sure_lead: float = 10.0
    """How much farther it must lie from every other colour, delta E."""
    key_weight: float = 6.0
    cells_most: float = 12.0
    prior_weight: float = 2.0
    """What the key, at most the cells, and the camera's palette count, in cells."""
    field_spread: tuple[float, float, float] = (4.5, 4.5, 4.5)
    """How far a photo's colours may lie from those of the card, per axis of CIELAB, in another place and light."""
    strange_widths: float = 4.5
    strange_cells: int = 2
    """A colour of which so many sure cells lie, in the middle, farther than this from what palette and key show, in
    standard deviations, is strange: on rendered boards 4.1 at most with a palette of the same phone or the default
    one, 5.3 and more with another phone's where stickers were misread."""

    def scaled(self, scale: float) -> AdaptSettings:
        """The same for stickers that show in so much less of their cells."""
        return replace(self, sure_share=scale * self.sure_share)


@dataclass(frozen=True, slots=True)
class Adapted:
    """A palette for one photo, and the colours in doubt, by their codes.

    Where one is strange to the camera's palette, so may all be that were not seen often enough to be sure of them.
    ``key`` has the CIELAB (3,) of the boxes that show their own colour, by their codes.
    """

    palette: Palette
    strange: frozenset[str]
    key: Mapping[str, FloatArray]


def adapt(palette: Palette, cells: Shown, key: Shown | None, settings: AdaptSettings) -> Adapted:
    """Move each colour of a palette to the mean of prior, key and sure cells.

    A colour that the photo does not show keeps its place. One that lies outside all that prior and key show is strange.

    Parameters
    ----------
    palette : Palette
    cells, key : Shown
        Of the board, and of the colour key's boxes in the palette's order; None where the sheet has none.
    settings : AdaptSettings
    """
    entries = []
    strange: set[str] = set()
    usual: set[str] = set()
    shown = _shown(palette, key, settings) if key is not None else {}
    sure = _sure(cells, palette, settings)
    for k, entry in enumerate(palette.entries):
        prior = np.array(entry.centre)
        means, weights = [prior], [settings.prior_weight]
        if k in shown:
            means.append(shown[k])
            weights.append(settings.key_weight)
        own = sure[k]
        if len(own) >= settings.strange_cells:
            far = _is_strange(np.median(own, axis=0), means, entry, settings)
            (strange if far else usual).add(entry.colour)
        if len(own):
            means.append(np.median(own, axis=0))
            weights.append(min(float(len(own)), settings.cells_most))
        lightness, a, b = np.average(means, axis=0, weights=weights).tolist()
        entries.append(replace(entry, centre=(lightness, a, b)))
    doubtful = {entry.colour for entry in entries} - usual if strange else set()
    key_of = {palette.entries[k].colour: lab for k, lab in shown.items()}
    return Adapted(replace(palette, entries=tuple(entries)), frozenset(doubtful), key_of)


def _shown(palette: Palette, key: Shown, settings: AdaptSettings) -> dict[int, FloatArray]:
    """CIELAB (3,) of the boxes of a key that show their own colour, by their places in the palette."""
    each = np.arange(len(palette.entries))
    seen = key.lab[each, 1 + each]
    near = delta_e(np.nan_to_num(seen), _centres(palette)) <= settings.key_delta
    shown: dict[int, FloatArray] = {
        k: np.asarray(seen[k], np.float64)
        for k in each.tolist()
        if key.share[k, 1 + k] >= settings.key_share and near[k]
    }
    if settings.key_whole and len(shown) < len(palette.entries):
        shown.clear()
    return shown


def _is_strange(seen: FloatArray, known: list[FloatArray], entry: PaletteEntry, settings: AdaptSettings) -> bool:
    """Whether a colour (3,) lies far from the places where it is known to lie.

    References
    ----------
    Mahalanobis, On the generalized distance in statistics, Proc. Nat. Inst. Sci. India 2 (1936).
    """
    spread = np.array(entry.spread) + np.diag(np.square(settings.field_spread))
    off = seen - np.array(known)
    squares = np.einsum("ij,jk,ik->i", off, np.linalg.inv(spread), off)
    return bool(squares.min() > settings.strange_widths**2)


def _sure(cells: Shown, palette: Palette, settings: AdaptSettings) -> list[FloatArray]:
    """CIELAB (M, 3) of the cells that surely show each colour."""
    share = cells.share[:, 1:]
    most = np.sort(share, axis=1)
    others = np.where(share == most[:, -1:], most[:, -2:-1] if share.shape[1] > 1 else 0.0, most[:, -1:])
    sure = (share >= settings.sure_share) & (others < _HARDLY) & (cells.odd[:, None] < _HARDLY)
    cell, colour = np.nonzero(sure)
    lab = cells.lab[cell, 1 + colour]
    apart = delta_e(lab[:, None], _centres(palette)[None])
    own = apart[np.arange(len(lab)), colour]
    nearest = np.where(np.arange(share.shape[1]) == colour[:, None], np.inf, apart).min(1, initial=np.inf)
    near = (own <= settings.sure_delta) & (nearest - own >= settings.sure_lead)
    return [lab[near & (colour == k)] for k in range(share.shape[1])]


_HARDLY = 0.1
"""Something else may show in less than this share of a sure cell's core."""


def _centres(palette: Palette) -> FloatArray:
    """CIELAB (colours, 3) of a palette's colours."""
    return np.array([entry.centre for entry in palette.entries])
