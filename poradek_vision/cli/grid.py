"""``poradek grid``: the points of a grid typed as text, explained."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from poradek_vision.cli.options import GameOption, QuietOption, VerboseOption, set_log_level

if TYPE_CHECKING:
    from poradek_vision.files import TypedGrid
    from poradek_vision.model import Game, Language, MergedShape, Run

EXAMPLES = """\b
Examples:
  poradek grid board.txt
  echo "Ra Ra Rb" | poradek grid - --json
A grid is rows of colour letters and dots: "RR." or "R R .". On a no man's land the owner's mark follows each colour,
or all marks follow as a second grid after a blank line; "?" is an unknown owner."""


def grid(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Text file with a grid; - reads standard input.")],
    game: GameOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Score a grid typed as text and explain its points run by run."""
    from poradek_vision.cli.language import computer_language
    from poradek_vision.files import find_game, load_game, load_grid, parse_grid
    from poradek_vision.model import Game

    set_log_level(quiet=quiet, verbose=verbose)
    settings_file = game or find_game([Path()])
    settings = load_game(settings_file) if settings_file else Game(language=computer_language())
    typed = (
        parse_grid(sys.stdin.read().removeprefix("\ufeff"), settings)
        if file == "-"
        else load_grid(Path(file), settings)
    )
    if not quiet:
        typer.echo(_as_json(typed, settings) if as_json else "\n".join(_explained(typed, settings)))


def _explained(typed: TypedGrid, game: Game) -> list[str]:
    """The lines of the answer for people."""
    from poradek_vision.game import find_runs, score_rows
    from poradek_vision.texts import say

    language = game.language
    lines = [say("grid.points", language, rows=len(typed.rows), cols=len(typed.rows[0]), points=score_rows(typed.rows))]
    lines.extend(_run_line(run, language) for run in find_runs(typed.rows))
    if typed.owners:
        lines.extend(["", *_land_lines(typed, game)])
    return lines


def _run_line(run: Run, language: Language) -> str:
    """One run for people."""
    from poradek_vision.game import line_of
    from poradek_vision.texts import say

    return say(
        "grid.run",
        language,
        colour=run.colour,
        line=say(f"grid.{line_of(run)}", language),
        start=_place(run.cells[0]),
        end=_place(run.cells[-1]),
        length=len(run.cells),
        points=run.points,
    )


def _land_lines(typed: TypedGrid, game: Game) -> list[str]:
    """The shapes of a no man's land, and what each team is credited with, for people."""
    from poradek_vision.game import credit_by_team, merged_shapes
    from poradek_vision.texts import points_text, say

    shapes = merged_shapes(typed.rows, typed.owners, game.rules)
    lines = [_shape_line(shape, game.language) for shape in shapes]
    credit = credit_by_team(shapes)
    lines.append("")
    for team, points in credit.items():
        lines.append(say("grid.credit", game.language, team=team, points=points_text(points, game.language)))
    return lines


def _shape_line(shape: MergedShape, language: Language) -> str:
    """One merged shape for people."""
    from poradek_vision.texts import each_with_points, say

    return say(
        "grid.tied_shape" if shape.tie else "grid.shape",
        language,
        colour=shape.colour,
        start=_place(shape.cells[0]),
        stickers=len(shape.cells),
        points=shape.points,
        strengths=each_with_points(shape.points_by_team, language) or say("grid.nobody_known", language),
        outcome=each_with_points(shape.awarded, language) or say("grid.nobody", language),
    )


def _as_json(typed: TypedGrid, game: Game) -> str:
    """The answer for programs; rows and columns from 1."""
    from poradek_vision.game import credit_by_team, find_runs, line_of, merged_shapes, score_rows

    answer: dict[str, object] = {
        "points": score_rows(typed.rows),
        "runs": [
            {
                "colour": run.colour,
                "line": line_of(run),
                "from": _from_one(run.cells[0]),
                "to": _from_one(run.cells[-1]),
                "length": len(run.cells),
                "points": run.points,
            }
            for run in find_runs(typed.rows)
        ],
    }
    if typed.owners:
        shapes = merged_shapes(typed.rows, typed.owners, game.rules)
        answer |= {"teams": credit_by_team(shapes), "shapes": [_shape_json(shape) for shape in shapes]}
    return json.dumps(answer, ensure_ascii=False, indent=2)


def _shape_json(shape: MergedShape) -> dict[str, object]:
    """One merged shape for programs."""
    return {
        "colour": shape.colour,
        "cells": [_from_one(cell) for cell in shape.cells],
        "points": shape.points,
        "points_by_team": dict(shape.points_by_team),
        "awarded": dict(shape.awarded),
        "tie": shape.tie,
    }


def _from_one(cell: tuple[int, int]) -> list[int]:
    """A cell as people count."""
    row, col = cell
    return [row + 1, col + 1]


def _place(cell: tuple[int, int]) -> str:
    """A cell for people: ``(row, column)``."""
    return "({}, {})".format(*_from_one(cell))
