"""What a person said, sorted: corrections that can be applied, and a note for each that can't.

Corrections of the size and the corners are obeyed before a board is read; here is told where they could not be. Typed
boards are no concern of photos: see ``typed``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from poradek_vision.model import (
    EMPTY,
    BoardReading,
    Correction,
    Failure,
    Flag,
    Game,
    SettledCell,
    Text,
)


def sort_corrections(
    readings: Sequence[BoardReading], failures: Iterable[Failure], corrections: Iterable[Correction], game: Game
) -> tuple[list[Correction], list[Text]]:
    """Part corrections that are to be applied from those that can't; obeyed corners and sizes are among neither.

    Parameters
    ----------
    readings : sequence of BoardReading
    failures : iterable of Failure
    corrections : iterable of Correction
        Oldest first.
    game : Game

    Returns
    -------
    list of Correction
        Of cells, owners, teams and boards that are none, in the given order.
    list of Text
        A note for each of the others, and for each thing on which they contradict.
    """
    seen = {(reading.sha256, reading.index): reading for reading in readings}
    without_board = {failure.sha256 for failure in failures}
    photos = {reading.sha256 for reading in readings} | without_board
    said = [correction for correction in corrections if correction.target != "typed"]
    with_corners = {(word.sha256, word.index) for word in said if word.target == "corners"}
    held, notes = [], []
    for correction in said:
        place = (correction.sha256, correction.index)
        if correction.sha256 not in photos:
            fault: Text | None = Text.of("settle.photo_gone", photo=correction.photo)
        elif correction.target == "size":
            fault = None if place in with_corners else _on_board("settle.size_alone", correction)
        elif correction.index == 0 and correction.sha256 in without_board and correction.target in ("board", "corners"):
            fault = None  # the photo's own reason says why its corners were of no use
        else:
            fault = _fault(correction, seen.get(place), game)
        if fault:
            notes.append(fault)
        else:
            held.append(correction)
    good = [correction for correction in held if correction.target not in ("corners", "size")]
    return good, [*notes, *_contradictions(held)]


def _contradictions(words: Iterable[Correction]) -> Iterator[Text]:
    """A note for each thing on which a photo's words differ, as in a file edited by hand; the last counts."""
    subjects: dict[tuple[object, ...], list[Correction]] = {}
    for word in words:
        subjects.setdefault(subject(word), []).append(word)
    for same in subjects.values():
        last = same[-1]
        if values := dict.fromkeys(word.value for word in same if word.value != last.value):
            yield Text.of(
                "settle.contradict",
                photo=last.photo,
                board=last.index + 1,
                lines=", ".join(str(word.line) for word in same),
                what=last.target if last.row is None else f"{last.target} {_place(last)}",
                values=" / ".join((*values, last.value)),
                value=last.value,
            )


def _fault(correction: Correction, reading: BoardReading | None, game: Game) -> Text | None:
    """Why a correction can't be applied, None if it can."""
    if correction.target == "corners":
        obeyed = reading is not None and reading.grid.how == "by hand"
        return None if obeyed else _on_board("settle.corners_unused", correction)
    if reading is None:
        return _on_board("settle.no_such_board", correction)
    if correction.target == "board":
        return None
    if correction.target == "team":
        return _team_fault(correction, reading, game)
    row, col = correction.row, correction.col
    if row is None or col is None or not (0 <= row < reading.grid.rows and 0 <= col < reading.grid.cols):
        return Text.of("settle.no_such_cell", photo=correction.photo, cell=_place(correction))
    if correction.target == "cell" and correction.value not in (*game.codes, EMPTY):
        return _refused("settle.no_such_colour", correction, ", ".join((*game.codes, EMPTY)))
    names = [team.name for team in game.teams]
    if correction.target == "owner" and names and correction.value not in (*names, ""):
        return _refused("settle.no_such_owner", correction, ", ".join(names))
    return None


def _team_fault(correction: Correction, reading: BoardReading, game: Game) -> Text | None:
    """Why a correction of the team can't be applied, None if it can."""
    names = [team.name for team in game.teams]
    if game.is_land(reading.grid):
        return Text.of("settle.land_has_no_team", photo=correction.photo, team=correction.value)
    if not correction.value or (names and correction.value not in names):
        return _refused("settle.no_such_team", correction, ", ".join(names) or "…")
    return None


def _on_board(key: str, correction: Correction) -> Text:
    """A note on a board in a photo, which people count from 1."""
    return Text.of(key, photo=correction.photo, board=correction.index + 1)


def _refused(key: str, correction: Correction, allowed: str) -> Text:
    """A note on a value that is not allowed."""
    return Text.of(key, photo=correction.photo, cell=_place(correction), value=correction.value, allowed=allowed)


def _place(correction: Correction) -> str:
    """A cell as people count: ``row, column`` from 1."""
    return ", ".join("–" if number is None else str(number + 1) for number in (correction.row, correction.col))


def correct_cells(
    cells: Iterable[SettledCell], corrections: Iterable[Correction], asks_owner: bool
) -> tuple[list[SettledCell], list[Text]]:
    """Overrule the settled cells of one board; of several words on one cell the last counts.

    Parameters
    ----------
    cells : iterable of SettledCell
        Row by row.
    corrections : iterable of Correction
        Of cells and owners of this board, already in its frame; possibly from several photos.
    asks_owner : bool
        Whether it matters who stuck a sticker.

    Returns
    -------
    list of SettledCell
        Row by row.
    list of Text
        A note where two photos' corrections contradict, and where an owner has no sticker to own.
    """
    by_place = {(cell.row, cell.col): cell for cell in cells}
    last, notes = _last_words(corrections)
    for (target, row, col), correction in sorted(last.items(), key=lambda item: item[0][0]):  # colours before owners
        cell = by_place[row, col]
        if target == "cell":
            by_place[row, col] = _with_colour(cell, correction.value, asks_owner)
        elif asks_owner and cell.colour != EMPTY:
            by_place[row, col] = _with_owner(cell, correction.value)
        else:
            notes.append(Text.of("settle.owner_of_nothing", photo=correction.photo, cell=_place(correction)))
    return list(by_place.values()), notes


_Place = tuple[str, int, int]


def _last_words(corrections: Iterable[Correction]) -> tuple[Mapping[_Place, Correction], list[Text]]:
    """The last correction of each place, and a note where it contradicts another photo's."""
    last: dict[_Place, Correction] = {}
    notes = []
    for correction in corrections:
        if correction.row is None or correction.col is None:
            continue
        place = (correction.target, correction.row, correction.col)
        before = last.get(place)
        if before and before.value != correction.value and before.sha256 != correction.sha256:
            notes.append(
                Text.of(
                    "settle.corrections_differ",
                    photo=correction.photo,
                    other=before.photo,
                    cell=_place(correction),
                    value=correction.value,
                )
            )
        last[place] = correction
    return last, notes


def _with_colour(cell: SettledCell, colour: str, asks_owner: bool) -> SettledCell:
    """A cell whose colour a person set; its owner stays in doubt if it was."""
    if colour == EMPTY:
        return replace(cell, colour=EMPTY, owner="", confidence=1.0, flags=(), corrected=True)
    unclear = asks_owner and (not cell.owner or Flag.OWNER_UNCLEAR in cell.flags)
    flags = (Flag.OWNER_UNCLEAR,) if unclear else ()
    return replace(cell, colour=colour, confidence=1.0, flags=flags, corrected=True)


def _with_owner(cell: SettledCell, owner: str) -> SettledCell:
    """A cell whose owner a person set; its colour stays in doubt if it was."""
    flags = tuple(flag for flag in cell.flags if flag is not Flag.OWNER_UNCLEAR)
    return replace(cell, owner=owner, confidence=cell.confidence if flags else 1.0, flags=flags, corrected=True)


def agreeing_cells(votes: Iterable[SettledCell], corrections: Iterable[Correction]) -> list[Text]:
    """A text for each correction of a cell or an owner that the photos say without doubt by themselves.

    Parameters
    ----------
    votes : iterable of SettledCell
        Before they were corrected.
    corrections : iterable of Correction
        In the frame of the board.
    """
    seen = {(cell.row, cell.col): cell for cell in votes if not cell.flags}
    return [
        Text.of("settle.agrees", photo=word.photo, cell=_place(word), value=word.value)
        for word in corrections
        if word.row is not None
        and word.col is not None
        and (cell := seen.get((word.row, word.col)))
        and word.value == (cell.colour if word.target == "cell" else cell.owner)
    ]


def agreeing_teams(readings: Iterable[BoardReading], corrections: Iterable[Correction]) -> list[Text]:
    """A text for each correction of a team that was read without doubt by itself."""
    teams = {(one.sha256, one.index): one.mark.team for one in readings if not one.mark.flags}
    return [
        Text.of("settle.agrees_team", photo=word.photo, value=word.value)
        for word in corrections
        if word.target == "team" and teams.get((word.sha256, word.index)) == word.value
    ]


def with_words(corrections: Iterable[Correction], words: Sequence[Correction]) -> tuple[Correction, ...]:
    """Corrections with new ones at their end, each in place of what was said before on the same thing.

    Examples
    --------
    >>> old = Correction("ab", "a.jpg", 0, "cell", 1, 2, "R")
    >>> [word.value for word in with_words([old], [replace(old, value="G"), replace(old, col=0)])]
    ['G', 'R']
    """
    new = {subject(word) for word in words}
    return (*(word for word in corrections if subject(word) not in new), *words)


def without_words(corrections: Iterable[Correction], words: Iterable[Correction]) -> tuple[Correction, ...]:
    """Corrections without all that was said on the things that some words are on."""
    gone = {subject(word) for word in words}
    return tuple(word for word in corrections if subject(word) not in gone)


def subject(word: Correction) -> tuple[object, ...]:
    """What a correction is on: two with the same subject can't both hold.

    A photo is known by its content, by its name where that is all there is; a typed board by its team and size.
    """
    if word.target == "typed":
        team, _, rows = word.value.rpartition(":")
        return word.target, team.strip(), rows.count("/")
    return word.sha256 or word.photo, word.index, word.target, word.row, word.col
