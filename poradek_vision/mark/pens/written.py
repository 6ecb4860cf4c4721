"""Marks written on stickers by pen, all of a board together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from poradek_vision.mark.candidates import Candidate, candidates, strangers
from poradek_vision.mark.characters import CHARACTERS, NONE, Characters, normalise, read_windows
from poradek_vision.mark.pens.hands import HandSettings, learn_hands
from poradek_vision.mark.pens.inks import Inks, ink_windows
from poradek_vision.mark.pictures import Float32Array, FloatArray, usual_of_kind
from poradek_vision.model import Game


@dataclass(frozen=True, slots=True)
class WrittenSettings:
    """Numbers of reading written marks, each with its unit."""

    hands: HandSettings = field(default_factory=HandSettings)
    fill: float = 0.66
    """Share of a window's side that a mark takes."""
    second_look: float = 0.97
    """Marks read with less than this probability are looked at again, in all of ``_VIEWS``."""
    own_say: float = 0.4
    """How much a mark's own doubt counts for against what the others of the board leave of it, as shares of 1."""
    own_say_between_seen: float = 0.25
    """The same where the team that a mark comes next to, by itself, has sure marks on the board, and its own has, too:
    then the others tell the two apart, and neither team hides behind the other. Of 40,387 marks on drawn lands 7.1 %
    were in doubt with this and a bound of 0.011, 21 wrong without one; with 0.4 and 0.012 it had been 7.8 % and 22.
    """
    least_by_itself: float = 0.4
    """But only for what is read by itself with this probability."""
    least_doubt: float = 0.002
    most_doubt: float = 0.011
    """No doubt counts as less than the first, so that others, unless both teams are seen, make nothing sure that by
    itself is read with less than 0.86; a mark with more than the second is in doubt. What is silently wrong mostly
    looks like another mark to the eye, too."""
    cut_cells: float = 0.17
    cut_times: float = 2.7
    """Where so much ink lies along the edge of what is seen of a sticker, the mark may go on under another: then its
    doubt counts so many times."""
    hidden_share: float = 0.1
    hidden_of: int = 8
    hidden_times: float = 5.0
    """Where a team has so many marks on average, one of which no more than this share of that are sure may hide behind
    another: one person's marks may all be like another letter. Then doubts for which it comes next count so often."""
    thinned: float = 0.55
    """Share of full ink that is taken off, so that gaps which a blur has closed open again: an E must not pass for a B.
    """
    rival: float = 0.7
    """A closed mark is not sure if, so thinned, it is another with more than this probability, however sure it was:
    an E was read as a B with 0.999. That it be no mark then, as when the ink of a thin pen is all gone, speaks for
    none: of 35,306 drawn marks 150 were in doubt for that alone, and none of them wrong. With 0.5 for 0.7, 315 of
    42,924 were in doubt for this alone, most of them clear noughts and Bs, and none of them wrong; with 0.8 a B passed
    for a D."""
    foreign_nats: float = 4.0
    """A mark that looks so much more like a character of no team than like what it was taken for is in doubt: someone
    may have written another. Of 2,779 drawn marks of teams that the game does not have 1,091 were another's for sure
    without this; of 1,964 others 86 are with it. Of right marks it puts 4 in 1,000 in doubt."""
    sign_nats: float = 3.0
    usual_sign_nats: float = 1.0
    few_signs: int = 4
    """A mark that looks by more than the first rather like a sign than like a character is in doubt; by more than the
    second, where it is taken for a team that has so many marks and most of them do."""
    least_found: float = 0.25
    usual_own: float = 0.985
    """A board bears no marks if strokes are found on fewer of its stickers than the first share, and half of them are
    some mark by themselves with less than the second probability: so look codes blurred beyond reading, on 185 drawn
    lands 0.97 at the most; on six of marks as blurred it was more than 0.999."""
    astray_cells: float = 0.1
    witness_sure: float = 0.5
    """Least probability of a sure mark, where it lies so far from the middle of all that is dark on the sticker, round
    that middle."""


_VIEWS = ((True, 1.2), (True, 1.0), (False, 1.2), (False, 0.85), (True, 0.85))
"""Windows for another look: round steady middles or not, and how much wider than the first."""


def read_written(
    inks: Inks, game: Game, px: int, settings: WrittenSettings, quarter_turns: int = 0
) -> tuple[tuple[str, ...], FloatArray, npt.NDArray[np.bool_]]:
    """Read the marks on stickers among those of the game's teams.

    Parameters
    ----------
    inks : Inks
        Of all stickers of a board.
    game : Game
    px : int
        Per cell.
    settings : WrittenSettings
    quarter_turns : int
        How often to turn the stickers counterclockwise by a quarter to have their marks upright.

    Returns
    -------
    teams : tuple of str
        Names.
    scores : ndarray of shape (N, teams)
        Log-probabilities of the teams; what is missing to 1 is no team's mark.
    sure : ndarray of shape (N,), bool
    """
    teams = candidates(game)
    names = tuple(team.name for team in teams)
    if not len(inks.cut_px):
        return names, np.zeros((0, len(teams))), np.zeros(0, np.bool_)
    classes = [team.character for team in teams] + [NONE]

    def view(of: Inks, steady: bool = False, wider: float = 1.0) -> Float32Array:
        windows = ink_windows(of, px, inks.usual_extent_px, settings.fill / wider, steady)
        return normalise(np.rot90(windows, quarter_turns, (1, 2)))

    windows = view(inks)
    seen = read_windows(windows)
    scores, looks = _among(seen, classes), seen.looks
    doubtful = np.nonzero(scores[:, :-1].max(1) < np.log(settings.second_look))[0]
    if len(doubtful):
        again = [_among(read_windows(view(inks.of(doubtful), *each)), classes) for each in _VIEWS]
        scores[doubtful] = _together(np.stack([scores[doubtful], *again]))
    alone, scores = scores, learn_hands(scores, windows, looks, settings.hands)[:, :-1]
    likeliest = scores.argmax(1)
    cut = inks.cut_px > settings.cut_cells * px
    sure = _doubt(alone, scores, cut, settings) <= settings.most_doubt
    closed = np.isin(np.array(classes)[likeliest], _CLOSED)
    which = np.nonzero(sure & closed)[0]
    sure[which] = ~_is_another(thinned(windows[which], settings.thinned), classes, likeliest[which], settings.rival)
    which = np.nonzero(sure & _astray(inks, settings.astray_cells * px))[0]
    round_middle = _among(read_windows(view(inks.of(which), steady=True)), classes)
    sure[which] = round_middle[range(len(which)), likeliest[which]] >= np.log(settings.witness_sure)
    sure &= ~_are_foreign(seen, teams, likeliest, settings) & ~_are_signs(seen.sign_nats, likeliest, settings)
    sure &= not _are_blots(inks, alone, settings)
    return names, scores, sure


def _are_foreign(
    seen: Characters, teams: Sequence[Candidate], likeliest: npt.NDArray[np.intp], settings: WrittenSettings
) -> npt.NDArray[np.bool_]:
    """Which marks look more like a character of no team than like that of the team they were taken for."""
    characters = np.array([team.character for team in teams])[likeliest]
    taken_for = seen.log_probabilities[range(len(likeliest)), characters]
    others = seen.log_probabilities[:, [stranger.character for stranger in strangers(teams)]]
    return np.asarray(others.max(1, initial=-np.inf) - taken_for > settings.foreign_nats)


def _are_signs(
    sign_nats: Float32Array, likeliest: npt.NDArray[np.intp], settings: WrittenSettings
) -> npt.NDArray[np.bool_]:
    """Which marks (N,) look like signs, by themselves or together with most that are taken for the same team."""
    many = np.bincount(likeliest)[likeliest] >= settings.few_signs
    usual = np.where(many, usual_of_kind(sign_nats, likeliest), -np.inf)
    alike = np.minimum(sign_nats, usual) > settings.usual_sign_nats
    return np.asarray((sign_nats > settings.sign_nats) | alike)


def _are_blots(inks: Inks, alone: FloatArray, settings: WrittenSettings) -> bool:
    """Whether a board's stickers show blots rather than strokes, by what each is by itself, as log-probabilities."""
    found, own = np.mean(inks.extents_px > 0), np.median(alone[:, :-1].max(1))
    return bool(found < settings.least_found and own < np.log(settings.usual_own))


_CLOSED = tuple(CHARACTERS.index(character) for character in "ABDOPQR04689")
"""Marks with an eye, which others have when a gap is closed."""


def _is_another(
    windows: Float32Array, classes: Sequence[int], likeliest: npt.NDArray[np.intp], rival: float
) -> npt.NDArray[np.bool_]:
    """Whether other windows of marks speak against what they were taken for, as places in ``classes``."""
    marks = _among(read_windows(windows), classes)[:, :-1]
    marks[range(len(marks)), likeliest] = -np.inf
    return np.asarray(marks.max(1) > np.log(rival))


def _doubt(alone: FloatArray, by_all: FloatArray, cut: npt.NDArray[np.bool_], settings: WrittenSettings) -> FloatArray:
    """How much in doubt marks are, (N,), by what each is by itself and given the others, as log-probabilities.

    It is the weighed geometric mean of what is missing to 1 in both: so the two need not both be sure, and what one is
    very sure of stands where the other doubts a little. It counts more where ink may go on under another sticker, or
    where the team that comes next may hide, and a mark's own doubt less where both teams are seen.
    """
    rows, likeliest = np.arange(len(alone)), by_all.argmax(1)
    own, others = (np.maximum(1 - np.exp(some[rows, likeliest]), settings.least_doubt) for some in (alone, by_all))
    times = np.where(cut, settings.cut_times, 1)
    doubt = own**settings.own_say * others ** (1 - settings.own_say) * times
    seen, next_seen = _seen(alone[:, :-1], likeliest, doubt <= settings.most_doubt, settings)
    between_seen = own**settings.own_say_between_seen * others ** (1 - settings.own_say_between_seen) * times
    hidden_times = np.where(seen & ~next_seen, settings.hidden_times, 1)
    between = seen & next_seen & (own <= 1 - settings.least_by_itself)
    return np.asarray(np.where(between, between_seen, doubt * hidden_times))


def _seen(
    alone: FloatArray, likeliest: npt.NDArray[np.intp], sure: npt.NDArray[np.bool_], settings: WrittenSettings
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Of which marks the team has sure ones, and of which the one that comes next, by itself; none on a small board."""
    count, teams = alone.shape
    if teams < 2 or count < settings.hidden_of * teams:
        return np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    seen = np.bincount(likeliest[sure], minlength=teams) > settings.hidden_share * count / teams
    others = alone.copy()
    others[range(count), likeliest] = -np.inf
    return seen[likeliest], seen[others.argmax(1)]


def _astray(inks: Inks, most: float) -> npt.NDArray[np.bool_]:
    """Whose mark lies farther than this from where the sticker's darkness has its middle: an edge may pass for a 1."""
    return np.asarray(np.hypot(*(inks.middles - inks.steady_middles).T) > most)


def thinned(windows: Float32Array, share: float) -> Float32Array:
    """Normalised windows without this share of full ink: only the middles of strokes are left.

    Examples
    --------
    >>> thinned(np.array([0.0, 0.5, 0.75, 1.0], np.float32), 0.5).tolist()
    [0.0, 0.0, 0.5, 1.0]
    """
    return np.asarray(np.clip((windows - share) / (1 - share), 0, 1.3), np.float32)


def _together(views: FloatArray) -> FloatArray:
    """What views (V, N, C) show together, as log-probabilities (N, C): each counts for as much as it shows some mark.

    A window that misses its mark shows none, so the view that is surest of a mark tells how likely there is one.
    """
    chances = np.exp(views)
    marked = 1 - chances[..., -1:]
    most = marked.max(0)
    marks = chances[..., :-1].sum(0) / np.maximum(marked.sum(0), _LEAST) * most
    logs: FloatArray = np.log(np.maximum(np.concatenate([marks, 1 - most], 1), _LEAST))
    return logs


_LEAST = 1e-12
"""No probability is taken for less."""


def _among(seen: Characters, classes: Sequence[int]) -> FloatArray:
    """Log-probabilities (N, classes) of what windows show, if it is one of the marks or none.

    A mark that resembles a character of no team (a 6 like a G) is no less a mark, so only the probability of no mark
    at all, the last of the classes, stays what it is.
    """
    chances = np.exp(seen.log_probabilities.astype(np.float64)[:, list(classes)])
    marks = np.maximum(chances[:, :-1], _LEAST)
    chances[:, :-1] = marks / marks.sum(1, keepdims=True) * (1 - chances[:, -1:])
    logs: FloatArray = np.log(np.maximum(chances, _LEAST))
    return logs
