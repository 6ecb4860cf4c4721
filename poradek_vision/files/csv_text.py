"""CSV as spreadsheets and people pass it on: what we write, and what Excel makes of it before we read it again."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from poradek_vision.errors import SettingsError, reason

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet runs text that begins so."""


def guard(text: str) -> str:
    """Text that no spreadsheet runs as a formula: an apostrophe in front, where it might.

    Examples
    --------
    >>> guard("=1+1"), guard("Vlci")
    ("'=1+1", 'Vlci')
    """
    return f"'{text}" if text.lstrip("'").startswith(_FORMULA) else text


def unguard(text: str) -> str:
    """The text that was guarded.

    Examples
    --------
    >>> unguard("'=1+1"), unguard("'t Hooft")
    ('=1+1', "'t Hooft")
    """
    return text[1:] if text.startswith("'") and text.lstrip("'").startswith(_FORMULA) else text


def format_csv(rows: Iterable[Sequence[str]], delimiter: str = ",") -> str:
    """Rows as CSV, each ended by a line feed."""
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return out.getvalue()


def load_csv(path: Path) -> list[tuple[int, list[str]]]:
    """The rows of a CSV file as :func:`parse_csv` has them; none where there is no file.

    Raises
    ------
    SettingsError
        If the file can't be read, or is no CSV.
    """
    try:
        return parse_csv(path.read_bytes())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SettingsError("corrections.cannot_read", path=path, why=reason(error)) from error
    except ValueError as error:
        raise SettingsError("corrections.no_csv", path=path, why=error) from error


def parse_csv(data: bytes) -> list[tuple[int, list[str]]]:
    """Rows of a CSV file with the number of the line where each ends; empty ones are left out.

    Comma, semicolon or tab, whichever the first line holds most of; UTF-8 or UTF-16 with or without BOM as Excel
    writes them, else the code page of Czech Windows.

    Raises
    ------
    ValueError
        If it is no such text.
    """
    text = _decode(data)
    first = text.split("\n", 1)[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True)
    try:
        return [(reader.line_num, row) for row in reader if any(row)]
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num}: {error}") from error


def _decode(data: bytes) -> str:
    """The text of a file, whatever Excel saved it as."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1250")
