"""X-01 … X-09, as far as policy and gate decide them. docs/adr/ holds each decision."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy.world import command, effect, judged, policy, settings, shell, tool, user
from ringwall.gate.decide import STAGES, decide
from ringwall.gate.situation import Situation
from ringwall.model.action import Kind, Principal
from ringwall.model.decision import Decision
from ringwall.model.effects import EFFECTS
from ringwall.model.verdict import Verdict
from ringwall.policy.load import LayerFiles, load
from ringwall.shell.analyse import command_pattern
from shell.world import World, analysed

DOCS = Path(__file__).parents[2] / "docs"
AUTO = LayerFiles(settings=settings('preset = "auto"'))
ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY


def with_auto(**rules: list[str]) -> LayerFiles:
    return LayerFiles(AUTO.settings, user(**rules).permissions)


@pytest.mark.parametrize("preset", ["guarded", "walled"])
def test_X_01_fetching_is_free_and_acting_on_a_page_is_not_query_only(preset: str) -> None:
    rules = policy(preset=preset)
    fetch = tool("WebFetch", effect("network.read", "https://example.com"), kind=Kind.WEB)
    look = tool("browser_snapshot", effect("browse.look"), kind=Kind.BROWSER)
    assert judged(fetch, rules).verdict is ALLOW
    assert judged(look, rules).verdict is ALLOW
    act = tool("browser_click", effect("browse.act"), kind=Kind.BROWSER)
    assert judged(act, policy(preset="walled")).verdict is DENY


def test_X_01_a_person_can_bound_the_hosts() -> None:
    rules = policy(user=user(deny=["WebFetch(domain:internal.example)"]))
    fetch = tool("WebFetch", effect("network.read", "https://internal.example/x"), kind=Kind.WEB)
    assert judged(fetch, rules).verdict is DENY


def test_X_02_the_order_of_the_stages_is_law() -> None:
    names = [stage.STAGE for stage in STAGES]
    assert names == ["selfguard", "roles", "floor", "wall", "autonomy", "permissions", "limits"]


def test_X_02_a_wildcard_never_cancels_an_explicit_ask() -> None:
    files = LayerFiles(
        settings('preset = "auto"\n[autonomy]\n"*" = "auto_approve"\n'),
        user(ask=["Bash(make:*)"]).permissions,
    )
    decision = judged(shell(("make all", ["code.run"])), policy(user=files))
    assert (decision.verdict, decision.deciding.stage) == (ASK, "permissions")


def test_X_02_any_deny_ends_the_walk() -> None:
    files = LayerFiles(settings('[autonomy]\nwrite = "deny"\n'), user(allow=["Bash(frob:*)"]).permissions)
    decision = judged(shell(("frob", ["write"])), policy(user=files))
    assert (decision.verdict, decision.opinions[-1].stage) == (DENY, "autonomy")


def test_X_03_the_floor_is_a_deny_that_an_escape_of_the_exact_digest_lifts() -> None:
    made = shell(("rm -rf /", [effect("catastrophic", "/")]))
    assert judged(made).verdict is DENY
    assert judged(made, escapes=frozenset({made.action.digest})).verdict is not DENY
    assert judged(made, escapes=frozenset({made.action.digest[:-1]})).verdict is DENY


def test_X_03_a_limit_is_a_question_and_no_escape_answers_it() -> None:
    made = shell(("git push", ["git.push"]))
    assert judged(made).verdict is ASK
    assert judged(made, escapes=frozenset({made.action.digest})).verdict is ASK


def test_X_04_a_push_asks_whatever_came_before() -> None:
    made = shell(("git push", ["git.push"]))
    for rules in (policy(user=with_auto(allow=["Bash(git push)"])), policy(preset="strict"), policy()):
        assert judged(made, rules).verdict is ASK


def test_X_05_a_click_is_not_known_to_be_a_merge_and_the_documents_say_so() -> None:
    click = tool("browser_click", effect("browse.act", "https://github.com/o/r/pull/7"), kind=Kind.BROWSER)
    assert "limits" in judged(click).silent
    assert (
        "cannot" in (DOCS / "policy.md").read_text(encoding="utf-8").partition("## What rules cannot see")[2]
    )


def test_X_05_a_person_can_name_the_hosts_for_a_browser() -> None:
    click = tool("browser_click", effect("browse.act", "https://github.com/o/r/pull/7"), kind=Kind.BROWSER)
    for rule in ("WebFetch(domain:github.com)", "Effect(browse.act)", "Effect(browse.act:*github.com/*)"):
        assert judged(click, policy(user=user(ask=[rule]))).verdict is ASK, rule


def test_X_06_the_policy_reference_claims_no_more_than_tier_0() -> None:
    assert "tier 0" in (DOCS / "policy.md").read_text(encoding="utf-8")


def test_X_07_reasons_are_texts_that_a_catalogue_can_replace() -> None:
    decision: Decision = judged(shell(("git push", ["git.push"])))
    for opinion in decision.opinions:
        assert opinion.reason.render(lambda template: "§" + template).startswith("§")
    assert all(one.meaning.template for one in EFFECTS.values())


def test_X_08_a_chain_without_a_matching_rule_is_autonomys() -> None:
    rules = policy(user=with_auto(allow=["Bash(npm test:*)"]))
    decision = judged(shell(("make a", ["code.run"]), ("make b", ["code.run"])), rules)
    assert (decision.verdict, decision.deciding.stage) == (ALLOW, "autonomy")
    assert "permissions" in decision.silent


def test_X_08_a_chain_that_is_allowed_in_part_is_asked_about() -> None:
    rules = policy(user=with_auto(allow=["Bash(npm test:*)"]))
    half = shell(("npm test", ["code.run"]), ("make b", ["code.run"]))
    decision = judged(half, rules)
    assert (decision.verdict, decision.deciding.code) == (ASK, "permissions.part_without_rule")
    whole = shell(("npm test", ["code.run"]), ("npm test -- -v", ["code.run"]), ("ls", ["observe"]))
    assert judged(whole, rules).verdict is ALLOW


def test_X_08_limits_run_per_part() -> None:
    rules = policy(user=with_auto(allow=["Bash(npm test:*)", "Bash(git push:*)"]))
    made = shell(("npm test", ["code.run"]), ("git push", ["git.push"]))
    assert judged(made, rules).deciding.code == "limits.git_push"


def test_X_09_a_limit_leaves_a_deny_of_the_file_a_deny() -> None:
    rules = policy(user=user(deny=["Bash(git push:*)"]))
    assert judged(shell(("git push", ["git.push"])), rules).verdict is DENY


@pytest.mark.parametrize(
    "path", ["/p/.ringwall/permissions.json", ".ringwall/ringwall.toml", "sub/../.ringwall/x"]
)
def test_X_09_writing_policy_is_selfguards_deny_and_no_question(path: str) -> None:
    rules = policy(user=with_auto(allow=["Edit", "Bash", "Edit(.ringwall/**)", "Effect(write)"]))
    by_shell = shell((command("cp x y"), [effect("write", path)]))
    by_tool = tool("Write", effect("write", path), kind=Kind.FILE)
    for made in (by_shell, by_tool):
        decision = judged(made, rules)
        assert (decision.verdict, decision.deciding.stage) == (DENY, "selfguard")


@pytest.mark.parametrize(
    "text",
    [
        "echo '{}' > .ringwall/permissions.json",
        "cd .ringwall && tee permissions.json < /dev/null",
        "sed -i s/ask/allow/ .ringwall/ringwall.toml",
        "cp /tmp/x ./sub/../.ringwall/ringwall.toml",
        "rm -r .ringwall",
        "bash -c 'mv /tmp/x .ringwall/permissions.json'",
    ],
)
def test_X_09_the_same_for_real_command_lines(text: str) -> None:
    rules = load(
        places=World().places,
        read_command=command_pattern,
        user=with_auto(allow=["Bash", "Edit(.ringwall/**)"]),
    ).policy
    decision = decide(analysed(text), Situation(Principal(), World().places, rules))
    assert (decision.verdict, decision.deciding.stage) == (DENY, "selfguard")
