"""Drawing on pictures: text in any European alphabet, chips, lines that show on every background.

A picture is an (h, w, 3) uint8 array, RGB, drawn on in place. Points are (x, y), pixel centres at whole numbers;
sizes of letters are in pixels. Text uses the font built into OpenCV: it needs no file, so no path can be in its way.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.overlay.words import UNBROKEN

Picture = npt.NDArray[np.uint8]
Rgb = tuple[int, int, int]

GROUND: Rgb = (27, 27, 27)
"""A grey, since numpy fills a picture with equal channels fifty times faster."""
INK: Rgb = (242, 242, 238)
FAINT: Rgb = (168, 172, 178)
FOUND: Rgb = (70, 235, 255)
"""What was found: grid lines and fiducials."""
DOUBT: Rgb = (255, 70, 215)
"""What is in doubt. No sticker that is sold in the basic colours looks like it."""
SURE: Rgb = (120, 215, 130)

_DARK: Rgb = (0, 0, 0)
_REGULAR, _BOLD = 430, 680
"""Weights of the font."""
_SHIFT = 4
"""Bits of a pixel's fraction in the points that OpenCV draws."""
_FAR_PX = 30000
"""Farther points overflow: inside OpenCV they are whole numbers of 32 bits, 16 of them the fraction."""
_FONT_LOCK = threading.Lock()
"""OpenCV 5.0 keeps the weight in the shared font: two threads with different weights would draw each other's."""


@functools.cache
def _font() -> cv2.FontFace:
    return cv2.FontFace("sans")


def blank(width: int, height: int) -> Picture:
    """A picture of the ground alone."""
    return np.full((height, width, 3), GROUND[0], np.uint8)


def write(
    picture: Picture, words: str, at: tuple[float, float], size: int, colour: Rgb = INK, bold: bool = False
) -> None:
    """Draw one line of text; ``at`` is the left end of its baseline. What reaches past the edge is cut off."""
    x, y = round(at[0]), round(at[1])
    with _FONT_LOCK:
        cv2.putText(picture, _printable(words), (x, y), colour, _font(), size, _BOLD if bold else _REGULAR)


@functools.lru_cache(maxsize=2048)
def width_of(words: str, size: int, bold: bool = False) -> int:
    """Width of one line of text, px."""
    with _FONT_LOCK:
        box = cv2.getTextSize((0, 0), _printable(words), (0, 0), _font(), size, _BOLD if bold else _REGULAR)
    return int(box[2])


def _printable(words: str) -> str:
    """The words with a question mark for what no font can show, such as broken bytes in a file's name."""
    words = words.replace(UNBROKEN, " ")
    return words if words.isprintable() else "".join(sign if sign.isprintable() else "?" for sign in words)


def wrap(words: str, width: int, size: int, bold: bool = False) -> tuple[str, ...]:
    """Break text into lines of at most ``width`` px, at spaces where there are any.

    Examples
    --------
    >>> wrap("two colours fit almost equally well", 150, 16)
    ('two colours fit', 'almost equally well')
    """
    lines: list[str] = []
    line = ""
    for word in words.split(" "):
        longer = f"{line} {word}" if line else word
        if width_of(longer, size, bold) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        *full, line = _pieces(word, width, size, bold)
        lines += full
    return (*lines, line)


def _pieces(word: str, width: int, size: int, bold: bool) -> list[str]:
    """A word cut where it is wider than a line, as file names are."""
    pieces = [""]
    for sign in word:
        if pieces[-1] and width_of(pieces[-1] + sign, size, bold) > width:
            pieces.append("")
        pieces[-1] += sign
    return pieces


def chip(picture: Picture, words: str, at: tuple[float, float], height: int, fill: Rgb) -> int:
    """Draw words on a small plate whose top-left corner is ``at``; give its width."""
    x, y = round(at[0]), round(at[1])
    plate = _plate(words, height, fill)
    left, top = max(0, -x), max(0, -y)
    place = picture[max(0, y) : max(0, y + height), max(0, x) : max(0, x + plate.shape[1])]
    place[:] = plate[top : top + place.shape[0], left : left + place.shape[1]]
    return int(plate.shape[1])


@functools.lru_cache(maxsize=512)
def _plate(words: str, height: int, fill: Rgb) -> Picture:
    """A small plate with words on it; the few that there are recur in every picture of a batch."""
    size, ink = _letters_on(height), contrast(fill)
    text_width = width_of(words, size, bold=True)
    plate = np.empty((height, _plate_width(text_width, height), 3), np.uint8)
    plate[:] = ink
    plate[1:-1, 1:-1] = fill
    write(plate, words, ((plate.shape[1] - text_width) / 2, height * 0.76), size, ink, bold=True)
    plate.setflags(write=False)
    return plate


def chip_width(words: str, height: int) -> int:
    """Width of a plate with these words."""
    return _plate_width(width_of(words, _letters_on(height), bold=True), height)


def _plate_width(text_width: int, height: int) -> int:
    return max(height, text_width + height // 2)


def centred(picture: Picture, sign: str, at: npt.ArrayLike, height: int, fill: Rgb) -> None:
    """Draw a small plate round a point (x, y); nothing where that lies outside the picture."""
    x, y = np.asarray(at, np.float64).tolist()
    if 0 <= x < picture.shape[1] and 0 <= y < picture.shape[0]:
        chip(picture, sign, (x - chip_width(sign, height) / 2, y - height / 2), height, fill)


def _letters_on(height: int) -> int:
    """Size of the letters on a plate of this height."""
    return round(height * 0.72)


def contrast(fill: Rgb) -> Rgb:
    """Black or white, whichever shows better on a colour.

    Examples
    --------
    >>> contrast((246, 205, 40)), contrast((34, 84, 172))
    ((0, 0, 0), (242, 242, 238))
    """
    return _DARK if is_bright(fill) else INK


def is_bright(colour: Rgb) -> bool:
    """Whether black shows better on a colour than white."""
    red, green, blue = colour
    return 0.3 * red + 0.59 * green + 0.11 * blue > _BRIGHT_LUMA


_BRIGHT_LUMA = 140
"""0 to 255; yellow lies at 199, green at 109."""


def lines(picture: Picture, paths: Sequence[npt.ArrayLike], closed: bool, colour: Rgb, width: int = 1) -> None:
    """Draw paths of points (N, 2) as light lines with dark edges, which show on any background."""
    whole = [np.clip(np.asarray(path, np.float64), -_FAR_PX, _FAR_PX) * 2**_SHIFT for path in paths]
    fixed = [np.round(path).astype(np.int32) for path in whole]
    cv2.polylines(picture, fixed, closed, _DARK, width + 2, cv2.LINE_8, _SHIFT)
    cv2.polylines(picture, fixed, closed, colour, width, cv2.LINE_AA, _SHIFT)


def frame(picture: Picture, box: tuple[int, int, int, int], colour: Rgb, width: int) -> None:
    """Draw a frame with dark edges just inside a box: left, top, right, bottom, the last two not included."""
    left, top, right, bottom = box
    for k in range(width + 2):
        stroke = colour if 0 < k < width + 1 else _DARK
        cv2.rectangle(picture, (left + k, top + k), (right - 1 - k, bottom - 1 - k), stroke, 1)


def paste(picture: Picture, pixels: Picture) -> None:
    """Fill a picture, or a part of one, with other pixels scaled to its size.

    Two by two pixels are taken for each one painted, also when a photo is much larger: an average over all of a
    12-megapixel photo would cost nearly as much as its decoding.
    """
    cv2.resize(pixels, picture.shape[1::-1], dst=picture, interpolation=cv2.INTER_LINEAR)


def encode_jpeg(picture: Picture, quality: int = 82) -> bytes:
    r"""A picture as the bytes of a JPEG file.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8
        RGB, at most 65,500 px high and wide.
    quality : int
        1 to 100.

    Raises
    ------
    ValueError
        If OpenCV can't encode the picture.

    Examples
    --------
    >>> encode_jpeg(blank(8, 8))[:2]
    b'\xff\xd8'
    """
    return _encoded(picture, ".jpeg", cv2.IMWRITE_JPEG_QUALITY, quality)


def encode_png(picture: Picture) -> bytes:
    r"""A picture as the bytes of a PNG file.

    Raises
    ------
    ValueError
        If OpenCV can't encode the picture.

    Examples
    --------
    >>> encode_png(blank(8, 8))[:4]
    b'\x89PNG'
    """
    # Flat colours need no filter; level 9 takes four times as long, more than the rest of a calibration
    return _encoded(
        picture, ".png", cv2.IMWRITE_PNG_COMPRESSION, 6, cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_NONE
    )


def _encoded(picture: Picture, kind: str, *options: int) -> bytes:
    """A picture as a file of some kind, with options of OpenCV's encoder, each followed by its value."""
    done, encoded = cv2.imencode(kind, cv2.cvtColor(picture, cv2.COLOR_RGB2BGR), options)
    if not done:
        raise ValueError(f"a picture of shape {picture.shape} can't be encoded as {kind[1:].upper()}")
    return encoded.tobytes()
