"""``batch.json``: which photos a results folder was made from and with which settings, so that it can be reviewed.

Paths are kept relative to the results folder, so that photos and results may move together.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from poradek_vision.errors import SettingsError, reason
from poradek_vision.files.listing import PhotoFile
from poradek_vision.files.plain import from_plain, parse_json, to_plain
from poradek_vision.files.tables import Excel
from poradek_vision.files.to_review import Place
from poradek_vision.files.writing import write_whole
from poradek_vision.model import Failure

BATCH = "batch.json"


@dataclass(frozen=True, slots=True)
class Batch:
    """What a results folder was made from.

    Attributes
    ----------
    photos : tuple of PhotoFile
    folder : Path
        The current folder then: palettes may lie there.
    game, calibration : Path or None
        The file and the folder that gave the settings and the palettes, where there were any.
    camera : str
        The palette asked for, if any.
    excel : {None, "cs"}
        Whom the tables are for.
    settings : str
        A fingerprint of all that reading depends on besides the photos.
    failures : tuple of Failure
        The photos without a board.
    numbers : tuple of (place, int)
        The number that each cell in ``flagged.jpg`` has: the photo's content and name, the board in it, row and
        column, from 0.
    sizes : tuple of int
        The boards' sizes asked for, if any, instead of the game's.
    """

    photos: tuple[PhotoFile, ...]
    folder: Path
    game: Path | None = None
    calibration: Path | None = None
    camera: str = ""
    excel: Excel = None
    settings: str = ""
    failures: tuple[Failure, ...] = ()
    numbers: tuple[tuple[Place, int], ...] = ()
    sizes: tuple[int, ...] = ()


def save_batch(results: Path, batch: Batch) -> None:
    """Write ``batch.json``, whole.

    Raises
    ------
    SettingsError
        If the file can't be written.
    """
    content = {
        "photos": [{"name": file.name, "path": _relative(file.path, results)} for file in batch.photos],
        "folder": _relative(batch.folder, results),
        "game": batch.game and _relative(batch.game, results),
        "calibration": batch.calibration and _relative(batch.calibration, results),
        "camera": batch.camera,
        "sizes": batch.sizes,
        "excel": batch.excel,
        "settings": batch.settings,
        "failures": to_plain(batch.failures),
        "numbers": [[*place, number] for place, number in batch.numbers],
    }
    text = json.dumps(content, ensure_ascii=False, indent=1)
    # what Python makes of bytes of a file's name that are no UTF-8, JSON can only escape
    write_whole(results / BATCH, f"{text}\n".encode("utf-8", "backslashreplace"))


def load_batch(results: Path) -> Batch:
    """Read ``batch.json`` of a results folder.

    Raises
    ------
    SettingsError
        If there is none, or it is not what :func:`save_batch` wrote.
    """
    path = results / BATCH
    try:
        return _batch(parse_json(path.read_text(encoding="utf-8")), results)
    except FileNotFoundError as error:
        raise SettingsError("batch.none", folder=results) from error
    except OSError as error:
        raise SettingsError("tables.cannot_read", path=path, why=reason(error)) from error
    except (ValueError, KeyError, TypeError) as error:
        raise SettingsError("batch.foreign", path=path, why=error) from error


def left_out(results: Path, files: Sequence[PhotoFile]) -> tuple[str, ...]:
    """The photos of the batch that a results folder holds so far that are still there, and not in the next one.

    A copy in another folder counts as the same photo.

    Parameters
    ----------
    results : Path
        Need not hold a batch.
    files : sequence of PhotoFile
        The photos of the next batch.

    Returns
    -------
    tuple of str
        Their names.
    """
    try:
        before = load_batch(results).photos
    except SettingsError:
        return ()
    now = {_likeness(file.path) for file in files if file.path.is_file()}
    return tuple(file.name for file in before if file.path.is_file() and _likeness(file.path) not in now)


def _likeness(path: Path) -> tuple[str, int]:
    """What a copy of a file shares with it."""
    return path.name, path.stat().st_size


def _relative(path: Path, results: Path) -> str:
    """The way from the results folder to a path; all of it where there is no such way (another drive)."""
    try:
        return Path(os.path.relpath(path.absolute(), results.absolute())).as_posix()
    except ValueError:
        return path.absolute().as_posix()


def _batch(content: Any, results: Path) -> Batch:
    """The record in a file."""
    return Batch(
        photos=tuple(PhotoFile(str(one["name"]), _path(one["path"], results)) for one in content["photos"]),
        folder=_path(content["folder"], results),
        game=_path(content["game"], results) if content["game"] else None,
        calibration=_path(content["calibration"], results) if content["calibration"] else None,
        camera=str(content["camera"]),
        sizes=tuple(int(size) for size in content["sizes"]),
        excel="cs" if content["excel"] == "cs" else None,
        settings=str(content["settings"]),
        failures=tuple(from_plain(Failure, one) for one in content["failures"]),
        numbers=tuple(_numbered(one) for one in content["numbers"]),
    )


def _numbered(plain: Any) -> tuple[Place, int]:
    """A cell and its number."""
    sha256, photo, board, row, col, number = plain
    return (str(sha256), str(photo), int(board), int(row), int(col)), int(number)


def _path(text: str, results: Path) -> Path:
    """A path that may be given from the results folder."""
    return Path(os.path.normpath(results.absolute() / text))
