"""``to_review.csv``: every open cell in a row, with a column to be filled in by whoever prefers a spreadsheet.

The numbers are those of ``flagged.jpg``. What is filled in becomes corrections; see ``corrections``. People save the
file as Excel likes, sort it and leave rows out: only the columns that name a cell and those filled in count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from poradek_vision.errors import SettingsError
from poradek_vision.files.csv_text import format_csv, guard, load_csv, unguard
from poradek_vision.files.spelling import NOBODY_KNOWS, colour_meant, folded, team_meant
from poradek_vision.files.tables import Excel
from poradek_vision.files.writing import drop_file, write_whole
from poradek_vision.model import EMPTY, LANGUAGES, Correction, Game
from poradek_vision.texts import say

TO_REVIEW = "to_review.csv"
REVIEW_COLUMNS = (
    "number", "photo", "team", "size", "row", "col", "reading", "second", "confidence", "reason", "now", "now_owner",
    "board", "sha256",
)  # fmt: skip
_NEEDED = ("number", "photo", "row", "col", "reading", "now", "now_owner", "board", "sha256")
_CONFIRMED = ("ok", "ano", "yes")


@dataclass(frozen=True, slots=True)
class OpenRow:
    """One open cell; ``board``, ``row`` and ``col`` count from 0, ``team`` and ``reason`` are words."""

    number: int
    photo: str
    sha256: str
    board: int
    team: str
    size: int
    row: int
    col: int
    reading: str
    second: str
    confidence: float
    reason: str


Place = tuple[str, str, int, int, int]
"""A cell: its photo's content and name, the board in it, row and column, from 0."""


@dataclass(frozen=True, slots=True)
class Filled:
    """What a person left in the file: corrections in the order of the rows, and the number of each cell."""

    corrections: tuple[Correction, ...] = ()
    numbers: tuple[tuple[Place, int], ...] = ()


def save_to_review(results: Path, rows: Sequence[OpenRow], excel: Excel = None) -> None:
    """Write ``to_review.csv``, whole; remove it where nothing is open.

    Raises
    ------
    SettingsError
        If the file can't be written, as when Excel holds it open.
    """
    path = results / TO_REVIEW
    if not rows:
        drop_file(path)
        return
    header = [_header(name, excel) if excel else name for name in REVIEW_COLUMNS]
    text = format_csv([header, *(_fields(row, excel) for row in rows)], delimiter=";" if excel else ",")
    write_whole(path, f"\ufeff{text}" if excel else text)


def load_to_review(results: Path, game: Game) -> Filled:
    """Read ``to_review.csv`` with what was filled in; nothing where there is no file.

    Raises
    ------
    SettingsError
        If the file can't be read, or something filled in is not understood: names the line, and what is allowed.
    """
    path = results / TO_REVIEW
    rows = load_csv(path)
    if not rows:
        return Filled()
    names = _names(path, rows[0][1])
    said: list[Correction] = []
    numbers: list[tuple[Place, int]] = []
    for line, fields in rows[1:]:
        row = _Row(path, line, dict(zip(names, (*fields, *[""] * len(names)), strict=False)), game)
        numbers.append((row.place(), row.number("number")))
        said.extend(row.corrections())
    return Filled(tuple(said), tuple(numbers))


def _header(name: str, language: str) -> str:
    return say(f"tables.column_{name}", language)


def _names(path: Path, header: Sequence[str]) -> list[str]:
    """The columns' own names, from any language."""
    known = {folded(_header(name, language)): name for name in REVIEW_COLUMNS for language in LANGUAGES}
    names = [known.get(folded(title), title.strip().lower()) for title in header]
    if missing := [name for name in _NEEDED if name not in names]:
        raise SettingsError("to_review.columns", path=path, missing=", ".join(missing))
    return names


def _fields(row: OpenRow, excel: Excel) -> list[str]:
    """A row of the file."""
    confidence = f"{row.confidence:.4g}".replace(".", "," if excel else ".")
    texts = {name: guard(str(getattr(row, name))) for name in ("number", "photo", "team", "size", "second", "reason")}
    texts |= {"row": str(row.row + 1), "col": str(row.col + 1), "board": str(row.board + 1), "sha256": row.sha256}
    texts |= {"reading": row.reading, "confidence": confidence}
    return [texts.get(name, "") for name in REVIEW_COLUMNS]


class _Row:
    """One row of the file, which knows where it stands so that it can complain."""

    def __init__(self, path: Path, line: int, fields: Mapping[str, str], game: Game) -> None:
        self._path, self._line, self._fields, self._game = path, line, fields, game

    def number(self, name: str) -> int:
        """A number of the row."""
        text = self._fields[name].strip()
        if not re.fullmatch(r"[1-9][0-9]{0,5}", text):
            raise SettingsError("to_review.number", path=self._path, line=self._line, column=name, value=text)
        return int(text)

    def place(self) -> Place:
        """Which cell the row is about."""
        photo, sha256 = unguard(self._fields["photo"]), self._fields["sha256"].strip().lower()
        return sha256, photo, self.number("board") - 1, self.number("row") - 1, self.number("col") - 1

    def corrections(self) -> Iterator[Correction]:
        """What was filled in."""
        sha256, photo, board, row, col = self.place()
        colour, owner = unguard(self._fields["now"]).strip(), unguard(self._fields["now_owner"]).strip()
        if colour:
            yield Correction(sha256, photo, board, "cell", row, col, self._colour(colour))
        if owner:
            yield Correction(sha256, photo, board, "owner", row, col, self._owner(owner))

    def _colour(self, text: str) -> str:
        """The code of a colour by its letter or name; the reading itself where it was confirmed."""
        reading = self._fields["reading"].strip()  # which a spreadsheet, or a slip in it, may have changed
        confirmed = folded(text) in _CONFIRMED and reading in (*self._game.codes, EMPTY)
        meant = colour_meant(text, self._game) or (reading if confirmed else None)
        return self._checked(meant, text, "now", ", ".join((*self._game.codes, EMPTY, "ok")))

    def _owner(self, text: str) -> str:
        """A team by its mark or name; any name where no list of teams is known."""
        if text == NOBODY_KNOWS:
            return ""
        if not self._game.teams:
            return text
        allowed = ", ".join((*(team.mark for team in self._game.teams), NOBODY_KNOWS))
        return self._checked(team_meant(text, self._game), text, "now_owner", allowed)

    def _checked(self, meant: str | None, text: str, column: str, allowed: str) -> str:
        if meant is None:
            raise SettingsError(
                "to_review.value", path=self._path, line=self._line, column=column, value=text, allowed=allowed
            )
        return meant
