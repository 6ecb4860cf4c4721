"""A pen that draws PDF pages in millimetres with y down; behind it reportlab's points with y up end.

Heights of letters are those of a capital without its accent (``cap_mm``).
"""

from __future__ import annotations

import functools
import io
from collections.abc import Iterable
from importlib import resources
from typing import Literal

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from poradek_vision.errors import SettingsError
from poradek_vision.model import Language, Rect

Anchor = Literal["left", "middle", "right"]
BLACK = "#000000"

_CAP_PER_EM = 1493 / 2048  # of DejaVu Sans
_REGULAR, _BOLD = "DejaVuSans", "DejaVuSans-Bold"


@functools.cache
def _font(name: str) -> TTFont:
    """One of the fonts that come with the package, known to reportlab."""
    content = resources.files("poradek_vision").joinpath("fonts", f"{name}.ttf").read_bytes()
    font = TTFont(name, io.BytesIO(content))
    pdfmetrics.registerFont(font)
    return font


def width_mm(words: str, cap_mm: float, *, bold: bool = False) -> float:
    """How wide words are when their capitals are ``cap_mm`` high.

    Examples
    --------
    >>> round(width_mm("VLCI", 14, bold=True))
    48
    """
    font = _font(_BOLD if bold else _REGULAR)
    return float(pdfmetrics.stringWidth(words, font.fontName, cap_mm / _CAP_PER_EM))


def check_printable(words: str) -> None:
    """Refuse words with a sign that the fonts don't have.

    Raises
    ------
    SettingsError
    """
    for sign in words:
        if ord(sign) not in _font(_BOLD).face.charToGlyph:
            raise SettingsError("print.no_glyph", words=words, sign=sign)


def printable(words: str) -> str:
    """Words with a question mark for each sign that the fonts don't have, as in names of photos.

    Examples
    --------
    >>> printable("Žluťásek 狼.jpg")
    'Žluťásek ?.jpg'
    """
    return "".join(sign if ord(sign) in _font(_BOLD).face.charToGlyph else "?" for sign in words)


class Pen:
    """Draws on one page after the other; :meth:`finish` gives the PDF. The same strokes make the same bytes.

    Parameters
    ----------
    title : str
        Of the document.
    language : {"cs", "en"}
        Of its words.
    """

    def __init__(self, title: str, language: Language) -> None:
        self._buffer = io.BytesIO()
        self._canvas = Canvas(self._buffer, invariant=1, pageCompression=1, lang=language)
        self._canvas.setTitle(title)
        self._canvas.setCreator("poradek-vision")
        self._canvas.setViewerPreference("PrintScaling", "None")  # viewers that obey it then print at 100 %
        self._height_mm = 0.0

    def start_page(self, width_mm: float, height_mm: float) -> None:
        """Begin a page of this size."""
        self._height_mm = height_mm
        self._canvas.setPageSize((width_mm * mm, height_mm * mm))

    def end_page(self) -> None:
        """Finish the page."""
        self._canvas.showPage()

    def finish(self) -> bytes:
        """The whole document."""
        self._canvas.save()
        return self._buffer.getvalue()

    def fill(self, rects: Iterable[Rect], colour: str = BLACK) -> None:
        """Fill rectangles with a colour (``"#rrggbb"``), as one shape: neighbours show no seam."""
        path = self._canvas.beginPath()
        for rect in rects:
            path.rect(rect.x * mm, self._up(rect.y + rect.h), rect.w * mm, rect.h * mm)
        self._canvas.setFillColor(HexColor(colour))
        self._canvas.drawPath(path, stroke=0, fill=1)
        self._canvas.setFillColor(HexColor(BLACK))

    def box(self, rect: Rect, line_mm: float) -> None:
        """Outline a rectangle; the line's middle runs along its edge."""
        self._canvas.setLineWidth(line_mm * mm)
        self._canvas.rect(rect.x * mm, self._up(rect.y + rect.h), rect.w * mm, rect.h * mm)

    def ring(self, x: float, y: float, diameter_mm: float, line_mm: float) -> None:
        """Draw a circle round a point."""
        self._canvas.setLineWidth(line_mm * mm)
        self._canvas.circle(x * mm, self._up(y), diameter_mm / 2 * mm)

    def disc(self, x: float, y: float, diameter_mm: float, colour: str) -> None:
        """Fill a circle round a point with a colour (``"#rrggbb"``)."""
        self._canvas.setFillColor(HexColor(colour))
        self._canvas.circle(x * mm, self._up(y), diameter_mm / 2 * mm, stroke=0, fill=1)
        self._canvas.setFillColor(HexColor(BLACK))

    def picture(self, rect: Rect, jpeg: bytes) -> None:
        """Lay a JPEG into a rectangle, whatever its own shape."""
        reader = ImageReader(io.BytesIO(jpeg))
        self._canvas.drawImage(reader, rect.x * mm, self._up(rect.y + rect.h), rect.w * mm, rect.h * mm)

    def line(self, x1: float, y1: float, x2: float, y2: float, line_mm: float, *, dashed: bool = False) -> None:
        """Draw a straight line that ends half its width beyond its points (flush at a dashed one's)."""
        self._canvas.setLineWidth(line_mm * mm)
        self._canvas.setLineCap(0 if dashed else 2)
        self._canvas.setDash([2 * mm, 1.5 * mm] if dashed else [])
        self._canvas.line(x1 * mm, self._up(y1), x2 * mm, self._up(y2))
        self._canvas.setDash([])

    def write(
        self,
        x: float,
        baseline: float,
        words: str,
        cap_mm: float,
        *,
        bold: bool = False,
        anchor: Anchor = "left",
        squeeze: float = 1.0,
        turned: bool = False,
    ) -> None:
        """Write words on one line.

        Parameters
        ----------
        x, baseline : float
            Where the words start, have their middle or end; mm.
        words : str
        cap_mm : float
            Height of a capital.
        bold : bool
        anchor : {"left", "middle", "right"}
        squeeze : float
            Width of the letters, 1 as designed.
        turned : bool
            Written upwards, turned by a quarter about (x, baseline).

        Raises
        ------
        SettingsError
            If the font lacks one of the signs.
        """
        check_printable(words)
        font = _font(_BOLD if bold else _REGULAR)
        shift = {"left": 0.0, "middle": 0.5, "right": 1.0}[anchor] * squeeze * width_mm(words, cap_mm, bold=bold)
        self._canvas.saveState()
        self._canvas.translate(x * mm, self._up(baseline))
        self._canvas.rotate(90 if turned else 0)
        text = self._canvas.beginText(-shift * mm, 0)
        text.setFont(font.fontName, cap_mm / _CAP_PER_EM * mm)
        text.setHorizScale(100 * squeeze)
        text.textOut(words)
        self._canvas.drawText(text)
        self._canvas.restoreState()

    def _up(self, y: float) -> float:
        """A height from the top in mm as reportlab wants it: from the foot, in points."""
        return float((self._height_mm - y) * mm)
