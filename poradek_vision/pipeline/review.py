"""A batch under review: what was read stays, what a person says is added, and the table follows at once.

Nothing is read again but photos of which a person said where their boards are. What is said is on disk before anything
else happens, and is read from there each time: other programs and people may change it too.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, replace
from pathlib import Path

from poradek_vision.errors import SettingsError
from poradek_vision.files import (
    BATCH,
    READINGS,
    TO_REVIEW,
    Batch,
    Place,
    load_batch,
    load_readings,
    save_batch,
    save_readings,
)
from poradek_vision.model import (
    Board,
    BoardReading,
    Correction,
    Failure,
    Game,
    Outcome,
    Rules,
    Text,
    natural_key,
    photo_of,
)
from poradek_vision.pipeline.batch import read_again
from poradek_vision.pipeline.reading import Setup
from poradek_vision.pipeline.scoring import Scored, failures_of, readings_of, save_land, save_tables, score
from poradek_vision.pipeline.words import (
    CORRECTIONS,
    Words,
    change_words,
    held_words,
    load_words,
    with_contents,
)

Stamp = tuple[tuple[int, int], ...]
"""When the files that others change were last written, and how long they are; those in ``_FOLLOWED``."""


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
    trouble : Text or None
        Why a file could not be written; the tables on disk are behind then.
    """

    results: Path
    setup: Setup
    batch: Batch
    outcomes: tuple[Outcome, ...]
    words: Words
    scored: Scored
    stamp: Stamp
    trouble: Text | None = None

    @property
    def game(self) -> Game:
        """The game."""
        return self.setup.game


def fingerprint(setup: Setup) -> str:
    """What reading depends on besides the photos, in short: rules, title, language and names of colours may change."""
    colours = tuple(replace(colour, name="") for colour in setup.game.colours)
    reads = replace(setup, game=replace(setup.game, title="", language="cs", colours=colours, rules=Rules()))
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
    review = _opened(results, setup, batch, _stamp(results))
    if review.trouble:
        raise SettingsError(review.trouble.key, **dict(review.trouble.fields))
    return review


def _opened(results: Path, setup: Setup, batch: Batch, stamp: Stamp) -> Review:
    """:func:`open_review`, also where the tables can't be written; ``stamp`` is from before the batch was loaded."""
    if batch.settings != fingerprint(setup):
        raise SettingsError("batch.changed", folder=results)
    outcomes = _outcomes(load_readings(results / READINGS), batch.failures)
    accounted = {photo_of(outcome)[0] for outcome in outcomes}
    if lost := [file.name for file in batch.photos if file.name not in accounted]:  # cut off, or not written yet
        raise SettingsError("batch.incomplete", path=results / READINGS, photo=lost[0], count=len(lost))
    words = with_contents(load_words(results, setup.game)[0], outcomes)
    by_hand = {reading.sha256 for reading in readings_of(outcomes) if reading.grid.how == "by hand"}
    review = Review(results, setup, batch, outcomes, words, score(outcomes, words, setup), stamp)
    review = _read_photos(review, by_hand | _photos_with_grids(words))
    save_land(review.scored, results, review.game)
    return review


def revise(review: Review, change: Callable[[Words], Words]) -> Review:
    """Change what was said: it is on disk first, then the tables follow, as soon as they can be written.

    Parameters
    ----------
    review : Review
    change : callable
        From all that was said to all that is said now.

    Raises
    ------
    SettingsError
        If what is said can't be read or written; nothing is changed then.
    """
    change_words(review.results, review.game, lambda old: change(with_contents(old, review.outcomes)))
    return _read_photos(review)


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
        return _opened(review.results, review.setup, load_batch(review.results), stamp)
    return _read_photos(review)


def save_again(review: Review) -> Review:
    """The review after trying once more to write what could not be written; the same one where all is.

    Where others have changed what was said or read, :func:`follow` comes first.

    Raises
    ------
    SettingsError
        If a file holds what is not understood.
    """
    if not review.trouble or review.stamp != _stamp(review.results):
        return review
    with held_words(review.results, review.game) as (_, filled):
        trouble = _save(review, dict(filled.numbers), anew=True)
        return replace(review, stamp=(review.stamp[0], *_stamp(review.results)[1:]), trouble=trouble)


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
    return tuple(sorted((*groups, *failures), key=lambda outcome: natural_key(photo_of(outcome)[0])))


def _photos_with_grids(words: Iterable[Correction]) -> set[str]:
    """The photos, by their content, of which a person said where their boards are."""
    return {word.sha256 for word in words if word.target in ("corners", "size")}


def _read_photos(review: Review, photos: Set[str] = frozenset(), *, anew: bool = False) -> Review:
    """Read some photos again, and those on whose grids something was said since; score anew, write what follows.

    ``anew``: the readings are others than on disk.
    """
    outcomes = _read(review, photos)
    anew = anew or outcomes != review.outcomes
    read = replace(review, outcomes=outcomes, batch=replace(review.batch, failures=failures_of(outcomes)))
    said, *_ = _stamp(review.results)  # before the words are loaded: who changes them after that is followed
    with held_words(review.results, review.game) as (words, filled):
        words = with_contents(words, outcomes)
        moved = _photos_with_grids(set(words) ^ set(review.words))
        if not moved:
            scored = score(outcomes, words, review.setup)
            trouble = _save(replace(read, scored=scored), dict(filled.numbers), anew=anew)
            _, filled_in, *rest = _stamp(review.results)
            stamp = (said, filled_in, *(rest if anew else review.stamp[len(_SAID) :]))
            return replace(read, words=words, scored=scored, stamp=stamp, trouble=trouble)
    return _read_photos(replace(read, words=words), moved, anew=anew)


def _save(review: Review, numbers: Mapping[Place, int], *, anew: bool) -> Text | None:
    """Write what follows from what was said; why that can't be, where it can't.

    Cells keep the numbers that they have in ``flagged.jpg``, also those that were settled meanwhile; those that are
    not in it keep what they have in ``to_review.csv``.
    """
    painted = dict(review.batch.numbers)
    known = {place: number for place, number in numbers.items() if number not in painted.values()} | painted
    try:
        save_tables(review.scored, review.results, review.game, review.batch.excel, known)
        if anew:
            save_readings(review.results / READINGS, readings_of(review.outcomes))
            save_batch(review.results, review.batch)
    except SettingsError as error:
        return error.text
    return None


def _read(review: Review, photos: Set[str]) -> tuple[Outcome, ...]:
    """All outcomes, those of some photos read again; one that is gone by now stays as it was."""
    files = {file.name: file for file in review.batch.photos}
    outcomes = list(review.outcomes)
    for index, outcome in enumerate(outcomes):
        name, content = photo_of(outcome)
        file = files.get(name)
        if file and content in photos - {""}:
            again = read_again(file, review.batch.photos, review.setup, review.results, review.words)
            if not (isinstance(again, Failure) and not again.sha256):
                outcomes[index] = again
    return tuple(outcomes)


def _stamp(results: Path) -> Stamp:
    """The state of the files that others change."""
    return tuple(_written(results / name) for name in _FOLLOWED)


_SAID = (CORRECTIONS, TO_REVIEW)
"""What people change."""
_FOLLOWED = (*_SAID, READINGS, BATCH)


def _written(path: Path) -> tuple[int, int]:
    """When a file was written, and its length; zeros where there is none."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size
