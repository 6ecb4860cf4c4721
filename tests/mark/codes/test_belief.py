"""When what speaks for a code is enough."""

import numpy as np
import pytest

from poradek_vision.mark.codes.belief import TrustSettings, judge_codes
from poradek_vision.mark.codes.evidence import CodeEvidence
from poradek_vision.mark.codes.layouts import TURNS

CLEAR = np.array([40.0, 0, 0, 0])
"""What speaks for two teams' codes and for two of no team, nats, where the first team's is well seen."""


def evidence_of(nats, turned=None, count=2, rivals=None, **odd):
    """Evidence by the codes (N, codes) of stickers, each of them in one quarter turn (N,) only."""
    nats = np.atleast_2d(np.asarray(nats, float))
    turned = np.zeros(len(nats), int) if turned is None else np.asarray(turned)
    every = np.full((len(nats), TURNS, nats.shape[1]), -30.0)
    every[np.arange(len(nats)), turned] = nats
    usual = {"likeness": 0.9, "whole": 1.0, "contrast": 1.0, "unrest": 1.0, "strangeness": 0.0, "away_cells": 0.1} | odd
    looks = {name: np.full(len(nats), value) for name, value in usual.items()}
    turns, none = np.tile(-90.0 * np.arange(TURNS), (len(nats), 1)), np.zeros(len(nats), int)
    own = every if rivals is None else rivals
    return CodeEvidence(every, own, turns, count, none, **looks, shared=none.astype(bool), nats_each=none + 1.0)


@pytest.mark.parametrize(
    ("nats", "sure"),
    [([30, 23, 0, 0], True), ([30, 26, 0, 0], False), ([30, 20, 28, 0], False), ([30, 0, 20, 20], True)],
)
def test_a_code_must_be_likelier_than_all_others_together(nats, sure):
    scores, confidence, clear = judge_codes(evidence_of(nats), TrustSettings())
    assert scores[0].argmax() == 0
    assert np.exp(scores[0]).sum() <= 1
    assert clear.tolist() == [sure]
    assert (confidence[0] > 0.998) == sure


@pytest.mark.parametrize(
    ("odd", "lead"),
    [({"whole": 0.6}, 37), ({"contrast": 0.2}, 10.2), ({"unrest": 11}, 20), ({"strangeness": 2.5}, 10)],
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


def test_a_colour_whose_other_codes_are_not_told_is_doubted_more():
    """Codes of no team, or black on dark blue: a code seen there is likelier one that only seems to be a team's."""
    weak, untold = [20.0, 0, 15.5, 0], [0.0, 0, 40, 0]
    settings = TrustSettings()
    assert judge_codes(evidence_of([*[CLEAR] * 40, weak]), settings)[2][-1]
    evidence = evidence_of([*[CLEAR] * 20, *[untold] * 20, weak, weak])
    evidence.kind[20:41] = 1
    assert judge_codes(evidence, settings)[2].tolist() == [*[True] * 20, *[False] * 21, True]


def test_a_rival_that_fits_as_well_at_its_own_place_leaves_a_doubt():
    own = np.full((1, TURNS, 4), -30.0)
    for rival, sure in ((8, True), (18, False)):
        own[0, 0, :2] = 20, rival
        assert judge_codes(evidence_of([20, 0, 0, 0], rivals=own), TrustSettings())[2].tolist() == [sure]


def test_what_lies_far_from_where_codes_lie_needs_more():
    evidence = evidence_of([*[CLEAR] * 40, [20, 12, 0, 0], [20, 12, 0, 0]])
    evidence.away_cells[-1] = 0.5
    assert judge_codes(evidence, TrustSettings())[2].tolist() == [True] * 41 + [False]


def test_without_a_list_of_teams_no_code_is_foreign():
    scores, _, sure = judge_codes(evidence_of([[30, 0, 0, 0]], count=4), TrustSettings())
    assert sure.all()
    assert np.exp(scores[0]).sum() == pytest.approx(1)
