"""Words made to fit: smaller, narrower or on two lines."""

from __future__ import annotations

from dataclasses import dataclass

from poradek_vision.printing.pen import width_mm

NAME_CAP_MM = 14.0
"""A name's capitals are at least so high where squeezing and two lines can do it."""

_ONE_LINE_CAP_MM, _TWO_LINES_CAP_MM = 24.0, 15.0
"""Largest capitals of a name on one line, and on two."""
_SQUEEZE = 0.7
"""Narrowest that letters get before they get smaller, as a share of their width."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Lines of words, the height of their capitals in mm, and how narrow the letters are (1 as designed)."""

    lines: tuple[str, ...]
    cap_mm: float
    squeeze: float


def fit(lines: tuple[str, ...], room_mm: float, cap_mm: float, *, bold: bool = False) -> Fitted:
    """Lines of words at the height that is asked for, squeezed where they are too wide, then made smaller.

    Parameters
    ----------
    lines : tuple of str
    room_mm : float
        Width that there is.
    cap_mm : float
        Height of a capital, at most.
    bold : bool

    Examples
    --------
    >>> fit(("6×6",), 100, 5)
    Fitted(lines=('6×6',), cap_mm=5.0, squeeze=1.0)
    """
    widest = max(width_mm(line, cap_mm, bold=bold) for line in lines)
    squeeze = min(1.0, max(_SQUEEZE, room_mm / widest)) if widest else 1.0
    return Fitted(lines, cap_mm * min(1.0, room_mm / (widest * squeeze)) if widest else cap_mm, squeeze)


def fit_name(name: str, room_mm: float) -> Fitted:
    """A name in capitals, as large as fits: on one line, on two, squeezed, and only then below ``NAME_CAP_MM``.

    Parameters
    ----------
    name : str
    room_mm : float
        Width that there is.

    Examples
    --------
    >>> fit_name("Severní vítr", 134).lines
    ('SEVERNÍ', 'VÍTR')
    """
    words = name.upper()
    one_line = ((words,), _ONE_LINE_CAP_MM)
    two_lines = (_halved(words), _TWO_LINES_CAP_MM)
    for lines, largest in (one_line, two_lines):
        natural = min(largest, room_mm / max(width_mm(line, 1, bold=True) for line in lines))
        if natural >= NAME_CAP_MM:
            return Fitted(lines, natural, 1.0)
    fitted = [fit(lines, room_mm, NAME_CAP_MM, bold=True) for lines, _ in (one_line, two_lines)]
    return max(fitted, key=lambda one: (one.cap_mm, one.squeeze))


def wrap(words: str, room_mm: float, cap_mm: float) -> Fitted:
    """Words on one line where they fit, else on two."""
    if width_mm(words, cap_mm) <= room_mm:
        return Fitted((words,), cap_mm, 1.0)
    return fit(_halved(words), room_mm, cap_mm)


def broken(words: str, room_mm: float, cap_mm: float) -> list[str]:
    """Words on as many lines as they need; a single word that is too wide stands on one by itself.

    Examples
    --------
    >>> broken("one two three", 18, 2.4)
    ['one two', 'three']
    """
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_mm(longer, cap_mm) <= room_mm:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _halved(words: str) -> tuple[str, ...]:
    """Words on two lines, broken at the space that keeps the longer one shortest; one line without a space."""
    parts = words.split()
    breaks = [(" ".join(parts[:k]), " ".join(parts[k:])) for k in range(1, len(parts))]
    return min(breaks, key=lambda lines: max(width_mm(line, 1) for line in lines), default=(words,))
