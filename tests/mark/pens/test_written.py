"""Written marks: when they are sure."""

import cv2
import numpy as np
import pytest

from poradek_vision.mark.pens.inks import Inks
from poradek_vision.mark.pens.written import WrittenSettings, read_written
from poradek_vision.model import Game, Team

PX = 48
GAME = Game(teams=tuple(Team(mark, mark) for mark in "ABE1"))


def inks(draw, middle, steady, count=4, cut=0):
    """Stickers as large as their patches, with the same drawn on all of them."""
    strokes = np.zeros((72, 72), np.uint8)
    draw(strokes)
    darkness = cv2.GaussianBlur(strokes.astype(np.float32), (0, 0), 0.8) / 255 * np.float32(0.8)
    each = (darkness, np.array(middle, float), np.array(steady, float), np.array(22.0), np.array(cut), np.array(True))
    return Inks(*(np.stack([part] * count) for part in each))


def bar(x):
    """A stroke 22 px high."""
    return lambda strokes: cv2.line(strokes, (x, 25), (x, 46), 255, 3)


def letter_e(closed):
    """An E whose right side is ``closed`` by so much ink: then it looks like a B."""

    def draw(strokes):
        for y in (25, 35, 46):
            cv2.line(strokes, (29, y), (42, y), 255, 3)
        cv2.line(strokes, (29, 25), (29, 46), 255, 3)
        cv2.line(strokes, (42, 25), (42, 46), closed, 2)

    return draw


def read(some):
    """The likeliest team of the first sticker, and whether it is sure."""
    teams, scores, sure = read_written(some, GAME, PX, WrittenSettings())
    return teams[int(scores[0].argmax())], bool(sure[0])


def test_a_stroke_in_the_middle_is_a_1():
    assert read(inks(bar(36), (36, 35.5), (36, 35.5))) == ("1", True)


def test_an_edge_far_from_the_middle_of_the_ink_is_not_sure():
    assert not read(inks(bar(58), (58, 35.5), (40, 35.5)))[1]


def test_a_mark_that_may_go_on_under_another_sticker_must_be_surer():
    wary = WrittenSettings(cut_times=100)
    for cut, sure in ((0, True), (12, False)):
        some = inks(bar(36), (36, 35.5), (36, 35.5), cut=cut)
        assert bool(read_written(some, GAME, PX, wary)[2][0]) == sure


@pytest.mark.parametrize("closed", [0, 110, 170, 200])
def test_an_e_is_never_a_b_for_sure(closed):
    team, sure = read(inks(letter_e(closed), (35.5, 35.5), (35.5, 35.5)))
    assert team == "E" or not sure


def test_scores_are_log_probabilities():
    _, scores, _ = read_written(inks(bar(36), (36, 35.5), (36, 35.5)), GAME, PX, WrittenSettings())
    assert np.all(np.exp(scores).sum(1) <= 1 + 1e-6)


def test_where_nobody_wrote_nothing_is_read():
    none = inks(bar(36), (36, 35.5), (36, 35.5)).of(np.zeros(0, np.intp))
    teams, scores, sure = read_written(none, GAME, PX, WrittenSettings())
    assert (teams, scores.shape, sure.shape) == (("A", "B", "E", "1"), (0, 4), (0,))


def round_b(strokes):
    """A clear B."""
    cv2.line(strokes, (29, 25), (29, 46), 255, 3)
    cv2.ellipse(strokes, (31, 30), (8, 5), 0, -90, 90, 255, 3)
    cv2.ellipse(strokes, (31, 41), (10, 6), 0, -90, 90, 255, 3)


def among_clear_es(*others):
    """Stickers behind sixty that bear a clear E."""
    many = inks(letter_e(0), (35.5, 35.5), (35.5, 35.5), count=60)
    return Inks(*(np.concatenate([getattr(some, name) for some in (many, *others)]) for name in Inks.__slots__))


@pytest.mark.parametrize(("own_say", "clear"), [(0.4, True), (0.0, False)])
def test_a_clear_mark_alone_of_its_kind_on_a_board_is_sure(own_say, clear):  # else the others would leave it in doubt
    both = among_clear_es(inks(bar(36), (36, 35.5), (36, 35.5), count=1))
    teams, scores, sure = read_written(both, GAME, PX, WrittenSettings(own_say=own_say, most_doubt=0.02))
    assert (teams[int(scores[-1].argmax())], bool(sure[-1])) == ("1", clear)


@pytest.mark.parametrize(("own_say", "clear"), [(0.4, False), (0.0, True)])
def test_others_make_no_mark_sure_that_nobody_could_read_by_itself(own_say, clear):
    both = among_clear_es(inks(letter_e(122), (35.5, 35.5), (35.5, 35.5), count=1))  # by itself as likely a B
    teams, scores, sure = read_written(both, GAME, PX, WrittenSettings(own_say=own_say, hidden_times=1))
    assert (teams[int(scores[-1].argmax())], bool(sure[-1])) == ("E", clear)


@pytest.mark.parametrize(("rival", "clear"), [(0.5, False), (1.0, True)])
def test_a_closed_mark_that_is_another_when_thinner_is_in_doubt(rival, clear):
    settings = WrittenSettings(most_doubt=0.2, rival=rival, sign_nats=99, usual_sign_nats=99)
    assert bool(read_written(inks(letter_e(170), (35.5, 35.5), (35.5, 35.5)), GAME, PX, settings)[2][0]) == clear


@pytest.mark.parametrize(("times", "clear"), [(5, False), (1, True)])
def test_a_team_that_has_no_mark_at_all_may_hide_behind_another(times, clear):
    both = among_clear_es(inks(letter_e(104), (35.5, 35.5), (35.5, 35.5), count=1))  # next comes B
    assert bool(read_written(both, GAME, PX, WrittenSettings(hidden_times=times))[2][-1]) == clear


@pytest.mark.parametrize(
    ("bs", "own_say", "least", "clear"),
    [(20, 0.25, 0.4, True), (20, 0.4, 0.4, False), (0, 0.25, 0.4, False), (20, 0.25, 0.95, False)],
)
def test_where_the_team_that_comes_next_is_seen_the_others_say_more(bs, own_say, least, clear):
    like_a_b = inks(letter_e(110), (35.5, 35.5), (35.5, 35.5), count=1)
    clear_bs = inks(round_b, (35.5, 35.5), (35.5, 35.5), count=20).of(np.arange(bs))
    some = among_clear_es(clear_bs, like_a_b)
    settings = WrittenSettings(own_say_between_seen=own_say, least_by_itself=least, most_doubt=0.015)
    teams, scores, sure = read_written(some, GAME, PX, settings)
    assert (teams[int(scores[-1].argmax())], bool(sure[-1])) == ("E", clear)
