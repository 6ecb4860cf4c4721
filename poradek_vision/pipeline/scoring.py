"""A whole game: readings settle into boards, boards become points, and both become files."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from poradek_vision.errors import PhotoError
from poradek_vision.files import (
    FLAGGED,
    READINGS,
    Excel,
    Outcome,
    PhotoFile,
    drop_flagged,
    load_photo,
    save_readings,
    write_results,
    write_whole,
)
from poradek_vision.game import score_game
from poradek_vision.model import BoardReading, Correction, Failure, Game, Results, Settlement
from poradek_vision.overlay import FlaggedCrop, contact_sheet, encode_jpeg, flagged_crops
from poradek_vision.settle import doubtful_readings, settle

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Scored:
    """A whole game: what was read, what it settled to, and the table."""

    readings: tuple[BoardReading, ...]
    settlement: Settlement
    results: Results


def score(outcomes: Sequence[Outcome], corrections: Sequence[Correction], game: Game) -> Scored:
    """Settle what was read and count the points.

    Parameters
    ----------
    outcomes : sequence of Outcome
        One per photo.
    corrections : sequence of Correction
    game : Game
    """
    readings = tuple(reading for outcome in outcomes if not isinstance(outcome, Failure) for reading in outcome)
    failures = tuple(outcome for outcome in outcomes if isinstance(outcome, Failure))
    contents = {failure.photo: failure.sha256 for failure in failures}
    contents |= {reading.photo: reading.sha256 for reading in readings}
    words = [word if word.sha256 else replace(word, sha256=contents.get(word.photo, "")) for word in corrections]
    settlement = settle(readings, failures, words, game)
    return Scored(readings, settlement, score_game(settlement.boards, game))


def save_scored(scored: Scored, files: Sequence[PhotoFile], results: Path, game: Game, excel: Excel = None) -> None:
    """Write all that the results folder holds besides the debug pictures: tables, readings, the doubtful cells.

    Parameters
    ----------
    scored : Scored
    files : sequence of PhotoFile
        The photos that it was read from; those with doubtful cells are opened again, one at a time.
    results : Path
        The results folder.
    game : Game
    excel : {None, "cs"}

    Raises
    ------
    SettingsError
        If a file can't be written.
    """
    write_results(results, scored.settlement, scored.results, game, excel)
    save_readings(results / READINGS, scored.readings)
    crops = tuple(_doubtful_crops(scored, files, game))
    if crops:
        write_whole(results / FLAGGED, encode_jpeg(contact_sheet(crops, game)))
    else:
        drop_flagged(results)


def _doubtful_crops(scored: Scored, files: Sequence[PhotoFile], game: Game) -> Iterator[FlaggedCrop]:
    """Every cell that is still open, cut out of its photo."""
    doubtful = doubtful_readings(scored.readings, scored.settlement)
    photos = {reading.photo for reading in doubtful}
    for file in (file for file in files if file.name in photos):
        try:
            photo = load_photo(file)
        except PhotoError as error:  # it could be opened a moment ago
            _log.warning("%s", error)
            continue
        for reading in doubtful:
            if reading.sha256 == photo.sha256 and reading.photo == file.name:
                yield from flagged_crops(photo, reading, game)
