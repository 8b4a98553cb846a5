"""A merge is limited on the branches that the policy protects."""

from __future__ import annotations

import pytest

from policy.world import command, effect, judged, policy, settings, shell
from ringwall.model.analysis import Analysis
from ringwall.model.verdict import Verdict
from ringwall.policy.load import LayerFiles


def merge(branch: str, certain: bool = True) -> Analysis:
    return shell((command("git merge topic"), [effect("git.merge.protected", branch, certain=certain)]))


@pytest.mark.parametrize("branch", ["main", "master", "production", "release/1.2"])
def test_the_default_branches_are_protected(branch: str) -> None:
    assert judged(merge(branch)).deciding.code == "limits.git_merge_protected"


def test_other_branches_are_not() -> None:
    decision = judged(merge("topic"))
    assert decision.verdict is Verdict.ALLOW
    assert not decision.analysis.effects


def test_the_policy_names_its_own() -> None:
    rules = policy(user=LayerFiles(settings('protected_branches = ["stable", "v*"]')))
    assert judged(merge("stable"), rules).verdict is Verdict.ASK
    assert judged(merge("v2"), rules).verdict is Verdict.ASK
    assert judged(merge("main"), rules).verdict is Verdict.ALLOW


def test_a_branch_that_is_not_known_may_be_one() -> None:
    assert judged(merge("", certain=False)).verdict is Verdict.ASK
