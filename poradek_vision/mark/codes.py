"""Printed codes on stickers: ``DICT_4X4_50`` of OpenCV's ArUco, read by correlation with how the photo must show them.

OpenCV's own detector wants every module to pass a threshold; correlation also reads what is blurred, dim, torn or
crossed by the edge of a shade. A *place* is the square of a code as (x, y, side, turn): its middle and side in pixels
of the rectified board, its turn in degrees clockwise.

References
----------
Lucas & Kanade, An iterative image registration technique, IJCAI 1981: :func:`_polished`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import remap
from poradek_vision.mark.code_layouts import IDS, TURNS, Blur, layouts, sample_steps, without_light
from poradek_vision.mark.pictures import Float32Array, FloatArray, U8Array
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


@dataclass(frozen=True, slots=True, eq=False)
class CodeSurvey:
    """What a board's stickers look like, if they bear codes. Heavy.

    Attributes
    ----------
    likeness : float
        The correlation of a typical sticker with its best code: codes reach 0.9, letters 0.65.
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
    ink = _ink(rectified.pixels, px, settings)
    cells_at = np.array([(cell.col, cell.row) for cell in cells]) + 0.5
    middles = (cells_at - rectified.origin_cells) * px - 0.5
    smooth = np.asarray(cv2.blur(ink, (3, 3)), np.uint8)
    places = np.stack([_first_place(smooth, middle, px) for middle in middles])
    some = np.arange(0, len(cells), 1 + (len(cells) - 1) // settings.surveyed)
    fits = _best(_Look(ink, count, settings.first_blur, 1), _moved(places[some], _NEAR))
    good = np.argsort(-fits.best)[: max(3, len(some) // 2)]
    blur = _blur(_Look(ink, count, settings.first_blur, 2), fits.places[good], settings)
    sharp = _polished(_Look(ink, count, blur, 2), fits.places[good])
    return CodeSurvey(
        likeness=float(np.median(sharp.best)),
        ink=ink,
        middles=middles,
        cell_px=px,
        places=places,
        usual_side=float(np.median(sharp.places[:, 2])),
        blur=blur,
    )


def read_codes(survey: CodeSurvey, count: int, settings: CodeSettings) -> Float32Array:
    """How well each code fits each sticker.

    1. Near where the ink lies.
    2. Where that fits less than usual, as on stickers half covered, everywhere in the cell and in every turn.
    3. The places polished until the best code fits best.

    Parameters
    ----------
    survey : CodeSurvey
    count : int
        How many codes the game has; of the others only one that fits better than all these counts.
    settings : CodeSettings

    Returns
    -------
    ndarray of shape (N, count + 1), float32
        Correlations, at most 1; the last column is that of the best code that the game does not have.
    """
    coarse, fine = (_Look(survey.ink, count, survey.blur, per_module) for per_module in (1, 2))
    fits = _polished(fine, _best(coarse, _moved(survey.places, _NEAR)).places)
    poor = np.flatnonzero(fits.best < np.median(fits.best) - settings.below_typical)
    if len(poor):
        far = _searched(coarse, survey, poor, settings)
        fits = fits.with_better(poor, _polished(fine, far.places))
    every = _correlations(replace(fine, count=IDS), fits.places[:, None])[:, 0].reshape(-1, TURNS, IDS).max(1)
    others = every[:, count:].max(1, initial=-1.0)
    return np.column_stack([every[:, :count], others]).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """What places are looked at with: the board's ink, how many codes, the blur, samples along a module."""

    ink: U8Array
    count: int
    blur: Blur
    per_module: int


@dataclass(frozen=True, slots=True, eq=False)
class _Fits:
    """The best place of each sticker (N, 4), its correlation (N,), and with which layout (N,)."""

    places: FloatArray
    best: FloatArray
    layout: npt.NDArray[np.int64]

    def with_better(self, at: npt.NDArray[np.int64], other: _Fits) -> _Fits:
        """These, with those of some stickers where they are better."""
        places, best, layout = self.places.copy(), self.best.copy(), self.layout.copy()
        better = other.best > best[at]
        for mine, theirs in ((places, other.places), (best, other.best), (layout, other.layout)):
            mine[at[better]] = theirs[better]
        return _Fits(places, best, layout)


def _ink(pixels: U8Array, px: int, settings: CodeSettings) -> U8Array:
    """How dark each pixel is against what surrounds it, in the channel that is brightest there.

    Black is dark in all channels, a sticker never: red is bright in red. What surrounds it is bright right up to the
    edge of a shade, which a blur would smear (closing: Serra 1982).
    """
    red, green, blue = cv2.split(pixels)
    bright = cv2.max(cv2.max(red, green), blue)
    side = round(settings.light_cells * px) | 1
    around = cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    share = cv2.divide(np.maximum(bright, _VEIL), np.maximum(around, _VEIL), scale=255)
    return np.asarray(255 - share, np.uint8)


_VEIL = 4
"""Grey value: what is darker is taken for no darker, or the noise of black corners would look like ink."""


def _first_place(ink: U8Array, middle: FloatArray, px: int) -> FloatArray:
    """The tilted square round the ink near a cell's middle; the cell's own middle where there is none."""
    reach = round(0.7 * px)
    left, top = (max(0, round(at) - reach) for at in middle)
    patch = ink[top : top + 2 * reach, left : left + 2 * reach]
    core = np.sort(patch[reach // 3 : -reach // 3 : 2, reach // 3 : -reach // 3 : 2], axis=None)
    dark = (patch > 0.45 * core[int(0.97 * len(core))]).astype(np.uint8)
    _, labels, stats, centres = cv2.connectedComponentsWithStats(dark)
    areas = stats[:, cv2.CC_STAT_AREA]
    mine = (np.hypot(*(centres - (middle - [left, top])).T) < 0.42 * px) & (areas > 0.01 * px * px)
    mine &= stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(1) < px  # else it is the grid's lines
    mine[0] = False
    if not mine.any():
        return np.array([*middle, 0.4 * px, 0.0])
    largest = np.where(mine, areas, 0).argmax()
    mine &= (areas > 0.06 * areas[largest]) & (np.hypot(*(centres - centres[largest]).T) < 0.38 * px)
    (x, y), (width, height), turn = cv2.minAreaRect(cv2.findNonZero(mine[labels].astype(np.uint8)))
    return np.array([left + x, top + y, (width + height) / 2 + 1, turn])


def _blur(look: _Look, places: FloatArray, settings: CodeSettings) -> Blur:
    """The blur with which codes at these places fit best: first how soft it is, then how smeared."""
    samples = _samples(look, places[:, None])

    def fit(blur: Blur) -> float:
        return float(_compared(replace(look, blur=blur), samples, places[:, 3]).max(-1).mean())

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


def _searched(look: _Look, survey: CodeSurvey, some: npt.NDArray[np.int64], settings: CodeSettings) -> _Fits:
    """Codes of the usual size, looked for all over the cells of some stickers and in every turn."""
    reach = settings.reach_cells * survey.cell_px / survey.usual_side
    shifts = np.linspace(-reach, reach, 1 + 2 * round(reach / _COARSE_SIDES)).tolist()

    def search(turn: float) -> _Fits:
        start = np.column_stack([survey.middles[some], *np.full((2, len(some)), [[survey.usual_side], [turn]])])
        return _best(look, _moved(_best(look, _moved(start, _moves(shifts, (0.0,), (0.0,)))).places, _NEAR))

    found = search(0.0)
    for turn in np.arange(_COARSE_DEG, 90, _COARSE_DEG):
        found = found.with_better(np.arange(len(some)), search(float(turn)))
    return found


_COARSE_SIDES, _COARSE_DEG = 0.17, 15.0
"""Steps of a search all over a cell: a module, and what turns the border by half of one."""


def _moves(shifts: Sequence[float], growths: Sequence[float], turns: Sequence[float]) -> FloatArray:
    """Every combination of moves of a place, (M, 4): x, y and growth in sides, turn in degrees."""
    x, y, growth, turn = np.meshgrid(shifts, shifts, growths, turns, indexing="ij")
    return np.stack([x, y, growth, turn], -1).reshape(-1, 4)


_NEAR = _moves((-0.09, 0.0, 0.09), (-0.08, 0.0, 0.08), (-5.0, 0.0, 5.0))


def _moved(places: FloatArray, moves: FloatArray) -> FloatArray:
    """Places (N, 4), each moved in every way, (N, M, 4)."""
    side = places[:, None, 2:3]
    return np.asarray(places[:, None] + moves * np.concatenate([side, side, side, np.ones_like(side)], -1), np.float64)


def _best(look: _Look, places: FloatArray) -> _Fits:
    """The best of some places (N, M, 4) of each sticker."""
    at_once = max(1, _AT_ONCE // places.shape[1])
    parts = []
    for start in range(0, len(places), at_once):
        some = places[start : start + at_once]
        fits = _correlations(look, some)
        best = fits.max(-1)
        k, rows = best.argmax(1), np.arange(len(some))
        parts.append(_Fits(some[rows, k], best[rows, k].astype(np.float64), fits[rows, k].argmax(-1)))
    return _Fits(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("places", "best", "layout")))


_AT_ONCE = 4000
"""Places looked at together: some megabytes."""


def _correlations(look: _Look, places: FloatArray) -> Float32Array:
    """Correlations (N, M, 4 * count) of the ink at places (N, M, 4) with every layout."""
    return _compared(look, _samples(look, places), places[:, 0, 3])


def _compared(look: _Look, samples: Float32Array, turns: FloatArray) -> Float32Array:
    """Correlations (N, M, 4 * count) of samples (N, M, S) at places turned like that, (N,)."""
    fits = np.empty((*samples.shape[:2], TURNS * look.count), np.float32)
    for mine, columns in _by_direction(look, turns):
        fits[mine] = samples[mine] @ columns
    return fits


def _by_direction(look: _Look, turns: FloatArray) -> Iterator[tuple[npt.NDArray[np.bool_], Float32Array]]:
    """Which of the codes turned like that are smeared in one direction of their own frames, and their layouts."""
    directions = _relative(look.blur, turns)
    for direction in np.unique(directions):
        blur = replace(look.blur, direction_deg=float(direction))
        yield directions == direction, layouts(look.count, look.per_module, blur)


def _samples(look: _Look, places: FloatArray) -> Float32Array:
    """The ink at places (N, M, 4), free of what light does and of length 1, (N, M, S)."""
    samples = without_light(_sampled(look, places))
    samples /= np.sqrt(np.maximum((samples**2).sum(-1, keepdims=True), _FLAT * samples.shape[-1]))
    return samples


_FLAT = 0.6
"""Variance of ink below which there is nothing to correlate with, grey values squared."""


def _relative(blur: Blur, turns: FloatArray) -> FloatArray:
    """The directions of a smear in the frames of codes turned like that, to the nearest of the eight."""
    if not blur.smear:
        return np.zeros(len(turns))
    return np.asarray(np.round((blur.direction_deg - turns) / 22.5) * 22.5 % 180, np.float64)


def _sampled(look: _Look, places: FloatArray) -> Float32Array:
    """The ink at the samples of layouts at places (..., 4)."""
    steps = sample_steps(look.per_module)
    x, y, side, turn = places.astype(np.float32).reshape(-1, 4).T[..., None]
    cos, sin = np.cos(np.deg2rad(turn)) * side, np.sin(np.deg2rad(turn)) * side
    at = np.empty((len(x), len(steps), 2), np.float32)
    at[..., 0] = x + steps[:, 0] * cos - steps[:, 1] * sin
    at[..., 1] = y + steps[:, 0] * sin + steps[:, 1] * cos
    return remap(look.ink, at).astype(np.float32).reshape(*places.shape[:-1], len(steps))


def _polished(look: _Look, places: FloatArray, rounds: int = 2) -> _Fits:
    """Places moved to where their best layout fits best, by least squares on the ink's slopes."""
    fits = _best(look, places[:, None])
    for _ in range(rounds):
        moved = _best(look, _step(look, fits)[:, None])
        fits = fits.with_better(np.arange(len(places)), moved)
    return fits


def _step(look: _Look, fits: _Fits) -> FloatArray:
    """One step of Lucas and Kanade: ink + slopes · move = darkness · layout, what light does taken out."""
    nudged = _moved(fits.places, np.vstack([np.zeros(4), np.diag(_NUDGE)]))
    samples = without_light(_sampled(look, nudged)).astype(np.float64)
    here, slopes = samples[:, 0], samples[:, 1:] - samples[:, :1]
    target = np.empty_like(here)
    for mine, columns in _by_direction(look, fits.places[:, 3]):
        target[mine] = columns[:, fits.layout[mine]].T
    terms = np.concatenate([-slopes, target[:, None]], 1)
    normal = terms @ terms.transpose(0, 2, 1) + 1e-6 * np.eye(5)
    nudges = np.linalg.solve(normal, (terms @ here[..., None]))[:, :4, 0].clip(-_MOST_NUDGES, _MOST_NUDGES)
    side = fits.places[:, 2:3]
    return np.asarray(fits.places + nudges * _NUDGE * np.concatenate([side, side, side, np.ones_like(side)], 1))


_NUDGE = np.array([0.03, 0.03, 0.03, 1.5])
"""In sides and degrees, as moves are: over such steps slopes of ink are taken."""
_MOST_NUDGES = 2.5
