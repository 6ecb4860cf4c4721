"""What speaks for each code at a place."""

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
    nats : ndarray of shape (N, TURNS, codes)
        How much likelier the ink is by each code in each quarter turn than by none, as a logarithm; first those of the
        game, then all others that there are.
    turns_deg : ndarray of shape (N, TURNS)
        How far a code would be turned clockwise on the board, by quarters.
    count : int
        How many codes the game has.
    likeness : ndarray of shape (N,)
        Correlation with the best code of all.
    whole : ndarray of shape (N,)
        The same, what noise is usual for the colour left out of account: 1 where that code explains all that is ink.
    contrast : ndarray of shape (N,)
        How far that code stands out of its sticker, against what is usual for its colour.
    unrest : ndarray of shape (N,)
        How much that code leaves unexplained, against what is usual for its colour.
    strangeness : ndarray of shape (N,)
        How much farther than usual the strangest part of what surrounds a code is from its sticker's colour, in
        distances to grey.
    shared : ndarray of shape (N,), bool
        Whether another sticker's code was found at the same place.
    """

    nats: FloatArray
    turns_deg: FloatArray
    count: int
    likeness: FloatArray
    whole: FloatArray
    contrast: FloatArray
    unrest: FloatArray
    strangeness: FloatArray
    shared: npt.NDArray[np.bool_]

    @property
    def teams(self) -> FloatArray:
        """What speaks for each team's code in its likeliest turn, (N, count)."""
        return np.asarray(self.nats[..., : self.count].max(1), np.float64)

    @property
    def foreign(self) -> FloatArray:
        """What speaks for the best code that the game does not have, (N,); 0 where there is none."""
        return np.asarray(self.nats[..., self.count :].max((1, 2), initial=0.0), np.float64)

    @property
    def leads(self) -> FloatArray:
        """How far the best team leads before the next, (N,)."""
        ranked = np.sort(self.teams, axis=1)
        return np.asarray(ranked[:, -1] - (ranked[:, -2] if ranked.shape[1] > 1 else 0.0), np.float64)

    @property
    def foreign_leads(self) -> FloatArray:
        """How far the best team leads before all codes that the game does not have, (N,)."""
        return np.asarray(self.teams.max(1) - self.foreign, np.float64)

    def against(self, at: Indices, other: CodeEvidence) -> CodeEvidence:
        """What is known, with what speaks for other codes at other places of some stickers, where that is more."""
        nats = self.nats.copy()
        nats[at, :, self.count :] = np.maximum(nats[at, :, self.count :], other.nats[at, :, self.count :])
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
    found = strengths.clip(0).astype(np.float64) ** 2
    total, explained = (samples[:, 0].astype(np.float64) ** 2).sum(-1), found.max(-1)
    rest = total - explained
    noise = np.maximum(rest / samples.shape[-1], _LEAST_NOISE)
    usual = usual_of_kind(noise, inks.picture)
    repetition = _repetition(_rest(look, samples[:, 0], strengths, places))
    nats = found / (2 * np.sqrt(usual * np.maximum(noise, usual)) * repetition)[:, None]
    beyond = np.maximum(rest - samples.shape[-1] * usual, 0)
    return CodeEvidence(
        nats=nats.reshape(len(places), TURNS, IDS),
        turns_deg=places[:, 3:] - 90.0 * np.arange(TURNS),
        count=count,
        likeness=np.sqrt(explained / np.maximum(total, 1.0)),
        whole=np.sqrt(explained / np.maximum(explained + beyond, 1.0)),
        contrast=np.sqrt(explained / np.maximum(usual_of_kind(explained, inks.picture), 1.0)),
        unrest=noise / usual,
        strangeness=_strangeness(pixels, inks.onto_board(places), inks.picture),
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
