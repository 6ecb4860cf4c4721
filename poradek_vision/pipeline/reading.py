"""One photo: where its boards are, what is in their cells, whose they are."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from poradek_vision.cells import BatchSettings, CellSettings, read_cells
from poradek_vision.colour import complete, drawn_palettes, palette_of_swatches
from poradek_vision.errors import BoardNotFound
from poradek_vision.files import PhotoContent, choose_palette, decode_photo
from poradek_vision.find import (
    BesideSettings,
    FindSettings,
    Glance,
    QualitySettings,
    Region,
    Ruled,
    RuledSettings,
    Sheet,
    Sheets,
    find_beside,
    find_every,
    find_printed,
    glance,
    is_colourless,
    is_drawing,
    is_toned,
    rectify,
    seen_well,
    shows_beside,
    tell_quality,
    whole_grid,
)
from poradek_vision.mark import BoardMarkSettings, OwnerSettings
from poradek_vision.model import (
    EMPTY,
    BoardReading,
    CellReading,
    Correction,
    Failure,
    Flag,
    Game,
    GridFit,
    MarkReading,
    Outcome,
    Palette,
    Photo,
    Point,
    Text,
)
from poradek_vision.pipeline.corners import with_corners
from poradek_vision.pipeline.handmade import read_whose, with_owners
from poradek_vision.pipeline.refusal import (
    RefusalSettings,
    as_no_board,
    is_asked_for,
    is_board,
    with_grid_doubts,
    without_colours,
    without_labels,
)
from poradek_vision.pipeline.sheets import key_places, paper_of


@dataclass(frozen=True, slots=True)
class Setup:
    """All that readings, and what is concluded from them, depend on besides the photos."""

    game: Game
    palettes: tuple[Palette, ...] = ()
    camera: str = ""
    """Whose palette to use for every photo; empty: each photo's own camera's."""
    find: FindSettings = field(default_factory=FindSettings)
    beside: BesideSettings = field(default_factory=BesideSettings)
    quality: QualitySettings = field(default_factory=QualitySettings)
    ruled: RuledSettings = field(default_factory=RuledSettings)
    refusal: RefusalSettings = field(default_factory=RefusalSettings)
    cells: CellSettings = field(default_factory=CellSettings)
    mark: BoardMarkSettings = field(default_factory=BoardMarkSettings)
    owners: OwnerSettings = field(default_factory=OwnerSettings)
    batch: BatchSettings = field(default_factory=BatchSettings)
    """Of judging boards together; no reading of a photo depends on it."""


def read_photo(photo: Photo, setup: Setup, corrections: Sequence[Correction] = ()) -> Outcome:
    """Read every board in a photo.

    Printed sheets are looked for first, then hand-made boards in what they leave.

    Parameters
    ----------
    photo : Photo
    setup : Setup
    corrections : sequence of Correction
        Those of this photo; corners and sizes that a person gave take the place of what would be found.

    Returns
    -------
    tuple of BoardReading, or Failure
        Printed boards, then hand-made ones, each from the photo's top left to its bottom right; a failure where there
        is none, with what was seen.
    """
    sheets = find_printed(photo, setup.game, setup.find)
    return _read_found(photo, sheets, _find_ruled(photo, sheets, setup), setup, corrections)


def read_content(content: PhotoContent, setup: Setup, corrections: Sequence[Correction] = ()) -> tuple[Photo, Outcome]:
    """Decode a photo as finely as its boards need, and read every board in it.

    At a quarter of its size each way decoding takes a third less than at half, and all that follows a quarter; sheets
    and boards that fill a photo are seen as well. Where none is, or a hand-made board may lie beside a sheet, the photo
    is decoded anew, and searched for smaller sheets unless large cells were seen. So it is for the no man's land, for
    the sake of the marks, but its grid stays.

    Parameters
    ----------
    content : PhotoContent
    setup : Setup
    corrections : sequence of Correction
        As for :func:`read_photo`.

    Returns
    -------
    photo : Photo
        As it was read.
    outcome : tuple of BoardReading, or Failure
        As from :func:`read_photo`.

    Raises
    ------
    UnreadableFile
        As :func:`files.decode_photo` does.
    """
    seen = None
    if not corrections:
        photo = decode_photo(content, min_pixels=setup.find.coarse_pixels)
        sheets = find_printed(photo, setup.game, setup.find)
        if photo.scale == 1:
            return photo, _read_found(photo, sheets, _find_ruled(photo, sheets, setup), setup, ())
        if seen_well(sheets, photo, setup.find) and not _shows_beside(photo, sheets, setup):
            return _read_coarse(content, photo, sheets, Ruled((), ()), setup)
        if not sheets.grids and not sheets.stray:
            seen = glance(photo, _sizes(setup.game), setup.ruled)
            ruled = _find_ruled(photo, sheets, setup, seen) if seen.is_enough(setup.ruled) else Ruled((), ())
            if ruled.grids and not any(grid.flags or grid.unsure for grid in ruled.grids):
                return _read_coarse(content, photo, sheets, ruled, setup)
    photo = decode_photo(content)
    if not (seen and seen.no_sheet(setup.ruled)):
        sheets = find_printed(photo, setup.game, setup.find, only_small=seen is not None)
    return photo, _read_found(photo, sheets, _find_ruled(photo, sheets, setup, seen), setup, corrections)


def _shows_beside(photo: Photo, sheets: Sheets, setup: Setup) -> bool:
    """Whether a coarse photo may show hand-made boards beside its printed sheets."""
    return shows_beside(photo, _printed(sheets, setup), _sizes(setup.game), setup.beside)


def _read_coarse(
    content: PhotoContent, photo: Photo, sheets: Sheets, ruled: Ruled, setup: Setup
) -> tuple[Photo, Outcome]:
    """Read boards found for sure in a coarse photo; a no man's land in a finer one, for its stickers bear marks."""
    if any(setup.game.is_land(grid) for grid in (*sheets.grids, *ruled.grids)):
        photo = decode_photo(content)
    return photo, _read_found(photo, sheets, ruled, setup, ())


def _read_found(photo: Photo, sheets: Sheets, ruled: Ruled, setup: Setup, corrections: Sequence[Correction]) -> Outcome:
    """Read the printed sheets and the hand-made boards found in a photo."""
    boards = tuple(grid for grid in sheets.grids if grid.kind != "card")
    palette = palette_for(photo.camera, setup)
    found = (*sheets.grids, *ruled.grids)
    hand_made = [
        with_grid_doubts(photo, _read_ruled(photo, grid, found, palette, setup), setup.refusal) for grid in ruled.grids
    ]
    boards_of_hand = [board for reading in hand_made for board in _accepted(photo, reading, setup)]
    known = {reading.grid: reading for reading in boards_of_hand}
    try:
        grids = with_corners((*boards, *known), photo, corrections, setup.find)
        if not grids:
            raise _nothing_found(photo, sheets, ruled.grids, setup)
    except BoardNotFound as error:
        status: Literal["card", "not_found"] = "card" if len(boards) < len(sheets.grids) else "not_found"
        seen = (*sheets.stray, *ruled.candidates, *map(_outline, ruled.grids))
        return Failure(photo.name, photo.sha256, status, error.text, seen)
    readings = [known.get(grid) or _read_board(photo, grid, grids, palette, setup) for grid in grids]
    colourless = is_colourless(photo, setup.quality)
    toned = [colourless or _is_toned(photo, each, setup) for each in readings]
    if any(toned) and not setup.refusal.any_cells:
        reason = Text.of("photo.colourless", photo=photo.name)
        return Failure(photo.name, photo.sha256, "unreadable", reason, tuple(map(_outline, grids)))
    told = [without_colours(each) if bare else each for each, bare in zip(readings, toned, strict=True)]
    return tuple(replace(reading, index=index) for index, reading in enumerate(told))


def _accepted(photo: Photo, reading: BoardReading, setup: Setup) -> tuple[BoardReading, ...]:
    """The reading of a ruled grid that is a board or was asked for, without its labels; none else."""
    if is_board(photo, reading, setup.refusal):
        return (without_labels(photo, reading, _sizes(setup.game), setup.refusal),)
    return (as_no_board(reading),) if is_asked_for(photo, reading, setup.refusal) else ()


def _is_toned(photo: Photo, reading: BoardReading, setup: Setup) -> bool:
    """Whether a board that shows more than bare paper is seen in one tone alone."""
    stuck = any(cell.colour != EMPTY or cell.flags for cell in reading.cells)
    return stuck and is_toned(photo, reading.grid, setup.quality)


def palette_for(camera: str, setup: Setup) -> Palette:
    """The palette of a camera, with exactly the game's colours; without any palette that of the game's swatches."""
    colours = setup.game.colours
    if not setup.palettes:
        return palette_of_swatches(colours)
    return complete(choose_palette(setup.palettes, setup.camera or camera), colours)


def _find_ruled(photo: Photo, sheets: Sheets, setup: Setup, seen: Glance | None = None) -> Ruled:
    """Hand-made boards of the game's sizes, beside the printed sheets if there are any.

    ``seen`` is what a glance at the photo showed, if it was looked at before. Where a fiducial led to no sheet there
    are none: the lines found might be those printed beside it.
    """
    if sheets.stray:
        return Ruled((), ())
    sizes = _sizes(setup.game)
    if sheets.grids:
        return find_beside(photo, _printed(sheets, setup), sizes, setup.beside, setup.ruled)
    return find_every(photo, sizes, setup.beside, setup.ruled, seen)


def _sizes(game: Game) -> tuple[int, ...]:
    """The sides that a board may have, in cells."""
    return tuple(dict.fromkeys(size for size in (*game.sizes, game.no_mans_land) if size))


def _printed(sheets: Sheets, setup: Setup) -> list[Sheet]:
    """The printed sheets with their paper."""
    return [(grid, paper_of(grid, setup.game)) for grid in sheets.grids]


def _outline(grid: GridFit) -> tuple[Point, ...]:
    """The corners of a grid, file px, clockwise from its own top left."""
    first, last = grid.crossings[0], grid.crossings[-1]
    return first[0], first[-1], last[-1], last[0]


def _nothing_found(photo: Photo, sheets: Sheets, refused: Sequence[GridFit], setup: Setup) -> BoardNotFound:
    """Why there is no board in a photo, though there may be ruled grids."""
    if sheets.grids:
        return BoardNotFound("find.card", photo=photo.name)
    clear = [grid.rows for grid in refused if not grid.flags]
    if clear and not setup.refusal.any_cells:
        return BoardNotFound("find.unlike", photo=photo.name, size=clear[0])
    if fault := tell_quality(photo, setup.quality):
        return BoardNotFound(f"find.{fault.value}", photo=photo.name)
    if sheets.stray:
        return BoardNotFound("find.stray", photo=photo.name)
    sizes = ", ".join(f"{size}×{size}" for size in _sizes(setup.game))
    return BoardNotFound("find.nothing", photo=photo.name, sizes=sizes)


def _read_ruled(photo: Photo, grid: GridFit, found: Sequence[GridFit], palette: Palette, setup: Setup) -> BoardReading:
    """The same of ruled lines: no mark vouches for those in doubt, so none is read beside them if they are refused."""
    bare = None
    if Flag.GRID_UNCERTAIN in grid.flags:
        bare = _read_cells(photo, grid, MarkReading("", ""), palette, setup)
        if not is_board(photo, with_grid_doubts(photo, bare, setup.refusal), setup.refusal):
            return bare
    return _read_board(photo, grid, found, palette, setup, bare)


def _read_board(
    photo: Photo,
    grid: GridFit,
    found: Sequence[GridFit],
    palette: Palette,
    setup: Setup,
    bare: BoardReading | None = None,
) -> BoardReading:
    """Judge whose board it is and its cells, and on the no man's land whose stickers they hold.

    ``bare``: its cells, if they were read before.
    """
    mark, upright = _whose(grid, setup.game), grid
    if not mark.how and grid.kind == "team" and not setup.game.is_land(grid):
        others = [other for other in found if other is not grid]
        mark, upright = read_whose(photo, grid, others, setup.game, setup.mark)
    same = bare if upright == grid else None
    reading = replace(same, mark=mark) if same else _read_cells(photo, upright, mark, palette, setup)
    if not setup.game.is_land(grid):
        return reading
    owned = with_owners(photo, reading, setup.game, setup.owners)
    return _as_whole(owned) if grid.half else owned


def _read_cells(photo: Photo, grid: GridFit, mark: MarkReading, palette: Palette, setup: Setup) -> BoardReading:
    """Judge the cells of a board.

    Who draws a board on a screen takes colours that no sticker has: the palette that leaves least in doubt counts.
    """
    key = key_places(grid, setup.game)
    palettes = (palette, *drawn_palettes(setup.game.colours)) if is_drawing(photo.pixels) else (palette,)
    rectified = rectify(photo, grid, setup.cells.px_per_cell, _region(grid, key, setup.cells.margin_cells))
    settings = setup.cells
    if grid.kind == "no_mans_land":  # two halves taped together bear the same fiducials, but no key
        settings = replace(settings, adapt=replace(settings.adapt, key_whole=True))
    printed = grid.how == "printed"
    choice = [read_cells(rectified, grid.rows, grid.cols, printed, key, one, settings) for one in palettes]
    seen = min(choice, key=lambda one: sum(bool(cell.flags) for cell in one.cells))
    name, cells = seen.palette.camera, seen.cells
    return BoardReading(
        photo.name, photo.sha256, 0, grid, mark, name, cells, _board_flags(cells), photo.camera, seen.look
    )


def _as_whole(reading: BoardReading) -> BoardReading:
    """Half a no man's land as a reading of all of it, of which the other half is hidden."""
    half, grid = reading.grid, whole_grid(reading.grid)
    first = half.cols if half.half == "right" else 0
    seen = {(cell.row, cell.col + first): replace(cell, col=cell.col + first) for cell in reading.cells}
    places = itertools.product(range(grid.rows), range(grid.cols))
    cells = (seen.get(place) or CellReading(*place, EMPTY, flags=(Flag.HIDDEN,)) for place in places)
    return replace(reading, grid=grid, cells=tuple(cells))


def _region(grid: GridFit, key: tuple[Point, ...], margin: float) -> Region:
    """What of a board must be seen: the grid with its frame, and the colour key."""
    left, right, bottom = -margin, grid.cols + margin, grid.rows + margin
    if key:
        left, right, bottom = min(left, key[0][0] - 0.3), max(right, key[-1][0] + 1.3), key[0][1] + 1.3
    return left, -margin, right, bottom


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
    bright = any(Flag.OVEREXPOSED in cell.flags for cell in cells)
    doubts = {Flag.UNDEREXPOSED: 4 * dark > len(cells), Flag.OVEREXPOSED: bright, Flag.STRANGE_LIGHT: is_strange(cells)}
    return tuple(flag for flag, doubtful in doubts.items() if doubtful)


def is_strange(cells: Sequence[CellReading]) -> bool:
    """Whether the light or the colours of a board are unlike what its palette knows.

    Parameters
    ----------
    cells : sequence of CellReading
        All of the board.
    """
    stickers = [set(cell.flags) for cell in cells if cell.colour != EMPTY]
    unlike = sum(bool(flags & {Flag.LOW_MARGIN, Flag.OFF_PALETTE}) for flags in stickers)
    return any(Flag.STRANGE_LIGHT in flags for flags in stickers) or unlike > max(2, len(stickers) / 3)
