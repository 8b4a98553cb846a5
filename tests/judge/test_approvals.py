"""A person's word about a call: for exactly this call, once; and a no that the agent hears."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ringwall.approvals.grants import Scope
from ringwall.approvals.proposal import State
from ringwall.journal.verify import verify
from ringwall.judge.case import Asked
from ringwall.judge.desk import Desk, Yes
from ringwall.judge.judge import Judge
from ringwall.judge.waiting import Waiting
from ringwall.model.action import ToolCall
from ringwall.model.errors import UsageError
from ringwall.model.verdict import Verdict
from ringwall.policy.pattern_for import Offered, Refused
from ringwall.store.paths import StateDir

from .conftest import Payload, journalled, verdict

ANN = "person:ann"
HEADLESS = {"RINGWALL_HEADLESS": "1", "PATH": os.environ["PATH"]}


@pytest.fixture
def desk(state: StateDir, judge: Judge) -> Iterator[Desk]:
    opened = Desk(state)
    yield opened
    opened.close()


@pytest.fixture
def run_at_once(home: Path) -> None:
    """A policy under which nothing waits."""
    file = home / ".config" / "ringwall" / "ringwall.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[approvals]\nwait = 0\n")


def yes(desk: Desk, number: int = 1, scope: Scope = Scope.ONCE) -> None:
    proposal = desk.one(number)
    rule = ""
    if scope is not Scope.ONCE:
        offered = desk.offer(proposal)
        assert isinstance(offered, Offered), offered
        rule = offered.rule
    desk.approve(Yes(number, proposal.binding, ANN, scope=scope, rule=rule))


def reason(stdout: bytes) -> str:
    return str(json.loads(stdout)["hookSpecificOutput"]["permissionDecisionReason"])


def asked(judge: Judge, sent: bytes) -> str:
    return verdict(judge.hook("claude", sent, {"PATH": os.environ["PATH"]}).stdout)


def test_a_retry_passes_once_and_says_who_approved(judge: Judge, payload: Payload, desk: Desk) -> None:
    assert asked(judge, payload("git push")) == "ask"
    yes(desk)
    reply = judge.hook("claude", payload("git push", tool_use_id="call-2"), {"PATH": os.environ["PATH"]})
    assert verdict(reply.stdout) == "allow"
    assert "person:ann approved exactly this" in reason(reply.stdout)
    assert asked(judge, payload("git push", tool_use_id="call-3")) == "ask"
    assert [one.state for one in desk.newest(9)] == [State.PENDING, State.CONSUMED]
    traces = [record.content()["trace"] for record in journalled(judge, "decision")]
    assert [trace["code"] for trace in traces] == ["limits.git_push", "approvals.consumed", "limits.git_push"]
    assert traces[1]["trace"][-2]["code"] == "limits.git_push"
    assert verify(judge.store).whole


def test_a_retry_attaches_to_the_question_that_waits(judge: Judge, payload: Payload, desk: Desk) -> None:
    for number in range(3):
        assert asked(judge, payload("git push", tool_use_id=f"c{number}")) == "ask"
    assert [one.number for one in desk.pending()] == [1]


@pytest.mark.parametrize("change", ["argument", "directory", "script", "program", "commits", "policy"])
def test_what_changed_is_asked_anew(
    judge: Judge, payload: Payload, desk: Desk, project: Path, home: Path, change: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    script = project / "out.sh"
    script.write_text("git push\n")
    command, fields = "sh out.sh", {}
    environ = {"PATH": os.environ["PATH"]}
    assert verdict(judge.hook("claude", payload(command), environ).stdout) == "ask"
    yes(desk)
    match change:
        case "argument":
            command = "sh out.sh now"
        case "directory":
            (project / "sub").mkdir()
            fields = {"cwd": str(project / "sub"), "tool_input": {"command": "sh ../out.sh"}}
        case "script":
            script.write_text("git push --force\n")
        case "program":
            own = home / "bin"
            own.mkdir()
            (own / "sh").write_text("#!/bin/sh\n")
            (own / "sh").chmod(0o755)
            environ = {"PATH": f"{own}:{environ['PATH']}"}
        case "commits":
            git = ["git", "-C", str(project), "-c", "user.name=a", "-c", "user.email=a@example.com"]
            subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "more"], check=True)
        case "policy":
            file = home / ".config" / "ringwall" / "ringwall.toml"
            file.parent.mkdir(parents=True)
            file.write_text('preset = "strict"\n')
    assert verdict(judge.hook("claude", payload(command, **fields), environ).stdout) == "ask"
    assert desk.one(1).state in (State.APPROVED, State.INVALIDATED)
    assert [one.number for one in desk.pending()] == [2]


def test_what_an_approval_was_about_has_changed(
    judge: Judge, payload: Payload, desk: Desk, project: Path
) -> None:
    script = project / "out.sh"
    script.write_text("git push\n")
    asked(judge, payload("sh out.sh"))
    yes(desk)
    script.write_text("git push --force\n")
    asked(judge, payload("sh out.sh"))
    assert desk.one(1).state is State.INVALIDATED
    assert "files" in journalled(judge, "proposal.ended")[0].content()["why"]
    script.write_text("git push\n")
    assert asked(judge, payload("sh out.sh")) == "ask"  # what is invalid stays so


def test_the_words_of_a_no_reach_the_agent_and_the_journal(
    judge: Judge, payload: Payload, desk: Desk
) -> None:
    asked(judge, payload("git push"))
    desk.reject(1, desk.one(1).binding, ANN, "not on a Friday")
    reply = judge.hook("claude", payload("git push"), {"PATH": os.environ["PATH"]})
    assert verdict(reply.stdout) == "deny"
    assert "not on a Friday" in reason(reply.stdout)
    assert journalled(judge, "proposal.decided")[0].content()["because"] == "not on a Friday"
    assert asked(judge, payload("git push", session_id="another")) == "ask"


def test_a_no_fades(state: StateDir, home: Path, payload: Payload) -> None:
    moment = [1_800_000_000_000_000_000]
    judge, desk = Judge(state, lambda: moment[0]), Desk(state, lambda: moment[0])
    asked(judge, payload("git push"))
    desk.reject(1, desk.one(1).binding, ANN, "no")
    assert asked(judge, payload("git push")) == "deny"
    moment[0] += 3601 * 1_000_000_000
    assert asked(judge, payload("git push")) == "ask"
    judge.close()
    desk.close()


def test_an_approval_outlives_the_judge(judge: Judge, payload: Payload, desk: Desk, state: StateDir) -> None:
    asked(judge, payload("git push"))
    judge.close()
    yes(desk)
    later = Judge(state)
    assert asked(later, payload("git push")) == "allow"
    later.close()


def test_an_approval_that_was_not_used_in_time(state: StateDir, home: Path, payload: Payload) -> None:
    moment = [1_800_000_000_000_000_000]
    judge, desk = Judge(state, lambda: moment[0]), Desk(state, lambda: moment[0])
    asked(judge, payload("git push"))
    yes(desk)
    moment[0] += 3600 * 1_000_000_000
    assert asked(judge, payload("git push")) == "ask"
    assert desk.one(1).state is State.EXPIRED
    judge.close()
    desk.close()


def test_no_approval_lifts_a_denial(judge: Judge, payload: Payload, desk: Desk, home: Path) -> None:
    asked(judge, payload("git push"))
    yes(desk)
    file = home / ".config" / "ringwall" / "permissions.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"permissions": {"deny": ["Bash(git push:*)"]}}')
    assert asked(judge, payload("git push")) == "deny"


def test_two_calls_at_the_prompt_are_two_acts(judge: Judge, payload: Payload, desk: Desk) -> None:
    for call in ("a", "b"):
        asked(judge, payload("git push", tool_use_id=call))
    for call in ("a", "b"):
        judge.hook("claude", payload("git push", "PostToolUse", tool_use_id=call, tool_response={}))
    assert [one.state for one in desk.newest(9)] == [State.CONSUMED, State.CONSUMED]
    assert len(journalled(judge, "proposal.decided")) == 2


def test_a_yes_elsewhere_while_the_prompt_is_open(judge: Judge, payload: Payload, desk: Desk) -> None:
    asked(judge, payload("git push"))
    yes(desk)
    judge.hook("claude", payload("git push", "PostToolUse", tool_response={}))
    assert desk.one(1).state is State.CONSUMED
    assert [one.content()["by"] for one in journalled(judge, "proposal.decided")] == [ANN]


def test_without_state_an_approval_opens_nothing(
    judge: Judge, payload: Payload, desk: Desk, state: StateDir
) -> None:
    asked(judge, payload("git push"))
    yes(desk)
    Path(state.anchor).write_text("nonsense\n")
    reply = judge.hook("claude", payload("git push"), {"PATH": os.environ["PATH"]})
    assert (reply.stdout, reply.exit) == (b"", 2)


# ---- where nobody sits at the prompt


def test_headless_the_call_waits_and_then_stops_with_its_number(judge: Judge, payload: Payload) -> None:
    (reply,) = judge.hooks([Asked("claude", payload("git push"), HEADLESS)])
    assert isinstance(reply, Waiting)
    assert (reply.proposal, reply.seconds) == (1, 55)
    assert verdict(reply.otherwise.stdout) == "deny"
    assert "ringwall approve 1" in reason(reply.otherwise.stdout)
    (again,) = judge.hooks([Asked("claude", payload("git push"), HEADLESS, waited=True)])
    assert not isinstance(again, Waiting)
    assert again.stdout == reply.otherwise.stdout


@pytest.mark.usefixtures("run_at_once")
def test_the_setting_says_how_long(judge: Judge, payload: Payload, desk: Desk) -> None:
    reply = judge.hook("claude", payload("git push"), HEADLESS)
    assert verdict(reply.stdout) == "deny"
    yes(desk)
    assert verdict(judge.hook("claude", payload("git push"), HEADLESS).stdout) == "allow"


def test_the_hook_without_a_daemon_waits_itself(judge: Judge, payload: Payload, state: StateDir) -> None:
    def decide() -> None:
        desk = Desk(state)
        while not desk.pending():
            time.sleep(0.02)
        yes(desk)
        desk.close()

    thread = threading.Thread(target=decide)
    thread.start()
    reply = judge.hook("claude", payload("git push"), HEADLESS)
    thread.join()
    assert verdict(reply.stdout) == "allow"


@pytest.mark.parametrize(
    ("environ", "fields", "waits"),
    [
        ({}, {}, False),
        ({"CLAUDE_CODE_ENTRYPOINT": "cli"}, {}, False),
        ({"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, {}, True),
        ({"CLAUDE_CODE_ENTRYPOINT": "sdk-cli", "RINGWALL_HEADLESS": "0"}, {}, False),
        ({"CLAUDE_CODE_ENTRYPOINT": "cli", "RINGWALL_HEADLESS": "1"}, {}, True),
        ({"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, {"permission_mode": "bypassPermissions"}, True),
        ({"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, {"permission_mode": "plan"}, False),
        ({}, {"hook_event_name": "PreSkillShellCommand"}, True),
    ],
)
def test_where_the_person_is_asked(
    judge: Judge, payload: Payload, environ: dict[str, str], fields: dict[str, str], waits: bool
) -> None:
    (reply,) = judge.hooks([Asked("claude", payload("git push", **fields), environ)])
    assert isinstance(reply, Waiting) is waits


def test_decide_opens_a_proposal_and_uses_its_answer(judge: Judge, project: Path, desk: Desk) -> None:
    call = ToolCall("claude", "Bash", {"command": "git push"}, cwd=str(project), session="s")
    first = judge.decide(call)
    assert (first.decision.verdict, first.proposal) == (Verdict.ASK, 1)
    yes(desk)
    assert judge.decide(call).decision.verdict is Verdict.ALLOW
    assert judge.decide(call).decision.verdict is Verdict.ASK


# ---- always allow

SYSTEM = "pkill -f vite"


def test_a_granted_rule_lets_the_next_calls_pass(judge: Judge, payload: Payload, desk: Desk) -> None:
    asked(judge, payload(SYSTEM))
    yes(desk, scope=Scope.SESSION)
    assert [asked(judge, payload(SYSTEM)) for _ in range(3)] == ["allow"] * 3
    assert asked(judge, payload("pkill -f node")) == "ask"
    assert asked(judge, payload(SYSTEM, session_id="s2")) == "ask"
    desk.revoke(1, ANN)
    assert asked(judge, payload(SYSTEM)) == "ask"


def test_a_grant_for_the_project_is_for_every_session(judge: Judge, payload: Payload, desk: Desk) -> None:
    asked(judge, payload(SYSTEM))
    yes(desk, scope=Scope.PROJECT)
    assert asked(judge, payload(SYSTEM, session_id="s2")) == "allow"
    trace = journalled(judge, "decision")[-1].content()["trace"]
    assert (trace["rule"]["layer"], trace["rule"]["file"]) == ("project", "grant 1")


def test_a_grant_lifts_no_limit_and_no_denial(judge: Judge, payload: Payload, desk: Desk, home: Path) -> None:
    asked(judge, payload(SYSTEM))
    yes(desk, scope=Scope.PROJECT)
    assert asked(judge, payload(f"{SYSTEM} && git push")) == "ask"
    assert asked(judge, payload(f"sudo {SYSTEM}")) == "ask"
    file = home / ".config" / "ringwall" / "permissions.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"permissions": {"deny": ["Bash(pkill:*)"]}}')
    assert asked(judge, payload(SYSTEM)) == "deny"


def test_what_is_offered_covers_what_it_says(judge: Judge, payload: Payload, desk: Desk) -> None:
    asked(judge, payload(SYSTEM))
    offered = desk.offer(desk.one(1))
    assert isinstance(offered, Offered)
    assert len(offered.also) == 3
    yes(desk, scope=Scope.PROJECT)
    for other in offered.also:
        assert asked(judge, payload(other)) == "allow", other


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ringwall.toml", '[limits]\nadd = ["process.kill"]\n'),
        ("permissions.json", '{"permissions": {"ask": ["Bash(pkill:*)"]}}'),
    ],
)
def test_what_a_person_always_wants_to_decide_gets_no_rule(
    judge: Judge, payload: Payload, desk: Desk, home: Path, name: str, text: str
) -> None:
    file = home / ".config" / "ringwall" / name
    file.parent.mkdir(parents=True)
    file.write_text(text)
    asked(judge, payload(SYSTEM))
    assert isinstance(desk.offer(desk.one(1)), Refused)


def test_a_rule_that_was_not_shown_is_not_granted(judge: Judge, payload: Payload, desk: Desk) -> None:
    asked(judge, payload(SYSTEM))
    wide = Yes(1, desk.one(1).binding, ANN, scope=Scope.PROJECT, rule="Bash(pkill:*)")
    with pytest.raises(UsageError, match=r"approvals\.stale"):
        desk.approve(wide)
    assert desk.one(1).state is State.PENDING


def test_many_at_once_are_all_or_nothing(judge: Judge, payload: Payload, desk: Desk) -> None:
    asked(judge, payload("git push"))
    asked(judge, payload("git push --tags"))
    answers = [Yes(one.number, one.binding, ANN) for one in desk.pending()]
    with pytest.raises(UsageError):
        desk.approve_all([*answers, Yes(99, "sha256:x", ANN)])
    assert len(desk.pending()) == 2
    assert [one.state for one in desk.approve_all(answers)] == [State.APPROVED, State.APPROVED]


def test_a_push_gets_no_rule(judge: Judge, payload: Payload, desk: Desk) -> None:
    asked(judge, payload("git push"))
    assert isinstance(desk.offer(desk.one(1)), Refused)
    with pytest.raises(UsageError, match=r"approvals\.no_rule"):
        desk.approve(Yes(1, desk.one(1).binding, ANN, scope=Scope.PROJECT, rule="Bash(git push)"))
    assert desk.one(1).state is State.PENDING
    yes(desk)
    assert asked(judge, payload("git push")) == "allow"
