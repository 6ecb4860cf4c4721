"""What speaks for each code at a place, and whether that is enough to say whose it is."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.code_inks import CodeInks, greyness, rims_of
from poradek_vision.mark.code_layouts import IDS, TURNS
from poradek_vision.mark.code_places import Fits, Indices, Look, light_free, responses, targets
from poradek_vision.mark.pictures import Float32Array, FloatArray, U8Array, usual_of_kind


@dataclass(frozen=True, slots=True, eq=False)
class CodeEvidence:
    """What speaks for each code on each sticker.

    Attributes
    ----------
    nats : ndarray of shape (N, count + 1)
        How much likelier the ink is by each code than by none, as a logarithm; the last column is that of the best code
        that the game does not have, 0 where there is none.
    likeness : ndarray of shape (N,)
        Correlation with the best code of all.
    unrest : ndarray of shape (N,)
        How much that code leaves unexplained, against what is usual for its colour.
    strangeness : ndarray of shape (N,)
        How much farther than usual the strangest part of what surrounds a code is from its sticker's colour, in
        distances to grey.
    typical : float
        The likeness of a typical code of the board.
    shared : ndarray of shape (N,), bool
        Whether another sticker's code was found at the same place.
    """

    nats: FloatArray
    likeness: FloatArray
    unrest: FloatArray
    strangeness: FloatArray
    typical: float
    shared: npt.NDArray[np.bool_]

    @property
    def leads(self) -> FloatArray:
        """How far the best team leads before the next, (N,)."""
        ranked = np.sort(self.nats[:, :-1], axis=1)
        return np.asarray(ranked[:, -1] - (ranked[:, -2] if ranked.shape[1] > 1 else 0.0), np.float64)

    @property
    def foreign_leads(self) -> FloatArray:
        """How far the best team leads before all codes that the game does not have, (N,)."""
        return np.asarray(self.nats[:, :-1].max(1) - self.nats[:, -1], np.float64)

    def against(self, at: Indices, other: CodeEvidence) -> CodeEvidence:
        """What is known, with what speaks for other codes at other places of some stickers, where that is more."""
        nats = self.nats.copy()
        nats[at, -1] = np.maximum(nats[at, -1], other.nats[at, -1])
        return replace(self, nats=nats)


def weigh(look: Look, inks: CodeInks, places: FloatArray, pixels: U8Array) -> CodeEvidence:
    """What speaks for all codes at the places of stickers.

    What the best code leaves unexplained is noise. A sticker's own is taken for no less than what is usual for its
    colour, or one that a chance pattern explains well would be trusted.

    Parameters
    ----------
    look : Look
        At the pictures of ink, with the codes of the game.
    inks : CodeInks
    places : ndarray of shape (N, 4)
        In those pictures.
    pixels : ndarray of shape (h, w, 3), uint8
        Of the board.
    """
    count, look = look.count, replace(look, count=IDS)
    samples = light_free(look, places[:, None])
    strengths = responses(look, samples, places[:, 3])[:, 0]
    found = strengths.reshape(len(places), TURNS, IDS).max(1).clip(0) ** 2
    total, explained = (samples[:, 0] ** 2).sum(-1), found.max(-1)
    noise = np.maximum((total - explained) / samples.shape[-1], _LEAST_NOISE)
    usual = usual_of_kind(noise, inks.picture)
    repetition = _repetition(_rest(look, samples[:, 0], strengths, places))
    nats = found / (2 * np.sqrt(usual * np.maximum(noise, usual)) * repetition)[:, None]
    others = nats[:, count:].max(1, initial=0.0)
    likeness = np.sqrt(explained / np.maximum(total, 1.0)).astype(np.float64)
    return CodeEvidence(
        nats=np.column_stack([nats[:, :count], others]).astype(np.float64),
        likeness=likeness,
        unrest=(noise / usual).astype(np.float64),
        strangeness=_strangeness(pixels, inks.onto_board(places), inks.picture),
        typical=float(np.median(likeness)),
        shared=_shared(inks.onto_board(places)),
    )


def _shared(places: FloatArray) -> npt.NDArray[np.bool_]:
    """Which places (N, 4) of the board have another nearer than half a code's side."""
    apart = np.hypot(*(places[:, None, :2] - places[None, :, :2]).T)
    np.fill_diagonal(apart, np.inf)
    return np.asarray(apart.min(0, initial=np.inf) < places[:, 2] / 2, np.bool_)


_LEAST_NOISE = 1.0
"""Variance of the rounding of grey values, about; what is smoother is no surer."""


def _rest(look: Look, samples: Float32Array, strengths: Float32Array, places: FloatArray) -> Float32Array:
    """What the strongest layout at each place leaves unexplained of its samples, (N, S)."""
    fits = Fits(places, strengths.max(1).astype(np.float64), strengths.argmax(1))
    return np.asarray(samples - targets(look, fits) * fits.best[:, None], np.float32)


def _repetition(rest: Float32Array) -> float:
    """How many samples say what one would, were the noise of neighbours independent.

    The sum of the noise's autocorrelation: blur and JPEG make neighbouring samples err alike.
    """
    side = math.isqrt(rest.shape[1])
    maps = (rest / np.sqrt(np.maximum((rest**2).mean(1, keepdims=True), 1e-6))).reshape(-1, side, side)
    total = 1.0
    for down in range(_ALIKE + 1):
        for right in range(-_ALIKE if down else 1, _ALIKE + 1):
            here = maps[:, down:, max(right, 0) : side + min(right, 0)]
            there = maps[:, : side - down, max(-right, 0) : side - max(right, 0)]
            total += 2 * max(0.0, float(np.median((here * there).mean((1, 2)))))
    return total


_ALIKE = 3
"""How far apart samples may be that err alike: a module and a half."""


def _strangeness(pixels: U8Array, places: FloatArray, kind: Indices) -> FloatArray:
    """How much farther than usual the strangest seventh of each code's rim is from the colour of its kind, (N,).

    In distances of that colour to grey; noise of colour makes every rim of a board strange.
    """
    rims = rims_of(pixels, places)
    usual = usual_of_kind(np.median(rims, axis=1), kind)
    away = np.linalg.norm(rims - usual[:, None], axis=-1)
    strangest = np.partition(away, -(away.shape[1] // 7), axis=1)[:, -(away.shape[1] // 7)]
    strange = strangest / greyness(usual)
    return np.asarray(strange - usual_of_kind(strange, kind), np.float64)


@dataclass(frozen=True, slots=True)
class TrustSettings:
    """When codes are sure, each number with its unit.

    Set on 17,000 codes of rendered lands, most of them hard, also read as if three of the eight teams were unknown, and
    on 1,000 stickers without a code, with one of no team, or with a letter: none that led wrongly came nearer than 2
    nats to what is asked, but for one letter.
    """

    least_likeness: float = 0.4
    lead_nats: float = 7.0
    """What a code must lead by."""
    unlike_nats: float = 200.0
    """So much more, times the square of what its likeness lacks of the board's typical one: what is as unlike may be no
    code at all."""
    unrest_nats: float = 1.5
    """And so much, times what it leaves unexplained beyond the usual: there may be a letter, or something that covers
    it."""
    strange: float = 0.5
    strange_nats: float = 5.0
    """And so much for each distance to grey by which what surrounds it is stranger than that: there may be paper or a
    neighbour, and what was found, the edge of a sticker."""
    foreign_nats: float = 3.0
    """So much likelier beforehand is a code of the game than any other."""


def judge_codes(
    evidence: CodeEvidence, settings: TrustSettings
) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
    """Which team's code it is, and how sure that is.

    A code that the game does not have, where it leads, leaves the sticker to nobody. So does one that was found
    for another sticker too: the grid may be off.

    Parameters
    ----------
    evidence : CodeEvidence
    settings : TrustSettings

    Returns
    -------
    scores : ndarray of shape (N, count)
        What speaks for each team, nats.
    confidence : ndarray of shape (N,)
    sure : ndarray of shape (N,), bool
    """
    lacks = np.maximum(evidence.typical - evidence.likeness, 0)
    strange = np.maximum(evidence.strangeness - settings.strange, 0)
    unrest = np.maximum(evidence.unrest - 1, 0)
    odd = settings.unlike_nats * lacks**2 + settings.unrest_nats * unrest + settings.strange_nats * strange
    asked = settings.lead_nats + odd
    beyond = np.minimum(evidence.leads, evidence.foreign_leads + settings.foreign_nats) - asked
    sure = (beyond >= 0) & (evidence.likeness >= settings.least_likeness) & ~evidence.shared
    return evidence.nats[:, :-1], np.interp(beyond, _BEYOND, _RIGHT), sure


_BEYOND, _RIGHT = (-40.0, -12.0, -8.0, -5.0, -3.0, 0.0, 10.0), (0.5, 0.6, 0.7, 0.9, 0.96, 0.997, 0.9999)
"""Share of codes that lead by so much more than is asked that were right on rendered lands, the surest as far as can be
told from 17,000."""
