"""Printed AprilTags in a photo: which, and where their corners are.

References
----------
Garrido-Jurado et al., Automatic generation and detection of highly reliable fiducial markers under occlusion, Pattern
Recognition 47 (2014); Olson, AprilTag, ICRA 2011.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray, polygon_area, project, remap, square_homography

BITS = 8
"""Modules along a side of a 36h11 tag, its black border included."""


@dataclass(frozen=True, slots=True, eq=False)
class Tag:
    """One fiducial seen: its id and its four corners (4, 2) in photo px, clockwise from its own top left."""

    id: int
    quad: FloatArray

    @property
    def side_px(self) -> float:
        """Side of a square with the same diagonal."""
        return float(np.hypot(*(self.quad[0] - self.quad[2])) / np.sqrt(2))

    def same_as(self, other: Tag) -> bool:
        """Whether two finds are one tag."""
        apart = np.hypot(*(self.quad.mean(0) - other.quad.mean(0)))
        return self.id == other.id and bool(apart < self.side_px / 2)


@functools.cache
def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)


@functools.lru_cache(maxsize=600)
def tag_bits(tag_id: int) -> npt.NDArray[np.bool_]:
    """The modules of a tag, (8, 8), True where white."""
    return _dictionary().generateImageMarker(tag_id, BITS, borderBits=1) > 127


def find_tags(grey: npt.NDArray[np.uint8], windows: Sequence[int] = (23,), known: Sequence[Tag] = ()) -> list[Tag]:
    """Every 36h11 tag in a grey picture.

    OpenCV proposes squares; they are decoded softly, by correlation of their grey modules with all codes, which blur
    and noise disturb much less than single bits.

    Parameters
    ----------
    grey : ndarray of shape (H, W), uint8
    windows : sequence of int
        Sides of the adaptive threshold's window, px; tags up to about three windows wide are found.
    known : sequence of Tag
        Found before; they come first.

    Returns
    -------
    list of Tag
        Corners to about half a pixel; :func:`find.sight.sight` does better.
    """
    tags = list(known)
    for window in windows:
        soft = sorted(_decode_softly(grey, _squares(grey, window)), key=lambda one: -one[1])
        sure = [tag for tag, correlation in soft if correlation >= _SOFT_CORRELATION]
        boards = {tag.id // 4 for tag in (*tags, *sure)}
        for tag in (*sure, *(tag for tag, _ in soft[len(sure) :] if tag.id // 4 in boards)):
            if not any(tag.same_as(other) for other in tags):
                tags.append(tag)
    return tags


def _squares(grey: npt.NDArray[np.uint8], window: int) -> list[FloatArray]:
    """Quads (4, 2) px that may be tags.

    OpenCV's own decoding of 36h11 costs ten times as much as its search for squares: it gets one small code to look
    for, and what it rejects is taken too.
    """
    parameters = cv2.aruco.DetectorParameters()
    parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = window
    parameters.minMarkerPerimeterRate = _LEAST_PERIMETER
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    parameters.minMarkerDistanceRate = (
        0.01  # with the usual one, of a tag and the paper round it only the paper is left
    )
    quads, _, rejected = cv2.aruco.ArucoDetector(_one_code(), parameters).detectMarkers(grey)
    return [np.asarray(quad, np.float64).reshape(4, 2) for quad in (*quads, *rejected)]


@functools.cache
def _one_code() -> cv2.aruco.Dictionary:
    codes = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.Dictionary(codes.bytesList[:1], codes.markerSize, 0)


_LEAST_PERIMETER = 0.025
"""Of a square, as a share of the picture's longer side."""
_SOFT_CORRELATION = 0.8
"""Least correlation of the 36 inner modules with a code: the best of all codes on dark-rimmed noise reaches 0.75."""
_KIN_CORRELATION = 0.7
"""The same for a code of a sheet of which another tag was seen: one code in fifty is."""
_FLAT = 5.0
"""Grey values: what varies less inside is no tag."""
_LEAST_MODULE_PX = 1.2
_SOFT_LEAD = 0.1
"""Least lead over the second-best code; two codes differ in 11 bits or more."""


def _decode_softly(grey: npt.NDArray[np.uint8], quads: list[FloatArray]) -> list[tuple[Tag, float]]:
    """Tags in quads, with their correlation: modules against all codes, in four turns."""
    quads = [quad for quad, convex in zip(quads, _are_convex(quads), strict=True) if convex]
    found = list(zip(_correlations(grey, quads), quads, strict=True))
    found = [(score, quad) for score, quad in found if score[0] >= _HOPELESS]
    unclear = [quad for score, quad in found if score[0] <= _CLEAR]
    sized = [quad.mean(0) + grow * (quad - quad.mean(0)) for quad in unclear for grow in _OTHER_SIZES]
    scores = iter(zip(_correlations(grey, sized), sized, strict=True))
    tags = []
    for plain, quad in found:
        others = [] if plain[0] > _CLEAR else [next(scores) for _ in _OTHER_SIZES]
        (best, lead, row), fitting = max([(plain, quad), *others], key=lambda one: one[0][0])
        if best >= _KIN_CORRELATION and lead >= _SOFT_LEAD:
            tag_id, turns = divmod(row, 4)
            tags.append((Tag(tag_id, np.roll(fitting, -turns, 0)), best))
    return tags


_OTHER_SIZES = (1.05, 0.95)
"""Of a proposed quad: blur moves its sides."""
_CLEAR = 0.93
"""A quad with a better correlation is right as it is."""
_HOPELESS = 0.5
"""A quad whose best correlation is lower is no tag of a slightly different size either."""


def _correlations(grey: npt.NDArray[np.uint8], quads: list[FloatArray]) -> list[tuple[float, float, int]]:
    """For each quad: correlation of its inner modules with the best code, lead over the second, row of :func:`_codes`.

    A quad whose border is not dark, or whose inside is flat, correlates with nothing.
    """
    if not quads:
        return []
    modules = _modules(grey, quads)
    middle = (modules.min((1, 2)) + modules.max((1, 2))) / 2
    inner = modules[:, 1:-1, 1:-1].reshape(len(quads), -1)
    border = (modules.sum((1, 2)) - inner.sum(1)) / (BITS**2 - inner.shape[1])
    spread = inner.std(1)
    hopeful = (border < middle) & (spread > _FLAT)
    found = [(0.0, 0.0, 0)] * len(quads)
    at = np.flatnonzero(hopeful)
    scores = _codes() @ ((inner[at] - inner[at].mean(1, keepdims=True)) / (spread[at, None] * inner.shape[1])).T
    for k, column in zip(at, scores.T, strict=True):
        second, first = np.argpartition(column, -2)[-2:]
        found[k] = (float(column[first]), float(column[first] - column[second]), int(first))
    return found


def _are_convex(quads: list[FloatArray]) -> list[bool]:
    """Whether each quad turns the same way at each corner, and has no side too short for its modules."""
    corners = np.reshape(quads, (-1, 4, 2))
    sides = np.roll(corners, -1, axis=1) - corners
    before, after = sides, np.roll(sides, -1, axis=1)
    turns = before[..., 0] * after[..., 1] - before[..., 1] * after[..., 0]
    long = np.hypot(sides[..., 0], sides[..., 1]).min(1) >= _LEAST_MODULE_PX * BITS
    convex: list[bool] = (long & ((turns.min(1) > 0) | (turns.max(1) < 0))).tolist()
    return convex


@functools.cache
def _codes() -> FloatArray:
    """All codes in four turns, (4 * codes, 36), each with mean 0 and variance 1; row 4 * id + turns.

    A quad whose first corner is the tag's corner ``turns`` sees the code turned that often against the clock.
    """
    count = len(_dictionary().bytesList)
    inner = np.stack([tag_bits(tag_id)[1:-1, 1:-1].astype(np.float64) for tag_id in range(count)])
    turned = np.stack([np.rot90(inner, -turns, axes=(1, 2)).reshape(count, -1) for turns in range(4)], 1)
    rows = turned.reshape(4 * count, -1)
    codes: FloatArray = (rows - rows.mean(1, keepdims=True)) / rows.std(1, keepdims=True)
    return codes


def _modules(grey: npt.NDArray[np.uint8], quads: list[FloatArray]) -> FloatArray:
    """Mean grey value of each module inside each quad, (N, 8, 8)."""
    centres = (np.stack(np.meshgrid(np.arange(BITS), np.arange(BITS)), -1) + 0.5) / BITS
    spread = np.array([[-0.2, -0.2], [0.2, -0.2], [0, 0], [-0.2, 0.2], [0.2, 0.2]]) / BITS
    places = (centres[:, :, None] + spread).reshape(-1, 2)
    values = remap(grey, project(square_homography(quads), places)).astype(np.float64)
    modules: FloatArray = values.reshape(len(quads), BITS, BITS, -1).mean(-1)
    return modules


def search_tag(
    grey: npt.NDArray[np.uint8], quad: FloatArray, tag_id: int, room: float = 0.5
) -> tuple[FloatArray, float]:
    """Look for a known tag round the place where it should be.

    The neighbourhood is rectified to :data:`_PX` pixels a module and compared with the printed tag by normalised
    cross-correlation; this finds tags whose black border is eaten by glare or crossed by a shade edge.

    Parameters
    ----------
    grey : ndarray of shape (H, W), uint8
    quad : ndarray of shape (4, 2)
        Where the tag's outer corners should be, px, clockwise from its own top left.
    tag_id : int
    room : float
        How far it may lie off, in sides of the tag.

    Returns
    -------
    quad : ndarray of shape (4, 2)
        Where it fits best, px.
    correlation : float
        -1 … 1; 0 where the place is outside the picture or too small to tell.
    """
    height, width = grey.shape
    if abs(polygon_area(quad)) < 4 * BITS**2:
        return quad, 0.0
    photo_from_tag = square_homography(quad)
    side = round((1 + 2 * room) * BITS * _PX)
    grid = (np.stack(np.meshgrid(np.arange(side), np.arange(side)), -1) + 0.5) / (BITS * _PX) - room
    points = project(photo_from_tag, grid)
    if np.any(points[BITS * _PX // 2 :: BITS * _PX] < 0) or np.any(points.reshape(-1, 2).mean(0) > [width, height]):
        return quad, 0.0
    template = np.kron(np.where(tag_bits(tag_id), 255, 0), np.ones((_PX, _PX))).astype(np.uint8)
    match = cv2.matchTemplate(cv2.blur(remap(grey, points), (3, 3)), cv2.blur(template, (3, 3)), cv2.TM_CCOEFF_NORMED)
    y, x = np.unravel_index(int(np.argmax(match)), match.shape)
    shift = np.array([x, y]) / (BITS * _PX) - room
    return project(photo_from_tag, np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + shift), float(match[y, x])


_PX = 4
"""Pixels per module when a tag is compared with its print."""
