"""Boards that a person typed in, because no photo shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from poradek_vision.model import EMPTY, Board, Game, LedgerRow, SettledCell, Text


def place_typed(typed: Iterable[Board], seen: Sequence[Board], game: Game) -> tuple[list[LedgerRow], list[Text]]:
    """Give each typed board its place in the ledger, unless a photo has it; of several for one place the last.

    Parameters
    ----------
    typed : iterable of Board
    seen : sequence of Board
        What photos show.
    game : Game

    Returns
    -------
    list of LedgerRow
    list of Text
        A note on each board that is not used.
    """
    sources = {(board.team, board.size): ", ".join(board.sources) for board in seen}
    teams = [team.name for team in game.teams]
    boards = list(typed)
    last = {(board.team, board.size): board for board in boards}
    rows, notes = [], []
    for board in boards:
        place, name = (board.team, board.size), {"team": board.team or "–", "size": board.size}
        if board.size not in game.sizes_of(board.team):
            notes.append(Text.of("settle.typed_size", **name))
        elif board.team and teams and board.team not in teams:
            notes.append(Text.of("settle.typed_team", **name, allowed=", ".join(teams)))
        elif place in sources:
            notes.append(Text.of("settle.typed_seen", **name, photo=sources[place]))
        elif board != last[place]:
            notes.append(Text.of("settle.typed_again", **name))
        elif board is last[place]:
            rows.append(_row(board))
    return rows, notes


def _row(board: Board) -> LedgerRow:
    """The row of a typed board: a person vouches for each cell."""
    cells = tuple(
        SettledCell(row, col, colour, _owner(board, row, col), 1.0, corrected=True)
        for row, line in enumerate(board.rows)
        for col, colour in enumerate(line)
    )
    return LedgerRow("", board.team, board.size, "ok", "typed", board=board, cells=cells)


def _owner(board: Board, row: int, col: int) -> str:
    """Whose sticker a cell of the no man's land holds."""
    return board.owners[row][col] if board.owners and board.rows[row][col] != EMPTY else ""
