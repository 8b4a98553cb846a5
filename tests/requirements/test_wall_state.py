"""PRE-08, PRE-11, PRE-12, PRE-15, W-34 … W-38: what the wall keeps, through the whole judge and its store."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.wall_world import ANN, SESSION, TESTS, WRITE_B, World, context
from ringwall.judge.wall.quiet import Kind, Outcome

CHECK = {"command": "make check"}
CLICK = "mcp__playwright__browser_click"
SNAPSHOT = "mcp__playwright__browser_snapshot"
FLOOR = (
    ("npm install left-pad", "floor.install"),
    ("aws ec2 run-instances --image-id x", "floor.cloud_write"),
    ("ssh host uptime", "floor.remote_exec"),
    ("rm -rf src", "floor.delete"),
    ("cat ~/.ssh/id_ed25519", "floor.read_secret"),
    ("git reset --hard", "floor.git_discard"),
)
HERE = Path(__file__).parent


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR", "TMPDIR",
                 "CLAUDE_CODE_ENTRYPOINT", "RINGWALL_HEADLESS"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
    made = World(tmp_path)
    yield made
    made.close()


def click(world: World, ref: str = "e1", call: str = "") -> str:
    return world.before(CLICK, {"element": "Buy", "ref": ref}, call)[0]


# ---- the pointer in two phases


def test_PRE_08_the_pointer_moves_for_the_matched_step_alone(world: World) -> None:
    world.seal(TESTS, SESSION, WRITE_B)
    for tool, values in (
        ("Read", {"file_path": str(world.project / "README.md")}),
        ("WebFetch", {"url": "https://example.com/", "prompt": "sum up"}),
        (SNAPSHOT, {}),
        ("Bash", {"command": "touch src/a.py"}),
        ("Write", {"file_path": str(world.project / "src/b.py"), "content": "x"}),
        (CLICK, {"element": "Buy", "ref": "e1"}),
    ):
        world.before(tool, values, f"before {tool}")
        world.after(tool, values, f"before {tool}")
        assert (world.at, world.held) == (0, False), tool
    assert world.bash("make check", "step")[0] == "allow"
    assert (world.at, world.held) == (0, True)
    world.after("Bash", CHECK, "step")
    assert (world.at, world.held) == (1, False)


@pytest.mark.parametrize("ending", ["failure", "crash and no", "abandoned"])
def test_PRE_08_what_did_not_happen_moves_nothing(world: World, ending: str) -> None:
    world.seal(TESTS, WRITE_B)
    world.bash("make check", "c1")
    if ending == "failure":
        world.failed("Bash", CHECK, "c1", error="Exit code 1")
    elif ending == "crash and no":
        world.hook("SessionStart", source="resume")
        world.plans.resolve_unknown(str(world.project), False, ANN)
    else:
        world.plans.abandon(str(world.project), ANN, "enough")
        world.after("Bash", CHECK, "c1")
        assert world.plans.one(1).pointer.at == 0
        return
    assert (world.at, world.held) == (0, False)


# ---- the floor


def test_PRE_11_the_floor_lies_under_a_plan_that_names_the_act(world: World) -> None:
    (world.project / "src/a.py").write_text("x = 1\n")
    for command, code in FLOOR:
        verdict, reason = world.bash(command)
        assert verdict == "deny" and f"[{code}" in reason, reason
        world.write_plan({"op": "Bash", "object": command}, WRITE_B)
        read = world.review()
        assert read.plan is not None and (read.problems or read.plan.cautions), command
        if read.sealed is not None:
            world.seal()
            verdict, reason = world.bash(command)
            assert verdict == "deny" and f"[{code}" in reason, reason
            assert not world.held


def test_PRE_11_no_session_gives_what_lies_on_the_floor(world: World) -> None:
    world.seal({**SESSION, "tools": ["browser_click", "Bash", "ssh"]}, WRITE_B)
    assert click(world) == "allow"
    for command, code in FLOOR:
        verdict, reason = world.bash(command)
        assert verdict == "deny" and f"[{code}" in reason, reason


# ---- the quiet log


def test_PRE_12_reads_under_a_plan_are_written_down_and_nobody_is_warned(world: World) -> None:
    readme = {"file_path": str(world.project / "README.md")}
    world.before("Read", readme)
    world.seal(TESTS)
    told = set()
    for number in range(60):
        told.add(world.before("Read", readme, f"r{number}")[1])
        assert world.after("Read", readme, f"r{number}") == ""
    assert len(told) == 1
    calls = world.plans.report(1).calls
    assert len(calls) == 60
    assert {(call.kind, call.outcome, call.tool) for call in calls} == {(Kind.LOOK, Outcome.DONE, "Read")}


def test_PRE_15_an_unfinished_plan_hangs_and_nothing_expires_it(world: World) -> None:
    world.seal(SESSION, WRITE_B)
    click(world)
    world.hook("SessionEnd", reason="other")
    world.now += 400 * 24 * 3600 * 10**9
    world.judge.close()
    world.judge = world.new_judge()
    assert "step 1" in context(world.hook("SessionStart", source="startup", session_id="s2"))
    assert click(world, "e9") == "allow"
    assert world.before("Write", {"file_path": str(world.project / "src/b.py"), "content": "x"})[0] == "deny"


def test_W_34_every_call_under_a_plan_goes_to_the_same_quiet_log(world: World) -> None:
    world.seal(SESSION, WRITE_B)
    made = (
        ("Read", {"file_path": str(world.project / "README.md")}, Kind.LOOK),
        ("ToolSearch", {"query": "browser"}, Kind.QUERY),
        ("WebFetch", {"url": "https://example.com/", "prompt": "x"}, Kind.QUERY),
        (SNAPSHOT, {}, Kind.QUERY),
        (CLICK, {"element": "Buy", "ref": "e1"}, Kind.SESSION),
        ("mcp__playwright__browser_type", {"element": "Name", "ref": "e2", "text": "Ann"}, Kind.SESSION),
        ("Bash", {"command": "ls"}, Kind.LOOK),
    )
    for number, (tool, values, _) in enumerate(made):
        assert world.before(tool, values, f"c{number}")[0] == "allow", tool
        assert world.after(tool, values, f"c{number}") == ""
    world.bash("touch src/stray.py")
    calls = world.plans.report(1).calls
    assert [(call.tool, call.kind) for call in calls[:-1]] == [(tool, kind) for tool, _, kind in made]
    assert all(call.outcome is Outcome.DONE for call in calls[:-1])
    assert (calls[-1].outcome, calls[-1].code) == (Outcome.DENIED, "wall.plan_step_mismatch")


def test_W_35_the_report_shows_what_was_read_clicked_retried_and_refused(world: World) -> None:
    world.seal(TESTS, SESSION, WRITE_B)
    world.bash("make check", "c1")
    world.failed("Bash", CHECK, "c1")
    world.bash("make check", "c2")
    world.now += 5 * 10**9
    world.after("Bash", CHECK, "c2")
    for ref in ("e1", "e2", "e1"):
        world.now += 10**9
        click(world, ref)
    world.bash("touch src/stray.py")
    world.write("reports/shop.md")
    report = world.plans.report(1)
    first, session, _ = report.spans
    assert (first.tries, first.ended - first.began, len(first.released)) == (2, 5_000_000, 1)
    assert session.ended - session.began == 3_000_000
    assert [call.about for call in report.of_kind(Kind.SESSION)] == ["Buy"] * 3
    assert [call.about for call in report.denied] == ["touch src/stray.py"]


# ---- what stays as it was


def test_W_36_a_sealed_plan_leaves_floor_and_limits_as_they_are(world: World) -> None:
    push = {"op": "Bash", "object": "git push origin main"}
    world.seal(push, WRITE_B)
    verdict, reason = world.bash("git push origin main", permission_mode="default")
    assert verdict == "ask" and "limits.git_push" in reason and "step 1" in reason
    verdict, reason = world.bash("rm -rf /usr")
    assert verdict == "deny" and "[floor." in reason


def test_W_37_no_click_in_a_session_takes_an_escape_or_a_question(world: World) -> None:
    world.seal(SESSION, WRITE_B)
    for number in range(40):
        assert click(world, f"e{number}", f"c{number}") == "allow"
        world.after(CLICK, {"element": "Buy", "ref": f"e{number}"}, f"c{number}")
    assert world.at == 0
    with world.plans.store.reading() as connection:
        asked = connection.exec_driver_sql("SELECT count(*) FROM proposals").scalar()
    assert asked == 0


SCENARIOS = (
    "test_W_02_these_tools_only_query", "test_W_04_a_foreign_site_is_looked_at_without_a_plan",
    "test_W_12_a_session_without_a_product_is_no_plan", "test_W_28_", "test_W_23_", "test_W_16_",
    "test_W_17_", "test_W_15_", "test_W_30_", "test_PRE_08_the_pointer_moves_for_the_matched_step_alone",
)  # fmt: skip
"""A test for each of the ten scenarios of the source's sixth section, in its order."""


def test_W_38_the_ten_scenarios_are_tests() -> None:
    names = {
        node.name
        for path in (HERE / "test_wall.py", HERE / "test_wall_state.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    missing = [wanted for wanted in SCENARIOS if not any(name.startswith(wanted) for name in names)]
    assert len(SCENARIOS) == 10
    assert not missing, json.dumps(missing)
