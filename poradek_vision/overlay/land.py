"""The picture of the no man's land for those who played: merged shapes, whom each went to, and its points.

Every team has a colour of its own; beside it always stands the team's mark, so that nobody needs to tell colours apart.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping, Sequence

import cv2
import numpy as np

import poradek_vision.overlay.pen as pen
import poradek_vision.overlay.words as words
from poradek_vision.model import EMPTY, Board, Game, MergedShape, Results
from poradek_vision.overlay.legend import fill_of
from poradek_vision.overlay.paragraphs import height_of, paragraph, write_paragraphs
from poradek_vision.overlay.pen import Picture, Rgb
from poradek_vision.texts import points_text, say

WIDTH = 1200
"""Pixels: upright, so that a phone shows it in full width."""
_EDGE, _GAP = 36, 16
_HEAD_PX = 104
_ROW_PX, _ROW_LETTERS = 58, 34
_PAPER: Rgb = (249, 249, 249)
"""Equal channels are filled fifty times faster."""
_INK: Rgb = (34, 34, 38)
_FAINT: Rgb = (108, 110, 118)
_LINES: Rgb = (222, 220, 212)
_NOBODY: Rgb = (128, 130, 136)
_HUES = (0.60, 0.07, 0.36, 0.86, 0.14, 0.50, 0.96, 0.74, 0.26, 0.43, 0.02, 0.67)
"""Of the teams' colours, in their order: neighbours lie far apart."""

_Mask = Picture


def paint_land(results: Results, game: Game) -> Picture:
    """Paint the no man's land: who has stuck what, and what every team was awarded.

    Parameters
    ----------
    results : Results
        With a board of the no man's land among its boards.
    game : Game
        Its language, teams and colours.

    Returns
    -------
    ndarray of shape (h, 1200, 3), uint8
        RGB; about 1500 px high, more with many teams.

    Raises
    ------
    ValueError
        If there is no no man's land among the boards.
    """
    board = next((score.board for score in results.boards if score.board.team is None), None)
    if board is None:
        raise ValueError("no board of the no man's land")
    colours = _colours(game.team_names([board]))
    foot = paragraph(_keys(results, board, game), WIDTH - 2 * _EDGE, 27, _FAINT)
    side = WIDTH - 2 * _EDGE
    scores = [(total.team, total.no_mans_land) for total in results.totals]
    scores.sort(key=lambda score: -score[1])
    rows = -(-len(scores) // 2)
    top, legend = _HEAD_PX, _HEAD_PX + side + 20
    picture = np.full((legend + rows * _ROW_PX + _GAP + height_of([foot]) + _EDGE, WIDTH, 3), _PAPER[0], np.uint8)
    _paint_head(picture, game)
    _paint_board(picture[top : top + side, _EDGE:-_EDGE], board, results.shapes, colours, game)
    for k, (team, points) in enumerate(scores):
        _paint_score(
            picture, (_EDGE + k // rows * (side // 2 + 14), legend + k % rows * _ROW_PX), team, points, colours, game
        )
    write_paragraphs(picture, [foot], _EDGE, legend + rows * _ROW_PX + _GAP)
    return picture


def _colours(teams: Sequence[str]) -> dict[str, Rgb]:
    """A strong colour for each team; after twelve they are the same but lighter, then darker."""
    strengths = ((0.70, 0.78), (0.45, 0.88), (0.85, 0.50))
    colours = {}
    for k, team in enumerate(teams):
        saturation, value = strengths[k // len(_HUES) % len(strengths)]
        red, green, blue = colorsys.hsv_to_rgb(_HUES[k % len(_HUES)], saturation, value)
        colours[team] = round(255 * red), round(255 * green), round(255 * blue)
    return colours


def _paint_head(picture: Picture, game: Game) -> None:
    """What it is, and the game's title."""
    title = say("word.no_mans_land", game.language)
    pen.write(picture, title, (_EDGE, 68), 54, _INK, bold=True)
    left = _EDGE + pen.width_of(title, 54, bold=True) + 40
    size = 32
    while size > 16 and pen.width_of(game.title, size) > WIDTH - _EDGE - left:
        size -= 2
    pen.write(picture, game.title, (WIDTH - _EDGE - pen.width_of(game.title, size), 66), size, _FAINT)


def _keys(results: Results, board: Board, game: Game) -> list[str]:
    """How to read the picture."""
    keys = [say("overlay.land_key", game.language)]
    if any(not shape.awarded for shape in results.shapes if shape.points):
        keys.append(say("overlay.land_nobody", game.language))
    if board.open:
        keys.append(say("overlay.land_open", game.language, count=len(board.open)))
    return keys


def _paint_score(
    picture: Picture, at: tuple[int, int], team: str, points: float, colours: Mapping[str, Rgb], game: Game
) -> None:
    """One team's colour, mark, name and points."""
    x, y = at
    wide = (WIDTH - 2 * _EDGE) // 2 - 14
    told = points_text(points, game.language)
    points_left = x + wide - pen.width_of(told, _ROW_LETTERS, bold=True)
    mark = words.mark_of(team, game)
    left = x + pen.chip(picture, mark, (x, y + 6), _ROW_PX - 14, colours.get(team, _NOBODY)) + 16
    name = team if mark != team else ""
    while name and pen.width_of(name, _ROW_LETTERS) > points_left - left - 16:
        name = name[:-2].rstrip() + "…"
    pen.write(picture, name, (left, y + 42), _ROW_LETTERS, _INK)
    pen.write(picture, told, (points_left, y + 42), _ROW_LETTERS, _INK, bold=True)


def _paint_board(
    pane: Picture, board: Board, shapes: Sequence[MergedShape], colours: Mapping[str, Rgb], game: Game
) -> None:
    """The grid, the shapes, the stickers on them, and on top the points."""
    cell = pane.shape[0] / board.size
    for k in range(board.size + 1):
        at = min(round(k * cell), pane.shape[0] - 2)
        pane[at : at + 2], pane[:, at : at + 2] = _LINES, _LINES
    for shape in shapes:
        _paint_shape(pane, shape, cell, [colours[team] for team, _ in shape.awarded] or [_NOBODY])
    doubtful = {(open_cell.row, open_cell.col) for open_cell in board.open}
    for row, line in enumerate(board.rows):
        for col, colour in enumerate(line):
            owner = board.owners[row][col] if board.owners else ""
            if colour != EMPTY or (row, col) in doubtful:
                _paint_sticker(pane, (row, col), cell, colour, owner, game)
            if (row, col) in doubtful:
                pen.frame(pane, _box(row, col, cell), pen.DOUBT, max(3, round(0.05 * cell)))
    for shape in shapes:
        if shape.points:
            _paint_points(pane, shape, cell, colours, game)


def _box(row: int, col: int, cell: float) -> tuple[int, int, int, int]:
    """A cell's left, top, right and bottom, px."""
    return round(col * cell), round(row * cell), round((col + 1) * cell), round((row + 1) * cell)


def _paint_shape(pane: Picture, shape: MergedShape, cell: float, strong: Sequence[Rgb]) -> None:
    """One shape, filled pale and outlined in the colours of those who were awarded it."""
    rows, cols = zip(*shape.cells, strict=True)
    left, top, _, _ = _box(min(rows), min(cols), cell)
    _, _, right, bottom = _box(max(rows), max(cols), cell)
    box = pane[top:bottom, left:right]
    mask = _mask(shape, box.shape, cell)
    pale = [round(255 - 0.34 * (255 - part)) for part in strong[0]]
    cv2.fillPoly(box, cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)[0], pale)
    _paint_outlines(box, mask, max(3, round(0.055 * cell)), strong)


def _paint_outlines(box: Picture, mask: _Mask, width: int, strong: Sequence[Rgb]) -> None:
    """The outlines of a mask, in dashes where there are several colours."""
    if len(strong) == 1:  # corners alone: along every pixel thousands of tiny strokes would be drawn
        outlines, _ = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        cv2.polylines(box, outlines, True, strong[0], width, cv2.LINE_AA)
        return
    outlines, _ = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for outline in outlines:
        dashes = np.array_split(outline[:, 0], max(1, len(outline) // 24))
        for k, colour in enumerate(strong):
            mine = [np.ascontiguousarray(dash) for dash in dashes[k :: len(strong)]]
            cv2.polylines(box, mine, False, colour, width, cv2.LINE_AA)


def _mask(shape: MergedShape, size: tuple[int, ...], cell: float) -> _Mask:
    """Where a shape lies in its box: its cells a little smaller than they are, joined to their neighbours."""
    mask = np.zeros(size[:2], np.uint8)
    rows, cols = zip(*shape.cells, strict=True)
    cells = {(row - min(rows), col - min(cols)) for row, col in shape.cells}
    inset = 0.07
    for row, col in cells:
        joined_right, joined_down = (row, col + 1) in cells, (row + 1, col) in cells
        _fill(mask, row, col, row + 1, col + 1, inset, cell)
        if joined_right:
            _fill(mask, row, col + 0.5, row + 1, col + 1.5, inset, cell)
        if joined_down:
            _fill(mask, row + 0.5, col, row + 1.5, col + 1, inset, cell)
        if joined_right and joined_down and (row + 1, col + 1) in cells:
            _fill(mask, row + 0.5, col + 0.5, row + 1.5, col + 1.5, inset, cell)
        for step in (-1, 1):
            beside = (row, col + step) in cells or (row + 1, col) in cells
            if (row + 1, col + step) in cells and not beside:
                here, there = (
                    (round((c + 0.5) * cell), round((r + 0.5) * cell)) for r, c in ((row, col), (row + 1, col + step))
                )
                cv2.line(mask, here, there, 255, round(0.2 * cell))
    round_px = round(0.1 * cell) | 1
    return np.asarray(cv2.threshold(cv2.blur(mask, (round_px, round_px)), 127, 255, cv2.THRESH_BINARY)[1], np.uint8)


def _fill(mask: _Mask, top: float, left: float, bottom: float, right: float, inset: float, cell: float) -> None:
    """A rectangle in cells, smaller on all sides."""
    low = round((left + inset) * cell), round((top + inset) * cell)
    high = round((right - inset) * cell), round((bottom - inset) * cell)
    cv2.rectangle(mask, low, high, 255, -1)


def _paint_sticker(pane: Picture, place: tuple[int, int], cell: float, colour: str, owner: str, game: Game) -> None:
    """A disc of the sticker's colour with its owner's mark."""
    x, y = (place[1] + 0.5) * cell, (place[0] + 0.5) * cell
    fill = fill_of(colour, game)
    cv2.circle(pane, (round(x), round(y)), round(0.29 * cell), fill, -1, cv2.LINE_AA)
    mark = words.mark_of(owner, game) if owner else "?" if colour != EMPTY else ""
    size = round(0.34 * cell)
    while size > 10 and pen.width_of(mark, size, bold=True) > 0.5 * cell:
        size -= 1
    pen.write(
        pane, mark, (x - pen.width_of(mark, size, bold=True) / 2, y + 0.36 * size), size, pen.contrast(fill), bold=True
    )


def _paint_points(pane: Picture, shape: MergedShape, cell: float, colours: Mapping[str, Rgb], game: Game) -> None:
    """A plate with mark and points, between the stickers nearest to the shape's middle."""
    teams = [team for team, _ in shape.awarded]
    who = "+".join(words.mark_of(team, game) for team in teams[:3]) or ("=" if shape.tie else "?")
    told = f"{who} {shape.points}"
    height = round(0.40 * cell)
    col, row = _between(shape)
    left = np.clip(col * cell - pen.chip_width(told, height) / 2, 2, pane.shape[1] - pen.chip_width(told, height) - 2)
    pen.chip(pane, told, (float(left), row * cell - height / 2), height, colours[teams[0]] if teams else _NOBODY)


def _between(shape: MergedShape) -> tuple[float, float]:
    """Where a plate hides no sticker of a shape, as (x, y) in cells.

    Amid four stickers, else between two above each other, else on the border above (in the first row below) two side
    by side; of all such places the one nearest to the middle of the shape.
    """
    cells = set(shape.cells)
    middle_row, middle_col = np.mean(shape.cells, axis=0) + 0.5
    places = []
    for row, col in shape.cells:
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if (row + down, col + right) not in cells:
                continue
            amid = {(row, col + right), (row + down, col)} <= cells and down and right
            x, y = col + 0.5 + right / 2, row + 0.5 + down / 2
            y = y if down else row + (row == 0)
            rank = 0 if amid else 2 - down
            places.append((rank, (x - middle_col) ** 2 + (y - middle_row) ** 2, x, y))
    return min(places)[2:]
