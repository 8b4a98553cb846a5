"""The real Claude Code, driven by a scripted model, judged by the installed Ringwall."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
import threading
from pathlib import Path

import pytest

import ringwall.daemon
from hosts.attended import attend
from hosts.install import claude
from hosts.processes import wait_for_client, wait_for_daemon
from hosts.stage import MODES, RINGWALL, Json, Stage, bash, call, lane

pytestmark = pytest.mark.xdist_group("real hosts")

PUSH = "touch ran && git push origin main"


def nothing_happened(stage: Stage) -> bool:
    return not stage.pushed and not (stage.project / "ran").exists()


def test_an_allowed_call_runs(stage: Stage) -> None:
    played = stage.play(lane("main", bash("echo hello from the shop"), bash("touch ran")))
    assert "hello from the shop" in played.told()[0], played
    assert (stage.project / "ran").exists(), played
    assert [row["verdict"] for row in stage.judged()] == ["allow", "allow"]


def test_a_denied_call_does_not_run_and_the_model_is_told_why(stage: Stage) -> None:
    (stage.home / "dear").write_text("mine")
    played = stage.play(lane("main", bash("rm -rf ~")), mode="bypassPermissions")
    assert (stage.home / "dear").exists()
    [told] = played.told()
    assert "Ringwall denies this" in told, played
    [row] = stage.judged()
    assert row["verdict"] == "deny"
    assert row["trace"]["reason"] in told


@pytest.mark.parametrize("mode", MODES)
def test_a_push_is_never_run_unasked(stage: Stage, mode: str) -> None:
    played = stage.play(lane("main", bash(PUSH)), mode=mode)
    assert nothing_happened(stage), played
    [told] = played.told()
    assert "Ringwall leaves this to a person" in told, played
    assert [row["verdict"] for row in stage.judged() if row["moment"] != "permission"] == ["ask"]


@pytest.mark.parametrize("mode", ["default", "acceptEdits", "bypassPermissions"])
def test_a_push_that_a_person_approves_runs(stage: Stage, mode: str) -> None:
    question = attend(stage, lane("main", bash(PUSH)), "allow", mode)
    assert "Ringwall leaves this to a person" in question["decision_reason"]
    assert stage.pushed
    done = stage.ringwall("log", "show", "--json", "--type", "proposal.decided")
    assert [json.loads(line)["body"]["outcome"] for line in done.stdout.splitlines()] == ["approved"]


def test_a_push_that_a_person_refuses_does_not_run(stage: Stage) -> None:
    attend(stage, lane("main", bash(PUSH)), "deny", "bypassPermissions")
    assert nothing_happened(stage)


@pytest.mark.parametrize("mode", ["plan", "dontAsk", "auto"])
def test_allow_does_not_lift_a_stricter_mode(stage: Stage, mode: str) -> None:
    (stage.project / "Makefile").write_text("all:\n\ttouch ran\n")
    played = stage.play(lane("main", bash("make all")), mode=mode)
    assert not (stage.project / "ran").exists(), played
    assert [row["verdict"] for row in stage.judged() if row["moment"] != "permission"] == ["allow"]


def test_only_a_person_can_approve_a_plan(stage: Stage) -> None:
    question = attend(stage, lane("main", call("ExitPlanMode", plan="1. touch ran")), "deny", "plan")
    assert question["tool_name"] == "ExitPlanMode"


@pytest.mark.parametrize("word", ["deny", "ask"])
def test_allow_does_not_lift_the_hosts_own_rules(stage: Stage, word: str) -> None:
    settings = json.loads(stage.settings.read_text())
    stage.settings.write_text(json.dumps({**settings, "permissions": {word: ["Bash(touch:*)"]}}))
    played = stage.play(lane("main", bash("touch ran")))
    assert not (stage.project / "ran").exists(), played
    assert stage.judged()[0]["verdict"] == "allow"


def test_a_subagent_is_judged_the_same(stage: Stage) -> None:
    start = call(
        "Agent", description="help", prompt="HELPER", subagent_type="general-purpose", run_in_background=False
    )
    played = stage.play(
        lane("helper", bash("echo from the helper"), bash("rm -rf ~"), bash(PUSH), match="HELPER"),
        lane("main", start),
        mode="bypassPermissions",
    )
    told = played.told("helper")
    assert "from the helper" in told[0], played
    assert "Ringwall denies this" in told[1], played
    assert "Ringwall leaves this to a person" in told[2], played
    assert nothing_happened(stage), played
    helper = [row for row in stage.judged() if row["agent"]]
    assert [row["verdict"] for row in helper] == ["allow", "deny", "ask"]
    assert {row["agent_type"] for row in helper} == {"general-purpose"}


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="finds the waiting client in /proc")
def test_a_daemon_killed_in_mid_call_stops_the_call(stage: Stage) -> None:
    assert stage.ringwall("daemon", "start").returncode == 0
    daemon = wait_for_daemon(stage.state)
    killers: list[threading.Thread] = []

    def kill_in_mid_call() -> None:
        wait_for_client(stage.state)
        os.kill(daemon, signal.SIGKILL)

    def freeze(exchange: Json) -> None:
        if any(part["type"] == "tool_use" for part in exchange["reply"]) and not killers:
            os.kill(daemon, signal.SIGSTOP)
            killers.append(threading.Thread(target=kill_in_mid_call))
            killers[0].start()

    played = stage.play(lane("main", bash("touch ran")), mode="bypassPermissions", on_answer=freeze)
    killers[0].join()
    assert not (stage.project / "ran").exists(), played
    assert "the daemon ended in the middle of the call" in played.told()[0], played


@pytest.mark.parametrize(
    "before",
    [
        "head -c 200 |",
        "head -c 0 |",
        "(printf '\\377'; cat) |",
        "(cat; printf '{}') |",
        "sed s/tool_name/x/ |",
    ],
)
def test_a_broken_payload_stops_the_call(stage: Stage, before: str) -> None:
    stage.rewrite_hooks(lambda command: f"{before} {command}")
    played = stage.play(lane("main", bash("touch ran")), mode="bypassPermissions")
    assert not (stage.project / "ran").exists(), played
    assert "Ringwall has no verdict" in played.told()[0], played


@pytest.mark.parametrize("instead", ["/nowhere/ringwall-hook claude", "exit 1", "kill -9 $$"])
def test_a_hook_that_fails_stops_the_call(stage: Stage, instead: str) -> None:
    stage.rewrite_hooks(lambda command: instead)
    played = stage.play(lane("main", bash("touch ran")), mode="bypassPermissions")
    assert not (stage.project / "ran").exists(), played
    assert len(played.told()) == 1


def test_the_client_in_python_gates_the_same(stage: Stage) -> None:
    source = Path(ringwall.daemon.__file__).with_name("client.py")
    plain = shlex.join([sys.executable, "-I", "-S", str(source)])
    stage.rewrite_hooks(lambda command: f"{plain} {' '.join(shlex.split(command)[1:])}")
    played = stage.play(
        lane("main", bash("echo hello"), bash("rm -rf ~"), bash(PUSH)), mode="bypassPermissions"
    )
    told = played.told()
    assert "hello" in told[0], played
    assert "Ringwall denies this" in told[1], played
    assert "Ringwall leaves this to a person" in told[2], played
    assert nothing_happened(stage)


def test_a_state_directory_that_cannot_be_written_stops_the_call(stage: Stage) -> None:
    (stage.folder / "file").write_text("")
    stage.variables["RINGWALL_HOME"] = str(stage.folder / "file" / "state")
    played = stage.play(lane("main", bash("touch ran"), bash(PUSH)), mode="bypassPermissions")
    assert nothing_happened(stage), played
    assert all("Ringwall has no verdict" in told for told in played.told()), played
    assert len(played.told()) == 2


def test_a_session_by_run_writes_nothing_to_the_project(bare_stage: Stage, tmp_path: Path) -> None:
    stage = bare_stage
    programs = tmp_path / "programs"
    programs.mkdir()
    program = claude()
    assert program is not None
    (programs / "claude").symlink_to(program)
    folders = [str(programs), os.path.dirname(sys.executable), "/usr/bin", "/bin"]
    stage.variables["PATH"] = os.pathsep.join(folders)
    (stage.home / ".claude").mkdir()
    (stage.home / ".claude" / "settings.json").write_text('{"disableAllHooks": true}')
    played = stage.play(
        lane("main", bash("echo hello"), bash(PUSH), bash("rm -rf ~")),
        mode="bypassPermissions",
        program=[RINGWALL, "run", "claude", "--"],
    )
    assert played.exit == 0, played
    assert "hello" in played.told()[0], played
    assert [row["verdict"] for row in stage.judged()] == ["allow", "ask", "deny"]
    assert nothing_happened(stage), played
    assert stage.git("status", "--short", "--ignored") == ""
    assert [path.name for path in stage.state.iterdir() if path.name.startswith("session-")] == []


def test_init_and_remove_leave_the_project_as_it_was(bare_stage: Stage) -> None:
    stage = bare_stage
    stage.settings.parent.mkdir()
    stage.settings.write_text('{"permissions": {"deny": ["WebSearch"]}}')
    assert stage.ringwall("init", "claude", "--yes").returncode == 0
    assert stage.ringwall("init", "claude", "--remove", "--yes").returncode == 0
    assert stage.settings.read_text() == '{"permissions": {"deny": ["WebSearch"]}}'
    played = stage.play(lane("main", bash("touch ran")), mode="bypassPermissions")
    assert (stage.project / "ran").exists(), played
    assert stage.judged() == []


def test_what_runs_later_or_elsewhere_is_judged_as_what_it_runs(stage: Stage) -> None:
    played = stage.play(
        lane(
            "main",
            call("ToolSearch", query="select:Monitor,CronCreate,Workflow", max_results=5),
            call("Monitor", description="watch", timeout_ms=3000, command=PUSH),
            call("Monitor", description="watch", timeout_ms=3000, command="rm -rf ~"),
            call("Workflow", script=WORKFLOW),
            call("CronCreate", cron="0 0 1 1 *", prompt="push it all"),
        ),
        mode="bypassPermissions",
    )
    assert nothing_happened(stage), played
    rows = [row for row in stage.judged() if row["tool"] != "ToolSearch"]
    effects = [{effect["name"] for effect in row["trace"]["effects"]} for row in rows]
    assert [row["verdict"] for row in rows[:3]] == ["ask", "deny", "ask"], played
    assert "git.push" in effects[0]
    assert "catastrophic" in effects[1]
    assert "agents.parallelize" in effects[2]
    assert "agent.spawn" in effects[3]


WORKFLOW = """export const meta = {name: 'both', description: 'two at once', phases: []}
return await parallel([() => agent('one'), () => agent('two')])
"""


@pytest.mark.parametrize("prompt", ["/peek", "look"])
def test_shell_lines_of_a_skill_are_judged(stage: Stage, prompt: str) -> None:
    skill = stage.project / ".claude" / "skills" / "peek"
    skill.mkdir(parents=True)
    allowed = "name: peek\ndescription: peek\nallowed-tools: Bash"
    (skill / "SKILL.md").write_text(f"---\n{allowed}\n---\nState: !`{PUSH}`\n")
    turn = {"text": "hm"} if prompt == "/peek" else call("Skill", skill="peek")
    played = stage.play(lane("main", turn), prompt=prompt, mode="bypassPermissions")
    assert nothing_happened(stage), played
    assert "ask" in [row["verdict"] for row in stage.judged()], played


def test_the_agent_cannot_unhook_itself(stage: Stage) -> None:
    before = stage.settings.read_text()
    quoted = shlex.quote(str(stage.settings))
    played = stage.play(
        lane(
            "main",
            call("Write", file_path=str(stage.settings), content="{}"),
            bash(f"echo '{{}}' > {quoted}"),
            bash("ringwall off --for 10m"),
            bash("ringwall init claude --remove --yes"),
        ),
        mode="bypassPermissions",
    )
    assert stage.settings.read_text() == before
    assert [row["verdict"] for row in stage.judged()] == ["deny"] * 4, played


def test_a_session_is_told_that_the_projects_policy_is_not_trusted(stage: Stage) -> None:
    (stage.project / ".ringwall").mkdir()
    rules = stage.project / ".ringwall" / "permissions.json"
    rules.write_text('{"permissions": {"allow": ["Bash(touch:*)"], "deny": ["Bash(curl:*)"]}}')
    played = stage.play(lane("main", {"text": "hello"}))
    assert "ringwall trust" in played.stream, played


def test_the_journal_of_a_session_verifies(stage: Stage) -> None:
    stage.play(lane("main", bash("echo one"), bash("false"), bash("rm -rf ~")), mode="bypassPermissions")
    assert stage.ringwall("log", "verify").returncode == 0
    assert [row["verdict"] for row in stage.judged()] == ["allow", "allow", "deny"]


def test_doctor_finds_a_fresh_registration_whole(stage: Stage, tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    program = claude()
    assert program is not None
    (programs / "claude").symlink_to(program)
    stage.variables["PATH"] = f"{programs}:{stage.env['PATH']}"
    done = stage.ringwall("doctor", "claude", "--json")
    report = json.loads(done.stdout)
    failed = [check for check in report["checks"] if check["status"] == "fail"]
    assert failed == []
    assert done.returncode == 0
    names = {check["name"] for check in report["checks"] if check["status"] == "ok"}
    assert {"host.program", "host.hooks", "daemon", "journal", "probe.harmless", "probe.forbidden"} <= names
    assert "probe.crash" in names
