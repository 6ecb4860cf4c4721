"""Boards ruled by hand beside printed sheets: in what the sheets leave of the photo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.ruled import (
    MARGIN,
    Maps,
    Part,
    Ruled,
    RuledSettings,
    find_stickers,
    gather,
    parts_left,
    round_box,
    stickers_together,
)
from poradek_vision.find.several.parts import (
    BoolPicture,
    Sheet,
    filled,
    pages_px,
    search_by_lines,
    search_parts,
    show_cells,
)
from poradek_vision.geometry import FloatArray
from poradek_vision.model import Photo

Picture = npt.NDArray[np.uint8]
FloatPicture = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class BesideSettings:
    """Numbers of looking beside printed sheets, each with its unit; pixels are those of the small picture."""

    side_px: int = 190
    """Shorter side of the small picture that is looked at first."""
    least_radius: float = 0.05
    """Of the largest circle in what may be paper, as a share of the photo's shorter side."""
    least_bright: float = 0.55
    """Paper's level (sRGB) against that of the printed sheets: brown paper in the same light reaches it, most ground
    doesn't."""
    near_level: float = 0.85
    """What has this share of the level of the brightest near by may be paper there."""
    near_px: int = 11
    """How far that is: farther than any sticker is wide."""
    most_rough: float = 0.02
    """Median difference from the mean of the pixels around, as a share of the level: paper with lines shows up to 0.02,
    nearly always below 0.012; planks, plaid, gravel 0.02 to 0.05."""
    paper_share: float = 0.45
    """So much of a page shows paper; of leaves, needles and gravel less is near the brightest."""
    window_px: int = 19
    stuck_colour: float = 0.3
    """Saturation against the paper from which something on it is a sticker."""
    least_stuck_px: int = 8
    """Stickers of a board take so much at least."""
    apart_px: int = 21
    """Stickers so near each other belong to one board."""
    margin_px: int = 25
    """How far a board reaches beyond its stickers, and half as far again as they do."""
    most_parts: int = 4
    work_px: int = 300_000
    """Pixels of the picture in which boards are sought where one was found."""
    sticker_px: int = 70_000
    """Pixels of the picture in which stickers are sought, at least."""
    least_room: float = 0.1
    """Radius of the largest circle that the sheets leave, as a share of the photo's shorter side."""
    round_share: float = 0.3
    least_smooth: float = 0.3
    """So much of what shows between stickers, and round them as far as this share of their extent, is as smooth as
    paper: the rest may be lines, or ground where the paper ends."""
    least_lit: float = 0.3
    """As ``least_bright``, where stickers speak for a board: it may lie in shade."""


@dataclass(frozen=True, slots=True, eq=False)
class _Small:
    """A photo made small: its colours (h, w, 3), the brightest channel (h, w), what sheets take, and by how much."""

    colours: Picture
    level: Picture
    taken: BoolPicture
    by: int


def parts_beside(photo: Photo, sheets: Sequence[Sheet], settings: BesideSettings) -> tuple[Part, ...]:
    """Where beside its printed sheets a photo may show boards ruled by hand.

    Cheap, since nearly every photo shows one sheet on bare ground or is filled by it.

    1. If there is room for a board: where stickers lie together on something as smooth as paper.
    2. Where bright paper has colours on it, as :func:`parts_on_pages` tells.

    Parameters
    ----------
    photo : Photo
    sheets : sequence of (GridFit, corners)
        Every printed sheet found.
    settings : BesideSettings

    Returns
    -------
    tuple of (left, top, right, bottom)
        Decoded px; none where no board can be.
    """
    small = _small(photo, sheets, settings)
    return (*_with_stickers(photo, sheets, small, settings), *_on_pages(photo, small, settings))


def shows_beside(photo: Photo, sheets: Sequence[Sheet], sizes: Sequence[int], settings: BesideSettings) -> bool:
    """Whether a coarse photo may show boards ruled by hand beside its printed sheets: the network sees cells there.

    Parameters
    ----------
    photo : Photo
    sheets : sequence of (GridFit, corners)
        Every printed sheet found.
    sizes : sequence of int
        Sides that a board may have, in cells.
    settings : BesideSettings
    """
    return any(show_cells(photo, part, sheets, sizes) for part in parts_beside(photo, sheets, settings))


def parts_on_pages(photo: Photo, sheets: Sequence[Sheet], settings: BesideSettings) -> tuple[Part, ...]:
    """Where beside what is known a photo shows bright paper with colours on it.

    1. ``near``: what is about as bright as the brightest near by, and not much darker than the printed sheets.
    2. ``page``: where much is, in spots that have room for a board.
    3. Colours on each that its paper does not have; what lies together makes a part, with paper round it.

    Parameters
    ----------
    photo : Photo
    sheets : sequence of (GridFit, corners)
        What is known.
    settings : BesideSettings

    Returns
    -------
    tuple of (left, top, right, bottom)
        Decoded px, those with most colour first.
    """
    return _on_pages(photo, _small(photo, sheets, settings), settings)


def _small(photo: Photo, sheets: Sequence[Sheet], settings: BesideSettings) -> _Small:
    """A photo made small, with the sheets in it."""
    by = max(1, round(min(photo.pixels.shape[:2]) / settings.side_px))
    small = np.asarray(cv2.resize(photo.pixels, None, fx=1 / by, fy=1 / by, interpolation=cv2.INTER_AREA), np.uint8)
    taken = filled([(page + 0.5) / by - 0.5 for page in pages_px(photo, sheets)], small.shape[:2])
    level = np.asarray(cv2.max(cv2.max(small[..., 0], small[..., 1]), small[..., 2]), np.uint8)
    return _Small(small, level, taken, by)


def _with_stickers(photo: Photo, sheets: Sequence[Sheet], small: _Small, settings: BesideSettings) -> list[Part]:
    """Parts round stickers that lie together on paper, those with most first; none where there is no room."""
    room = cv2.distanceTransform(np.pad((~small.taken).astype(np.uint8), 1), cv2.DIST_L2, 3).max()
    if room < settings.least_room * min(small.level.shape):
        return []
    stickers, by = find_stickers(photo.pixels, settings.sticker_px, pages_px(photo, sheets))
    together = [(corners + 0.5) * by - 0.5 for corners in stickers_together(stickers)]
    found = _on_paper(small, stickers * np.float32(1), together, settings)
    return [round_box(points, photo.pixels.shape[1::-1], MARGIN) for points in found[: settings.most_parts]]


def on_paper(
    photo: Photo,
    sheets: Sequence[Sheet],
    stickers: FloatPicture,
    together: Sequence[FloatArray],
    settings: BesideSettings,
) -> list[FloatArray]:
    """Those of some groups of stickers round which a photo shows something as lit and as smooth as paper.

    Parameters
    ----------
    photo : Photo
    sheets : sequence of (GridFit, corners)
        What is known.
    stickers : ndarray of shape (H, W), float32
        1 on stickers, in a picture of the whole photo.
    together : sequence of ndarray of shape (N, 2)
        Corners of the stickers of each group, decoded px.
    settings : BesideSettings
    """
    return _on_paper(_small(photo, sheets, settings), stickers, together, settings) if together else []


def _on_paper(
    small: _Small, stickers: FloatPicture, together: Sequence[FloatArray], settings: BesideSettings
) -> list[FloatArray]:
    """The same in a photo made small."""
    share = cv2.resize(stickers, small.level.shape[::-1], interpolation=cv2.INTER_AREA)
    bare = np.asarray(share < _BARE, np.bool_)
    return [points for points in together if _is_on_paper(small, points, bare, settings)]


_BARE = 0.02
"""Share of a pixel of the small picture that a sticker may take where paper shows."""


def _is_on_paper(small: _Small, points: FloatArray, bare: BoolPicture, settings: BesideSettings) -> bool:
    """Whether enough of what shows round stickers (N, 2), decoded px, is lit and smooth as paper is."""
    more = settings.round_share * np.ptp(points, axis=0).max()
    left, top = np.maximum((points.min(0) - more) // small.by, 0).astype(int)
    right, bottom = ((points.max(0) + more) // small.by + 1).astype(int)
    box = np.s_[top:bottom, left:right]
    shown, level = (bare & ~small.taken)[box], small.level[box]
    if not shown.any() or np.median(level[shown]) < settings.least_lit * _sheets_level(small):
        return False
    return bool((_roughness(level)[shown] < settings.most_rough).mean() > settings.least_smooth)


def _sheets_level(small: _Small) -> float:
    """The level of the paper of what is known, or the highest there is."""
    return float(np.percentile(small.level[small.taken][::_FEW], 70)) if small.taken.any() else 255.0


def _on_pages(photo: Photo, small: _Small, settings: BesideSettings) -> tuple[Part, ...]:
    """Parts as :func:`parts_on_pages` returns them."""
    near, least_px = _near(small, settings), settings.least_radius * min(small.level.shape)
    if np.count_nonzero(near) < settings.paper_share * np.pi * least_px**2:
        return ()
    levels = near.astype(np.uint8) * np.uint8(255)
    share = cv2.boxFilter(levels, -1, (settings.window_px,) * 2, borderType=cv2.BORDER_CONSTANT)
    page = ((share > 255 * settings.paper_share) & ~small.taken).astype(np.uint8)
    roomy = cv2.distanceTransform(np.pad(page, 1), cv2.DIST_L2, 3)[1:-1, 1:-1] >= least_px
    if not roomy.any():
        return ()
    spots = cv2.connectedComponents(page)[1]
    stuck, rough = np.zeros_like(page), _roughness(small.level)
    for spot in np.unique(spots[roomy]):
        if np.median(rough[(spots == spot) & near]) <= settings.most_rough:
            stuck |= _stuck(small.colours, spots == spot, near, settings) & ~small.taken
    return _apart([_part(box, small.by, photo, settings) for box in _boxes(stuck, settings)])


def find_beside(
    photo: Photo, sheets: Sequence[Sheet], sizes: Sequence[int], settings: BesideSettings, ruled: RuledSettings
) -> Ruled:
    """The boards ruled by hand beside the printed sheets in a photo, where colours say that there may be some.

    Parameters
    ----------
    photo : Photo
    sheets : sequence of (GridFit, corners)
        Every printed sheet found.
    sizes : sequence of int
        Sides that a board may have, in cells.
    settings : BesideSettings
    ruled : RuledSettings

    Returns
    -------
    Ruled
        From the photo's top left to its bottom right; none of its grids lies on a printed sheet.
    """
    maps, at_first = Maps(photo.pixels), parts_beside(photo, sheets, settings)

    def parts_of(known: Sequence[Sheet]) -> Sequence[Part]:
        if len(known) == len(sheets):
            return at_first
        parts = parts_beside(photo, known, settings)
        evidence = gather(photo.pixels, settings.work_px)  # where one is others may be
        taken = pages_px(photo, known)
        return *parts, *parts_left(maps, evidence, taken, sizes, finer=True, most_hot=_MOST_HOT)

    found = search_parts(photo, sheets, parts_of, sizes, ruled)
    if not found.grids and at_first:
        return search_by_lines(photo, sheets, sizes, ruled)
    return found


_MOST_HOT = 3
"""Parts that the network finds hot and that are searched where a board was found."""


def _near(small: _Small, settings: BesideSettings) -> BoolPicture:
    """What may be paper by its brightness."""
    brightest = cv2.morphologyEx(small.level, cv2.MORPH_CLOSE, np.ones((settings.near_px,) * 2, np.uint8))
    least = settings.least_bright * _sheets_level(small)
    near: BoolPicture = (
        (small.level >= cv2.convertScaleAbs(brightest, alpha=settings.near_level)) & (brightest > least) & ~small.taken
    )
    return near


_FEW = 7
"""Every so many pixels of the sheets are enough to tell how bright they are."""


def _roughness(level: Picture) -> FloatArray:
    """Difference of pixels from the mean of those around, as a share of the level."""
    around = cv2.blur(level, (3, 3))
    rough: FloatArray = cv2.absdiff(level, around) / np.maximum(around, 1.0)
    return rough


def _stuck(small: Picture, spot: BoolPicture, near: BoolPicture, settings: BesideSettings) -> Picture:
    """1 where something on a spot of paper has a colour that its paper has not."""
    paper = small[spot & near].mean(0) + _BLACK
    whole = cv2.morphologyEx(spot.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((settings.window_px,) * 2, np.uint8))
    red, green, blue = ((cv2.extractChannel(small, k) + _BLACK) / np.float32(paper[k]) for k in range(3))
    least, most = np.minimum(np.minimum(red, green), blue), np.maximum(np.maximum(red, green), blue)
    coloured = (least < np.float32(1 - settings.stuck_colour) * most).astype(np.uint8) & whole
    return np.asarray(cv2.morphologyEx(coloured, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


_BLACK = np.float32(8)
"""Added to levels before dividing: noise in the dark has no colour."""


def _boxes(stuck: Picture, settings: BesideSettings) -> list[tuple[int, int, int, int]]:
    """Left, top, width, height of what lies together, those with most colour first."""
    together = cv2.dilate(stuck, np.ones((settings.apart_px,) * 2, np.uint8))
    count, groups, boxes, _ = cv2.connectedComponentsWithStats(together)
    amounts = np.bincount(groups[stuck > 0], minlength=count)
    order = sorted(range(1, count), key=lambda group: -amounts[group])[: settings.most_parts]
    return [tuple(boxes[group, :4].tolist()) for group in order if amounts[group] >= settings.least_stuck_px]


def _part(box: tuple[int, int, int, int], by: int, photo: Photo, settings: BesideSettings) -> Part:
    """A box of the small picture with what belongs to it, in decoded px."""
    left, top, width, height = box
    margin = settings.margin_px + max(width, height) // 2
    right, bottom = left + width + margin, top + height + margin
    most_x, most_y = photo.pixels.shape[1::-1]
    return max(left - margin, 0) * by, max(top - margin, 0) * by, min(right * by, most_x), min(bottom * by, most_y)


def _apart(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Parts of which those that lie half in each other have become one, so that nothing is searched twice."""
    apart = list[Part]()
    for part in parts:
        joined = part
        while near := [other for other in apart if _shared(joined, other) > 0.5]:
            apart = [other for other in apart if other not in near]
            left, top, right, bottom = zip(joined, *near, strict=True)
            joined = min(left), min(top), max(right), max(bottom)
        apart.append(joined)
    return tuple(apart)


def _shared(one: Part, other: Part) -> float:
    """What two parts share, as a share of the smaller."""
    width, height = (min(one[k + 2], other[k + 2]) - max(one[k], other[k]) for k in (0, 1))
    areas = [(part[2] - part[0]) * (part[3] - part[1]) for part in (one, other)]
    return max(width, 0) * max(height, 0) / min(areas)
