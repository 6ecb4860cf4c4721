"""The ledger: every photo, every board in it, and every board that there must be, each accounted for once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from poradek_vision.model import (
    EMPTY,
    Board,
    BoardReading,
    Correction,
    Failure,
    Flag,
    Game,
    LedgerRow,
    OpenCell,
    SettledCell,
    Settlement,
    Status,
    Text,
    natural_key,
)
from poradek_vision.settle.claims import Claim, are_halves, claim, gather
from poradek_vision.settle.corrections import agreeing_cells, agreeing_teams, correct_cells, sort_corrections
from poradek_vision.settle.elimination import eliminate
from poradek_vision.settle.typed import place_typed
from poradek_vision.settle.votes import turn_place, vote

_Entry = tuple[int, LedgerRow]
"""A row and its board's index in the photo."""


def settle(
    readings: Sequence[BoardReading],
    failures: Sequence[Failure],
    corrections: Sequence[Correction],
    game: Game,
    typed: Sequence[Board] = (),
) -> Settlement:
    """Settle a batch: one board out of all readings of it, corrected, and an account of everything.

    1. Corrections are sorted; those that find no place become notes.
    2. Each reading that a person did not refuse claims a board, in doubt one that no other has; claims of the same
       board come together.
    3. Its cells are voted on, then corrected. What stays in doubt is open.
    4. The best reading's row carries the board, the others are duplicates of it.
    5. Typed boards stand where no photo shows one.
    6. Expected boards that no row carries are missing.

    Parameters
    ----------
    readings : sequence of BoardReading
    failures : sequence of Failure
    corrections : sequence of Correction
        Oldest first: the last word on a cell counts.
    game : Game
    typed : sequence of Board
        Boards that a person typed in.

    Returns
    -------
    Settlement
        Its ledger lists photos in name order, boards of one photo by their index, then typed and missing boards.
    """
    good, notes = sort_corrections(readings, failures, corrections, game)
    teams = {(word.sha256, word.index): word.value for word in good if word.target == "team"}
    verdicts = {(word.sha256, word.index): word.value for word in good if word.target == "board"}
    refused = {key for key, verdict in verdicts.items() if verdict == "no"}
    claims = [
        claim(reading, teams.get(key), game, vouched=verdicts.get(key) == "ok")
        for reading in readings
        for key in [(reading.sha256, reading.index)]
    ]
    entries = [_failure_entry(failure, (failure.sha256, 0) in refused) for failure in failures]
    entries.extend(_entry(one, "ok", (_NO_BOARD,)) for one in claims if one.key in refused)
    claims = [one for one in claims if one.key not in refused]
    entries.extend(_entry(one, "review", one.reasons) for one in claims if not _is_square(one))
    agreeing: list[Text] = []
    for group in gather(eliminate([one for one in claims if _is_square(one)])):
        settled, said, agreed = _settle_group(group, good)
        entries.extend(settled)
        notes.extend(said)
        agreeing.extend(agreed)
    entries.sort(key=lambda entry: (natural_key(entry[1].photo), entry[0]))
    rows = [row for _, row in entries]
    typed_rows, said = place_typed(typed, [row.board for row in rows if row.board], game)
    rows.extend(typed_rows)
    boards = tuple(row.board for row in rows if row.board)
    agreeing.extend(agreeing_teams(readings, good))
    return Settlement(boards, (*rows, *_missing(boards, game)), (*notes, *said), tuple(agreeing))


_NO_BOARD = Text.of("settle.no_board")


def _is_square(one: Claim) -> bool:
    """Whether a reading can be a board at all."""
    return one.reading.grid.rows == one.reading.grid.cols


def _settle_group(
    group: tuple[Claim, ...], corrections: Iterable[Correction]
) -> tuple[list[_Entry], list[Text], list[Text]]:
    """The rows of all readings of one board, the best first, notes on its corrections, and those that agree."""
    best, *others = group
    asks_owner = best.team is None
    voters = [one for one in group if one.trusted or one.reading.grid.half] or group  # halves have what others lack
    votes = [vote(cells) for cells in zip(*(one.cells for one in voters), strict=True)]
    words = _words_on(group, corrections)
    cells, notes = correct_cells(votes, words, asks_owner)
    board = _board(group, cells)
    reasons = (*_unless_seen_elsewhere(best.reasons, votes), *_half_missing(group), *_marks_unlike(cells))
    if board.open:
        reasons = (*reasons, Text.of("settle.open_cells", count=len(board.open)))
    index, row = _entry(best, "review" if reasons else "ok", reasons)
    entries = [(index, replace(row, board=board, cells=tuple(cells)))]
    entries.extend(_entry(other, "duplicate", (_beside(other, best),)) for other in others)
    return entries, notes, agreeing_cells(votes, words)


def _unless_seen_elsewhere(reasons: Iterable[Text], votes: Iterable[SettledCell]) -> tuple[Text, ...]:
    """Doubts about the best photo of a board, without that it shows a part of it where others show the rest."""
    whole = not any(Flag.HIDDEN in cell.flags for cell in votes)
    return tuple(reason for reason in reasons if not (whole and reason == _CROPPED))


_CROPPED = Text(f"flag.{Flag.CROPPED}")


def _half_missing(group: Sequence[Claim]) -> tuple[Text, ...]:
    """That of a no man's land on two sheets all photos show the same one."""
    halves = {one.reading.grid.half for one in group}
    return () if "" in halves or len(halves) > 1 else (Text(f"settle.only_{halves.pop()}"),)


_FEW_STICKERS = 10
"""Of fewer on a no man's land it says little that most owners are in doubt."""


def _marks_unlike(cells: Iterable[SettledCell]) -> tuple[Text, ...]:
    """That most stickers have no owner for sure: the marks in the settings may be others than those written."""
    stickers = [cell for cell in cells if cell.colour != EMPTY]
    unclear = sum(Flag.OWNER_UNCLEAR in cell.flags for cell in stickers)
    if len(stickers) < _FEW_STICKERS or 2 * unclear <= len(stickers):
        return ()
    return (Text.of("settle.marks_unlike", count=unclear, stickers=len(stickers)),)


def _beside(other: Claim, best: Claim) -> Text:
    """What a reading is to the best one of the same board: its other half, another part, or the same seen worse."""
    if are_halves(other, best):
        return Text.of("settle.other_half", photo=best.reading.photo)
    hidden = (
        Flag.HIDDEN in lacks.flags and Flag.HIDDEN not in has.flags
        for lacks, has in zip(best.cells, other.cells, strict=True)
    )
    part = Flag.CROPPED in best.reading.grid.flags and any(hidden)
    return Text.of("settle.other_part" if part else "settle.duplicate", photo=best.reading.photo)


def _words_on(group: Sequence[Claim], corrections: Iterable[Correction]) -> list[Correction]:
    """The corrections of a board's cells and owners, turned into its frame."""
    by_key = {one.key: one for one in group}
    words = []
    for word in corrections:
        one = by_key.get((word.sha256, word.index))
        if one and word.row is not None and word.col is not None:
            row, col = turn_place(word.row, word.col, one.size, one.quarters)
            words.append(replace(word, row=row, col=col))
    return words


def _board(group: Sequence[Claim], cells: Sequence[SettledCell]) -> Board:
    """The board of settled cells."""
    best = group[0]
    lines = [cells[start : start + best.size] for start in range(0, len(cells), best.size)]
    return Board(
        team=best.team,
        size=best.size,
        rows=tuple("".join(cell.colour for cell in line) for line in lines),
        owners=tuple(tuple(cell.owner for cell in line) for line in lines) if best.team is None else (),
        open=tuple(
            OpenCell(cell.row, cell.col, colour=set(cell.flags) != {Flag.OWNER_UNCLEAR}) for cell in cells if cell.flags
        ),
        sources=tuple(dict.fromkeys(one.reading.photo for one in group)),
        team_open=best.may_be_anothers,
    )


def _team_found_by(reading: BoardReading) -> str:
    """How it was found whose board it is, where no fiducial says so."""
    return reading.mark.how if reading.mark.team and reading.mark.how != "fiducial" else ""


def _entry(one: Claim, status: Status, reasons: tuple[Text, ...]) -> _Entry:
    """The row of one reading, without a board."""
    reading = one.reading
    return reading.index, LedgerRow(
        photo=reading.photo,
        team=one.team,
        size=one.size,
        status=status,
        found_by=", ".join(filter(None, (reading.grid.how, _team_found_by(reading)))),
        palette=reading.palette,
        reasons=reasons,
    )


def _failure_entry(failure: Failure, refused: bool) -> _Entry:
    """The row of a photo without a board; ``refused``: a person said that there is none to be found."""
    if refused and failure.status == "not_found":
        return 0, LedgerRow(failure.photo, team="", size=None, status="ok", reasons=(_NO_BOARD,))
    return 0, LedgerRow(
        photo=failure.photo,
        team="",
        size=None,
        status="ok" if failure.status == "card" else failure.status,
        found_by="card" if failure.status == "card" else "",
        reasons=(failure.reason,),
    )


def _missing(boards: Sequence[Board], game: Game) -> list[LedgerRow]:
    """A row for each board that there must be and that nobody photographed."""
    seen = {(board.team, board.size) for board in boards}
    return [
        LedgerRow("", team, size, "missing", reasons=(Text.of("settle.missing"),))
        for team, size in game.expected_boards(boards)
        if (team, size) not in seen
    ]
