"""PRE-01 … PRE-07, PRE-09, PRE-10, PRE-13, PRE-14, PRE-16 and W-01 … W-33: the plan, and the gate under it.

The calls are read by the real analyses. What needs the store or a real host stands in test_wall_state.py.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plan.world import (
    CLICK,
    SESSION,
    TESTS,
    WRITE,
    advance,
    allowed,
    analysed,
    bash,
    denied,
    judged,
    markdown,
    planned,
    policy,
    problems,
    sealed,
    situation,
    under,
    write,
)
from ringwall.gate.decide import STAGES
from ringwall.gate.free import is_observe_only, is_query_only
from ringwall.gate.wall import Mode, matched, mode_of
from ringwall.model.action import ToolCall
from ringwall.model.canonical import canonical, digest
from ringwall.model.errors import StateError
from ringwall.model.verdict import Verdict
from ringwall.plan.model import SessionStep
from ringwall.plan.parse import parse
from ringwall.plan.review import review_json
from ringwall.plan.seal import unseal
from ringwall.tools.classify import to_action

ROOT = Path(__file__).parents[2]
QUERY = (
    ("ToolSearch", {"query": "browser"}),
    ("WebFetch", {"url": "https://example.com/", "prompt": "sum up"}),
    ("WebSearch", {"query": "ringwall"}),
    ("mcp__playwright__browser_navigate", {"url": "https://example.com/"}),
    ("mcp__playwright__browser_snapshot", {}),
    ("mcp__playwright__browser_wait_for", {"text": "ready"}),
    ("mcp__playwright__browser_take_screenshot", {}),
)
OBSERVE = (
    ("Read", {"file_path": "src/a.py"}),
    ("Grep", {"pattern": "def"}),
    ("Glob", {"pattern": "**/*.py"}),
    ("Bash", {"command": "git status && grep -rn main src | head"}),
)
MUTATE = (
    ("Write", {"file_path": "src/b.py", "content": "x"}),
    ("Bash", {"command": "echo x > src/a.py"}),
    ("Bash", {"command": "sed -i s/a/b/ src/a.py"}),
    ("Bash", {"command": "python -c \"open('src/a.py', 'w').write('x')\""}),
    ("Bash", {"command": "git apply fix.patch"}),
    ("Bash", {"command": "npm test"}),
    ("mcp__playwright__browser_click", {"element": "OK", "ref": "e7"}),
    ("mcp__shop__frobnicate", {}),
    ("NobodyKnows", {}),
)


def click(ref: str = "e1", server: str = "playwright") -> Any:
    return analysed(f"mcp__{server}__browser_click", {"element": "OK", "ref": ref})


# ---- what the source implies


@pytest.mark.parametrize(("tool", "values"), MUTATE)
def test_PRE_01_a_call_is_blocked_unless_it_is_known_to_pass(tool: str, values: dict[str, Any]) -> None:
    assert judged(analysed(tool, values)).verdict is Verdict.DENY
    assert judged(analysed(tool, values), under(sealed(WRITE))).verdict is Verdict.DENY


def test_PRE_02_a_sealed_plan_tells_the_two_modes_apart() -> None:
    assert mode_of(situation()) is Mode.CONVERSATION
    assert mode_of(situation(under(sealed(WRITE)))) is Mode.PLAN
    assert mode_of(situation(rules=policy("guarded"))) is Mode.OPEN


@pytest.mark.parametrize(("tool", "values"), OBSERVE)
def test_PRE_03_observing_is_free_in_both_modes(tool: str, values: dict[str, Any]) -> None:
    call = analysed(tool, values)
    assert is_observe_only(call)
    assert allowed(call)
    assert allowed(call, under(sealed(WRITE)))


@pytest.mark.parametrize(
    "command", ["ls && touch x", "cat a | tee b", "ls $(touch x)", "git log > log.txt", "env rm a"]
)
def test_PRE_03_bash_only_observes_when_every_part_does(command: str) -> None:
    assert not is_observe_only(bash(command))
    assert not allowed(bash(command))


@pytest.mark.parametrize(
    ("tool", "values", "passes"),
    [
        ("Write", {"file_path": "plans/next.md", "content": "x"}, True),
        ("Edit", {"file_path": "docs/specs/a/b.md", "old_string": "a", "new_string": "b"}, True),
        ("ExitPlanMode", {"plan": "do it"}, True),
        ("Read", {"file_path": "a"}, True),
        ("Write", {"file_path": "src/a.py", "content": "x"}, False),
        ("Bash", {"command": "rm plans/old.md"}, False),
        ("Bash", {"command": "pytest"}, False),
    ],
)
def test_PRE_04_a_conversation_passes_seed_observe_and_authoring(
    tool: str, values: dict[str, Any], passes: bool
) -> None:
    assert allowed(analysed(tool, values)) is passes


def test_PRE_05_a_plan_is_a_document_with_steps_and_skills() -> None:
    plan = planned(WRITE, {"title": "Then", "steps": [TESTS]}, skills=["release-notes"])
    assert [(step.number, step.op.value, step.object) for step in plan.steps] == [
        (1, "Write", "src/a.py"),
        (2, "Bash", "pytest -q src"),
    ]
    assert [skill.name for skill in plan.skills] == ["release-notes"]
    assert [problem.code for problem in parse("# A plan without lists\n").problems] == ["plan.no_steps"]


def test_PRE_06_op_and_object_are_all_that_is_matched() -> None:
    view = under(sealed(WRITE, TESTS))
    for content in ("x", "rm -rf /", ""):
        call = analysed("Write", {"file_path": "./src/../src/a.py", "content": content})
        assert matched(call, situation(view)) is not None
    assert matched(write("src/a.py", "Edit"), situation(view)) is None
    assert matched(write("src/aa.py"), situation(view)) is None
    tests = under(sealed(WRITE, TESTS), 1)
    assert matched(bash("pytest   -q 'src'"), situation(tests)) is not None
    assert (
        matched(analysed("Bash", {"command": "pytest -q src", "description": "d"}), situation(tests))
        is not None
    )
    assert matched(bash("pytest -q"), situation(tests)) is None


def test_PRE_06_a_command_is_what_it_is_wherever_it_is_started() -> None:
    there = under(sealed({"op": "Bash", "object": "cd src && pytest -q"}))
    here = under(sealed({"op": "Bash", "object": "pytest -q src"}))
    from_src = bash("pytest -q", cwd="/home/dev/app/src")
    assert matched(from_src, situation(there)) is not None
    assert matched(bash("cd src && pytest -q"), situation(there)) is not None
    assert matched(bash("cd src && pytest -q"), situation(here)) is None
    assert matched(bash("pytest -q src"), situation(there)) is None
    assert matched(bash("pytest -q src", cwd="/home/dev/app/src"), situation(here)) is None


@pytest.mark.parametrize(("tool", "values"), MUTATE)
def test_PRE_07_only_the_step_under_the_pointer_changes_the_repository(
    tool: str, values: dict[str, Any]
) -> None:
    view = under(sealed(WRITE, TESTS))
    assert allowed(write("src/a.py"), view)
    assert "step 1" in denied(analysed(tool, values), view)
    assert "Write src/a.py" in denied(bash("pytest -q src"), view)


def test_PRE_09_the_seal_is_over_the_plan_and_a_change_breaks_it() -> None:
    one = sealed(WRITE, TESTS)
    assert one.plan_id == digest(one.document)
    assert unseal(canonical(one.document), one.plan_id) == one
    assert sealed(WRITE).plan_id != one.plan_id
    with pytest.raises(StateError) as broken:
        unseal(canonical(one.document).replace(b"src/a.py", b"src/b.py"), one.plan_id)
    assert broken.value.code == "plan.seal_broken"


@pytest.mark.parametrize(
    "steps",
    [
        [],
        [{"op": "Write"}],
        [{"op": "Frobnicate", "object": "a"}],
        [{"op": "Write", "object": "a", "colour": "red"}],
        [{"op": "Write", "object": "../outside"}],
    ],
)
def test_PRE_10_a_plan_can_be_invalid(steps: list[Any]) -> None:
    read = parse(markdown(steps))
    assert read.plan is None
    assert read.problems
    assert all(problem.line for problem in read.problems)


def test_PRE_13_mentor_and_judge_are_handed_the_whole_plan() -> None:
    step = {**WRITE, "note": "why", "role": "lead", "creates": ["src/a.py"], "requires": ["README.md"]}
    handed = review_json(planned(step, SESSION, skills=[{"name": "tdd", "note": "first"}]), "sha256:0")
    assert handed["steps"][0]["source"] == step
    assert handed["skills"] == [{"name": "tdd", "note": "first"}]


def test_PRE_14_a_declared_skill_is_called_freely_and_leaves_the_pointer() -> None:
    view = under(sealed(WRITE, skills=["tdd"]))
    skill = analysed("Skill", {"skill": "tdd"})
    assert allowed(skill, view)
    assert advance(skill, view) == view
    assert "skills-json" in denied(analysed("Skill", {"skill": "other"}), view)


def test_PRE_16_the_tests_of_this_page_are_older_than_what_they_test() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("needs the repository's history")
    first = [
        subprocess.run(
            ["git", "log", "--format=%ct", "--diff-filter=A", "--", path],
            cwd=ROOT, capture_output=True, text=True, check=True,
        ).stdout.split()
        for path in (
            "tests/requirements/test_wall.py",
            "src/ringwall/gate/free.py",
            "src/ringwall/plan/parse.py",
        )
    ]  # fmt: skip
    if not all(first):
        pytest.skip("the history here is cut short")
    mine, *theirs = (int(times[-1]) for times in first)
    assert all(mine <= time for time in theirs)


# ---- query-only tools


def test_W_01_a_named_predicate_stands_beside_the_one_for_observing() -> None:
    assert is_query_only(to_action(ToolCall("claude", "WebSearch", {"query": "x"})))
    assert not is_query_only(to_action(ToolCall("claude", "Read", {"file_path": "x"})))


@pytest.mark.parametrize(("tool", "values"), QUERY)
def test_W_02_these_tools_only_query(tool: str, values: dict[str, Any]) -> None:
    assert is_query_only(to_action(ToolCall("claude", tool, values)))
    bare = tool.rpartition("__")[2]
    assert is_query_only(to_action(ToolCall("claude", bare, values)))


@pytest.mark.parametrize(
    "tool",
    [
        "mcp__playwright__browser_click", "browser_click", "browser_type", "browser_fill_form",
        "mcp__playwright__browser_evaluate", "mcp__playwright__browser_console_messages", "Write", "Edit",
        "Bash", "Read", "Grep", "webfetchx", "WebFetch2", "browser_snapshotx", "Task", "mcp__x__WebFetch",
    ],
)  # fmt: skip
def test_W_03_only_the_named_tools_are_query_only(tool: str) -> None:
    assert not is_query_only(to_action(ToolCall("claude", tool, {})))


@pytest.mark.parametrize(("tool", "values"), QUERY)
def test_W_04_a_foreign_site_is_looked_at_without_a_plan(tool: str, values: dict[str, Any]) -> None:
    assert allowed(analysed(tool, values))
    assert allowed(analysed(tool.rpartition("__")[2], values))


@pytest.mark.parametrize(("tool", "values"), QUERY)
def test_W_05_querying_is_free_at_any_step(tool: str, values: dict[str, Any]) -> None:
    plan = sealed(WRITE, SESSION, TESTS)
    for at in range(4):
        assert allowed(analysed(tool, values), under(plan, at))


@pytest.mark.parametrize(("tool", "values"), QUERY)
def test_W_06_querying_moves_nothing(tool: str, values: dict[str, Any]) -> None:
    for at in range(3):
        view = under(sealed(WRITE, SESSION, TESTS), at)
        assert matched(analysed(tool, values), situation(view)) is None
        assert advance(analysed(tool, values), view) == view


@pytest.mark.parametrize(("tool", "values"), QUERY)
def test_W_07_what_a_query_looked_at_stands_in_its_decision_for_the_quiet_log(
    tool: str, values: dict[str, Any]
) -> None:
    decision = judged(analysed(tool, values), under(sealed(WRITE)))
    assert decision.analysis.action.tool == tool
    assert decision.analysis.effects
    assert not any(opinion.verdict is not Verdict.ALLOW for opinion in decision.opinions)


@pytest.mark.parametrize(
    ("tool", "values"),
    [*MUTATE, ("mcp__github__list_issues", {}), ("Task", {"prompt": "look"}), ("Skill", {"skill": "tdd"})],
)
def test_W_08_a_conversation_blocks_all_else(tool: str, values: dict[str, Any]) -> None:
    reason = denied(analysed(tool, values))
    assert "no plan is sealed" in reason


@pytest.mark.parametrize(
    "tool",
    [
        "mcp__evil__browser_snapshot",
        "mcp__evil__Read",
        "mcp__evil__WebFetch",
        "mcp__playwrightx__browser_navigate",
    ],
)
def test_W_09_a_tool_is_a_server_and_a_name(tool: str) -> None:
    assert not is_query_only(to_action(ToolCall("claude", tool, {})))
    assert not is_observe_only(analysed(tool, {}))
    assert not allowed(analysed(tool, {}))
    assert not allowed(analysed(tool, {}), under(sealed(WRITE)))
    other = ToolCall("codex", tool.rpartition("__")[2], {}, server="evil")
    assert not is_query_only(to_action(other))


# ---- the session step


def test_W_10_a_step_may_be_a_session() -> None:
    for produces in ("reports/a.md", ["notes.md", "reports/a.md"]):
        step = planned({**SESSION, "produces": produces}).steps[0]
        assert isinstance(step, SessionStep)
        assert step.op.value == "session"


def test_W_11_goal_tools_and_produces_are_taken_from_the_plan() -> None:
    step = planned({**SESSION, "produces": ["notes.md", "reports/a.md"]}).steps[0]
    assert isinstance(step, SessionStep)
    assert step.goal == SESSION["goal"]
    assert step.tools == tuple(SESSION["tools"])
    assert step.produces == ("notes.md", "reports/a.md")


@pytest.mark.parametrize("produces", ["", [], [""], None, "absent"])
def test_W_12_a_session_without_a_product_is_no_plan(produces: Any) -> None:
    step = {**SESSION, "produces": produces}
    if produces == "absent":
        del step["produces"]
    read = parse(markdown([step]))
    assert read.plan is None
    assert "produces" in " ".join(str(problem.what) for problem in read.problems)


def test_W_13_the_last_of_several_products_closes_the_session() -> None:
    view = under(sealed({**SESSION, "produces": ["notes.md", "reports/a.md"]}, WRITE))
    first = matched(write("notes.md"), situation(view))
    assert first is not None and not first.closes
    after = advance(write("notes.md"), view)
    assert after.pointer.at == 0
    assert advance(write("reports/a.md"), replace(after, call="c2")).pointer.at == 1


def test_W_14_in_a_session_its_tools_and_looking_are_free_as_often_as_wanted() -> None:
    view = under(sealed(SESSION, WRITE))
    assert allowed(analysed("browser_click", {"ref": "e1"}), view)
    for ref in ("e1", "e2", "e1", "s3e44"):
        assert allowed(click(ref), view)
    assert allowed(analysed("mcp__shop__add_to_cart", {"item": "x"}), view)
    for tool, values in (*QUERY, *OBSERVE):
        assert allowed(analysed(tool, values), view)


@pytest.mark.parametrize(
    ("tool", "values"),
    [
        ("mcp__playwright__browser_drag", {}),
        ("mcp__evil__browser_click", {}),
        ("mcp__shop__list_orders", {}),
        ("mcp__other__add_to_cart", {}),
        ("Write", {"file_path": "src/a.py", "content": "x"}),
        ("Bash", {"command": "npm test"}),
        ("Bash", {"command": "echo x > reports/signup.md"}),
    ],
)
def test_W_15_a_tool_that_is_not_the_sessions_is_blocked(tool: str, values: dict[str, Any]) -> None:
    assert "reports/signup.md" in denied(analysed(tool, values), under(sealed(SESSION, WRITE)))


def test_W_16_no_click_moves_the_pointer() -> None:
    view = under(sealed(SESSION, WRITE))
    for call in (
        click(),
        analysed("mcp__shop__add_to_cart", {}),
        analysed("mcp__playwright__browser_snapshot", {}),
    ):
        assert matched(call, situation(view)) is None
        assert advance(call, view) == view


def test_W_17_the_closing_file_is_a_write_step() -> None:
    view = under(sealed(SESSION, WRITE))
    report = write("reports/signup.md")
    assert allowed(report, view)
    assert advance(report, view).pointer.at == 1
    assert not allowed(write("reports/signup.md", "Edit"), view)


def test_W_18_clicks_are_no_steps() -> None:
    for op in ("browser_click", "click", CLICK):
        assert "plan.unknown_op" in [problem.code for problem in problems({"op": op, "object": "e1"})]
    assert "plan.unknown_key" in [problem.code for problem in problems({**SESSION, "clicks": ["e1"]})]


def test_W_19_the_right_ends_with_the_session() -> None:
    view = under(sealed(SESSION, WRITE))
    assert allowed(click(), view)
    after = advance(write("reports/signup.md"), view)
    assert "step 2" in denied(click(), after)
    assert not allowed(click(), under(sealed(WRITE, SESSION)))


def test_W_20_the_last_product_waits_for_the_others() -> None:
    view = under(sealed({**SESSION, "produces": ["a.md", "b.md", "end.md"]}, WRITE))
    assert "a.md" in denied(write("end.md"), view)
    view = replace(advance(write("b.md"), view), call="c2")
    assert "a.md" in denied(write("end.md"), view)
    view = replace(advance(write("a.md"), view), call="c3")
    view = replace(advance(write("b.md"), view), call="c4")
    assert view.pointer.at == 0
    assert advance(write("end.md"), view).pointer.at == 1


@pytest.mark.parametrize(
    "name", ["*", "browser_*", "mcp__playwright__*", "mcp__*", "browser_clic?", "mcp__playwright"]
)
def test_W_21_a_wildcard_is_no_tool(name: str) -> None:
    plan = planned({**SESSION, "tools": ["browser_click", name]})
    step = plan.steps[0]
    assert isinstance(step, SessionStep)
    assert step.effective == ("browser_click",)
    assert len(plan.cautions) == 1


def test_W_22_a_session_has_no_limit_of_time_or_clicks() -> None:
    view = under(sealed(SESSION, WRITE))
    for n in range(200):
        assert allowed(click(f"e{n}"), view)
    assert "plan.unknown_key" in [problem.code for problem in problems({**SESSION, "timeout": 60})]


# ---- op:"Skill"


def test_W_23_a_skill_is_no_step() -> None:
    found = problems(WRITE, {"op": "Skill", "object": "tdd"})
    assert [problem.code for problem in found] == ["plan.skill_step"]
    assert "Skill cannot be a step" in str(found[0].what)
    assert "skills-json" in str(found[0].repair)
    assert found[0].line > 6


def test_W_24_a_declared_skill_is_free_at_every_step() -> None:
    for at in range(3):
        view = under(sealed(WRITE, SESSION, TESTS, skills=["tdd"]), at)
        assert allowed(analysed("Skill", {"skill": "tdd"}), view)
        assert advance(analysed("Skill", {"skill": "tdd"}), view) == view


def test_W_25_reviewers_are_told_that_the_report_is_the_verification() -> None:
    told = review_json(planned(SESSION), "sha256:0")["step_types"]["session"]
    assert "verif" in told and "produces" in told


# ---- the safety catch


@pytest.mark.parametrize(
    "name",
    ["Write", "Edit", "MultiEdit", "NotebookEdit", "Bash", "Monitor", "Bash(npm test)",
     "mcp__filesystem__write_file", "apply_patch", "run_shell_command", "write_file", "Task", "Agent",
     "mcp__shell__run_command"],
)  # fmt: skip
def test_W_26_a_session_never_gives_repository_edits(name: str) -> None:
    plan = planned({**SESSION, "tools": ["browser_click", name]}, WRITE)
    step = plan.steps[0]
    assert isinstance(step, SessionStep)
    assert step.effective == ("browser_click",)
    assert name in str(plan.cautions[0].what)


def test_W_26_not_even_through_a_tool_that_was_let_in() -> None:
    view = under(sealed(SESSION, WRITE))
    writing = analysed("mcp__shop__add_to_cart", {"path": "src/a.py"})
    assert {effect.name for effect in writing.effects} & {"write"}
    assert not allowed(writing, view)


@pytest.mark.parametrize(
    "name",
    ["ssh", "rm", "rm -rf", "npm install", "npm", "pip", "aws", "gcloud", "curl x > y", "PowerShell",
     "sudo", "dd", "mcp__playwright__browser_install", "browser_install", "browser_run_code",
     "browser_cookie_list"],
)  # fmt: skip
def test_W_27_a_session_never_gives_what_lies_on_the_floor(name: str) -> None:
    plan = planned({**SESSION, "tools": ["browser_click", name]}, WRITE)
    step = plan.steps[0]
    assert isinstance(step, SessionStep)
    assert step.effective == ("browser_click",)
    assert len(plan.cautions) == 1


def test_W_28_a_forbidden_name_is_dropped_with_a_visible_warning() -> None:
    plan = planned({**SESSION, "tools": ["browser_click", "Write", "ssh"]}, WRITE)
    step = plan.steps[0]
    assert isinstance(step, SessionStep)
    assert step.effective == ("browser_click",)
    assert step.tools == ("browser_click", "Write", "ssh")
    assert [caution.code for caution in plan.cautions] == ["plan.tool_dropped"] * 2
    assert all(caution.line and caution.step == 1 for caution in plan.cautions)
    assert len(plan.steps) == 2


def test_W_29_a_dropped_name_does_not_pass_later() -> None:
    view = under(sealed({**SESSION, "tools": ["browser_click", "Write", "rm -rf", "ssh"]}, WRITE))
    assert not allowed(write("src/a.py"), view)
    assert not allowed(bash("ssh host uptime"), view)
    assert not allowed(bash("rm -rf src"), view)
    assert allowed(click(), view)


@pytest.mark.parametrize(
    "change",
    [
        {"goal": "Another"},
        {"tools": ["browser_click"]},
        {"produces": "reports/b.md"},
        {"produces": ["x.md", "reports/signup.md"]},
    ],
)
def test_W_30_the_session_is_part_of_the_seal(change: dict[str, Any]) -> None:
    one, other = sealed(SESSION, WRITE), sealed({**SESSION, **change}, WRITE)
    assert one.plan_id != other.plan_id
    with pytest.raises(StateError):
        unseal(canonical(other.document), one.plan_id)


def test_W_31_the_seal_holds_what_was_written_and_what_was_left_of_it() -> None:
    one = sealed({**SESSION, "tools": ["browser_click", "Write"]}, WRITE)
    text = json.dumps(one.document)
    assert '"Write"' in text and '"browser_click"' in text
    assert sealed({**SESSION, "tools": ["browser_click"]}, WRITE).plan_id != one.plan_id
    again = unseal(canonical(one.document), one.plan_id).plan.steps[0]
    assert isinstance(again, SessionStep)
    assert (again.tools, again.effective) == (("browser_click", "Write"), ("browser_click",))


def test_W_32_reviewers_see_every_field_of_every_step() -> None:
    handed = review_json(
        planned({**SESSION, "tools": ["browser_click", "Write"], "note": "n"}, WRITE), "sha256:0"
    )
    session = handed["steps"][0]
    assert session["source"]["tools"] == ["browser_click", "Write"]
    assert session["effective_tools"] == ["browser_click"]
    assert (session["source"]["goal"], session["source"]["produces"]) == (
        SESSION["goal"],
        SESSION["produces"],
    )
    assert session["source"]["note"] == "n"
    assert handed["warnings"][0]["step"] == 1


def test_W_33_reviewers_are_told_what_each_type_of_step_is() -> None:
    handed = review_json(planned(SESSION, WRITE), "sha256:0")
    assert {step["op"] for step in handed["steps"]} <= handed["step_types"].keys()
    assert "session" in handed["step_types"]
    json.dumps(handed)


# ---- under a plan


def test_X_02_the_wall_stands_where_the_law_puts_it_and_says_so() -> None:
    assert [stage.STAGE for stage in STAGES].index("wall") == 3
    decision = judged(write("src/b.py"), under(sealed(WRITE)))
    assert decision.deciding.code == "wall.plan_step_mismatch"
    assert decision.opinions[-1].stage == "wall"


def test_X_03_the_floor_holds_also_for_a_step_and_an_escape_lifts_only_the_floor() -> None:
    view = under(sealed({"op": "Bash", "object": "npm install left-pad"}, WRITE))
    call = bash("npm install left-pad")
    assert judged(call, view).deciding.stage == "floor"
    escapes = frozenset({call.action.digest})
    assert judged(call, view, escapes=escapes).verdict is not Verdict.DENY
    assert judged(call, under(sealed(WRITE)), escapes=escapes).deciding.stage == "wall"


def test_X_04_a_planned_push_still_asks_and_says_which_step_it_is() -> None:
    plan = sealed(WRITE, {"op": "Bash", "object": "git push origin feature"})
    decision = judged(bash("git push origin feature"), under(plan, 1))
    assert (decision.verdict, decision.deciding.stage) == (Verdict.ASK, "limits")
    reason = str(decision.deciding.reason)
    assert "step 2 of sealed plan" in reason
    assert plan.plan_id.removeprefix("sha256:")[:12] in reason
