"""Forms, puzzles, tiles and toys told from boards: on a board stickers lie on paper, which goes on round its grid."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np

from poradek_vision.find.channels import channel_sum
from poradek_vision.find.form.laid import BoolArray, Laid, Picture, lay
from poradek_vision.find.form.lines import drawn, run_on
from poradek_vision.find.form.written import CellWritingSettings, inked, strokes_in, written_in
from poradek_vision.geometry import FloatArray, compactness
from poradek_vision.model import GridFit, Photo


@dataclass(frozen=True, slots=True)
class FormSettings:
    """Numbers of telling forms, each with its unit; the shares in rendered photos."""

    px_per_cell: int = 40
    margin_cells: float = 0.4
    """What is looked at round the grid."""
    stroke_px: int = 11
    """What is darker than its surroundings and narrower than this is a line or writing."""
    written: CellWritingSettings = field(default_factory=CellWritingSettings)
    stroke_share: float = 0.06
    """Share of a cell that a letter's strokes fill."""
    least_compact: float = 0.9
    """What lies so near together, as :func:`geometry.compactness`, is no letter but a small sticker: letters by
    broad pens 0.5 to 0.85."""
    coloured_share: float = 0.55
    """Share of a cell but for its rim from which what is coloured there is a sticker printed white: a broad
    letter fills 0.5."""
    paper_tint: float = 0.15
    """By how much paper may be more tinted in one place than in another, as :func:`_tint`."""
    black_light: float = 0.1
    """Light of a printed black square as a share of that of empty cells; the deepest shade leaves 0.15."""
    square_step: float = 0.2
    """By how much a chessboard's dark squares are darker at least, as the log of light."""
    dark_light: float = 0.01
    """Added to light before its log is taken: in the dark nothing is told."""
    dim_light: float = 0.15
    """Light of paper round the grid as a share of that in it: shade may lie there."""
    gap_cells: float = 0.12
    """Width of the black between a toy's squares; few pens are so wide."""
    sticker_light: float = 0.5
    """Light of paper round a full board, as a share of that of its brightest sticker: light may be uneven."""
    run_on_ink: float = 0.5
    """Ink of a line beyond the border, as a share of what lines have between cells, from which it goes on."""
    toy_light: float = 0.75
    """Light of what lies on one side of a toy, as a share of that of the brightest squares there: paper is as bright as
    any sticker, and in the shade with it."""


@dataclass(frozen=True, slots=True)
class Form:
    """What a grid is by what lies in and round its cells.

    Attributes
    ----------
    written : float
        Share of the empty cells that something is written in; 0 where none is empty.
    strokes : float
        Share of the stickers that are a pen's strokes on paper; 0 where there is none.
    black : float
        Share of all cells that are black squares.
    chequered : float
        Share of the neighbours that are both empty of which the one on squares of the same colour, were it a
        chessboard, is darker; 0 where there are only few.
    paper : float
        Share of the grid's surroundings that look like the paper in its empty cells, or where none is empty are as
        bright as paper beside its stickers; 1 where nothing is to be seen.
    toy : bool
        Whether all between the cells is black, and what lies on one side of the grid dim against those there.
    run_on : tuple of 4 floats
        Share of the lines' ends, at the top, left, bottom and right, that go on beyond the grid's border.
    drawn : float
        Share of the sides of empty cells that no sticker may cover along which a line is seen; 1 where there are none.
    """

    written: float
    strokes: float
    black: float
    chequered: float
    paper: float
    toy: bool
    run_on: tuple[float, float, float, float]
    drawn: float


def tell_form(photo: Photo, grid: GridFit, stuck: BoolArray, settings: FormSettings) -> Form:
    """What a ruled grid is by what lies in and round its cells.

    Parameters
    ----------
    photo : Photo
    grid : GridFit
    stuck : ndarray of shape (rows, cols), bool
        Which cells have a sticker.
    settings : FormSettings

    Returns
    -------
    Form
    """
    board = lay(photo, grid, settings.px_per_cell, settings.margin_cells, settings.stroke_px)
    core = np.median(board.cells(board.filled, _CORE), axis=2)
    dark = board.cells(board.ink, _INNER) > settings.written.stroke_ink
    narrow = (dark.mean(2) > settings.stroke_share) & ~_compact(dark, settings)
    tinted = _plain_tint(board) + settings.paper_tint
    coloured = (_tint(board.cells(board.levels, _INNER)) >= tinted).mean(2) >= settings.coloured_share
    strokes = narrow & (_tint(core) < tinted) & ~coloured
    empty = ~stuck
    light = _light(core)
    black = empty & (light < settings.black_light * np.percentile(light[empty], 80)) if empty.any() else empty
    return Form(
        written=float(written_in(board, settings.written)[empty].mean()) if empty.any() else 0.0,
        strokes=float(strokes[stuck].mean()) if stuck.any() else 0.0,
        black=float(black.mean()),
        chequered=_chequered(light, empty, settings),
        paper=_paper_round(board, core[empty], settings) if empty.any() else _light_round(board, core, settings),
        toy=_is_toy(board, core, settings),
        run_on=run_on(board, empty, settings.run_on_ink),
        drawn=drawn(board, empty),
    )


def inked_cells(photo: Photo, grid: GridFit, settings: FormSettings) -> BoolArray:
    """Cells (rows, cols) of a ruled grid in which there is writing, or a small sign.

    Parameters
    ----------
    photo : Photo
    grid : GridFit
    settings : FormSettings
    """
    board = lay(photo, grid, settings.px_per_cell, settings.margin_cells, settings.stroke_px)
    return inked(strokes_in(board, settings.written), settings.written)


def _compact(dark: BoolArray, settings: FormSettings) -> BoolArray:
    """In which cells (rows, cols) what is dark (rows, cols, pixels) lies near together."""
    side = np.arange(math.isqrt(dark.shape[2]), dtype=np.float64)
    places = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
    return np.asarray(compactness(dark, places, 1.0) >= settings.least_compact, np.bool_)


_CORE, _INNER = (0.3, 0.7), (0.15, 0.85)
"""The middle of a cell, and all but its rim, cells."""
_STRIP = (0.12, 0.4)
"""Where round a grid its paper is looked for, cells from its border."""
_DARK_TINT = 8.0
"""Added to levels before dividing, so that noise in the dark has no tint."""
_GAPS, _ASIDE = 0.8, 0.08
"""Share of the crossings that must be black in a toy, and how far beside its place that may be, cells."""


def _chequered(light: FloatArray, empty: BoolArray, settings: FormSettings) -> float:
    """How far empty cells' light (rows, cols) alternates as on a chessboard, 0–1."""
    steps = np.log(light + settings.dark_light) * np.where(np.indices(light.shape).sum(0) % 2, 1, -1)
    pairs = [
        (steps[first] + steps[second])[empty[first] & empty[second]]
        for first, second in ((np.s_[1:], np.s_[:-1]), (np.s_[:, 1:], np.s_[:, :-1]))
    ]
    darker = np.concatenate([pair.ravel() for pair in pairs])
    if darker.size < _FEW_PAIRS:
        return 0.0
    return float(max((darker > settings.square_step).mean(), (darker < -settings.square_step).mean()))


_FEW_PAIRS = 6
"""So few neighbours may be shaded in turn by chance."""


def _paper_round(board: Laid, cores: Picture, settings: FormSettings) -> float:
    """Share of the surroundings that look like the paper in the middle of empty cells (N, 3)."""
    tint, light = float(np.median(_tint(cores))), float(np.percentile(_light(cores), 80))
    around = _around(board)
    like = np.abs(_tint(around) - tint) < settings.paper_tint
    like &= _light(around) > settings.dim_light * light
    return float(like.mean()) if like.size else 1.0


def _light_round(board: Laid, cores: Picture, settings: FormSettings) -> float:
    """Share of the surroundings that are as bright as paper must be beside stickers (rows, cols, 3)."""
    bright = _light(_around(board)) > settings.sticker_light * _light(cores).max()
    return float(bright.mean()) if bright.size else 1.0


def _around(board: Laid) -> FloatArray:
    """What lies round a grid, as far as it is seen: the colours (N, 3) of places along its four sides."""
    return np.concatenate([colours[seen] for colours, seen in (_beside(board, side) for side in range(4))])


def _beside(board: Laid, side: int) -> tuple[FloatArray, BoolArray]:
    """The colours (N, 3) of places along one side of a grid, and which (N,) of them are seen.

    Side 0 is the top, from left to right; 1 the right; and so on as the picture is turned to the left.
    """
    m = board.margin_px
    strip = slice(m - round(_STRIP[1] * board.px), m - round(_STRIP[0] * board.px))
    along = slice(m, board.filled.shape[1 - side % 2] - m)
    colours: FloatArray = np.median(np.rot90(board.filled, side)[strip, along], axis=0)
    seen = np.asarray(np.rot90(board.seen, side)[strip, along].all(0), np.bool_)
    return colours, seen


def _is_toy(board: Laid, core: Picture, settings: FormSettings) -> bool:
    """Whether cells (rows, cols, 3) lie in black, and no paper round them."""
    wide, beside = (round(cells * board.px) for cells in (settings.gap_cells, 2 * _ASIDE))
    brightest = cv2.dilate(channel_sum(board.levels), np.ones((wide, wide), np.uint8))
    gaps = np.asarray(cv2.erode(brightest, np.ones((beside + 1, beside + 1), np.uint8)), np.float64) / 3
    down = board.margin_px + board.px * np.arange(1, board.rows)
    across = board.margin_px + board.px * np.arange(1, board.cols)
    cells = _light(core)
    black = _linear(gaps[np.ix_(down, across)]) < settings.black_light * np.percentile(cells, 80)
    return bool(black.mean() > _GAPS) and _is_dim_round(board, cells, settings)


def _is_dim_round(board: Laid, cells: FloatArray, settings: FormSettings) -> bool:
    """Whether what lies on one side of a grid is dim against the brightest of the cells (rows, cols) beside it."""
    ratios = [_light_beside(board, cells, side) for side in range(4)]
    return any(len(ratio) and float(np.median(ratio)) < settings.toy_light for ratio in ratios)


def _light_beside(board: Laid, cells: FloatArray, side: int) -> FloatArray:
    """Light (N,) of places along a side of a grid, as far as they are seen, as a share of that of the cells there."""
    colours, seen = _beside(board, side)
    row = np.pad(np.rot90(cells, side)[0], 1, mode="edge")
    brightest = np.repeat(np.maximum(np.maximum(row[:-2], row[1:-1]), row[2:]), board.px)
    shares: FloatArray = (_light(colours) / np.maximum(brightest, _DIM))[seen]
    return shares


_DIM = 1e-6


def _plain_tint(board: Laid) -> float:
    """The tint of what is least tinted in a board: of paper, whatever the light."""
    some = (slice(None, None, _STEP_PX),) * 2
    return float(np.percentile(_tint(board.filled[some][board.seen[some]]), 20))


_STEP_PX = 3
"""What lies between pixels so far apart is like them."""


def _tint(levels: Picture) -> FloatArray:
    """How far from grey colours (..., 3) are, 0–1: what the weakest channel lacks of the strongest, sRGB."""
    red, green, blue = np.moveaxis(levels, -1, 0).astype(np.float64)
    least, most = np.minimum(np.minimum(red, green), blue), np.maximum(np.maximum(red, green), blue)
    tint: FloatArray = 1 - (least + _DARK_TINT) / (most + _DARK_TINT)
    return tint


def _light(levels: Picture) -> FloatArray:
    """Light of colours (..., 3), linear, 0–1."""
    return _linear(levels.mean(-1))


def _linear(level: FloatArray) -> FloatArray:
    """Linear light of sRGB levels, 0–1."""
    light: FloatArray = (level / 255) ** 2.2
    return light
