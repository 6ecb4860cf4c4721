"""Which photos there are in the files and folders that a person names."""

from __future__ import annotations

import logging
import os
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from poradek_vision.errors import SettingsError, reason
from poradek_vision.files.settings import GAME_FILE
from poradek_vision.model import natural_key

SUFFIXES = (".jpg", ".jpeg", ".jfif", ".png", ".webp", ".tif", ".tiff", ".heic", ".heif")

_TABLES = (".csv", ".xls", ".xlsx", ".ods")
_WRITING = (".toml", ".json", ".jsonl", ".txt", ".md", ".log", ".html", ".doc", ".docx", ".odt")
_BY_SYSTEMS = (".ini", ".db", ".lnk", ".url", ".aae", ".xmp")
_NEVER_PHOTOS = (*_TABLES, *_WRITING, *_BY_SYSTEMS)
"""What lies beside photos and may hold none; anything else that isn't read is told."""
_MOST_TOLD = 5  # names of files in one line

_OWN_FILES = ("readings.jsonl", "results.csv")
_OWN_FOLDERS = ("debug", "calibration")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PhotoFile:
    """A photo's file: the name by which people and files call it, and where it lies."""

    name: str
    path: Path


def list_photos(paths: Sequence[Path]) -> tuple[PhotoFile, ...]:
    """List the photos in files and folders, in the natural order of their names.

    Folders are searched with all their subfolders, but for hidden ones and the tool's own results. A file that is
    named is taken whatever it is: reading it will say what is wrong with it.

    Parameters
    ----------
    paths : sequence of Path
        Files and folders; what is given twice counts once.

    Returns
    -------
    tuple of PhotoFile
        Names are unique: relative to the folder given, with ``/``; with folders in front where two would be the same.

    Raises
    ------
    SettingsError
        If a path does not exist, or there is no photo in one.
    """
    names: dict[Path, tuple[Path, int]] = {}
    for given in paths:
        for path, parts in _photos_in(given):
            names.setdefault(real_path(path), (path, parts))
    found = [PhotoFile(name, path) for (path, _), name in zip(names.values(), _unique_names(names), strict=True)]
    return tuple(sorted(found, key=lambda file: natural_key(file.name)))


def real_path(path: Path) -> Path:
    """The file behind links; a link that leads only to itself is left for reading to complain of."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # a loop of links; Python 3.13 raises OSError
        return path


def _photos_in(given: Path) -> list[tuple[Path, int]]:
    """Each photo of a file or folder, and how many parts of its path make its name."""
    if given.is_file():
        return [(given.absolute(), 1)]
    if not given.is_dir():
        raise SettingsError("photo.no_such_path", path=given)
    folder = given.absolute()
    photos = [(path, len(path.relative_to(folder).parts)) for path in _walk(folder)]
    if not photos:
        raise SettingsError("photo.no_photos", path=given, suffixes=" ".join(SUFFIXES))
    return photos


def _walk(folder: Path) -> Iterator[Path]:
    """Every photo below a folder; a folder within it that may not be entered is passed over."""
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise SettingsError("photo.cannot_open", photo=folder, why=reason(error)) from error
    strange = []
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            if (
                not entry.is_symlink()
                and _may_enter(entry)
                and not _is_own(entry)
                and not _is_another_game(entry, folder)
            ):
                yield from _walk(entry)
        elif entry.suffix.lower() in SUFFIXES and (entry.is_file() or not entry.exists()):
            yield entry  # a dead link is reported when it is read; a pipe or device would be waited for forever
        elif not _is_beside(entry):
            strange.append(as_text(entry.name))
    if strange:
        told = strange[:_MOST_TOLD] + ["…"] * (len(strange) > _MOST_TOLD)
        _log.warning(
            "%s", SettingsError("photo.files_skipped", folder=_shown(folder), count=len(strange), names=", ".join(told))
        )


def _shown(folder: Path) -> Path:
    """A folder as it is called from here."""
    return folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder


def _is_beside(file: Path) -> bool:
    """Whether a file that isn't read is nothing to wonder about: a table, a note, a PDF of the game's own sheets."""
    if not file.is_file() or file.suffix.lower() in _NEVER_PHOTOS:
        return True
    return file.suffix.lower() == ".pdf" and file.with_name(GAME_FILE).is_file()


def _may_enter(folder: Path) -> bool:
    """Whether a folder may be listed and its files be looked at: ``lost+found`` on a memory card may not."""
    try:
        with os.scandir(folder):
            (folder / GAME_FILE).stat()
    except FileNotFoundError:
        return True
    except OSError as error:
        _log.warning("%s", SettingsError("photo.folder_skipped", folder=_shown(folder), why=reason(error)))
        return False
    return True


def _is_own(folder: Path) -> bool:
    """Whether the tool itself wrote this folder: its pictures of boards and palettes are no photos."""
    own = folder.name in _OWN_FOLDERS or any((folder / name).exists() for name in _OWN_FILES)
    if own:
        _log.info("%s: passed over, it holds results", folder)
    return own


def _is_another_game(entry: Path, folder: Path) -> bool:
    """Whether a folder within a game's folder holds a game of its own, whose boards are others'."""
    another = (entry / GAME_FILE).is_file() and (folder / GAME_FILE).is_file()
    if another:
        _log.info("%s: passed over, it holds a game of its own", entry)
    return another


def _unique_names(names: dict[Path, tuple[Path, int]]) -> list[str]:
    """A name for each photo; those that clash take one folder more in front until they don't."""
    depths = [parts for _, parts in names.values()]
    while True:
        tried = ["/".join(path.parts[-depth:]) for (path, _), depth in zip(names.values(), depths, strict=True)]
        often = Counter(tried)
        if len(often) == len(tried):
            return _composed([as_text(name) for name in tried])
        depths = [depth + (often[name] > 1) for name, depth in zip(tried, depths, strict=True)]


def as_text(name: str) -> str:
    r"""A file's name as UTF-8 can write it; what is no UTF-8 in it (copied from an old disk) becomes ``\xb9``.

    Examples
    --------
    >>> as_text(b"Lis\xb9ky.jpg".decode("utf-8", "surrogateescape"))
    'Lis\\xb9ky.jpg'
    """
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _composed(names: list[str]) -> list[str]:
    """The names with composed letters, since macOS hands out decomposed háčky; not where that makes two the same."""
    composed = [unicodedata.normalize("NFC", name) for name in names]
    return composed if len(set(composed)) == len(names) else names
