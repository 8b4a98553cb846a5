from policy.world import effect, judged, policy, settings, shell, user
from ringwall.model.action import Principal
from ringwall.model.verdict import Verdict
from ringwall.policy.load import LayerFiles

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY


def auto(text: str) -> LayerFiles:
    return LayerFiles(settings=settings(f"[autonomy]\n{text}"))


def verdict(files: LayerFiles, name: str = "write", **principal: str) -> Verdict:
    made = shell(("frob", [name]))
    return judged(made, policy(preset="auto", user=files), Principal(**principal)).verdict  # type: ignore[arg-type]


def test_the_precise_effect_beats_the_wildcard() -> None:
    lines = auto('"*" = "deny"\nwrite = "auto_approve"\n"write.hook" = "require_approval"')
    assert verdict(lines) is ALLOW
    assert verdict(lines, "write.hook") is ASK
    assert verdict(lines, "code.run") is DENY


def test_a_family_is_between() -> None:
    lines = auto('"*" = "deny"\ngit = "auto_approve"')
    assert verdict(lines, "git.local") is ALLOW


def test_a_named_agent_beats_a_named_role_beats_everybody() -> None:
    lines = auto(
        'write = "auto_approve"\n[autonomy.roles.worker]\nwrite = "require_approval"\n'
        '[autonomy.agents.fixer]\nwrite = "deny"'
    )
    assert verdict(lines, role="lead") is ALLOW
    assert verdict(lines, role="worker") is ASK
    assert verdict(lines, role="worker", agent="fixer") is DENY


def test_the_precise_effect_beats_the_named_agent() -> None:
    lines = auto('write = "auto_approve"\n[autonomy.agents.fixer]\n"*" = "deny"')
    assert verdict(lines, agent="fixer") is ALLOW
    assert verdict(lines, "code.run", agent="fixer") is DENY


def test_the_wildcard_leaves_looking_alone_but_a_line_of_its_own_does_not() -> None:
    assert verdict(auto('"*" = "deny"'), "observe") is ALLOW
    assert verdict(auto('observe = "deny"'), "observe") is DENY


def test_the_strictest_effect_speaks() -> None:
    lines = auto('write = "auto_approve"\n"code.run" = "require_approval"')
    made = shell(("frob", ["write", "code.run", "observe"]))
    decision = judged(made, policy(preset="auto", user=lines))
    assert decision.verdict is ASK
    assert decision.deciding.effect is not None and decision.deciding.effect.name == "code.run"
    assert decision.deciding.rule is not None and decision.deciding.rule.line == 3


def test_a_denied_effect_that_is_only_possible_is_asked_about_whatever_a_rule_allows() -> None:
    maybe = shell(("frob x", [effect("data.destroy", certain=False)]))
    rules = policy(
        preset="auto",
        user=LayerFiles(auto('"data.destroy" = "deny"').settings, user(allow=["Bash(frob:*)"]).permissions),
    )
    assert judged(maybe, rules).verdict is ASK


def test_a_stronger_layer_replaces_and_a_strange_project_only_tightens() -> None:
    project, mine = auto('write = "require_approval"'), auto('write = "auto_approve"')
    made = shell(("frob", ["write"]))
    assert judged(made, policy(project=project)).verdict is ASK
    assert judged(made, policy(project=project, user=mine)).verdict is ALLOW
    strict = LayerFiles(settings=settings('[autonomy]\nwrite = "deny"\n"*" = "require_approval"'))
    strange = auto('"*" = "require_approval"')
    assert judged(made, policy(user=strict, project=strange, trusted=False)).verdict is DENY
    assert judged(made, policy(project=strange, trusted=False)).verdict is ASK


def test_nothing_lifts_a_persons_own_refusal() -> None:
    mine, session = auto('write = "deny"'), auto('write = "auto_approve"\n"*" = "auto_approve"')
    made = shell(("frob", ["write"]))
    assert judged(made, policy(user=mine, session=session)).verdict is DENY
    assert judged(made, policy(project=mine, session=session)).verdict is ALLOW
