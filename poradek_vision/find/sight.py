"""Look for printed edges and lines near where a surface says they are, along short profiles across them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.frame import BAR, Sites
from poradek_vision.find.surface import NOTHING, Sightings, Surface
from poradek_vision.geometry import FloatArray, project, remap

Grey = npt.NDArray[np.uint8]
Profile = npt.NDArray[np.float32]

_EDGE_CONTRAST = 0.18
"""Least step of an edge, as a share of the white beside it; black ink leaves 0.5–0.9, deep shade edges 0.3."""
_PLAIN, _MOST_PLAIN = 2.0, 0.5
"""Where so many lines stand out by so many times the least contrast, the darkest channel is not asked."""
_INK = 0.8
"""What is brighter than this share of the white beside it is no printed black."""
_BAR_CONTRAST = 0.03
"""Least depth of a line, as a share of the white beside it: a 0.6 mm line blurred over 3 mm leaves 0.1."""
_BAR_GAP, _BAR_FLANK = 0.05, 0.05
"""Between a line and its flanks, so that blur does not fill it, and width of the flanks; cells."""
_BAR_NOISES = 2.5
"""The same in median steps from one pixel to the next."""


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """A photo's pixels, (H, W, 3) RGB and (H, W) grey, uint8."""

    rgb: npt.NDArray[np.uint8]
    grey: Grey


def views(rgb: npt.NDArray[np.uint8]) -> Views:
    """The two views of a photo's pixels (H, W, 3), RGB."""
    return Views(rgb, np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), np.uint8))


def sight(pictures: Views, surface: Surface, sites: Sites, reach_cells: float) -> Sightings:
    """Search each site's profile for its edge or line.

    1. ``profiles``: values across each site, one sample a pixel, ``reach_cells`` to both sides.
    2. ``response``: for an edge the mean of its light side minus that of its dark side; for a line the darker of its
       flanks minus its middle, so that a sticker's edge, which has one dark flank, gives nothing. Lines are looked
       for in grey and in the darkest channel, where they survive when light has clipped the others; the one with
       more contrast counts.
    3. The best response, nearer ones preferred, refined by a parabola.

    Parameters
    ----------
    pictures : Views
    surface : Surface
        Maps board cells to pixels of the pictures.
    sites : Sites
    reach_cells : float

    Returns
    -------
    Sightings
        Of the sites seen, in no particular order.
    """
    return _edges(pictures.grey, surface, sites.where(sites.kind != BAR), reach_cells) + _bars(
        pictures.rgb, surface, sites.where(sites.kind == BAR), reach_cells
    )


def _edges(grey: Grey, surface: Surface, sites: Sites, reach: float) -> Sightings:
    """Steps between light and dark."""
    if not len(sites):
        return NOTHING
    lines = _Profiles.across(surface, sites, reach, grey.shape)
    values = remap(grey, lines.points).astype(np.float32)
    side = max(2, round(float(np.median(sites.width)) * lines.px_per_cell * 0.7))
    before, after = _box(values, -side, side), _box(values, 1, side)
    white = _white(values)
    response = (before - after) * sites.kind[:, None]
    response[np.minimum(before, after) > _INK * white[:, None]] = 0
    at, contrast = lines.peak(response, white)
    return lines.sightings(sites, at, contrast, np.full(len(sites), _EDGE_CONTRAST), trust=1.0)


def _bars(rgb: npt.NDArray[np.uint8], surface: Surface, sites: Sites, reach: float) -> Sightings:
    """Dark lines between lighter sides."""
    if not len(sites):
        return NOTHING
    lines = _Profiles.across(surface, sites, reach, rgb.shape)
    colours = remap(rgb, lines.points).astype(np.float32)
    at, contrast, noise = _bar_peaks(lines, colours @ _GREY, sites)
    least = np.maximum(_BAR_CONTRAST, _BAR_NOISES * noise)
    faint = float(np.mean(contrast > _PLAIN * least)) < _MOST_PLAIN
    if not faint:
        return lines.sightings(sites, at, contrast, least, trust=0.6)
    other = _bar_peaks(lines, colours.min(-1), sites)
    other_least = np.maximum(_BAR_CONTRAST, _BAR_NOISES * other[2])
    better = other[1] * least > contrast * other_least
    return lines.sightings(
        sites,
        np.where(better, other[0], at),
        np.where(better, other[1], contrast),
        np.where(better, other_least, least),
        trust=0.6,
    )


_GREY = np.array([0.299, 0.587, 0.114], np.float32)


def _bar_peaks(lines: _Profiles, values: Profile, sites: Sites) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Place, contrast and noise of the best line on each profile."""
    px = lines.px_per_cell
    core = max(0, round((float(np.median(sites.width)) * px - 1) / 2))
    gap, flank = core + max(2, round(_BAR_GAP * px)), max(2, round(_BAR_FLANK * px)) + 1
    middle = _box(values, -core, 2 * core + 1)
    response = np.minimum(_box(values, -gap - flank + 1, flank), _box(values, gap, flank)) - middle
    white = _white(values)
    noise = np.median(np.abs(np.diff(values, axis=1)), axis=1) / white
    return *lines.peak(response, white), noise


def _white(values: Profile) -> FloatArray:
    """The bright end of each profile (N, L): (N,)."""
    few = values[:, ::2]
    at = few.shape[1] * 9 // 10
    white: FloatArray = np.maximum(np.partition(few, at, axis=1)[:, at], 8.0)
    return white


@dataclass(frozen=True, slots=True, eq=False)
class _Profiles:
    """N profiles across sites, L samples each.

    ``ends`` (N, 2, 2): start and end in photo px; ``t`` (L,): places of the samples, -1 … 1; ``points`` (N, L, 2) px;
    ``inside`` (N,): which lie wholly in the picture.
    """

    ends: FloatArray
    t: FloatArray
    points: FloatArray
    inside: npt.NDArray[np.bool_]
    px_per_cell: float

    @staticmethod
    def across(surface: Surface, sites: Sites, reach: float, shape: tuple[int, ...]) -> _Profiles:
        """Lay profiles across sites, one sample a pixel; over so short a way the surface's displacement is the same."""
        step = np.zeros((len(sites), 2, 2))
        step[np.arange(len(sites)), :, sites.axis] = np.array([-reach, reach])
        ends = project(surface.photo_from_flat, surface.flat(sites.points)[:, None] + step)
        inside = np.all((ends > 1) & (ends < np.array([shape[1], shape[0]]) - 2), axis=(1, 2))
        lengths = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
        half = max(4, round(float(np.median(lengths)) / 2))
        t = np.linspace(-1, 1, 2 * half + 1)
        return _Profiles(ends, t, _along(ends, t), inside, half / reach)

    def peak(self, response: Profile, white: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Place (-1 … 1) of the best response on each profile, and its contrast as a share of the white."""
        half = self.t.size // 2
        score = response * (1 - 0.4 * self.t**2).astype(np.float32)
        best = np.clip(score.argmax(1), 1, 2 * half - 1)
        contrast = np.where(self.inside, response[np.arange(len(response)), best] / white, 0.0)
        return (best + _parabola(response, best) - half) / half, contrast

    def sightings(
        self, sites: Sites, at: FloatArray, contrast: FloatArray, least: FloatArray, trust: float
    ) -> Sightings:
        """What stands out enough, weighted by how much."""
        on = contrast > least
        strength = trust * np.minimum(1.0, contrast[on] / (3 * least[on]))
        points = _along(self.ends[on], at[on, None])[:, 0]
        return Sightings(points, sites.axis[on], _known(sites)[on], strength)


def _known(sites: Sites) -> FloatArray:
    """The board coordinate that each site fixes."""
    known: FloatArray = sites.points[np.arange(len(sites)), sites.axis]
    return known


def _along(ends: FloatArray, t: FloatArray) -> FloatArray:
    """Photo points at -1 ≤ t ≤ 1 on each profile: (N, L, 2)."""
    t = np.broadcast_to(t, (len(ends), t.shape[-1]))[..., None]
    first, last = ends[:, None, 0], ends[:, None, 1]
    return (first + last) / 2 + t * (last - first) / 2


def _box(values: Profile, start: int, width: int) -> Profile:
    """Mean over samples i+start … i+start+width-1 at every sample i; the profile's ends are repeated."""
    pad = max(-start, 0)
    padded = cv2.copyMakeBorder(values, 0, 0, pad, max(start + width, 0), cv2.BORDER_REPLICATE)
    mean = cv2.blur(padded, (width, 1), anchor=(0, 0), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(mean, np.float32)[:, pad + start : pad + start + values.shape[1]]


def _parabola(response: Profile, best: npt.NDArray[np.intp]) -> FloatArray:
    """Offset of the vertex of the parabola through the best sample and its neighbours, in samples, within ±0.5."""
    each = np.arange(len(response))
    a, b, c = response[each, best - 1], response[each, best], response[each, best + 1]
    curve = a - 2 * b + c
    offset = np.where(curve < -1e-9, (a - c) / (2 * np.minimum(curve, -1e-9)), 0.0)
    kept: FloatArray = np.clip(offset, -0.5, 0.5)
    return kept
