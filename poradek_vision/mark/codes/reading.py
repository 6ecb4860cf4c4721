"""Printed codes on stickers: ``DICT_4X4_50`` of OpenCV's ArUco, read by correlation with how the photo must show them.

OpenCV's own detector wants every module to pass a threshold; correlation also reads what is blurred, dim, torn or
crossed by the edge of a shade.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from poradek_vision.mark.codes.belief import TrustSettings
from poradek_vision.mark.codes.evidence import CodeEvidence, weigh
from poradek_vision.mark.codes.inks import dark, dark_grey, foreign_of, inks_of
from poradek_vision.mark.codes.layouts import IDS, Blur
from poradek_vision.mark.codes.places import (
    Fits,
    Indices,
    Look,
    Prior,
    best_near,
    light_free,
    polished,
    responses,
    searched,
)
from poradek_vision.mark.codes.rivals import rival_strengths
from poradek_vision.mark.codes.spots import Spots
from poradek_vision.mark.pictures import FloatArray, U8Array
from poradek_vision.model import CellReading, Rectified


@dataclass(frozen=True, slots=True)
class CodeSettings:
    """Numbers of reading codes, each with its unit; set on 60 rendered lands, a third each easy, medium and hard."""

    light_cells: float = 0.34
    """What is dark and narrower than this is ink; wider, it may be a sticker or a shade."""
    reach_cells: float = 0.36
    """How far from its cell's middle the middle of a code is looked for."""
    surveyed: int = 32
    """Stickers by which the codes' size and the photo's blur are judged."""
    first_blur: Blur = field(default_factory=lambda: Blur(0.4))
    soft_modules: tuple[float, ...] = (0.15, 0.3, 0.45, 0.6, 0.8)
    smear_modules: tuple[float, ...] = (0.7, 1.4, 2.1)
    below_typical: float = 0.08
    """A code that fits so much less than the board's typical one is looked for all over its cell at once."""
    below_survey: float = 0.1
    """The typical one fits less than those that were surveyed by no more than this, or too few were found."""
    refined: int = 24
    """Codes by which the blur is judged anew."""
    wander: float = 1.0
    """How much of what disturbs codes is smooth, see :func:`without_light`."""
    search_nats: float = 15.0
    """A code that leads by less is looked for all over its cell again, where its sticker's colour is."""
    rivalled_nats: float = 3.0
    """One that leads by less then is in doubt anyway."""
    trust: TrustSettings = field(default_factory=TrustSettings)


@dataclass(frozen=True, slots=True, eq=False)
class CodeSurvey:
    """What a board's stickers look like, if they bear codes. Heavy.

    Attributes
    ----------
    likeness : float
        The correlation with its best code that a good eighth of the stickers reach: codes 0.92, letters 0.83.
    ink : ndarray of shape (h, w), uint8
        How dark each pixel of the board is against the light on it: 0 bare, 255 black.
    middles : ndarray of shape (N, 2)
        Of the stickers' cells, px.
    cell_px : int
    spots : Spots
        The ink near their middles.
    usual_side : float
    blur : Blur
        In the frame of the board.
    """

    likeness: float
    ink: U8Array
    middles: FloatArray
    cell_px: int
    spots: Spots
    usual_side: float
    blur: Blur


def survey_codes(rectified: Rectified, cells: Sequence[CellReading], count: int, settings: CodeSettings) -> CodeSurvey:
    """Find out whether a board bears codes, and how the photo shows them.

    Parameters
    ----------
    rectified : Rectified
    cells : sequence of CellReading
        Those with stickers, at least one.
    count : int
        How many codes the game has.
    settings : CodeSettings

    Returns
    -------
    CodeSurvey
    """
    px = rectified.px_per_cell
    ink = dark(rectified.pixels, settings.light_cells * px)
    cells_at = np.array([(cell.col, cell.row) for cell in cells]) + 0.5
    middles = (cells_at - rectified.origin_cells) * px - 0.5
    spots = Spots.of(np.asarray(cv2.blur(ink, (3, 3)), np.uint8), middles, px)
    some = np.arange(0, len(cells), 1 + (len(cells) - 1) // settings.surveyed)
    fits = best_near(Look(ink, count, settings.first_blur, 1), spots.places(middles[some], px))
    good = np.argsort(-fits.best)[: max(3, len(some) // 2)]
    blur = _blur(Look(ink, count, settings.first_blur, 2), fits.places[good], settings)
    sharp = polished(Look(ink, count, blur, 2), fits.places[good])
    return CodeSurvey(
        likeness=float(np.quantile(sharp.best, 0.75)),
        ink=ink,
        middles=middles,
        cell_px=px,
        spots=spots,
        usual_side=float(np.median(sharp.places[:, 2])),
        blur=blur,
    )


def read_codes(
    survey: CodeSurvey, rectified: Rectified, cells: Sequence[CellReading], count: int, settings: CodeSettings
) -> CodeEvidence:
    """How much speaks for each code on each sticker.

    1. ``first``: codes near where the ink lies; where they fit less than usual, as on stickers half covered, everywhere
       in the cell and in every turn.
    2. ``inks``: for each colour the mixture of channels in which these codes stand out most.
    3. ``fits``: the places found anew in that mixture, and by the best of them the blur.
    4. ``evidence``: what each code explains there, shades and glare left out of account, against what the codes of that
       colour usually leave unexplained.
    5. Codes that don't lead by far are looked for once more, in that measure and only on stickers of their colour;
       those that lead then are held against all others at these others' best places.

    Parameters
    ----------
    survey : CodeSurvey
    rectified : Rectified
    cells : sequence of CellReading
        Both as they were surveyed.
    count : int
        How many codes the game has.
    settings : CodeSettings

    Returns
    -------
    CodeEvidence
    """
    light_px = settings.light_cells * survey.cell_px
    first, fine = _first(survey, rectified.pixels, count, settings)
    inks = inks_of(rectified.pixels, np.array([cell.colour for cell in cells]), fine, first, light_px)
    fits = polished(replace(fine, ink=inks.ink), inks.into(first.places))
    look = replace(fine, ink=inks.ink, wander=settings.wander)
    best = fits.places[np.argsort(-fits.best)[: settings.refined]]
    look = replace(look, blur=_blur(look, best, settings))
    middles = inks.into(survey.middles)
    evidence = weigh(look, inks, fits.places, middles, rectified)
    poor: Indices = np.flatnonzero(np.minimum(evidence.leads, evidence.foreign_leads) < settings.search_nats)
    if not len(poor):
        return evidence
    foreign = foreign_of(rectified.pixels, inks, fits, _corners(survey))
    prior = Prior(foreign, survey.usual_side)
    places = fits.places.copy()
    look = replace(look, prior=prior)
    places[poor] = _anew(look, places[poor], middles[poor], survey, settings)
    evidence = weigh(look, inks, places, middles, rectified)
    led: Indices = poor[evidence.leads[poor] >= settings.rivalled_nats]
    if not len(led):
        return evidence
    every = replace(look, count=IDS)
    elsewhere = _anew(every, places[led], middles[led], survey, settings)
    return evidence.with_rivals(led, np.maximum(rival_strengths(every, places[led]), rival_strengths(every, elsewhere)))


def _first(survey: CodeSurvey, pixels: U8Array, count: int, settings: CodeSettings) -> tuple[Fits, Look]:
    """Codes near where the ink lies, or else anywhere in their cells, and what they were looked at with.

    JPEG blurs what is not brightness, so what doesn't fit even there is looked for in the brightness of ``pixels``.
    """
    coarse, fine = (Look(survey.ink, count, survey.blur, per_module) for per_module in (1, 2))
    places = survey.spots.places(survey.middles, survey.cell_px)
    fits = polished(fine, best_near(coarse, places).places)
    reach_px = settings.reach_cells * survey.cell_px

    def searched_in(ink: U8Array, poor: Indices) -> Fits:
        far = searched(replace(coarse, ink=ink), survey.middles[poor], survey.usual_side, reach_px)[0]
        return fits.with_better(poor, polished(replace(fine, ink=ink), far))

    if len(poor := _poor(fits, survey, settings)):
        fits = searched_in(survey.ink, poor)
    if len(poor := _poor(fits, survey, settings)):
        fits = searched_in(dark_grey(pixels, settings.light_cells * survey.cell_px), poor)
    return fits, fine


def _poor(fits: Fits, survey: CodeSurvey, settings: CodeSettings) -> Indices:
    """Which codes fit less than is typical of their board, (n,)."""
    typical = max(float(np.median(fits.best)), survey.likeness - settings.below_survey)
    return np.flatnonzero(fits.best < typical - settings.below_typical)


def _corners(survey: CodeSurvey) -> FloatArray:
    """The corners of the cells, px: few stickers reach them."""
    steps = np.array([(x, y) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]) * survey.cell_px
    return np.asarray((survey.middles[:, None] + steps).reshape(-1, 2), np.float64)


def _anew(
    look: Look, places: FloatArray, middles: FloatArray, survey: CodeSurvey, settings: CodeSettings
) -> FloatArray:
    """The best of some places, made better, and of those that a search all over their cells finds."""
    best, every = polished(look, places), np.arange(len(places))
    reach_px = settings.reach_cells * survey.cell_px
    for far in searched(replace(look, per_module=1), middles, survey.usual_side, reach_px)[:_TURNS_TRIED]:
        best = best.with_better(every, polished(look, far, rounds=3))
    return best.places


_TURNS_TRIED = 3
"""Of the turns that a coarse search finds for a code the true one is among so many."""


def _blur(look: Look, places: FloatArray, settings: CodeSettings) -> Blur:
    """The blur with which codes at these places fit best: first how soft it is, then how smeared."""
    samples = light_free(look, places[:, None])
    samples /= np.sqrt(np.maximum((samples**2).sum(-1, keepdims=True), 1.0))

    def fit(blur: Blur) -> float:
        return float(responses(replace(look, blur=blur), samples, places[:, 3]).max(-1).mean())

    soft = max((Blur(soft) for soft in settings.soft_modules), key=fit)
    smeared = (
        Blur(less, smear, direction)
        for less in settings.soft_modules
        if less in (soft.soft, settings.soft_modules[1])
        for smear in settings.smear_modules
        for direction in _DIRECTIONS
    )
    return max((soft, *smeared), key=fit)


_DIRECTIONS = tuple(22.5 * k for k in range(8))
