"""``corrections.csv``: what a person said, kept beside what the machine saw.

In the file board, row and column count from 1, in records from 0. People edit it in Excel, so it is read as Excel may
leave it; a row that can't be understood is an error, never dropped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast, get_args

from poradek_vision.errors import SettingsError
from poradek_vision.files.csv_text import format_csv, guard, load_csv, unguard
from poradek_vision.files.writing import write_whole
from poradek_vision.model import BOARD_SIZES, Correction, Point, Target

COLUMNS = ("photo", "sha256", "board", "target", "row", "col", "value")


def save_corrections(path: Path, corrections: Sequence[Correction]) -> None:
    """Write all corrections, whole, in the order given.

    Raises
    ------
    SettingsError
        If the file can't be written.
    """
    write_whole(path, format_csv([COLUMNS, *map(_row, corrections)]))


def load_corrections(path: Path) -> tuple[Correction, ...]:
    """Read all corrections, in the order of the file; none where there is no file.

    Returns
    -------
    tuple of Correction
        ``sha256`` is empty where a person left it so: the photo's name then has to do.

    Raises
    ------
    SettingsError
        If the file can't be read, or a row is not understood: names file, line and value, and what is allowed.
    """
    rows = load_csv(path)
    if not rows:
        return ()
    (_, header), *body = rows
    names = _check_header(path, header)
    return tuple(_Row(path, line, names, row).correction() for line, row in body)


def _row(correction: Correction) -> tuple[str, ...]:
    """A correction as a row of the file."""
    row, col = ("" if number is None else str(number + 1) for number in (correction.row, correction.col))
    photo, value = guard(correction.photo), guard(correction.value)
    return photo, correction.sha256, str(correction.index + 1), correction.target, row, col, value


def _check_header(path: Path, header: list[str]) -> list[str]:
    """The names of the columns, in any order, each once; empty ones at the end don't count."""
    names = [name.strip().lower() for name in header]
    while names and not names[-1]:
        names.pop()
    if sorted(names) != sorted(COLUMNS):
        raise SettingsError("corrections.header", path=path, header=" ".join(names), allowed=" ".join(COLUMNS))
    return names


class _Row:
    """One row of the file, which knows where it stands so that it can complain."""

    def __init__(self, path: Path, line: int, names: list[str], row: list[str]) -> None:
        self._path, self._line = path, line
        if len(row) < len(names) or any(row[len(names) :]):
            raise self._error("fields", str(len(row)))
        self._fields = dict(zip(names, row, strict=False))

    def correction(self) -> Correction:
        """The correction that the row holds."""
        target = self._target()
        row, col = self._cell() if target in ("cell", "owner") else self._no_cell()
        return Correction(
            sha256=self._sha256(),
            photo=self._photo(),
            index=self._from_one("board"),
            target=target,
            row=row,
            col=col,
            value=self._value(target),
            line=self._line,
        )

    def _error(self, key: str, value: str) -> SettingsError:
        return SettingsError(f"corrections.{key}", path=self._path, line=self._line, value=value)

    def _target(self) -> Target:
        target = self._fields["target"].strip().lower()
        if target not in get_args(Target):
            raise self._error("target", target)
        return cast(Target, target)

    def _sha256(self) -> str:
        sha256 = self._fields["sha256"].strip().lower()
        if sha256 and not re.fullmatch(r"[0-9a-f]{64}", sha256):
            raise self._error("sha256", sha256)
        return sha256

    def _photo(self) -> str:
        photo = unguard(self._fields["photo"])
        if not photo and not self._fields["sha256"].strip() and self._target() != "typed":
            raise self._error("photo", photo)
        return photo

    def _from_one(self, name: str) -> int:
        """A number that counts from 1 in the file."""
        text = self._fields[name].strip()
        if not re.fullmatch(r"[1-9][0-9]{0,5}", text):
            raise self._error(name, text)
        return int(text) - 1

    def _cell(self) -> tuple[int, int]:
        return self._from_one("row"), self._from_one("col")

    def _no_cell(self) -> tuple[None, None]:
        """Row and column of what concerns the whole board."""
        given = self._fields["row"].strip() or self._fields["col"].strip()
        if given:
            raise self._error("no_cell", given)
        return None, None

    def _value(self, target: Target) -> str:
        value = unguard(self._fields["value"])
        if not _ALLOWED[target](value):
            raise self._error(f"value_{target}", value)
        return value


def _is_size(value: str) -> bool:
    return re.fullmatch(r"[1-9][0-9]?", value) is not None and int(value) in BOARD_SIZES


def _is_corners(value: str) -> bool:
    """Whether it is the corners of a grid, in words."""
    try:
        numbers = [float(number) for number in value.split()]
    except ValueError:
        return False
    return len(numbers) == 8 and all(map(math.isfinite, numbers)) and are_corners(numbers)


def are_corners(numbers: Sequence[float]) -> bool:
    """Whether four points, as eight numbers, go clockwise round something: y points down.

    Examples
    --------
    >>> are_corners((0, 0, 9, 0, 9, 9, 0, 9)), are_corners((0, 0, 0, 9, 9, 9, 9, 0))
    (True, False)
    """
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    return all(_turns_right(*(points[(k + step) % 4] for step in range(3))) for k in range(4))


def _turns_right(a: Point, b: Point, c: Point) -> bool:
    """Whether the way from a over b to c bends clockwise."""
    return (b[0] - a[0]) * (c[1] - b[1]) > (b[1] - a[1]) * (c[0] - b[0])


_ALLOWED: dict[Target, Callable[[str], bool]] = {
    "cell": lambda value: bool(value.strip()),  # which colours there are, and their names, the game knows
    "owner": lambda _: True,  # an empty one says that nobody knows
    "team": bool,
    "size": _is_size,
    "corners": _is_corners,
    "board": lambda value: value in ("no", "ok"),
    "typed": lambda value: ":" in value,
}
