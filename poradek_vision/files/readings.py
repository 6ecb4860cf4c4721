"""Readings as JSON: ``readings.jsonl`` for other programs, and the way back.

One line per board seen. Rows and columns of cells count from 1 here, as people count them; everything else is as in
the record, so that exactly the same record comes back.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from poradek_vision.errors import SettingsError, reason
from poradek_vision.files.plain import from_plain, parse_json, to_plain
from poradek_vision.files.writing import write_whole
from poradek_vision.model import BoardReading

READINGS = "readings.jsonl"

_GRID_KEYS = ("rows", "cols", "photo_from_board", "crossings", "error_px", "kind", "team_index", "cell_mm", "fiducials")


def reading_to_json(reading: BoardReading) -> dict[str, Any]:
    """A reading as one object of ``readings.jsonl``.

    Returns
    -------
    dict
        ``photo, team, size, crossings, photo_from_board, error_px, found_by, palette, flags, cells`` are meant for
        other programs: ``flags`` are all doubts about the board, whoever raised them; ``size`` is the larger of
        ``rows`` and ``cols``. The further keys bring the record back.
    """
    grid, mark = to_plain(reading.grid), to_plain(reading.mark)
    doubts = dict.fromkeys((*reading.flags, *reading.grid.flags, *reading.mark.flags))
    return {
        "photo": reading.photo,
        "sha256": reading.sha256,
        "index": reading.index,
        "team": mark["team"],
        "size": max(reading.grid.rows, reading.grid.cols),
        "found_by": grid["how"],
        "palette": reading.palette,
        "flags": [flag.value for flag in doubts],
        "camera": reading.camera,
        "look": reading.look and to_plain(reading.look),
        **{key: grid[key] for key in _GRID_KEYS},
        "mark": {"how": mark["how"], "margin": mark["margin"], "flags": mark["flags"]},
        "grid_flags": grid["flags"],
        "reading_flags": to_plain(reading.flags),
        "cells": [{**to_plain(cell), "row": cell.row + 1, "col": cell.col + 1} for cell in reading.cells],
    }


def reading_from_json(line: object) -> BoardReading:
    """The reading of one object of ``readings.jsonl``.

    Raises
    ------
    ValueError
        If it is anything but what :func:`reading_to_json` made.
    """
    if not isinstance(line, dict):
        raise ValueError("no object")
    try:
        record = {
            **{key: line[key] for key in ("photo", "sha256", "index", "palette", "camera", "look")},
            "grid": {**{key: line[key] for key in _GRID_KEYS}, "how": line["found_by"], "flags": line["grid_flags"]},
            "mark": {**line["mark"], "team": line["team"]},
            "flags": line["reading_flags"],
            "cells": [{**cell, "row": cell["row"] - 1, "col": cell["col"] - 1} for cell in line["cells"]],
        }
    except KeyError as error:
        raise ValueError(f"{error.args[0]}: missing") from error
    except TypeError as error:
        raise ValueError(str(error)) from error
    return from_plain(BoardReading, record)


def save_readings(path: Path, readings: Sequence[BoardReading]) -> None:
    """Write ``readings.jsonl``, whole.

    Raises
    ------
    SettingsError
        If the file can't be written.
    """
    lines = (json.dumps(reading_to_json(reading), ensure_ascii=False, allow_nan=False) for reading in readings)
    write_whole(path, "".join(line + "\n" for line in lines))


def load_readings(path: Path) -> tuple[BoardReading, ...]:
    """Read ``readings.jsonl``.

    Raises
    ------
    SettingsError
        If the file can't be read, or a line is no reading; names the line.
    """
    readings = []
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise SettingsError("tables.cannot_read", path=path, why=reason(error)) from error
    except UnicodeDecodeError as error:
        raise SettingsError("tables.cannot_read", path=path, why=error) from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                readings.append(reading_from_json(parse_json(line)))
            except ValueError as error:
                raise SettingsError("tables.foreign_reading", path=path, line=number, why=error) from error
    return tuple(readings)
