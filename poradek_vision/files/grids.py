"""Grids typed as text: rows of colour codes and dots, with owners for a no man's land.

Spaces between cells are forgiven. Owners are written either right after each colour, cells apart by spaces, or as a
second grid of the same shape after a blank line; ``?`` or nothing is an owner that is not known::

    Ra Ra Rb        RR.        RRR
    .  Yb R         .YY
                               aab
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from poradek_vision.errors import SettingsError, reason
from poradek_vision.model import EMPTY, Game

UNKNOWN = "?"

_MOST = 100
"""Rows and columns of a grid; who gives more gave another file."""

_Line = tuple[int, list[str]]
"""A line's number from 1, and its words."""
_Row = tuple[int, list[tuple[str, str]]]
"""A line's number from 1, and its cells as colour and mark."""


@dataclass(frozen=True, slots=True)
class TypedGrid:
    """A grid as it was typed: rows of colour codes, all of one length, and owners' names (empty where none is given).

    Unlike a board it need not be a square.
    """

    rows: tuple[str, ...]
    owners: tuple[tuple[str, ...], ...] = ()


def load_grid(path: Path, game: Game) -> TypedGrid:
    """Read a typed grid from a file; see :func:`parse_grid`.

    Raises
    ------
    SettingsError
        If the file can't be read as text, or holds no grid.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SettingsError("settings.cannot_read", file=path, why=reason(error)) from error
    except UnicodeDecodeError as error:
        raise SettingsError("grid.no_text", file=path) from error
    return parse_grid(text, game, str(path))


def parse_grid(text: str, game: Game, file: str = "-") -> TypedGrid:
    """Read a typed grid.

    Parameters
    ----------
    text : str
    game : Game
        Gives the colours, and the teams by their marks; without teams a mark is the team's name.
    file : str
        How messages call it.

    Raises
    ------
    SettingsError
        If there is no grid or a huge one, rows differ in length, or a letter stands for no colour or team.

    Examples
    --------
    >>> parse_grid("R R .", Game()).rows
    ('RR.',)
    >>> parse_grid("Ra Rb", Game()).owners
    (('a', 'b'),)
    """
    blocks = _blocks(text)
    if not blocks:
        raise SettingsError("grid.empty", file=file)
    if len(blocks[0]) > _MOST or any(len("".join(words)) > 2 * _MOST for _, words in blocks[0]):
        raise SettingsError("grid.too_large", file=file, most=_MOST)
    if len(blocks) > 2:
        raise SettingsError("grid.third", file=file, line=blocks[2][0][0])
    rows = list(_paired(blocks[0]) if _is_paired(blocks[0], game) else _plain(blocks[0]))
    if len(blocks) == 2:
        rows = _with_owners(rows, blocks[1], file)
    _check(rows, game, file)
    names = {team.mark.casefold(): team.name for team in game.teams}
    return TypedGrid(
        rows=tuple("".join(colour for colour, _ in cells) for _, cells in rows),
        owners=tuple(tuple(_name(mark, names, file, line) for _, mark in cells) for line, cells in rows)
        if any(mark for _, cells in rows for _, mark in cells)
        else (),
    )


def _blocks(text: str) -> list[list[_Line]]:
    """The lines with something on them, in blocks between blank lines."""
    lines = [(number, line.split()) for number, line in enumerate(text.splitlines(), start=1)]
    return [list(block) for filled, block in itertools.groupby(lines, key=lambda line: bool(line[1])) if filled]


def _is_paired(block: Sequence[_Line], game: Game) -> bool:
    """Whether the words are cells of a colour and an owner, rather than parts of rows."""
    words = [word for _, line in block for word in line]
    foreign = any(len(word) == 2 and word[1] not in (*game.codes, EMPTY) for word in words)
    return foreign and all(len(word) <= 2 for word in words) and any(len(line) > 1 for _, line in block)


def _paired(block: Sequence[_Line]) -> Iterator[_Row]:
    """Rows of words like ``Ra``."""
    for number, words in block:
        yield number, [(word[0], word[1:]) for word in words]


def _plain(block: Sequence[_Line]) -> Iterator[_Row]:
    """Rows of colours alone."""
    for number, words in block:
        yield number, [(colour, "") for colour in "".join(words)]


def _with_owners(rows: Sequence[_Row], block: Sequence[_Line], file: str) -> list[_Row]:
    """Rows with the owners of a second grid."""
    owners = [(number, "".join(words)) for number, words in block]
    for (_, cells), (number, marks) in itertools.zip_longest(rows, owners, fillvalue=(owners[-1][0], "")):
        if len(cells) != len(marks):
            raise SettingsError("grid.owners_differ", file=file, line=number)
    return [
        (number, [(colour, "" if mark == EMPTY else mark) for (colour, _), mark in zip(cells, marks, strict=True)])
        for (number, cells), (_, marks) in zip(rows, owners, strict=True)
    ]


def _check(rows: Sequence[_Row], game: Game, file: str) -> None:
    """Refuse rows of different lengths, unknown colours, and owners of nothing."""
    width = len(rows[0][1])
    for line, cells in rows:
        for colour, mark in cells:
            if colour not in (*game.codes, EMPTY):
                allowed = ", ".join((*game.codes, EMPTY))
                raise SettingsError("grid.unknown_colour", file=file, line=line, letter=colour, allowed=allowed)
            if colour == EMPTY and mark:
                raise SettingsError("grid.owner_of_nothing", file=file, line=line, mark=mark)
        if len(cells) != width:
            raise SettingsError("grid.ragged", file=file, line=line, found=len(cells), expected=width)


def _name(mark: str, names: Mapping[str, str], file: str, line: int) -> str:
    """The team that a mark stands for, ``""`` if it is not known."""
    if mark in ("", UNKNOWN):
        return ""
    if names and mark.casefold() not in names:
        allowed = ", ".join((*(known.upper() for known in names), UNKNOWN))
        raise SettingsError("grid.unknown_mark", file=file, line=line, mark=mark, allowed=allowed)
    return names.get(mark.casefold(), mark)
