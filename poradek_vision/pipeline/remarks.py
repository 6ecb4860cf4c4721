"""What a result still lacks, in sentences: cells in doubt, boards missing, of no team or unread."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from poradek_vision.model import Game, LedgerRow
from poradek_vision.pipeline.scoring import Scored
from poradek_vision.settle import is_undecided
from poradek_vision.texts import counted, say, whose

_MOST_NAMED = 12
"""So many boards or photos are named, the others counted."""


def remarks(scored: Scored, game: Game) -> tuple[str, ...]:
    """All that may still change a result; one sentence that there is nothing, where that is so.

    Parameters
    ----------
    scored : Scored
    game : Game
    """
    ledger, language = scored.settlement.ledger, game.language
    count = sum(len(board.open) for board in scored.settlement.boards)
    lines = [counted("summary.open_cells", count, language)] if count else []
    kinds: dict[str, Iterable[LedgerRow]] = {
        "lacking": (row for row in ledger if row.status == "missing"),
        "of_nobody": (row for row in ledger if row.size and row.team == "" and row.status != "duplicate"),
        "undecided": (row for row in ledger if row.team != "" and is_undecided(row)),
        "not_found": (row for row in ledger if row.status == "not_found"),
        "unreadable": (row for row in ledger if row.status == "unreadable"),
    }
    for kind, rows in kinds.items():
        if named := [_named(row, game) for row in rows]:
            lines.append(say(f"report.{kind}", language, count=len(named), names=_listed(named, game)))
    return tuple(lines) or (say("report.complete", language),)


def _named(row: LedgerRow, game: Game) -> str:
    """A board by its team and size, or by its photo where one of them is not known."""
    if row.team == "" or not row.size:
        return row.photo
    return f"{whose(row.team, game.language)} {row.size}×{row.size}"


def _listed(names: Sequence[str], game: Game) -> str:
    """The first names, and how many more there are."""
    rest = len(names) - _MOST_NAMED
    more = [say("report.others", game.language, count=rest)] if rest > 0 else []
    return ", ".join([*names[:_MOST_NAMED], *more])
