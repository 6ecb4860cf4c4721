"""Photos on the disk: which there are, and their upright RGB pixels.

A file is what its bytes say, not what its name says. JPEG, which nearly all photos are, is decoded by OpenCV, at a
fraction of its size where that is enough; HEIC by pi_heif, the rest by Pillow. EXIF orientation is obeyed once: here,
but for HEIC and TIFF, whose decoders turn the pixels themselves.
"""

from __future__ import annotations

import hashlib
import io
import struct
import warnings
import zlib
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
import pi_heif
from PIL import Image
from PIL.TiffImagePlugin import TiffImageFile

from poradek_vision.errors import UnreadableFile, reason
from poradek_vision.files.exif import Exif, read_exif
from poradek_vision.files.formats import Format, check_whole, has_hole, tell_format
from poradek_vision.files.jpeg import JpegOutline, read_outline
from poradek_vision.files.listing import PhotoFile
from poradek_vision.model import Photo

Pixels = npt.NDArray[np.uint8]

MAX_PIXELS = 200_000_000
MIN_PIXELS = 2_500_000
"""What a reduced photo keeps at least: half of 12 megapixels (4000×3000) each way is 3, of 48 a quarter."""

Image.MAX_IMAGE_PIXELS = None  # Pillow's own limit lies below ours, which is asked before anything is decoded

_DECODER_ERRORS = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    KeyError,
    IndexError,
    TypeError,
    OverflowError,
    RuntimeError,
    struct.error,
    zlib.error,
    cv2.error,
)
"""What Pillow, pi_heif and OpenCV raise on damaged files, depending on where the damage lies."""

_COLOURS = cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION
_REDUCED = {
    1: _COLOURS,
    2: _COLOURS | cv2.IMREAD_REDUCED_GRAYSCALE_2,  # the flag without its colours, which would be BGR
    4: _COLOURS | cv2.IMREAD_REDUCED_GRAYSCALE_4,
    8: _COLOURS | cv2.IMREAD_REDUCED_GRAYSCALE_8,
}
_JPEG_NOTHING = 128
"""Grey, in every channel, is what a JPEG decoder paints when it has run out of data."""


@dataclass(frozen=True, slots=True)
class PhotoContent:
    """A photo's bytes, not decoded yet: enough to know whether it has been read before."""

    name: str
    sha256: str
    data: bytes


def load_content(file: PhotoFile) -> PhotoContent:
    """Read a photo's bytes, without looking at what they are.

    Raises
    ------
    UnreadableFile
        If the file can't be opened (``photo.cannot_open``).
    """
    try:
        data = file.path.read_bytes()
    except OSError as error:
        raise UnreadableFile("photo.cannot_open", photo=file.name, why=reason(error)) from error
    return PhotoContent(file.name, hashlib.sha256(data).hexdigest(), data)


def load_photo(file: PhotoFile, max_pixels: int = MAX_PIXELS, min_pixels: int = MIN_PIXELS) -> Photo:
    """Read and decode a photo: ``decode_photo(load_content(file), …)``.

    Raises
    ------
    UnreadableFile
        As these two do.
    """
    return decode_photo(load_content(file), max_pixels, min_pixels)


def decode_photo(content: PhotoContent, max_pixels: int = MAX_PIXELS, min_pixels: int = MIN_PIXELS) -> Photo:
    """Decode a photo into upright RGB pixels, reduced where it has more than enough of them.

    Parameters
    ----------
    content : PhotoContent
    max_pixels : int
        More are refused, by the header, before anything is decoded.
    min_pixels : int
        The picture is reduced to 1/2, 1/4 or 1/8 each way, whichever is the smallest that still has so many.

    Returns
    -------
    Photo
        Pixel (x, y) of ``pixels`` covers the file's pixels from (x, y) / scale on; columns and rows at the right and
        lower edge that don't fill a pixel may be left out.

    Raises
    ------
    UnreadableFile
        If the file is empty, no picture, of a kind that is not read, incomplete, damaged, or too large. Each has its
        own text. What is known to be incomplete is refused, never filled up.
    """
    kind = tell_format(content.data, content.name)
    if kind == "JPEG":
        return _decode_jpeg(content, max_pixels, min_pixels)
    check_whole(content.data, kind, content.name)
    try:
        with warnings.catch_warnings(action="ignore", category=UserWarning):  # Pillow's words on damaged metadata
            picture, exif = _open_heic(content.data) if kind == "HEIC" else _open_other(content.data, kind)
            _check_pages(picture, content.name)
            _check_size(picture.width, picture.height, max_pixels, content.name)
            pixels = _turn(_rgb(picture), exif.orientation)
    except _DECODER_ERRORS as error:
        raise UnreadableFile("photo.corrupt", photo=content.name) from error
    height, width = pixels.shape[:2]
    reduction = _reduction(width, height, min_pixels)
    return _photo(content, exif, _shrink(pixels, reduction), reduction, (width, height))


def _photo(content: PhotoContent, exif: Exif, pixels: Pixels, reduction: int, full_size: tuple[int, int]) -> Photo:
    pixels.setflags(write=False)
    return Photo(content.name, content.sha256, exif.camera, pixels, 1 / reduction, full_size, exif.taken)


def _check_size(width: int, height: int, max_pixels: int, photo: str) -> None:
    """Refuse a picture without pixels, or with too many."""
    if not width * height:
        raise UnreadableFile("photo.no_pixels", photo=photo)
    if min(width, height) < _LEAST_SIDE:
        raise UnreadableFile("photo.too_small", photo=photo, width=width, height=height)
    if width * height > max_pixels:
        megapixels, most = round(width * height / 1e6), round(max_pixels / 1e6)
        raise UnreadableFile(
            "photo.too_large", photo=photo, width=width, height=height, megapixels=megapixels, most=most
        )


def _check_pages(picture: Image.Image, photo: str) -> None:
    """Refuse what a scanner makes of several boards, of which only the first would be seen; thumbnails don't count."""
    pages = 0
    for frame in range(getattr(picture, "n_frames", 1)):
        picture.seek(frame)
        tags = picture.tag_v2 if isinstance(picture, TiffImageFile) else {}
        pages += not tags.get(_SUBFILE, 0) & _THUMBNAIL
    picture.seek(0)
    if pages > 1:
        raise UnreadableFile("photo.many_pages", photo=photo, count=pages)


_SUBFILE, _THUMBNAIL = 254, 1
"""The TIFF tag that says what a page is, and its bit for a reduced copy of another."""

_LEAST_SIDE = 16
"""Nothing can be read in a narrower picture."""


def _reduction(width: int, height: int, min_pixels: int) -> int:
    """By how much a picture can be reduced each way and keep enough pixels."""
    return next((by for by in (8, 4, 2) if (width // by) * (height // by) >= min_pixels), 1)


def _shrink(pixels: Pixels, by: int) -> Pixels:
    """Reduce by a whole number each way; what does not fill a pixel, at the right and lower edge, is left out."""
    if by == 1:
        return pixels
    height, width = pixels.shape[0] // by, pixels.shape[1] // by
    shrunk = cv2.resize(pixels[: height * by, : width * by], (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(shrunk, np.uint8)


def _turn(pixels: Pixels, orientation: int) -> Pixels:
    """Turn stored pixels upright, as EXIF says (1 to 8)."""
    if orientation >= 5:
        pixels = np.asarray(cv2.transpose(pixels), np.uint8)
    mirror = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}.get(orientation)
    return pixels if mirror is None else np.asarray(cv2.flip(pixels, mirror), np.uint8)


# --- JPEG ----------------------------------------------------------------------------------------------------------


def _decode_jpeg(content: PhotoContent, max_pixels: int, min_pixels: int) -> Photo:
    """Decode at the size wanted; only where the edge would shift when turned (see below) in full, then shrink."""
    outline = read_outline(content.data, content.name)
    exif = read_exif(outline.exif)
    width, height = outline.width, outline.height
    _check_size(width, height, max_pixels, content.name)
    reduction = _reduction(width, height, min_pixels)
    # A side that is no multiple gets one more pixel, only partly filled. It must stay at the right or lower edge, or
    # all pixels would move by that part: where the picture is turned, it might not.
    exact = exif.orientation == 1 or (width % reduction == 0 and height % reduction == 0)
    stored = _decode_whole_jpeg(content, outline, reduction if exact else 1)
    pixels = _turn(stored, exif.orientation)
    full_size = (height, width) if exif.orientation >= 5 else (width, height)
    return _photo(content, exif, pixels if exact else _shrink(pixels, reduction), reduction, full_size)


def _decode_whole_jpeg(content: PhotoContent, outline: JpegOutline, reduction: int) -> Pixels:
    """Pixels as stored, RGB; refuses a picture whose lower end the decoder had to make up."""
    picture = content.data[: outline.end + 2]
    stored = None if has_hole(picture, outline.start) else _imdecode(picture, reduction)
    if stored is None or _ran_dry(picture, stored, reduction):
        raise UnreadableFile("photo.corrupt", photo=content.name)
    return stored


def _imdecode(data: bytes, reduction: int) -> Pixels | None:
    """OpenCV's pixels, RGB, not turned; None where it has none."""
    try:
        rgb = cv2.imdecode(np.frombuffer(data, np.uint8), _REDUCED[reduction])
    except cv2.error:
        return None
    return None if rgb is None else np.asarray(rgb, np.uint8)


def _ran_dry(data: bytes, stored: Pixels, reduction: int) -> bool:
    """Whether the decoder reached the end marker before the last block.

    A grey last pixel is the sign, but a picture may be grey there: only if it ran dry does it make something of
    more data, put in before the end marker.
    """
    if np.any(stored[-1, -1] != _JPEG_NOTHING):
        return False
    fed = _imdecode(data[:-2] + b"\x35" * 4096 + data[-2:], reduction)
    return fed is None or not np.array_equal(fed, stored)


# --- all else ------------------------------------------------------------------------------------------------------


def _open_other(data: bytes, kind: Format) -> tuple[Image.Image, Exif]:
    """The header of a PNG, WebP or TIFF; pixels come when asked for."""
    if kind == "PNG":
        Image.open(io.BytesIO(data), formats=[kind]).verify()  # checksums, which decoding itself passes over
    picture = Image.open(io.BytesIO(data), formats=[kind])
    if kind == "TIFF":  # Pillow turns it on loading
        return picture, replace(read_exif(data), orientation=1)
    return picture, read_exif(picture.info.get("exif", b""))


def _open_heic(data: bytes) -> tuple[Image.Image, Exif]:
    """The header of a HEIC; its pixels come upright, so its EXIF only names the camera."""
    heic = pi_heif.open_heif(data)
    exif = read_exif(heic.info.get("exif") or b"")
    return heic.to_pillow(), replace(exif, orientation=1)


def _rgb(picture: Image.Image) -> Pixels:
    """Pixels as RGB, 8 bits each; what is transparent lies on white."""
    if picture.mode.startswith("I"):  # 16 bits of grey
        picture = Image.fromarray((np.asarray(picture).astype(np.uint32) >> 8).astype(np.uint8))
    if picture.has_transparency_data:
        layer = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", layer.size, "white"), layer)
    return np.array(picture.convert("RGB"), np.uint8)
