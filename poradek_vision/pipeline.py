"""The product on one page: photos become readings, readings settle into boards, boards become points."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import numpy as np

from poradek_vision.cells import CellSettings, read_cells
from poradek_vision.colour import complete, palette_of_swatches
from poradek_vision.errors import BoardNotFound, PhotoError, SettingsError
from poradek_vision.files import (
    FLAGGED,
    READINGS,
    TABLES,
    Excel,
    Outcome,
    PhotoContent,
    PhotoFile,
    cache_key,
    check_writable,
    choose_palette,
    decode_photo,
    drop_cached,
    drop_flagged,
    drop_pictures,
    load_cached,
    load_content,
    load_photo,
    picture_paths,
    picture_stems,
    save_cached,
    save_picture,
    save_readings,
    shows,
    write_results,
    write_whole,
)
from poradek_vision.find import FindSettings, Region, Sheets, find_printed, fit_corners, rectify
from poradek_vision.game import score_game
from poradek_vision.model import (
    BoardReading,
    CellReading,
    Correction,
    Failure,
    Flag,
    Game,
    GridFit,
    MarkReading,
    Palette,
    Photo,
    Point,
    Results,
    Settlement,
)
from poradek_vision.overlay import FlaggedCrop, contact_sheet, encode_jpeg, flagged_crops, paint_board, paint_failure
from poradek_vision.settle import doubtful_readings, settle
from poradek_vision.sheet import team_sheet

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Setup:
    """All that a reading depends on besides the photo itself."""

    game: Game
    palettes: tuple[Palette, ...] = ()
    camera: str = ""
    """Whose palette to use for every photo; empty: each photo's own camera's."""
    find: FindSettings = field(default_factory=FindSettings)
    cells: CellSettings = field(default_factory=CellSettings)


def read_photo(photo: Photo, setup: Setup, corrections: Sequence[Correction] = ()) -> Outcome:
    """Read every board in a photo.

    Parameters
    ----------
    photo : Photo
    setup : Setup
    corrections : sequence of Correction
        Those of this photo; corners and sizes that a person gave take the place of what would be found.

    Returns
    -------
    tuple of BoardReading, or Failure
        Boards from the photo's top left to its bottom right; a failure where there is none, with what was seen.
    """
    sheets = find_printed(photo, setup.game, setup.find)
    boards = tuple(grid for grid in sheets.grids if grid.kind != "card")
    try:
        grids = _with_corners(boards, photo, setup, corrections)
        if not grids:
            raise _nothing_found(photo, sheets)
    except BoardNotFound as error:
        status: Literal["card", "not_found"] = "card" if len(boards) < len(sheets.grids) else "not_found"
        return Failure(photo.name, photo.sha256, status, error.text, sheets.stray)
    palette = palette_for(photo.camera, setup)
    return tuple(_read_board(photo, index, grid, palette, setup) for index, grid in enumerate(grids))


def palette_for(camera: str, setup: Setup) -> Palette:
    """The palette of a camera, with exactly the game's colours; without any palette that of the game's swatches."""
    colours = setup.game.colours
    if not setup.palettes:
        return palette_of_swatches(colours)
    return complete(choose_palette(setup.palettes, setup.camera or camera), colours)


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
        If the results folder can't be written to: told before the first photo is read.
    """
    check_writable(results, (*TABLES, READINGS, FLAGGED))
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


_MOST_WORKERS = 4
"""Each holds one decoded photo in memory."""


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
    try:
        photo = decode_photo(content)
    except PhotoError as error:
        return _Read(Failure(content.name, content.sha256, "unreadable", error.text))
    _log.info("%s: reading", content.name)
    outcome = read_photo(photo, batch.setup, words) if known is None else known
    _paint(photo, outcome, key, batch)
    save_cached(batch.results, key, outcome)
    return _Read(outcome, key, _pictures(outcome, batch))


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
    if isinstance(outcome, Failure):
        return picture_paths(batch.results, batch.stems[outcome.photo], 1)
    return picture_paths(batch.results, batch.stems[outcome[0].photo], len(outcome))


def _paint(photo: Photo, outcome: Outcome, key: str, batch: _Batch) -> None:
    """Paint the debug pictures of a photo."""
    game = batch.setup.game
    if isinstance(outcome, Failure):
        pictures = [paint_failure(photo, outcome, game)]
    else:
        pictures = [paint_board(photo, reading, game) for reading in outcome]
    for path, picture in zip(_pictures(outcome, batch), pictures, strict=True):
        save_picture(path, encode_jpeg(picture), key)


def _nothing_found(photo: Photo, sheets: Sheets) -> BoardNotFound:
    """Why there is no board in a photo."""
    if sheets.grids:
        return BoardNotFound("find.card", photo=photo.name)
    if sheets.stray:
        return BoardNotFound("find.stray", photo=photo.name)
    return BoardNotFound("find.nothing", photo=photo.name)


def _with_corners(
    found: tuple[GridFit, ...], photo: Photo, setup: Setup, corrections: Sequence[Correction]
) -> tuple[GridFit, ...]:
    """The grids found, with those that a person gave corners for in their places."""
    words = {(word.index, word.target): word.value for word in corrections}
    grids = list(found)
    for index in sorted(index for index, target in words if target == "corners"):
        old = grids[index] if index < len(grids) else None
        size = int(words.get((index, "size"), old.rows if old else 0))
        if not size:
            raise BoardNotFound("find.corners_need_size", photo=photo.name)
        corners = np.array(words[index, "corners"].split(), np.float64).reshape(4, 2)
        grid = fit_corners(photo, corners, size, size, setup.find.growth)
        if old:
            grids[index] = replace(grid, kind=old.kind, team_index=old.team_index, cell_mm=old.cell_mm)
        else:
            grids.append(grid)
    return tuple(grids)


def _read_board(photo: Photo, index: int, grid: GridFit, palette: Palette, setup: Setup) -> BoardReading:
    """Judge the cells of one board."""
    key = _key_places(grid, setup.game)
    rectified = rectify(photo, grid, setup.cells.px_per_cell, _region(grid, key, setup.cells.margin_cells))
    cells, _ = read_cells(rectified, grid.rows, grid.cols, grid.how == "printed", key, palette, setup.cells)
    return BoardReading(
        photo.name, photo.sha256, index, grid, _whose(grid, setup.game), palette.camera, cells, _board_flags(cells)
    )


def _region(grid: GridFit, key: tuple[Point, ...], margin: float) -> Region:
    """What of a board must be seen: the grid with its frame, and the colour key."""
    left, right, bottom = -margin, grid.cols + margin, grid.rows + margin
    if key:
        left, right, bottom = min(left, key[0][0] - 0.3), max(right, key[-1][0] + 1.3), key[0][1] + 1.3
    return left, -margin, right, bottom


def _key_places(grid: GridFit, game: Game) -> tuple[Point, ...]:
    """Top-left corners of the colour key's boxes, in cells of the board; none where the sheet has no key."""
    if grid.how != "printed" or grid.kind != "team" or grid.team_index is None:
        return ()
    try:
        spec = team_sheet(replace(game, cell_mm=grid.cell_mm), grid.team_index, grid.rows)
    except SettingsError:  # printed larger than any sheet of ours: then nothing is known about a key
        return ()
    left, top = spec.grid_origin_mm
    return tuple(((box.x - left) / spec.cell_mm, (box.y - top) / spec.cell_mm) for box in spec.key)


def _whose(grid: GridFit, game: Game) -> MarkReading:
    """Whose board the fiducials name; without a team list teams are called by their numbers."""
    if grid.kind != "team" or grid.team_index is None:
        return MarkReading("", "")
    if not game.teams:
        return MarkReading(str(grid.team_index + 1), "fiducial", 1.0)
    if grid.team_index < len(game.teams):
        return MarkReading(game.teams[grid.team_index].name, "fiducial", 1.0)
    return MarkReading("", "fiducial", 0.0, (Flag.UNKNOWN_TEAM,))


def _board_flags(cells: tuple[CellReading, ...]) -> tuple[Flag, ...]:
    """What is wrong with the photo of a board as a whole."""
    dark = sum(Flag.TOO_DARK in cell.flags for cell in cells)
    return (Flag.UNDEREXPOSED,) if 4 * dark > len(cells) else ()
