import pytest

from policy.world import effect, judged, policy, shell, user
from ringwall.model.verdict import Verdict

ROOT = shell(("rm -rf /", [effect("catastrophic", "/")]))


@pytest.mark.parametrize("preset", ["auto", "guarded", "strict", "walled"])
def test_no_preset_and_no_rule_lifts_the_floor(preset: str) -> None:
    rules = policy(preset=preset, user=user(allow=["Bash", "Effect(catastrophic)"]))
    decision = judged(ROOT, rules)
    assert (decision.verdict, decision.deciding.code) == (Verdict.DENY, "floor.catastrophic")
    assert decision.deciding.advice is not None


def test_an_escape_lifts_the_floor_for_this_action_alone() -> None:
    escapes = frozenset({ROOT.action.digest})
    assert judged(ROOT, escapes=escapes).verdict is Verdict.ALLOW
    other = shell(("rm -rf //", [effect("catastrophic", "/")]))
    assert judged(other, escapes=escapes).verdict is Verdict.DENY


def test_the_stages_after_the_floor_go_on_under_an_escape() -> None:
    made = shell(("sudo rm -rf /", [effect("catastrophic", "/"), effect("privilege")]))
    decision = judged(made, escapes=frozenset({made.action.digest}))
    assert (decision.verdict, decision.deciding.code) == (Verdict.ASK, "limits.privilege")
    rules = policy(user=user(deny=["Effect(catastrophic)"]))
    assert judged(made, rules, escapes=frozenset({made.action.digest})).verdict is Verdict.DENY


def test_what_is_only_possible_is_asked_about() -> None:
    maybe = shell(("rm -rf x", [effect("catastrophic", certain=False)]))
    assert judged(maybe, policy(preset="auto", user=user(allow=["Bash(rm:*)"]))).verdict is Verdict.ASK


@pytest.mark.parametrize(
    "name", ["install.global", "cloud.write", "remote.exec", "git.discard", "read.secret"]
)
def test_the_floor_is_higher_under_the_wall(name: str) -> None:
    made = shell(("frob", [name]))
    assert judged(made, policy(preset="walled")).deciding.stage == "floor"
    assert judged(made).verdict is not Verdict.DENY
