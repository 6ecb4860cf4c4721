"""Printed sheets in a photo: fiducials say which and roughly where, ruler frame and grid lines say exactly where.

Tags are found on a half-size picture, and on the whole one where a sheet misses some; tags of one sheet make a group.
Each group is fitted by :mod:`poradek_vision.find.printed.growth`. Then every block of the ruler frame is compared with
what is printed there: a fit that is off by a line, or a sheet of another size than the fiducials say, can't pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from poradek_vision.find.frame import Layout
from poradek_vision.find.printed.fiducials import Tag, find_tags
from poradek_vision.find.printed.growth import Growth, GrowthSettings, agreement, grow, lies_in, seen_sides
from poradek_vision.find.sight import Grey, Views, views
from poradek_vision.find.surface import residuals, standard_errors
from poradek_vision.geometry import (
    FloatArray,
    fit_homography,
    plain_matrix,
    plain_points,
    project,
    square_homography,
)
from poradek_vision.model import Flag, Game, GridFit, Half, Photo, Point
from poradek_vision.sheet import TagMeaning, card_sheet, meaning


@dataclass(frozen=True, slots=True)
class FindSettings:
    """Numbers of finding, each with its unit."""

    growth: GrowthSettings = field(default_factory=GrowthSettings)
    refuse_share: float = 0.85
    """A ruler frame that agrees less than this contradicts the fit: 0.96 and more where it is right (rendered photos),
    0.8 at most where a sheet of another size was bent to fit, 0.87 with one side hidden."""
    refuse_other_share: float = 0.95
    """The same where the cells have another side than the game says: sheets of another size reach 0.9 then."""
    agree_share: float = 0.8
    """Sides that agree at least this much confirm it."""
    seen_frame: float = 0.8
    seen_border: float = 0.5
    """Of the frame on each side, or of the grid's border there, so much must be seen in place: of the frame 0.94 or
    more was on 145 hard rendered photos, and 0.6 on one whose fold the fit had missed."""
    astray: float = 0.55
    """Share of lines seen beside their places, from which the fit has not followed the paper between the borders."""
    unsure_cells: float = 0.06
    """Largest standard error of a crossing that is still trusted."""
    coarse_pixels: int = 600_000
    """What a photo is first decoded to at least: a quarter of 12 megapixels (4000×3000) each way is 0.75."""
    coarse_cell_px: float = 20.0
    """Least side of a cell on a coarse photo: with more, 148 rendered boards had the same cells right at half their
    size, and crossings 0.002 cells worse."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Tags that belong to one sheet, by corner."""

    tags: dict[int, Tag]
    says: TagMeaning


@dataclass(frozen=True, slots=True)
class Sheets:
    """What came of the fiducials in a photo: grids found, and quads (file px) of tags that led to none."""

    grids: tuple[GridFit, ...]
    stray: tuple[tuple[Point, ...], ...]


def find_printed(photo: Photo, game: Game, settings: FindSettings, *, only_small: bool = False) -> Sheets:
    """Every printed sheet in a photo.

    Parameters
    ----------
    photo : Photo
    game : Game
        Says what the fiducials mean, and the side of a cell.
    settings : FindSettings
    only_small : bool
        Whether fiducials that a coarser decode of this photo would show are known not to be there.

    Returns
    -------
    Sheets
        Grids from the photo's top left to its bottom right.
    """
    pictures = views(photo.pixels)
    grids, stray = [], []
    tags = find_tags(pictures.grey, _SMALL_WINDOWS) if only_small else _tags(pictures.grey, game)
    for group in _group(tags, game):
        whole = _fit(pictures, photo, group, _layout(group, game), game, settings)
        found = whole or [
            half
            for part, layout in _halves(group, game)
            for half in _fit(pictures, photo, part, layout, game, settings)
        ]
        grids += found
        seen = {tag_id for grid in found for tag_id, _ in grid.fiducials}
        stray += [plain_points(_file_px(tag.quad, photo)) for tag in group.tags.values() if tag.id not in seen]
    apart = _one_of_each(grids)
    return Sheets(tuple(sorted(apart, key=lambda grid: sum(grid.crossings[0][0]))), tuple(stray))


def _fit(
    pictures: Views, photo: Photo, group: Group, layout: Layout, game: Game, settings: FindSettings
) -> list[GridFit]:
    """The grid of a group of tags, if its sheet has that layout."""
    growth = grow(pictures, {corner: tag.quad for corner, tag in group.tags.items()}, layout, settings.growth)
    shares = agreement(photo.pixels, growth.surface, layout)
    if _contradicted(group, growth, layout, shares, game, settings):
        return []
    crossings = growth.surface.photo(layout.crossings())
    flags = _doubts(crossings, photo, growth, layout, shares, settings)
    return [_grid(crossings, photo, group, growth, layout, flags)]


def _halves(group: Group, game: Game) -> Iterator[tuple[Group, Layout]]:
    """The tags of a no man's land as those of its halves, which lie apart, or of which one alone is in the photo."""
    whole = _printed(group.says, game)
    if group.says.kind != "no_mans_land" or whole.cols % 2:
        return
    sides: tuple[Half, Half] = ("left", "right")
    for side in sides:
        layout = replace(whole, cols=whole.cols // 2, half=side)
        tags = {corner: tag for corner, tag in group.tags.items() if corner in layout.corners}
        if tags:
            yield Group(tags, group.says), layout


def seen_well(sheets: Sheets, photo: Photo, settings: FindSettings) -> bool:
    """Whether a coarse photo shows its printed sheets so well that a finer one would add nothing.

    Each has all fiducials, no flag, and cells that are large enough.

    Parameters
    ----------
    sheets : Sheets
        As found in ``photo``.
    photo : Photo
    settings : FindSettings
    """
    return (
        bool(sheets.grids)
        and not sheets.stray
        and all(
            len(grid.fiducials) == _CORNERS
            and not grid.flags
            and _least_side(grid) * photo.scale >= settings.coarse_cell_px
            for grid in sheets.grids
        )
    )


_CORNERS = 4


def _least_side(grid: GridFit) -> float:
    """The shortest side of a cell, file px."""
    crossings = np.asarray(grid.crossings)
    sides = [np.hypot(*np.moveaxis(np.diff(crossings, axis=axis), -1, 0)).min() for axis in (0, 1)]
    return float(min(sides))


def _one_of_each(grids: list[GridFit]) -> list[GridFit]:
    """Grids without those that lie on another one: in a steep view two tags of a sheet may start a fit each.

    Of two on the same place the one with more fiducials seen stays, then the one with the smaller error.
    """
    kept: list[GridFit] = []
    for grid in sorted(grids, key=lambda one: (-len(one.fiducials), one.error_px)):
        if not any(_same_place(grid, other) for other in kept):
            kept.append(grid)
    return kept


def _same_place(grid: GridFit, other: GridFit) -> bool:
    """Whether two fits of one sheet's number have their crossings in the same places, to half a cell."""
    if (grid.kind, grid.team_index, grid.rows, grid.half) != (other.kind, other.team_index, other.rows, other.half):
        return False
    here, there = np.asarray(grid.crossings), np.asarray(other.crossings)
    side_px = np.median(np.hypot(*np.moveaxis(np.diff(here, axis=1), -1, 0)))
    return bool(np.median(np.hypot(*np.moveaxis(here - there, -1, 0))) < side_px / 2)


def _tags(grey: Grey, game: Game) -> list[Tag]:
    """All tags; the whole picture is searched where the half-size one leaves a sheet incomplete."""
    half = grey.size > _SEARCHED_PIXELS
    small = np.asarray(cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8) if half else grey
    by = 2 if half else 1
    tags = [Tag(tag.id, tag.quad * by + (by - 1) / 2) for tag in find_tags(small, _SMALL_WINDOWS)]
    groups = list(_group(tags, game))
    if groups and all(len(group.tags) == _CORNERS for group in groups):
        return tags
    if not half:
        return find_tags(grey, _LARGE_WINDOWS, tags)
    more = find_tags(grey, _SMALL_WINDOWS + _LARGE_WINDOWS)
    return [*more, *(tag for tag in tags if not any(tag.same_as(other) for other in more))]


_SMALL_WINDOWS, _LARGE_WINDOWS = (23,), (61,)
"""Sides of the adaptive threshold's windows, px; large tags need large ones."""
_SEARCHED_PIXELS = 1_200_000
"""A larger picture is searched at half its size first."""


def _group(tags: list[Tag], game: Game) -> Iterator[Group]:
    """Sort tags into sheets: same board number, each corner once, at a plausible distance."""
    left = sorted(tags, key=lambda tag: (-tag.side_px, tag.id))
    while left:
        first = left.pop(0)
        says = meaning(first.id, game)
        if not says.size:
            continue
        mine = {says.corner: first}
        for tag in list(left):
            corner = tag.id % 4
            if tag.id // 4 == first.id // 4 and corner not in mine and _plausible(first, tag, _printed(says, game)):
                mine[corner] = tag
                left.remove(tag)
        yield Group(mine, says)


def _printed(says: TagMeaning, game: Game) -> Layout:
    """What the game prints on the sheet that a tag names."""
    if says.kind == "card":
        card = card_sheet(game)
        return Layout(card.rows, card.cols, card.cell_mm, says.board)
    return Layout(says.size, says.size, game.cell_mm, says.board)


def _plausible(first: Tag, other: Tag, layout: Layout) -> bool:
    """Whether another tag lies roughly where the first one lets expect it: two copies of a sheet are not mixed."""
    start = layout.tag_quad(first.id % 4)
    way = layout.tag_quad(other.id % 4).mean(0) - start.mean(0)
    step = 0.2 / np.hypot(*way)
    here = first.quad.mean(0)
    ahead = (project(square_homography(first.quad), 0.5 + step * way / (start[2] - start[0])) - here) / step
    seen = other.quad.mean(0) - here
    lengths = np.hypot(*ahead), np.hypot(*seen)
    return bool(ahead @ seen > 0.8 * lengths[0] * lengths[1] and 0.4 < lengths[1] / max(lengths[0], 1e-9) < 2.5)


def _layout(group: Group, game: Game) -> Layout:
    """What is printed on a group's sheet; the side of a cell is the game's, unless the tags clearly say another."""
    layout = _printed(group.says, game)
    if len(group.tags) < 2:
        return layout
    quads = np.concatenate([tag.quad for tag in group.tags.values()])
    side_px = np.median([tag.side_px for tag in group.tags.values()])

    def misfit(cell_mm: float) -> float:
        other = Layout(layout.rows, layout.cols, cell_mm, layout.board)
        board = np.concatenate([other.tag_quad(corner) for corner in group.tags])
        return float(np.sqrt(np.mean((project(fit_homography(board, quads), board) - quads) ** 2)) / side_px)

    here = misfit(layout.cell_mm)
    if here < _GOOD_MISFIT:
        return layout
    near_mm = min(range(6, 31, 2), key=misfit)
    best_mm = min(
        (half_mm / 2 for half_mm in range(2 * near_mm - 3, 2 * near_mm + 4) if 12 <= half_mm <= 60), key=misfit
    )
    if here > 2 * misfit(best_mm) + _GOOD_MISFIT:
        return Layout(layout.rows, layout.cols, best_mm, layout.board)
    return layout


_GOOD_MISFIT = 0.05
"""Of the tags' corners under one homography, in sides of a tag: curled paper leaves 0.1, a cell 2 mm off 0.2."""


def _contradicted(
    group: Group, growth: Growth, layout: Layout, shares: FloatArray, game: Game, settings: FindSettings
) -> bool:
    """Whether ruler frame or tags refute a fit: then the sheet is not of the size that its tags name."""
    as_the_game_says = layout.cell_mm == _printed(group.says, game).cell_mm
    least = settings.refuse_share if as_the_game_says else settings.refuse_other_share
    if np.isnan(shares).all() or np.nanmean(shares) < least:
        return True
    expected = growth.surface.photo(np.array([layout.tag_quad(corner) for corner in group.tags]))
    return any(
        np.hypot(*(quad - tag.quad).mean(0)) > tag.side_px / 2
        for quad, tag in zip(expected, group.tags.values(), strict=True)
    )


_TAGS_OF_SIDES = ((0, 1), (1, 2), (2, 3), (3, 0))
"""The corners at the ends of the top, right, bottom and left side."""


def _doubts(
    crossings: FloatArray, photo: Photo, growth: Growth, layout: Layout, shares: FloatArray, settings: FindSettings
) -> tuple[Flag, ...]:
    """Flags of a fit, with its crossings in ``photo.pixels``.

    Of a sheet of which the photo shows a part only that part is asked for.
    """
    size = photo.pixels.shape[1], photo.pixels.shape[0]
    inside = lies_in(crossings, size)
    flags = () if inside.all() else (Flag.CROPPED,)
    confirmed = shares >= settings.agree_share
    errors = standard_errors(
        growth.sightings, growth.surface, layout.crossings()[inside],
        settings.growth.scale_last_cells, settings.growth.stiffness,
    )  # fmt: skip
    frames, borders = seen_sides(growth, layout, size)
    outside = ~np.array([inside[0].any(), inside[:, -1].any(), inside[-1].any(), inside[:, 0].any()])
    tagged = np.array([any(corner in growth.corners for corner in ends) for ends in _TAGS_OF_SIDES])
    sure = (
        confirmed[::2].any()
        and confirmed[1::2].any()
        # a side that nothing vouches for may be the neighbouring line
        and (confirmed | tagged | outside | ~np.array(layout.framed)).all()
        and ((frames >= settings.seen_frame) | (borders >= settings.seen_border) | outside).all()
        and growth.astray <= settings.astray
        and errors.max(initial=0) <= settings.unsure_cells
    )
    return flags if sure else (*flags, Flag.GRID_UNCERTAIN)


def _file_px(points: FloatArray, photo: Photo) -> FloatArray:
    """Pixels of the decoded photo as pixels of its file."""
    return (points + 0.5) / photo.scale - 0.5


def _grid(
    seen: FloatArray, photo: Photo, group: Group, growth: Growth, layout: Layout, flags: tuple[Flag, ...]
) -> GridFit:
    """The record of a fit, with its crossings in ``photo.pixels``."""
    board, crossings = layout.crossings(), _file_px(seen, photo)
    tags = [layout.tag_quad(corner) for corner in growth.corners]
    quads = _file_px(growth.surface.photo(np.array(tags)), photo)
    side_px = np.median(np.hypot(*np.moveaxis(np.diff(crossings, axis=1), -1, 0)))
    return GridFit(
        rows=layout.rows,
        cols=layout.cols,
        photo_from_board=plain_matrix(fit_homography(board.reshape(-1, 2), crossings.reshape(-1, 2))),
        crossings=tuple(plain_points(line) for line in crossings),
        error_px=float(np.median(np.abs(residuals(growth.sightings, growth.surface))) * side_px),
        how="printed",
        kind=group.says.kind,
        team_index=group.says.team_index,
        cell_mm=layout.cell_mm,
        fiducials=tuple(
            (layout.tag_id(corner), plain_points(quad)) for corner, quad in zip(growth.corners, quads, strict=True)
        ),
        flags=flags,
        half=layout.half,
    )
