import pytest

from policy.world import effect, judged, loaded, policy, settings, shell
from ringwall.model.action import Principal
from ringwall.model.verdict import Verdict
from ringwall.policy.load import LayerFiles


def least(text: str) -> LayerFiles:
    return LayerFiles(settings=settings(f"[roles]\n{text}"))


@pytest.mark.parametrize(
    ("role", "name", "verdict"),
    [
        ("reader", "observe", Verdict.ALLOW),
        ("reader", "read.outside", Verdict.ALLOW),
        ("reader", "write", Verdict.DENY),
        ("reader", "code.run", Verdict.DENY),
        ("worker", "write", Verdict.ALLOW),
        ("nobody", "observe", Verdict.DENY),
    ],
)
def test_presets_give_a_reader_only_looking(role: str, name: str, verdict: Verdict) -> None:
    decision = judged(shell(("frob", [name])), principal=Principal(role=role))
    assert decision.verdict is verdict
    if verdict is Verdict.DENY:
        assert decision.deciding.code == "roles.least_role"
        assert decision.deciding.rule is not None and decision.deciding.rule.line > 0


def test_the_precise_line_beats_the_general_one() -> None:
    rules = policy(user=least('git = "lead"\n"git.push" = "worker"'))
    assert judged(shell(("git x", ["git.push.force"])), rules).verdict is Verdict.ASK
    assert judged(shell(("git x", ["git.local"])), rules).verdict is Verdict.DENY


def test_a_person_may_lower_and_a_strange_project_may_not() -> None:
    lower = least('write = "reader"')
    reader = Principal(role="reader")
    made = shell(("mkdir x", ["write"]))
    assert judged(made, policy(user=lower), reader).verdict is Verdict.ALLOW
    assert judged(made, policy(project=lower, trusted=False), reader).verdict is Verdict.DENY
    assert judged(made, policy(project=least('write = "lead"'), trusted=False)).verdict is Verdict.DENY


def test_a_general_line_of_a_strange_project_lowers_nothing() -> None:
    base = least('deploy = "owner"')
    strange = least('"*" = "lead"')
    rules = policy(user=least("observe = 'reader'"), project=strange, trusted=False)
    assert judged(shell(("ls", ["observe"])), rules, Principal(role="reader")).verdict is Verdict.ALLOW
    assert judged(shell(("frob", ["deploy"])), policy(user=base)).verdict is Verdict.DENY


def test_what_is_only_possible_is_asked_about_and_stays_so() -> None:
    maybe = shell(("frob", [effect("deploy", certain=False)]))
    decision = judged(maybe, policy(preset="auto", user=least('deploy = "owner"')))
    assert decision.verdict is Verdict.ASK


def test_a_layer_with_an_error_lowers_nothing_of_a_weaker_one() -> None:
    broken = LayerFiles(settings=settings('nope = 1\n[roles]\n"*" = "lead"'))
    rules = loaded(project=least('deploy = "owner"'), user=broken).policy
    decision = judged(shell(("frob", ["deploy"])), rules, Principal(role="lead"))
    assert decision.deciding.code == "roles.least_role"


def test_the_wildcard_leaves_looking_alone() -> None:
    rules = policy(preset="auto", user=least('"*" = "owner"'))
    assert judged(shell(("ls", ["observe"])), rules).verdict is Verdict.ALLOW
    assert judged(shell(("mkdir x", ["write"])), rules).verdict is Verdict.DENY
