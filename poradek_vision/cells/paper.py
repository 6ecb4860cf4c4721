"""Where a board without a printed frame most likely shows its paper, whatever that paper's colour and its light."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poradek_vision.colour import BoolArray, FloatArray, fill_white


@dataclass(frozen=True, slots=True)
class PaperSettings:
    """Numbers of guessing where paper is, each with its unit; set on 60 rendered photos of hand-made boards."""

    ring_cells: tuple[float, float] = (0.08, 0.75)
    """How far outside the grid paper is looked for."""
    corner_cells: float = 0.22
    """How far from a crossing, along both axes: stickers seldom reach there."""
    tone: float = 0.12
    """Width of a bin of tones, as a difference of log(R / B) or of log(G / sqrt(R B))."""
    least_share: float = 0.06
    kin_share: float = 0.3
    """A further tone is paper's too, under another light, if it takes this share of ring and corners, and this share of
    what the most usual tone takes."""
    least_bright: float = 0.2
    """Darker than this share of bright paper nothing is taken for it."""
    step: float = 0.2
    """Width of a bin of brightness, as a difference of its log."""
    shade_bright: tuple[float, float] = (0.04, 0.8)
    shade_blue: tuple[float, float] = (0.15, 1.0)
    shade_green: float = 0.15
    """In the shade of a clear sky paper keeps a seventh of its light and is bluer than in the sun. So what is so
    bright, as a share of most paper, is paper too if it differs from its usual tone so far towards blue, as a
    difference of log(R / B), at most so far towards green or magenta, and fills some of the corners. Blue stickers lie
    farther off, 1.7 at least; ground, lines and marks fill no corners."""
    alike_share: float = 0.01
    """What has a tone and a brightness that this share of the paper has is paper too."""


def likely_paper(
    light: FloatArray, u: FloatArray, v: FloatArray, size: tuple[int, int], ink: BoolArray, settings: PaperSettings
) -> tuple[BoolArray, BoolArray]:
    """Guess where paper is: in the tones that both the rim of the board and the corners of its cells show most.

    What lies around the paper shows in the rim alone, stickers mostly inside the grid alone; paper shows in both. In
    sun and shade, or where sun has clipped to white, it has several tones.

    Parameters
    ----------
    light : ndarray of shape (h, w, 3)
        Linear light.
    u, v : ndarray of shape (h, w)
        Board coordinates, cells.
    size : (int, int)
        Rows and columns.
    ink : ndarray of shape (h, w), bool
        Lines, and what lies outside the photo.
    settings : PaperSettings

    Returns
    -------
    known : ndarray of shape (h, w), bool
        Part of the rim and of the corners; never empty where any of them is seen.
    alike : ndarray of shape (h, w), bool
        Whatever looks like that, all over the picture.
    """
    rows, cols = size
    nearest, farthest = settings.ring_cells
    outside = np.maximum(np.maximum(-u, u - cols), np.maximum(-v, v - rows))
    ring = (outside > nearest) & (outside < farthest) & ~ink
    beside = np.maximum(np.abs(u - np.round(u)), np.abs(v - np.round(v)))
    corners = (outside < 0) & (beside < settings.corner_cells) & ~ink
    bright = light.max(-1)
    where = ring | corners
    where &= bright > settings.least_bright * np.percentile(bright[where], 80)
    tones = _tones(light, settings.tone)
    seen_ring, seen_corners = (_shares(tones[part & where]) for part in (ring, corners))
    common = np.minimum(seen_ring, seen_corners)
    if common.max() < settings.least_share:  # stickers cover every corner
        common = seen_ring
    usual = common >= max(settings.kin_share * float(common.max()), min(settings.least_share, float(common.max())))
    usually = usual[tones[..., 0], tones[..., 1]]
    known: BoolArray = where & usually
    shade = blue_shade(light, known, corners, ink, settings)
    known |= shade & (ring | corners)
    level = np.clip(np.rint(np.log(np.maximum(bright, 1e-3)) / settings.step) + _TONES - 1, 0, _TONES - 1)
    shades = np.stack([tones[..., 0] * _TONES + tones[..., 1], level.astype(np.intp)], -1)
    alike: BoolArray = shade | (usually & ~ink & _frequent(shades, known, settings.alike_share))
    return known, alike


def blue_shade(
    light: FloatArray, known: BoolArray, where: BoolArray, ink: BoolArray, settings: PaperSettings
) -> BoolArray:
    """Where paper lies in the shade of a clear sky, dark and blue.

    Light is averaged over the pixels next to it, of what is no ink: shade is noisy.

    Parameters
    ----------
    light : ndarray of shape (h, w, 3)
        Linear light.
    known : ndarray of shape (h, w), bool
        Paper, some of it in the sun.
    where : ndarray of shape (h, w), bool
        Where stickers seldom lie: unless enough of this is in the shade nothing is.
    ink : ndarray of shape (h, w), bool
        What is not to be judged.
    settings : PaperSettings

    Returns
    -------
    ndarray of shape (h, w), bool
    """
    mean = fill_white(light, ~ink, [_NEXT_PX])
    bright = light[known].max(-1)
    sun = np.median(light[known][bright >= np.percentile(bright, _SUNNY)], 0)
    ratio = mean / np.maximum(sun, 1e-3)
    red, green, blue = np.moveaxis(np.log(np.maximum(ratio, 1e-3)), -1, 0)
    shade: BoolArray = ~ink & _within(ratio.max(-1), settings.shade_bright) & _within(blue - red, settings.shade_blue)
    shade &= np.abs(green - (red + blue) / 2) < settings.shade_green
    shade &= np.abs(np.log(np.maximum(light, 1e-3) / np.maximum(mean, 1e-3))).max(-1) < _ALONE
    return shade if shade[where].mean() > settings.least_share else np.zeros_like(shade)


_NEXT_PX = 0.8
"""Over so many pixels, a standard deviation, the light of shade is averaged."""
_ALONE = 0.7
"""A pixel that differs from those next to it by more, as the log of a channel, is the rim of something else."""
_SUNNY = 75
"""From this percentile on the brightest paper lies in the sun."""


def _within(values: FloatArray, limits: tuple[float, float]) -> BoolArray:
    """Which values (h, w) lie between two limits."""
    inside: BoolArray = (values > limits[0]) & (values < limits[1])
    return inside


_TONES = 41
"""Bins along each axis of tones."""


def _tones(light: FloatArray, width: float) -> npt.NDArray[np.intp]:
    """The bin (h, w, 2) of each pixel's tone: from blue to yellow, and from magenta to green."""
    red, green, blue = np.moveaxis(np.log(np.maximum(light, 1e-3)), -1, 0)
    tone = np.stack([red - blue, green - (red + blue) / 2], -1) / width
    bins: npt.NDArray[np.intp] = np.clip(np.rint(tone) + _TONES // 2, 0, _TONES - 1).astype(np.intp)
    return bins


def _frequent(shades: npt.NDArray[np.intp], known: BoolArray, least: float) -> BoolArray:
    """Which pixels (h, w) have a tone and a level (h, w, 2) that at least a share of the known ones has."""
    counts = np.zeros((_TONES * _TONES, _TONES + 2))
    np.add.at(counts, (shades[known][:, 0], shades[known][:, 1] + 1), 1 / max(int(known.sum()), 1))
    shares = counts[:, :-2] + counts[:, 1:-1] + counts[:, 2:]
    frequent: BoolArray = shares[shades[..., 0], shades[..., 1]] >= least
    return frequent


def _shares(tones: npt.NDArray[np.intp]) -> FloatArray:
    """Share of the pixels (N, 2) in each bin and the eight round it."""
    counts = np.zeros((_TONES + 2, _TONES + 2))
    np.add.at(counts, (tones[:, 0] + 1, tones[:, 1] + 1), 1 / max(len(tones), 1))
    shares: FloatArray = np.lib.stride_tricks.sliding_window_view(counts, (3, 3)).sum((2, 3))
    return shares
