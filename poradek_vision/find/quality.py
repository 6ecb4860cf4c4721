"""What is wrong with a photo as a whole: asked where no board is found in it, so that the retake comes out better."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from poradek_vision.geometry import FloatArray
from poradek_vision.model import Flag, GridFit, Photo


@dataclass(frozen=True, slots=True)
class QualitySettings:
    """Numbers of a photo's quality, each with its unit."""

    dark_grey: float = 45.0
    """Grey value (sRGB, 0-255) that the brightest fiftieth of a photo must reach."""
    bright_share: float = 0.5
    """Share of a photo that may be white as paper can't be."""
    blur_share: float = 0.0025
    """Blur, as a standard deviation, that the sharpest tenth of a photo's edges may have, in shares of its shorter
    side: half a millimetre on a sheet that fills the photo. Rendered photos have 0.0008 to 0.0018; blurred by 0.0025
    more their sheets were still found, by 0.005 none."""
    grey_spread: int = 6
    """Between a pixel's channels (sRGB, 0-255): fewer than one pixel in a thousand of a black and white photo has more.
    JPEG leaves 2 there; the noise of a camera in colour alone makes more than 6, and so does any sticker."""
    tone_spread: int = 32
    """The same, against the tone of the whole, in a photo of one tone, as sepia, whose board has been made smaller.
    Strong compression leaves 27 along edges; one sticker on a board of 12x12 is seven pixels in a thousand."""


def tell_quality(photo: Photo, settings: QualitySettings) -> Flag | None:
    """The plainest fault of a photo, if it has one: too dark, overexposed or blurred.

    Blur: an edge of height ``c`` blurred by a Gaussian of standard deviation ``s`` is nowhere steeper than
    ``c / (s * sqrt(2 * pi))``; height and steepness are looked for in short windows along rows and columns.

    Parameters
    ----------
    photo : Photo
    settings : QualitySettings
    """
    grey = _small(photo)
    if np.percentile(grey, 98) < settings.dark_grey:
        return Flag.UNDEREXPOSED
    if np.mean(grey >= _WHITE) > settings.bright_share:
        return Flag.OVEREXPOSED
    widths = np.concatenate([_edge_widths(grey), _edge_widths(grey.T)])
    if widths.size < _FEW_EDGES:  # light and dark without an edge between them, or nothing at all
        blurred = np.ptp(np.percentile(grey, [2, 98])) > _LEAST_CONTRAST
    else:
        blurred = np.percentile(widths, 10) > settings.blur_share * min(grey.shape)
    return Flag.BLURRED if blurred else None


def is_colourless(photo: Photo, settings: QualitySettings) -> bool:
    """Whether a photo is black and white: nothing can be told of its colours then, a yellow sticker is like paper.

    Parameters
    ----------
    photo : Photo
    settings : QualitySettings
    """
    some = photo.pixels[::_STEP_PX, ::_STEP_PX]
    return bool(np.mean(some.max(-1) - some.min(-1) > settings.grey_spread) < _FEW)


def is_toned(photo: Photo, grid: GridFit, settings: QualitySettings) -> bool:
    """Whether a board with stickers is seen in one tone alone, as in a sepia photo: there no colour can be told either.

    All is then lighter or darker, but its channels are to each other as the paper's; those of a sticker are not.

    Parameters
    ----------
    photo : Photo
    grid : GridFit
    settings : QualitySettings
    """
    corners = np.asarray(grid.crossings).reshape(-1, 2) * photo.scale
    first = np.maximum(np.floor(corners.min(0)).astype(int), 0)
    last = np.ceil(corners.max(0)).astype(int) + 1
    part = photo.pixels[first[1] : last[1], first[0] : last[0]]
    if min(part.shape[:2]) < 2:
        return False
    share = min(_TONED_PX / max(part.shape), 0.5)
    small = cv2.resize(part, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    seen = np.asarray(small, np.int64).reshape(-1, 3)
    tone = seen.sum(0) / max(int(seen.sum()), 1)
    away = seen - seen.sum(-1, keepdims=True) * tone
    return bool(np.mean(np.ptp(away, axis=-1) > settings.tone_spread) < _FEW)


_STEP_PX = 8
_FEW = 0.001
"""Share of the pixels of a colourless photo that may have colour."""
_TONED_PX = 200
"""Size in which tones are compared, half the board's at most: JPEG keeps colours at half their resolution."""
_SIDE_PX = 500
_WHITE = 250
_WINDOW_PX = 16
_LEAST_CONTRAST = 40.0
"""Grey values between an edge's sides; noise and texture stay below."""
_FEW_EDGES = 20


def _small(photo: Photo) -> FloatArray:
    """A photo in grey, its shorter side :data:`_SIDE_PX` at most."""
    grey = cv2.cvtColor(photo.pixels, cv2.COLOR_RGB2GRAY)
    by = min(1.0, _SIDE_PX / min(grey.shape))
    return np.asarray(cv2.resize(grey, None, fx=by, fy=by, interpolation=cv2.INTER_AREA), np.float64)


def _edge_widths(grey: FloatArray) -> FloatArray:
    """Standard deviation (px) of the blur of the strongest edge in each window along the rows, where there is one."""
    windows = np.lib.stride_tricks.sliding_window_view(grey[::4], _WINDOW_PX, axis=1)[:, :: _WINDOW_PX // 2]
    contrast = windows.max(-1) - windows.min(-1)
    steepest = np.abs(np.diff(windows, axis=-1)).max(-1)
    clear = contrast > _LEAST_CONTRAST
    widths: FloatArray = contrast[clear] / (steepest[clear] * np.sqrt(2 * np.pi))
    return widths
