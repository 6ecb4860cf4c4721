"""One page per :class:`SheetSpec`: the grid and all that stands round it."""

from __future__ import annotations

from poradek_vision.model import Game, SheetSpec
from poradek_vision.printing.fiducials import black_parts
from poradek_vision.printing.fitting import Fitted, fit, fit_name, wrap
from poradek_vision.printing.pen import Anchor, Pen
from poradek_vision.sheet import EDGE_MM, LINE_MM, RULER_FAR, TAG_GAP_MM, TAG_WHITE_MM
from poradek_vision.texts import say

_MARGIN_MM = 14.0
"""Where header and footer start, from the page's left edge."""
_HEADER_MM = (14.0, 58.0)
"""Top and foot of the band for the name."""
_SUBTITLE_MM = 68.0
"""Foot of the line under it."""
_ACCENT = 1.3
"""Height of an accented capital, in capitals."""
_DESCENT = 0.3
"""Depth of g and y, in capitals."""
_RING_MM, _MARK_CAP_MM = 40.0, 22.0
_FOOT_MM = 16.0
_KEY_LINE_MM = 0.4
_LABEL_CAP_MM = 4.0
_SMALL_CAP_MM = 2.6
_SCALE_MM = 100.0


def draw_sheet(pen: Pen, game: Game, spec: SheetSpec) -> None:
    """Draw one sheet on a page of its own.

    Parameters
    ----------
    pen : Pen
    game : Game
        Gives names and language.
    spec : SheetSpec
        Says where everything is.

    Raises
    ------
    SettingsError
        If the font lacks a sign of a name.
    """
    pen.start_page(*spec.page_mm)
    _draw_grid(pen, spec)
    pen.fill(part for fiducial in spec.fiducials for part in black_parts(fiducial))
    pen.fill(spec.ruler)
    if spec.cut_x_mm is not None:
        _draw_half(pen, game, spec, spec.cut_x_mm)
    else:
        _draw_header(pen, game, spec)
        _draw_key(pen, game, spec)
        _draw_footer(pen, game, _MARGIN_MM, spec.page_mm[1] - _FOOT_MM, spec.page_mm[0] - 2 * _MARGIN_MM)
    if spec.kind == "card":
        _draw_row_names(pen, game, spec)
    pen.end_page()


def title_of(game: Game, spec: SheetSpec) -> str:
    """What a sheet is called: the team's name, the no man's land, the card; ``""`` on a spare sheet."""
    if spec.kind != "team":
        return say(f"word.{spec.kind}", game.language)
    index = spec.team_index or 0
    return game.teams[index].name if index < len(game.teams) else ""


def _draw_grid(pen: Pen, spec: SheetSpec) -> None:
    """The lines on the cell borders."""
    grid, c = spec.grid, spec.cell_mm
    for row in range(spec.rows + 1):
        pen.line(grid.x, grid.y + row * c, grid.x + grid.w, grid.y + row * c, LINE_MM)
    for col in range(spec.cols + 1):
        pen.line(grid.x + col * c, grid.y, grid.x + col * c, grid.y + grid.h, LINE_MM)


def _draw_header(pen: Pen, game: Game, spec: SheetSpec) -> None:
    """The mark in a ring, the name beside it, size and title of the game under it."""
    left = _MARGIN_MM
    if spec.kind == "team":
        middle = (_HEADER_MM[0] + _HEADER_MM[1]) / 2
        pen.ring(left + _RING_MM / 2, middle, _RING_MM, 1.0)
        mark = _mark_of(game, spec)
        pen.write(left + _RING_MM / 2, middle + _MARK_CAP_MM / 2, mark, _MARK_CAP_MM, bold=True, anchor="middle")
        left += _RING_MM + 8
    room = spec.page_mm[0] - _MARGIN_MM - left
    if title := title_of(game, spec):
        _write_name(pen, fit_name(title, room), left)
    else:
        pen.line(left, 50, left + room, 50, 0.4)
        hint = say("print.name_and_mark" if game.teams else "print.name_only", game.language)
        _write_fitted(pen, left, 55, hint, room, _SMALL_CAP_MM)
    _write_subtitle(pen, _subtitle(game, spec), left, room, spec.grid.y - RULER_FAR * spec.cell_mm - TAG_WHITE_MM)


def _mark_of(game: Game, spec: SheetSpec) -> str:
    """The team's mark; nothing on a spare sheet, whose number is the name where the game has no teams."""
    index = spec.team_index or 0
    if not game.teams:
        return str(index + 1)
    return game.teams[index].mark if index < len(game.teams) else ""


def _write_name(pen: Pen, name: Fitted, left: float) -> None:
    """The name's lines in the middle of their band."""
    top, foot = _HEADER_MM
    pitch = 1.55 * name.cap_mm
    height = name.cap_mm + pitch * (len(name.lines) - 1)
    baseline = (top + foot - height) / 2 + name.cap_mm
    if len(name.lines) > 1:  # an accent on the first line needs its room
        baseline = max(baseline, top + _ACCENT * name.cap_mm)
    for line in name.lines:
        pen.write(left, baseline, line, name.cap_mm, bold=True, squeeze=name.squeeze)
        baseline += pitch


def _subtitle(game: Game, spec: SheetSpec) -> str:
    """Size, title of the game, and what else there is to say about this sheet."""
    index = spec.team_index or 0
    spare = spec.kind == "team" and index >= len(game.teams)
    if spec.kind == "card":
        return say("print.card_hint", game.language)
    parts = [
        f"{spec.rows}×{spec.cols}",
        game.title,
        say("print.spare", game.language, number=index + 1) if spare else "",
    ]
    return "  ·  ".join(part for part in parts if part)


def _write_subtitle(pen: Pen, words: str, left: float, room: float, lowest: float) -> None:
    """The line under the name, above the ruler frame."""
    foot = min(_SUBTITLE_MM, lowest)
    cap = min(5.0, (foot - _HEADER_MM[1]) / (_ACCENT + _DESCENT))
    _write_fitted(pen, left, foot - _DESCENT * cap, words, room, cap)


def _draw_key(pen: Pen, game: Game, spec: SheetSpec) -> None:
    """The boxes for one sticker of each colour, their names under them, a hint above them."""
    if not spec.key:
        return
    names = fit(tuple(colour.name for colour in game.colours), 1.2 * spec.cell_mm, _LABEL_CAP_MM)
    for box, name in zip(spec.key, names.lines, strict=True):
        pen.box(box, _KEY_LINE_MM)
        middle, baseline = box.x + box.w / 2, box.y + box.h + 1 + names.cap_mm
        pen.write(middle, baseline, name, names.cap_mm, anchor="middle", squeeze=names.squeeze)
    room = spec.grid.w + 2 * (TAG_GAP_MM - TAG_WHITE_MM)
    hint = say("print.key_hint", game.language)
    _write_fitted(pen, spec.page_mm[0] / 2, spec.key[0].y - 5, hint, room, _SMALL_CAP_MM, "middle")


def _draw_row_names(pen: Pen, game: Game, spec: SheetSpec) -> None:
    """The colours' names left of the card's rows."""
    right = spec.grid.x - RULER_FAR * spec.cell_mm - TAG_WHITE_MM - 0.5
    for row, colour in enumerate(game.colours):
        name = wrap(colour.name, right - EDGE_MM, _LABEL_CAP_MM)
        pitch = 1.7 * name.cap_mm
        baseline = spec.grid.y + (row + 0.5) * spec.cell_mm + name.cap_mm / 2 - pitch / 2 * (len(name.lines) - 1)
        for line in name.lines:
            pen.write(right, baseline, line, name.cap_mm, anchor="right", squeeze=name.squeeze)
            baseline += pitch


def _draw_footer(pen: Pen, game: Game, left: float, top: float, room: float) -> None:
    """The line of 100 mm, what it is for where there is room, and the advice for the photo."""
    y = top + 1.5
    pen.line(left, y, left + _SCALE_MM, y, 0.3)
    for x in (left, left + _SCALE_MM):
        pen.line(x, y - 1.3, x, y + 1.3, 0.3)
    wide = room > 1.5 * _SCALE_MM
    label = say("print.true_size", game.language) if wide else f"{_SCALE_MM:g} mm"
    _write_fitted(pen, left + _SCALE_MM + 2, y + 1, label, room - _SCALE_MM - 2, _SMALL_CAP_MM)
    _write_fitted(pen, left, top + 7, say("print.advice", game.language), room, _SMALL_CAP_MM)


def _draw_half(pen: Pen, game: Game, spec: SheetSpec, cut_x: float) -> None:
    """What stands round half a no man's land: cut line, how to join, small words above and below.

    Above and below a grid of the usual size there is just room for them, between fiducial and cut line.
    """
    grid, side = spec.grid, "left" if spec.first_col == 0 else "right"
    clear = RULER_FAR * spec.cell_mm + TAG_WHITE_MM
    above, below = grid.y - clear, grid.y + grid.h + clear
    page_foot = spec.page_mm[1] - _FOOT_MM
    at_page_foot = max(tag.square.y + tag.square.h for tag in spec.fiducials) + TAG_WHITE_MM <= page_foot
    _draw_cut(pen, cut_x, (EDGE_MM, above), (below, page_foot - 2 if at_page_foot else spec.page_mm[1] - EDGE_MM))
    _write_turned(pen, spec, cut_x, say(f"print.join_{side}", game.language))
    inset = TAG_GAP_MM - TAG_WHITE_MM
    left = grid.x - inset if side == "left" else grid.x + inset
    if above - EDGE_MM >= (_ACCENT + _DESCENT) * _LABEL_CAP_MM:
        words = "  ·  ".join(filter(None, (title_of(game, spec), say(f"print.half_{side}", game.language), game.title)))
        _write_fitted(pen, left, above - _DESCENT * _LABEL_CAP_MM, words, grid.w, _LABEL_CAP_MM)
    if at_page_foot:
        _draw_footer(pen, game, _MARGIN_MM, page_foot, spec.page_mm[0] - 2 * _MARGIN_MM)
    elif spec.page_mm[1] - EDGE_MM - below >= _FOOT_MM - EDGE_MM:
        _draw_footer(pen, game, left, below, grid.w)


def _draw_cut(pen: Pen, x: float, *stretches: tuple[float, float]) -> None:
    """Lengthen the grid's border to where scissors start and end."""
    for top, foot in stretches:
        if foot > top:
            pen.line(x, top, x, foot, 0.2, dashed=True)


def _write_turned(pen: Pen, spec: SheetSpec, cut_x: float, words: str) -> None:
    """Words along the strip beyond the cut line."""
    page_side = spec.page_mm[0] - EDGE_MM if spec.first_col == 0 else EDGE_MM
    fitted = fit((words,), spec.grid.h, _LABEL_CAP_MM)
    x, y = (cut_x + page_side + fitted.cap_mm) / 2, spec.grid.y + spec.grid.h / 2
    pen.write(x, y, words, fitted.cap_mm, anchor="middle", squeeze=fitted.squeeze, turned=True)


def _write_fitted(
    pen: Pen, x: float, baseline: float, words: str, room: float, cap_mm: float, anchor: Anchor = "left"
) -> None:
    """Words on one line, made to fit the room."""
    fitted = fit((words,), room, cap_mm)
    pen.write(x, baseline, words, fitted.cap_mm, anchor=anchor, squeeze=fitted.squeeze)
