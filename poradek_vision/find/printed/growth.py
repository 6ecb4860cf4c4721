"""Fit a printed sheet outwards from its fiducials, so that no line is ever taken for its neighbour."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poradek_vision.find.frame import Layout, Sites, fiducial_sites, join, line_sites, ruler_blocks, ruler_sites
from poradek_vision.find.printed.fiducials import search_tag
from poradek_vision.find.sight import Grey, Views, sight
from poradek_vision.find.surface import Sightings, Surface, corner_sightings, fit_surface, flat_surface, residuals
from poradek_vision.geometry import FloatArray, box_sums, fit_homography, remap
from poradek_vision.sheet import RULER_FAR, RULER_NEAR


@dataclass(frozen=True, slots=True)
class GrowthSettings:
    """Numbers of the fit, in cells of the board."""

    reach_first_cells: float = 0.3
    """How far from its expected place a line is looked for while the fit grows; below half a cell, so that the next
    line is never taken for this one."""
    reach_last_cells: float = 0.12
    """The same in the last rounds."""
    reach_only_cells: float = 0.16
    """The same where one look at all lines is enough."""
    scale_first_cells: float = 0.1
    """Residual at which a sighting counts half while the fit grows."""
    scale_last_cells: float = 0.02
    """The same at the end: about a line's width."""
    stiffness: float = 0.03
    """Cost of bending: the square of (noise of a sighting, 0.015 cells) over (bend of paper per cell, 0.07 cells)."""
    in_sight_share: float = 0.9
    """Share of the frame's edges seen within the first reach from which on the fit need not grow: edges that lie a
    cell off have light and dark the other way round, and are not seen."""
    like_tag: float = 0.6
    """Least correlation of a place with the tag that should be there."""
    large_cells: int = 8
    """Of larger grids the lines may lie farther from their places than a look reaches, where paper bulges between the
    borders: of smaller ones none did on 240 rendered sheets."""
    astray_share: float = 0.4
    """Share of :func:`astray` from which they are followed from the borders inwards."""


@dataclass(frozen=True, slots=True, eq=False)
class Growth:
    """A fitted sheet: its surface, the sightings it rests on, the corners whose fiducial was seen, its ``astray``."""

    surface: Surface
    sightings: Sightings
    corners: tuple[int, ...]
    astray: float


def grow(pictures: Views, quads: dict[int, FloatArray], layout: Layout, settings: GrowthSettings) -> Growth:
    """Fit a surface to a sheet.

    1. A homography, and with two tags or more a first bend, from the tags' corners.
    2. Rounds: edges of the ruler frame within ``reach`` of a tag are sighted and the surface is fitted anew; ``reach``
       grows by a cell. Where all of the frame is in sight from the start, as on paper that lies flat, one is enough.
    3. Tags not seen so far are looked for where they must be.
    4. Two closing looks at frame, tags and grid lines, the last with a short reach and a strict scale; where all of
       the frame was in sight from the start that one is enough.
    5. Where grid lines are seen beside their places all the same, they are followed from the borders inwards, a cell a
       round, and the closing looks taken again.

    Parameters
    ----------
    pictures : Views
    quads : dict of corner number to ndarray of shape (4, 2)
        The fiducials seen, px.
    layout : Layout
    settings : GrowthSettings

    Returns
    -------
    Growth
    """
    board = np.concatenate([layout.tag_quad(corner) for corner in quads])
    photo = np.concatenate(list(quads.values()))
    corners = corner_sightings(board, photo)
    surface = flat_surface(fit_homography(photo, board), layout.rows, layout.cols)
    first, stiffness = settings.scale_first_cells, settings.stiffness
    surface = fit_surface(corners, surface, first, stiffness, bend=len(quads) > 1, rounds=2)
    surface, sightings, at_once = _follow_frame(pictures, surface, corners, layout, tuple(quads), settings)
    found = _search_missing(pictures.grey, surface, layout, tuple(quads), settings.like_tag)
    if found:
        board = np.concatenate([layout.tag_quad(corner) for corner in found])
        corners += corner_sightings(board, np.concatenate(list(found.values())))
        surface = fit_surface(sightings + corners, surface, first, stiffness, bend=True)
    confirmed = (*quads, *found)
    tags = join([fiducial_sites(layout, corner) for corner in confirmed])
    surface, sightings = _look_closely(pictures, surface, tags, layout, settings, at_once=at_once)
    share = astray(pictures, surface, layout) if max(layout.rows, layout.cols) > settings.large_cells else 0.0
    if share > settings.astray_share:
        inwards = _follow_inwards(pictures, surface, corners, tags, layout, settings)
        surface, sightings = _look_closely(pictures, inwards, tags, layout, settings, at_once=False)
        share = astray(pictures, surface, layout)
    return Growth(surface, sightings, tuple(sorted(confirmed)), share)


def _look_closely(
    pictures: Views, surface: Surface, tags: Sites, layout: Layout, settings: GrowthSettings, *, at_once: bool
) -> tuple[Surface, Sightings]:
    """The closing looks at all that is printed."""
    sites = join([ruler_sites(layout), line_sites(layout), tags])
    first, last = settings.scale_first_cells, settings.scale_last_cells
    looks = ((settings.reach_first_cells, first / 2, 1), (settings.reach_last_cells, last, 2))
    for reach, scale, rounds in ((settings.reach_only_cells, last, 3),) if at_once else looks:
        sightings = sight(pictures, surface, sites, reach)
        surface = fit_surface(sightings, surface, scale, settings.stiffness, bend=True, rounds=rounds)
    return surface, sightings


def _follow_inwards(
    pictures: Views, surface: Surface, corners: Sightings, tags: Sites, layout: Layout, settings: GrowthSettings
) -> Surface:
    """Fit the surface to the grid's lines from its borders inwards."""
    frame, lines = join([tags, ruler_sites(layout)]), line_sites(layout)
    depth = np.minimum(lines.points, [layout.cols, layout.rows] - lines.points).min(1)
    first, stiffness = settings.scale_first_cells, settings.stiffness
    for reach in range(1, min(layout.rows, layout.cols) // 2 + 2):
        near = join([frame, lines.where(depth <= reach)])
        sightings = sight(pictures, surface, near, settings.reach_first_cells)
        surface = fit_surface(sightings + corners, surface, first, stiffness, bend=True, rounds=1)
    return surface


def astray(pictures: Views, surface: Surface, layout: Layout) -> float:
    """How far somewhere in a grid its lines are seen beside their places, all to one side, and not in them, 0–1.

    Sought in every two by two cells. What else looks like a line (a code, a letter, a shadow) lies on both sides.

    Parameters
    ----------
    pictures : Views
    surface : Surface
    layout : Layout
    """
    seen = sight(pictures, surface, line_sites(layout), _ASTRAY_REACH)
    board, off = surface.board(seen.points), residuals(seen, surface)
    shares = [0.0]
    for axis, cells in ((0, layout.rows), (1, layout.cols)):
        on = seen.axis == axis
        shape = (cells, (layout.cols, layout.rows)[axis] + 1)
        at = np.clip(board[on, 1 - axis].astype(np.intp), 0, cells - 1) * shape[1] + seen.value[on].astype(np.intp)
        kinds = (np.abs(off[on]) < _IN_PLACE, off[on] > 2 * _IN_PLACE, off[on] < -2 * _IN_PLACE)
        counts = [np.bincount(at[kind], minlength=shape[0] * shape[1]).reshape(shape).astype(float) for kind in kinds]
        near, before, after = (box_sums(count, 2, 3) for count in counts)
        beside = np.abs(before - after)
        shares.append(float((beside / (near + beside + _FEW)).max(initial=0.0)))
    return max(shares)


_ASTRAY_REACH, _FEW = 0.3, 6
"""How far beside its place a line is looked for, cells, and so many pieces that prove nothing."""


def _follow_frame(
    pictures: Views,
    surface: Surface,
    corners: Sightings,
    layout: Layout,
    seen: tuple[int, ...],
    settings: GrowthSettings,
) -> tuple[Surface, Sightings, bool]:
    """Fit a surface to the ruler frame: at once, as is said last, where all of it is in sight; else from the tags."""
    frame, tags = ruler_sites(layout), join([fiducial_sites(layout, corner) for corner in seen])
    first, stiffness = settings.scale_first_cells, settings.stiffness
    edges = join([tags, frame])
    sightings = sight(pictures, surface, edges, settings.reach_first_cells)
    if len(sightings.points) > settings.in_sight_share * len(edges):
        return fit_surface(sightings + corners, surface, first, stiffness, bend=True, rounds=1), sightings, True
    distance = np.min([np.hypot(*(frame.points - layout.tag_quad(corner).mean(0)).T) for corner in seen], axis=0)
    for reach in np.arange(1.7, distance.max() + 1):
        near = join([tags, frame.where(distance <= reach)])
        sightings = sight(pictures, surface, near, settings.reach_first_cells)
        surface = fit_surface(sightings + corners, surface, first, stiffness, bend=reach > 2, rounds=1)
    return surface, sightings, False


def agreement(rgb: npt.NDArray[np.uint8], surface: Surface, layout: Layout) -> FloatArray:
    """How well each side of the ruler frame shows the blocks that are printed there.

    A grid that is off by one line shows every block in the wrong colour. A block counts as black only if it is dark in
    all channels: no sticker is.

    Parameters
    ----------
    rgb : ndarray of shape (H, W, 3), uint8
    surface : Surface
    layout : Layout

    Returns
    -------
    ndarray of shape (4,)
        Share of right blocks on top, right, bottom and left; NaN for a side of which less than half is in the photo.
    """
    centres, black, side = ruler_blocks(layout)
    along = np.where((side % 2 == 0)[:, None], [1.0, 0.0], [0.0, 1.0])
    outward = np.array([[0, -1.0], [1, 0], [0, 1], [-1, 0]])[side]
    spread, steps = np.linspace(-0.25, 0.25, 5), np.array([-0.25, 0.0, 0.25])
    places = (
        centres[:, None, None] + spread[:, None] * along[:, None, None] + steps[:, None, None] * outward[:, None, None]
    )
    seen = surface.photo(places)
    block, gaps = seen[:, 1], seen[:, ::2].reshape(len(centres), -1, 2)
    inside = lies_in(block, (rgb.shape[1], rgb.shape[0])).all(1)
    brightest, white = remap(rgb, block).max(-1), remap(rgb, gaps).max(-1)
    level = np.median(brightest, axis=1) / np.maximum(np.percentile(white, 80, axis=1), 1)
    right = (level < _BLACK) == black
    shares = np.full(4, np.nan)
    for k in range(4):
        mine = (side == k) & inside
        if mine.any() and 2 * mine.sum() >= (side == k).sum():
            shares[k] = right[mine].mean()
    return shares


def seen_sides(growth: Growth, layout: Layout, size: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    """How much of each side's frame, and of the grid's border next to it, was seen where the fit has it.

    A bend that the fit did not follow leaves both unseen; a thumb on the margin hides the frame but not the border, a
    row of stickers the border but not the frame.

    Parameters
    ----------
    growth : Growth
    layout : Layout
    size : (int, int)
        Width and height of the photo, px.

    Returns
    -------
    frame, border : ndarray of shape (4,)
        Shares of the sites on top, right, bottom and left that lie in the photo; NaN where hardly any does.
    """
    close = np.abs(residuals(growth.sightings, growth.surface)) < _IN_PLACE
    board = growth.surface.board(growth.sightings.points[close])
    seen = _by_side(board, growth.sightings.axis[close], growth.sightings.value[close], layout)
    sites = join([ruler_sites(layout), line_sites(layout)])
    around = sites.points[:, None] + _IN_SIGHT * np.array([[-1, -1], [1, 1]])
    inside = lies_in(growth.surface.photo(around), size).all(1)
    known = sites.points[np.arange(len(sites)), sites.axis]
    every = _by_side(sites.points, sites.axis, known, layout)
    there = _by_side(sites.points[inside], sites.axis[inside], known[inside], layout)
    shares = [
        np.where(some > _ENOUGH * whole, found / np.maximum(some, 1), np.nan)
        for found, some, whole in zip(seen, there, every, strict=True)
    ]
    return shares[0], shares[1]


def lies_in(points: FloatArray, size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Which points (..., 2) lie in a photo of some width and height, px."""
    inside: npt.NDArray[np.bool_] = np.all((points >= 0) & (points <= np.array(size) - 1), axis=-1)
    return inside


def _by_side(
    board: FloatArray, axis: npt.NDArray[np.intp], value: FloatArray, layout: Layout
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """How many pieces of edges and lines are on each side's frame, and how many on its border, (4,) each."""
    frames, borders = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for side, (across, edge, away) in enumerate(((1, 0, -1), (0, layout.cols, 1), (1, layout.rows, 1), (0, 0, -1))):
        length = (layout.cols, layout.rows)[1 - across]
        beyond, along = (board[:, across] - edge) * away, board[:, 1 - across]
        level = (along > -0.1) & (along < length + 0.1)
        frames[side] = ((beyond > RULER_NEAR - 0.1) & (beyond < RULER_FAR + 0.1) & level).sum()
        borders[side] = ((axis == across) & (value == edge) & level).sum()
    return frames, borders


_IN_SIGHT = 0.15
"""How much of its surroundings must be in the photo for a piece of an edge or line to be seen, cells."""
_ENOUGH = 0.3
"""Of fewer of a side's pieces in the photo nothing is concluded."""
_IN_PLACE = 0.06
"""Residual up to which a sighting confirms the fit, cells."""


_BLACK = 0.72
"""A block darker than this share of the white beside it is black; ink through a veil of flare reaches 0.6."""


def _search_missing(
    grey: Grey, surface: Surface, layout: Layout, seen: tuple[int, ...], like_tag: float
) -> dict[int, FloatArray]:
    """Quads (px) of the fiducials that a first search missed, by corner."""
    places = {
        corner: search_tag(grey, surface.photo(layout.tag_quad(corner)), layout.tag_id(corner))
        for corner in set(layout.corners).difference(seen)
    }
    return {corner: quad for corner, (quad, correlation) in sorted(places.items()) if correlation > like_tag}
