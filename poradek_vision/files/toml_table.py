"""Tables of a settings file, read key by key, so that every complaint names the file, the key and the value."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from poradek_vision.errors import SettingsError

Choice = TypeVar("Choice", bound=str)


@dataclass(frozen=True, slots=True)
class TomlTable:
    """One table of a settings file.

    Attributes
    ----------
    file : str
        How messages call the file.
    path : str
        Where the table stands in the file: ``""`` at the top, else such as ``"teams[2]."``, counted from 1.
    values : mapping
        What ``tomllib`` made of it.
    """

    file: str
    path: str
    values: Mapping[str, object]

    def refusal(self, reason: str, key: str, **fields: object) -> SettingsError:
        """The error that says what is wrong with a key's value; ``reason`` is a key of the texts."""
        value = json.dumps(self.values.get(key), ensure_ascii=False, default=str)
        return SettingsError(reason, file=self.file, where=self.path + key, value=value, **fields)

    def check_keys(self, allowed: Sequence[str]) -> None:
        """Refuse a key that is not allowed, with the likeliest right one.

        Raises
        ------
        SettingsError
        """
        for key in self.values:
            if key in allowed:
                continue
            near = difflib.get_close_matches(key.lower(), allowed, n=1)
            if near:
                raise self.refusal("settings.misspelt_key", key, meant=self.path + near[0])
            raise self.refusal("settings.unknown_key", key, allowed=", ".join(allowed))

    def text(self, key: str, default: str | None = None) -> str:
        """A text on one line, its spaces trimmed; required where there is no default.

        Raises
        ------
        SettingsError
            If it is no text, or holds line breaks or other unprintable signs.
        """
        value = self._value(key, default)
        if not isinstance(value, str):
            raise self.refusal("settings.wants_text", key)
        trimmed = " ".join(value.split())
        if "\n" in value or not trimmed.isprintable():
            raise self.refusal("settings.wants_one_line", key)
        return trimmed

    def number(self, key: str, default: float, most: float) -> float:
        """A number above 0, at most ``most``.

        Raises
        ------
        SettingsError
        """
        value = self._value(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most:
            raise self.refusal("settings.wants_positive", key, most=f"{most:g}")
        return float(value)

    def choice(self, key: str, allowed: Sequence[Choice], default: Choice) -> Choice:
        """One of a few words.

        Raises
        ------
        SettingsError
        """
        value = self._value(key, default)
        if value not in allowed:
            raise self.refusal("settings.wants_one_of", key, allowed=", ".join(f'"{word}"' for word in allowed))
        return cast(Choice, value)

    def table(self, key: str) -> TomlTable:
        """A table in this one; empty where it is left out.

        Raises
        ------
        SettingsError
        """
        value = self._value(key, {})
        if not isinstance(value, dict):
            raise self.refusal("settings.wants_table", key)
        return TomlTable(self.file, f"{self.path}{key}.", value)

    def tables(self, key: str) -> tuple[TomlTable, ...]:
        """A list of tables, ``[[key]]`` each; empty where it is left out.

        Raises
        ------
        SettingsError
        """
        value = self._value(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            raise self.refusal("settings.wants_tables", key)
        return tuple(TomlTable(self.file, f"{self.path}{key}[{n}].", entry) for n, entry in enumerate(value, start=1))

    def _value(self, key: str, default: object) -> object:
        """The raw value or the default; a key with neither is an error."""
        value = self.values.get(key, default)
        if value is None:
            raise SettingsError("settings.key_missing", file=self.file, where=self.path + key)
        return value
