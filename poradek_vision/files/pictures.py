"""The pictures in a results folder: ``debug/`` with one per board and one of the no man's land, and ``flagged.jpg``.

A debug picture is named after its photo, and bears the key of the reading that it shows in a JPEG comment, so that a
reading out of the cache knows whether its picture is there.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

from poradek_vision.files.listing import SUFFIXES, PhotoFile, real_path
from poradek_vision.files.writing import drop_file, write_whole

DEBUG = "debug"
FLAGGED = "flagged.jpg"
LAND = "no_mans_land"
"""Stem of the picture of the no man's land in ``debug/``: no photo's picture is called so."""

_START = b"\xff\xd8"
_COMMENT = b"\xff\xfe"
_LONGEST = 80
"""Letters of a name: far below what file systems allow, in any script."""
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
"""What Windows takes for a device."""


def picture_stems(photos: Sequence[str]) -> dict[str, str]:
    """Names for the pictures of some photos: alike, safe on any system, and no two the same for case or number.

    Parameters
    ----------
    photos : sequence of str
        The photos' names, all different.

    Returns
    -------
    dict
        From a photo's name to the stem of its picture. It says the same for the same photos, in whatever order.

    Examples
    --------
    >>> picture_stems(["večer/IMG 1.jpg", "IMG_7.jpg"])
    {'večer/IMG 1.jpg': 'večer_IMG 1', 'IMG_7.jpg': 'IMG_7'}
    """
    stems = {photo: _plain_stem(photo) for photo in photos}
    often = Counter(map(_folded, stems.values()))
    return {
        photo: f"{stem[:_LONGEST]}~{hashlib.sha256(photo.encode()).hexdigest()[:8]}"
        if often[_folded(stem)] > 1 or len(stem) > _LONGEST or _is_numbered(stem, often) or _folded(stem) == LAND
        else stem
        for photo, stem in stems.items()
    }


def picture_paths(results: Path, stem: str, count: int) -> tuple[Path, ...]:
    """Where the pictures of one photo lie: ``IMG_7.jpg``, or ``IMG_7-1.jpg``, ``IMG_7-2.jpg`` where there are more.

    Parameters
    ----------
    results : Path
        The results folder.
    stem : str
        From :func:`picture_stems`.
    count : int
        How many boards the photo shows.
    """
    numbers = [""] if count == 1 else [f"-{number}" for number in range(1, count + 1)]
    return tuple(results / DEBUG / f"{stem}{number}.jpg" for number in numbers)


def land_picture(results: Path) -> Path:
    """Where the picture of the no man's land lies."""
    return results / DEBUG / f"{LAND}.jpg"


def save_picture(path: Path, jpeg: bytes, key: str) -> None:
    """Write a debug picture, whole, with the key of the reading that it shows.

    Raises
    ------
    SettingsError
        If the file can't be written.
    """
    write_whole(path, _START + _comment(key) + jpeg[len(_START) :])


def shows(path: Path, key: str) -> bool:
    """Whether a picture is there and shows the reading of that key."""
    wanted = _START + _comment(key)
    try:
        with path.open("rb") as handle:
            return handle.read(len(wanted)) == wanted
    except OSError:
        return False


def drop_pictures(results: Path, keep: Collection[Path]) -> None:
    """Remove the debug pictures of earlier runs, all but those to keep."""
    kept = {_folded(path.name) for path in keep}
    for path in (results / DEBUG).glob("*.jpg"):
        if _folded(path.name) not in kept:
            with contextlib.suppress(OSError):  # open in a viewer, on Windows; the next run tries again
                path.unlink()


def drop_land(results: Path) -> None:
    """Remove the picture of the no man's land, if there is one."""
    drop_file(land_picture(results))


def drop_flagged(results: Path) -> None:
    """Remove the sheet of doubtful cells, if there is one."""
    drop_file(results / FLAGGED)


def without_pictures(files: Sequence[PhotoFile], results: Path) -> tuple[PhotoFile, ...]:
    """The photos without those that are the tool's own pictures in the results folder."""
    folder = results.resolve()
    own = {folder / FLAGGED}
    return tuple(
        file for file in files if (path := real_path(file.path)) not in own and folder / DEBUG not in path.parents
    )


def _comment(key: str) -> bytes:
    """A JPEG comment segment."""
    text = key.encode()
    return _COMMENT + (len(text) + 2).to_bytes(2, "big") + text


def _plain_stem(photo: str) -> str:
    """A photo's name in one piece, without what some system forbids in names."""
    path, dot, suffix = photo.rpartition(".")
    name = path if f"{dot}{suffix}".lower() in SUFFIXES else photo
    stem = re.sub(r'[\x00-\x1f<>:"/\\|?*~]', "_", name).strip(" .") or "_"
    return f"_{stem}" if _RESERVED.fullmatch(stem) else stem


def _folded(name: str) -> str:
    """A name as file systems that ignore case, or take letters apart, compare it."""
    return unicodedata.normalize("NFC", name).casefold()


def _is_numbered(stem: str, stems: Collection[str]) -> bool:
    """Whether a name could be that of another photo's second board."""
    head, dash, number = stem.rpartition("-")
    return bool(dash) and number.isdecimal() and _folded(head) in stems
