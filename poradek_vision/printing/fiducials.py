"""Fiducials as vector shapes."""

from __future__ import annotations

from collections.abc import Iterator

import cv2

from poradek_vision.model import Fiducial, Rect

_BITS = 8  # a side of 36h11 with its black border


def black_parts(fiducial: Fiducial) -> Iterator[Rect]:
    """The black parts of a printed AprilTag, in mm: per row of bits one rectangle for each black stretch.

    Parameters
    ----------
    fiducial : Fiducial

    Examples
    --------
    >>> next(black_parts(Fiducial(0, 0, Rect(25, 70, 16, 16))))
    Rect(x=25.0, y=70.0, w=16.0, h=2.0)
    """
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    bits = cv2.aruco.generateImageMarker(dictionary, fiducial.id, _BITS)
    square = fiducial.square
    bit_mm = square.w / _BITS
    for row, line in enumerate(bits):
        for first, last in _stretches([value == 0 for value in line.tolist()]):
            y = square.y + row * bit_mm
            yield Rect(square.x + first * bit_mm, y, (last - first) * bit_mm, bit_mm)


def _stretches(black: list[bool]) -> Iterator[tuple[int, int]]:
    """Where stretches of True begin and end."""
    edges = [k for k, (a, b) in enumerate(zip([False, *black], [*black, False], strict=True)) if a != b]
    yield from zip(edges[::2], edges[1::2], strict=True)
