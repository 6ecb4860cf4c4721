"""A whole game: readings settle into boards, boards become points, and both become files."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from poradek_vision.errors import PhotoError, SettingsError
from poradek_vision.files import (
    FLAGGED,
    READINGS,
    Batch,
    Excel,
    PhotoFile,
    Place,
    drop_flagged,
    drop_land,
    land_picture,
    load_photo,
    save_batch,
    save_readings,
    save_to_review,
    write_results,
    write_whole,
)
from poradek_vision.game import score_game
from poradek_vision.model import BoardReading, Correction, Failure, Game, Outcome, Results, Settlement
from poradek_vision.overlay import FlaggedCrop, contact_sheet, encode_jpeg, flagged_crops, paint_land
from poradek_vision.pipeline.doubts import Doubt, as_row, numbered, open_doubts
from poradek_vision.pipeline.reading import Setup
from poradek_vision.pipeline.together import read_together
from poradek_vision.pipeline.words import held_words, typed_boards, with_contents
from poradek_vision.settle import doubtful_readings, settle

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Scored:
    """A whole game: boards judged together, what they settled to, the table, what is open, the most important first."""

    readings: tuple[BoardReading, ...]
    settlement: Settlement
    results: Results
    doubts: tuple[Doubt, ...] = ()


def score(outcomes: Sequence[Outcome], corrections: Sequence[Correction], setup: Setup) -> Scored:
    """Judge the boards of a batch together, settle what was read and count the points.

    Parameters
    ----------
    outcomes : sequence of Outcome
        One per photo.
    corrections : sequence of Correction
    setup : Setup
        The one that the photos were read with.
    """
    game, readings = setup.game, read_together(readings_of(outcomes), setup)
    settlement = settled(readings, outcomes, corrections, game)
    results = score_game(settlement.boards, game)
    return Scored(readings, settlement, results, open_doubts(readings, settlement, results, game))


def settled(
    readings: Sequence[BoardReading], outcomes: Sequence[Outcome], corrections: Sequence[Correction], game: Game
) -> Settlement:
    """What a batch settles to with what was said, typed boards and what is wrong with these among it.

    Parameters
    ----------
    readings : sequence of BoardReading
        The boards of the batch, judged together.
    outcomes : sequence of Outcome
        One per photo.
    corrections : sequence of Correction
    game : Game
    """
    words = with_contents(corrections, outcomes)
    typed, faults = typed_boards(words, game)
    settlement = settle(readings, failures_of(outcomes), words, game, typed)
    return replace(settlement, notes=(*settlement.notes, *faults))


def readings_of(outcomes: Iterable[Outcome]) -> tuple[BoardReading, ...]:
    """What the photos of a batch say, each by itself: all boards, photo by photo."""
    return tuple(reading for outcome in outcomes if not isinstance(outcome, Failure) for reading in outcome)


def failures_of(outcomes: Iterable[Outcome]) -> tuple[Failure, ...]:
    """The photos without a board."""
    return tuple(outcome for outcome in outcomes if isinstance(outcome, Failure))


def conclude(outcomes: Sequence[Outcome], batch: Batch, results: Path, setup: Setup) -> Scored:
    """Score a batch with all that is said by now, and write all that its results folder holds.

    Reading takes minutes: what people say meanwhile counts too.

    Parameters
    ----------
    outcomes : sequence of Outcome
        One per photo; the debug pictures are there already.
    batch : Batch
        Its photos with doubtful cells are opened again, one at a time; its failures and numbers are filled in.
    results : Path
        The results folder.
    setup : Setup
        The one that the photos were read with.

    Raises
    ------
    SettingsError
        If a file can't be written, or what was said is not understood.
    """
    game = setup.game
    with held_words(results, game) as (words, _):
        scored = score(outcomes, words, setup)
        save_tables(scored, results, game, batch.excel)
    numbers = tuple((doubt.place, number) for number, doubt in numbered(scored.doubts, {}))
    save_batch(results, replace(batch, failures=failures_of(outcomes), numbers=numbers))
    save_readings(results / READINGS, readings_of(outcomes))
    for save in (partial(save_land, scored), partial(_save_flagged, scored, batch.photos)):
        try:
            save(results, game)
        except SettingsError as error:  # a picture: told, and left to the next run; the tables are none the worse
            _log.error("%s", error)
    return scored


def _save_flagged(scored: Scored, files: Sequence[PhotoFile], results: Path, game: Game) -> None:
    """Write ``flagged.jpg`` with all doubtful cells; remove it where there is none."""
    crops = sorted(_doubtful_crops(scored, files, game), key=lambda crop: crop.number)
    if crops:
        write_whole(results / FLAGGED, encode_jpeg(contact_sheet(crops, game)))
    else:
        drop_flagged(results)


def save_tables(
    scored: Scored, results: Path, game: Game, excel: Excel = None, known: Mapping[Place, int] | None = None
) -> None:
    """Write the tables, and ``to_review.csv`` with a row for each open cell.

    Parameters
    ----------
    scored : Scored
    results : Path
        The results folder.
    game : Game
    excel : {None, "cs"}
    known : mapping, optional
        The numbers that cells had before, which they keep and leave to no other.

    Raises
    ------
    SettingsError
        If a file can't be written.
    """
    write_results(results, scored.settlement, scored.results, game, excel)
    pairs = numbered(scored.doubts, known or {})
    save_to_review(results, [as_row(number, doubt, game) for number, doubt in pairs], excel)


_LAND_QUALITY = 90
"""Of the JPEG that is shown round: fine lines on a plain ground."""


def save_land(scored: Scored, results: Path, game: Game) -> None:
    """Write the picture of the no man's land, where there is one.

    Parameters
    ----------
    scored : Scored
    results : Path
        The results folder.
    game : Game

    Raises
    ------
    SettingsError
        If the file can't be written.
    """
    if any(one.board.team is None and one.board.size == game.no_mans_land for one in scored.results.boards):
        write_whole(land_picture(results), encode_jpeg(paint_land(scored.results, game), _LAND_QUALITY))
    else:
        drop_land(results)


def _doubtful_crops(scored: Scored, files: Sequence[PhotoFile], game: Game) -> Iterator[FlaggedCrop]:
    """Every cell that is still open, cut out of its photo."""
    doubtful = doubtful_readings(scored.readings, scored.settlement)
    photos = {reading.photo for reading in doubtful}
    numbers: dict[tuple[str, int], dict[tuple[int, int], int]] = {}
    for number, doubt in numbered(scored.doubts, {}):
        board = numbers.setdefault((doubt.reading.photo, doubt.reading.index), {})
        board[doubt.cell.row, doubt.cell.col] = number
    for file in (file for file in files if file.name in photos):
        try:
            photo = load_photo(file)
        except PhotoError as error:  # it could be opened a moment ago
            _log.warning("%s", error)
            continue
        for reading in doubtful:
            if reading.sha256 == photo.sha256 and reading.photo == file.name:
                yield from flagged_crops(photo, reading, game, numbers[reading.photo, reading.index])
