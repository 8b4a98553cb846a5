"""What may be used again: the decision on one analysis, in one situation only."""

from dataclasses import replace

import pytest

from policy.world import PLACES, policy, shell, user
from ringwall.gate.decide import decide
from ringwall.gate.situation import Situation
from ringwall.judge.recall import Recall
from ringwall.model.action import Principal
from ringwall.model.analysis import Analysis
from ringwall.model.decision import Decision

PUSH = shell(("git push", ["git.push"]))
HERE = Situation(Principal(), PLACES, policy())


class Counted:
    def __init__(self) -> None:
        self.times = 0

    def __call__(self, analysis: Analysis, situation: Situation) -> Decision:
        self.times += 1
        return decide(analysis, situation)


def test_the_same_analysis_in_the_same_situation_is_decided_once() -> None:
    recall, counted = Recall(), Counted()
    first = recall.decision(PUSH, HERE, counted)
    assert recall.decision(PUSH, replace(HERE), counted) == first == decide(PUSH, HERE)
    assert counted.times == 1


@pytest.mark.parametrize(
    "other",
    [
        replace(HERE, principal=Principal(role="reader")),
        replace(HERE, places=replace(PLACES, root="/q")),
        replace(HERE, policy=policy(user=user(deny=["Effect(git.push)"]))),
        replace(HERE, escapes=frozenset({PUSH.action.digest})),
    ],
    ids=["principal", "places", "policy", "escapes"],
)
def test_another_situation_is_decided_anew(other: Situation) -> None:
    recall, counted = Recall(), Counted()
    recall.decision(PUSH, HERE, counted)
    assert recall.decision(PUSH, other, counted) == decide(PUSH, other)
    assert counted.times == 2


def test_an_analysis_that_is_only_alike_is_decided_anew() -> None:
    recall, counted = Recall(), Counted()
    recall.decision(PUSH, HERE, counted)
    recall.decision(replace(PUSH), HERE, counted)
    assert counted.times == 2


def test_it_keeps_a_bounded_number() -> None:
    recall = Recall()
    for _ in range(2100):
        recall.decision(replace(PUSH), HERE, decide)
    assert len(recall._decided) <= 2048
