"""How far colours lie from paper and from each colour of a palette, in any shade and under any veil of gloss."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poradek_vision.colour import FloatArray, delta_e, lab_from_reflectance, reflectance_from_lab
from poradek_vision.model import Palette

WHITE: FloatArray = np.ones(3)
"""White paper's own reflectance, against white paper."""
WHITE.setflags(write=False)


@dataclass(frozen=True, slots=True)
class SampleSettings:
    """Numbers of sampling, each with its unit."""

    core_cells: float = 0.46
    full_cells: float = 0.26
    """The window of a cell: half its width, and half of the part that counts fully. A sticker of the neighbour seldom
    reaches the middle; one of the cell nearly always covers it."""
    shades: tuple[float, ...] = (0.3, 0.5, 0.75, 1.0, 1.3)
    """Share of the paper's light that may fall on a sticker where a shade edge runs between them."""
    shade_delta: float = 8.0
    """Cost in delta E of a shade that differs from the paper's by a factor e."""
    veils: tuple[float, ...] = (0.2, 0.4, 0.6)
    """Share of white light that a gloss may lay over a sticker."""
    veil_delta: float = 15.0
    """Cost in delta E of a veil of 1."""
    deepest_shade: tuple[float, float, float] = (0.17, 0.28, 0.45)
    """Light of a deep blue sky alone as a share of that of sun and sky, red, green and blue."""
    blue_shade_delta: float = 12.0
    """Cost in delta E of such a shade at its deepest."""
    lightness_weight: float = 0.5
    """What a difference in lightness counts against one in a or b, for single samples."""
    dark_reflectance: float = 0.07
    """What reflects less in every channel is ink or dirt, no sticker; in a game with black stickers less yet."""
    inked_reflectance: float = 0.5
    """What is neutral and reflects less than this share of the paper's light is written or printed rather than pale."""
    odd_delta: float = 40.0
    odd_difference: float = 16.0
    """A sample farther than the first from paper and every colour is something else, if the mean of all such in its box
    also differs from each by more than the second, CIEDE2000: CIELAB overstates how far apart pure blues lie."""
    clipped_light: float = 0.96
    """Light (linear) that may have been more: 251 of 255 and above."""
    glare_reflectance: float = 1.15
    """What reflects more than this in every channel is brighter than paper: a glare."""


def distances(lab: FloatArray, palette: Palette, settings: SampleSettings, stock: FloatArray = WHITE) -> FloatArray:
    """Distance of samples to paper and to each colour: the least over all shades, with their cost.

    Parameters
    ----------
    lab : ndarray of shape (N, 3)
    palette : Palette
    settings : SampleSettings
    stock : ndarray of shape (3,)
        The paper's own reflectance against white paper.

    Returns
    -------
    ndarray of shape (N, 1 + colours)
    """
    reference, cost = references(palette, settings, stock)
    weight = np.array([settings.lightness_weight, 1.0, 1.0], np.float32)
    points, centres = (lab * weight).astype(np.float32), (reference * weight).reshape(-1, 3).astype(np.float32)
    apart = (-2 * centres) @ points.T  # samples run along the last axis: then the least over shades is fast
    apart += (centres**2).sum(1)[:, None]
    apart += np.einsum("nk,nk->n", points, points)
    np.sqrt(np.maximum(apart, 0, out=apart), out=apart)
    apart += cost.reshape(-1, 1).astype(np.float32)
    nearest: FloatArray = apart.reshape(*cost.shape, -1).min(1).T
    return nearest


def differences(
    lab: FloatArray, palette: Palette, settings: SampleSettings, stock: FloatArray = WHITE
) -> tuple[FloatArray, FloatArray]:
    """CIEDE2000 of colours to paper and to each colour, over all shades and veils with their cost.

    Parameters
    ----------
    lab : ndarray of shape (N, 3)
    palette : Palette
    settings : SampleSettings
    stock : ndarray of shape (3,)
        The paper's own reflectance against white paper.

    Returns
    -------
    apart : ndarray of shape (N, 1 + colours)
    veil : ndarray of shape (N, 1 + colours)
        The veil under which each explains the sample best.
    """
    reference, cost = references(palette, settings, stock)
    apart = delta_e(lab[:, None, None], reference) + cost
    veils = np.concatenate([np.zeros(len(settings.shades)), settings.veils])
    nearest = apart.min(-1)
    blue, blue_cost = _blue_shades(stock, settings)
    nearest[:, 0] = np.minimum(nearest[:, 0], (delta_e(lab[:, None], blue) + blue_cost).min(-1))
    return nearest, veils[apart.argmin(-1)]


def _blue_shades(stock: FloatArray, settings: SampleSettings) -> tuple[FloatArray, FloatArray]:
    """CIELAB (depths, 3) and cost (depths,) of paper in blue shade under a white from the sun.

    They lie on the line to the deepest, bluest shade. Where the light was found as it should be there are none left.
    """
    depth = np.array([0.3, 0.6, 0.9])
    lab = lab_from_reflectance(stock * (1 - depth[:, None] * (1 - np.array(settings.deepest_shade))))
    return lab, settings.blue_shade_delta * depth


def references(palette: Palette, settings: SampleSettings, stock: FloatArray = WHITE) -> tuple[FloatArray, FloatArray]:
    """CIELAB of paper and of every colour of a palette, in every shade and under every veil.

    Parameters
    ----------
    palette : Palette
    settings : SampleSettings
    stock : ndarray of shape (3,)
        The paper's own reflectance against white paper.

    Returns
    -------
    lab : ndarray of shape (1 + colours, shades + veils, 3)
        Paper first, then the palette's entries in order.
    cost : ndarray of shape (1 + colours, shades + veils)
        What choosing a shade or veil costs, in delta E; infinite for veils of paper.
    """
    reflectance = np.concatenate([stock[None], reflectance_from_lab([entry.centre for entry in palette.entries])])
    shades, veils = np.array(settings.shades), np.array(settings.veils)
    shaded = reflectance[:, None] * shades[:, None]
    veiled = reflectance[:, None] * (1 - veils[:, None]) + veils[:, None]
    cost = np.concatenate([settings.shade_delta * np.abs(np.log(shades)), settings.veil_delta * veils])
    costs = np.tile(cost, (len(reflectance), 1))
    costs[0, len(shades) :] = np.inf
    return lab_from_reflectance(np.concatenate([shaded, veiled], axis=1)), costs
