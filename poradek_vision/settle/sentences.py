"""Sentences for the person, from the catalogue's table ``settle``."""

from __future__ import annotations

from poradek_vision.model import Text


def sentence(key: str, **fields: object) -> Text:
    """A text and what to fill in, kept as strings.

    Examples
    --------
    >>> sentence("settle.open_cells", count=3)
    Text(key='settle.open_cells', fields=(('count', '3'),))
    """
    return Text(key, tuple((name, str(value)) for name, value in fields.items()))
