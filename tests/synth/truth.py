"""The exact answer to a synthetic photo: what is on each board, where its crossings are, what nobody could see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray
from poradek_vision.model import EMPTY, Point, SheetKind, SheetSpec
from synth.board import LABEL_PX, Labels, Sticker, covers, labels
from synth.camera import Camera
from synth.clutter import HIDE_PX_PER_MM
from synth.paper import Surface

Field = npt.NDArray[np.float32]
OCCLUDED_FROM = 0.25
"""Share of a cell hidden from which it is left out of comparisons."""
_WASHED_SHARE = 0.5
_PROBES = 10


@dataclass(frozen=True, slots=True)
class BoardTruth:
    """The truth about one board in one photo.

    Attributes
    ----------
    kind, team_index, rows, owners
        What the sheet is and what is on it; owners are marks, None except on the no man's land.
    crossings : (rows+1) rows of (cols+1) points, px of the upright photo
    page_corners : four points, px
    hidden : rows of shares
        How much of each cell lies outside the photo or under a thumb or leaf.
    own_cover, foreign_cover : rows of shares
        How much of each cell its own top sticker, and other cells' stickers, visibly cover.
    washed : (row, col) pairs
        Stickers that glare has bleached so far that nobody could name their colour.
    over_stuck : (row, col, colour below)
    torn : (row, col) pairs
    """

    kind: SheetKind
    team_index: int | None
    rows: tuple[str, ...]
    owners: tuple[str, ...] | None
    crossings: tuple[tuple[Point, ...], ...]
    page_corners: tuple[Point, ...]
    hidden: tuple[tuple[float, ...], ...]
    own_cover: tuple[tuple[float, ...], ...]
    foreign_cover: tuple[tuple[float, ...], ...]
    washed: tuple[tuple[int, int], ...]
    over_stuck: tuple[tuple[int, int, str], ...]
    torn: tuple[tuple[int, int], ...]

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """The grid's corners, clockwise from the board's top left."""
        return self.crossings[0][0], self.crossings[0][-1], self.crossings[-1][-1], self.crossings[-1][0]


def tell(
    spec: SheetSpec,
    rows: tuple[str, ...],
    owners: tuple[str, ...] | None,
    stickers: list[Sticker],
    surface: Surface,
    camera: Camera,
    hidden: npt.NDArray[np.bool_],
    litter: npt.NDArray[np.bool_],
    show: Callable[[Field], Field],
    scene: Field,
) -> BoardTruth:
    """Gather the truth about a board.

    ``hidden`` is what thumbs hide in the photo, ``litter`` what leaves hide on the page, ``scene`` the light
    before the camera, and ``show`` makes display values 0–1 of it.
    """
    cells = np.stack(np.meshgrid(np.arange(spec.cols + 1.0), np.arange(spec.rows + 1.0)), -1)
    crossings = _seen(cells.reshape(-1, 2), spec, surface, camera).reshape(cells.shape)
    width, height = spec.page_mm
    page = camera.project(surface.at(np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)))
    own, foreign = covers(stickers, spec.rows, spec.cols)
    probes = _probes(spec)
    pixels = np.round(_seen(probes, spec, surface, camera)).astype(int)
    return BoardTruth(
        spec.kind,
        spec.team_index,
        rows,
        owners,
        tuple(_points(line) for line in crossings),
        _points(page),
        _shares(_unseen(probes, pixels, spec, hidden, litter), spec),
        _plain(own),
        _plain(foreign),
        _washed(probes, spec, rows, stickers, show(_pick(scene, pixels))),
        tuple((s.row, s.col, s.colour) for s in stickers if s.under),
        tuple((s.row, s.col) for s in stickers if s.torn),
    )


def _seen(cells: FloatArray, spec: SheetSpec, surface: Surface, camera: Camera) -> FloatArray:
    """Pixels of points of the board, (N, 2) in cells."""
    return camera.project(surface.at(cells * spec.cell_mm + spec.grid_origin_mm))


def _points(points: FloatArray) -> tuple[Point, ...]:
    return tuple((round(float(x), 3), round(float(y), 3)) for x, y in points)


def _plain(shares: FloatArray) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(round(float(share), 3) for share in line) for line in shares)


def _probes(spec: SheetSpec) -> FloatArray:
    """Points spread evenly over every cell, cell by cell, (cells · probes², 2)."""
    inner = (np.arange(_PROBES) + 0.5) / _PROBES
    row, col, y, x = np.meshgrid(np.arange(spec.rows), np.arange(spec.cols), inner, inner, indexing="ij")
    return np.stack([col + x, row + y], -1).reshape(-1, 2)


def _unseen(
    probes: FloatArray,
    pixels: npt.NDArray[np.int_],
    spec: SheetSpec,
    hidden: npt.NDArray[np.bool_],
    litter: npt.NDArray[np.bool_],
) -> npt.NDArray[np.bool_]:
    """Which probes lie outside the photo, under a thumb or under a leaf."""
    height, width = hidden.shape
    outside = (pixels < 0).any(1) | (pixels[:, 0] >= width) | (pixels[:, 1] >= height)
    x, y = np.clip(pixels, 0, (width - 1, height - 1)).T
    on_page = ((probes * spec.cell_mm + spec.grid_origin_mm) * HIDE_PX_PER_MM).astype(int)
    return np.asarray(outside | hidden[y, x] | litter[on_page[:, 1], on_page[:, 0]], np.bool_)


def _shares(marked: npt.NDArray[np.bool_], spec: SheetSpec) -> tuple[tuple[float, ...], ...]:
    """The share of marked probes in each cell."""
    return _plain(marked.reshape(spec.rows, spec.cols, -1).mean(-1))


def _pick(scene: Field, pixels: npt.NDArray[np.int_]) -> Field:
    """The scene at pixels (N, 2); outside the photo the edge's."""
    col, row = np.clip(pixels, 0, (scene.shape[1] - 1, scene.shape[0] - 1)).T
    return scene[row, col]


def _washed(
    probes: FloatArray,
    spec: SheetSpec,
    rows: tuple[str, ...],
    stickers: list[Sticker],
    shown: Field,
) -> tuple[tuple[int, int], ...]:
    """Cells whose sticker shows hardly any colour on half of its visible part and more: bright and grey."""
    top: Labels = labels(stickers, spec.rows, spec.cols)
    x, y = (probes * LABEL_PX).astype(int).T
    index = top[y, x].reshape(spec.rows, spec.cols, -1)
    rgb = np.clip(shown, 0, 1)
    bleached = ((rgb.min(1) > 0.72) & (rgb.max(1) - rgb.min(1) < 0.13)).reshape(index.shape)
    found = []
    for r in range(spec.rows):
        for c in range(spec.cols):
            mine = [k for k, s in enumerate(stickers) if (s.row, s.col) == (r, c) and not s.under]
            on = np.isin(index[r, c], mine)
            if rows[r][c] != EMPTY and on.any() and bleached[r, c][on].mean() > _WASHED_SHARE:
                found.append((r, c))
    return tuple(found)
