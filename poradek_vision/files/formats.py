"""What kind of file a photo is, told by its content, never by its name; and whether all of it is there.

Decoders are kinder to half a file than we can afford to be: they fill up and say nothing. So the plain marks of an
interrupted copy (a size that the file does not reach, a missing end, zeros where data should be) are looked for first.
"""

from __future__ import annotations

from typing import Literal

from poradek_vision.errors import UnreadableFile
from poradek_vision.files.exif import is_raw

Format = Literal["JPEG", "PNG", "WEBP", "TIFF", "HEIC"]

_BLOCK = 512
"""Files are copied in multiples of this many bytes, on every file system that a phone or card uses."""
_ZERO_TAIL = 256
"""Compressed pictures don't end in so many zeros; an interrupted copy does."""
_ZERO_HOLE = 4096
"""A stretch never written is at least a page. A shorter one can be a flat, dark part of a picture."""
_HOLE_SLACK = 3
"""Data next to a hole may itself be zero for a few bytes."""

_PNG_END = b"IEND\xaeB`\x82"

_OTHER_KINDS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"GIF8", "GIF"),
    (0, b"BM", "BMP"),
    (0, b"8BPS", "Photoshop"),
    (0, b"%PDF", "PDF"),
    (0, b"PK\x03\x04", "ZIP"),
    (0, b"\xff\x0a", "JPEG XL"),
    (0, b"\0\0\0\x0cJXL ", "JPEG XL"),
    (0, b"\0\0\0\x0cjP  ", "JPEG 2000"),
    (0, b"IIRO", "raw"),
    (0, b"IIU\0", "raw"),
    (0, b"FUJIFILMCCD-RAW", "raw"),
    (0, b"\x1aE\xdf\xa3", "video"),
    (8, b"AVI ", "video"),
)
_HEVC_BRANDS = {b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis"}
_HEIF_BRANDS = {b"mif1", b"msf1"}


def tell_format(data: bytes, photo: str) -> Format:
    r"""Which of the formats that we read a file is.

    Parameters
    ----------
    data : bytes
        The whole file.
    photo : str
        The photo's name, for the error.

    Raises
    ------
    UnreadableFile
        If it is empty, no picture at all, or of a kind that we don't read; the text says what to do.

    Examples
    --------
    >>> tell_format(b"\xff\xd8\xff\xe0", "a.png")
    'JPEG'
    """
    if not data:
        raise UnreadableFile("photo.empty", photo=photo)
    kind = _kind(data)
    match kind:
        case "JPEG" | "PNG" | "WEBP" | "TIFF" | "HEIC":
            return kind
        case "zeros":
            raise UnreadableFile("photo.truncated", photo=photo)
        case "video" | "raw":
            raise UnreadableFile(f"photo.{kind}", photo=photo)
        case "":
            raise UnreadableFile("photo.not_an_image", photo=photo)
    raise UnreadableFile("photo.unsupported", photo=photo, kind=kind)


def check_whole(data: bytes, kind: Format, photo: str) -> None:
    """Refuse what an interrupted copy leaves behind; JPEG's markers are for ``jpeg`` to walk.

    Raises
    ------
    UnreadableFile
        ``photo.truncated`` or, with a hole amid data, ``photo.corrupt``.
    """
    compressed = kind in ("PNG", "WEBP", "HEIC")
    if _ends_early(data, kind) or (compressed and data.endswith(bytes(_ZERO_TAIL))):
        raise UnreadableFile("photo.truncated", photo=photo)
    if has_hole(data):
        raise UnreadableFile("photo.corrupt", photo=photo)


def has_hole(data: bytes, start: int = 0) -> bool:
    """Whether whole blocks of a file, from ``start`` on, were never written.

    That leaves a long stretch of zeros from one block's edge to another's; a picture's own zeros don't keep to edges.
    """
    hole = bytes(_ZERO_HOLE)
    start = data.find(hole, start)
    while start >= 0:
        end = start + _ZERO_HOLE
        while data[end : end + 1] == b"\0":
            end = end + _BLOCK if data[end : end + _BLOCK] == bytes(_BLOCK) else end + 1
        if _near_edge(start) and (_near_edge(end) or end == len(data)):
            return True
        start = data.find(hole, end)
    return False


def _near_edge(offset: int) -> bool:
    """Whether a block of the file begins here, give or take a few bytes."""
    return (offset + _HOLE_SLACK) % _BLOCK <= 2 * _HOLE_SLACK


def _kind(data: bytes) -> str:
    """The kind by its magic bytes; ``""`` unknown, ``"zeros"`` for a file that was never written."""
    if data.startswith(b"\xff\xd8"):
        return "JPEG"
    if data.startswith(b"\x89PNG"):
        return "PNG"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "WEBP"
    if data[:4] in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"):
        return "raw" if is_raw(data) else "TIFF"
    if data[4:8] == b"ftyp":
        return _kind_by_brands(data)
    known = (kind for at, magic, kind in _OTHER_KINDS if data[at : at + len(magic)] == magic)
    return next(known, "" if data.strip(b"\0") else "zeros")


def _kind_by_brands(data: bytes) -> str:
    """HEIC, AVIF, raw or video: all are boxes that name their brands."""
    box = data[8 : int.from_bytes(data[:4], "big")]
    brands = {box[at : at + 4] for at in (0, *range(8, len(box), 4))}
    if brands & _HEVC_BRANDS:
        return "HEIC"
    if brands & {b"avif", b"avis"}:
        return "AVIF"
    if brands & _HEIF_BRANDS:
        return "HEIC"
    return "raw" if b"crx " in brands else "video"


def _ends_early(data: bytes, kind: Format) -> bool:
    """Whether a file is shorter than it says, or lacks its end."""
    match kind:
        case "PNG":
            return _PNG_END not in data[-1 << 16 :]
        case "WEBP":
            return int.from_bytes(data[4:8], "little") + 8 > len(data)
        case "HEIC":
            return _boxes_end(data) > len(data)
    return False


def _boxes_end(data: bytes) -> int:
    """Where the last top-level box of a HEIC says that it ends."""
    at = 0
    while at + 8 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if size == 1:
            size = int.from_bytes(data[at + 8 : at + 16], "big")
        if size < 8:  # 0: to the end of the file; less: no box
            return len(data)
        at += size
    return at
