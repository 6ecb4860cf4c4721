"""How dark a board is, pixel by pixel, against the light on it: in general, and as a sticker's colour shows it best.

Black stands out of a red sticker in red, of a blue one hardly in any channel, and JPEG blurs what is not brightness.
What the codes of one colour show on a board tells which mixture of channels says most.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import remap
from poradek_vision.mark.codes.layouts import to_rim
from poradek_vision.mark.codes.places import Fits, Look, light_free, sample_points, targets
from poradek_vision.mark.pictures import Float32Array, FloatArray, U8Array


def dark(pixels: U8Array, light_px: float) -> U8Array:
    """How dark each pixel is against what surrounds it, in the channel that is brightest there.

    Black is dark in all channels, a sticker never: red is bright in red. What surrounds it is bright right up to the
    edge of a shade, which a blur would smear (closing: Serra 1982).

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
    light_px : float
        What is dark and narrower than this is ink; wider, it may be a sticker or a shade.

    Returns
    -------
    ndarray of shape (h, w), uint8
        0 bare, 255 black.
    """
    red, green, blue = cv2.split(pixels)
    return _dark(np.asarray(cv2.max(cv2.max(red, green), blue), np.uint8), light_px)


def dark_grey(pixels: U8Array, light_px: float) -> U8Array:
    """How dark each pixel is against what surrounds it in brightness, as :func:`dark`: JPEG keeps that sharp."""
    return _dark(np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8), light_px)


def _dark(channel: U8Array, light_px: float) -> U8Array:
    """How dark one channel is against what surrounds it."""
    side = round(light_px) | 1
    around = cv2.morphologyEx(channel, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    share = cv2.divide(np.maximum(channel, _VEIL), np.maximum(around, _VEIL), scale=255)
    return np.asarray(255 - share, np.uint8)


_VEIL = 4
"""Grey value: what is darker is taken for no darker, or the noise of black corners would look like ink."""


@dataclass(frozen=True, slots=True, eq=False)
class CodeInks:
    """The ink of a board as each colour of stickers shows it best, one picture under the other. Heavy.

    Attributes
    ----------
    ink : ndarray of shape (K * height, w), uint8
    height : int
        Of one picture with the gaps above and below it, px.
    picture : ndarray of shape (N,), int
        Which picture is each sticker's.
    """

    ink: U8Array
    height: int
    picture: npt.NDArray[np.int64]

    def into(self, places: FloatArray) -> FloatArray:
        """Points or places (N, 2 or more) of the board as they lie in each sticker's picture."""
        return self._shifted(places, 1)

    def onto_board(self, places: FloatArray) -> FloatArray:
        """Places in the stickers' pictures as they lie on the board."""
        return self._shifted(places, -1)

    def _shifted(self, places: FloatArray, times: int) -> FloatArray:
        """Places moved down, or up, by where each sticker's picture begins."""
        shifted = places.copy()
        shifted[:, 1] += times * (self.picture * self.height + _GAP_PX)
        return shifted


def inks_of(pixels: U8Array, colours: npt.NDArray[np.str_], look: Look, fits: Fits, light_px: float) -> CodeInks:
    """Mix the channels so that codes stand out most from what is no code, for each colour.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
    colours : ndarray of shape (N,)
        Of the stickers.
    look : Look
        With the plain ink, which colours with few stickers keep.
    fits : Fits
        Where codes are; of each colour the better half is believed.
    light_px : float
        As for :func:`dark`.

    References
    ----------
    Fisher, The use of multiple measurements in taxonomic problems, Annals of Eugenics 7 (1936): the mixture.
    """
    channels = np.dstack([_dark(np.ascontiguousarray(pixels[..., k]), light_px) for k in range(3)])
    codes = targets(look, fits).astype(np.float64)
    shown = np.stack([_shown(channels[..., k], look, fits) for k in range(3)], -1)
    kinds, which = np.unique(colours, return_inverse=True)
    pictures = [look.ink]
    picture = np.zeros(len(colours), np.int64)
    for kind in range(len(kinds)):
        mine = np.flatnonzero(which == kind)
        if len(mine) >= _FEW:
            good = mine[np.argsort(-fits.best[mine])[: (len(mine) + 1) // 2]]
            picture[mine] = len(pictures)
            pictures.append(_mixed(channels, _mixture(shown[good], codes[good])))
    return CodeInks(_stacked(pictures), len(look.ink) + 2 * _GAP_PX, picture)


def foreign_of(pixels: U8Array, inks: CodeInks, fits: Fits, paper: FloatArray) -> U8Array:
    """How far each pixel is from the colour of the stickers of each picture of ink.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        Of the board.
    inks : CodeInks
    fits : Fits
        Codes in those pictures; of each picture the better half is believed.
    paper : ndarray of shape (M, 2)
        Points of the board most of which show paper, px.

    Returns
    -------
    ndarray of shape (K * height, w), uint8
        Laid out as the ink is: 0 of that colour, 255 as far from it as paper or farther.
    """
    small = np.asarray(cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)
    chroma = _chroma(small)
    white = np.median(_chroma(remap(pixels, paper.astype(np.float32)[None])), axis=(0, 1))
    rims = np.median(rims_of(pixels, inks.onto_board(fits.places)), axis=1)
    pictures = []
    for k in range(len(inks.ink) // inks.height):
        mine = np.flatnonzero(inks.picture == k)
        good = mine[np.argsort(-fits.best[mine])[: (len(mine) + 1) // 2]]
        usual = np.median(rims[good], 0) if len(good) else white
        away = np.linalg.norm(chroma - usual.astype(np.float32), axis=-1)
        share = away * np.float32(255 / max(float(np.linalg.norm(white - usual)), _NEAR_PAPER))
        pictures.append(cv2.resize(share.clip(0, 255).astype(np.uint8), pixels.shape[1::-1]))
    return _stacked(pictures)


_NEAR_PAPER = 0.04
"""Colours nearer to paper than this are not told from it."""


def _chroma(rgb: npt.NDArray[np.generic]) -> Float32Array:
    """Colours (..., 3) as shares of the channels."""
    seen = np.asarray(rgb, np.float32)
    return np.asarray(seen / np.maximum(seen.sum(-1, keepdims=True), np.float32(_DIM)), np.float32)


def rims_of(pixels: U8Array, places: FloatArray) -> FloatArray:
    """What surrounds codes at places of the board, as shares of the channels, (N, 60, 3)."""
    return _chroma(remap(pixels, sample_points(places, to_rim()))).astype(np.float64)


def greyness(chroma: npt.NDArray[np.floating]) -> FloatArray:
    """How far a colour is from grey."""
    return np.asarray(np.maximum(np.linalg.norm(chroma - 1 / 3, axis=-1), _GREY), np.float64)


_DIM = 24.0
"""Sum of the channels below which no colour is told."""
_GREY = 0.15
"""Colours nearer to grey than this are not told from paper."""


def _stacked(pictures: list[U8Array]) -> U8Array:
    """Pictures one under the other, with gaps."""
    return np.vstack([cv2.copyMakeBorder(one, _GAP_PX, _GAP_PX, 0, 0, cv2.BORDER_REPLICATE) for one in pictures])


_GAP_PX = 24
"""Edge repeated above and below a picture, so that no sample falls into the next."""
_FEW = 4
"""From fewer stickers nothing is learned about their colour."""


def _shown(channel: U8Array, look: Look, fits: Fits) -> FloatArray:
    """What one channel shows of each code, (N, S)."""
    view = replace(look, ink=np.ascontiguousarray(channel))
    return light_free(view, fits.places[:, None])[:, 0].astype(np.float64)


def _mixture(shown: FloatArray, codes: FloatArray) -> FloatArray:
    """Weights (3,) of the channels, from what they show (n, S, 3) of codes (n, S)."""
    strengths = np.einsum("nsc,ns->nc", shown, codes)
    rest = shown - codes[..., None] * strengths[:, None]
    noise = np.einsum("nsc,nsd->cd", rest, rest) / rest[..., 0].size
    typical = np.median(strengths, 0)
    weights = np.linalg.solve(noise + np.eye(3) * (1 + _RIDGE * np.trace(noise)), typical)
    usual = float(weights @ typical) / np.sqrt(codes.shape[1])
    return np.asarray(weights * (_STANDS_OUT / max(usual, 1e-9)), np.float64)


_RIDGE = 0.02
_STANDS_OUT = 30.0
"""Grey values (standard deviation) by which codes stand out of a mixed picture."""


def _mixed(channels: U8Array, weights: FloatArray) -> U8Array:
    """One picture of three channels; an even ground lies at a quarter of the scale, as noise goes both ways."""
    return np.asarray(cv2.transform(channels, np.array([[*weights, _GROUND]])), np.uint8)


_GROUND = 64.0
