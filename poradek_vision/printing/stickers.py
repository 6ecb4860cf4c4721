"""Stickers that bear the code of a team, to cut out: for the no man's land, where it counts who stuck each.

A page is for one colour: black on paper of that colour, or on the colour itself on white paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from poradek_vision.errors import SettingsError
from poradek_vision.model import Colour, Game, Rect
from poradek_vision.printing.fiducials import code_parts
from poradek_vision.printing.fitting import fit
from poradek_vision.printing.pen import Pen
from poradek_vision.printing.teams import team_index
from poradek_vision.sheet import A4_MM, EDGE_MM, STICKER_CODE
from poradek_vision.texts import say

Outline = Literal["square", "round"]

_TOP_MM, _FOOT_MM = 20.0, A4_MM[1] - EDGE_MM
_HEAD_MM, _HEAD_CAP_MM = 14.0, 4.0
"""Baseline and height of the page's headline."""
_TITLE_MM, _TITLE_CAP_MM = 7.0, 3.2
"""Room and height of the line above a team's stickers."""
_BETWEEN_MM = 2.0
"""Round stickers lie so far apart, and blocks of two teams."""
_CUT_MM = 0.15
_MARK_CAP, _MARK_FOOT = 0.11, 0.46
"""Height of a mark, and how far below the sticker's middle it stands, in shares of the sticker's side: between the
code's bare rim, one module wide, and the cut."""
_LEAST_SIDE_MM = 8.0
"""Codes of smaller stickers are lost in photos of a 12×12 board."""


@dataclass(frozen=True, slots=True)
class StickerBlock:
    """Stickers of one team on a page: which team, how many, and the top of its title line."""

    team_index: int
    count: int
    top_mm: float


@dataclass(frozen=True, slots=True)
class StickerPage:
    """One page of stickers of one colour; ``side_mm`` is the side or diameter of a sticker."""

    colour: Colour
    side_mm: float
    outline: Outline
    in_colour: bool
    blocks: tuple[StickerBlock, ...]

    @property
    def pitch_mm(self) -> float:
        """From one sticker to the next."""
        return self.side_mm + (_BETWEEN_MM if self.outline == "round" else 0.0)

    @property
    def columns(self) -> int:
        """Stickers in a row."""
        return int((A4_MM[0] - 2 * EDGE_MM) / self.pitch_mm + 1e-9)

    def room(self, top_mm: float) -> int:
        """How many stickers a block that begins there can have."""
        return int((_FOOT_MM - top_mm - _TITLE_MM) / self.pitch_mm + 1e-9) * self.columns

    def stickers(self, block: StickerBlock) -> Iterator[Rect]:
        """The squares of a block's stickers, or those round them, row by row, in mm."""
        left = (A4_MM[0] - self.columns * self.pitch_mm + self.pitch_mm - self.side_mm) / 2
        for k in range(block.count):
            row, col = divmod(k, self.columns)
            x, y = left + col * self.pitch_mm, block.top_mm + _TITLE_MM + row * self.pitch_mm
            yield Rect(x, y, self.side_mm, self.side_mm)


def sticker_pages(
    game: Game,
    *,
    teams: Sequence[str] = (),
    side_mm: float | None = None,
    outline: Outline = "square",
    in_colour: bool = False,
    each: int | None = None,
) -> tuple[StickerPage, ...]:
    """Lay out stickers with the codes of teams on A4 pages, colour by colour.

    Parameters
    ----------
    game : Game
    teams : sequence of str
        Names or marks, in any case, with or without diacritics; all where left out.
    side_mm : float, optional
        Side or diameter; as large as a cell where left out.
    outline : {"square", "round"}
    in_colour : bool
        With the colour as ground, for white paper.
    each : int, optional
        How many of each team and colour; a full page where left out.

    Raises
    ------
    SettingsError
        If the game has no teams or no no man's land, a team is not in it, or the stickers are too large for a cell or
        too small to be read.

    Examples
    --------
    >>> from poradek_vision.model import Team
    >>> pages = sticker_pages(Game(teams=(Team("Vlci", "A"), Team("Lišky", "B"))), each=20)
    >>> len(pages), [(block.team_index, block.count) for block in pages[0].blocks]
    (4, [(0, 20), (1, 20)])
    """
    if not game.teams:
        raise SettingsError("print.no_teams_for_stickers")
    if not game.no_mans_land:
        raise SettingsError("sheet.no_no_mans_land")
    side = game.cell_mm if side_mm is None else side_mm
    if not _LEAST_SIDE_MM <= side <= game.cell_mm:
        sizes = {"size": f"{side:g}", "least": f"{_LEAST_SIDE_MM:g}", "most": f"{game.cell_mm:g}"}
        raise SettingsError("print.sticker_size", **sizes)
    bare = [StickerPage(colour, side, outline, in_colour, ()) for colour in game.colours]
    wanted = [team_index(game, team) for team in teams] or range(len(game.teams))
    return tuple(replace(page, blocks=blocks) for page in bare for blocks in _blocks(page, wanted, each))


def _blocks(page: StickerPage, teams: Sequence[int], each: int | None) -> Iterator[tuple[StickerBlock, ...]]:
    """The stickers of all teams in one colour, page by page; only a block larger than a page is broken."""
    full = page.room(_TOP_MM)
    on_page: list[StickerBlock] = []
    top = _TOP_MM
    for team in teams:
        left = each or full
        while left:
            if on_page and page.room(top) < min(left, full):
                yield tuple(on_page)
                on_page, top = [], _TOP_MM
            count = min(left, page.room(top))
            on_page.append(StickerBlock(team, count, top))
            top += _TITLE_MM + -(-count // page.columns) * page.pitch_mm + _BETWEEN_MM
            left -= count
    yield tuple(on_page)


def draw_stickers(game: Game, pages: Sequence[StickerPage]) -> bytes:
    """A PDF of stickers.

    Parameters
    ----------
    game : Game
        Gives names, marks and language.
    pages : sequence of StickerPage

    Raises
    ------
    SettingsError
        If the font lacks a sign of a name.
    """
    pen = Pen(game.title or "poradek-vision", game.language)
    for page in pages:
        pen.start_page(*A4_MM)
        paper = "print.stickers_in_colour" if page.in_colour else "print.stickers_black"
        _write_line(pen, say(paper, game.language, colour=page.colour.name), _HEAD_MM, _HEAD_CAP_MM)
        for block in page.blocks:
            _draw_block(pen, game, page, block)
        pen.end_page()
    return pen.finish()


def _draw_block(pen: Pen, game: Game, page: StickerPage, block: StickerBlock) -> None:
    """A team's name above its stickers."""
    team = game.teams[block.team_index]
    words = f"{team.name}  ·  {team.mark}  ·  {page.colour.name}  ·  {block.count}×"
    _write_line(pen, words, block.top_mm + _TITLE_MM - 0.5 * _TITLE_CAP_MM, _TITLE_CAP_MM)
    stickers = list(page.stickers(block))
    if page.in_colour and page.outline == "square":
        pen.fill(stickers, page.colour.swatch)
    for square in stickers:
        _draw_outline(pen, page, square)
        code_mm = STICKER_CODE * page.side_mm
        x, y = square.x + page.side_mm / 2, square.y + page.side_mm / 2
        pen.fill(code_parts(block.team_index, Rect(x - code_mm / 2, y - code_mm / 2, code_mm, code_mm)))
        foot, cap = y + _MARK_FOOT * page.side_mm, _MARK_CAP * page.side_mm
        pen.write(x, foot, team.mark, cap, bold=True, anchor="middle")


def _draw_outline(pen: Pen, page: StickerPage, square: Rect) -> None:
    """Where to cut; the colour of a round sticker."""
    if page.outline == "square":
        pen.box(square, _CUT_MM)
        return
    x, y = square.x + page.side_mm / 2, square.y + page.side_mm / 2
    if page.in_colour:
        pen.disc(x, y, page.side_mm, page.colour.swatch)
    pen.ring(x, y, page.side_mm, _CUT_MM)


def _write_line(pen: Pen, words: str, baseline: float, cap_mm: float) -> None:
    """Words across the page, made to fit."""
    fitted = fit((words,), A4_MM[0] - 2 * EDGE_MM, cap_mm)
    pen.write(EDGE_MM, baseline, words, fitted.cap_mm, squeeze=fitted.squeeze)
