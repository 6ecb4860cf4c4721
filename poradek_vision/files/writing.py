"""Files written whole: a temporary one beside the target, then renamed over it.

Whatever interrupts, the disk holds the old file or the new one, never half of it.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from poradek_vision.errors import SettingsError, reason

HIDDEN = ".cache"
"""Folder in a results folder for what people need not see."""

_log = logging.getLogger(__name__)


def write_whole(path: Path, content: bytes | str) -> None:
    """Write a file so that it appears whole or not at all; makes its folder.

    Parameters
    ----------
    path : Path
    content : bytes or str
        Text is written as UTF-8, its line ends as they are.

    Raises
    ------
    SettingsError
        If the place can't be written to: a read-only or full disk, a file where a folder should be, a file that
        another program (a spreadsheet, on Windows) holds open.
    """
    payload = content.encode("utf-8") if isinstance(content, str) else content
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_and_rename(temporary, path, payload)
    except OSError as error:
        raise SettingsError("settings.cannot_write", path=path, why=reason(error)) from error
    if not path.parent.name.startswith("."):  # what hides there is no result
        _log.info("%s: written", path)


def drop_file(path: Path) -> None:
    """Remove a file, if it is there.

    Raises
    ------
    SettingsError
        If it can't be removed: another program (a spreadsheet, on Windows) holds it open.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise SettingsError("settings.cannot_write", path=path, why=reason(error)) from error


def outdated(paths: Iterable[Path], source: Path) -> tuple[Path, ...]:
    """Which files were written before what they are made from last changed, in name order.

    Parameters
    ----------
    paths : iterable of Path
        Those that are not there are left out.
    source : Path
    """
    changed = source.stat().st_mtime_ns
    return tuple(path for path in sorted(paths) if path.is_file() and path.stat().st_mtime_ns < changed)


def check_writable(folder: Path, names: Iterable[str] = ()) -> None:
    """Make a folder, and try whether files can be written there: better known before long work than after it.

    Parameters
    ----------
    folder : Path
    names : iterable of str
        Files in it that will be written over, if they are there.

    Raises
    ------
    SettingsError
        If not; names the folder or the file.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise SettingsError("settings.folder_read_only", folder=folder, why=reason(error)) from error
    try:
        for path in filter(Path.exists, (folder / name for name in names)):
            with path.open("r+b"):
                pass
    except OSError as error:
        raise SettingsError("settings.cannot_write", path=path, why=reason(error)) from error


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other programs of ours from changing what a person said in a results folder; waits until they have.

    The lock goes when its holder ends, however that happens.

    Raises
    ------
    SettingsError
        If the folder can't be written to.
    """
    path = folder / HIDDEN / "lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = path.open("a+b")
    except OSError as error:
        raise SettingsError("settings.folder_read_only", folder=folder, why=reason(error)) from error
    with handle:
        try:
            _lock(handle)
        except OSError as error:
            raise SettingsError("settings.cannot_write", path=path, why=reason(error)) from error
        yield


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: BinaryIO) -> None:
        """Lock a file until it is closed."""
        while True:
            handle.seek(0)
            try:
                return msvcrt.locking(handle.fileno(), msvcrt.LK_LOCK, 1)
            except OSError as error:  # it gives up after ten seconds
                if error.errno != errno.EDEADLK:
                    raise

else:
    import fcntl

    def _lock(handle: BinaryIO) -> None:
        """Lock a file until it is closed."""
        fcntl.flock(handle, fcntl.LOCK_EX)


def _write_and_rename(temporary: Path, path: Path, payload: bytes) -> None:
    """Fill the temporary file, see it onto the disk, and give it its name."""
    try:
        with temporary.open("wb") as handle:
            handle.write(payload)
            handle.flush()
            os.fsync(handle.fileno())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
