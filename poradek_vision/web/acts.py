"""What a page asks for becomes corrections. An act is an object with ``do`` and what that needs.

==========  ==================================  ==============================================================
do          with                                means
==========  ==================================  ==============================================================
cell        photo, board, row, col, value       the cell holds this colour, or nothing
owner       photo, board, row, col, value       this team stuck the sticker
confirm     photo, board, row, col              the cell is as it was read
forget      photo, board, row, col              nothing was said on the cell
team        photo, board, value                 it is this team's board; without a value: as it was read
corners     photo, board, value, size           the grid's corners, eight numbers in file px, and its rows
found       photo, board                        the grid is as it was found
board       photo, board, value                 ``no``: it is no board; ``ok``: it is; without a value: unsaid
confirm all photo, board                        every open cell of the board is as it was read
typed       team, size, value                   the board's rows as text; without a value: not typed
==========  ==================================  ==============================================================

Photos are named by their content, boards, rows and columns count from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from poradek_vision.errors import SettingsError
from poradek_vision.files import are_corners, load_photo
from poradek_vision.model import (
    BOARD_SIZES,
    EMPTY,
    Correction,
    Failure,
    Flag,
    LedgerRow,
    SettledCell,
    Settlement,
    Target,
    Text,
)
from poradek_vision.pipeline import Review, lie_within, settled, typed_board
from poradek_vision.settle import rows_with_readings, without_words
from poradek_vision.web.album import boards_of, file_of, name_of
from poradek_vision.web.words import colour_text

Act = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Change:
    """Corrections to add, those on whose subjects nothing is said any more, and what to tell the person."""

    told: Text
    add: tuple[Correction, ...] = ()
    drop: tuple[Correction, ...] = ()


def change_of(review: Review, act: Act) -> Change:
    """What an act changes.

    Parameters
    ----------
    review : Review
    act : mapping

    Raises
    ------
    ValueError
        If it is no act, or names what is not there.
    SettingsError
        If a typed board is none.
    """
    done = _ACTS.get(str(act.get("do")))
    if done is None:
        raise ValueError(f"no such act: {act.get('do')}")
    return done(review, act)


def told_after(review: Review, change: Change) -> Text:
    """What to tell a person of a change that has been made: of corners, whether the board could be read by them.

    Parameters
    ----------
    review : Review
        After it.
    change : Change
    """
    word = next((word for word in change.add if word.target == "corners"), None)
    if word is None or any(
        one.index == word.index and one.grid.how == "by hand" for one in boards_of(review, word.sha256)
    ):
        return change.told
    failures = (one for one in review.outcomes if isinstance(one, Failure) and one.sha256 == word.sha256)
    return next((failure.reason for failure in failures), Text("web.corners_unused"))


def _settled_row(review: Review, settlement: Settlement, act: Act) -> LedgerRow | None:
    """The row of the ledger that the board of an act has, if there is one."""
    for row, reading in rows_with_readings(review.scored.readings, settlement):
        if (reading.sha256, reading.index) == _place(act):
            return row
    return None


# --- cells ---------------------------------------------------------------------------------------------------------


def _set_cell(review: Review, act: Act) -> Change:
    value = str(act.get("value"))
    if value not in (*review.game.codes, EMPTY):
        raise ValueError(f"no such colour: {value}")
    cell = _cell(review, act)
    word = _word(review, act, "cell", value)
    told = _told("web.cell_set", cell, value=colour_text(value, review.game))
    if not cell.flags and cell.colour == value and not cell.corrected:
        return Change(told)
    return Change(told, drop=(word,)) if _goes_without_saying(review, act, word) else Change(told, (word,))


def _set_owner(review: Review, act: Act) -> Change:
    value = str(act.get("value"))
    if review.game.teams and value not in (*(team.name for team in review.game.teams), ""):
        raise ValueError(f"no such team: {value}")
    cell = _cell(review, act)
    told = _told("web.owner_set", cell, value=value) if value else _told("web.owner_unsaid", cell)
    return Change(told, (_word(review, act, "owner", value),))


def _confirm(review: Review, act: Act) -> Change:
    cell = _cell(review, act)
    words = tuple(_confirming(review, act, cell))
    if not words and cell.flags:
        return Change(Text("web.owner_needed"))
    return Change(_told("web.confirmed", cell, value=colour_text(cell.colour, review.game)), words)


def _forget(review: Review, act: Act) -> Change:
    told = _told("web.forgotten", _cell(review, act))
    return Change(told, drop=(_word(review, act, "cell", EMPTY), _word(review, act, "owner", "")))


def _confirm_all(review: Review, act: Act) -> Change:
    row = _settled_row(review, review.scored.settlement, act)
    cells = row.cells if row else ()
    words = tuple(
        word
        for cell in cells
        if cell.flags
        for word in _confirming(review, {**act, "row": cell.row, "col": cell.col}, cell)
    )
    return Change(Text("web.all_confirmed"), words)


def _confirming(review: Review, act: Act, cell: SettledCell) -> Iterator[Correction]:
    """What says that an open cell is as it was read: its colour if that is in doubt, its owner if one was read."""
    if set(cell.flags) - {Flag.OWNER_UNCLEAR}:
        yield _word(review, act, "cell", cell.colour)
    if Flag.OWNER_UNCLEAR in cell.flags and cell.owner:
        yield _word(review, act, "owner", cell.owner)


def _goes_without_saying(review: Review, act: Act, word: Correction) -> bool:
    """Whether a cell that a person set would settle to the same colour, without doubt, if nothing were said on it."""
    if not _cell(review, act).corrected:
        return False
    words = without_words(review.words, (word,))
    cell = _cell(review, act, settled(review.scored.readings, review.outcomes, words, review.game))
    return cell.colour == word.value and not cell.flags


def _cell(review: Review, act: Act, settlement: Settlement | None = None) -> SettledCell:
    """The cell that an act is about, as it settled."""
    row = _settled_row(review, settlement or review.scored.settlement, act)
    place = _number(act, "row"), _number(act, "col")
    for cell in row.cells if row else ():
        if (cell.row, cell.col) == place:
            return cell
    raise ValueError("no such cell")


def _told(key: str, cell: SettledCell, **fields: str) -> Text:
    return Text.of(key, row=cell.row + 1, col=cell.col + 1, **fields)


# --- boards --------------------------------------------------------------------------------------------------------


def _set_team(review: Review, act: Act) -> Change:
    value = str(act.get("value") or "")
    word = _word(review, act, "team", value)
    if not value:
        return Change(Text("web.team_unsaid"), drop=(word,))
    if value not in review.game.team_names(review.scored.settlement.boards):
        raise ValueError(f"no such team: {value}")
    return Change(Text.of("web.team_set", team=value), (word,))


def _set_corners(review: Review, act: Act) -> Change:
    value = act.get("value")
    if not isinstance(value, list) or len(value) != 8 or not all(map(_is_coordinate, value)):
        raise ValueError("corners are eight numbers")
    size = _number(act, "size")
    if size not in BOARD_SIZES:
        raise ValueError(f"no such size: {size}")
    corners = " ".join(f"{float(number):.1f}" for number in value)
    words = (_word(review, act, "corners", corners), _word(review, act, "size", str(size)))
    if fault := _corners_fault(review, act, [float(number) for number in value]):
        return Change(fault)
    return Change(Text("web.corners_set"), words, (_word(review, act, "board", ""),))


def _corners_fault(review: Review, act: Act, corners: list[float]) -> Text | None:
    """Why corners can't be those of a board in a photo, None if they can."""
    sha256, board = _place(act)
    if board > len(boards_of(review, sha256)):
        raise ValueError(f"no such board: {board}")
    if not are_corners(corners):
        return Text("web.corners_crossed")
    photo = load_photo(file_of(review, sha256), min_pixels=1)
    if photo.sha256 != sha256:
        return Text("web.photo_changed")
    return None if lie_within(corners, photo.full_size) else Text("web.corners_outside")


def _as_found(review: Review, act: Act) -> Change:
    return Change(Text("web.as_found_done"), drop=(_word(review, act, "corners", ""), _word(review, act, "size", "")))


def _set_board(review: Review, act: Act) -> Change:
    value = str(act.get("value") or "")
    word = _word(review, act, "board", value)
    if value not in ("no", "ok", ""):
        raise ValueError(f"no such answer: {value}")
    return Change(Text(f"web.board_{value or 'unsaid'}"), *(((word,), ()) if value else ((), (word,))))


def _type(review: Review, act: Act) -> Change:
    team, size, text = str(act.get("team") or ""), _number(act, "size"), str(act.get("value") or "").strip()
    rows = " / ".join(line.strip() for line in (text.upper() if team else text).splitlines() if line.strip())
    value = f"{team}: {rows}" if rows else f"{team}: {' / '.join('.' * size)}"
    word = Correction("", "", 0, "typed", None, None, value)
    board_meant = {"team": team or "–", "size": size}
    if not rows:
        return Change(Text.of("web.typed_gone", **board_meant), drop=(word,))
    board = typed_board(value, review.game)
    if board.size != size:
        raise SettingsError("web.typed_size", rows=board.size, size=size)
    return Change(Text.of("web.typed_set", **board_meant), (word,))


def _is_coordinate(value: object) -> bool:
    """Whether it is a number that a point in some photo may have; no such one is infinite, or NaN."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _FAR_PX


_FAR_PX = 1_000_000
"""No photo that is read has such a side."""


# --- words ---------------------------------------------------------------------------------------------------------


def _word(review: Review, act: Act, target: Target, value: str) -> Correction:
    """A correction of what an act is about."""
    sha256, board = _place(act)
    on_cell = target in ("cell", "owner")
    row, col = (_number(act, "row"), _number(act, "col")) if on_cell else (None, None)
    try:
        photo = name_of(review, sha256)
    except LookupError as error:
        raise ValueError(str(error)) from error
    return Correction(sha256, photo, board, target, row, col, value)


def _place(act: Act) -> tuple[str, int]:
    """The photo and the board of an act."""
    return str(act.get("photo")), _number(act, "board")


def _number(act: Act, name: str) -> int:
    value = act.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1000:
        raise ValueError(f"{name} is no number")
    return value


_ACTS: Mapping[str, Callable[[Review, Act], Change]] = {
    "cell": _set_cell,
    "owner": _set_owner,
    "confirm": _confirm,
    "forget": _forget,
    "team": _set_team,
    "corners": _set_corners,
    "found": _as_found,
    "board": _set_board,
    "confirm all": _confirm_all,
    "typed": _type,
}
