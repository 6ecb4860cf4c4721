"""Sentences for people, before they are put into words, and the order in which people expect names."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence for people: its key in the catalogue of texts and what to fill in."""

    key: str
    fields: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, key: str, **fields: object) -> Text:
        """A sentence with what to fill in, kept as strings.

        Examples
        --------
        >>> Text.of("settle.open_cells", count=3)
        Text(key='settle.open_cells', fields=(('count', '3'),))
        """
        return cls(key, tuple((name, str(value)) for name, value in fields.items()))


def bare(words: str) -> str:
    """Words in small letters without diacritics: what differs in these alone is mixed up by people.

    Examples
    --------
    >>> bare("Žluťásek")
    'zlutasek'
    """
    parts = unicodedata.normalize("NFKD", words.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))


def natural_key(name: str) -> tuple[tuple[int, str], ...]:
    """Sort names as people count: by their numbers where they have some.

    Examples
    --------
    >>> sorted(["IMG_10.jpg", "img_9.jpg", "IMG_9.jpg"], key=natural_key)
    ['IMG_9.jpg', 'img_9.jpg', 'IMG_10.jpg']
    """
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return (*((int(part), "") if part.isdecimal() else (-1, part.casefold()) for part in parts), (-2, name))
