"""Where printed codes lie on a board, and how well each code fits there.

A *place* is the square of a code as (x, y, side, turn): its middle and side in pixels of the picture of ink, its turn
in degrees clockwise.

References
----------
Lucas & Kanade, An iterative image registration technique, IJCAI 1981: :func:`polished`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import remap
from poradek_vision.mark.codes.layouts import TURNS, Blur, layouts, sample_steps, to_rim, to_samples, without_light
from poradek_vision.mark.pictures import Float32Array, FloatArray, U8Array

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What places are looked at with.

    Attributes
    ----------
    ink : ndarray of shape (H, W), uint8
        How dark each pixel is against the light on it.
    count : int
        How many codes there may be.
    blur : Blur
    per_module : int
        Samples along a module: 1 or 2.
    wander : float
        As for :func:`without_light`.
    prior : Prior, optional
        What is known of places besides the ink.
    """

    ink: U8Array
    count: int
    blur: Blur
    per_module: int
    wander: float = 0.0
    prior: Prior | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """What is known of places before the ink is looked at.

    Attributes
    ----------
    foreign : ndarray of shape (H, W), uint8
        How far each pixel is from the colour of the stickers of its picture: 0 of it, 255 as far as grey or farther.
    side : float
        Of a usual code, px.
    """

    foreign: U8Array
    side: float

    def against(self, places: FloatArray) -> FloatArray:
        """What speaks against places (..., 4), as a correlation: a rim of another colour, and an unusual size."""
        rims = remap(self.foreign, sample_points(places.reshape(-1, 4), to_rim())).mean(-1) / 255
        growth = np.log(np.maximum(places[..., 2], 1.0) / self.side)
        return np.asarray(_FOREIGN * rims.reshape(growth.shape) + _ODD_SIZE * growth**2, np.float64)


_FOREIGN = 0.4
"""A correlation: so much speaks against a place whose rim has nothing of its sticker's colour."""
_ODD_SIZE = 8.0
"""So much, times the square of the logarithm, against an unusual size: 0.08 against a tenth more."""


@dataclass(frozen=True, slots=True, eq=False)
class Fits:
    """The best place of each sticker (N, 4), its correlation less what speaks against it (N,), and its layout (N,)."""

    places: FloatArray
    best: FloatArray
    layout: Indices

    def with_better(self, at: Indices, other: Fits) -> Fits:
        """These, with those of some stickers where they are better."""
        places, best, layout = self.places.copy(), self.best.copy(), self.layout.copy()
        better = other.best > best[at]
        for mine, theirs in ((places, other.places), (best, other.best), (layout, other.layout)):
            mine[at[better]] = theirs[better]
        return Fits(places, best, layout)


def moves(shifts: Sequence[float], growths: Sequence[float], turns: Sequence[float]) -> FloatArray:
    """Every combination of moves of a place, (M, 4): x, y and growth in sides, turn in degrees."""
    x, y, growth, turn = np.meshgrid(shifts, shifts, growths, turns, indexing="ij")
    return np.stack([x, y, growth, turn], -1).reshape(-1, 4)


def moved(places: FloatArray, steps: FloatArray) -> FloatArray:
    """Places (N, 4), each moved in every way (M, 4), as (N, M, 4)."""
    side = places[:, None, 2:3]
    return np.asarray(places[:, None] + steps * np.concatenate([side, side, side, np.ones_like(side)], -1), np.float64)


def best_of(look: Look, places: FloatArray) -> Fits:
    """The best of some places (N, M, 4) of each sticker."""
    at_once = max(1, _AT_ONCE // places.shape[1])
    parts = []
    for start in range(0, len(places), at_once):
        some = slice(start, start + at_once)
        samples = light_free(look, places[some])
        strengths = responses(look, samples, places[some, 0, 3])
        lengths = np.sqrt((samples**2).sum(-1))
        fits = strengths.max(-1) / np.maximum(lengths, FLAT * look.per_module)
        if look.prior:
            fits = fits - look.prior.against(places[some])
        k, rows = fits.argmax(1), np.arange(len(fits))
        parts.append(Fits(places[some][rows, k], fits[rows, k].astype(np.float64), strengths[rows, k].argmax(-1)))
    return Fits(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("places", "best", "layout")))


def best_near(look: Look, places: FloatArray) -> Fits:
    """The best place near each of some (N, 4) that are roughly known: first moved, then turned and grown."""
    return best_of(look, moved(best_of(look, moved(places, _SHIFTS)).places, _TURNS_AND_GROWTHS))


_SHIFTS = moves((-0.09, 0.0, 0.09), (0.0,), (0.0,))
_TURNS_AND_GROWTHS = moves((0.0,), (-0.08, 0.0, 0.08), (-5.0, 0.0, 5.0))
_AT_ONCE = 4000
"""Places looked at together: some megabytes."""


FLAT = 6.2
"""Of the samples' length, one a module: where the ink is as even there is nothing to correlate with, grey values."""


def searched(look: Look, middles: FloatArray, side: float, reach: float) -> FloatArray:
    """Codes of about one side, looked for all round some middles (N, 2), as far as ``reach``, px, and in every turn.

    Returns
    -------
    ndarray of shape (turns, N, 4), float64
        The best place of each sticker in each turn, those that fit better first.
    """
    shifts = np.linspace(-reach / side, reach / side, 1 + 2 * round(reach / side / _COARSE_SIDES)).tolist()

    def search(turn: float) -> Fits:
        start = np.column_stack([middles, *np.full((2, len(middles)), [[side], [turn]])])
        return best_near(look, best_of(look, moved(start, moves(shifts, (0.0,), (0.0,)))).places)

    found = [search(float(turn)) for turn in np.arange(0, 90, _COARSE_DEG)]
    order = np.argsort(-np.stack([fits.best for fits in found]), axis=0)
    return np.take_along_axis(np.stack([fits.places for fits in found]), order[..., None], 0)


_COARSE_SIDES, _COARSE_DEG = 0.17, 15.0
"""Steps of a search all over a cell: a module, and what turns the border by half of one."""


def polished(look: Look, places: FloatArray, rounds: int = 2) -> Fits:
    """Places (N, 4) moved to where their best layout fits best, by least squares on the ink's slopes."""
    fits = best_of(look, places[:, None])
    for _ in range(rounds):
        again = best_of(look, step(look, fits))
        fits = fits.with_better(np.arange(len(places)), again)
    return fits


def step(look: Look, fits: Fits) -> FloatArray:
    """One step of Lucas and Kanade: ink + slopes · move = darkness · layout, what light does taken out."""
    nudged = moved(fits.places, np.vstack([np.zeros(4), np.diag(_NUDGE)]))
    samples = light_free(look, nudged)
    here, slopes = samples[:, 0], samples[:, 1:] - samples[:, :1]
    terms = np.concatenate([-slopes, targets(look, fits)[:, None]], 1)
    normal = (terms @ terms.transpose(0, 2, 1)).astype(np.float64) + 1e-6 * np.eye(5)
    nudges = np.linalg.solve(normal, terms @ here[..., None])[:, :4, 0].clip(-_MOST_NUDGES, _MOST_NUDGES)
    return moved(fits.places, (nudges * _NUDGE)[:, None])


_NUDGE = np.array([0.03, 0.03, 0.03, 1.5])
"""In sides and degrees, as moves are: over such steps slopes of ink are taken."""
_MOST_NUDGES = 2.5


def targets(look: Look, fits: Fits) -> Float32Array:
    """The layouts with which places fit, each of length 1, (N, S)."""
    target = np.empty((len(fits.places), len(sample_steps(look.per_module))), np.float32)
    for mine, columns in _by_direction(look, fits.places[:, 3]):
        target[mine] = columns[:, fits.layout[mine]].T
    return target


def responses(look: Look, samples: Float32Array, turns: FloatArray) -> Float32Array:
    """How much of each layout is in samples (N, M, S) of places turned like that (N,): (N, M, 4 * count)."""
    parts = list(_by_direction(look, turns))
    if len(parts) == 1:
        return np.asarray(samples @ parts[0][1], np.float32)
    found = np.empty((*samples.shape[:2], TURNS * look.count), np.float32)
    for mine, columns in parts:
        found[mine] = samples[mine] @ columns
    return found


def _by_direction(look: Look, turns: FloatArray) -> Iterator[tuple[npt.NDArray[np.bool_], Float32Array]]:
    """Which of the codes turned like that are smeared in one direction of their own frames, and their layouts."""
    directions = _relative(look.blur, turns)
    for direction in np.unique(directions).tolist():
        blur = Blur(look.blur.soft, look.blur.smear, direction)
        yield directions == direction, layouts(look.count, look.per_module, blur, look.wander)


def _relative(blur: Blur, turns: FloatArray) -> FloatArray:
    """The directions of a smear in the frames of codes turned like that, to the nearest of the eight."""
    if not blur.smear:
        return np.zeros(len(turns))
    return np.asarray(np.round((blur.direction_deg - turns) / 22.5) * 22.5 % 180, np.float64)


def light_free(look: Look, places: FloatArray) -> Float32Array:
    """The ink at the samples of places (..., 4), free of what light does, (..., S)."""
    ink = remap(look.ink, sample_points(places.reshape(-1, 4), to_samples(look.per_module))).astype(np.float32)
    return without_light(ink.reshape(*places.shape[:-1], -1), look.wander)


def sample_points(places: FloatArray, leading: Float32Array) -> Float32Array:
    """Where :func:`to_samples` or :func:`to_rim`, (4, 2 * S), lead from places (N, 4), (N, S, 2) px."""
    x, y, side, turn = places.astype(np.float32).T
    cos, sin = np.cos(np.deg2rad(turn)) * side, np.sin(np.deg2rad(turn)) * side
    return np.asarray(np.stack([x, y, cos, sin], -1) @ leading, np.float32).reshape(len(x), -1, 2)
