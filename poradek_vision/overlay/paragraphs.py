"""Text laid out before it is painted: how many lines, how high."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import poradek_vision.overlay.pen as pen
from poradek_vision.overlay.pen import Picture, Rgb


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines of one size and colour."""

    lines: tuple[str, ...]
    size: int
    colour: Rgb
    bold: bool = False

    @property
    def pitch(self) -> int:
        """From one baseline to the next, px."""
        return round(1.36 * self.size)

    @property
    def height(self) -> int:
        """Of all lines, px."""
        return self.pitch * len(self.lines)


def paragraph(sentences: Iterable[str], width: int, size: int, colour: Rgb, bold: bool = False) -> Paragraph:
    """Sentences broken into lines, each sentence on lines of its own.

    Examples
    --------
    >>> paragraph(["two colours fit", "glare"], 90, 16, pen.INK).lines
    ('two colours', 'fit', 'glare')
    """
    lines = tuple(line for sentence in sentences for line in pen.wrap(sentence, width, size, bold))
    return Paragraph(lines, size, colour, bold)


def height_of(paragraphs: Iterable[Paragraph]) -> int:
    """Height of paragraphs under each other, px."""
    return sum(each.height for each in paragraphs)


def write_paragraphs(picture: Picture, paragraphs: Sequence[Paragraph], left: int, top: int) -> None:
    """Paint paragraphs under each other, the first one's letters beginning a little below ``top``."""
    for each in paragraphs:
        for k, line in enumerate(each.lines):
            pen.write(picture, line, (left, top + each.size + k * each.pitch), each.size, each.colour, each.bold)
        top += each.height
