"""Forms, puzzles, tiles and toys told from boards: on a board stickers lie on paper, which goes on round its grid."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.channels import channel_sum
from poradek_vision.find.rectify import rectify
from poradek_vision.geometry import FloatArray
from poradek_vision.model import GridFit, Photo

BoolArray = npt.NDArray[np.bool_]
Levels = npt.NDArray[np.uint8]
Picture = FloatArray | npt.NDArray[np.float32] | Levels


@dataclass(frozen=True, slots=True)
class FormSettings:
    """Numbers of telling forms, each with its unit; the shares in rendered photos."""

    px_per_cell: int = 40
    margin_cells: float = 0.4
    """What is looked at round the grid."""
    stroke_px: int = 11
    """What is darker than its surroundings and narrower than this is a line or writing."""
    rim_cells: float = 0.15
    """What is so near a cell's border may be the border."""
    dark_share: float = 0.5
    """Writing is at least this dark against the grid's lines, and against those round its cell, for where light washes
    lines out the others are still dark; what squared paper has is fainter."""
    ink_share: float = 0.02
    """A cell of which so much is written on has writing in it: print in calendars and timetables takes 0.03 and more,
    empty cells of rendered boards mostly nothing."""
    stroke_ink: float = 0.25
    stroke_share: float = 0.06
    """Light that a pen's stroke takes at least, more than most narrow shadows, and the share of a cell that a letter's
    strokes fill."""
    paper_tint: float = 0.15
    """By how much paper may be more tinted in one place than in another, as :func:`_tint`."""
    black_light: float = 0.1
    """Light of a printed black square as a share of that of empty cells; the deepest shade leaves 0.15."""
    dim_light: float = 0.15
    """Light of paper round the grid as a share of that in it: shade may lie there."""
    gap_cells: float = 0.12
    """Width of the black between a toy's squares; few pens are so wide."""
    sticker_light: float = 0.5
    """Light of paper round a full board, as a share of that of its brightest sticker: light may be uneven."""
    run_on_ink: float = 0.5
    """Ink of a line beyond the border, as a share of what lines have between cells, from which it goes on."""
    toy_light: float = 0.75
    """Light of what lies round a toy, as a share of that of its brightest square: paper is as bright as any sticker."""


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
    paper : float
        Share of the grid's surroundings that look like the paper in its empty cells, or where none is empty are as
        bright as paper beside its stickers; 1 where nothing is to be seen.
    toy : bool
        Whether all between the cells is black, and what lies round the grid dim against the brightest of them.
    run_on : tuple of 4 floats
        Share of the lines' ends, at the top, left, bottom and right, that go on beyond the grid's border.
    """

    written: float
    strokes: float
    black: float
    paper: float
    toy: bool
    run_on: tuple[float, float, float, float]


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
    board = _lay(photo, grid, settings)
    core = np.median(board.cells(board.filled, _CORE), axis=2)
    narrow = (board.cells(board.ink, _INNER) > settings.stroke_ink).mean(2) > settings.stroke_share
    strokes = narrow & (_tint(core) < _plain_tint(board) + settings.paper_tint)
    empty = ~stuck
    light = _light(core)
    black = empty & (light < settings.black_light * np.percentile(light[empty], 80)) if empty.any() else empty
    return Form(
        written=float(_written(board, settings)[empty].mean()) if empty.any() else 0.0,
        strokes=float(strokes[stuck].mean()) if stuck.any() else 0.0,
        black=float(black.mean()),
        paper=_paper_round(board, core[empty], settings) if empty.any() else _light_round(board, core, settings),
        toy=_is_toy(board, core, settings),
        run_on=_run_on(board, settings),
    )


_CORE, _INNER = (0.3, 0.7), (0.15, 0.85)
"""The middle of a cell, and all but its rim, cells."""
_STRIP = (0.12, 0.4)
"""Where round a grid its paper is looked for, cells from its border."""
_BORDER_PX = 4
"""So near its place the border of a cell is, px."""
_BLACK = 24.0
"""Added to levels before dividing, so that noise in the dark does not pass for ink."""
_DARK_TINT = 8.0
"""The same, for the tint."""
_GAPS, _ASIDE = 0.8, 0.08
"""Share of the crossings that must be black in a toy, and how far beside its place that may be, cells."""


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """A board with its margin laid flat.

    Attributes
    ----------
    levels, filled : ndarray of shape (h, w, 3), uint8
        sRGB, and the same without what is dark and narrow.
    ink : ndarray of shape (h, w), float32
        Share of light that narrow dark things take.
    seen : ndarray of shape (h, w), bool
        What lies in the photo.
    rows, cols, px, margin_px : int
    """

    levels: Levels
    filled: Levels
    ink: npt.NDArray[np.float32]
    seen: BoolArray
    rows: int
    cols: int
    px: int
    margin_px: int

    def cells(self, picture: Picture, part: tuple[float, float]) -> Picture:
        """A part of every cell of a picture (h, w, …): (rows, cols, pixels, …)."""
        first, last = (round(share * self.px) for share in part)
        m, px, more = self.margin_px, self.px, picture.shape[2:]
        inner = picture[m : m + self.rows * px, m : m + self.cols * px]
        each = inner.reshape(self.rows, px, self.cols, px, *more).swapaxes(1, 2)[:, :, first:last, first:last]
        return each.reshape(self.rows, self.cols, (last - first) ** 2, *more)


def _lay(photo: Photo, grid: GridFit, settings: FormSettings) -> _Laid:
    """Lay a board flat and part it into what is narrow and dark, and what is not."""
    px, margin = settings.px_per_cell, settings.margin_cells
    rectified = rectify(photo, grid, px, (-margin, -margin, grid.cols + margin, grid.rows + margin))
    smooth = np.asarray(cv2.GaussianBlur(rectified.pixels, (3, 3), 0.6), np.uint8)
    narrow = np.ones((settings.stroke_px,) * 2, np.uint8)
    filled = np.asarray(cv2.morphologyEx(smooth, cv2.MORPH_CLOSE, narrow), np.uint8)
    ink = channel_sum(np.asarray(cv2.subtract(filled, smooth), np.uint8)) / (channel_sum(filled) + _BLACK)
    return _Laid(smooth, filled, ink, rectified.seen, grid.rows, grid.cols, px, round(margin * px))


def _written(board: _Laid, settings: FormSettings) -> BoolArray:
    """Cells (rows, cols) that something is written in."""
    cells = board.cells(board.ink, (0, 1)).reshape(board.rows, board.cols, board.px, board.px)
    rim = round(settings.rim_cells * board.px)
    b = _BORDER_PX
    sides = [cells[..., :b, :].max(2), cells[..., :b].max(3), cells[..., -b:, :].max(2), cells[..., -b:].max(3)]
    own = np.median(np.concatenate(sides, axis=2), axis=2)
    dark = np.maximum(settings.dark_share * np.maximum(np.percentile(sides[:2], 60), own), settings.stroke_ink)
    inner = cells[..., rim : board.px - rim, rim : board.px - rim]
    written: BoolArray = (inner > dark[..., None, None]).mean((2, 3)) > settings.ink_share
    return written


def _paper_round(board: _Laid, cores: Picture, settings: FormSettings) -> float:
    """Share of the surroundings that look like the paper in the middle of empty cells (N, 3)."""
    tint, light = float(np.median(_tint(cores))), float(np.percentile(_light(cores), 80))
    around = _around(board)
    like = np.abs(_tint(around) - tint) < settings.paper_tint
    like &= _light(around) > settings.dim_light * light
    return float(like.mean()) if like.size else 1.0


def _light_round(board: _Laid, cores: Picture, settings: FormSettings) -> float:
    """Share of the surroundings that are as bright as paper must be beside stickers (rows, cols, 3)."""
    bright = _light(_around(board)) > settings.sticker_light * _light(cores).max()
    return float(bright.mean()) if bright.size else 1.0


def _run_on(board: _Laid, settings: FormSettings) -> tuple[float, float, float, float]:
    """Share of the lines' ends on each of four sides that go on beyond the border at half their strength or more."""
    shares = []
    for turns in range(4):
        ink, seen = np.rot90(board.ink, -turns), np.rot90(board.seen, -turns)
        cells = ((ink.shape[0] - 2 * board.margin_px) // board.px, (ink.shape[1] - 2 * board.margin_px) // board.px)
        lines = board.margin_px + board.px * np.arange(cells[1] + 1)
        near = np.asarray(cv2.dilate(ink, np.ones((1, 2 * _BORDER_PX + 1), np.uint8)))[:, lines]
        within = near[board.margin_px : -board.margin_px].reshape(cells[0], board.px, -1).mean(1)
        outside = slice(0, board.margin_px - _BORDER_PX)
        there = seen[outside, lines].all(0)
        beyond = near[outside].mean(0) > settings.run_on_ink * np.percentile(within, 60)
        shares.append(float(beyond[there].mean()) if there.any() else 0.0)
    return shares[0], shares[1], shares[2], shares[3]


def _around(board: _Laid) -> FloatArray:
    """What lies round a grid, as far as it is seen: the colours (N, 3) of places along its four sides."""
    m = board.margin_px
    strip = slice(m - round(_STRIP[1] * board.px), m - round(_STRIP[0] * board.px))
    sides = []
    for turns in range(4):
        along = slice(m, board.filled.shape[1 - turns % 2] - m)
        colours = np.median(np.rot90(board.filled, turns)[strip, along], axis=0)
        sides.append(colours[np.rot90(board.seen, turns)[strip, along].all(0)])
    return np.concatenate(sides)


def _is_toy(board: _Laid, core: Picture, settings: FormSettings) -> bool:
    """Whether cells (rows, cols, 3) lie in black, and no paper round them."""
    wide, beside = (round(cells * board.px) for cells in (settings.gap_cells, 2 * _ASIDE))
    brightest = cv2.dilate(channel_sum(board.levels), np.ones((wide, wide), np.uint8))
    gaps = np.asarray(cv2.erode(brightest, np.ones((beside + 1, beside + 1), np.uint8)), np.float64) / 3
    down = board.margin_px + board.px * np.arange(1, board.rows)
    across = board.margin_px + board.px * np.arange(1, board.cols)
    cells = _light(core)
    black = _linear(gaps[np.ix_(down, across)]) < settings.black_light * np.percentile(cells, 80)
    around = _around(board)
    return bool(black.mean() > _GAPS and len(around) and np.median(_light(around)) < settings.toy_light * cells.max())


def _plain_tint(board: _Laid) -> float:
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
