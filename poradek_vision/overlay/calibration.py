"""``CAMERA.png``: what a camera makes of the colours, how far they scatter, and which are hard to tell apart."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

import poradek_vision.overlay.pen as pen
from poradek_vision.colour import FloatArray, reflectance_from_lab, srgb_from_linear
from poradek_vision.model import EMPTY, Game, KnownCell, Palette, PaletteEntry, Separation
from poradek_vision.overlay.legend import EDGE
from poradek_vision.overlay.paragraphs import height_of, paragraph, write_paragraphs
from poradek_vision.overlay.pen import Picture, Rgb
from poradek_vision.overlay.words import colour_or_paper
from poradek_vision.texts import decimal, say

WIDTH = 1600
_PLANE_PX = 760
_STRIP_PX = 110
_LEFT_PX = WIDTH - _PLANE_PX - _STRIP_PX - 3 * EDGE
_TOP = 104
_ROW_PX = 64
_SAMPLE_PX = 26
_MOST_SAMPLES = 12
_CELL_PX = 48
_COLUMN_PX = 66
"""Rows of the table are so high, its columns so wide: numbers of two digits keep apart, eight colours have room."""
_SURE_WIDTHS = 5.0
"""From so many noise widths on a pair is drawn as well apart."""
_GRID: Rgb = (70, 72, 76)


def paint_calibration(
    palette: Palette,
    cells: Sequence[KnownCell],
    separations: Sequence[Separation],
    close: Sequence[Separation],
    game: Game,
) -> Picture:
    """Paint a palette: swatches with their stickers, the a*b* plane with each colour's scatter, and all pairs.

    Parameters
    ----------
    palette : Palette
    cells : sequence of KnownCell
        The stickers that it was made from, those left out with them.
    separations : sequence of Separation
        All pairs, the worst first.
    close : sequence of Separation
        Those to warn of.
    game : Game

    Returns
    -------
    ndarray of shape (h, 1600, 3), uint8
    """
    entries = [entry for code in game.codes for entry in palette.entries if entry.colour == code]
    words = paragraph(
        [_worst(separations[0], game), say("overlay.calibration_key", game.language)], _LEFT_PX, 18, pen.FAINT
    )
    table_top = _TOP + len(entries) * _ROW_PX + EDGE
    words_top = table_top + (len(entries) + 1) * _CELL_PX + EDGE
    picture = pen.blank(WIDTH, max(words_top + height_of([words]), _TOP + _PLANE_PX) + 2 * EDGE)
    pen.write(picture, palette.camera, (EDGE, 46), 34, bold=True)
    pen.write(picture, _sources(palette, game), (EDGE, 78), 20, pen.FAINT)
    for k, entry in enumerate(entries):
        _paint_row(picture[_TOP + k * _ROW_PX :][: _ROW_PX - 8, EDGE : EDGE + _LEFT_PX], entry, cells, game)
    _paint_pairs(picture, table_top, entries, separations, {(one.first, one.second) for one in close}, game)
    write_paragraphs(picture, [words], EDGE, words_top)
    left = 2 * EDGE + _LEFT_PX
    _paint_plane(picture[_TOP : _TOP + _PLANE_PX, left : left + _PLANE_PX], entries, cells, separations[0])
    _paint_lightness(picture[_TOP : _TOP + _PLANE_PX, left + _PLANE_PX + EDGE :], entries)
    return picture


def shown(lab: Sequence[float]) -> Rgb:
    """A CIELAB colour as it looks on paper.

    Examples
    --------
    >>> shown((100.0, 0.0, 0.0))
    (255, 255, 255)
    """
    red, green, blue = srgb_from_linear(reflectance_from_lab(lab)).tolist()
    return red, green, blue


def _paint_row(row: Picture, entry: PaletteEntry, cells: Sequence[KnownCell], game: Game) -> None:
    """A colour's swatch, name, and the stickers that it was learned from; those left out are crossed."""
    height = row.shape[0]
    name = game.colour_name(entry.colour)
    row[:, :height] = shown(entry.centre)
    pen.write(row, f"{entry.colour}  {name}", (height + 14, 24), 21, bold=True)
    pen.write(row, say("overlay.stickers", game.language, count=entry.count), (height + 14, 49), 16, pen.FAINT)
    mine = [cell for cell in cells if cell.colour == entry.colour and any(cell.lab)][:_MOST_SAMPLES]
    for k, cell in enumerate(mine):
        left = 300 + k * (_SAMPLE_PX + 4)
        tile = row[height // 2 - _SAMPLE_PX // 2 :][:_SAMPLE_PX, left : left + _SAMPLE_PX]
        tile[:] = shown(cell.lab)
        if cell.fault:
            near, far = 3, _SAMPLE_PX - 4
            pen.lines(tile, [[(near, near), (far, far)], [(near, far), (far, near)]], False, pen.DOUBT, 2)


def _paint_pairs(
    picture: Picture,
    top: int,
    entries: Sequence[PaletteEntry],
    pairs: Sequence[Separation],
    close: set[tuple[str, str]],
    game: Game,
) -> None:
    """Noise widths between all pairs, paper first."""
    codes = [EMPTY, *(entry.colour for entry in entries)]
    fills = [(255, 255, 255), *(shown(entry.centre) for entry in entries)]
    widths = {frozenset((one.first, one.second)): one for one in pairs}
    middles = [EDGE + 30 + k * _COLUMN_PX for k in range(len(codes) + 1)]
    for k, (code, fill) in enumerate(zip(codes, fills, strict=True)):
        y = top + k * _CELL_PX + _CELL_PX // 2
        if code != codes[-1]:
            pen.centred(picture, code, (middles[k + 1], top + _CELL_PX // 2), 30, fill)
        if code != EMPTY:
            pen.centred(picture, code, (middles[0], y), 30, fill)
        for j in range(k):
            pair = widths[frozenset((codes[j], code))]
            near = (pair.first, pair.second) in close
            ink = pen.DOUBT if near else pen.SURE if pair.widths >= _SURE_WIDTHS else pen.INK
            number = _number(pair.widths, game)
            at = (middles[j + 1] - pen.width_of(number, 20, near) / 2, y + 7)
            pen.write(picture, number, at, 20, ink, bold=near)


def _sources(palette: Palette, game: Game) -> str:
    """How many photos a palette comes from, and of what day the last is, where a camera said so."""
    if not palette.date:
        return say("overlay.calibration_undated", game.language, photos=len(palette.photos))
    return say("overlay.calibration", game.language, photos=len(palette.photos), date=palette.date)


def _number(widths: float, game: Game) -> str:
    """Noise widths as people write them."""
    return decimal(f"{widths:.1f}", game.language)


def _worst(pair: Separation, game: Game) -> str:
    """The pair that is hardest to tell apart, in words."""
    first, second = (colour_or_paper(code, game) for code in (pair.first, pair.second))
    return say("overlay.worst_pair", game.language, first=first, second=second, widths=_number(pair.widths, game))


def _paint_plane(
    plane: Picture, entries: Sequence[PaletteEntry], cells: Sequence[KnownCell], worst: Separation
) -> None:
    """The a*b* plane: paper in the middle, each colour with the ellipse of two standard deviations, its stickers."""
    reach = 12 + max(60.0, max(np.abs(entry.centre[1:]).max() for entry in entries))
    size = plane.shape[0]

    def place(lab: Sequence[float]) -> FloatArray:
        at: FloatArray = (np.array([lab[1], -lab[2]]) / reach + 1) * (size - 1) / 2
        return at

    plane[:] = (40, 40, 40)
    for tick in range(-20 * int((reach - 8) // 20), int(reach) - 7, 20):
        (x, _), (_, y) = place((0, tick, 0)), place((0, 0, tick))
        plane[:, round(x)] = plane[round(y)] = _GRID
        pen.write(plane, f"{tick}", (x + 3, size - 6), 14, pen.FAINT)
        pen.write(plane, f"{tick}", (4, y - 3), 14, pen.FAINT)
    pen.write(plane, "a*", (size - 34, size - 28), 20, pen.FAINT)
    pen.write(plane, "b*", (36, 26), 20, pen.FAINT)
    centres = {entry.colour: place(entry.centre) for entry in entries} | {EMPTY: place((0, 0, 0))}
    pen.lines(plane, [[centres[worst.first], centres[worst.second]]], False, pen.DOUBT, 3)
    for cell in (cell for cell in cells if any(cell.lab) and not cell.fault):
        pen.lines(plane, [_disc(place(cell.lab), 3.0)], True, shown(cell.lab), 2)
    for entry in entries:
        axes = np.array(entry.spread)[1:, 1:]
        pen.lines(
            plane, [place((0, *entry.centre[1:])) + _ellipse(axes, size / 2 / reach)], True, shown(entry.centre), 2
        )
        pen.centred(plane, entry.colour, centres[entry.colour], 28, shown(entry.centre))
    pen.centred(plane, EMPTY, centres[EMPTY], 28, (255, 255, 255))


def _ellipse(spread: FloatArray, px: float) -> FloatArray:
    """The outline of two standard deviations about the origin, px; b* points up."""
    values, vectors = np.linalg.eigh(spread)
    round_it = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    circle = np.stack([np.cos(round_it), np.sin(round_it)])
    outline: FloatArray = ((vectors * 2 * np.sqrt(np.maximum(values, 0))) @ circle).T * px * [1, -1]
    return outline


def _disc(at: FloatArray, radius: float) -> FloatArray:
    angle = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    outline: FloatArray = at + radius * np.stack([np.cos(angle), np.sin(angle)], 1)
    return outline


def _paint_lightness(strip: Picture, entries: Sequence[PaletteEntry]) -> None:
    """How light each colour is, white at the top: what the plane beside it does not show."""
    height = strip.shape[0]
    shade = np.linspace(255, 0, height).astype(np.uint8)
    strip[:, :18] = shade[:, None, None]
    pen.write(strip, "L*", (26, 20), 20, pen.FAINT)
    taken: list[float] = []
    for entry in sorted(entries, key=lambda one: -one.centre[0]):
        y = float(np.clip((1 - entry.centre[0] / 100) * height, 14, height - 14))
        column = sum(abs(y - other) < 28 for other in taken)
        taken.append(y)
        cv2.line(strip, (0, round(y)), (24, round(y)), pen.DOUBT, 1)
        pen.centred(strip, entry.colour, (40 + 30 * column, y), 26, shown(entry.centre))
