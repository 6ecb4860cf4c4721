"""How strong each code is at its own best place, near where the likeliest was found.

The likeliest code's place was moved until just that code fits best. Where little is seen others fit nearly as well at
places of their own, and a lead that is measured at the first one's place is too large.
"""

from __future__ import annotations

import numpy as np

from poradek_vision.mark.codes.layouts import TURNS
from poradek_vision.mark.codes.places import FLAT, Fits, Indices, Look, light_free, moved, moves, responses, step
from poradek_vision.mark.pictures import FloatArray

_AROUND = moves((-0.12, -0.06, 0.0, 0.06, 0.12), (-0.06, 0.0, 0.06), (-12.0, -6.0, 0.0, 6.0, 12.0))
"""Places tried for every code; a module is 0.17 sides."""
_POLISHED, _ROUNDS = 10, 2
"""So many codes, those that fit best, are moved on until they fit best, in so many steps."""


def rival_strengths(look: Look, places: FloatArray) -> FloatArray:
    """How strong each code is at its own best place near some places.

    Parameters
    ----------
    look : Look
        With all codes that may be rivals.
    places : ndarray of shape (N, 4)

    Returns
    -------
    ndarray of shape (N, TURNS * count), float64
        As :func:`responses`.
    """
    strengths = np.zeros((len(places), TURNS * look.count))
    for k, place in enumerate(places):
        around = moved(place[None], _AROUND)[0]
        fits, found = _fits(look, around)
        best = fits.argmax(0)
        codes: Indices = np.argsort(-fits.max(0))[:_POLISHED]
        strengths[k] = found[best, np.arange(len(best))]
        strengths[k, codes] = _polished(look, around[best[codes]], codes)
    return strengths


def _fits(look: Look, places: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Correlation of places (N, 4) with each layout, less what speaks against the place, and its strength, (N, L)."""
    samples = light_free(look, places[:, None])
    lengths = np.maximum(np.sqrt((samples[:, 0] ** 2).sum(-1)), FLAT * look.per_module)
    strengths = responses(look, samples, places[:, 3])[:, 0].astype(np.float64)
    fits = strengths / lengths[:, None]
    if look.prior:
        fits = fits - look.prior.against(places)[:, None]
    return fits, strengths.clip(0)


def _polished(look: Look, places: FloatArray, codes: Indices) -> FloatArray:
    """How strong codes (n,) are where they fit best when moved on from their places (n, 4)."""
    each = np.arange(len(codes))
    fits, strengths = (of_all[each, codes] for of_all in _fits(look, places))
    for _ in range(_ROUNDS):
        nudged = step(look, Fits(places, fits, codes))[:, 0]
        again, stronger = (of_all[each, codes] for of_all in _fits(look, nudged))
        better = again > fits
        places = np.where(better[:, None], nudged, places)
        fits, strengths = np.where(better, again, fits), np.where(better, stronger, strengths)
    return np.asarray(strengths, np.float64)
