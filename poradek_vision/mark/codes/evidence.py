"""What speaks for each code at a place."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.codes.inks import CodeInks, greyness, rims_of
from poradek_vision.mark.codes.layouts import IDS, TURNS
from poradek_vision.mark.codes.places import Fits, Indices, Look, light_free, responses, targets
from poradek_vision.mark.pictures import Float32Array, FloatArray, U8Array, usual_of_kind
from poradek_vision.model import Rectified


@dataclass(frozen=True, slots=True, eq=False)
class CodeEvidence:
    """What speaks for each code on each sticker.

    Attributes
    ----------
    nats : ndarray of shape (N, TURNS, codes)
        How much likelier the ink is by each code in each quarter turn than by none, as a logarithm; first those of the
        game, then all others that there are.
    rivals : ndarray of shape (N, TURNS, codes)
        The same with each code at its own best place, where little speaks for the likeliest.
    turns_deg : ndarray of shape (N, TURNS)
        How far a code would be turned clockwise on the board, by quarters.
    count : int
        How many codes the game has.
    kind : ndarray of shape (N,), int
        Stickers of one colour, those of rare ones together.
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
    away_cells : ndarray of shape (N,)
        How far from its cell's middle the place lies.
    shared : ndarray of shape (N,), bool
        Whether another sticker's code was found at the same place.
    nats_each : ndarray of shape (N,)
        What a code speaks by, for the square of its strength.
    """

    nats: FloatArray
    rivals: FloatArray
    turns_deg: FloatArray
    count: int
    kind: Indices
    likeness: FloatArray
    whole: FloatArray
    contrast: FloatArray
    unrest: FloatArray
    strangeness: FloatArray
    away_cells: FloatArray
    shared: npt.NDArray[np.bool_]
    nats_each: FloatArray

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

    def with_rivals(self, at: Indices, strengths: FloatArray) -> CodeEvidence:
        """What is known, with the strengths (n, TURNS * codes) of codes at their own best places on some stickers."""
        rivals = self.rivals.copy()
        rivals[at] = (strengths**2 * self.nats_each[at, None]).reshape(len(at), *rivals.shape[1:])
        return replace(self, rivals=rivals)


def weigh(look: Look, inks: CodeInks, places: FloatArray, middles: FloatArray, rectified: Rectified) -> CodeEvidence:
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
    middles : ndarray of shape (N, 2)
        Of the stickers' cells, in those pictures.
    rectified : Rectified
        The board.
    """
    count, look = look.count, replace(look, count=IDS)
    samples = light_free(look, places[:, None])
    strengths = responses(look, samples, places[:, 3])[:, 0]
    found = strengths.clip(0).astype(np.float64) ** 2
    total, explained = (samples[:, 0].astype(np.float64) ** 2).sum(-1), found.max(-1)
    rest = total - explained
    noise = np.maximum(rest / samples.shape[-1], _LEAST_NOISE)
    usual = usual_of_kind(noise, inks.picture)
    chance = _chance(look, samples, strengths, places)
    usually = usual_of_kind(chance, inks.picture)
    each = 1 / (2 * np.sqrt(usually * np.maximum(chance, usually)))
    beyond = np.maximum(rest - samples.shape[-1] * usual, 0)
    nats = (found * each[:, None]).reshape(len(places), TURNS, IDS)
    return CodeEvidence(
        nats=nats,
        rivals=nats,
        turns_deg=places[:, 3:] - 90.0 * np.arange(TURNS),
        count=count,
        kind=inks.picture,
        likeness=np.sqrt(explained / np.maximum(total, 1.0)),
        whole=np.sqrt(explained / np.maximum(explained + beyond, 1.0)),
        contrast=np.sqrt(explained / np.maximum(usual_of_kind(explained, inks.picture), 1.0)),
        unrest=noise / usual,
        strangeness=_strangeness(rectified.pixels, inks.onto_board(places), inks.picture),
        away_cells=np.hypot(*(places[:, :2] - middles).T) / rectified.px_per_cell,
        shared=_shared(inks.onto_board(places)),
        nats_each=each,
    )


def _shared(places: FloatArray) -> npt.NDArray[np.bool_]:
    """Which places (N, 4) of the board have another nearer than half a code's side."""
    apart = np.hypot(*(places[:, None, :2] - places[None, :, :2]).T)
    np.fill_diagonal(apart, np.inf)
    return np.asarray(apart.min(0, initial=np.inf) < places[:, 2] / 2, np.bool_)


_LEAST_NOISE = 1.0
"""Variance of the rounding of grey values, about; what is smoother is no surer."""


def _chance(look: Look, samples: Float32Array, strengths: Float32Array, places: FloatArray) -> FloatArray:
    """How much of any other code chance puts into what the strongest leaves unexplained of samples (N, 1, S), (N,).

    A variance, in the directions in which codes differ: blur and JPEG make neighbouring samples err alike, and
    what is as large as a module matters most.
    """
    fits = Fits(places, strengths.max(1).astype(np.float64), strengths.argmax(1))
    strongest = targets(look, fits)[:, None]
    rest = samples - strongest * fits.best[:, None, None].astype(np.float32)
    alike = responses(look, strongest, places[:, 3])[:, 0].astype(np.float64)
    by_chance = responses(look, rest, places[:, 3])[:, 0].astype(np.float64)
    return np.asarray(np.maximum((by_chance**2).sum(1) / (1 - alike**2).sum(1), _LEAST_NOISE), np.float64)


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
