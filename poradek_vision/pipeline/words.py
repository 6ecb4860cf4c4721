"""What a person said, on disk: ``corrections.csv``, and what was filled into ``to_review.csv``, which moves there."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from poradek_vision.errors import SettingsError
from poradek_vision.files import (
    Filled,
    as_meant,
    load_corrections,
    load_to_review,
    locked,
    parse_grid,
    save_corrections,
)
from poradek_vision.model import Board, Correction, Game, Outcome, Text, photo_of
from poradek_vision.settle import with_words

CORRECTIONS = "corrections.csv"

Words = tuple[Correction, ...]
"""All that a person said, oldest first."""


def load_words(results: Path, game: Game) -> tuple[Words, Filled]:
    """All that a person said about a batch.

    Parameters
    ----------
    results : Path
        The results folder; there need not be one yet.
    game : Game

    Returns
    -------
    tuple of Correction
        Oldest first; what was filled into ``to_review.csv`` is among them, and written down.
    Filled
        What came from there, and the numbers of its rows.

    Raises
    ------
    SettingsError
        If either file holds what is not understood; nothing is changed then.
    """
    return change_words(results, game, lambda words: words) if results.is_dir() else ((), Filled())


def change_words(results: Path, game: Game, change: Callable[[Words], Words]) -> tuple[Words, Filled]:
    """Change what a person said: read afresh, changed, and written whole, with nobody else of ours in between.

    Parameters
    ----------
    results : Path
        The results folder.
    game : Game
    change : callable
        From all that was said to all that is said now.

    Returns
    -------
    tuple of Correction
        All that is said now.
    Filled
        As of :func:`load_words`.

    Raises
    ------
    SettingsError
        If a file can't be read or written, or holds what is not understood; nothing is changed then.
    """
    with locked(results):
        return _changed_words(results, game, change)


@contextlib.contextmanager
def held_words(results: Path, game: Game) -> Iterator[tuple[Words, Filled]]:
    """All that a person said, as of :func:`load_words`, with nobody else of ours changing it until the block ends.

    For whoever writes ``to_review.csv``: what was filled in up to then is taken over, not written over.

    Raises
    ------
    SettingsError
        As :func:`change_words` does.
    """
    with locked(results):
        yield _changed_words(results, game, lambda words: words)


def _changed_words(results: Path, game: Game, change: Callable[[Words], Words]) -> tuple[Words, Filled]:
    """:func:`change_words` for who holds the lock."""
    filled = load_to_review(results, game)
    before = said(results, game)
    words = change(with_words(before, filled.corrections))
    if words == before:
        return before, filled
    save_corrections(results / CORRECTIONS, words)
    return said(results, game), filled


def said(results: Path, game: Game) -> Words:
    """What ``corrections.csv`` says, each word with its line."""
    return tuple(as_meant(word, game) for word in load_corrections(results / CORRECTIONS))


def with_contents(words: Iterable[Correction], outcomes: Iterable[Outcome]) -> Words:
    """Corrections that name their photo by its content, where a photo of that name is known."""
    contents = dict(map(photo_of, outcomes))
    return tuple(word if word.sha256 else replace(word, sha256=contents.get(word.photo, "")) for word in words)


def typed_boards(words: Iterable[Correction], game: Game) -> tuple[tuple[Board, ...], tuple[Text, ...]]:
    """The boards that a person typed in, and what is wrong with those that are none."""
    boards, faults = [], []
    for word in (word for word in words if word.target == "typed"):
        try:
            boards.append(typed_board(word.value, game))
        except SettingsError as error:
            faults.append(error.text)
    return tuple(boards), tuple(faults)


def typed_board(value: str, game: Game) -> Board:
    """A board as the value of a correction holds it: ``Team: RR. / R.. / ...``; without a team the no man's land.

    Parameters
    ----------
    value : str
    game : Game

    Raises
    ------
    SettingsError
        If that is no square of the game's letters.

    Examples
    --------
    >>> typed_board("Vlci: RR / ..", Game()).rows
    ('RR', '..')
    """
    name, _, lines = value.rpartition(":")
    team, where = name.strip() or None, value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…"
    grid = parse_grid("\n".join(line.strip() for line in lines.split("/")), game, where)
    if len(grid.rows) != len(grid.rows[0]):
        raise SettingsError("typed.not_square", where=where, rows=len(grid.rows), cols=len(grid.rows[0]))
    if team and grid.owners:
        raise SettingsError("typed.owners", where=where)
    nobodys = tuple(("",) * len(grid.rows) for _ in grid.rows)
    return Board(team, len(grid.rows), grid.rows, () if team else grid.owners or nobodys)


_LONGEST = 40
"""Signs of a typed board by which messages call it."""
