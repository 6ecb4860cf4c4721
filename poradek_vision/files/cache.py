"""What has been read before: one small file per photo in ``.cache`` of the results folder.

A reading depends on the photo's bytes and name (which may name the team), the settings and the tool's version, and on
nothing else; the key is made of these. A damaged file counts as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
from collections.abc import Collection
from pathlib import Path

from poradek_vision import __version__
from poradek_vision.files.plain import from_plain, parse_json, to_plain
from poradek_vision.files.readings import reading_from_json, reading_to_json
from poradek_vision.files.writing import HIDDEN, write_whole
from poradek_vision.model import Failure, Outcome

_log = logging.getLogger(__name__)


def cache_key(sha256: str, photo: str, settings: object) -> str:
    """The key under which a photo's outcome is kept.

    Parameters
    ----------
    sha256, photo : str
        The photo's content and name.
    settings : object
        Everything else that reading depends on, as plain frozen records and tuples: what their ``repr`` shows counts.

    Returns
    -------
    str
        64 hex digits.
    """
    return hashlib.sha256(repr((__version__, sha256, photo, settings)).encode()).hexdigest()


def load_cached(results: Path, key: str) -> Outcome | None:
    """What was kept under a key, or None where nothing usable is: the photo then has to be read.

    Parameters
    ----------
    results : Path
        The results folder.
    key : str
        From :func:`cache_key`.
    """
    path = _path(results, key)
    try:
        return _outcome(parse_json(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        _log.warning("%s: not usable (%s), the photo is read again", path, error)
        return None


def save_cached(results: Path, key: str, outcome: Outcome) -> None:
    """Keep what reading a photo came to.

    Raises
    ------
    SettingsError
        If the results folder can't be written to.
    """
    if isinstance(outcome, Failure):
        content = {"failure": to_plain(outcome)}
    else:
        content = {"readings": [reading_to_json(reading) for reading in outcome]}
    write_whole(_path(results, key), json.dumps(content, ensure_ascii=False, allow_nan=False) + "\n")


def drop_cached(results: Path, keep: Collection[str]) -> None:
    """Remove all but the entries under some keys: those of photos and settings that are no longer used."""
    for path in (results / HIDDEN).glob("*.json"):
        if path.stem not in keep:
            with contextlib.suppress(OSError):  # held open by another program; the next run tries again
                path.unlink()


def _path(results: Path, key: str) -> Path:
    return results / HIDDEN / f"{key}.json"


def _outcome(content: object) -> Outcome:
    """The outcome in a cache file."""
    match content:
        case {"failure": failure, **rest} if not rest:
            return from_plain(Failure, failure)
        case {"readings": list(readings), **rest} if not rest:
            return tuple(reading_from_json(reading) for reading in readings)
    raise ValueError("neither readings nor a failure")
