"""What the first page shows: the table, what is open, the ledger, all boards."""

from __future__ import annotations

from collections.abc import Mapping

from poradek_vision.game import unsure_ranks
from poradek_vision.model import BoardReading, Failure, Flag, Game, Influence, Language, LedgerRow
from poradek_vision.overlay import mark_of
from poradek_vision.pipeline import Doubt, Review
from poradek_vision.settle import is_beyond_bounds, is_undecided, readings_by_row
from poradek_vision.texts import counted, points_text, say, whose
from poradek_vision.web.words import Sight, owners, palette, spoken, tag

MOST_QUEUED = 150
"""So many open cells are shown at once; the others come up as these are settled."""


def overview(review: Review) -> Sight:
    """The table, what is open, the ledger and all boards."""
    game = review.game
    reading_of = readings_by_row(review.scored.readings, review.scored.settlement)
    failures = {one.photo: one for one in review.outcomes if isinstance(one, Failure)}
    rows = review.scored.settlement.ledger
    return {
        **top(review),
        "queue": [_queued(doubt, game) for doubt in review.scored.doubts[:MOST_QUEUED]],
        "queued_later": max(0, len(review.scored.doubts) - MOST_QUEUED),
        "ledger": ledger(review),
        "boards": [_tile(row, reading_of.get(id(row)), failures.get(row.photo), review) for row in rows if row.photo],
        "notes": spoken(review.scored.settlement.notes, game),
        "agreeing": spoken(review.scored.settlement.agreeing, game),
        "palette": palette(game),
        "owners": owners(review) if any(board.team is None for board in review.scored.settlement.boards) else [],
    }


def top(review: Review) -> Sight:
    """The table with the sentence that says whether it still may change."""
    game, results = review.game, review.scored.results
    language = game.language
    return {
        "land": any(board.team is None for board in review.scored.settlement.boards),
        "totals": [
            {
                "rank": total.rank,
                "team": total.team,
                "sizes": ["–" if points is None else points for _, points in total.points_by_size],
                "land": points_text(total.no_mans_land, language),
                "total": points_text(total.total, language),
                "bounds": f"{points_text(total.total_min, language)}–{points_text(total.total_max, language)}"
                if total.total_min < total.total_max
                else "",
            }
            for total in results.totals
        ],
        "sentence": _sentence(review),
        "missing": _missing(review),
    }


def _sentence(review: Review) -> str:
    """How many cells and boards are open, and whether that can change the ranking."""
    language, doubts = review.game.language, review.scored.doubts
    rows = [row for row in review.scored.settlement.ledger if is_undecided(row)]
    matter = any(map(is_beyond_bounds, rows)) or unsure_ranks(review.scored.results.totals)
    key = "web.undecided_may" if matter else "web.undecided_keeps"
    boards = say(key, language, boards=counted("web.undecided", len(rows), language)) if rows else ""
    if not doubts:
        return boards or say("web.nothing_open", language)
    return f"{_open(review)} {boards}".rstrip()


def _open(review: Review) -> str:
    """How many cells are open, and how many of them can change the ranking."""
    language, doubts = review.game.language, review.scored.doubts
    alone = sum(doubt.influence.reach == "alone" for doubt in doubts)
    together = sum(doubt.influence.reach == "together" for doubt in doubts)
    if alone and together:
        reach = f"{counted('web.some_alone', alone, language)}, {counted('web.and_together', together, language)}"
    elif alone:
        reach = counted("web.only_alone" if alone < len(doubts) else "web.all_alone", alone, language)
    elif together:
        reach = counted("web.together", together, language)
    else:
        reach = counted("web.none_reach", len(doubts), language)
    return f"{counted('web.open', len(doubts), language)}; {reach}"


def _missing(review: Review) -> str:
    """How many boards nobody photographed; empty where all are there."""
    count = len(review.scored.results.missing)
    return counted("web.missing", count, review.game.language) if count else ""


def _queued(doubt: Doubt, game: Game) -> Sight:
    """One open cell of the queue."""
    row, cell, reading = doubt.row, doubt.cell, doubt.reading
    return {
        "id": f"q-{reading.sha256[:16]}-{reading.index}-{cell.row}-{cell.col}",
        "photo": reading.sha256,
        "board": reading.index,
        "cell": cell,
        "name": row.photo,
        "picture": f"/cell/{reading.sha256}/{reading.index}/{cell.row}-{cell.col}.jpg?v={tag(reading)}",
        "title": f"{whose(row.team, game.language)} {reading.grid.rows}×{reading.grid.cols}",
        "second": doubt.second if doubt.second != cell.colour and cell.flags != (Flag.OWNER_UNCLEAR,) else "",
        "owner": mark_of(cell.owner, game) if cell.owner else "?" if row.team is None else "",
        "percent": 0 if cell.flags == (Flag.OWNER_UNCLEAR,) else int(100 * cell.confidence),
        "reason": "; ".join(say(f"flag.{flag}", game.language) for flag in cell.flags),
        "influence": _influence_text(doubt.influence, game.language),
        "reach": doubt.influence.reach,
    }


def _influence_text(influence: Influence, language: Language) -> str:
    """What a cell can do to the ranking."""
    swing = counted("web.swing", round(influence.swing), language) if influence.swing >= 1 else ""
    reach = say(f"web.reach_{influence.reach}", language, place=influence.place)
    return f"{reach} · {swing}" if swing else reach


def ledger(review: Review) -> Sight:
    """Team by size: what is there, missing, or there twice."""
    game, places = review.game, _places(review)
    land = any(team is None for team, _ in places)
    return {
        "sizes": game.sizes,
        "teams": [
            {"name": whose(team, game.language), "places": [_place(team, size, places, game) for size in game.sizes]}
            for team in game.team_names(review.scored.settlement.boards)
        ],
        "land": {"name": whose(None, game.language), **_place(None, game.no_mans_land, places, game)} if land else None,
    }


_Row = tuple[LedgerRow, BoardReading | None, int | None]
"""A row, its reading and its points."""


def _places(review: Review) -> dict[tuple[str | None, int | None], list[_Row]]:
    """The rows of each board that there must be."""
    scored = review.scored
    reading_of = readings_by_row(scored.readings, scored.settlement)
    points = {id(score.board): score.points for score in scored.results.boards}
    places: dict[tuple[str | None, int | None], list[_Row]] = {}
    for row in scored.settlement.ledger:
        entry = (row, reading_of.get(id(row)), points.get(id(row.board)))
        places.setdefault((row.team, row.size), []).append(entry)
    return places


def _place(
    team: str | None, size: int, places: Mapping[tuple[str | None, int | None], list[_Row]], game: Game
) -> Sight:
    """One place of the ledger."""
    rows = places.get((team, size), [])
    row, reading, points = next((entry for entry in rows if entry[0].board), (None, None, None))
    seen = 1 + sum(other.status == "duplicate" for other, _, _ in rows)
    return {
        "team": team or "",
        "title": f"{whose(team, game.language)} {size}×{size}",
        "size": size,
        "state": row.status if row else "missing",
        "typed": bool(row and row.found_by == "typed"),
        "seen": counted("web.photos", seen, game.language) if seen > 1 else "",
        "points": points,
        "open": len(row.board.open) if row and row.board else 0,
        "link": f"/board/{reading.sha256}/{reading.index}" if reading else "",
    }


def _tile(row: LedgerRow, reading: BoardReading | None, failure: Failure | None, review: Review) -> Sight:
    """One board, or a photo without one, in the list of all."""
    game = review.game
    sha256 = reading.sha256 if reading else failure.sha256 if failure else ""
    index = reading.index if reading else 0
    version = tag(reading) if reading else "0"
    opens = bool(sha256) and row.status != "unreadable"
    return {
        "name": row.photo,
        "title": f"{whose(row.team, game.language)} {row.size}×{row.size}" if row.size else row.photo,
        "status": row.status,
        "status_text": say(f"word.status_{row.status}", game.language),
        "link": f"/board/{sha256}/{index}" if opens else "",
        "picture": f"/thumb/{sha256}/{index}.jpg?v={version}" if opens else "",
        "reasons": spoken(row.reasons, game, row.photo),
        "attention": row.status in ("review", "not_found", "unreadable")
        and not (row.board and row.board.open and len(row.reasons) == 1),
    }
