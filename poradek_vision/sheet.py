"""The printed sheet as shapes in millimetres: printing draws them, finding looks for them, the tests rasterise them.

Frame: origin at the page's top-left corner, x right, y down, mm. Everything scales from ``cell_mm`` except the
sizes given as constants here.
"""

from __future__ import annotations

from dataclasses import dataclass

from poradek_vision.errors import SettingsError
from poradek_vision.model import Fiducial, Game, Rect, SheetKind, SheetSpec

A4_MM = (210.0, 297.0)
A3_MM = (297.0, 420.0)
EDGE_MM = 8.0
"""Blank edge of the page: printers can't reach it."""
LINE_MM = 0.6
"""Width of the grid's lines, centred on the cell borders."""
TAG_MM = 16.0
"""Side of a fiducial, outer black edge to outer black edge."""
TAG_GAP_MM = 4.0
"""Between a fiducial's nearest corner and the grid's corner, in x and in y."""
TAG_WHITE_MM = 2.0
"""White around each fiducial and along the ruler frame: nothing else is printed there."""
RULER_NEAR, RULER_FAR = 0.25, 0.5
"""The band of the ruler frame, in cells away from the grid's edge."""
KEY_BELOW_MM = 26.0
"""Top of the colour key below the grid's lower edge."""
KEY_PITCH = 1.25
"""Of the key's boxes, in cells."""
KEY_TEXT_MM = 6.0
"""What the names under the key's boxes take, with their distance."""
KEY_FOOT_MM = 16.0
"""The key is left out where it would come closer to the page's foot."""
CARD_COLS = 5
STICKER_CODE = 0.5
"""Width of a team's code, outer black edge to outer black edge, as a share of its sticker's."""
TAGS = 587
"""Ids of ``cv2.aruco.DICT_APRILTAG_36h11``."""

_GRID_TOP_A4, _GRID_TOP_A3, _GRID_TOP_HALF = 90.0, 110.0, 28.5
"""Upper edge of the grid on each kind of page, mm."""
_BLOCK_MM = TAG_GAP_MM + TAG_MM
_CARD_NAMES_MM = 24.0
"""Room for the colours' names left of the card's rows."""


@dataclass(frozen=True, slots=True)
class TagMeaning:
    """What a fiducial's id says: sheet and corner.

    Attributes
    ----------
    kind : {"team", "no_mans_land", "card"}
    team_index : int or None
        Which team's board, from 0.
    size : int
        Of the board; rows of the card; 0 where the game has no board with this number.
    corner : int
        0 top-left, then clockwise.
    board : int
        The sheet's number: ids are 4 * board + corner.
    """

    kind: SheetKind
    team_index: int | None
    size: int
    corner: int
    board: int


def meaning(tag_id: int, game: Game) -> TagMeaning:
    """What a fiducial's id says in this game.

    Parameters
    ----------
    tag_id : int
        0 … 586.
    game : Game
        Gives the sizes in the order of the ids; for the card ``size`` is the number of colours.

    Examples
    --------
    >>> meaning(4 * (2 + 4 * 1 + 2) + 3, Game())
    TagMeaning(kind='team', team_index=1, size=4, corner=3, board=8)
    """
    board, corner = divmod(tag_id, 4)
    if board == 0:
        return TagMeaning("no_mans_land", None, game.no_mans_land or 12, corner, board)
    if board == 1:
        return TagMeaning("card", None, len(game.colours), corner, board)
    team, place = divmod(board - 2, 4)
    if place >= len(game.sizes):
        return TagMeaning("team", team, 0, corner, board)
    return TagMeaning("team", team, game.sizes[place], corner, board)


def most_teams() -> int:
    """How many teams the fiducials can name.

    Examples
    --------
    >>> most_teams()
    36
    """
    return (TAGS // 4 - 2) // 4


def team_sheet(game: Game, team_index: int, size: int) -> SheetSpec:
    """The sheet of one team's board.

    Parameters
    ----------
    game : Game
    team_index : int
        From 0; numbers past the game's teams make spare sheets.
    size : int
        One of the game's sizes.

    Raises
    ------
    SettingsError
        If the cells are too large for the page, or there are more teams than ids.
    """
    if not 0 <= team_index < most_teams():
        raise SettingsError("sheet.too_many_teams", most=most_teams())
    board = 2 + 4 * team_index + game.sizes.index(size)
    return _on_a4("team", team_index, size, size, game.cell_mm, board, len(game.colours))


def card_sheet(game: Game) -> SheetSpec:
    """The calibration card: one row of five cells per colour; cells as large as the game's, or as fit."""
    rows = len(game.colours)
    room_x = (A4_MM[0] - 2 * (EDGE_MM + _CARD_NAMES_MM)) / (CARD_COLS + 2 * RULER_FAR)
    room_y = (A4_MM[1] - KEY_FOOT_MM - _GRID_TOP_A4 - _BLOCK_MM) / rows
    return _on_a4("card", None, rows, CARD_COLS, min(game.cell_mm, room_x, room_y), 1, 0)


def no_mans_land_sheet(game: Game) -> SheetSpec:
    """The no man's land on one page: A3 for 12×12, A4 where it fits.

    Raises
    ------
    SettingsError
        If the game has none, or its cells are too large for the page.
    """
    size = _no_mans_land(game)
    if size * game.cell_mm + 2 * (_BLOCK_MM + EDGE_MM) <= A4_MM[0]:
        return _on_a4("no_mans_land", None, size, size, game.cell_mm, 0, len(game.colours))
    return _sheet("no_mans_land", None, size, (0, size), size, game.cell_mm, 0, A3_MM, _GRID_TOP_A3, len(game.colours))


def half_sheets(game: Game) -> tuple[SheetSpec, SheetSpec]:
    """The no man's land as two A4 halves, left and right; cut and taped together they are one sheet.

    Raises
    ------
    SettingsError
        If the game has none, its size is odd, or its cells are too large for the page.
    """
    size = _no_mans_land(game)
    if size % 2:
        raise SettingsError("sheet.odd_halves", size=size)
    left, right = (
        _sheet("no_mans_land", None, size, columns, size, game.cell_mm, 0, A4_MM, _GRID_TOP_HALF, 0)
        for columns in ((0, size // 2), (size // 2, size))
    )
    return left, right


def fiducial_squares(rows: int, cols: int, cell_mm: float) -> tuple[Rect, Rect, Rect, Rect]:
    """The four fiducials' squares relative to the grid's top-left corner, in mm, clockwise from the top left.

    Parameters
    ----------
    rows, cols : int
        Cells of the whole board, also where the sheet is half of it.
    cell_mm : float
    """
    near, far = -TAG_GAP_MM - TAG_MM, TAG_GAP_MM
    right, bottom = cols * cell_mm + far, rows * cell_mm + far
    return (
        Rect(near, near, TAG_MM, TAG_MM),
        Rect(right, near, TAG_MM, TAG_MM),
        Rect(right, bottom, TAG_MM, TAG_MM),
        Rect(near, bottom, TAG_MM, TAG_MM),
    )


def _no_mans_land(game: Game) -> int:
    """The size of the no man's land, or an error where the game has none."""
    if not game.no_mans_land:
        raise SettingsError("sheet.no_no_mans_land")
    return game.no_mans_land


def _on_a4(
    kind: SheetKind, team_index: int | None, rows: int, cols: int, cell_mm: float, board: int, colours: int
) -> SheetSpec:
    """A whole board on an A4 page."""
    return _sheet(kind, team_index, rows, (0, cols), cols, cell_mm, board, A4_MM, _GRID_TOP_A4, colours)


def _sheet(
    kind: SheetKind,
    team_index: int | None,
    rows: int,
    columns: tuple[int, int],
    board_cols: int,
    cell_mm: float,
    board: int,
    page_mm: tuple[float, float],
    top_mm: float,
    colours: int,
) -> SheetSpec:
    """Lay out the columns ``columns[0]`` … ``columns[1] - 1`` of a board on a page."""
    first, last = columns
    cols = last - first
    origin = ((page_mm[0] - cols * cell_mm) / 2, top_mm)
    _check_fits(rows, cols, cell_mm, page_mm, top_mm, names=kind == "card")
    board_x = origin[0] - first * cell_mm
    fiducials = tuple(
        Fiducial(4 * board + corner, corner, Rect(board_x + square.x, top_mm + square.y, square.w, square.h))
        for corner, square in enumerate(fiducial_squares(rows, board_cols, cell_mm))
        if (first == 0 and corner in (0, 3)) or (last == board_cols and corner in (1, 2))
    )
    cut = None if cols == board_cols else origin[0] + (cols * cell_mm if first == 0 else 0.0)
    ruler = _ruler(rows, columns, board_cols, cell_mm, (board_x, top_mm))
    key = _key(rows, cell_mm, page_mm, top_mm, colours)
    return SheetSpec(kind, team_index, rows, cols, first, cell_mm, page_mm, origin, fiducials, ruler, key, cut)


def _check_fits(
    rows: int, cols: int, cell_mm: float, page_mm: tuple[float, float], top_mm: float, *, names: bool
) -> None:
    """Refuse cells that do not fit the page, naming the largest that do."""
    if names:  # the card chooses its own cells
        return
    room_x = page_mm[0] - 2 * (_BLOCK_MM + EDGE_MM)
    room_y = page_mm[1] - top_mm - _BLOCK_MM - EDGE_MM
    largest = min(room_x / cols, room_y / rows)
    if cell_mm > largest + 1e-9:
        raise SettingsError(
            "sheet.cell_too_large", cell_mm=f"{cell_mm:g}", grid=f"{rows}×{cols}", largest=f"{int(largest * 10) / 10:g}"
        )


def _ruler(
    rows: int, columns: tuple[int, int], board_cols: int, cell_mm: float, origin: tuple[float, float]
) -> tuple[Rect, ...]:
    """The black blocks: even cells on each side, counted from the board's left or top."""
    first, last = columns
    x0, y0 = origin
    near, width = RULER_NEAR * cell_mm, (RULER_FAR - RULER_NEAR) * cell_mm
    tops = (y0 - near - width, y0 + rows * cell_mm + near)
    blocks = [Rect(x0 + col * cell_mm, y, cell_mm, width) for y in tops for col in range(first, last) if col % 2 == 0]
    lefts = ([x0 - near - width] if first == 0 else []) + ([x0 + last * cell_mm + near] if last == board_cols else [])
    blocks += [Rect(x, y0 + row * cell_mm, width, cell_mm) for x in lefts for row in range(0, rows, 2)]
    return tuple(blocks)


def _key(rows: int, cell_mm: float, page_mm: tuple[float, float], top_mm: float, colours: int) -> tuple[Rect, ...]:
    """The boxes of the colour key, or none where there is no room."""
    y = top_mm + rows * cell_mm + KEY_BELOW_MM
    width = ((colours - 1) * KEY_PITCH + 1) * cell_mm
    if not colours or y + cell_mm + KEY_TEXT_MM > page_mm[1] - KEY_FOOT_MM or width > page_mm[0] - 2 * EDGE_MM:
        return ()
    left = (page_mm[0] - width) / 2
    return tuple(Rect(left + k * KEY_PITCH * cell_mm, y, cell_mm, cell_mm) for k in range(colours))
