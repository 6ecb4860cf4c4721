"""The tables of results: ``results.csv``, ``boards.csv``, ``cells.csv``, ``no_mans_land.csv``.

Each has one tuple of columns; what stands in braces is repeated for each size, colour or team. Without ``excel``, the
files are for programs: commas, decimal points, the columns' own names, codes. ``excel="cs"`` writes what Czech Excel
opens by a double click, with words for codes; nothing reads that again. Points are whole numbers wherever they are
whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from poradek_vision.files.csv_text import format_csv, guard
from poradek_vision.files.writing import write_whole
from poradek_vision.model import (
    EMPTY,
    Board,
    Game,
    LedgerRow,
    MergedShape,
    Results,
    SettledCell,
    Settlement,
    TeamTotal,
    natural_key,
)
from poradek_vision.texts import say, say_text

RESULTS = (
    "rank", "team", "points_{size}", "no_mans_land", "total", "total_min", "total_max", "open_cells", "missing_boards",
)  # fmt: skip
BOARDS = (
    "photo", "team", "size", "points", "stickers", "count_{code}", "status", "min_confidence", "open_cells", "found_by",
    "reason", "palette",
)  # fmt: skip
CELLS = ("photo", "team", "size", "row", "col", "colour", "owner", "confidence", "flags", "corrected", "decided_by")
NO_MANS_LAND = ("colour", "cells", "points_{team}", "awarded_to", "points", "tie")

TABLES = ("results.csv", "boards.csv", "cells.csv", "no_mans_land.csv")

Excel = Literal["cs"] | None
Value = str | int | float | None
"""What a row holds before it is text: None is an empty field, True and False are 1 and 0."""
Row = Mapping[str, Value]

_REASONS = " | "
_TEAMS = " + "


def write_results(folder: Path, settlement: Settlement, results: Results, game: Game, excel: Excel = None) -> None:
    """Write the four tables, each whole.

    Parameters
    ----------
    folder : Path
        The results folder; made where it is not there yet.
    settlement : Settlement
        Its ledger makes ``boards.csv`` and ``cells.csv``.
    results : Results
        Its totals make ``results.csv``, its shapes ``no_mans_land.csv``.
    game : Game
        Sizes, colours, teams, and the language of what people read.
    excel : {None, "cs"}
        ``"cs"``: semicolons, a BOM, decimal commas, Czech headers and words.

    Raises
    ------
    SettingsError
        If a file can't be written, as when Excel holds it open.
    """
    teams = _teams(game, results.shapes)
    repeated = {"size": [str(size) for size in game.sizes], "code": game.codes, "team": teams}
    points = {score.board: score.points for score in results.boards}
    tables: dict[str, tuple[Sequence[str], Iterable[Row]]] = {
        "results.csv": (RESULTS, map(_total_row, results.totals)),
        "boards.csv": (BOARDS, [_board_row(row, points, game) for row in settlement.ledger]),
        "cells.csv": (CELLS, [_cell_row(row, cell, game) for row in settlement.ledger for cell in row.cells]),
        "no_mans_land.csv": (NO_MANS_LAND, [_shape_row(shape, results, game) for shape in results.shapes]),
    }
    for name, (columns, rows) in tables.items():
        write_whole(folder / name, _table(columns, repeated, rows, excel))


# --- rows ----------------------------------------------------------------------------------------------------------


def _total_row(total: TeamTotal) -> Row:
    return {
        "rank": total.rank,
        "team": total.team,
        **{f"points_{size}": points for size, points in total.points_by_size},
        "no_mans_land": round(total.no_mans_land, 2),
        "total": round(total.total, 2),
        "total_min": round(total.total_min, 2),
        "total_max": round(total.total_max, 2),
        "open_cells": total.open_cells,
        "missing_boards": total.missing_boards,
    }


def _board_row(row: LedgerRow, points: Mapping[Board, int | None], game: Game) -> Row:
    reasons = [say_text(reason, game.language) for reason in row.reasons]
    return {
        "photo": row.photo,
        "team": _team(row, game),
        "size": row.size,
        **_content(row.board, game),
        "points": points.get(row.board) if row.board else None,
        "status": row.status,
        "min_confidence": round(min(cell.confidence for cell in row.cells), 4) if row.cells else None,
        "open_cells": len(row.board.open) if row.board else None,
        "found_by": row.found_by,
        "reason": _REASONS.join(reasons),
        "palette": row.palette,
    }


def _content(board: Board | None, game: Game) -> Row:
    """How many stickers there are, in all and of each colour; nothing where no board stands for the row."""
    if board is None:
        return {}
    colours = "".join(board.rows)
    return {"stickers": len(colours) - colours.count(EMPTY), **{f"count_{c}": colours.count(c) for c in game.codes}}


def _cell_row(row: LedgerRow, cell: SettledCell, game: Game) -> Row:
    return {
        "photo": row.photo,
        "team": _team(row, game),
        "size": row.size,
        "row": cell.row + 1,
        "col": cell.col + 1,
        "colour": cell.colour,
        "owner": cell.owner,
        "confidence": round(cell.confidence, 4),
        "flags": " ".join(cell.flags),
        "corrected": cell.corrected,
        "decided_by": "person" if cell.corrected else "batch" if cell.by_batch else "photo",
    }


def _shape_row(shape: MergedShape, results: Results, game: Game) -> Row:
    """``cells`` is a list like ``r1c2 r1c3``, which no spreadsheet takes for a date or a number."""
    return {
        "colour": shape.colour,
        "cells": " ".join(f"r{row + 1}c{col + 1}" for row, col in shape.cells),
        **{f"points_{team}": points for team, points in shape.points_by_team},
        "awarded_to": _awarded_to(shape, results, game),
        "points": shape.points,
        "tie": shape.tie,
    }


def _awarded_to(shape: MergedShape, results: Results, game: Game) -> str:
    """The teams, or that there is none; and how many stickers of nobody knows whom may yet change it."""
    names = _TEAMS.join(team for team, _ in shape.awarded) or say("tables.nobody", game.language)
    owners = next((score.board.owners for score in results.boards if score.board.team is None), ())
    unknown = sum(not owners[row][col] for row, col in shape.cells) if owners else len(shape.cells)
    return names + (say("tables.unknown_owners", game.language, count=unknown) if unknown else "")


def _team(row: LedgerRow, game: Game) -> str:
    return say("word.no_mans_land", game.language) if row.team is None else row.team


def _teams(game: Game, shapes: Sequence[MergedShape]) -> tuple[str, ...]:
    """The game's teams in its order; then those that only the no man's land knows."""
    listed = [team.name for team in game.teams]
    others = {team for shape in shapes for team, _ in shape.points_by_team} - set(listed)
    return (*listed, *sorted(others, key=natural_key))


# --- text ----------------------------------------------------------------------------------------------------------


def _table(columns: Sequence[str], repeated: Mapping[str, Sequence[str]], rows: Iterable[Row], excel: Excel) -> str:
    """A table as CSV."""
    fields = [field for column in columns for field in _repeat(column, repeated)]
    names = [column.format(**field) for column, field in fields]
    if excel is None:
        return format_csv(
            [[guard(name) for name in names], *([_text(row.get(name)) for name in names] for row in rows)]
        )
    headers = [guard(say(_header_key(column), excel, **field)) for column, field in fields]
    body = ([_text(_in_words(name, row.get(name), excel), decimal=",") for name in names] for row in rows)
    return "\ufeff" + format_csv([headers, *body], delimiter=";")


def _repeat(column: str, repeated: Mapping[str, Sequence[str]]) -> list[tuple[str, dict[str, str]]]:
    """A column with what fills its braces, once for each size, colour or team; other columns once."""
    _, _, braces = column.partition("{")
    name = braces.rstrip("}")
    return [(column, {name: value}) for value in repeated[name]] if name else [(column, {})]


def _header_key(column: str) -> str:
    """Where the catalogue has a column's header.

    Examples
    --------
    >>> _header_key("points_{size}"), _header_key("rank")
    ('tables.column_points_size', 'tables.column_rank')
    """
    name = column.replace("{", "").replace("}", "")
    return f"tables.column_{name}"


def _in_words(column: str, value: Value, language: str) -> Value:
    """What people read where programs get codes; other values as they are.

    Examples
    --------
    >>> _in_words("found_by", "ruled, file name", "cs"), _in_words("total", 7, "cs")
    ('nakreslených čar, názvu souboru', 7)
    """
    if column == "status":
        return say(f"word.status_{value}", language)
    if column == "found_by":
        codes = filter(None, str(value).split(", "))
        return ", ".join(say(f"tables.found_by_{code.replace(' ', '_')}", language) for code in codes)
    if column == "decided_by" and value:
        return say(f"tables.decided_by_{value}", language)
    return _REASONS.join(say(f"flag.{flag}", language) for flag in str(value).split()) if column == "flags" else value


def _text(value: Value, decimal: str = ".") -> str:
    """A field as text; numbers without a useless ``.0``, text so that no spreadsheet runs it."""
    if isinstance(value, str):
        return guard(value)
    return "" if value is None else f"{value:.12g}".replace(".", decimal)
