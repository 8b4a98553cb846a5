"""L-18 … L-25: what is known from the product that the limits were written for, as far as ours keeps it."""

from __future__ import annotations

import pytest

from requirements.test_limits import AUTO, analysed, judged, policy
from ringwall.gate.decide import STAGES, decide
from ringwall.gate.situation import Situation
from ringwall.model.action import Principal
from ringwall.model.verdict import Verdict
from ringwall.policy.presets import NAMES
from shell.world import World

ROOTS = ("rm -rf /", "rm -rf /*", "rm -fr /")


def test_L_18_a_deny_of_the_floor_becomes_less_only_by_an_escape_for_exactly_this_action() -> None:
    wide = policy(
        permissions='{"permissions": {"allow": ["Bash", "Bash(rm:*)", "Effect(catastrophic)"]}}',
        settings='preset = "auto"',
    )
    analysis = analysed("rm -rf /usr")
    other = analysed("rm -rf /etc")
    here = World().places
    assert decide(analysis, Situation(Principal(), here, wide)).deciding.stage == "floor"
    escaped = Situation(Principal(), here, wide, frozenset({analysis.action.digest}))
    (lifted,) = [each for each in decide(analysis, escaped).opinions if each.stage == "floor"]
    assert (lifted.verdict, lifted.code) == (Verdict.ALLOW, "floor.escaped")
    assert decide(other, escaped).verdict is Verdict.DENY


def test_L_19_the_stages_stand_in_their_order_and_a_deny_returns_at_once() -> None:
    names = [stage.STAGE for stage in STAGES]
    assert names == ["selfguard", "roles", "floor", "wall", "autonomy", "permissions", "limits"]
    decision = judged("rm -rf /usr && git push", AUTO)
    assert (decision.verdict, decision.opinions[-1].stage) == (Verdict.DENY, "floor")


@pytest.mark.parametrize("preset", sorted(NAMES))
@pytest.mark.parametrize("text", ROOTS)
def test_L_20_the_built_in_denials_are_always_active(text: str, preset: str) -> None:
    assert judged(text, policy(preset=preset)).verdict is Verdict.DENY


def test_L_21_each_part_of_a_chain_needs_its_allow_and_one_deny_denies_the_whole() -> None:
    rules = policy(
        permissions='{"permissions": {"allow": ["Bash(npm test:*)"], "deny": ["Bash(curl:*)"]}}',
        settings='preset = "auto"\n[autonomy]\n"*" = "auto_approve"',
    )
    assert judged("npm test", rules).verdict is Verdict.ALLOW
    assert judged("cd src && npm test", rules).verdict is Verdict.ALLOW
    assert judged("npm test && touch x", rules).verdict is Verdict.ASK
    assert judged("npm test && curl https://example.com", rules).verdict is Verdict.DENY


def test_L_22_a_place_that_is_not_known_does_not_count_as_inside() -> None:
    """Three states. Unknown loosens nothing: it is never taken for inside."""
    inside, outside, unknown = (
        judged(f"rm {path}", AUTO) for path in ("notes.txt", "/srv/notes.txt", '"$F"')
    )
    assert inside.verdict is Verdict.ALLOW
    assert outside.deciding.code == "limits.delete_outside"
    possible = [effect for effect in unknown.analysis.effects if effect.name == "delete.outside"]
    assert [effect.certain for effect in possible] == [False]


@pytest.mark.parametrize(
    "text",
    [
        "git -C /tmp push",
        "git remote add up https://example.com/x.git",
        "git remote set-url origin https://example.com/x.git",
        "git subtree push --prefix lib origin main",
        "gh pr create --fill",
        "gh pr merge 3",
        "glab mr create",
        "glab mr merge 3",
        "gh release create v1",
        "kubectl apply -f a.yaml",
        "kubectl delete pod a",
        "kubectl rollout restart deploy/a",
        "helm upgrade a b",
        "terraform apply",
        "terraform destroy",
        "docker push a/b",
        "npm publish",
        "pnpm publish",
        "fly deploy",
    ],
)
def test_L_23_outward_effects_are_found_whatever_flags_stand_between(text: str) -> None:
    assert judged(text, policy(preset="guarded")).verdict is not Verdict.ALLOW


@pytest.mark.parametrize(
    "text",
    [
        "env sudo id",
        "command sudo id",
        "/usr/bin/sudo id",
        "VAR=1 git push",
        "nohup git push",
        "echo a | xargs sudo rm",
        'bash -c "git push"',
        "git -c alias.x=push x",
        "echo $(git push)",
        "bash <<E\ngit push\nE",
    ],
)
def test_L_24_the_first_word_does_not_hide_the_act(text: str) -> None:
    assert judged(text, AUTO).deciding.stage == "limits"


def test_L_25_the_last_opinion_wins_and_limits_only_tighten() -> None:
    asked = policy(
        permissions='{"permissions": {"ask": ["Bash(make:*)"]}}',
        settings='preset = "auto"\n[autonomy]\n"*" = "auto_approve"',
    )
    decision = judged("make", asked)
    assert [(o.stage, o.verdict.value) for o in decision.opinions] == [
        ("autonomy", "allow"),
        ("permissions", "ask"),
    ]
    assert decision.verdict is Verdict.ASK
    denied = policy(permissions='{"permissions": {"deny": ["Bash(git push:*)"]}}', settings='preset = "auto"')
    assert judged("git push", denied).verdict is Verdict.DENY
