"""When what speaks for a code is enough."""

import numpy as np
import pytest

from poradek_vision.mark.code_belief import TrustSettings, judge_codes
from poradek_vision.mark.code_evidence import CodeEvidence
from poradek_vision.mark.code_layouts import TURNS

CLEAR = np.array([40.0, 0, 0, 0])
"""What speaks for two teams' codes and for two of no team, nats, where the first team's is well seen."""


def evidence_of(nats, turned=None, count=2, **odd):
    """Evidence by the codes (N, codes) of stickers, each of them in one quarter turn (N,) only."""
    nats = np.atleast_2d(np.asarray(nats, float))
    turned = np.zeros(len(nats), int) if turned is None else np.asarray(turned)
    every = np.full((len(nats), TURNS, nats.shape[1]), -30.0)
    every[np.arange(len(nats)), turned] = nats
    usual = {"likeness": 0.9, "whole": 1.0, "contrast": 1.0, "unrest": 1.0, "strangeness": 0.0} | odd
    looks = {name: np.full(len(nats), value) for name, value in usual.items()}
    turns = np.tile(-90.0 * np.arange(TURNS), (len(nats), 1))
    return CodeEvidence(every, turns, count, **looks, shared=np.zeros(len(nats), bool))


@pytest.mark.parametrize(
    ("nats", "sure"),
    [([30, 23, 0, 0], True), ([30, 25, 0, 0], False), ([30, 20, 26, 0], False), ([30, 0, 20, 20], True)],
)
def test_a_code_must_be_likelier_than_all_others_together(nats, sure):
    scores, confidence, clear = judge_codes(evidence_of(nats), TrustSettings())
    assert scores[0].argmax() == 0
    assert np.exp(scores[0]).sum() <= 1
    assert clear.tolist() == [sure]
    assert (confidence[0] > 0.99) == sure


@pytest.mark.parametrize(
    ("odd", "lead"),
    [({"whole": 0.6}, 22), ({"contrast": 0.2}, 11.2), ({"unrest": 11}, 13.5), ({"strangeness": 2.5}, 11)],
)
def test_the_odder_a_code_looks_the_more_must_speak_for_it(odd, lead):
    for nats, sure in ((lead + 0.8, True), (lead - 0.8, False)):
        only_teams = evidence_of([nats, 0], **odd)
        assert judge_codes(only_teams, TrustSettings())[2].tolist() == [sure]


@pytest.mark.parametrize("odd", [{"likeness": 0.3}, {"shared": np.array([True])}])
def test_what_is_hardly_alike_or_found_twice_is_no_code_for_sure(odd):
    shared = odd.pop("shared", None)
    evidence = evidence_of([90, 0, 0, 0], **odd)
    if shared is not None:
        evidence.shared[:] = shared
    assert not judge_codes(evidence, TrustSettings())[2].any()


def test_a_rival_that_lies_as_all_others_do_counts_more():
    """Two stickers with 20 nats for the first team and 13 for the second, whose code would lie on its head on one."""
    evidence = evidence_of([*[CLEAR] * 60, *[[-30.0] * 4] * 2])
    evidence.nats[60, 2, 0] = evidence.nats[61, 0, 0] = 20
    evidence.nats[60, 0, 1] = evidence.nats[61, 2, 1] = 13
    scores, _, sure = judge_codes(evidence, TrustSettings())
    assert scores[60:].argmax(1).tolist() == [0, 0]
    assert sure[60:].tolist() == [False, True]


def test_boards_with_codes_of_no_team_are_doubted_more():
    weak, foreign = [20.0, 0, 16, 0], [0.0, 0, 40, 0]
    settings = TrustSettings()
    assert judge_codes(evidence_of([*[CLEAR] * 40, weak]), settings)[2][-1]
    _, _, sure = judge_codes(evidence_of([*[CLEAR] * 20, *[foreign] * 20, weak]), settings)
    assert sure[:20].all()
    assert not sure[20:].any()


def test_without_a_list_of_teams_no_code_is_foreign():
    scores, _, sure = judge_codes(evidence_of([[30, 0, 0, 0]], count=4), TrustSettings())
    assert sure.all()
    assert np.exp(scores[0]).sum() == pytest.approx(1)
