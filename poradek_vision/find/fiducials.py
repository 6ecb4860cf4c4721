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

from poradek_vision.geometry import FloatArray, fit_homography, polygon_area, project, remap

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


@functools.cache
def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)


@functools.lru_cache(maxsize=600)
def tag_bits(tag_id: int) -> npt.NDArray[np.bool_]:
    """The modules of a tag, (8, 8), True where white."""
    return _dictionary().generateImageMarker(tag_id, BITS, borderBits=1) > 127


def find_tags(grey: npt.NDArray[np.uint8], windows: tuple[int, ...] = (23,)) -> list[Tag]:
    """Every 36h11 tag in a grey picture.

    Parameters
    ----------
    grey : ndarray of shape (H, W), uint8
    windows : tuple of int
        Side of the adaptive threshold's window, px; tags up to about three windows wide are found.

    Returns
    -------
    list of Tag
        Corners to about half a pixel; :func:`find.sight.sight` does better.
    """
    tags: list[Tag] = []
    for window in windows:
        parameters = cv2.aruco.DetectorParameters()
        parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = window
        parameters.minMarkerPerimeterRate = 0.02
        parameters.errorCorrectionRate = 0.6
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
        quads, ids, _ = cv2.aruco.ArucoDetector(_dictionary(), parameters).detectMarkers(grey)
        for quad, tag_id in zip(quads, [] if ids is None else ids.ravel(), strict=True):
            corners = np.asarray(quad, np.float64).reshape(4, 2)
            if not any(t.id == tag_id and np.hypot(*(t.quad.mean(0) - corners.mean(0))) < 5 for t in tags):
                tags.append(Tag(int(tag_id), corners))
    return tags


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
    photo_from_tag = fit_homography([[0, 0], [1, 0], [1, 1], [0, 1]], quad)
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
