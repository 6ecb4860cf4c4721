"""EXIF, as little of it as the tool asks for: which way up, whose camera, and the day.

Reads the first directory of a TIFF structure: what EXIF is, and what a TIFF file begins with. Damaged EXIF is no
reason to refuse a photo: what can't be read counts as not said.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

_MAKE, _MODEL, _ORIENTATION, _TAKEN = 0x010F, 0x0110, 0x0112, 0x0132
_NEW_SUBFILE_TYPE, _DNG_VERSION = 0x00FE, 0xC612
_ASCII, _SHORT = 2, 3
"""Numbers of tags and of types (TIFF 6.0, Exif 2.3, DNG 1.6)."""
_MOST_ENTRIES = 1000
"""A directory that claims more entries is damaged."""


@dataclass(frozen=True, slots=True)
class Exif:
    """What EXIF says: ``orientation`` 1 to 8 (1 is upright), ``camera`` make and model, ``taken`` an ISO date."""

    orientation: int = 1
    camera: str = ""
    taken: str = ""


def read_exif(data: bytes) -> Exif:
    r"""Read orientation and camera.

    Parameters
    ----------
    data : bytes
        A TIFF structure, with or without ``Exif\0\0`` in front; empty where a file has no EXIF.

    Returns
    -------
    Exif
        Orientations that the standard does not know count as upright.

    Examples
    --------
    >>> entry = b"\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00"
    >>> read_exif(b"Exif\0\0II*\0\x08\x00\x00\x00\x01\x00" + entry)
    Exif(orientation=6, camera='', taken='')
    """
    try:
        values = _first_directory(data.removeprefix(b"Exif\0\0"))
    except struct.error:
        values = {}
    orientation = values.get(_ORIENTATION)
    return Exif(
        orientation=orientation if isinstance(orientation, int) and 1 <= orientation <= 8 else 1,
        camera=camera_name(str(values.get(_MAKE, "")), str(values.get(_MODEL, ""))),
        taken=iso_date(str(values.get(_TAKEN, ""))),
    )


def camera_name(make: str, model: str) -> str:
    """Make and model as one string, the make not repeated.

    Examples
    --------
    >>> camera_name("Apple", "iPhone 12")
    'Apple iPhone 12'
    >>> camera_name("Canon", "Canon EOS 90D")
    'Canon EOS 90D'
    """
    make, model = " ".join(make.split()), " ".join(model.split())
    if model.casefold().startswith(make.casefold()):
        return model
    return f"{make} {model}".strip()


def iso_date(said: str) -> str:
    """The day of an EXIF time as an ISO date; nothing where there is none, or the clock was never set.

    Examples
    --------
    >>> iso_date("2027:07:12 18:30:01"), iso_date("0000:00:00 00:00:00")
    ('2027-07-12', '')
    """
    day = re.match(r"([12]\d{3}):([01]\d):([0-3]\d)", said)
    return "-".join(day.groups()) if day else ""


def is_raw(data: bytes) -> bool:
    """Whether a TIFF is a camera's raw file: its first picture is but a preview, or it says that it is a DNG or CR2."""
    if data[8:10] == b"CR":
        return True
    try:
        tags = dict(_entries(data))
        preview = _NEW_SUBFILE_TYPE in tags and _number(data, tags[_NEW_SUBFILE_TYPE]) & 1 == 1
    except struct.error:
        return False
    return preview or _DNG_VERSION in tags


def _first_directory(data: bytes) -> dict[int, int | str]:
    """The four tags by number, as far as they are there."""
    values: dict[int, int | str] = {}
    for tag, entry in _entries(data):
        kind, count = struct.unpack_from(_order(data) + "HI", data, entry + 2)
        if tag == _ORIENTATION and kind == _SHORT:
            values[tag] = struct.unpack_from(_order(data) + "H", data, entry + 8)[0]
        elif tag in (_MAKE, _MODEL, _TAKEN) and kind == _ASCII:
            start = entry + 8 if count <= 4 else _number(data, entry)
            values[tag] = data[start : start + count].split(b"\0")[0].decode("utf-8", "replace")
    return values


def _entries(data: bytes) -> list[tuple[int, int]]:
    """Tag and offset of each entry of the first directory."""
    if data[:4] not in (b"II*\0", b"MM\0*"):
        return []
    (directory,) = struct.unpack_from(_order(data) + "I", data, 4)
    (count,) = struct.unpack_from(_order(data) + "H", data, directory)
    offsets = range(directory + 2, directory + 2 + 12 * min(count, _MOST_ENTRIES), 12)
    return [(struct.unpack_from(_order(data) + "H", data, offset)[0], offset) for offset in offsets]


def _order(data: bytes) -> str:
    """The byte order as ``struct`` writes it."""
    return "<" if data[:2] == b"II" else ">"


def _number(data: bytes, entry: int) -> int:
    """The four-byte value (or offset) of an entry."""
    number: int = struct.unpack_from(_order(data) + "I", data, entry + 8)[0]
    return number
