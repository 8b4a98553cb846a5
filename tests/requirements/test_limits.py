"""L-01 … L-08 and L-13 … L-17: outward and privileged acts always need a person.

Whole command lines are read by the real shell analysis. L-07, L-09 … L-12 and L-18 belong to approvals.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ringwall.gate.decide import STAGES, decide
from ringwall.gate.limits import LIMITS
from ringwall.gate.situation import Situation
from ringwall.model.action import Principal
from ringwall.model.analysis import Analysis
from ringwall.model.decision import Decision
from ringwall.model.effects import EFFECTS
from ringwall.model.verdict import Verdict
from ringwall.policy.load import LayerFiles, load
from ringwall.policy.model import Policy
from ringwall.policy.presets import NAMES
from ringwall.policy.source import PolicyFile
from ringwall.shell.analyse import command_pattern
from shell.world import World, analysed

GIT = ["git push origin main", "gh pr create --title x --body y", "kubectl apply -f app.yaml"]
PRIVILEGED = ["sudo apt-get update", "doas id", "/usr/bin/sudo -u root true"]
DOCS = Path(__file__).parents[2] / "docs" / "policy.md"


def policy(permissions: str = "", settings: str = "", preset: str = "") -> Policy:
    files = LayerFiles(
        PolicyFile("ringwall.toml", settings.encode()) if settings else None,
        PolicyFile("permissions.json", permissions.encode()) if permissions else None,
    )
    found = load(places=World().places, read_command=command_pattern, user=files, preset=preset)
    assert not found.problems, [str(problem) for problem in found.problems]
    return found.policy


AUTO = policy(settings='preset = "auto"\n[autonomy]\n"*" = "auto_approve"')
ALLOWED = policy(
    settings='preset = "auto"\n[autonomy]\n"*" = "auto_approve"',
    permissions='{"permissions": {"allow": ["Bash", "Bash(git:*)", "Bash(git push:*)", "Bash(gh:*)",'
    '"Bash(sudo:*)", "Bash(doas:*)", "Bash(apt-get:*)", "Bash(kubectl:*)", "Effect(privilege)",'
    '"Effect(git.push)", "Effect(pr.open)", "Effect(deploy)"]}}',
)


def judged(text: str, rules: Policy) -> Decision:
    return judged_analysis(analysed(text), rules)


def judged_analysis(analysis: Analysis, rules: Policy) -> Decision:
    return decide(analysis, Situation(Principal(), World().places, rules))


@pytest.mark.parametrize("text", GIT + PRIVILEGED)
def test_L_01_outward_and_privileged_commands_are_no_unconditional_deny(text: str) -> None:
    for preset in ("auto", "guarded", "strict"):
        assert judged(text, policy(preset=preset)).verdict is Verdict.ASK


def test_L_02_they_stand_in_the_same_final_block_as_the_other_limits() -> None:
    assert STAGES[-1].STAGE == "limits"
    assert {
        "git.push",
        "pr.open",
        "pr.merge",
        "deploy",
        "publish",
        "privilege",
        "git.merge.protected",
        "write.instructions",
        "agents.parallelize",
        "agents.raise_max_parallel",
        "write.outside",
        "delete.outside",
    } == set(LIMITS)


@pytest.mark.parametrize("text", GIT + PRIVILEGED)
def test_L_03_limit_overwrites_auto_approve(text: str) -> None:
    decision = judged(text, AUTO)
    before = [opinion for opinion in decision.opinions if opinion.stage == "autonomy"]
    assert [opinion.verdict for opinion in before] == [Verdict.ALLOW]
    assert decision.deciding.stage == "limits"
    assert decision.verdict is Verdict.ASK


@pytest.mark.parametrize("preset", sorted(NAMES))
def test_L_04_limit_holds_under_the_wildcard(preset: str) -> None:
    rules = policy(settings='[autonomy]\n"*" = "auto_approve"\n"git.push" = "auto_approve"', preset=preset)
    assert judged("git push", rules).verdict is not Verdict.ALLOW
    assert judged("sudo true", rules).verdict is not Verdict.ALLOW


@pytest.mark.parametrize("text", GIT + PRIVILEGED)
def test_L_05_limit_holds_under_a_matching_allow(text: str) -> None:
    decision = judged(text, ALLOWED)
    assert any(o.stage == "permissions" and o.verdict is Verdict.ALLOW for o in decision.opinions)
    assert (decision.verdict, decision.deciding.stage) == (Verdict.ASK, "limits")


@pytest.mark.parametrize("text", GIT + PRIVILEGED)
def test_L_06_these_always_ask_in_automatic_mode(text: str) -> None:
    assert judged(text, AUTO).verdict is Verdict.ASK


@pytest.mark.parametrize(
    "text",
    [
        "npm test",
        "mkdir x && cd x",
        "git commit -m 'git push'",
        "git reset --hard",
        "rm -rf build",
        "frob -x",
    ],
)
def test_L_06_any_other_command_is_approved_in_automatic_mode(text: str) -> None:
    assert judged(text, AUTO).verdict is Verdict.ALLOW


@pytest.mark.parametrize("text", GIT + PRIVILEGED)
@pytest.mark.parametrize("rules", [AUTO, ALLOWED], ids=["auto", "allowed"])
def test_L_08_in_no_state_do_they_run_without_a_person(text: str, rules: Policy) -> None:
    assert judged(text, rules).verdict is not Verdict.ALLOW
    denied = policy(permissions='{"permissions": {"deny": ["Bash"], "allow": ["Bash(git push:*)"]}}')
    assert judged(text, denied).verdict is Verdict.DENY


@pytest.mark.parametrize("text", PRIVILEGED)
def test_L_13_privilege_has_a_category_of_its_own(text: str) -> None:
    assert judged(text, AUTO).deciding.code == "limits.privilege"
    assert judged("git push", AUTO).deciding.code == "limits.git_push"


@pytest.mark.parametrize(
    "text",
    [
        "npm test && sudo x",
        "a; doas y",
        "a | sudo tee f",
        "env sudo x",
        "command sudo x",
        "/usr/bin/sudo x",
        "xargs sudo x",
        "bash -c 'sudo x'",
        "echo $(sudo x)",
        "A=1 sudo x",
    ],
)
def test_L_14_the_verb_counts_in_any_segment(text: str) -> None:
    assert judged(text, ALLOWED).deciding.code == "limits.privilege"


@pytest.mark.parametrize(
    "text",
    [
        "ls && git push",
        "VAR=1 git push",
        "nohup git push",
        "bash -c 'git push'",
        "git -C /tmp push",
        "git -c alias.x=push x",
        "(cd x; git push)",
        "bash <<'E'\ngit push\nE",
    ],
)
def test_L_14_the_same_holds_for_git(text: str) -> None:
    assert judged(text, ALLOWED).verdict is Verdict.ASK


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("git.push", "git_push"),
        ("git.merge.protected", "git_merge"),
        ("pr.merge", "git_merge"),
        ("pr.open", "pr_open"),
    ],
)
def test_L_15_messages_name_the_typed_action(name: str, action: str) -> None:
    assert action in str(LIMITS[name].reason)


def test_L_15_for_privilege_the_message_only_says_why_a_person_decides() -> None:
    limit = LIMITS["privilege"]
    assert "another user's rights" in str(limit.reason)
    assert "person" in str(limit.reason)
    assert limit.advice is None
    assert "action type" not in str(limit.reason)


def test_L_16_the_policy_reference_lists_every_limit() -> None:
    text = DOCS.read_text(encoding="utf-8")
    section = text.partition("\n## Limits\n")[2].partition("\n## ")[0]
    assert section
    for name in LIMITS:
        assert f"`{name}`" in section, name


@pytest.mark.parametrize("preset", sorted(NAMES))
def test_L_17_privilege_is_closed_by_construction(preset: str) -> None:
    """No combination of preset, autonomy and rules that a person could write lets `sudo` through unasked."""
    every = ", ".join(f'"Effect({name})"' for name in EFFECTS)
    settings = "[autonomy]\n" + "".join(f'"{name}" = "auto_approve"\n' for name in ["*", *EFFECTS])
    for allow in ('"Bash"', '"*"', '"Bash(sudo:*)"', every):
        rules = policy(f'{{"permissions": {{"allow": [{allow}]}}}}', settings, preset)
        assert judged("sudo apt-get update", rules).verdict is not Verdict.ALLOW
