"""Marks written on stickers by pen, all of a board together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.candidates import candidates
from poradek_vision.mark.characters import NONE, WINDOW_PX, normalise, read_windows
from poradek_vision.mark.hands import HandSettings, compare_hands
from poradek_vision.mark.pictures import Float32Array, FloatArray
from poradek_vision.mark.stickers import Ink, ink_windows
from poradek_vision.model import Game


@dataclass(frozen=True, slots=True)
class WrittenSettings:
    """Numbers of reading written marks, each with its unit."""

    hands: HandSettings = field(default_factory=HandSettings)
    fill: float = 0.66
    """Share of a window's side that a mark takes."""
    second_look: float = 0.995
    """Marks read with less than this probability are looked at again, in all of ``_VIEWS``."""
    sure: float = 0.99
    """Least probability of a written mark."""
    thinned: float = 0.5
    """Share of full ink that is taken off, so that gaps which a blur has closed open again: an E must not pass for a B.
    """
    astray_cells: float = 0.1
    witness_sure: float = 0.5
    """Least probability of a sure mark when its ink is so thinned, and, where it lies so far from the middle of all
    that is dark on the sticker, round that middle. Of 5,900 in fonts and hands not trained on, on drawn and rendered
    lands up to hardly legible, 6 % were in doubt by these, and 2 of the others wrong: a B, and a 6 that was half
    hidden."""


_VIEWS = ((True, 1.2), (True, 1.0), (False, 1.2), (False, 0.85), (True, 0.85))
"""Windows for another look: round steady middles or not, and how much wider than the first."""
_BEST_VIEWS = 3
"""So many of all looks count, those that are surest of some mark: a window that misses its mark is sure of none."""


def read_written(
    inks: Sequence[Ink], game: Game, px: int, settings: WrittenSettings
) -> tuple[tuple[str, ...], FloatArray, npt.NDArray[np.bool_]]:
    """Read the marks on stickers among those of the game's teams.

    Parameters
    ----------
    inks : sequence of Ink
        Of all stickers of a board.
    game : Game
    px : int
        Per cell.
    settings : WrittenSettings

    Returns
    -------
    teams : tuple of str
        Names.
    scores : ndarray of shape (N, teams)
        Log-probabilities of the teams; what is missing to 1 is no team's mark.
    sure : ndarray of shape (N,), bool
    """
    teams = candidates(game)
    classes = [team.character for team in teams] + [NONE]
    windows = normalise(ink_windows(inks, px, WINDOW_PX, settings.fill))
    scores, looks = _looked(windows, classes)
    doubtful = np.nonzero(scores[:, :-1].max(1) < np.log(settings.second_look))[0]
    if len(doubtful):
        again = [
            normalise(ink_windows(inks, px, WINDOW_PX, settings.fill / wider, steady)[doubtful])
            for steady, wider in _VIEWS
        ]
        scores[doubtful] = _best(np.stack([scores[doubtful], *(_looked(view, classes)[0] for view in again)]))
    scores = compare_hands(scores, looks, classes, settings.hands)[:, :-1]
    sure = scores.max(1) >= np.log(settings.sure)
    for asked, witness in (
        (sure, thinned(windows, settings.thinned)),
        (sure & _astray(inks, settings.astray_cells * px), _steady(inks, px, settings)),
    ):
        seen, _ = _looked(witness[asked], classes)
        sure[asked] = seen[range(len(seen)), scores[asked].argmax(1)] >= np.log(settings.witness_sure)
    return tuple(team.name for team in teams), scores, sure


def _astray(inks: Sequence[Ink], most: float) -> npt.NDArray[np.bool_]:
    """Whose mark lies farther than this from where the sticker's darkness has its middle: an edge may pass for a 1."""
    return np.array([np.hypot(*np.subtract(ink.middle, ink.steady_middle)) > most for ink in inks], bool)


def _steady(inks: Sequence[Ink], px: int, settings: WrittenSettings) -> Float32Array:
    """Normalised windows round the steady middles."""
    return normalise(ink_windows(inks, px, WINDOW_PX, settings.fill, steady=True))


def thinned(windows: Float32Array, share: float) -> Float32Array:
    """Normalised windows without this share of full ink: only the middles of strokes are left.

    Examples
    --------
    >>> thinned(np.array([0.0, 0.5, 0.75, 1.0], np.float32), 0.5).tolist()
    [0.0, 0.0, 0.5, 1.0]
    """
    return np.asarray(np.clip((windows - share) / (1 - share), 0, 1.3), np.float32)


def _best(views: FloatArray) -> FloatArray:
    """Mean probabilities, as logs (N, C), over those of the views (V, N, C) that are surest of some mark."""
    surest = np.argsort(-views[:, :, :-1].max(2), axis=0)[:_BEST_VIEWS]
    mean = np.exp(np.take_along_axis(views, surest[:, :, None], axis=0)).mean(0)
    logs: FloatArray = np.log(np.maximum(mean, _LEAST))
    return logs


_LEAST = 1e-12
"""No probability is taken for less."""


def _looked(windows: Float32Array, classes: list[int]) -> tuple[FloatArray, Float32Array]:
    """Log-probabilities (N, classes) of what normalised windows show, if it is one of the marks or none, and its looks.

    A mark that resembles a character of no team (a 6 like a G) is no less a mark, so only the probability of no mark
    at all, the last of the classes, stays what it is.
    """
    seen = read_windows(windows)
    chances = np.exp(seen.log_probabilities.astype(np.float64)[:, classes])
    marks = np.maximum(chances[:, :-1], _LEAST)
    chances[:, :-1] = marks / marks.sum(1, keepdims=True) * (1 - chances[:, -1:])
    return np.log(np.maximum(chances, _LEAST)), seen.looks
