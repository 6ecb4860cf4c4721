"""The frozen records that flow between the rooms, and the flags.

Two kinds. *Heavy* records (:class:`Photo`, :class:`Rectified`) hold pixels, compare
by identity and are never saved. All others are *plain*: numbers, strings and tuples,
equal by value, hashable, and the same after a trip through JSON.

Conventions: rows and columns count from 0; a colour or owner is a short string, ``"."``
an empty cell, ``""`` an owner that is not known; points are (x, y) in pixels of the
upright photo with pixel centres at whole numbers.
"""

from __future__ import annotations

import enum
import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

EMPTY = "."
"""The colour of a cell without a sticker."""
DEFAULT_CAMERA = "default"
"""What a palette says that is for every camera without one of its own."""

Point = tuple[float, float]
Matrix3 = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
Language = Literal["cs", "en"]
Contact = Literal["corner", "edge"]
Tie = Literal["nobody", "share", "every", "stickers"]


class Flag(enum.StrEnum):
    """A named reason for doubt. Its sentence for people is ``flag.<value>`` in the catalogue of texts."""

    # of a cell
    LOW_MARGIN = "low_margin"
    """Two colours (or a colour and empty paper) explain the cell almost equally well."""
    UNEVEN_CORE = "uneven_core"
    """The core shows several things: two stickers, a torn one, one that lies half in the cell."""
    GLARE = "glare"
    """Light reflected by the sticker hides its colour."""
    TOO_DARK = "too_dark"
    """Too little light to tell colours apart."""
    OFF_PALETTE = "off_palette"
    """A colour that no sticker of the palette has in this light."""
    HIDDEN = "hidden"
    """The cell lies outside the photo, or something covers it."""
    PHOTOS_DISAGREE = "photos_disagree"
    """Two photos of the same board show different things here."""
    OWNER_UNCLEAR = "owner_unclear"
    """Nobody could read which team stuck this sticker."""
    # of a board
    GRID_UNCERTAIN = "grid_uncertain"
    """The lines were not seen well enough to be sure where each cell is."""
    CROPPED = "cropped"
    """Part of the grid lies outside the photo."""
    BLURRED = "blurred"
    """The photo is too blurred to trust."""
    UNDEREXPOSED = "underexposed"
    """The photo is too dark to trust."""
    OVEREXPOSED = "overexposed"
    """So much of the board is clipped to white that colours can't be trusted."""
    TEAM_UNCLEAR = "team_unclear"
    """Whose board this is could not be read for sure."""
    UNKNOWN_TEAM = "unknown_team"
    """The printed sheet's number belongs to no team of this game."""
    STRANGE_LIGHT = "strange_light"
    """Light or colours lie outside what the palette has seen; also of the cells of these colours."""


def natural_key(name: str) -> tuple[tuple[int, str], ...]:
    """Sort names as people count: by their numbers where they have some.

    Examples
    --------
    >>> sorted(["IMG_10.jpg", "img_9.jpg", "IMG_9.jpg"], key=natural_key)
    ['IMG_9.jpg', 'img_9.jpg', 'IMG_10.jpg']
    """
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return (*((int(part), "") if part.isdecimal() else (-1, part.casefold()) for part in parts), (-2, name))


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence for people: its key in the catalogue of texts and what to fill in."""

    key: str
    fields: tuple[tuple[str, str], ...] = ()


# --- the game -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Team:
    """One team: its name, and the capital letter or digit that it writes."""

    name: str
    mark: str


@dataclass(frozen=True, slots=True)
class Colour:
    """One colour of stickers: a one-letter code, its name, a swatch ``"#rrggbb"`` for pictures and print."""

    code: str
    name: str
    swatch: str


@dataclass(frozen=True, slots=True)
class Rules:
    """What the rules leave open; see ``game.no_mans_land``."""

    contact: Contact = "corner"
    tie: Tie = "nobody"


DEFAULT_COLOURS = (
    Colour("R", "červená", "#c8242c"),
    Colour("Y", "žlutá", "#f6cd28"),
    Colour("G", "zelená", "#2c944a"),
    Colour("B", "modrá", "#2254ac"),
)


@dataclass(frozen=True, slots=True)
class Game:
    """What the game is: all that ``game.toml`` says.

    ``teams`` empty means that no team list is known: a printed sheet then names team
    ``"1"``, ``"2"``, … by its number.
    """

    title: str = ""
    language: Language = "cs"
    sizes: tuple[int, ...] = (6, 5, 4, 3)
    no_mans_land: int = 12
    cell_mm: float = 20.0
    teams: tuple[Team, ...] = ()
    colours: tuple[Colour, ...] = DEFAULT_COLOURS
    rules: Rules = field(default_factory=Rules)

    @property
    def codes(self) -> tuple[str, ...]:
        """The colour codes in the game's order."""
        return tuple(colour.code for colour in self.colours)

    def team_names(self, boards: Iterable[Board]) -> tuple[str, ...]:
        """The game's teams in its order, then all others named on boards and stickers, in name order."""
        listed = dict.fromkeys(team.name for team in self.teams)
        seen = {name for board in boards for name in board.names}
        return (*listed, *sorted(seen - listed.keys(), key=natural_key))

    def expected_boards(self, boards: Iterable[Board]) -> tuple[tuple[str | None, int], ...]:
        """Every board that there must be, as (team or None for the no man's land, size).

        With a team list: each team's boards and the no man's land, if the game has one. Without: the boards of all
        teams named on the ``boards`` seen, and no no man's land, since nothing tells whether it was played.

        Examples
        --------
        >>> Game(sizes=(2, 1)).expected_boards([Board("Vlci", 1, (".",))])
        (('Vlci', 2), ('Vlci', 1))
        """
        teams = [team.name for team in self.teams] or self.team_names(boards)
        expected: list[tuple[str | None, int]] = [(team, size) for team in teams for size in self.sizes]
        if self.teams and self.no_mans_land:
            expected.append((None, self.no_mans_land))
        return tuple(expected)


# --- the printed sheet ----------------------------------------------------------------------------------------------

SheetKind = Literal["team", "no_mans_land", "card"]
Half = Literal["", "left", "right"]


@dataclass(frozen=True, slots=True)
class Rect:
    """An upright rectangle on the sheet: left, top, width, height in mm."""

    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True, slots=True)
class Fiducial:
    """A printed AprilTag: its id, its place (0 top-left, then clockwise) and its outer black square in mm."""

    id: int
    corner: int
    square: Rect


@dataclass(frozen=True, slots=True)
class SheetSpec:
    """One printed sheet as shapes in millimetres, origin the page's top-left corner, y down.

    Attributes
    ----------
    kind : {"team", "no_mans_land", "card"}
    team_index : int or None
        Which team's board, from 0.
    rows, cols : int
        Cells printed on this sheet.
    first_col : int
        Column of the board that the sheet's first column is: 6 on the right half of the no man's land, else 0.
    cell_mm : float
    page_mm : (float, float)
        Width and height of the paper.
    grid_origin_mm : (float, float)
        The grid's top-left corner.
    fiducials : tuple of Fiducial
    ruler : tuple of Rect
        The black blocks of the ruler frame.
    key : tuple of Rect
        The boxes of the colour key, in the order of the game's colours; empty where the sheet has none.
    cut_x_mm : float or None
        Where the halves of a no man's land are cut and joined.
    """

    kind: SheetKind
    team_index: int | None
    rows: int
    cols: int
    first_col: int
    cell_mm: float
    page_mm: tuple[float, float]
    grid_origin_mm: tuple[float, float]
    fiducials: tuple[Fiducial, ...]
    ruler: tuple[Rect, ...]
    key: tuple[Rect, ...] = ()
    cut_x_mm: float | None = None

    @property
    def grid(self) -> Rect:
        """The outline of the grid."""
        return Rect(*self.grid_origin_mm, self.cols * self.cell_mm, self.rows * self.cell_mm)


# --- photos, grids, readings ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A photo as taken: upright pixels and where they come from. Heavy.

    Attributes
    ----------
    name : str
        Path relative to the batch's folder, with ``/``: how people and files call the photo.
    sha256 : str
        Of the file's bytes, in hex.
    camera : str
        EXIF make and model as one string, ``""`` when the file names none.
    pixels : ndarray of shape (H, W, 3), uint8
        RGB, upright (EXIF orientation obeyed), read-only; possibly reduced on decoding.
    scale : float
        Pixels of ``pixels`` per pixel of the file: 1, 1/2, 1/4 or 1/8.
    full_size : (int, int)
        Width and height of the upright file, in its own pixels.
    taken : str
        ISO date on which the camera says that it took it, ``""`` when it does not.
    """

    name: str
    sha256: str
    camera: str
    pixels: npt.NDArray[np.uint8]
    scale: float
    full_size: tuple[int, int]
    taken: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Rectified:
    """A board resampled into its own frame. Heavy.

    Attributes
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB, read-only. Board point (u, v), in cells, lies at pixel
        ``((u - u0) * px_per_cell - 0.5, (v - v0) * px_per_cell - 0.5)``.
    px_per_cell : int
    origin_cells : (float, float)
        u0 and v0: the board point at the picture's top-left corner.
    seen : ndarray of shape (h, w), bool
        Which pixels lie inside the photo.
    """

    pixels: npt.NDArray[np.uint8]
    px_per_cell: int
    origin_cells: Point
    seen: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class GridFit:
    """Where the grid of one board lies in a photo.

    Attributes
    ----------
    rows, cols : int
        Cells of the grid; both are the size on a board.
    photo_from_board : 3 rows of 3
        Homography from cells to pixels of the upright file: the flat summary of ``crossings``.
    crossings : (rows+1) rows of (cols+1) points
        In pixels of the upright file (full resolution), row by row; follow curl and folds.
    error_px : float
        Median distance between where lines and edges were expected and where they were seen, in file pixels.
    how : {"printed", "ruled", "by hand"}
    kind : {"team", "no_mans_land", "card"}
        What the fiducials say it is; "team" for hand-made boards.
    team_index : int or None
        Which team, counted from 0, when a fiducial says so.
    cell_mm : float
        Side of a cell on the paper, 0 when not known (hand-made boards).
    fiducials : tuple of (id, quad)
        Each tag seen: its id and four corners in file pixels, from the tag's own top left, clockwise.
    flags : tuple of Flag
    half : {"", "left", "right"}
        Which half of the no man's land the sheet is, where it is one of two.
    """

    rows: int
    cols: int
    photo_from_board: Matrix3
    crossings: tuple[tuple[Point, ...], ...]
    error_px: float
    how: Literal["printed", "ruled", "by hand"]
    kind: SheetKind = "team"
    team_index: int | None = None
    cell_mm: float = 0.0
    fiducials: tuple[tuple[int, tuple[Point, ...]], ...] = ()
    flags: tuple[Flag, ...] = ()
    half: Half = ""

    def __post_init__(self) -> None:
        """Refuse a grid whose crossings do not fit its size."""
        if len(self.crossings) != self.rows + 1 or any(len(line) != self.cols + 1 for line in self.crossings):
            raise ValueError(f"crossings of a {self.rows}x{self.cols} grid must be {self.rows + 1}x{self.cols + 1}")


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """One colour of a palette, in the light-corrected space of ``colour``: CIELAB of the reflectance against paper.

    ``centre`` is (L, a, b); ``spread`` the 3×3 covariance of samples round it, row by row; ``count`` the samples.
    """

    colour: str
    centre: tuple[float, float, float]
    spread: Matrix3
    count: int


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one camera; ``camera`` is ``"default"`` where none is named."""

    camera: str
    entries: tuple[PaletteEntry, ...]
    photos: tuple[str, ...] = ()
    date: str = ""
    version: str = ""


Fault = Literal["", "hidden", "dark", "empty", "uneven", "glare", "other", "odd"]
"""Why nothing is learned from a sticker: it is outside the photo, in the dark, not there, not of one colour, hidden by
glare, of another colour of the game, or unlike the others of its colour."""


@dataclass(frozen=True, slots=True)
class KnownCell:
    """What a cell shows whose colour is known, on the calibration card or on a reviewed board.

    ``lab`` is CIELAB of the reflectance against paper; ``fault`` says why nothing is learned from it, ``""`` where
    something is; ``looks`` is the code of the colour that it looks like instead.
    """

    row: int
    col: int
    colour: str
    lab: tuple[float, float, float]
    fault: Fault = ""
    looks: str = ""


@dataclass(frozen=True, slots=True)
class Separation:
    """How well two colours of a palette can be told apart; ``"."`` is empty paper.

    ``widths`` is how far the one lies on its own side of the border between them, in standard deviations of its
    samples, the worse of the two; ``confused`` the share of such stickers to be taken for the other.
    """

    first: str
    second: str
    widths: float
    confused: float


@dataclass(frozen=True, slots=True)
class CellReading:
    """What the machine saw in one cell.

    ``colour`` is a code or ``"."``; ``owner`` a team's name, ``""`` unknown or not asked; ``margin`` the
    difference of delta E between the two best explanations; ``second`` the runner-up's code;
    ``confidence`` the measured share of such cells that are right; a cell with a flag is open.
    """

    row: int
    col: int
    colour: str
    owner: str = ""
    margin: float = 0.0
    second: str = ""
    confidence: float = 0.0
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class MarkReading:
    """Whose board it is: the team's name (``""`` unknown), how that was found, and doubts.

    ``how`` is one of ``"fiducial"``, ``"mark"``, ``"file name"``, ``"elimination"``, ``"correction"``, ``""``.
    ``scores`` pairs each team of the game with how well it explains what is written, in nats, where a mark was read.
    """

    team: str
    how: str
    margin: float = 0.0
    flags: tuple[Flag, ...] = ()
    scores: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class BoardReading:
    """All that seeing knows about one board in one photo. Cache, debug pictures and review start from it."""

    photo: str
    sha256: str
    index: int
    grid: GridFit
    mark: MarkReading
    palette: str
    cells: tuple[CellReading, ...]
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """A photo from which no board could be read, and what to do about it.

    ``status`` is ``"unreadable"`` (not a usable picture) or ``"not_found"`` (no board in it) or ``"card"`` (a
    calibration card, which has no board by design); ``seen`` holds quads of what was found so far, in file pixels.
    """

    photo: str
    sha256: str
    status: Literal["unreadable", "not_found", "card"]
    reason: Text
    seen: tuple[tuple[Point, ...], ...] = ()


# --- corrections, boards, results -----------------------------------------------------------------------------------


Target = Literal["cell", "owner", "team", "size", "corners", "board", "typed"]


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person said about one board in one photo.

    ``sha256`` and ``photo`` name the photo (the content counts, the name is for people), ``index`` the board in
    it, counted from 0. ``row`` and ``col`` are None except for a cell or an owner. What ``value`` holds depends on
    ``target``:

    - ``"cell"``: a colour code or ``.``; ``"owner"`` and ``"team"``: a team's name;
    - ``"size"``: rows; ``"corners"``: ``x1 y1 x2 y2 x3 y3 x4 y4`` in file pixels, clockwise from the board's own top
      left;
    - ``"board"``: ``no``, what was found there is no board; ``ok``, it is one and its grid is found right;
    - ``"typed"``: a board that no photo shows, which no photo is named for: ``Team: RR. / R.. / ...``, without a team
      the no man's land.
    """

    sha256: str
    photo: str
    index: int
    target: Target
    row: int | None
    col: int | None
    value: str


@dataclass(frozen=True, slots=True)
class OpenCell:
    """A cell in doubt: its colour (and then its owner too), or only its owner."""

    row: int
    col: int
    colour: bool = True
    owner: bool = True


@dataclass(frozen=True, slots=True)
class Board:
    """The state of one board in the game, free of pixels: all that the rules know.

    Attributes
    ----------
    team : str or None
        The owner's name; None for the no man's land.
    size : int
    rows : tuple of str
        Colour codes, ``"."`` empty: ``("RR.", "R..", "...")``.
    owners : tuple of tuple of str
        Team names, ``""`` unknown; empty tuple where owners don't matter (a team's own board).
    open : tuple of OpenCell
        Cells in doubt, row by row.
    sources : tuple of str
        Names of the photos that show it, the best first.
    """

    team: str | None
    size: int
    rows: tuple[str, ...]
    owners: tuple[tuple[str, ...], ...] = ()
    open: tuple[OpenCell, ...] = ()
    sources: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse rows, owners or open cells that do not fit the size."""
        if len(self.rows) != self.size or any(len(row) != self.size for row in self.rows):
            raise ValueError(f"a board of size {self.size} needs {self.size} rows of {self.size}")
        if self.owners and (len(self.owners) != self.size or any(len(row) != self.size for row in self.owners)):
            raise ValueError(f"owners of a board of size {self.size} need {self.size} rows of {self.size}")
        if any(not (0 <= cell.row < self.size and 0 <= cell.col < self.size) for cell in self.open):
            raise ValueError("an open cell lies outside the board")

    @property
    def names(self) -> frozenset[str]:
        """The teams named on the board: whose it is, and the known owners of its stickers."""
        stickers = zip("".join(self.rows), itertools.chain(*self.owners), strict=False)
        return frozenset(name for name in (self.team, *(o for colour, o in stickers if colour != EMPTY)) if name)


@dataclass(frozen=True, slots=True)
class SettledCell:
    """One cell after photos have voted and corrections were applied; one with a flag is open.

    Fields as in :class:`CellReading`; ``corrected`` says that a person set its colour or owner.
    """

    row: int
    col: int
    colour: str
    owner: str
    confidence: float
    flags: tuple[Flag, ...] = ()
    corrected: bool = False


Status = Literal["ok", "review", "duplicate", "not_found", "unreadable", "missing"]


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One row of ``boards.csv``: a board seen, a photo without one, or an expected board that nobody photographed.

    Attributes
    ----------
    photo : str
        The photo's name, ``""`` for a missing board.
    team : str or None
        The team's name; ``""`` unknown or none; None for the no man's land.
    size : int or None
        None where no board was seen.
    status : Status
    found_by : str
        ``"printed"``, ``"ruled"``, ``"by hand"``, ``"card"``, ``"typed"`` or ``""``.
    palette : str
        Name of the palette used, ``""`` where none was.
    reasons : tuple of Text
        What is wrong and what to do, the most important first.
    board : Board or None
        The settled board, on the rows that stand for it (``ok`` and ``review``).
    cells : tuple of SettledCell
        Its cells row by row; empty where ``board`` is None.
    """

    photo: str
    team: str | None
    size: int | None
    status: Status
    found_by: str = ""
    palette: str = ""
    reasons: tuple[Text, ...] = ()
    board: Board | None = None
    cells: tuple[SettledCell, ...] = ()


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a batch comes to: boards for the rules, the ledger of all that was seen, and notes for the person.

    ``notes`` say what became of corrections that found no place (photo gone, cell outside the board, …); ``agreeing``
    name those that the reading says by itself by now: nothing needs to be done about them.
    """

    boards: tuple[Board, ...]
    ledger: tuple[LedgerRow, ...]
    notes: tuple[Text, ...] = ()
    agreeing: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """A maximal line of one colour: its cells as (row, col) in order, and its points L(L-1)/2."""

    colour: str
    cells: tuple[tuple[int, int], ...]
    points: int


@dataclass(frozen=True, slots=True)
class MergedShape:
    """A patch of one colour on the no man's land, of one or more teams; see ``game.no_mans_land``.

    ``points_by_team`` pairs each team in it (in name order) with the points of its own shapes; ``points`` are those
    of the whole; ``awarded`` pairs teams with what they are credited (empty on an unbroken tie); ``tie`` says that
    the most points were shared by two or more.
    """

    colour: str
    cells: tuple[tuple[int, int], ...]
    points_by_team: tuple[tuple[str, int], ...]
    points: int
    awarded: tuple[tuple[str, float], ...]
    tie: bool


@dataclass(frozen=True, slots=True)
class BoardScore:
    """A board with its points (None on the no man's land) and the runs that make them."""

    board: Board
    points: int | None
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class TeamTotal:
    """One row of the final table.

    ``points_by_size`` pairs each size of the game with the points of that board, None where it is missing;
    ``total_min`` and ``total_max`` bound the total over all readings of the open cells.
    """

    rank: int
    team: str
    points_by_size: tuple[tuple[int, int | None], ...]
    no_mans_land: float
    total: float
    total_min: float
    total_max: float
    open_cells: int
    missing_boards: int


@dataclass(frozen=True, slots=True)
class Results:
    """The outcome of a game: totals best first, boards with their points, shapes of the no man's land."""

    totals: tuple[TeamTotal, ...]
    boards: tuple[BoardScore, ...]
    shapes: tuple[MergedShape, ...]
    missing: tuple[tuple[str | None, int], ...]


Reach = Literal["alone", "together", "none"]
"""Whether an open cell can change the ranking: by itself, only together with others, or not at all."""


@dataclass(frozen=True, slots=True)
class Influence:
    """What one open cell can do to the ranking.

    Attributes
    ----------
    board : int
        Which of the results' boards it lies on.
    row, col : int
    reach : {"alone", "together", "none"}
    place : int
        The best place in the table that may change hands, 0 where none can.
    swing : float
        The most points that any team gains or loses by it, all other cells as they were read.
    """

    board: int
    row: int
    col: int
    reach: Reach
    place: int
    swing: float
