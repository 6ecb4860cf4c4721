"""Look for printed edges and lines near where a surface says they are, along short profiles across them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.frame import BAR, Sites
from poradek_vision.find.surface import Sightings, Surface
from poradek_vision.geometry import FloatArray, remap

Grey = npt.NDArray[np.uint8]

_EDGE_CONTRAST = 0.18
"""Least step of an edge, as a share of the white beside it; black ink leaves 0.5–0.9, deep shade edges 0.3."""
_BAR_CONTRAST = 0.03
"""Least depth of a line, as a share of the white beside it: a 0.6 mm line blurred over 3 mm leaves 0.1."""
_BAR_GAP, _BAR_FLANK = 0.05, 0.05
"""Between a line and its flanks, so that blur does not fill it, and width of the flanks; cells."""
_BAR_NOISES = 2.5
"""The same in median steps from one pixel to the next."""


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """Two grey pictures (H, W) uint8 of a photo.

    ``grey`` shows edges with the least noise. In ``darkest``, each pixel's darkest channel, thin lines survive where
    the light has clipped the others.
    """

    grey: Grey
    darkest: Grey


def views(rgb: npt.NDArray[np.uint8]) -> Views:
    """The two views of a photo's pixels (H, W, 3), RGB."""
    red, green, blue = cv2.split(rgb)
    darkest = cv2.min(cv2.min(red, green), blue)
    return Views(np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), np.uint8), np.asarray(darkest, np.uint8))


def sight(pictures: Views, surface: Surface, sites: Sites, reach_cells: float) -> Sightings:
    """Search each site's profile for its edge or line.

    1. ``profiles``: grey values across each site, one sample a pixel, ``reach_cells`` to both sides.
    2. ``response``: for an edge the mean of its light side minus that of its dark side; for a line the darker of its
       flanks minus its middle, so that a sticker's edge, which has one dark flank, gives nothing. Lines are looked
       for in both views, and the one with more contrast counts.
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
    edges, bars = sites.where(sites.kind != BAR), sites.where(sites.kind == BAR)
    seen_edges = _Peaks.of(pictures.grey, surface, edges, reach_cells)
    seen_bars = _Peaks.of(pictures.grey, surface, bars, reach_cells)
    other = _Peaks.of(pictures.darkest, surface, bars, reach_cells)
    better = other.contrast / np.maximum(other.least, 1e-9) > seen_bars.contrast / np.maximum(seen_bars.least, 1e-9)
    return seen_edges.sightings(edges, 1.0) + seen_bars.merged(other, better).sightings(bars, 0.6)


@dataclass(frozen=True, slots=True, eq=False)
class _Peaks:
    """The best response on each of N profiles: where (N, 2) px, its contrast, and the least contrast that counts."""

    points: FloatArray
    contrast: FloatArray
    least: FloatArray

    @staticmethod
    def of(picture: Grey, surface: Surface, sites: Sites, reach: float) -> _Peaks:
        """Search the profiles of all sites in one picture."""
        if not len(sites):
            return _Peaks(np.zeros((0, 2)), np.zeros(0), np.zeros(0))
        ends, px_per_cell = _profile_ends(surface, sites, reach)
        inside = np.all((ends > 1) & (ends < np.array(picture.shape[::-1]) - 2), axis=(1, 2))
        half = max(4, round(float(np.median(px_per_cell)) * reach))
        t = np.linspace(-1, 1, 2 * half + 1)
        profiles = remap(picture, _along(ends, t)).astype(np.float64)
        response, dark = _responses(profiles, sites, half / reach)
        score = response * (1 - 0.4 * t**2)
        best = np.clip(score.argmax(1), 1, 2 * half - 1)
        each = np.arange(len(sites))
        white = np.maximum(np.percentile(profiles, 90, axis=1), 8.0)
        noise = np.median(np.abs(np.diff(profiles, axis=1)), axis=1) / white
        least = np.where(sites.kind == BAR, np.maximum(_BAR_CONTRAST, _BAR_NOISES * noise), _EDGE_CONTRAST)
        contrast = np.where(inside & (dark[each, best] < 0.8 * white), response[each, best] / white, 0.0)
        at = (best + _parabola(score, best) - half) / half
        return _Peaks(_along(ends, at[:, None])[:, 0], contrast, least)

    def merged(self, other: _Peaks, other_is_better: npt.NDArray[np.bool_]) -> _Peaks:
        """The better of two searches, site by site."""
        return _Peaks(
            np.where(other_is_better[:, None], other.points, self.points),
            np.where(other_is_better, other.contrast, self.contrast),
            np.where(other_is_better, other.least, self.least),
        )

    def sightings(self, sites: Sites, trust: float) -> Sightings:
        """What stands out enough, weighted by how much."""
        on = self.contrast > self.least
        strength = trust * np.minimum(1.0, self.contrast[on] / (3 * self.least[on]))
        return Sightings(self.points[on], sites.axis[on], _known(sites)[on], strength)


def _known(sites: Sites) -> FloatArray:
    """The board coordinate that each site fixes."""
    known: FloatArray = sites.points[np.arange(len(sites)), sites.axis]
    return known


def _profile_ends(surface: Surface, sites: Sites, reach: float) -> tuple[FloatArray, FloatArray]:
    """Photo points (N, 3, 2) of each profile's start, middle and end, and px per cell along it (N,)."""
    step = np.zeros((len(sites), 3, 2))
    step[np.arange(len(sites)), :, sites.axis] = np.array([-reach, 0, reach])
    ends = surface.photo(sites.points[:, None] + step)
    return ends, np.hypot(*(ends[:, 2] - ends[:, 0]).T) / (2 * reach)


def _along(ends: FloatArray, t: FloatArray) -> FloatArray:
    """Photo points at -1 ≤ t ≤ 1 on the parabola through each profile's three points: (N, L, 2)."""
    t = np.broadcast_to(t, (len(ends), t.shape[-1]))[..., None]
    first, middle, last = ends[:, None, 0], ends[:, None, 1], ends[:, None, 2]
    return middle + t * (last - first) / 2 + t**2 * (first + last - 2 * middle) / 2


def _responses(profiles: FloatArray, sites: Sites, px: float) -> tuple[FloatArray, FloatArray]:
    """Response of each profile's filter, and how dark the dark part is, at every sample: both (N, L)."""
    response, dark = np.empty_like(profiles), np.empty_like(profiles)
    for kind in (-1, 1):
        on = np.flatnonzero(sites.kind == kind)
        if len(on):
            side = max(2, round(float(np.median(sites.width[on])) * px * 0.7))
            before, after = _box(profiles[on], -side, 0), _box(profiles[on], 1, side + 1)
            response[on] = (before - after) * kind
            dark[on] = after if kind > 0 else before
    on = np.flatnonzero(sites.kind == BAR)
    if len(on):
        core = max(0, round((float(np.median(sites.width[on])) * px - 1) / 2))
        gap = core + max(2, round(_BAR_GAP * px))
        flank = gap + max(2, round(_BAR_FLANK * px))
        middle = _box(profiles[on], -core, core + 1)
        left, right = _box(profiles[on], -flank, -gap + 1), _box(profiles[on], gap, flank + 1)
        response[on] = np.minimum(left, right) - middle
        dark[on] = middle
    return response, dark


def _box(profiles: FloatArray, start: int, stop: int) -> FloatArray:
    """Mean over samples i+start … i+stop-1 at every sample i; the profile's ends are repeated."""
    pad = max(abs(start), abs(stop)) + 1
    padded = np.pad(profiles, ((0, 0), (pad, pad)), mode="edge")
    total = np.concatenate([np.zeros((len(profiles), 1)), padded.cumsum(1)], axis=1)
    i = np.arange(profiles.shape[1]) + pad
    mean: FloatArray = (total[:, i + stop] - total[:, i + start]) / (stop - start)
    return mean


def _parabola(score: FloatArray, best: npt.NDArray[np.intp]) -> FloatArray:
    """Offset of the vertex of the parabola through the best sample and its neighbours, in samples, within ±0.5."""
    each = np.arange(len(score))
    a, b, c = score[each, best - 1], score[each, best], score[each, best + 1]
    curve = a - 2 * b + c
    offset = np.where(curve < -1e-9, (a - c) / (2 * np.minimum(curve, -1e-9)), 0.0)
    return np.clip(offset, -0.5, 0.5)
