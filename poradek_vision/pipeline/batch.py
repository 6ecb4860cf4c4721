"""Many photos: from the cache or read anew, each with its debug pictures."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from poradek_vision.errors import PhotoError, PoradekError, SettingsError
from poradek_vision.files import (
    BATCH,
    FLAGGED,
    READINGS,
    TABLES,
    TO_REVIEW,
    PhotoContent,
    PhotoFile,
    cache_key,
    check_writable,
    decode_photo,
    drop_cached,
    drop_pictures,
    load_cached,
    load_content,
    picture_paths,
    picture_stems,
    save_cached,
    save_picture,
    shows,
)
from poradek_vision.model import Correction, Failure, Game, Outcome, Photo, Text, photo_of
from poradek_vision.overlay import encode_jpeg, paint_board, paint_failure
from poradek_vision.pipeline.reading import Setup, read_content
from poradek_vision.texts import say_text

_log = logging.getLogger(__name__)


def read_batch(
    files: Sequence[PhotoFile], setup: Setup, results: Path, corrections: Sequence[Correction] = ()
) -> Iterator[Outcome]:
    """Read many photos, in the order given, two or more at a time; one bad photo never stops the rest.

    What was read before with the same settings comes from the cache of the results folder. Each photo that is read
    leaves its debug pictures there. When all are done, what earlier batches left in the cache and among the pictures
    is removed; a batch that is interrupted keeps everything.

    Parameters
    ----------
    files : sequence of PhotoFile
    setup : Setup
    results : Path
        The results folder.
    corrections : sequence of Correction

    Raises
    ------
    SettingsError
        If the results folder can't be written to: told before the first photo is read. A debug picture that can't be
        written (a viewer holds the old one open) is only told in the log.
    """
    check_writable(results, (*TABLES, READINGS, FLAGGED, TO_REVIEW, BATCH))
    batch = _Batch(setup, results, tuple(corrections), picture_stems([file.name for file in files]))
    done: list[_Read] = []
    with ThreadPoolExecutor(max_workers=min(_MOST_WORKERS, os.cpu_count() or 1)) as workers:
        waiting = [workers.submit(_read_file, file, batch) for file in files]
        try:
            for read in waiting:
                done.append(read.result())
                yield done[-1].outcome
        finally:
            workers.shutdown(wait=True, cancel_futures=True)
    drop_cached(results, {read.key for read in done})
    drop_pictures(results, {path for read in done for path in read.pictures})


def read_again(
    file: PhotoFile, files: Sequence[PhotoFile], setup: Setup, results: Path, corrections: Sequence[Correction]
) -> Outcome:
    """Read one photo of a batch again, after a person said where its boards are.

    Its debug pictures and what the cache knows of it follow.

    Parameters
    ----------
    file : PhotoFile
    files : sequence of PhotoFile
        All photos of the batch.
    setup : Setup
    results : Path
        The results folder.
    corrections : sequence of Correction
    """
    stems = picture_stems([known.name for known in files])
    return _read_file(file, _Batch(setup, results, tuple(corrections), stems)).outcome


_MOST_WORKERS = 4
"""Each holds one decoded photo in memory."""


@dataclass(frozen=True, slots=True)
class _Batch:
    """What the photos of a batch have in common."""

    setup: Setup
    results: Path
    corrections: tuple[Correction, ...]
    stems: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Read:
    """What one photo came to, the key under which that is kept, and its debug pictures."""

    outcome: Outcome
    key: str = ""
    pictures: tuple[Path, ...] = ()


def _read_file(file: PhotoFile, batch: _Batch) -> _Read:
    """Read one photo's file, or find that it was read before."""
    try:
        content = load_content(file)
    except PhotoError as error:
        return _Read(Failure(file.name, "", "unreadable", error.text))
    words = _words_on_grids(content, batch.corrections)
    key = cache_key(content.sha256, content.name, (batch.setup, words))
    known = load_cached(batch.results, key)
    if known is not None and all(shows(path, key) for path in _pictures(known, batch)):
        _log.info("%s: known", content.name)
        return _Read(known, key, _pictures(known, batch))
    _log.info("%s: reading", content.name)
    try:
        photo, outcome = (decode_photo(content), known) if known else read_content(content, batch.setup, words)
        pictures = _paint(photo, outcome, key, batch)
    except PhotoError as error:
        return _Read(Failure(content.name, content.sha256, "unreadable", error.text))
    except PoradekError:  # of all photos: a palette that is missing
        raise
    except Exception:  # a bug of ours in one photo must not take the others' result along; it is told, and not cached
        _log.exception("%s: this is a bug", content.name)
        return _Read(Failure(content.name, content.sha256, "unreadable", Text.of("find.our_fault", photo=content.name)))
    save_cached(batch.results, key, outcome)
    return _Read(outcome, key, pictures)


def _words_on_grids(content: PhotoContent, corrections: Sequence[Correction]) -> tuple[Correction, ...]:
    """What a person said on where the boards of a photo are; a word without the photo's content goes by its name."""
    return tuple(
        replace(word, sha256=content.sha256, photo=content.name)
        for word in corrections
        if word.target in ("corners", "size")
        and (word.sha256 == content.sha256 or (not word.sha256 and word.photo == content.name))
    )


def _pictures(outcome: Outcome, batch: _Batch) -> tuple[Path, ...]:
    """Where the debug pictures of a photo lie: one for each board, or one that shows why there is none."""
    name, _ = photo_of(outcome)
    return picture_paths(batch.results, batch.stems[name], 1 if isinstance(outcome, Failure) else len(outcome))


def _paint(photo: Photo, outcome: Outcome, key: str, batch: _Batch) -> tuple[Path, ...]:
    """Paint the debug pictures of a photo, and say where they are."""
    game = batch.setup.game
    if isinstance(outcome, Failure):
        pictures = [paint_failure(photo, outcome, game)]
    else:
        pictures = [paint_board(photo, reading, game) for reading in outcome]
    paths = zip(_pictures(outcome, batch), pictures, strict=True)
    return tuple(path for path, picture in paths if _saved(path, encode_jpeg(picture), key, game))


def _saved(path: Path, jpeg: bytes, key: str, game: Game) -> bool:
    """Write a picture; one that can't be written is told and left to the next run: the reading is none the worse."""
    try:
        save_picture(path, jpeg, key)
    except SettingsError as error:
        _log.error("%s", say_text(error.text, game.language))
        return False
    return True
