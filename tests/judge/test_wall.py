"""The pointer of a sealed plan, moved by real calls through a real store."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ringwall.approvals.proposal import State
from ringwall.journal.read import Filter, read
from ringwall.journal.verify import verify
from ringwall.judge import standing
from ringwall.judge.desk import Desk, Yes
from ringwall.model.errors import UsageError

from .wall_world import ANN, SESSION, TESTS, WRITE_A, WRITE_B, World, answer, context

CHECK = {"command": "make check"}
CLICK = "mcp__playwright__browser_click"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR", "TMPDIR",
                 "CLAUDE_CODE_ENTRYPOINT", "RINGWALL_HEADLESS"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
    made = World(tmp_path)
    yield made
    made.close()


def values(world: World, path: str) -> dict[str, str]:
    return {"file_path": str(world.project / path), "content": "x = 1\n"}


# ---- two phases


def test_a_step_is_reserved_before_and_committed_after(world: World) -> None:
    world.seal(WRITE_A, WRITE_B)
    assert world.before("Write", values(world, "src/a.py"), "c1")[0] == "allow"
    assert (world.at, world.held) == (0, True)
    (world.project / "src/a.py").write_text("x = 1\n")
    told = world.after("Write", values(world, "src/a.py"), "c1")
    assert (world.at, world.held) == (1, False)
    assert "Step 1 is done" in told and "Write src/b.py" in told


def test_a_failure_gives_the_step_back(world: World) -> None:
    world.seal(TESTS, WRITE_B)
    assert world.bash("make check", "c1")[0] == "allow"
    world.failed("Bash", CHECK, "c1", error="Exit code 2")
    assert (world.at, world.held) == (0, False)
    assert world.bash("make check", "c2")[0] == "allow"


def test_one_call_moves_the_pointer_once(world: World) -> None:
    world.seal(TESTS, TESTS)
    for _ in range(2):
        assert world.bash("make check", "c1")[0] == "allow"  # the host asks again
    for _ in range(3):
        world.after("Bash", CHECK, "c1")
    assert world.at == 1
    verdict, reason = world.bash("make check", "c1")
    assert (verdict, world.held) == ("deny", False), reason
    assert world.bash("make check", "c2")[0] == "allow"


def test_a_step_is_one_calls(world: World) -> None:
    world.seal(TESTS, WRITE_B)
    assert world.bash("make check", "c1")[0] == "allow"
    verdict, reason = world.bash("make check", "c2")
    assert verdict == "deny" and "another call is doing step 1" in reason
    world.after("Bash", CHECK, "c2")
    assert (world.at, world.held) == (0, True)


def test_parallel_calls_of_one_turn_get_a_step_each_in_turn(world: World) -> None:
    world.seal(WRITE_A, WRITE_B)
    first, second = (
        world.payload("PreToolUse", "Write", values(world, path), call)
        for path, call in (("src/a.py", "c1"), ("src/b.py", "c2"))
    )
    assert world.together(first, second) == ["allow", "deny"]
    assert (world.at, world.held) == (0, True)


def test_the_same_step_twice_at_once_is_done_once(world: World) -> None:
    world.seal(TESTS)
    calls = [world.payload("PreToolUse", "Bash", CHECK, call) for call in ("c1", "c2", "c3")]
    assert world.together(*calls) == ["allow", "deny", "deny"]


def test_the_next_step_may_come_with_the_report_of_the_last(world: World) -> None:
    world.seal(TESTS, WRITE_B)
    world.bash("make check", "c1")
    report = world.payload("PostToolUse", "Bash", CHECK, "c1")
    following = world.payload("PreToolUse", "Write", values(world, "src/b.py"), "c2")
    assert world.together(report, following)[1] == "allow"
    assert (world.at, world.held) == (1, True)


def test_a_subagent_shares_the_plan(world: World) -> None:
    world.seal(TESTS, WRITE_B)
    helper = {"agent_id": "a1", "agent_type": "general-purpose"}
    assert world.before("Write", values(world, "src/b.py"), **helper)[0] == "deny"
    assert world.bash("make check", "c1", **helper)[0] == "allow"
    world.after("Bash", CHECK, "c1", **helper)
    assert world.at == 1
    assert "Write src/b.py" in context(world.hook("SubagentStart", agent_id="a2", agent_type="Explore"))


def test_another_session_in_the_same_worktree_shares_the_plan(world: World) -> None:
    world.seal(TESTS, WRITE_B)
    assert world.bash("make check", "c1", session_id="other")[0] == "allow"
    world.after("Bash", CHECK, "c1", session_id="other")
    assert world.before("Write", values(world, "src/b.py"))[0] == "allow"


def test_the_plan_is_found_from_any_folder_of_the_project(world: World) -> None:
    world.seal(WRITE_A)
    verdict, reason = world.bash("touch x", cwd=str(world.project / "src"))
    assert verdict == "deny" and "step 1" in reason


@pytest.mark.parametrize("preset", ["auto", "guarded"])
def test_a_repository_inside_the_project_is_under_its_plan(tmp_path: Path, preset: str) -> None:
    """`cd vendor/lib` is looking, and must not lead out of the plan."""
    world = World(tmp_path, preset)
    inner = world.project / "vendor/lib"
    (inner / ".git").mkdir(parents=True)
    world.seal(TESTS, WRITE_A)
    verdict, why = world.before("Write", {"file_path": str(inner / "x.py"), "content": ""}, cwd=str(inner))
    assert verdict == "deny" and "next step" in why
    world.close()


@pytest.mark.parametrize(
    ("command", "passes"),
    [
        ("touch {project}/src/z.py", False),
        ("rm -rf ../shop", False),
        ("cd {project} && make x", False),
        ("make -C {project}", False),
        ("git -C {project} commit -m x", False),
        ("cat {project}/README.md", True),
        ("git -C {project} log", True),
        ("touch own.py", True),
    ],
)
def test_who_works_elsewhere_is_held_to_the_plan_of_what_it_changes(
    tmp_path: Path, command: str, passes: bool
) -> None:
    world = World(tmp_path, "auto")
    other = world.home / "other"
    other.mkdir()
    world.seal(TESTS, WRITE_A)
    verdict, why = world.bash(command.format(project=world.project), cwd=str(other), session_id="s2")
    assert (verdict == "allow") is passes
    assert passes or "sealed plan 1" in why
    world.close()


def test_a_host_that_does_not_name_its_calls_is_followed_by_their_words(world: World) -> None:
    world.seal(TESTS, TESTS, WRITE_B)
    for at in (1, 2):
        verdict, reason = answer(world.hook("PreToolUse", "Bash", CHECK, ""))
        assert verdict == "allow", reason
        world.hook("PostToolUse", "Bash", CHECK, "")
        assert world.at == at


def test_a_call_that_another_stage_stops_holds_nothing(world: World) -> None:
    world.seal({"op": "Bash", "object": "ssh host uptime"}, WRITE_B)
    verdict, reason = world.bash("ssh host uptime", "c1")
    assert (verdict, world.held) == ("deny", False)
    assert "The plan's next is step 1" in reason


# ---- crashes, and calls without a report


def test_a_report_after_a_crash_moves_the_pointer(world: World) -> None:
    world.seal(TESTS, WRITE_B)
    world.bash("make check", "c1")
    world.judge.close()
    world.judge = world.new_judge()
    world.after("Bash", CHECK, "c1")
    assert (world.at, world.held) == (1, False)


def test_nobody_knows_after_a_crash_whether_a_command_ran(world: World) -> None:
    world.seal(TESTS, WRITE_B)
    world.bash("make check", "c1")
    told = context(world.hook("SessionStart", source="resume"))
    plan = world.plan
    assert plan is not None and plan.pointer.unknown
    assert "not known" in told
    verdict, reason = world.bash("make check", "c2")
    assert verdict == "deny" and "not known" in reason and "ringwall plan resolve" in reason
    assert world.bash("ls")[0] == "allow"


@pytest.mark.parametrize(("happened", "at"), [(True, 1), (False, 0)])
def test_a_person_says_whether_it_happened(world: World, happened: bool, at: int) -> None:
    world.seal(TESTS, WRITE_B)
    world.bash("make check", "c1")
    world.hook("SessionStart", source="resume")
    world.plans.resolve_unknown(str(world.project), happened, ANN)
    assert (world.at, world.held) == (at, False)
    wanted = {0: ("Bash", CHECK), 1: ("Write", values(world, "src/b.py"))}[at]
    assert world.before(*wanted)[0] == "allow"


def test_a_late_report_settles_what_nobody_knew(world: World) -> None:
    world.seal(TESTS, WRITE_B)
    world.bash("make check", "c1")
    world.hook("SessionStart", source="resume")
    world.after("Bash", CHECK, "c1")
    assert (world.at, world.held) == (1, False)


@pytest.mark.parametrize(("written", "at"), [(True, 1), (False, 0)])
def test_the_file_itself_says_whether_a_write_happened(world: World, written: bool, at: int) -> None:
    world.seal(WRITE_A, WRITE_B)
    world.before("Write", values(world, "src/a.py"), "c1")
    if written:
        (world.project / "src/a.py").write_text("x = 1\n")
    world.hook("SessionEnd", reason="other")
    assert (world.at, world.held) == (at, False)


def test_compaction_loses_nothing(world: World) -> None:
    world.seal(TESTS, WRITE_B)
    world.bash("make check", "c1")
    world.hook("PreCompact", trigger="auto")
    told = context(world.hook("SessionStart", source="compact"))
    assert "step 1" in told and world.held
    world.after("Bash", CHECK, "c1")
    assert world.at == 1


def test_the_agent_is_told_the_step_when_it_is_prompted(world: World) -> None:
    assert context(world.hook("UserPromptSubmit", prompt="go on")) == ""
    world.seal(WRITE_A)
    assert "Write src/a.py" in context(world.hook("UserPromptSubmit", prompt="go on"))
    assert "Write src/a.py" in context(world.hook("SessionStart", source="resume"))


# ---- people's answers


def test_a_no_at_the_prompt_gives_the_step_back(world: World) -> None:
    push = {"command": "git push origin main"}
    world.seal({"op": "Bash", "object": push["command"]}, WRITE_B)
    verdict, reason = world.before("Bash", push, "c1", permission_mode="default")
    assert (verdict, world.held) == ("ask", True)
    assert "step 1 of sealed plan" in reason
    world.hook("UserPromptSubmit", prompt="not now")
    assert (world.at, world.held) == (0, False)


def test_a_question_of_the_host_itself_that_nobody_answered_gives_the_step_back(world: World) -> None:
    world.seal(TESTS, WRITE_B)
    world.bash("make check", "c1")
    request = world.payload("PermissionRequest", "Bash", CHECK)
    world.judge.hook("claude", request.replace(b', "tool_use_id": ""', b""), world.environ)
    world.hook("Stop")
    assert (world.at, world.held) == (0, False)


def test_a_call_that_waits_for_a_person_holds_nothing_until_they_say_yes(world: World) -> None:
    push = {"command": "git push origin main"}
    world.seal({"op": "Bash", "object": push["command"]}, WRITE_B)
    world.environ["RINGWALL_HEADLESS"] = "1"
    waiting = world.payload("PreToolUse", "Bash", push, "c1")
    assert world.together(waiting) == ["deny"]
    assert not world.held
    desk = Desk(world.state, lambda: world.now)
    (proposal,) = desk.pending()
    plan = world.plan
    assert plan is not None
    assert (proposal.plan, proposal.step) == (plan.plan_id, "1")
    desk.approve(Yes(proposal.number, proposal.binding, ANN))
    assert world.together(waiting) == ["allow"]
    assert world.held
    world.after("Bash", push, "c1")
    assert world.at == 1
    assert desk.one(proposal.number).state is State.CONSUMED
    desk.close()


def test_a_yes_is_for_that_step_of_that_plan(world: World) -> None:
    push = {"op": "Bash", "object": "git push origin main"}
    world.seal(push, push)
    world.environ["RINGWALL_HEADLESS"] = "1"
    desk = Desk(world.state, lambda: world.now)
    for call, waits in (("c1", 1), ("c2", 1)):
        waiting = world.payload("PreToolUse", "Bash", {"command": push["object"]}, call)
        assert world.together(waiting) == ["deny"]
        pending = desk.pending()
        assert len(pending) == waits
        desk.approve(Yes(pending[0].number, pending[0].binding, ANN))
        assert world.together(waiting) == ["allow"]
        world.after("Bash", {"command": push["object"]}, call)
    desk.close()


def test_while_judging_is_off_calls_are_written_down_and_move_nothing(world: World) -> None:
    world.seal(WRITE_A)
    now = world.now // 10**9
    with world.judge.journal.writing() as entry:
        standing.pause(entry, now, now + 60, "a look around")
    world.judge.close()
    world.judge = world.new_judge()
    assert world.bash("touch y")[0] == "none"
    assert world.at == 0
    assert [call.outcome.value for call in world.plans.report(1).calls] == ["unjudged"]


# ---- products


def test_a_step_that_made_nothing_is_not_done(world: World) -> None:
    world.seal({**TESTS, "creates": ["dist/app"]}, WRITE_B)
    world.bash("make check", "c1")
    told = world.after("Bash", CHECK, "c1")
    assert (world.at, world.held) == (0, False)
    assert "dist/app is not there" in told
    world.bash("make check", "c2")
    (world.project / "dist").mkdir()
    (world.project / "dist/app").write_text("app")
    (world.project / "src/stray.py").write_text("stray")
    told = world.after("Bash", CHECK, "c2")
    assert world.at == 1
    assert "src/stray.py" in told and "dist/app" not in told


@pytest.mark.parametrize("product", ["modifies", "deletes"])
def test_what_a_step_modifies_or_deletes_is_looked_at(world: World, product: str) -> None:
    world.seal({**TESTS, product: ["README.md"]}, WRITE_B)
    world.bash("make check", "c1")
    assert "README.md" in world.after("Bash", CHECK, "c1")
    assert world.at == 0
    world.bash("make check", "c2")
    readme = world.project / "README.md"
    readme.write_text("Another shop.\n") if product == "modifies" else readme.unlink()
    world.after("Bash", CHECK, "c2")
    assert world.at == 1


def test_a_step_does_not_begin_without_what_it_requires(world: World) -> None:
    world.seal({**TESTS, "requires": ["Makefile"]}, WRITE_B)
    verdict, reason = world.bash("make check", "c1")
    assert verdict == "deny" and "Makefile" in reason and not world.held
    (world.project / "Makefile").write_text("check:\n\ttrue\n")
    assert world.bash("make check", "c2")[0] == "allow"


def test_products_say_whether_a_command_happened(world: World) -> None:
    world.seal({**TESTS, "creates": ["dist"]}, WRITE_B)
    world.bash("make check", "c1")
    world.hook("SessionEnd", reason="other")
    assert (world.at, world.held) == (0, False)
    world.bash("make check", "c2")
    (world.project / "dist").mkdir()
    world.hook("SessionEnd", reason="other")
    assert (world.at, world.held) == (1, False)


# ---- what has moved


def test_a_resumed_session_is_told_what_moved(world: World) -> None:
    world.seal(WRITE_A)
    (world.project / ".gitignore").write_text("*.log\n")
    world.git("add", "-A")
    world.git("commit", "-q", "-m", "Ignore logs")
    (world.project / "noise.log").write_text("noise")
    (world.project / "README.md").write_text("Another shop.\n")
    told = context(world.hook("SessionStart", source="resume"))
    assert "HEAD moved" in told and "Ignore logs" in told
    assert "README.md" in told and "noise.log" not in told
    status = world.plans.status(str(world.project))
    assert status is not None and set(status.moved.files) == {".gitignore", "README.md"}


def test_what_the_plans_own_steps_changed_has_not_moved(world: World) -> None:
    world.seal(WRITE_A, WRITE_B)
    world.write("src/a.py")
    status = world.plans.status(str(world.project))
    assert status is not None and not status.moved


def test_another_policy_is_told(world: World) -> None:
    world.seal(WRITE_A)
    config = world.home / ".config" / "ringwall" / "ringwall.toml"
    config.write_text(config.read_text() + '[autonomy]\ninstall = "deny"\n')
    status = world.plans.status(str(world.project))
    assert status is not None and status.moved.policy


# ---- sealing, abandoning


def test_sealing_again_keeps_the_done_steps_that_are_unchanged(world: World) -> None:
    world.seal(WRITE_A, TESTS, WRITE_B)
    world.write("src/a.py")
    again = world.seal(WRITE_A, WRITE_B)
    assert (again.number, again.pointer.at) == (2, 1)
    assert world.plans.one(1).state == "replaced"
    assert world.write("src/b.py")
    assert world.plans.one(2).state == "done"


def test_a_changed_step_is_done_again(world: World) -> None:
    world.seal(WRITE_A, TESTS)
    world.write("src/a.py")
    assert world.seal({**WRITE_A, "creates": ["src/a.py"]}, TESTS).pointer.at == 0


def test_a_seal_is_of_what_was_shown(world: World) -> None:
    world.write_plan(WRITE_A)
    shown = world.review()
    world.write_plan(WRITE_B)
    with pytest.raises(UsageError, match=r"plan\.changed"):
        world.plans.seal(shown, ANN)
    shown = world.review()
    world.seal(WRITE_B, name="plans/other.md")
    with pytest.raises(UsageError, match=r"plan\.stale"):
        world.plans.seal(shown, ANN)
    assert world.plan is not None and world.plan.number == 1


def test_no_seal_while_a_call_holds_the_step(world: World) -> None:
    world.seal(TESTS)
    world.bash("make check", "c1")
    with pytest.raises(UsageError, match=r"plan\.held"):
        world.seal(WRITE_A)


def test_an_invalid_plan_cannot_be_sealed(world: World) -> None:
    world.write_plan({"op": "Skill", "object": "tdd"})
    assert world.review().problems
    with pytest.raises(UsageError, match=r"plan\.invalid"):
        world.plans.seal(world.review(), ANN)


def test_only_a_person_decides_about_a_plan(world: World) -> None:
    world.write_plan(WRITE_A)
    root = str(world.project)
    for act in (
        lambda: world.plans.seal(world.review(), "agent:claude"),
        lambda: world.plans.abandon(root, "agent:claude", "so"),
        lambda: world.plans.resolve_unknown(root, True, "agent:claude"),
    ):
        with pytest.raises(UsageError, match=r"plan\.agent"):
            act()
    for verb in ("seal plans/shop.md", "abandon", "resolve --done"):
        verdict, reason = world.bash(f"ringwall plan {verb}")
        assert verdict == "deny" and "selfguard" in reason, reason


def test_abandoning_takes_a_reason_and_ends_it(world: World) -> None:
    world.seal(TESTS)
    world.bash("make check", "c1")
    root = str(world.project)
    with pytest.raises(UsageError, match=r"plan\.no_reason"):
        world.plans.abandon(root, ANN, " ")
    world.plans.abandon(root, ANN, "the shop is closed")
    assert world.plan is None
    world.after("Bash", CHECK, "c1")
    assert "no plan is sealed" in world.bash("touch x")[1]
    with pytest.raises(UsageError, match=r"plan\.none_active"):
        world.plans.abandon(root, ANN, "again")
    assert world.plans.one(1).because == "the shop is closed"


# ---- several processes


def test_two_judges_give_a_step_to_one_call(world: World) -> None:
    world.seal(TESTS, WRITE_B)
    other = world.new_judge()
    world.bash("ls")
    other.hook("claude", world.payload("PreToolUse", "Bash", {"command": "ls"}, "l2"), world.environ)
    assert world.bash("make check", "c1")[0] == "allow"
    second = world.payload("PreToolUse", "Bash", CHECK, "c2")
    assert answer(other.hook("claude", second, world.environ))[0] == "deny"
    other.hook("claude", world.payload("PostToolUse", "Bash", CHECK, "c1"), world.environ)
    assert world.at == 1
    assert world.before("Write", values(world, "src/b.py"))[0] == "allow"
    other.close()


def test_judges_that_race_give_a_step_to_one_call(world: World) -> None:
    world.seal(TESTS, WRITE_B)
    judges = [world.new_judge() for _ in range(3)]
    for judge in judges:
        judge.hook("claude", world.payload("PreToolUse", "Bash", {"command": "ls"}, "l"), world.environ)
    verdicts: list[str] = []

    def race(number: int) -> None:
        payload = world.payload("PreToolUse", "Bash", CHECK, f"c{number}")
        verdicts.append(answer(judges[number].hook("claude", payload, world.environ))[0])

    threads = [threading.Thread(target=race, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(verdicts) == ["allow", "deny", "deny"]
    for judge in judges:
        judge.close()


# ---- tampering


def meddle(world: World, statement: str) -> None:
    with sqlite3.connect(world.state.database) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(statement)


def is_stopped(world: World, word: str) -> None:
    verdict, reason = world.before("Write", values(world, "src/a.py"))
    assert verdict == "deny" and word in reason, reason
    assert world.bash("ls")[0] == "allow"


def test_a_changed_plan_file_breaks_the_seal_until_it_is_as_it_was(world: World) -> None:
    world.seal(WRITE_A)
    path = world.project / "plans/shop.md"
    sealed = path.read_bytes()
    path.write_bytes(sealed + b" ")
    is_stopped(world, "changed after it was sealed")
    path.unlink()
    is_stopped(world, "is gone")
    path.write_bytes(sealed)
    assert world.write("src/a.py")


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("UPDATE plans SET document = replace(document, 'src/b.py', 'src/c.py')", "changed after it was"),
        ("UPDATE plans SET path = '/etc/hostname'", "not what the journal says"),
        ("UPDATE plans SET event = '0'", "no record of its seal"),
        ("UPDATE pointers SET content = replace(content, '\"at\":0', '\"at\":1')", "pointer"),
        ("UPDATE pointers SET content = '{}'", "pointer"),
        ("DELETE FROM pointers", "pointer"),
        (
            "UPDATE events SET body = replace(body, '\"done\":0', '\"done\":1') WHERE stream = 'plans'",
            "journal",
        ),
    ],
)
def test_tampering_with_what_is_kept_stops(world: World, statement: str, word: str) -> None:
    world.seal(WRITE_A, WRITE_B)
    meddle(world, statement)
    is_stopped(world, word)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE plans SET state = 'done'",
        "UPDATE plans SET state = 'abandoned', ended = 1",
        "UPDATE plans SET root = '/elsewhere'",
        "DELETE FROM plans",
    ],
)
def test_a_plan_does_not_end_by_its_row(world: World, statement: str) -> None:
    """Only a record of its end ends it; a person can then abandon it or seal again."""
    world.seal(WRITE_A, WRITE_B)
    meddle(world, statement)
    is_stopped(world, "no end of it")
    world.plans.abandon(str(world.project), ANN, "the row was changed")
    assert world.plan is None
    world.seal(WRITE_A, WRITE_B)
    assert world.write("src/a.py") and world.at == 1


def test_a_plan_whose_row_is_gone_is_replaced(world: World) -> None:
    world.seal(WRITE_A)
    meddle(world, "DELETE FROM plans")
    assert world.seal(WRITE_B).number == 2
    assert world.write("src/b.py") and world.plan is None


def test_a_pointer_that_is_set_back_is_noticed(world: World) -> None:
    world.seal(TESTS, WRITE_A)
    world.bash("make check", "c1")
    with sqlite3.connect(world.state.database) as connection:
        (before,) = connection.execute("SELECT content FROM pointers").fetchone()
    world.after("Bash", CHECK, "c1")
    meddle(world, f"UPDATE pointers SET content = '{before}'")
    is_stopped(world, "pointer")


def test_a_seal_whose_records_are_cut_off_is_noticed(world: World) -> None:
    world.seal(TESTS, WRITE_A)
    world.bash("make check", "c1")
    with sqlite3.connect(world.state.database) as connection:
        held = connection.execute("SELECT seq FROM events WHERE stream = 'plans' AND seq = 2").fetchone()
        seal, pointer = connection.execute(
            "SELECT hash, (SELECT content FROM pointers) FROM events WHERE stream = 'plans' AND seq = 1"
        ).fetchone()
    assert held
    clean = '{"at":0,"held":null,"length":2,"produced":[],"spent":[]}'
    assert pointer != clean
    meddle(world, "DELETE FROM events WHERE stream = 'plans' AND seq = 2")
    meddle(world, f"UPDATE heads SET seq = 1, hash = '{seal}' WHERE stream = 'plans'")
    meddle(world, "DELETE FROM reservations")
    meddle(world, f"UPDATE pointers SET content = '{clean}'")
    is_stopped(world, "missing from the journal")


def test_a_plan_that_does_not_hold_can_be_abandoned_and_sealed_again(world: World) -> None:
    world.seal(WRITE_A, WRITE_B)
    meddle(world, "DELETE FROM pointers")
    with pytest.raises(UsageError, match=r"plan\.does_not_hold"):
        world.plans.resolve_unknown(str(world.project), True, ANN)
    assert world.seal().number == 2
    assert world.write("src/a.py")
    world.plans.abandon(str(world.project), ANN, "enough")
    assert verify(world.plans.store).whole


def test_every_move_is_a_record_of_its_own_chain(world: World) -> None:
    world.seal(WRITE_A, SESSION)
    world.write("src/a.py")
    world.before(CLICK, {"element": "Buy", "ref": "e1"})
    world.write("reports/shop.md")
    with world.plans.store.reading() as connection:
        told = sorted(read(connection, Filter(stream="plans")), key=lambda record: record.seq)
    kinds = [record.type for record in told]
    assert kinds == [
        "plan.sealed", "step.reserved", "step.committed", "step.reserved", "step.committed", "plan.ended",
    ]  # fmt: skip
    assert verify(world.plans.store).whole
