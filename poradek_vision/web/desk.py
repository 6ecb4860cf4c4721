"""The batch under review while the server runs: one change at a time, a count of changes, and what can be undone."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass

from poradek_vision.errors import PoradekError
from poradek_vision.model import Correction, Text
from poradek_vision.pipeline import Review, follow, repaint, revise, save_again
from poradek_vision.settle import subject, with_words, without_words
from poradek_vision.web.acts import Change, change_of, told_after

_MOST_UNDONE = 200
"""So many changes of a page can be undone, the last ones."""


@dataclass(frozen=True, slots=True)
class _Step:
    """What one change did: what it is on, and what was said on that before and after."""

    on: tuple[Correction, ...]
    before: tuple[Correction, ...]
    after: tuple[Correction, ...]


class Desk:
    """Holds a review; safe to use from several threads.

    Parameters
    ----------
    review : Review
    """

    def __init__(self, review: Review) -> None:
        self._lock = threading.Lock()
        self._review = self._shown = review
        self._version = 1
        self._trouble: Text | None = None
        self._unpainted: Text | None = None
        self._steps: dict[str, list[_Step]] = {}

    def tidy(self) -> None:
        """Do what may wait until nobody waits: the picture of the no man's land, and files that couldn't be written."""
        with self._lock:
            try:
                self._take(save_again(self._review))
                repaint(self._review, self._shown)
                self._shown, self._unpainted = self._review, None
            except PoradekError as error:  # tried again when nobody waits the next time
                self._unpainted = error.text

    def look(self) -> tuple[Review, int, Text | None]:
        """The review as it is by now, how often it has changed, and what is wrong with the files, if anything is."""
        with self._lock:
            try:
                self._take(follow(self._review))
                unwritten = self._review.trouble or self._unpainted
                self._warn(unwritten and Text("web.not_written", unwritten.fields))
            except PoradekError as error:  # somebody is in the middle of editing a file
                self._warn(error.text)
            return self._review, self._version, self._trouble

    def do(self, tab: str, act: Mapping[str, object]) -> Text:
        """Do what a page asks for, and say what was done.

        Parameters
        ----------
        tab : str
            Which page asks: each undoes its own changes.
        act : mapping
            See ``acts``; or ``{"do": "undo"}``.

        Raises
        ------
        ValueError
            If the page asks for nonsense.
        PoradekError
            If it can't be done; nothing is changed then. Tables that can't be written are told by :meth:`look`.
        """
        with self._lock:
            return self._undo(tab) if act.get("do") == "undo" else self._change(tab, act)

    def _change(self, tab: str, act: Mapping[str, object]) -> Text:
        self._take(follow(self._review))
        change = change_of(self._review, act)
        on = (*change.add, *change.drop)
        about = set(map(subject, on))
        before = tuple(word for word in self._review.words if subject(word) in about)
        if change.add or before:
            self._take(revise(self._review, lambda words: _changed(words, change)))
            steps = self._steps.setdefault(tab, [])
            steps.append(_Step(on, before, change.add))
            del steps[:-_MOST_UNDONE]
        return told_after(self._review, change)

    def _undo(self, tab: str) -> Text:
        """Take back the last change of a page, unless something else was said on it since."""
        steps = self._steps.get(tab)
        if not steps:
            return Text("web.nothing_to_undo")
        self._take(follow(self._review))
        step = steps.pop()
        about = set(map(subject, step.on))
        if {word for word in self._review.words if subject(word) in about} != set(step.after):
            return Text("web.changed_since")
        self._take(revise(self._review, lambda words: with_words(without_words(words, step.on), step.before)))
        return Text("web.undone")

    def _take(self, review: Review) -> None:
        before = self._review
        self._version += (review.words, review.outcomes) != (before.words, before.outcomes)
        self._review = review

    def _warn(self, trouble: Text | None) -> None:
        self._version += trouble != self._trouble
        self._trouble = trouble


def _changed(words: tuple[Correction, ...], change: Change) -> tuple[Correction, ...]:
    return with_words(without_words(words, change.drop), change.add)
