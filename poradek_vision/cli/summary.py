"""What ``poradek score`` says in the end: a table to read out, then what is open, in sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from poradek_vision.cli.columns import WIDTH, aligned, shortened, width_of, wrapped
from poradek_vision.game import unsure_ranks
from poradek_vision.model import Game, LedgerRow, Text
from poradek_vision.settle import is_beyond_bounds
from poradek_vision.texts import counted, points_text, say, say_text, whose

if TYPE_CHECKING:
    from poradek_vision.model import Language, TeamTotal
    from poradek_vision.pipeline import Scored

MOST_LINES = 10
"""So many things to look at are told one by one; all of them stand in boards.csv."""

_MOST_NAMES = 3
_SWATCHES = "swatches"


def summary(scored: Scored, game: Game, results: Path) -> list[str]:
    """All that a leader wants to know, line by line, at most 80 columns wide.

    Parameters
    ----------
    scored : Scored
    game : Game
    results : Path
        The results folder, for saying where it is.
    """
    table = ["", *_table(scored, game), ""] if scored.readings else []
    title = [shortened(game.title, WIDTH)] if game.title else []
    still_open = what_is_open(scored, game)
    if still_open:
        still_open = [*still_open, *_how_to_close(scored, game, results), ""]
    return [*title, *table, *still_open, *_whereabouts(scored, game, results)]


def what_is_open(scored: Scored, game: Game) -> list[str]:
    """What a person still has to look at; nothing where all is clear.

    Parameters
    ----------
    scored : Scored
    game : Game
    """
    ledger, language = scored.settlement.ledger, game.language
    lines = [] if scored.readings else wrapped(say("summary.nothing_read", language))
    lines += _doubts(scored, game)
    lines += _missing(ledger, game)
    lines += _section("review", [_review(row, game) for row in ledger if row.status == "review"], language)
    failed = [_reasons(row.reasons, game) for row in ledger if row.status in ("not_found", "unreadable")]
    lines += _section("failed", failed, language)
    lines += _section("notes", [_reasons([note], game) for note in scored.settlement.notes], language)
    return lines + _section("agreeing", [_reasons([note], game) for note in scored.settlement.agreeing], language)


def missed(names: Sequence[str], game: Game) -> list[str]:
    """That photos counted last time and don't now; nothing where all do.

    Parameters
    ----------
    names : sequence of str
        The photos.
    game : Game
    """
    told = ", ".join([*names[:_MOST_NAMES], *(["…"] if len(names) > _MOST_NAMES else [])])
    return wrapped(say("score.missed", game.language, count=len(names), names=told)) if names else []


# --- the table -----------------------------------------------------------------------------------------------------


def _table(scored: Scored, game: Game) -> list[str]:
    """The final table; a column that says nothing is left out."""
    totals = scored.results.totals
    land = any(board.team is None for board in scored.settlement.boards)
    bounds = any(total.total_min < total.total_max for total in totals)
    header = ["", say("summary.team", game.language), *(f"{size}×{size}" for size in game.sizes)]
    header += [say("summary.land", game.language)] if land else []
    header += [say("summary.total", game.language)]
    header += [say("summary.bounds", game.language)] if bounds else []
    rows = [header, *(_total_row(total, game.language, land, bounds) for total in totals)]
    return aligned(_fitted(rows), left=[1])


def _fitted(rows: Sequence[list[str]]) -> list[list[str]]:
    """The rows with names so short that they fit the terminal."""
    too_wide = max(0, *(width_of(line) - WIDTH for line in aligned(rows)))
    room = max(width_of(name) for _, name, *_ in rows) - too_wide
    return [[rank, shortened(name, room), *points] for rank, name, *points in rows]


def _total_row(total: TeamTotal, language: Language, land: bool, bounds: bool) -> list[str]:
    """One team's row of the table."""
    row = [f"{total.rank}.", total.team]
    row += ["–" if points is None else str(points) for _, points in total.points_by_size]
    row += [points_text(total.no_mans_land, language)] if land else []
    row += [points_text(total.total, language)]
    unsure = total.total_min < total.total_max
    span = f"{points_text(total.total_min, language)}–{points_text(total.total_max, language)}" if unsure else ""
    return [*row, span] if bounds else row


# --- what is open --------------------------------------------------------------------------------------------------


def _doubts(scored: Scored, game: Game) -> list[str]:
    """How many cells are in doubt, of how many boards whose they are, and whether that matters."""
    language, boards = game.language, scored.settlement.boards
    counts = {
        "summary.open_cells": sum(len(board.open) for board in boards),
        "summary.whose": sum(board.in_doubt and board.size in game.sizes for board in boards),
    }
    told = [counted(key, count, language) for key, count in counts.items() if count]
    if not told:
        return []
    if teams := unsure_ranks(scored.results.totals):
        return wrapped(" ".join([*told, say("summary.rank_unsure", language, teams=", ".join(teams))]))
    more_is_open = any(map(is_beyond_bounds, scored.settlement.ledger))
    return wrapped(" ".join([*told, say("summary.rank_kept" if more_is_open else "summary.rank_sure", language)]))


def _how_to_close(scored: Scored, game: Game, results: Path) -> list[str]:
    """The command that shows what is open, where there are boards to show."""
    folder = f'"{results}"' if re.search(r"[^\w.:/\\+-]", str(results)) else results  # a shell would part it
    return ["", *wrapped(say("summary.how_to_close", game.language, folder=folder))] if scored.readings else []


def _missing(ledger: Iterable[LedgerRow], game: Game) -> list[str]:
    """The boards that no photo shows, team by team."""
    sizes: dict[str | None, list[str]] = {}
    for row in ledger:
        if row.status == "missing":
            sizes.setdefault(row.team, []).append(f"{row.size}×{row.size}")
    if not sizes:
        return []
    boards = "; ".join(f"{whose(team, game.language)} {', '.join(some)}" for team, some in sizes.items())
    return wrapped(counted("summary.missing", sum(map(len, sizes.values())), game.language, boards=boards))


def _section(name: str, entries: Sequence[str], language: Language) -> list[str]:
    """A heading and the first entries under it."""
    if not entries:
        return []
    lines = [say(f"summary.{name}", language)]
    for entry in entries[:MOST_LINES]:
        lines += wrapped(entry, "  ")
    rest = len(entries[MOST_LINES:])
    return lines + (wrapped(counted("summary.more", rest, language), "  ") if rest else [])


def _review(row: LedgerRow, game: Game) -> str:
    """A board that needs a look, and why."""
    size = f" {row.size}×{row.size}" if row.size else ""
    return f"{whose(row.team, game.language)}{size} ({row.photo}): {_reasons(row.reasons, game)}"


def _reasons(reasons: Iterable[Text], game: Game) -> str:
    return "; ".join(say_text(reason, game.language) for reason in reasons)


# --- where it lies -------------------------------------------------------------------------------------------------


def _whereabouts(scored: Scored, game: Game, results: Path) -> Iterator[str]:
    """Why teams have no names, which palettes were used, what all boards together decided, where the results are."""
    if scored.readings and not game.teams:
        yield from wrapped(say("summary.no_names", game.language))
    used = Counter(row.palette for row in scored.settlement.ledger if row.palette)
    if used:
        names = ", ".join(f"{_palette(name, game.language)} ({count}×)" for name, count in sorted(used.items()))
        yield from wrapped(say("summary.palettes", game.language, palettes=names))
    decided = sum(cell.by_batch and not cell.corrected for row in scored.settlement.ledger for cell in row.cells)
    if decided:
        yield from wrapped(counted("summary.by_batch", decided, game.language))
    where = "summary.results_flagged" if any(board.open for board in scored.settlement.boards) else "summary.results"
    yield from wrapped(say(where, game.language, folder=results))


def _palette(name: str, language: Language) -> str:
    return say("summary.swatches", language) if name == _SWATCHES else name
