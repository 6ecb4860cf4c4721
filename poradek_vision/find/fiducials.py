"""Printed AprilTags in a photo: which, and where their corners are.

References
----------
Garrido-Jurado et al., Automatic generation and detection of highly reliable fiducial markers under occlusion, Pattern
Recognition 47 (2014); Olson, AprilTag, ICRA 2011.
"""

from __future__ import annotations

import functools
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


def find_tags(grey: npt.NDArray[np.uint8], windows: tuple[int, ...] = (23,)) -> list[Tag]:
    """Every 36h11 tag in a grey picture.

    OpenCV proposes squares and decodes the sharp ones; the squares that it rejects are decoded softly, by correlation
    of their grey modules with all codes, which blur and noise disturb much less than single bits.

    Parameters
    ----------
    grey : ndarray of shape (H, W), uint8
    windows : tuple of int
        Sides of the adaptive threshold's window, px; tags up to about three windows wide are found.

    Returns
    -------
    list of Tag
        Corners to about half a pixel; :func:`find.sight.sight` does better.
    """
    tags: list[Tag] = []
    for window in windows:
        parameters = cv2.aruco.DetectorParameters()
        parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = window
        parameters.minMarkerPerimeterRate = _LEAST_PERIMETER
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
        quads, ids, rejected = cv2.aruco.ArucoDetector(_dictionary(), parameters).detectMarkers(grey)
        sharp = zip(quads, [] if ids is None else ids.ravel(), strict=True)
        found = [Tag(int(tag_id), np.asarray(quad, np.float64).reshape(4, 2)) for quad, tag_id in sharp]
        found += [tag for quad in rejected if (tag := _decode_softly(grey, np.asarray(quad, np.float64).reshape(4, 2)))]
        tags += [tag for tag in found if not any(tag.same_as(other) for other in tags)]
    return tags


_LEAST_PERIMETER = 0.05
"""Of a square, as a share of the picture's longer side."""
_SOFT_CORRELATION = 0.75
"""Least correlation of the 36 inner modules with a code: the best of all codes on noise reaches 0.6."""
_FLAT = 5.0
"""Grey values: what varies less inside is no tag."""
_HOPELESS = 0.5
"""A quad whose best correlation is lower is no tag of a slightly different size either."""
_SOFT_LEAD = 0.1
"""Least lead over the second-best code; two codes differ in 11 bits or more."""


def _decode_softly(grey: npt.NDArray[np.uint8], quad: FloatArray) -> Tag | None:
    """The tag in a quad, or None: grey modules against all codes in four turns, at a few sizes of the quad."""
    if np.min(np.hypot(*(quad - np.roll(quad, 1, 0)).T)) < 1.5 * BITS or not _is_convex(quad):
        return None
    best: tuple[float, Tag] | None = None
    for grow in (1.0, 1.05, 0.95):
        grown = quad.mean(0) + grow * (quad - quad.mean(0))
        modules = _modules(grey, grown)
        border, inner = _split(modules)
        if border.mean() > 0.5 * (modules.min() + modules.max()) or inner.std() < _FLAT:
            return None
        scores = _codes() @ ((inner - inner.mean()) / (inner.std() * inner.size))
        order = np.argsort(scores)[-2:]
        if scores[order[1]] < _HOPELESS:
            return None
        if scores[order[1]] < _SOFT_CORRELATION or scores[order[1]] - scores[order[0]] < _SOFT_LEAD:
            continue
        if best is None or scores[order[1]] > best[0]:
            tag_id, turns = divmod(int(order[1]), 4)
            best = float(scores[order[1]]), Tag(tag_id, np.roll(grown, -turns, 0))
    return best[1] if best else None


def _is_convex(quad: FloatArray) -> bool:
    """Whether a quad turns the same way at each corner."""
    sides = np.roll(quad, -1, 0) - quad
    after = np.roll(sides, -1, 0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    return bool(np.all(turns > 0) or np.all(turns < 0))


def _split(modules: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Border and inner modules (36,) of a tag's grey values (8, 8)."""
    inner = modules[1:-1, 1:-1]
    return np.concatenate([modules[0], modules[-1], modules[1:-1, 0], modules[1:-1, -1]]), inner.ravel()


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


def _modules(grey: npt.NDArray[np.uint8], quad: FloatArray) -> FloatArray:
    """Mean grey value of each module (8, 8) inside a quad."""
    centres = (np.stack(np.meshgrid(np.arange(BITS), np.arange(BITS)), -1) + 0.5) / BITS
    spread = np.array([[-0.2, -0.2], [0.2, -0.2], [0, 0], [-0.2, 0.2], [0.2, 0.2]]) / BITS
    photo_from_tag = square_homography(quad)
    values = remap(grey, project(photo_from_tag, centres[:, :, None] + spread).reshape(BITS * BITS, -1, 2))
    return values.astype(np.float64).mean(1).reshape(BITS, BITS)


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
