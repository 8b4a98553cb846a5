from policy.world import PLACES, command, effect, judged, policy, shell, tool
from ringwall.model.analysis import Analysis
from ringwall.model.verdict import Verdict
from ringwall.policy.model import Layer, LayerName, Policy

BARE = Policy("auto", (Layer(LayerName.PRESET),), "none")


def test_looking_is_free_and_the_rest_is_auto_approved() -> None:
    assert judged(shell(("ls", ["observe"]))).verdict is Verdict.ALLOW
    assert judged(shell(("mkdir x", ["write"]))).verdict is Verdict.ALLOW


def test_a_deny_ends_the_walk() -> None:
    decision = judged(shell(("rm -rf /", ["catastrophic", "privilege"])))
    assert [opinion.stage for opinion in decision.opinions] == ["floor"]
    assert decision.silent == ("selfguard", "roles")


def test_silence_of_all_stages_asks() -> None:
    decision = judged(shell(("mkdir x", ["write"])), BARE)
    assert (decision.verdict, decision.deciding.code) == (Verdict.ASK, "default.silent")


def test_looking_needs_no_line_of_autonomy() -> None:
    assert judged(shell(("ls", ["observe"])), BARE).verdict is Verdict.ALLOW


def test_a_call_without_any_effect_is_judged_by_the_wildcard() -> None:
    nothing = Analysis(tool("Other").action, ())
    assert judged(nothing, BARE).verdict is Verdict.ASK
    assert judged(nothing).verdict is Verdict.ALLOW
    assert judged(nothing, policy(preset="strict")).verdict is Verdict.ASK


def test_what_a_stage_doubts_is_not_loosened_later() -> None:
    maybe = shell((command("rm -rf x"), [effect("catastrophic", "/", certain=False)]))
    assert judged(maybe).verdict is Verdict.ASK
    assert judged(maybe).deciding.code == "floor.catastrophic"
    own = shell((command("cp a b"), [effect("write.governor", f"{PLACES.root}/x", certain=False)]))
    assert judged(own).verdict is Verdict.ASK


def test_the_guarded_examples_are_asked_about() -> None:
    for rule in policy().layers[0].rules:
        name = rule.ref.text.removeprefix("Effect(").removesuffix(")")
        decision = judged(shell(("frob x", [name])))
        assert decision.verdict is Verdict.ASK, name
        assert decision.opinions[-1].rule == rule.ref or decision.opinions[-1].stage == "limits"


def test_the_decision_is_bound_to_its_policy() -> None:
    assert judged(shell(("ls", ["observe"]))).policy_digest == policy().digest
