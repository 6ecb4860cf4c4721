"""A palette for one camera: from photos of the calibration card, or from boards whose cells a person has settled."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from poradek_vision.cells import learn_cells, separations, swapped_rows
from poradek_vision.colour import complete, fit_palette, merged
from poradek_vision.errors import CardNotFound, PhotoError, SettingsError
from poradek_vision.files import PhotoFile, load_photo
from poradek_vision.find import find_printed, rectify
from poradek_vision.model import (
    DEFAULT_CAMERA,
    EMPTY,
    BoardReading,
    Correction,
    Flag,
    Game,
    GridFit,
    KnownCell,
    Palette,
    Photo,
    Separation,
    Text,
)
from poradek_vision.pipeline.reading import Setup, palette_for
from poradek_vision.settle import is_sure


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one card or reviewed board teaches: its photo, whose camera took it on what day, its cells."""

    photo: str
    sha256: str
    camera: str
    taken: str
    cells: tuple[KnownCell, ...]

    @property
    def source(self) -> str:
        """How the palette's file names the photo."""
        return f"{self.photo} {self.content}"

    @property
    def content(self) -> str:
        """The end of :attr:`source`, by which a photo is known again whatever it is called by now."""
        return f"({self.sha256[:12]})"


@dataclass(frozen=True, slots=True)
class Calibration:
    """A camera's palette, what it was learned from, and how well it will work.

    Attributes
    ----------
    palette : Palette
    lessons : tuple of Lesson
    separations : tuple of Separation
        All pairs of the game's colours and of each with empty paper, the worst first.
    close : tuple of Separation
        Those that are close.
    """

    palette: Palette
    lessons: tuple[Lesson, ...]
    separations: tuple[Separation, ...]
    close: tuple[Separation, ...]


@dataclass(frozen=True, slots=True)
class Lessons:
    """What some photos teach, and a note on each that teaches nothing."""

    lessons: tuple[Lesson, ...]
    notes: tuple[Text, ...] = ()


def learn_from_cards(files: Iterable[PhotoFile], setup: Setup) -> Lessons:
    """What the calibration cards in some photos show.

    Parameters
    ----------
    files : iterable of PhotoFile
        Opened one at a time.
    setup : Setup

    Raises
    ------
    PhotoError
        If no photo shows a card: the fault of the only photo, or CardNotFound.
    SettingsError
        If rows of a card are swapped.
    """
    lessons: list[Lesson] = []
    faults: list[PhotoError] = []
    for file in files:
        try:
            lessons += _cards(load_photo(file), setup)
        except PhotoError as fault:
            faults.append(fault)
    if not lessons:
        raise faults[0] if len(faults) == 1 else CardNotFound("calibrate.no_card_anywhere", count=len(faults))
    return Lessons(tuple(lessons), tuple(fault.text for fault in faults))


def _cards(photo: Photo, setup: Setup) -> list[Lesson]:
    """A lesson for each card in a photo."""
    sheets = find_printed(photo, setup.game, setup.find)
    cards = [grid for grid in sheets.grids if grid.kind == "card"]
    if not cards:
        raise CardNotFound("calibrate.stray" if sheets.stray else "calibrate.no_card", photo=photo.name)
    seen = [grid for grid in cards if Flag.GRID_UNCERTAIN not in grid.flags]
    if not seen:
        raise CardNotFound("calibrate.card_unsure", photo=photo.name)
    lessons = [
        _lesson(photo, grid, [code for code in setup.game.codes for _ in range(grid.cols)], setup) for grid in seen
    ]
    for lesson in lessons:
        _refuse_swapped(lesson, setup)
    return lessons


def _lesson(photo: Photo, grid: GridFit, codes: Sequence[str], setup: Setup) -> Lesson:
    """What a board teaches of which the colours are known, ``"."`` for cells to leave out."""
    margin = setup.cells.margin_cells
    region = (-margin, -margin, grid.cols + margin, grid.rows + margin)
    rectified = rectify(photo, grid, setup.cells.px_per_cell, region)
    size, printed = (grid.rows, grid.cols), grid.how == "printed"
    cells = learn_cells(rectified, size, printed, codes, palette_for(DEFAULT_CAMERA, setup), setup.cells)
    return Lesson(photo.name, photo.sha256, photo.camera, photo.taken, cells)


def _refuse_swapped(lesson: Lesson, setup: Setup) -> None:
    """Refuse a card on which rows are swapped."""
    swapped = swapped_rows(lesson.cells, palette_for(DEFAULT_CAMERA, setup), setup.cells.card)
    if swapped:
        first, second = map(setup.game.colour_name, swapped[0])
        raise SettingsError("calibrate.swapped", photo=lesson.photo, first=first, second=second)


def learn_from_results(
    files: Iterable[PhotoFile], readings: Sequence[BoardReading], corrections: Sequence[Correction], setup: Setup
) -> Lessons:
    """What boards show whose colours are known: read without doubt, or settled by a person.

    What a person said is no board teaches nothing, nor does a board whose grid is uncertain.

    Parameters
    ----------
    files : iterable of PhotoFile
        Where the photos of the readings may be; known by their content.
    readings : sequence of BoardReading
        Of a results folder.
    corrections : sequence of Correction
        Of the same folder.
    setup : Setup

    Raises
    ------
    SettingsError
        If none of the photos is there.
    """
    boards = [one for one in readings if Flag.GRID_UNCERTAIN not in one.grid.flags and not _refused(one, corrections)]
    lessons = []
    notes: list[Text] = []
    for file in files:
        try:
            photo = load_photo(file)
        except PhotoError as fault:
            notes.append(fault.text)
            continue
        lessons += [
            _lesson(photo, reading.grid, _known_colours(reading, corrections), setup)
            for reading in boards
            if reading.sha256 == photo.sha256
        ]
    if not lessons:
        raise SettingsError("calibrate.no_photo_of_results")
    return Lessons(tuple(lessons), tuple(notes))


def _is_on(word: Correction, reading: BoardReading) -> bool:
    """Whether a correction is on a board; one without the photo's content goes by its name."""
    same_photo = word.sha256 == reading.sha256 if word.sha256 else word.photo == reading.photo
    return same_photo and word.index == reading.index


def _refused(reading: BoardReading, corrections: Sequence[Correction]) -> bool:
    """Whether a person's last word is that it is no board."""
    verdicts = [word.value for word in corrections if word.target == "board" and _is_on(word, reading)]
    return verdicts[-1:] == ["no"]


def _known_colours(reading: BoardReading, corrections: Sequence[Correction]) -> list[str]:
    """The colour of each cell that a person set or that was read without doubt, ``"."`` for the others."""
    words = {
        (word.row, word.col): word.value for word in corrections if word.target == "cell" and _is_on(word, reading)
    }
    sure = {(cell.row, cell.col): cell.colour for cell in reading.cells if is_sure(cell)}
    return [(sure | words).get((cell.row, cell.col), EMPTY) for cell in reading.cells]


def calibrate(lessons: Sequence[Lesson], old: Palette | None, camera: str, setup: Setup, version: str) -> Calibration:
    """A camera's palette from what was learned, and how well it tells the game's colours apart.

    Parameters
    ----------
    lessons : sequence of Lesson
        Of one camera; those that the old palette was made from already are not counted twice.
    old : Palette or None
        What to add to.
    camera : str
    setup : Setup
    version : str
        Of the tool.

    Raises
    ------
    SettingsError
        If a colour was not seen, or two can't be told apart: nothing is to be saved then.
    """
    new = _not_counted_yet(lessons, old)
    palette = _palette(new, old, camera, version, setup.game.codes) if new else old
    known = {entry.colour for entry in palette.entries} if palette else set()
    missing = [colour.name for colour in setup.game.colours if colour.code not in known]
    if palette is None or missing:
        raise SettingsError("calibrate.row_empty", colours=", ".join(missing))
    how = setup.cells.separation
    pairs = separations(complete(palette, setup.game.colours), setup.cells.samples, how)
    _refuse_alike(pairs[0], how.least_widths, setup.game)
    close = tuple(pair for pair in pairs if pair.widths < how.close_widths)
    return Calibration(palette, tuple(lessons), pairs, close)


def _not_counted_yet(lessons: Sequence[Lesson], old: Palette | None) -> list[Lesson]:
    """The lessons of photos that the old palette was not made from, each photo once, whatever it is called."""
    counted = old.photos if old else ()
    names: dict[str, str] = {}
    return [
        lesson
        for lesson in lessons
        if names.setdefault(lesson.sha256, lesson.photo) == lesson.photo
        and not any(source.endswith(lesson.content) for source in counted)
    ]


def _palette(
    lessons: Sequence[Lesson], old: Palette | None, camera: str, version: str, codes: Sequence[str]
) -> Palette:
    """The palette of all cells without a fault, colours in the game's order."""
    seen: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for cell in (cell for lesson in lessons for cell in lesson.cells if not cell.fault):
        seen[cell.colour].append(cell.lab)
    photos = dict.fromkeys(lesson.source for lesson in lessons)
    date = max(lesson.taken for lesson in lessons)
    new = fit_palette(
        {code: np.array(seen[code]) for code in codes if code in seen}, camera, tuple(photos), date, version
    )
    return merged(old, new) if old else new


def _refuse_alike(worst: Separation, least: float, game: Game) -> None:
    """Refuse a palette two of whose colours, or a colour and paper, can't be told apart."""
    if worst.widths >= least:
        return
    fields = {"second": game.colour_name(worst.second), "percent": f"{100 * worst.confused:.0f}"}
    if worst.first == EMPTY:
        raise SettingsError("calibrate.like_paper", **fields)
    raise SettingsError("calibrate.too_close", first=game.colour_name(worst.first), **fields)
