"""Fiducials and the codes of teams as vector shapes."""

from __future__ import annotations

from collections.abc import Iterator

import cv2

from poradek_vision.model import Fiducial, Rect

_TAG_BITS = 8  # a side of 36h11 with its black border
_CODE_BITS = 6  # a side of 4x4_50 with its black border


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
    return _black(cv2.aruco.DICT_APRILTAG_36h11, fiducial.id, _TAG_BITS, fiducial.square)


def code_parts(team_index: int, square: Rect) -> Iterator[Rect]:
    """The black parts of a team's code, in mm, as :func:`black_parts` has them.

    Parameters
    ----------
    team_index : int
        From 0, at most 49.
    square : Rect
        The code, outer black edge to outer black edge.

    Examples
    --------
    >>> next(code_parts(0, Rect(0, 0, 12, 12)))
    Rect(x=0.0, y=0.0, w=12.0, h=2.0)
    """
    return _black(cv2.aruco.DICT_4X4_50, team_index, _CODE_BITS, square)


def _black(dictionary: int, number: int, side_bits: int, square: Rect) -> Iterator[Rect]:
    """The black stretches of one marker of a dictionary."""
    bits = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(dictionary), number, side_bits)
    bit_mm = square.w / side_bits
    for row, line in enumerate(bits):
        for first, last in _stretches([value == 0 for value in line.tolist()]):
            y = square.y + row * bit_mm
            yield Rect(square.x + first * bit_mm, y, (last - first) * bit_mm, bit_mm)


def _stretches(black: list[bool]) -> Iterator[tuple[int, int]]:
    """Where stretches of True begin and end."""
    edges = [k for k, (a, b) in enumerate(zip([False, *black], [*black, False], strict=True)) if a != b]
    yield from zip(edges[::2], edges[1::2], strict=True)
