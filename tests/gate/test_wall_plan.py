"""What the wall answers under a plan besides yes, and what a session lifts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plan.world import (
    SESSION,
    TESTS,
    WRITE,
    allowed,
    analysed,
    bash,
    denied,
    judged,
    matched,
    policy,
    sealed,
    situation,
    under,
    write,
)  # fmt: skip
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict
from ringwall.plan.pointer import Match, Pointer, commit, lose, reserve
from ringwall.plan.view import WallView
from ringwall.policy.model import Policy
from shell.world import ROOT

CART = "mcp__shop__add_to_cart"
LOOKS = [("Read", {"file_path": "a"}), ("Bash", {"command": "git log"}), ("WebSearch", {"query": "x"})]


def held(view: WallView, call: str = "other") -> WallView:
    return replace(view, pointer=reserve(view.pointer, call, Match(view.pointer.at)))


def code(view: WallView, path: str = "src/a.py") -> str:
    return judged(write(path), view).deciding.code


def test_the_step_waits_while_another_call_does_it() -> None:
    view = held(under(sealed(WRITE, TESTS)))
    assert code(view) == "wall.held"
    assert "step 1" in denied(write("src/a.py"), view)
    assert allowed(write("src/a.py"), replace(view, call="other"))


def test_two_calls_of_one_turn_do_not_overtake() -> None:
    view = held(under(sealed(WRITE, TESTS)))
    assert matched(bash("pytest -q src"), situation(replace(view, call="c2"))) is None
    assert not allowed(bash("pytest -q src"), replace(view, call="c2"))


def test_nobody_goes_on_while_it_is_unknown_what_happened() -> None:
    view = held(under(sealed(WRITE, TESTS)), "c1")
    view = replace(view, pointer=lose(view.pointer))
    assert code(view) == "wall.unknown"
    assert "plan resolve" in str(judged(write("src/a.py"), view).deciding.advice)


def test_a_call_that_was_counted_does_not_count_again() -> None:
    plan = sealed(WRITE, WRITE)
    pointer = commit(reserve(Pointer(2), "c1", Match(0)), "c1")
    assert code(WallView(plan, pointer, "c1")) == "wall.held"
    assert allowed(write("src/a.py"), WallView(plan, pointer, "c2"))


def test_after_the_last_step_nothing_changes_the_repository() -> None:
    view = under(sealed(WRITE), 1)
    assert code(view) == "wall.finished"
    assert "are done" in denied(bash("make"), view)


def test_a_broken_plan_lets_only_looking_pass_and_says_why() -> None:
    view = replace(under(sealed(WRITE)), fault=msg("the sealed copy was changed"))
    assert denied(write("src/a.py"), view) == "the sealed copy was changed"
    assert matched(write("src/a.py"), situation(view)) is None
    for tool, values in LOOKS:
        assert allowed(analysed(tool, values), view)


@pytest.mark.parametrize("preset", ["auto", "guarded", "strict", "walled"])
def test_a_seal_holds_under_every_preset(preset: str) -> None:
    view, rules = under(sealed(WRITE, TESTS)), policy(preset)
    assert judged(write("src/b.py"), view, rules).deciding.code == "wall.plan_step_mismatch"
    assert judged(write("src/a.py"), view, rules).verdict is not Verdict.DENY


def test_plans_are_not_written_under_a_seal() -> None:
    assert allowed(write("plans/next.md"))
    assert not allowed(write("plans/next.md"), under(sealed(WRITE)))


def test_doubt_is_no_looking() -> None:
    assert not allowed(bash("ls 'unfinished"))
    assert "certainty" in denied(bash("ls 'unfinished"), under(sealed(WRITE)))


def test_the_expected_step_stands_in_one_line() -> None:
    view = under(sealed({"op": "Bash", "object": "cat <<'E' > f\na\nE"}))
    reason = denied(bash("make"), view)
    assert "\n" not in reason and "cat <<'E' > f\\na\\nE" in reason


def test_where_a_command_is_started_is_said() -> None:
    view = under(sealed(TESTS))
    there = bash("pytest -q src", cwd=f"{ROOT}/src")
    assert f"started in {ROOT}" in str(judged(there, view).deciding.advice)


def cart(rules: Policy, view: WallView, **values: str) -> tuple[Verdict, str]:
    decision = judged(analysed(CART, values), view, rules)
    return decision.verdict, decision.deciding.stage


def test_a_session_answers_what_only_the_preset_asks() -> None:
    view = under(sealed(SESSION, WRITE))
    for preset in ("guarded", "walled", "strict"):
        assert cart(policy(preset), view)[0] is Verdict.ALLOW
    assert cart(policy("guarded"), replace(view, plan=sealed(WRITE)))[0] is Verdict.DENY


def test_rules_of_people_and_limits_hold_in_a_session() -> None:
    view = under(sealed(SESSION, WRITE))
    asks = policy(permissions='{"permissions": {"ask": ["mcp__shop"]}}')
    assert cart(asks, view) == (Verdict.ASK, "permissions")
    denies = policy(permissions='{"permissions": {"deny": ["mcp__shop__add_to_cart"]}}')
    assert cart(denies, view)[0] is Verdict.DENY
    merging = under(sealed({**SESSION, "tools": ["mcp__github__merge_pull_request"]}, WRITE))
    decision = judged(analysed("mcp__github__merge_pull_request", {"pullNumber": 1}), merging)
    assert (decision.verdict, decision.deciding.stage) == (Verdict.ASK, "limits")


def test_what_a_session_lifted_stands_in_the_trace() -> None:
    decision = judged(analysed(CART, {}), under(sealed(SESSION, WRITE)))
    assert [one.verdict for one in decision.opinions if one.stage == "permissions"] == [Verdict.ASK]
    assert (decision.verdict, decision.deciding.stage) == (Verdict.ALLOW, "autonomy")


@pytest.mark.parametrize("tool", ["browser_read", "status", "propose_git_push"])
def test_ringwalls_own_tools_look_or_ask(tool: str) -> None:
    for view in (None, under(sealed(WRITE))):
        assert allowed(analysed(f"mcp__ringwall__{tool}", {"routeId": "orders"}), view)
        assert not allowed(analysed(f"mcp__other__{tool}", {"routeId": "orders"}), view)


def test_a_screenshot_into_the_project_is_a_write() -> None:
    shot = "mcp__playwright__browser_take_screenshot"
    view = under(sealed(WRITE))
    assert allowed(analysed(shot, {}), view)
    assert allowed(analysed(shot, {"filename": "/tmp/shot.png"}), view)
    assert not allowed(analysed(shot, {"filename": "src/shot.png"}), view)


@pytest.mark.parametrize(
    ("tool", "values"),
    [
        ("mcp__playwright__browser_navigate", {"url": "javascript:buy()"}),
        ("mcp__playwright__browser_navigate", {"url": " Java\tScript:buy()"}),
        ("browser_navigate", {"url": "javascript:buy()"}),
        ("mcp__chrome-devtools__navigate_page", {"url": "https://a.example", "initScript": "buy()"}),
    ],
)
def test_an_address_that_is_a_script_is_no_looking(tool: str, values: dict[str, str]) -> None:
    assert not allowed(analysed(tool, values), under(sealed(WRITE)))
    assert allowed(analysed(tool, {"url": "https://a.example"}), under(sealed(WRITE)))
