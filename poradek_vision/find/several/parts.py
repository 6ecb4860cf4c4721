"""Parts of a photo that are searched by themselves for boards ruled by hand, again and again, until nothing is new."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.ruled import Maps, Part, Ruled, RuledSettings, find_ruled, glance, round_box, shows_cells
from poradek_vision.find.several.smooth import smooth_outlines
from poradek_vision.geometry import FloatArray, fill, plain_matrix, plain_points
from poradek_vision.model import GridFit, Photo, Point

Sheet = tuple[GridFit, Sequence[Point]]
"""A sheet that is known: its grid, and the corners of its paper, clockwise, in cells of its board."""
BoolPicture = npt.NDArray[np.bool_]
RIM_CELLS = 0.8
"""How far beyond its paper a printed sheet may reach in a photo: it curls."""
OWN_CELLS = 0.5
"""How much round a board ruled by hand is its own: another may be ruled on the same paper."""


def search_parts(
    photo: Photo,
    known: Sequence[Sheet],
    parts_of: Callable[[Sequence[Sheet]], Sequence[Part]],
    sizes: Sequence[int],
    settings: RuledSettings,
) -> Ruled:
    """The boards ruled by hand in parts of a photo, besides what is known.

    1. In each part what is known is painted over, and the rest searched as a photo of its own, at its own scale, if
       the network sees cells there.
    2. A board too near a side of its part may be one piece of a larger one: it is sought anew in a part round it.
    3. What is found is known from then on; parts are chosen anew until they show nothing new.

    Parameters
    ----------
    photo : Photo
    known : sequence of (GridFit, corners)
        Sheets found before.
    parts_of : callable
        The parts to search, decoded px, given all that is known.
    sizes : sequence of int
        Sides that a board may have, in cells.
    settings : RuledSettings

    Returns
    -------
    Ruled
        From the photo's top left to its bottom right; none of its grids lies on what was known.
    """
    taken, searched = list(known), set[tuple[Part, int]]()
    grids, candidates = list[GridFit](), list[tuple[Point, ...]]()
    parts, fresh, room = list(parts_of(taken)), False, photo.pixels.shape[1::-1]
    if not parts:
        return Ruled((), ())
    hidden = filled(pages_px(photo, taken), photo.pixels.shape[:2])
    while parts:
        part = parts.pop(0)
        look = part, int(np.count_nonzero(hidden[part[1] : part[3], part[0] : part[2]]))
        if look not in searched:
            searched.add(look)
            found = _search(photo, part, hidden, sizes, settings)
            new = [one for one in found.grids if not _known(one, [grid for grid, _ in taken])]
            whole = [one for one in new if not _at_side(one, part, photo)]
            parts += [round_box(np.stack(_extent(one, photo)), room, 1.0) for one in new if one not in whole]
            if whole:
                taken += with_own(whole)
                hidden = filled(pages_px(photo, taken), photo.pixels.shape[:2])
            grids += whole
            candidates += found.candidates
            fresh = fresh or bool(whole)
        if fresh and not parts:
            parts, fresh = list(parts_of(taken)), False
    return Ruled(tuple(sorted(grids, key=lambda grid: sum(grid.crossings[0][0]))), tuple(candidates))


def _search(photo: Photo, part: Part, hidden: BoolPicture, sizes: Sequence[int], settings: RuledSettings) -> Ruled:
    """What lies in a part and not where something is hidden, if the network sees cells there."""
    alone = _cut(photo, part, hidden)
    maps = Maps(alone.pixels)
    if not shows_cells(maps, sizes):
        return Ruled((), ())
    found = _shifted(find_ruled(alone, sizes, settings, maps=maps), part, photo)
    return replace(found, grids=tuple(grid for grid in found.grids if _free(grid, hidden, photo)))


def search_by_lines(photo: Photo, known: Sequence[Sheet], sizes: Sequence[int], settings: RuledSettings) -> Ruled:
    """The boards on the largest sheet on which lines alone show some; nothing where none does.

    Each is what is as smooth as paper besides what is known. What is round it is painted in its colour: grass and
    leaves are full of lines, and hide faint ones.

    Parameters
    ----------
    photo : Photo
    known : sequence of (GridFit, corners)
    sizes : sequence of int
        Sides that a board may have, in cells.
    settings : RuledSettings
    """
    hidden = filled(pages_px(photo, known), photo.pixels.shape[:2])
    for outline in smooth_outlines(photo.pixels, hidden):
        alone, part = _alone(photo, outline, hidden)
        seen = glance(alone, sizes, settings)
        if any(board.worth > settings.sure_worth for board in seen.boards):
            found = _shifted(find_ruled(alone, sizes, settings, seen), part, photo)
            return replace(found, grids=tuple(grid for grid in found.grids if _free(grid, hidden, photo)))
    return Ruled((), ())


def _alone(photo: Photo, outline: FloatArray, hidden: BoolPicture) -> tuple[Photo, Part]:
    """What an outline (N, 2), decoded px, holds of a photo, its colour all round it; and which part that is."""
    left, top, right, bottom = part = round_box(outline, photo.pixels.shape[1::-1], _ROUND_OUTLINE)
    pixels = photo.pixels[top:bottom, left:right].copy()
    within = filled([outline - part[:2]], pixels.shape[:2]) & ~hidden[top:bottom, left:right]
    pixels[~within] = np.median(pixels[::_STEP, ::_STEP][within[::_STEP, ::_STEP]], axis=0)
    return _as_photo(pixels, photo), part


_ROUND_OUTLINE = 0.1
"""What is round an outline in its part, as a share of its extent."""


def _shifted(found: Ruled, part: Part, photo: Photo) -> Ruled:
    """What was found in a part, in its place in the photo."""
    shift = np.array(part[:2]) / photo.scale
    stray = (plain_points(np.asarray(quad) + shift) for quad in found.candidates)
    return Ruled(tuple(_moved(grid, shift) for grid in found.grids), tuple(stray))


def show_cells(photo: Photo, part: Part, known: Sequence[Sheet], sizes: Sequence[int]) -> bool:
    """Whether the network sees cells in a part of a photo, besides what is known.

    Parameters
    ----------
    photo : Photo
    part : Part
        Decoded px.
    known : sequence of (GridFit, corners)
    sizes : sequence of int
        Sides that a board may have, in cells.
    """
    hidden = filled(pages_px(photo, known), photo.pixels.shape[:2])
    return shows_cells(Maps(_cut(photo, part, hidden).pixels), sizes)


def _at_side(grid: GridFit, part: Part, photo: Photo) -> bool:
    """Whether a grid has no room for another row of cells before a side of its part where the photo goes on."""
    low, high = _extent(grid, photo)
    room = (high - low) / grid.rows
    first, last = np.array(part[:2]), np.array(part[2:])
    goes_on = first > 0, last < photo.pixels.shape[1::-1]
    return bool(np.any((low - room < first) & goes_on[0]) or np.any((high + room > last) & goes_on[1]))


def _extent(grid: GridFit, photo: Photo) -> tuple[FloatArray, FloatArray]:
    """Where a grid's crossings begin and end, (2,) decoded px each."""
    points = (np.asarray(grid.crossings).reshape(-1, 2) + 0.5) * photo.scale
    return points.min(0), points.max(0)


def with_own(grids: Sequence[GridFit]) -> list[Sheet]:
    """Boards ruled by hand, each with what is its own round it."""
    return [(grid, around(grid, OWN_CELLS)) for grid in grids]


def around(grid: GridFit, margin: float) -> tuple[Point, ...]:
    """Corners of a grid with a margin, clockwise from its top left.

    Parameters
    ----------
    grid : GridFit
    margin : float
        Cells.

    Examples
    --------
    >>> crossings = ((0, 0), (1, 0)), ((0, 1), (1, 1))
    >>> around(GridFit(1, 1, ((1, 0, 0), (0, 1, 0), (0, 0, 1)), crossings, 0.1, "ruled"), 1.0)
    ((-1.0, -1.0), (2.0, -1.0), (2.0, 2.0), (-1.0, 2.0))
    """
    right, bottom = grid.cols + margin, grid.rows + margin
    return (-margin, -margin), (right, -margin), (right, bottom), (-margin, bottom)


def pages_px(photo: Photo, sheets: Sequence[Sheet]) -> list[FloatArray]:
    """The outlines of the sheets' paper with a rim, each (N, 2) px of the decoded photo."""
    outward = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    rims = [RIM_CELLS if grid.how == "printed" else 0.0 for grid, _ in sheets]
    pages = [_before_camera(grid, page + rim * outward) for (grid, page), rim in zip(sheets, rims, strict=True)]
    return [(page + 0.5) * photo.scale - 0.5 for page in pages]


def _before_camera(grid: GridFit, page: FloatArray) -> FloatArray:
    """The outline (N, 2), file px, of a page (4, 2) of board cells, cut off where it goes on behind the camera.

    References
    ----------
    Sutherland & Hodgman, Reentrant polygon clipping, CACM 17 (1974).
    """
    middle = np.array([grid.cols / 2, grid.rows / 2, 1.0])
    homography = np.asarray(grid.photo_from_board)
    corners = np.hstack([page, np.ones((len(page), 1))]) @ homography.T / (homography @ middle)[2]
    outline = []
    for here, there in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if here[2] > _NEAREST:
            outline.append(here)
        if (here[2] > _NEAREST) != (there[2] > _NEAREST):
            outline.append(here + (_NEAREST - here[2]) / (there[2] - here[2]) * (there - here))
    seen = np.array(outline)
    before: FloatArray = seen[:, :2] / seen[:, 2:]
    return before


_NEAREST = 0.1
"""What is nearer to the camera than this, against the grid's middle, lies far outside the photo."""


def filled(outlines: Sequence[FloatArray], shape: tuple[int, ...]) -> BoolPicture:
    """Where outlines (N, 2) px lie in a picture."""
    mask = np.zeros(shape, np.uint8)
    for outline in outlines:
        fill(mask, outline, 1)
    return mask > 0


def _cut(photo: Photo, part: Part, hidden: BoolPicture) -> Photo:
    """A part as a photo of its own, what is hidden painted over smoothly, so that nothing there is taken for a line."""
    left, top, right, bottom = part
    whole, covered = photo.pixels[top:bottom, left:right], hidden[top:bottom, left:right]
    pixels = whole
    if covered.any():
        few = cv2.resize(whole[::_STEP, ::_STEP], (_FEW_PX, _FEW_PX), interpolation=cv2.INTER_AREA)
        pixels = np.asarray(cv2.resize(few, whole.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.uint8)
        cv2.copyTo(whole, (~covered).view(np.uint8), pixels)
    return _as_photo(pixels, photo)


def _as_photo(pixels: npt.NDArray[np.uint8], photo: Photo) -> Photo:
    """What is in a part of a photo as a photo of its own."""
    pixels.setflags(write=False)
    width, height = (round(side / photo.scale) for side in pixels.shape[1::-1])
    return replace(photo, pixels=pixels, full_size=(width, height))


_FEW_PX, _STEP = 8, 4
"""Size of the picture that what is hidden is painted from, and every how many pixels that is made of."""


def _moved(grid: GridFit, shift: FloatArray) -> GridFit:
    """A grid moved by (x, y) file px."""
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1]])
    crossings = tuple(plain_points(np.asarray(line) + shift) for line in grid.crossings)
    return replace(grid, photo_from_board=plain_matrix(move @ np.asarray(grid.photo_from_board)), crossings=crossings)


def _free(grid: GridFit, hidden: BoolPicture, photo: Photo) -> bool:
    """Whether no crossing of a grid lies where something known is hidden."""
    points = (np.asarray(grid.crossings).reshape(-1, 2) + 0.5) * photo.scale - 0.5
    x, y = np.clip(np.round(points).astype(int), 0, np.array(hidden.shape[::-1]) - 1).T
    return not hidden[y, x].any()


def _known(grid: GridFit, others: Sequence[GridFit]) -> bool:
    """Whether another grid lies in the same place: parts overlap."""
    middle, side = _middle(grid)
    return any(np.hypot(*(middle - _middle(other)[0])) < (side + _middle(other)[1]) / 2 for other in others)


def _middle(grid: GridFit) -> tuple[FloatArray, float]:
    """The middle (2,) of a grid and half its shorter diagonal, file px."""
    corners = np.asarray(grid.crossings)[[0, 0, -1, -1], [0, -1, -1, 0]]
    diagonals = np.hypot(*(corners[:2] - corners[2:]).T)
    return corners.mean(0), float(diagonals.min()) / 2
