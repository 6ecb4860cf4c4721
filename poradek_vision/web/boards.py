"""What the page of one board shows: its photo, its cells, its runs; and the page where one is typed in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from poradek_vision.game import line_of
from poradek_vision.model import EMPTY, BoardReading, Game, LedgerRow, MergedShape, Run, SettledCell, Target
from poradek_vision.overlay import mark_of
from poradek_vision.pipeline import Review
from poradek_vision.settle import rows_with_readings
from poradek_vision.texts import counted, each_with_points, say, whose
from poradek_vision.web.album import boards_of, name_of
from poradek_vision.web.overview import top
from poradek_vision.web.words import Sight, owners, palette, spoken, tag


class Strip(NamedTuple):
    """A run or a merged shape: its words, and the cells to light up."""

    words: str
    cells: str
    colour: str


def board_sight(review: Review, sha256: str, index: int, photo_size: tuple[int, int]) -> Sight:
    """A board with its photo; a photo without that board, so that its corners can be shown.

    Parameters
    ----------
    review : Review
    sha256 : str
        The photo's content.
    index : int
        The board in it.
    photo_size : (int, int)
        Width and height of the photo, in its own pixels.

    Raises
    ------
    LookupError
        If there is no such photo.
    """
    name, readings = name_of(review, sha256), boards_of(review, sha256)
    if index > len(readings):
        raise LookupError("no such board")
    pairs = rows_with_readings(review.scored.readings, review.scored.settlement)
    row, reading = next(
        ((row, one) for row, one in pairs if (one.sha256, one.index) == (sha256, index)),
        (next(row for row in review.scored.settlement.ledger if row.photo == name), None),
    )
    words = {word.target: word.value for word in review.words if (word.sha256, word.index) == (sha256, index)}
    said = {target: words.get(target, "") for target in _ON_BOARDS}
    return {
        **top(review),
        "name": name,
        "photo": sha256,
        "index": index,
        "count": len(readings),
        "row": row,
        "reading": reading,
        "said": said,
        **(_known(row, reading, review) if reading else _unknown(row, name, readings, review)),
        **_photo_sight(reading, said["corners"], *photo_size),
        "teams": review.game.team_names(review.scored.settlement.boards),
        **_sizes(reading, said["size"], review.game),
        "palette": palette(review.game),
    }


def _known(row: LedgerRow, reading: BoardReading, review: Review) -> Sight:
    """What is known of a board."""
    game = review.game
    return {
        "title": f"{whose(row.team, game.language)} {row.size}×{row.size}",
        "status_text": say(f"word.status_{row.status}", game.language),
        "reasons": spoken(row.reasons, game),
        "points": _points(row, review),
        "settable": bool(row.cells),
        "cells": [_cell_sight(cell, row, reading, game) for cell in _cells(row, reading)],
        "strips": _strips(row, review) if row.board else [],
        "owners": owners(review) if row.team is None else [],
        "tag": tag(reading),
    }


def _unknown(row: LedgerRow, name: str, readings: Sequence[BoardReading], review: Review) -> Sight:
    """What there is to say where a person is to show a board; ``row`` is the photo's."""
    return {
        "title": name,
        "status_text": say("web.new_board", review.game.language),
        "reasons": [] if readings else spoken(row.reasons, review.game, row.photo),
        "points": "",
        "settable": False,
        "cells": [],
        "strips": [],
        "owners": [],
        "tag": "0",
    }


def _photo_sight(reading: BoardReading | None, corners: str, width: int, height: int) -> Sight:
    """The photo, the part of it round the board, and the grid's corners as they were said or found."""
    return {
        "width": width,
        "height": height,
        "view": _view(reading, width, height),
        "corners": corners or _corners(reading, width, height),
    }


def _sizes(reading: BoardReading | None, said: str, game: Game) -> Sight:
    """The sizes to choose from, and the one that was said or read: also where the game has no such board."""
    size = int(said) if said else reading.grid.rows if reading else game.sizes[0]
    return {"sizes": tuple(dict.fromkeys(one for one in (*game.sizes, game.no_mans_land, size) if one)), "size": size}


def _view(reading: BoardReading | None, width: int, height: int) -> str:
    """The part of the photo round the board, all of it where none was found: left, top, width, height."""
    if reading is None:
        return f"-0.5 -0.5 {width} {height}"
    points = [point for line in reading.grid.crossings for point in line]
    (left, right), (top, bottom) = ((min(values), max(values)) for values in zip(*points, strict=True))
    pad = _AROUND * max(right - left, bottom - top)
    return f"{left - pad:.1f} {top - pad:.1f} {right - left + 2 * pad:.1f} {bottom - top + 2 * pad:.1f}"


def _corners(reading: BoardReading | None, width: int, height: int) -> str:
    """The grid's corners; where none was found, those of the middle of the photo, to be dragged."""
    if reading is None:
        side = min(width, height) / 4
        x, y = width / 2, height / 2
        corners = [(x - side, y - side), (x + side, y - side), (x + side, y + side), (x - side, y + side)]
    else:
        first, last = reading.grid.crossings[0], reading.grid.crossings[-1]
        corners = [first[0], first[-1], last[-1], last[0]]
    return " ".join(f"{number:.1f}" for corner in corners for number in corner)


_ON_BOARDS: tuple[Target, ...] = ("team", "corners", "size", "board")
_AROUND = 0.08
"""How much of the photo is shown round a board, as a share of its longer side."""


def _cells(row: LedgerRow, reading: BoardReading) -> tuple[SettledCell, ...]:
    """The cells as they settled; as they were read where another photo stands for the board."""
    if row.cells:
        return row.cells
    return tuple(
        SettledCell(cell.row, cell.col, cell.colour, cell.owner, cell.confidence, cell.flags, by_batch=cell.by_batch)
        for cell in reading.cells
    )


def _cell_sight(cell: SettledCell, row: LedgerRow, reading: BoardReading, game: Game) -> Sight:
    """One cell: where it lies in the photo, and what is to be said of it."""
    points = reading.grid.crossings
    r, c = cell.row, cell.col
    corners = (points[r][c], points[r][c + 1], points[r + 1][c + 1], points[r + 1][c])
    owner = mark_of(cell.owner, game) if cell.owner else "?" if row.team is None and cell.colour != EMPTY else ""
    return {
        "row": r,
        "col": c,
        "quad": " ".join(f"{x:.1f},{y:.1f}" for x, y in corners),
        "colour": cell.colour,
        "owner": owner,
        "open": bool(cell.flags),
        "corrected": cell.corrected,
        "words": _cell_words(cell, owner, game),
    }


def _cell_words(cell: SettledCell, owner: str, game: Game) -> str:
    """All that is known of a cell."""
    language = game.language
    parts = [say("overlay.place", language, row=cell.row + 1, col=cell.col + 1)]
    parts.append(say("overlay.empty", language) if cell.colour == EMPTY else f"{cell.colour}{owner and f' ({owner})'}")
    parts.append(say("web.corrected", language) if cell.corrected else f"{int(100 * cell.confidence)} %")
    if cell.by_batch and not cell.corrected:
        parts.append(say("web.by_batch", language))
    parts.extend(say(f"flag.{flag}", language) for flag in cell.flags)
    return " · ".join(parts)


def _points(row: LedgerRow, review: Review) -> str:
    """A board's points in words, where it has some of its own."""
    points = next((score.points for score in review.scored.results.boards if score.board is row.board), None)
    return "" if points is None else counted("web.points", points, review.game.language)


def _strips(row: LedgerRow, review: Review) -> list[Strip]:
    """The runs of a team's board, or the merged shapes of the no man's land."""
    game = review.game
    if row.team is None:
        shapes = sorted(review.scored.results.shapes, key=lambda shape: -shape.points)
        return [_shape_strip(shape, game) for shape in shapes if shape.points]
    runs = next((score.runs for score in review.scored.results.boards if score.board is row.board), ())
    return [_run_strip(run, game) for run in sorted(runs, key=lambda run: -run.points)]


def _run_strip(run: Run, game: Game) -> Strip:
    """A run in words."""
    (first_row, first_col), (last_row, last_col) = run.cells[0], run.cells[-1]
    words = say(
        "web.run",
        game.language,
        line=say(f"grid.{line_of(run)}", game.language),
        start=f"({first_row + 1}, {first_col + 1})",
        end=f"({last_row + 1}, {last_col + 1})",
        points=counted("web.points", run.points, game.language),
    )
    return Strip(words, _places(run.cells), run.colour)


def _shape_strip(shape: MergedShape, game: Game) -> Strip:
    """A merged shape in words."""
    strengths = each_with_points(
        ((mark_of(team, game), points) for team, points in shape.points_by_team), game.language
    )
    words = say(
        "web.shape",
        game.language,
        points=counted("web.points", shape.points, game.language),
        strengths=strengths or say("grid.nobody_known", game.language),
        awarded=each_with_points(shape.awarded, game.language) or say("grid.nobody", game.language),
    )
    return Strip(words, _places(shape.cells), shape.colour)


def _places(cells: Iterable[tuple[int, int]]) -> str:
    return " ".join(f"{row}-{col}" for row, col in cells)


def typed_sight(review: Review, team: str, size: int) -> Sight:
    """A board to be typed in, as it was typed or empty.

    Raises
    ------
    LookupError
        If the game has no such board.
    """
    game = review.game
    names = game.team_names(review.scored.settlement.boards)
    if size not in game.sizes_of(team or None) or (team and team not in names):
        raise LookupError("no such board")
    start = f"{team}:"
    texts = [
        word.value.removeprefix(start)
        for word in review.words
        if word.target == "typed" and word.value.startswith(start) and word.value.count("/") == size - 1
    ]
    rows = texts[-1].split("/") if texts else [EMPTY * size] * size
    return {
        **top(review),
        "team": team,
        "size": size,
        "title": f"{whose(team or None, game.language)} {size}×{size}",
        "text": "\n".join(row.strip() for row in rows),
        "hint": counted("web.type_hint", size, game.language),
        "was_typed": bool(texts),
        "palette": palette(game),
        "owners": owners(review) if not team else [],
    }
