"""The dialect of each host beside Claude Code: payloads as `record.py` took them from the real programs,
replies exactly as those programs honour them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hosts.test_claude import decision
from ringwall.hosts.installation import Planned
from ringwall.hosts.protocol import HookReply, Moment
from ringwall.hosts.registry import HOSTS
from ringwall.model.errors import PayloadError, StateError
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict
from ringwall.tools.table import row_of

RECORDED = Path(__file__).parent / "recorded"
OTHERS = tuple(name for name in HOSTS if name != "claude")
PLUGGED = ("opencode", "pi", "dsh")
RUN = tuple(name for name in OTHERS if name != "cursor")
ABOUT_A_CALL = (Moment.BEFORE_CALL, Moment.PERMISSION, Moment.AFTER_CALL, Moment.CALL_FAILED)
TOOLS = {
    "codex": {"exec_command", "view_image"},
    "gemini": {
        "glob",
        "list_directory",
        "read_file",
        "replace",
        "run_shell_command",
        "write_file",
        "write_todos",
    },
    "opencode": {"bash", "glob", "read", "task", "write"},
    "copilot": {"Agent", "Bash", "Read", "Write", "nosuch"},
    "pi": {"bash", "read", "write"},
    "dsh": {"bash", "glob", "subagent", "write"},
}


def recorded(host: str) -> list[dict[str, Any]]:
    lines = (RECORDED / f"{host}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def sample(host: str, command: str = "git push", **more: Any) -> bytes:
    return json.dumps({**HOSTS[host].installation.sample(command, "/work/shop"), **more}).encode()


def reply(host: str, verdict: Verdict, effect: str = "observe") -> HookReply:
    event = HOSTS[host].parse(sample(host))
    return HOSTS[host].reply(event, decision(verdict, effect), msg("(proposal 7)"))


@pytest.mark.parametrize("host", RUN)
def test_what_the_real_host_tells_is_read(host: str) -> None:
    told = [HOSTS[host].parse(json.dumps(payload).encode()) for payload in recorded(host)]
    assert all(event.moment is not Moment.OTHER or event.event == "loaded" for event in told)
    assert all((event.call is not None) == (event.moment in ABOUT_A_CALL) for event in told)
    calls = [event.call for event in told if event.moment is Moment.BEFORE_CALL and event.call]
    assert {call.tool for call in calls} == TOOLS[host]
    assert {call.cwd for call in calls} == {"/work/shop"}
    assert all(row_of(call.tool) is not None for call in calls if call.tool != "nosuch")
    assert any(event.step is not None for event in told)


@pytest.mark.parametrize("host", ["opencode", "copilot"])
def test_a_subagents_call_is_told_from_the_main_agents(host: str) -> None:
    calls = [HOSTS[host].parse(json.dumps(payload).encode()).call for payload in recorded(host)]
    helped = [call for call in calls if call is not None and call.agent]
    assert helped and all(call.depth == 1 and call.session != call.agent for call in helped)
    assert any(call is not None and not call.agent for call in calls)


@pytest.mark.parametrize("host", ["gemini", "opencode", "copilot", "dsh", "pi"])
def test_a_call_that_failed_is_told_from_one_that_ran(host: str) -> None:
    told = [HOSTS[host].parse(json.dumps(payload).encode()) for payload in recorded(host)]
    failed = [
        event.call.input.get("command") for event in told if event.moment is Moment.CALL_FAILED and event.call
    ]
    ran = [
        event.call.input.get("command") for event in told if event.moment is Moment.AFTER_CALL and event.call
    ]
    assert "false" in failed and "echo hello from the shop" in ran


@pytest.mark.parametrize("host", OTHERS)
def test_a_deny_stops_the_call_with_its_reason(host: str) -> None:
    told = reply(host, Verdict.DENY)
    assert HOSTS[host].installation.answer(told) == "deny"
    assert b"Ringwall denies this: Because." in told.stdout


@pytest.mark.parametrize("host", OTHERS)
def test_ask_is_never_said_where_it_would_not_stop_the_call(host: str) -> None:
    told = reply(host, Verdict.ASK)
    expected = "ask" if HOSTS[host].can_ask else "deny"
    assert HOSTS[host].installation.answer(told) == expected
    assert b"(proposal 7)" in told.stdout
    if not HOSTS[host].can_ask:
        assert b'"ask"' not in told.stdout


@pytest.mark.parametrize("host", OTHERS)
def test_allow_lifts_nothing_of_the_hosts_own(host: str) -> None:
    expected = {"codex": b"", **dict.fromkeys(PLUGGED, b'{"verdict":"allow"}')}
    told = reply(host, Verdict.ALLOW)
    assert (told.stdout, told.exit) == (expected.get(host, b"{}"), 0)
    assert HOSTS[host].installation.answer(told) == "allow"


def test_a_denial_of_codex_has_no_field_that_it_does_not_know() -> None:
    said = json.loads(reply("codex", Verdict.DENY).stdout)
    assert said.keys() == {"hookSpecificOutput"}
    specific = said["hookSpecificOutput"]
    assert specific.keys() == {"hookEventName", "permissionDecision", "permissionDecisionReason"}
    assert specific["permissionDecisionReason"]


@pytest.mark.parametrize("host", OTHERS)
def test_no_decision_stops_the_call(host: str) -> None:
    event = HOSTS[host].parse(sample(host))
    for told in (
        HOSTS[host].reply(event, None),
        HOSTS[host].failure(event, _fault()),
        HOSTS[host].failure(None, _fault()),
    ):
        assert (told.stdout, told.exit) == (b"", 2)
        assert told.stderr


@pytest.mark.parametrize("host", OTHERS)
def test_what_is_not_certain_is_refused(host: str) -> None:
    good = sample(host)
    HOSTS[host].parse(good)
    event = {"cursor": "hook_event_name", **dict.fromkeys(PLUGGED, "event")}.get(host, "hook_event_name")
    session = {"cursor": "conversation_id", **dict.fromkeys(PLUGGED, "session")}.get(host, "session_id")
    tool, given = ("tool", "input") if host in PLUGGED else ("tool_name", "tool_input")
    for change in (
        {event: "invented"}, {event: 7}, {session: ""}, {session: None}, {"cwd": "relative"}, {tool: ""},
        {tool: None}, {given: None}, {given: "rm -rf /"}, {given: []},
    ):  # fmt: skip
        with pytest.raises(PayloadError):
            HOSTS[host].parse(sample(host, **change))
    with pytest.raises(PayloadError):
        HOSTS[host].parse(good[:-1])


@pytest.mark.parametrize("host", OTHERS)
def test_hidden_characters_are_shown(host: str) -> None:
    event = HOSTS[host].parse(sample(host))
    told = HOSTS[host].reply(event, decision(Verdict.DENY, "observe", reason="a\u202eb\x1b[2J"))
    assert told.stdout.isascii() and b"\\u{202e}" in told.stdout.replace(b"\\\\", b"\\")


@pytest.mark.parametrize("host", ["codex", "gemini", "copilot"])
def test_every_failure_of_a_registered_command_becomes_the_status_that_stops(host: str) -> None:
    planned = Planned(("/opt/ring wall/ringwall-hook",), "/state/plugins")
    installation = HOSTS[host].installation
    text = installation.text(planned) or json.dumps([*installation.lists(planned).values()])
    assert "'/opt/ring wall/ringwall-hook' " + host + " || exit 2" in text


@pytest.mark.parametrize(
    ("host", "tool", "given", "cwd"),
    [
        ("codex", "Bash", {"command": "ls", "workdir": "sub"}, "/work/shop/sub"),
        ("gemini", "run_shell_command", {"command": "ls", "dir_path": "/tmp/x/../y"}, "/tmp/y"),
        ("opencode", "bash", {"command": "ls", "workdir": "../other"}, "/work/other"),
        ("dsh", "bash", {"command": "ls", "workdir": "sub"}, "/work/shop/sub"),
    ],
)
def test_a_call_in_another_directory_is_judged_there(
    host: str, tool: str, given: dict[str, str], cwd: str
) -> None:
    names = ("tool", "input") if host in PLUGGED else ("tool_name", "tool_input")
    call = HOSTS[host].parse(sample(host, **dict(zip(names, (tool, given), strict=True)))).call
    assert call is not None and call.cwd == cwd
    wrong = dict(zip(names, (tool, {**given, [*given][-1]: 7}), strict=True))
    with pytest.raises(PayloadError):
        HOSTS[host].parse(sample(host, **wrong))


def test_what_codex_runs_in_its_shell_may_be_typed_into() -> None:
    call = HOSTS["codex"].parse(sample("codex")).call
    assert call is not None and call.tool == "exec_command"


def test_a_person_is_not_told_at_a_moment_that_does_not_wait() -> None:
    for host in OTHERS:
        for row in HOSTS[host].registrations:
            assert row.decides == (row.moment in (Moment.BEFORE_CALL, Moment.PERMISSION))


def _fault() -> StateError:
    return StateError("state.full", msg("The disk is full."), msg("Free some space."))
