"""Look for printed edges and lines near where a surface says they are, along short profiles across them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from poradek_vision.find.frame import BAR, Sites
from poradek_vision.find.surface import Sightings, Surface
from poradek_vision.geometry import FloatArray, remap

_EDGE_CONTRAST = 0.18
"""Least step of an edge, as a share of the white beside it; black ink leaves 0.5–0.9, deep shade edges 0.3."""
_BAR_CONTRAST = 0.05
"""Least depth of a line, as a share of the white beside it: a 0.6 mm line blurred over 3 mm leaves 0.1."""


def sight(
    grey: npt.NDArray[np.uint8], surface: Surface, sites: Sites, reach_cells: float
) -> tuple[Sightings, npt.NDArray[np.bool_]]:
    """Search each site's profile for its edge or line.

    1. ``profiles``: grey values across each site, one sample a pixel, ``reach_cells`` to both sides.
    2. ``response``: for an edge the mean of its light side minus that of its dark side; for a line the darker of its
       flanks minus its middle, so that a sticker's edge, which has one dark flank, gives nothing.
    3. The best response, nearer ones preferred, refined by a parabola.

    Parameters
    ----------
    grey : ndarray of shape (H, W), uint8
    surface : Surface
        Maps board cells to pixels of ``grey``.
    sites : Sites
    reach_cells : float

    Returns
    -------
    Sightings
        Of the sites seen, in their order.
    seen : ndarray of shape (N,), bool
        Which sites those are.
    """
    ends, px_per_cell = _profile_ends(surface, sites, reach_cells)
    height, width = grey.shape
    inside = np.all((ends > 1) & (ends < [width - 2, height - 2]), axis=(1, 2))
    half = max(4, round(float(np.median(px_per_cell)) * reach_cells))
    t = np.linspace(-1, 1, 2 * half + 1)
    profiles = remap(grey, _along(ends, t)).astype(np.float64)
    px = half / reach_cells
    response, dark = _responses(profiles, sites, px)
    score = response * (1 - 0.4 * t**2)
    best = np.clip(score.argmax(1), 1, 2 * half - 1)
    each = np.arange(len(sites))
    white = np.maximum(np.percentile(profiles, 90, axis=1), 8.0)
    contrast = response[each, best] / white
    least = np.where(sites.kind == BAR, _BAR_CONTRAST, _EDGE_CONTRAST)
    seen = inside & (contrast > least) & (score.max(1) > 0) & (dark[each, best] < 0.8 * white)
    at = (best + _parabola(score, best) - half) / half
    points = _along(ends, at[:, None])[:, 0]
    strength = np.where(sites.kind == BAR, 0.6, 1.0) * np.minimum(1.0, contrast / (3 * least))
    return Sightings(points[seen], sites.axis[seen], _known(sites)[seen], strength[seen]), seen


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
        gap, flank = core + 2, core + 2 + max(2, round(0.05 * px))
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
