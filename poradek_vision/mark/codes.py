"""Printed codes on stickers: ``DICT_4X4_50`` of OpenCV's ArUco, read by correlation with how the photo must show them.

OpenCV's own detector wants every module to pass a threshold; correlation also reads what is blurred, dim, torn or
crossed by the edge of a shade.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import remap
from poradek_vision.mark.code_inks import CodeInks, dark, inks_of
from poradek_vision.mark.code_layouts import IDS, TURNS, Blur, rim_steps
from poradek_vision.mark.code_places import (
    NEAR,
    Fits,
    Indices,
    Look,
    best_of,
    light_free,
    moved,
    polished,
    responses,
    sample_points,
    searched,
    targets,
)
from poradek_vision.mark.pictures import Float32Array, FloatArray, U8Array, usual_of_kind
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
    """A code that fits so much less than the board's typical one is looked for all over its cell."""
    least_likeness: float = 0.5
    lead_nats: float = 6.0
    odd_lead_nats: float = 10.0
    very_odd_lead_nats: float = 25.0
    """A code is sure when it correlates at least so much and leads so far before the next team's and any that the game
    does not have; farther where it is odd in one way, or in both. Of 14,300 on rendered lands, most of them hard, some
    50 led wrongly: those that were odd by 15 at most, the others by 4.2."""
    strange: float = 0.5
    unlike: float = 0.1
    """It is odd where what surrounds it has so much of another colour, or where it correlates so much less than is
    typical of the board: there may be paper or a neighbour, and what was found, the edge of a sticker."""


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
    places : ndarray of shape (N, 4)
        Where codes were found at first.
    usual_side : float
    blur : Blur
        In the frame of the board.
    """

    likeness: float
    ink: U8Array
    middles: FloatArray
    cell_px: int
    places: FloatArray
    usual_side: float
    blur: Blur


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
    strangeness : ndarray of shape (N,)
        How much farther than usual the strangest part of what surrounds a code is from its sticker's colour, in
        distances to grey.
    typical : float
        The likeness of a typical code of the board.
    """

    nats: FloatArray
    likeness: FloatArray
    strangeness: FloatArray
    typical: float


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
    smooth = np.asarray(cv2.blur(ink, (3, 3)), np.uint8)
    places = _first_places(smooth, middles, px)
    some = np.arange(0, len(cells), 1 + (len(cells) - 1) // settings.surveyed)
    fits = best_of(Look(ink, count, settings.first_blur, 1), moved(places[some], NEAR))
    good = np.argsort(-fits.best)[: max(3, len(some) // 2)]
    blur = _blur(Look(ink, count, settings.first_blur, 2), fits.places[good], settings)
    sharp = polished(Look(ink, count, blur, 2), fits.places[good])
    return CodeSurvey(
        likeness=float(np.quantile(sharp.best, 0.75)),
        ink=ink,
        middles=middles,
        cell_px=px,
        places=places,
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
    3. ``fits``: the places found anew in that mixture.
    4. What each code explains there, against what the codes of that colour usually leave unexplained.

    Parameters
    ----------
    survey : CodeSurvey
    rectified : Rectified
    cells : sequence of CellReading
        Both as they were surveyed.
    count : int
        How many codes the game has; of the others only one that fits better than all these counts.
    settings : CodeSettings

    Returns
    -------
    CodeEvidence
    """
    coarse, fine = (Look(survey.ink, count, survey.blur, per_module) for per_module in (1, 2))
    start = best_of(coarse, moved(survey.places, NEAR)).places
    first = _found(coarse, fine, start, survey.middles, survey, settings)
    light_px = settings.light_cells * survey.cell_px
    inks = inks_of(rectified.pixels, np.array([cell.colour for cell in cells]), fine, first, light_px)
    coarse, fine = (replace(look, ink=inks.ink) for look in (coarse, fine))
    fits = _found(coarse, fine, inks.into(first.places), inks.into(survey.middles), survey, settings)
    return _evidence(replace(fine, count=IDS), inks, fits.places, rectified.pixels, count)


def _found(
    coarse: Look, fine: Look, start: FloatArray, middles: FloatArray, survey: CodeSurvey, settings: CodeSettings
) -> Fits:
    """Codes near places to start with; where they fit less than usual, what a search all over their cells finds."""
    fits = polished(fine, start)
    poor: Indices = np.flatnonzero(fits.best < np.median(fits.best) - settings.below_typical)
    if not len(poor):
        return fits
    far = searched(coarse, middles[poor], survey.usual_side, settings.reach_cells * survey.cell_px)
    return fits.with_better(poor, polished(fine, far.places))


def _evidence(look: Look, inks: CodeInks, places: FloatArray, pixels: U8Array, count: int) -> CodeEvidence:
    """What speaks for all codes at the places of stickers.

    What the best code leaves unexplained is noise. A sticker's own is taken for no less than what is usual for its
    colour, or one that a chance pattern explains well would be trusted.
    """
    samples = light_free(look, places[:, None])
    strengths = responses(look, samples, places[:, 3])[:, 0]
    found = strengths.reshape(len(places), TURNS, IDS).max(1).clip(0) ** 2
    total, explained = (samples[:, 0] ** 2).sum(-1), found.max(-1)
    noise = np.maximum((total - explained) / samples.shape[-1], 1.0)
    usual = usual_of_kind(noise, inks.picture)
    repetition = _repetition(_rest(look, samples[:, 0], strengths, places))
    nats = found / (2 * np.sqrt(usual * np.maximum(noise, usual)) * repetition)[:, None]
    others = nats[:, count:].max(1, initial=0.0)
    likeness = np.sqrt(explained / np.maximum(total, 1.0)).astype(np.float64)
    return CodeEvidence(
        nats=np.column_stack([nats[:, :count], others]).astype(np.float64),
        likeness=likeness,
        strangeness=_strangeness(pixels, inks.onto_board(places), inks.picture),
        typical=float(np.median(likeness)),
    )


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
    seen = remap(pixels, sample_points(places, rim_steps())).astype(np.float64)
    chroma = seen / np.maximum(seen.sum(-1, keepdims=True), _DIM)
    middle = np.median(chroma, axis=1)
    usual = usual_of_kind(middle, kind)
    away = np.linalg.norm(chroma - usual[:, None], axis=-1)
    strangest = np.partition(away, -(away.shape[1] // 7), axis=1)[:, -(away.shape[1] // 7)]
    strange = strangest / np.maximum(np.linalg.norm(usual - 1 / 3, axis=-1), _GREY)
    return np.asarray(strange - usual_of_kind(strange, kind), np.float64)


_DIM = 24.0
"""Sum of the channels below which no colour is told."""
_GREY = 0.15
"""Colours nearer to grey than this are not told from paper."""


def judge_codes(evidence: CodeEvidence, settings: CodeSettings) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
    """Which team's code it is, and how sure that is.

    A code that the game does not have, where it leads, leaves the sticker to nobody.

    Parameters
    ----------
    evidence : CodeEvidence
    settings : CodeSettings

    Returns
    -------
    scores : ndarray of shape (N, count)
        What speaks for each team, nats.
    confidence : ndarray of shape (N,)
    sure : ndarray of shape (N,), bool
    """
    scores = evidence.nats[:, :-1]
    ranked = np.sort(scores, axis=1)
    lead = ranked[:, -1] - (ranked[:, -2] if scores.shape[1] > 1 else 0.0)
    lead = np.minimum(lead, ranked[:, -1] - evidence.nats[:, -1])
    strange = evidence.strangeness > settings.strange
    unlike = evidence.likeness < evidence.typical - settings.unlike
    leads = np.array([settings.lead_nats, settings.odd_lead_nats, settings.very_odd_lead_nats])
    asked = leads[strange.astype(int) + unlike]
    sure = (lead >= asked) & (evidence.likeness >= settings.least_likeness)
    return scores, np.interp(lead * (settings.lead_nats / asked), _LEADS, _RIGHT), sure


_LEADS, _RIGHT = (-4.0, 0.0, 2.0, 6.0, 10.0), (0.3, 0.6, 0.9, 0.997, 0.9999)
"""Share of codes with such a lead that were right on rendered lands."""


def _first_places(ink: U8Array, middles: FloatArray, px: int) -> FloatArray:
    """The tilted square round the ink near each cell's middle, (N, 4); the middle itself where there is none."""
    spots = _Spots.of(_inked(ink, middles, px), px)
    return np.stack([spots.place(middle, px) for middle in middles])


def _inked(ink: U8Array, middles: FloatArray, px: int) -> U8Array:
    """Where there is ink (1), by what is darkest in each cell."""
    reach, inked = round(0.5 * px), np.zeros_like(ink)
    for x, y in np.round(middles).astype(int):
        left, top = max(0, x - reach), max(0, y - reach)
        cell = ink[top : y + reach, left : x + reach]
        dark = np.sort(cell[::2, ::2], axis=None)
        inked[top : y + reach, left : x + reach] = cell > 0.45 * dark[int(0.97 * len(dark))]
    return inked


@dataclass(frozen=True, slots=True, eq=False)
class _Spots:
    """Connected spots of ink: which is where (h, w), their middles (K, 2) and areas (K,), px; 0 where it is none."""

    labels: npt.NDArray[np.int32]
    middles: FloatArray
    areas: npt.NDArray[np.int64]

    @staticmethod
    def of(inked: U8Array, px: int) -> _Spots:
        """The spots of a picture, without specks and the grid's lines."""
        _, labels, stats, middles = cv2.connectedComponentsWithStats(inked)
        areas = stats[:, cv2.CC_STAT_AREA].astype(np.int64)
        widest = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(1)
        areas[(areas <= 0.01 * px * px) | (widest >= px)] = 0
        return _Spots(np.asarray(labels, np.int32), np.asarray(middles, np.float64), areas)

    def place(self, middle: FloatArray, px: int) -> FloatArray:
        """The square round the largest spot near a cell's middle, and those beside it that are no specks to it.

        A spot larger than any code is the outline of a sticker, which the sharpening of phones darkens.
        """
        near = np.flatnonzero((np.hypot(*(self.middles - middle).T) < 0.42 * px) & (self.areas > 0))
        for largest in near[np.argsort(-self.areas[near])]:
            square = self._square(largest, near, middle, px)
            if square[2] < _LARGEST_CELLS * px:
                return square
            near = near[near != largest]
        return np.array([*middle, 0.4 * px, 0.0])

    def _square(self, largest: int, near: Indices, middle: FloatArray, px: int) -> FloatArray:
        """The tilted square round a spot and those near it that may be parts of one code."""
        beside = np.hypot(*(self.middles[near] - self.middles[largest]).T) < 0.38 * px
        chosen = np.zeros(len(self.areas), np.uint8)
        chosen[near[beside & (self.areas[near] > 0.06 * self.areas[largest])]] = 1
        left, top = (max(0, round(at - 0.9 * px)) for at in middle)
        patch = self.labels[top : top + round(1.8 * px), left : left + round(1.8 * px)]
        (x, y), (width, height), turn = cv2.minAreaRect(cv2.findNonZero(chosen[patch]))
        return np.array([left + x, top + y, (width + height) / 2 + 1, turn])


_LARGEST_CELLS = 0.62
"""No code is as large: half a sticker that fills its cell and a fifth more."""


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
