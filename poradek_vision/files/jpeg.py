"""The outline of a JPEG, read from its markers: size, EXIF, and whether the whole picture is there.

A decoder fills what is missing with grey and says nothing, so the markers are walked before it is asked. What lies
behind the end marker (a motion photo's film, a second picture, padding) is of no concern.

References
----------
ITU-T T.81, annex B.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poradek_vision.errors import UnreadableFile

_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_START_OF_SCAN, _END, _APP1 = 0xDA, 0xD9, 0xE1
_BETWEEN_SCANS = frozenset({0xC4, 0xDA, 0xDB, 0xDC, 0xDD, 0xFE, *range(0xE0, 0xF0)})


@dataclass(frozen=True, slots=True)
class JpegOutline:
    """What the markers say.

    Attributes
    ----------
    width, height : int
        Of the picture as stored, in pixels.
    exif : bytes
        The EXIF segment, empty where there is none.
    start, end : int
        Offsets of the coded data and of the end marker; the picture is ``data[:end + 2]``.
    """

    width: int
    height: int
    exif: bytes
    start: int
    end: int


def read_outline(data: bytes, photo: str) -> JpegOutline:
    """Walk the markers of a JPEG.

    Parameters
    ----------
    data : bytes
        The file; begins with the JPEG magic.
    photo : str
        The photo's name, for the error.

    Raises
    ------
    UnreadableFile
        If the file ends before the picture does (``photo.truncated``), or its markers make no sense or a stretch of it
        was never written (``photo.corrupt``).
    """
    width = height = 0
    exif = b""
    for marker, body, end in _segments(data, photo):
        if marker in _START_OF_FRAME and len(body) >= 5:
            height, width = int.from_bytes(body[1:3], "big"), int.from_bytes(body[3:5], "big")
        elif marker == _APP1 and body.startswith(b"Exif\0\0") and not exif:
            exif = body
        elif marker == _START_OF_SCAN:
            return JpegOutline(width, height, exif, end, _end_of_scans(data, end, photo))
    raise UnreadableFile("photo.corrupt", photo=photo)


def _segments(data: bytes, photo: str) -> Iterator[tuple[int, bytes, int]]:
    """Marker, content and end of each segment, up to the header of the first scan."""
    at = 2
    while True:
        while data[at : at + 2] == b"\xff\xff":  # fill bytes
            at += 1
        if at + 4 > len(data):
            raise UnreadableFile("photo.truncated", photo=photo)
        marker, end = data[at + 1], at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if data[at] != 0xFF or marker < 0xC0 or marker == _END or end < at + 4:
            raise UnreadableFile(_truncated_or_corrupt(data, at), photo=photo)
        if end > len(data):
            raise UnreadableFile("photo.truncated", photo=photo)
        yield marker, data[at + 4 : end], end
        if marker == _START_OF_SCAN:
            return
        at = end


def _truncated_or_corrupt(data: bytes, at: int) -> str:
    """Whether nothing but zeros follows, as an interrupted copy leaves them, or nonsense."""
    return "photo.corrupt" if data[at:].strip(b"\0") else "photo.truncated"


def _end_of_scans(data: bytes, start: int, photo: str) -> int:
    """Offset of the end marker, found from the start of the first scan's coded data."""
    stream = np.frombuffer(data, np.uint8)
    escapes = np.flatnonzero(stream[start:-1] == 0xFF) + start
    codes = stream[escapes + 1]
    restart = (codes >= 0xD0) & (codes <= 0xD7)
    markers = escapes[(codes != 0) & (codes != 0xFF) & ~restart]
    restarts = escapes[restart]
    while True:
        later = markers[np.searchsorted(markers, start) :]
        if not later.size:
            raise UnreadableFile("photo.truncated", photo=photo)
        at = int(later[0])
        in_scan = restarts[np.searchsorted(restarts, start) : np.searchsorted(restarts, at)]
        if not _in_turn(stream[in_scan + 1]) or (data[at + 1] != _END and data[at + 1] not in _BETWEEN_SCANS):
            raise UnreadableFile("photo.corrupt", photo=photo)
        if data[at + 1] == _END:
            return at
        start = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")


def _in_turn(restarts: npt.NDArray[np.uint8]) -> bool:
    """Whether restart markers count 0, 1, … 7, 0, … as they must."""
    return bool(np.all(restarts - 0xD0 == np.arange(restarts.size) % 8))
