import pytest

from policy.world import effect, judged, policy, project, settings, shell, user
from ringwall.gate.limits import LIMITS
from ringwall.model.analysis import Doubt
from ringwall.model.effects import EFFECTS
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict
from ringwall.policy.load import LayerFiles

LIFTED = policy(preset="auto", user=user(allow=[f"Effect({name})" for name in EFFECTS] + ["Bash(frob:*)"]))


@pytest.mark.parametrize("name", sorted(LIMITS))
def test_no_rule_and_no_autonomy_lifts_a_limit(name: str) -> None:
    for certain in (True, False):
        decision = judged(shell(("frob", [effect(name, certain=certain)])), LIFTED)
        assert decision.verdict is Verdict.ASK
        assert decision.deciding.code == f"limits.{name.replace('.', '_')}"
        assert "permissions" not in decision.silent


@pytest.mark.parametrize("name", sorted(set(EFFECTS) - set(LIMITS) - {"catastrophic", "write.governor"}))
def test_nothing_else_is_limited(name: str) -> None:
    if name == "git.push.force":
        return
    assert judged(shell(("frob", [name])), LIFTED).verdict is Verdict.ALLOW


def test_a_precise_effect_falls_under_its_general_limit() -> None:
    assert judged(shell(("git push -f", ["git.push.force"])), LIFTED).deciding.code == "limits.git_push"


def test_a_limit_never_softens_a_deny() -> None:
    rules = policy(user=user(deny=["Bash(git push:*)"]))
    assert judged(shell(("git push", ["git.push"])), rules).verdict is Verdict.DENY


@pytest.mark.parametrize("trusted", [True, False])
def test_a_project_may_add_limits(trusted: bool) -> None:
    files = LayerFiles(settings=settings('[limits]\nadd = ["code.run", "cloud"]', ".ringwall/ringwall.toml"))
    rules = policy(project=files, user=user(allow=["Bash(frob:*)"]), trusted=trusted)
    for name in ("code.run", "cloud.read"):
        decision = judged(shell(("frob", [name])), rules)
        assert (decision.verdict, decision.deciding.code) == (Verdict.ASK, "limits.added")
        assert decision.deciding.rule is not None
        assert (decision.deciding.rule.file, decision.deciding.rule.line) == (".ringwall/ringwall.toml", 2)


def test_a_doubt_turns_allow_into_ask_and_leaves_the_rest() -> None:
    doubt = Doubt("parsers_disagree", msg("two readings differ"))
    decision = judged(shell(("ls", ["observe"]), doubts=(doubt,)), LIFTED)
    assert (decision.verdict, decision.deciding.code) == (Verdict.ASK, "limits.doubt")
    asked = judged(shell(("frob", ["git.discard"]), doubts=(doubt,)), policy())
    assert asked.deciding.code == "permissions.ask"
    denied = judged(shell(("frob", ["write"]), doubts=(doubt,)), policy(user=user(deny=["Bash"])))
    assert denied.verdict is Verdict.DENY


def test_the_path_scope_names_the_path() -> None:
    decision = judged(shell(("frob", [effect("write.outside", "/etc/{x}")])))
    assert "/etc/{x}" in str(decision.deciding.reason)


def test_a_project_rule_does_not_lift_the_path_scope() -> None:
    rules = policy(project=project(allow=["Edit(//etc/**)"]))
    decision = judged(shell(("frob", [effect("write.outside", "/etc/x")])), rules)
    assert decision.deciding.code == "limits.write_outside"
