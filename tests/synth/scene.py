"""Boards + light + camera + seed -> photo and truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray
from poradek_vision.model import EMPTY, Game, SheetSpec, Team
from poradek_vision.sheet import TAG_GAP_MM, TAG_MM, card_sheet, half_sheets, no_mans_land_sheet, team_sheet
from synth.board import Sticker, make_owners, make_rows, place_stickers
from synth.camera import Camera, aim
from synth.clutter import litter_page, paint_pins, paint_thumbs
from synth.develop import curve, develop
from synth.ground import SIDE_MM, SIDE_PX, paint_ground
from synth.hand_sheet import HandSheet
from synth.light import Light, set_up
from synth.look import Difficulty, Look, PaperLook, random_look
from synth.page import PageTexture, paint_page
from synth.paper import Surface, shape_page
from synth.raster import draw_ground, draw_page
from synth.shadow import cast
from synth.truth import BoardTruth, tell

SheetName = tuple[int, int] | Literal["no_mans_land", "left half", "right half", "card"] | HandSheet
"""A team's index and size, one of the other sheets, or a board ruled by hand."""
Field = npt.NDArray[np.float32]
_POSE_TRIES = 40
_CELL_LEAST_PX = 11
"""No side of a cell is shorter in a photo that a person could still judge."""
_NAMES = """
    Vlci Lišky Ježci Rysi Bobři Orli Jeleni Sovy Vydry Kuny Čápi Zubři
    Medvědi Sokoli Zajíci Jezevci Losi Volavky Krkavci Užovky Mloci Raci Veverky Ledňáčci
    Datli Srnci Kanci Křečci Sysli Rejsci Čejky Sojky Straky Výři Káňata Netopýři
""".split()  # noqa: SIM905 - as a list it takes 36 lines
_MARKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_OWNERS = 8
"""So many teams at most stick on the no man's land."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What is on a board: rows of colour codes, and owners' marks where it is the no man's land."""

    rows: tuple[str, ...]
    owners: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A photo, uint8 RGB (H, W, 3), upright, and the truth about each board on it, in the order of its sheets."""

    pixels: npt.NDArray[np.uint8]
    boards: tuple[BoardTruth, ...]
    look: Look
    seed: int
    sheets: tuple[SheetName, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Board:
    """A sheet on its way into the photo."""

    name: SheetName
    spec: SheetSpec
    layout: Layout
    stickers: list[Sticker]
    key: list[Sticker]
    surface: Surface


def make_scene(
    seed: int,
    *,
    difficulty: Difficulty = "easy",
    game: Game | None = None,
    sheets: Sequence[SheetName] = ((0, 6),),
    look: Look | None = None,
    layouts: Sequence[Layout | None] = (),
) -> Shot:
    """Make a photo of some sheets on a ground.

    Parameters
    ----------
    seed : int
        The same seed and arguments give the same pixels.
    difficulty : {"easy", "medium", "hard"}
        How hard a look is drawn where ``look`` is not given.
    game : Game
    sheets : sequence of SheetName
        What lies there, side by side. Without sheets the photo shows the ground alone.
    look : Look, optional
    layouts : sequence of Layout or None
        What is stuck on each sheet; drawn at random where left out.
    """
    look, game = look or random_look(seed, difficulty), game or DEFAULT_GAME
    rng = np.random.default_rng([seed, 202])
    specs = [sheet_spec(game, name) for name in sheets]
    chosen = [*layouts, *[None] * (len(specs) - len(layouts))]
    contents = [
        layout or _drawn_layout(rng, *sheet, game) for *sheet, layout in zip(sheets, specs, chosen, strict=True)
    ]
    look, surfaces, camera = _pose(look, specs, seed)
    boards = [_fill(rng, look, *parts, game) for parts in zip(sheets, specs, contents, surfaces, strict=True)]
    centre = np.mean([s.position.mean((0, 1)) for s in surfaces], 0) if surfaces else np.zeros(3)
    light = set_up(look.light, centre, camera.centre, np.random.default_rng([seed, 303]))
    scene, hidden, litters = _render(look, game, boards, camera, light, seed)
    white = _paper_white(look.paper, light, surfaces)
    cell_px = _cell_px(boards[0], camera) if boards else 60.0
    pixels = develop(scene, look.develop, white, cell_px, np.random.default_rng([seed, 404]))

    def show(light: Field) -> Field:
        return curve(light, look.develop, white)

    truths = []
    for b, litter in zip(boards, litters, strict=True):
        rows, owners = b.layout.rows, b.layout.owners
        truth = tell(b.spec, rows, owners, b.stickers, b.surface, camera, hidden, litter, show, scene)
        truths.append(_where_drawn(b, camera, truth))
    return Shot(pixels, tuple(truths), look, seed, tuple(sheets))


def make_game(teams: int) -> Game:
    """A game of up to 36 teams."""
    return Game("Pořádek 2027", teams=tuple(map(Team, _NAMES[:teams], _MARKS)))


DEFAULT_GAME = make_game(6)


def sheet_spec(game: Game, name: SheetName) -> SheetSpec:
    """The sheet of that name."""
    if isinstance(name, HandSheet):
        return name.spec
    if name == "card":
        return card_sheet(game)
    if name == "no_mans_land":
        return no_mans_land_sheet(game)
    if name == "left half" or name == "right half":
        return half_sheets(game)[name == "right half"]
    return team_sheet(game, *name)


def _drawn_layout(rng: np.random.Generator, name: SheetName, spec: SheetSpec, game: Game) -> Layout:
    """A plausible layout; on a board ruled by hand as full as its look says."""
    if isinstance(name, HandSheet):
        return Layout(tuple(make_rows(rng, spec.rows, spec.cols, "".join(game.codes), name.look.fill)))
    return random_layout(rng, spec, game)


def random_layout(rng: np.random.Generator, spec: SheetSpec, game: Game) -> Layout:
    """A plausible layout for a sheet; the card has its five stickers a row."""
    if spec.kind == "card":
        return Layout(tuple(code * spec.cols for code in game.codes))
    fill = rng.uniform(0.55, 1.0) if rng.random() < 0.9 else rng.uniform(0.1, 0.5)
    rows = make_rows(rng, spec.rows, spec.cols, "".join(game.codes), fill)
    if spec.kind == "team":
        return Layout(tuple(rows))
    return Layout(tuple(rows), tuple(make_owners(rng, rows, "".join(team.mark for team in game.teams[:_OWNERS]))))


def _fill(
    rng: np.random.Generator, look: Look, name: SheetName, spec: SheetSpec, layout: Layout, surface: Surface, game: Game
) -> _Board:
    """Stick a layout's stickers on a sheet, and the colour key's."""
    tidy = replace(look.stickers, offset=0.03, over=0.0, torn=0.0, faded=0.0, size=min(0.85, look.stickers.size))
    stick = tidy if spec.kind == "card" else look.stickers
    stickers = place_stickers(rng, list(layout.rows), list(layout.owners) if layout.owners else None, stick)
    filled = look.stickers.key_filled and spec.key
    key = [place_stickers(rng, [code], None, tidy)[0] for code in game.codes] if filled else []
    return _Board(name, spec, layout, stickers, key, surface)


def _pose(look: Look, specs: list[SheetSpec], seed: int) -> tuple[Look, list[Surface], Camera]:
    """Lay the sheets out and aim the camera; flatten, tilt less and come nearer until all can be read.

    Returns the look that it came to as well: what the photo really shows.
    """
    paper, view = look.paper, look.view
    for _ in range(_POSE_TRIES):
        surfaces = [_surface(paper, specs, k, seed) for k in range(len(specs))]
        outlines = [_outline(look, spec, surface) for spec, surface in zip(specs, surfaces, strict=True)]
        table = np.array([[-150.0, -200, 0], [150, -200, 0], [150, 200, 0], [-150, 200, 0]])
        camera = aim(view, np.concatenate(outlines) if outlines else table)
        if all(_readable(spec, surface, camera) for spec, surface in zip(specs, surfaces, strict=True)):
            return replace(look, paper=paper, view=view), surfaces, camera
        view = replace(view, tilt_deg=0.97 * view.tilt_deg, fill=min(0.97, 1.02 * view.fill))
        folds = tuple(replace(fold, angle_deg=0.7 * fold.angle_deg) for fold in paper.folds)
        paper = replace(paper, bend_deg=0.7 * paper.bend_deg, crumple_mm=0.7 * paper.crumple_mm, folds=folds)
    raise ValueError("the sheets can't be read in a photo of this size")


def _surface(paper: PaperLook, specs: list[SheetSpec], k: int, seed: int) -> Surface:
    """The k-th of some sheets in rows on a table, each bent its own way."""
    rng = np.random.default_rng([seed, 505, k])
    per_row = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3}.get(len(specs), 4)
    row, col = divmod(k, per_row)
    wide, high = (max(spec.page_mm[axis] for spec in specs) + 25 for axis in (0, 1))
    pose = (0.0, 0.0, 0.0)
    if len(specs) > 1:
        pose = (col * wide + rng.uniform(-7, 7), -row * high + rng.uniform(-7, 7), rng.normal(0, 3))
        paper = replace(
            paper, bend_dir_deg=paper.bend_dir_deg + rng.uniform(0, 180), bend_deg=paper.bend_deg * rng.uniform(0.2, 1)
        )
    return shape_page(specs[k].page_mm, paper, pose, rng)


def _outline(look: Look, spec: SheetSpec, surface: Surface) -> FloatArray:
    """World points of what must be in the photo: the page's rim, or the grid with its fiducials."""
    g, around = spec.grid, TAG_GAP_MM + TAG_MM + 3
    left, top, right, bottom = 0.0, 0.0, *spec.page_mm
    if look.view.frame == "grid":
        left, top, right, bottom = g.x - around, g.y - around, g.x + g.w + around, g.y + g.h + around
    t = np.linspace(0, 1, 12)
    x, y = left + t * (right - left), top + t * (bottom - top)
    sides = [(x, 0 * t + top), (x, 0 * t + bottom), (0 * t + left, y), (0 * t + right, y)]
    return surface.at(np.concatenate([np.stack(side, 1) for side in sides]))


def _readable(spec: SheetSpec, surface: Surface, camera: Camera) -> bool:
    """Whether every part of a page is turned towards the camera, its middle by 62° at most, and no cell is tiny."""
    to_eye = camera.centre - surface.position
    facing = (surface.normal * to_eye).sum(-1) / np.linalg.norm(to_eye, axis=-1)
    middle = facing[len(facing) // 2, facing.shape[1] // 2]
    cells = np.stack(np.meshgrid(np.arange(spec.cols + 1.0), np.arange(spec.rows + 1.0)), -1)
    seen = camera.project(surface.at((cells * spec.cell_mm + spec.grid_origin_mm).reshape(-1, 2))).reshape(cells.shape)
    sides = [np.linalg.norm(np.diff(seen, axis=axis), axis=-1).min() for axis in (0, 1)]
    return bool(facing.min() > 0.17 and middle > np.cos(np.radians(62)) and min(sides) > _CELL_LEAST_PX)


def _render(
    look: Look, game: Game, boards: list[_Board], camera: Camera, light: Light, seed: int
) -> tuple[Field, npt.NDArray[np.bool_], list[npt.NDArray[np.bool_]]]:
    """Scene light, what thumbs hide (as large as the photo), and what leaves hide on each page."""
    rng = np.random.default_rng([seed, 606])
    shadow = cast([board.surface for board in boards], camera, light)
    texture = paint_ground(look.clutter.ground, rng)
    scene = draw_ground(camera, light, texture, SIDE_PX / SIDE_MM, shadow, float(rng.uniform(0, 360)))
    hidden = np.zeros(scene.shape[:2], bool)
    litters = []
    for board in boards:
        px_per_mm = float(np.clip(1.4 * _cell_px(board, camera) / board.spec.cell_mm, 3, 14))
        page = _paint(board, game, look, px_per_mm, rng)
        litters.append(litter_page(page, board.spec, look.clutter, rng))
        draw_page(scene, camera, light, board.surface, page)
        paint_pins(scene, camera, light, board.surface, look.clutter.pins, rng)
    if boards:
        first = boards[0]
        hidden = paint_thumbs(scene, camera, light, first.surface, first.spec, look.clutter.thumbs, rng)
    return scene, hidden, litters


def _paint(board: _Board, game: Game, look: Look, px_per_mm: float, rng: np.random.Generator) -> PageTexture:
    """The face of a sheet."""
    if isinstance(board.name, HandSheet):
        return board.name.paint(board.stickers, look.stickers, px_per_mm, rng)
    return paint_page(board.spec, game, board.stickers, board.key, (look.paper, look.stickers), px_per_mm, rng)


def _where_drawn(board: _Board, camera: Camera, truth: BoardTruth) -> BoardTruth:
    """The truth with the crossings of a board ruled by hand where the hand drew them."""
    if not isinstance(board.name, HandSheet):
        return truth
    crossings = board.name.crossings_mm
    seen = camera.project(board.surface.at(crossings.reshape(-1, 2))).reshape(crossings.shape)
    return replace(truth, crossings=tuple(tuple((float(x), float(y)) for x, y in line) for line in seen))


def _cell_px(board: _Board, camera: Camera) -> float:
    """The side of a cell in the photo, in the middle of the grid."""
    g = board.spec.grid
    middle = np.array([g.x + g.w / 2, g.y + g.h / 2])
    seen = camera.project(board.surface.at(middle + board.spec.cell_mm * np.array([[0, 0], [1, 0], [0, 1]])))
    return float(np.sqrt(np.abs(np.linalg.det(seen[1:] - seen[0]))))


def _paper_white(paper: PaperLook, light: Light, surfaces: list[Surface]) -> Field:
    """The light that sheets' paper sends, as the camera's exposure and white balance see it: of its brighter half."""
    up = np.array([[[0, 0, 1]]], np.float32)
    lit = [light.on(s.position.astype(np.float32), s.normal.astype(np.float32)) for s in surfaces] or [
        light.on(np.zeros((1, 1, 3), np.float32), up)
    ]
    level = np.concatenate([field.reshape(-1, 3) for field in lit])
    order = np.argsort(level.sum(1))
    return np.asarray(level[order[len(order) // 2 :]].mean(0) * paper.white, np.float32)


__all__ = [
    "DEFAULT_GAME",
    "EMPTY",
    "Layout",
    "SheetName",
    "Shot",
    "make_game",
    "make_scene",
    "random_layout",
    "sheet_spec",
]
