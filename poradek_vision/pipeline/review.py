"""A batch under review: what was read stays, what a person says is added, and the table follows at once.

Nothing is read again but photos of which a person said where their boards are. What is said is on disk before anything
else happens, and is read from there each time: other programs and people may change it too.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from poradek_vision.errors import SettingsError
from poradek_vision.files import (
    BATCH,
    READINGS,
    TO_REVIEW,
    Batch,
    Filled,
    Outcome,
    load_batch,
    load_readings,
    save_batch,
    save_readings,
)
from poradek_vision.model import Board, BoardReading, Correction, Failure, Game, Rules, natural_key
from poradek_vision.pipeline.batch import read_again
from poradek_vision.pipeline.reading import Setup
from poradek_vision.pipeline.scoring import Scored, save_land, save_tables, score
from poradek_vision.pipeline.words import CORRECTIONS, Words, change_words, load_words, with_contents

Stamp = tuple[tuple[int, int], ...]
"""When the files that others change were last written, and how long they are."""


@dataclass(frozen=True, slots=True)
class Review:
    """A batch under review.

    Attributes
    ----------
    results : Path
        The results folder.
    setup : Setup
    batch : Batch
        Where the photos are.
    outcomes : tuple of Outcome
        One per photo, in name order.
    words : tuple of Correction
        All that was said, oldest first.
    scored : Scored
    stamp : tuple
        By which :func:`follow` knows whether files have changed since.
    """

    results: Path
    setup: Setup
    batch: Batch
    outcomes: tuple[Outcome, ...]
    words: Words
    scored: Scored
    stamp: Stamp

    @property
    def game(self) -> Game:
        """The game."""
        return self.setup.game


def fingerprint(setup: Setup) -> str:
    """What reading depends on besides the photos, in short: rules, title and language may change after it."""
    reads = replace(setup, game=replace(setup.game, title="", language="cs", rules=Rules()))
    return hashlib.sha256(repr(reads).encode()).hexdigest()[:16]


def open_review(results: Path, setup: Setup, batch: Batch) -> Review:
    """Take up a results folder; its tables follow what has been said since they were written.

    Parameters
    ----------
    results : Path
    setup : Setup
    batch : Batch

    Raises
    ------
    SettingsError
        If the settings are not those with which the photos were read, or a file can't be read or written.
    """
    if batch.settings != fingerprint(setup):
        raise SettingsError("batch.changed", folder=results)
    outcomes = _outcomes(load_readings(results / READINGS), batch.failures)
    words, filled = load_words(results, setup.game)
    words = with_contents(words, outcomes)
    by_hand = {reading.photo for outcome in _seen(outcomes) for reading in outcome if reading.grid.how == "by hand"}
    review = Review(results, setup, batch, outcomes, words, score(outcomes, words, setup.game), ())
    review = _read_photos(review, by_hand | _photos_with_grids(words), filled)
    save_land(review.scored, results, review.game)
    return review


def revise(review: Review, change: Callable[[Words], Words]) -> Review:
    """Change what was said: it is on disk first, then the tables follow.

    Parameters
    ----------
    review : Review
    change : callable
        From all that was said to all that is said now.

    Raises
    ------
    SettingsError
        If a file can't be read or written.
    """
    words, filled = change_words(review.results, review.game, lambda old: change(with_contents(old, review.outcomes)))
    return _with_words(review, words, filled)


def follow(review: Review) -> Review:
    """The review after others may have changed what was said or read; the same one where nobody has.

    Raises
    ------
    SettingsError
        If a file holds what is not understood, or the photos were read with other settings.
    """
    stamp = _stamp(review.results)
    if review.stamp == stamp:
        return review
    if review.stamp[len(_SAID) :] != stamp[len(_SAID) :]:  # the photos were read again meanwhile
        return open_review(review.results, review.setup, load_batch(review.results))
    words, filled = load_words(review.results, review.game)
    return _with_words(review, with_contents(words, review.outcomes), filled)


def repaint(review: Review, shown: Review) -> None:
    """Paint the no man's land anew, if it is another one than was shown; apart from the tables, since it takes longer.

    Parameters
    ----------
    review : Review
    shown : Review
        The state that the picture shows.
    """
    if (review.scored.results.shapes, _land(review)) != (shown.scored.results.shapes, _land(shown)):
        save_land(review.scored, review.results, review.game)


def _land(review: Review) -> list[Board]:
    """The no man's land, if there is one."""
    return [board for board in review.scored.settlement.boards if board.team is None]


def _outcomes(readings: Iterable[BoardReading], failures: Iterable[Failure]) -> tuple[Outcome, ...]:
    """What each photo came to, in name order."""
    ordered = sorted(readings, key=lambda reading: (natural_key(reading.photo), reading.index))
    groups: list[Outcome] = [tuple(group) for _, group in itertools.groupby(ordered, key=lambda one: one.photo)]
    return tuple(sorted((*groups, *failures), key=lambda outcome: natural_key(_photo(outcome))))


def _photo(outcome: Outcome) -> str:
    """The name of an outcome's photo."""
    return outcome.photo if isinstance(outcome, Failure) else outcome[0].photo


def _seen(outcomes: Iterable[Outcome]) -> list[tuple[BoardReading, ...]]:
    """The outcomes with boards."""
    return [outcome for outcome in outcomes if not isinstance(outcome, Failure)]


def _photos_with_grids(words: Iterable[Correction]) -> set[str]:
    """The photos of which a person said where their boards are."""
    return {word.photo for word in words if word.target in ("corners", "size")}


def _with_words(review: Review, words: Words, filled: Filled) -> Review:
    """The review after something was said."""
    grids = [word for word in words if word.target in ("corners", "size")]
    before = [word for word in review.words if word.target in ("corners", "size")]
    moved = _photos_with_grids(set(grids) ^ set(before))
    return _read_photos(replace(review, words=words), moved, filled)


def _read_photos(review: Review, photos: set[str], filled: Filled) -> Review:
    """Read some photos again, score anew, and write what follows from it."""
    outcomes = _read(review, photos)
    scored = score(outcomes, review.words, review.game)
    save_tables(scored, review.results, review.game, review.batch.excel, filled)
    batch = review.batch
    if outcomes != review.outcomes:
        save_readings(review.results / READINGS, scored.readings)
        batch = replace(batch, failures=tuple(one for one in outcomes if isinstance(one, Failure)))
        save_batch(review.results, batch)
    return replace(review, outcomes=outcomes, scored=scored, batch=batch, stamp=_stamp(review.results))


def _read(review: Review, photos: set[str]) -> tuple[Outcome, ...]:
    """All outcomes, those of some photos read again; one that is gone by now stays as it was."""
    files = {file.name: file for file in review.batch.photos}
    outcomes = list(review.outcomes)
    for index, outcome in enumerate(outcomes):
        file = files.get(_photo(outcome))
        if file and file.name in photos:
            again = read_again(file, review.batch.photos, review.setup, review.results, review.words)
            if not (isinstance(again, Failure) and not again.sha256):
                outcomes[index] = again
    return tuple(outcomes)


def _stamp(results: Path) -> Stamp:
    """The state of the files that others change."""
    return tuple(_written(results / name) for name in (*_SAID, READINGS, BATCH))


_SAID = (CORRECTIONS, TO_REVIEW)
"""What people change."""


def _written(path: Path) -> tuple[int, int]:
    """When a file was written, and its length; zeros where there is none."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size
