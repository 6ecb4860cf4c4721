"""Text in columns of a terminal, where a letter may be none, one or two columns wide."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence

WIDTH = 80
"""Whatever the terminal's: the same input gives the same bytes."""


def width_of(text: str) -> int:
    r"""How many columns a text takes.

    Examples
    --------
    >>> width_of("Vlčí"), width_of("Vlc\u030ci\u0301"), width_of("狼")
    (4, 4, 2)
    """
    return sum(0 if unicodedata.combining(sign) else 2 if _is_wide(sign) else 1 for sign in text if sign.isprintable())


def aligned(rows: Sequence[Sequence[str]], left: Sequence[int] = ()) -> list[str]:
    """Rows of a table as lines, columns two blanks apart.

    Parameters
    ----------
    rows : sequence of sequences of str
        All of the same length.
    left : sequence of int
        The columns that start at their left; the others end at their right.

    Examples
    --------
    >>> aligned([["Vlci", "7"], ["Lišky", "12"]], left=[0])
    ['Vlci    7', 'Lišky  12']
    """
    widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(_padded(row[k], widths[k], k in left) for k in range(len(widths))).rstrip() for row in rows]


def shortened(text: str, width: int) -> str:
    """A text that takes at most so many columns, with ``…`` where something is left out.

    Examples
    --------
    >>> shortened("Medvědi", 5)
    'Medv…'
    """
    if width_of(text) <= width:
        return text
    while width_of(text) >= width:
        text = text[:-1]
    return f"{text}…"


def wrapped(text: str, indent: str = "") -> list[str]:
    """A sentence in lines of the terminal's width, all but the first of them further in.

    Examples
    --------
    >>> wrapped("deska " * 20)[1]
    '  deska deska deska deska deska deska deska'
    """
    composed = unicodedata.normalize("NFC", text)
    return textwrap.wrap(
        composed, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False
    )


def _is_wide(sign: str) -> bool:
    return unicodedata.east_asian_width(sign) in ("W", "F")


def _padded(text: str, width: int, left: bool) -> str:
    blanks = " " * (width - width_of(text))
    return text + blanks if left else blanks + text
