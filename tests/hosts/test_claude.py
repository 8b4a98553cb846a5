"""Claude Code's dialect, byte for byte."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hosts.payloads import SESSION, call, encoded, fields
from ringwall.hosts import claude
from ringwall.hosts.protocol import HookReply, HostEvent, Moment
from ringwall.hosts.registry import HOSTS, host
from ringwall.model.action import Action, Kind
from ringwall.model.analysis import Analysis
from ringwall.model.decision import Decision, Opinion
from ringwall.model.effects import Effect
from ringwall.model.errors import PayloadError, StateError, UsageError
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict

MODES = ["default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "auto", "", "invented"]
STRICTER_MODES = ["plan", "dontAsk", "auto", "", "invented"]


def decision(verdict: Verdict, *effects: str, reason: str = "Because.", advice: str = "") -> Decision:
    action = Action(Kind.SHELL, "Bash", {"command": "x"}, "/work/shop")
    analysis = Analysis(action, tuple(Effect(name) for name in effects))
    told = msg("{advice}", advice=advice) if advice else None
    opinion = Opinion("limits", verdict, "limits.some_code", msg("{reason}", reason=reason), advice=told)
    return Decision(verdict, (opinion,), 0, analysis)


def event(kind: str = "PreToolUse", mode: str = "default") -> HostEvent:
    return claude.parse(encoded(call("Bash", kind, permission_mode=mode)))


def printed(reply: HookReply) -> Any:
    assert reply.exit == 0
    assert reply.stderr == b""
    assert b"\n" not in reply.stdout
    value = json.loads(reply.stdout)
    assert isinstance(value, dict)
    assert "continue" not in value
    return value


def test_a_call_is_read_whole() -> None:
    payload = call(
        "mcp__lab__echo",
        tool_input={"text": "hello"},
        permission_mode="plan",
        agent_id="a2f5",
        agent_type="general-purpose",
        mcp_server={"name": "lab", "source": "dynamic", "added_later": 1},
        added_later=[1, 2],
    )
    read = claude.parse(encoded(payload))
    assert read.moment is Moment.BEFORE_CALL
    assert read.session == SESSION
    assert read.raw["added_later"] == [1, 2]
    found = read.call
    assert found is not None
    assert (found.host, found.tool, dict(found.input)) == ("claude", "mcp__lab__echo", {"text": "hello"})
    assert (found.cwd, found.session, found.call_id) == ("/work/shop", SESSION, "toolu_01")
    assert (found.agent, found.agent_type, found.depth) == ("a2f5", "general-purpose", 1)
    assert (found.mode, found.server) == ("plan", "lab")


def test_the_main_agent_has_depth_zero() -> None:
    found = event().call
    assert found is not None
    assert (found.agent, found.depth) == ("", 0)


@pytest.mark.parametrize(
    ("word", "moment"),
    [
        ("PreSkillShellCommand", Moment.BEFORE_CALL),
        ("PermissionRequest", Moment.PERMISSION),
        ("PostToolUse", Moment.AFTER_CALL),
        ("PostToolUseFailure", Moment.CALL_FAILED),
    ],
)
def test_events_about_a_call_carry_it(word: str, moment: Moment) -> None:
    read = event(word)
    assert read.moment is moment
    assert read.call is not None


@pytest.mark.parametrize("word", ["SessionStart", "SessionEnd", "UserPromptSubmit", "Stop", "MessageDisplay"])
def test_other_events_carry_none(word: str) -> None:
    assert claude.parse(encoded(fields(word))).call is None


@pytest.mark.parametrize(
    "change",
    [
        {"hook_event_name": "PreToolUs"},
        {"hook_event_name": 7},
        {"hook_event_name": None},
        {"session_id": ""},
        {"session_id": None},
        {"cwd": "relative"},
        {"cwd": ""},
        {"tool_name": ""},
        {"tool_name": ["Bash"]},
        {"tool_input": None},
        {"tool_input": "rm -rf /"},
        {"tool_input": []},
        {"permission_mode": 1},
        {"agent_id": 1},
        {"mcp_server": "lab"},
    ],
)
def test_a_field_that_is_not_as_agreed_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(PayloadError):
        claude.parse(encoded({**call(), **change}))


@pytest.mark.parametrize("missing", ["hook_event_name", "session_id", "cwd", "tool_name", "tool_input"])
def test_a_missing_field_is_refused(missing: str) -> None:
    payload = call()
    del payload[missing]
    with pytest.raises(PayloadError):
        claude.parse(encoded(payload))


@pytest.mark.parametrize("verdict", list(Verdict))
def test_the_reply_is_one_object_with_a_reason(verdict: Verdict) -> None:
    told = decision(verdict, "write", reason="It pushes.", advice="Ask first.")
    reply = claude.reply(event(), told, msg("See `ringwall why 7`."))
    specific = printed(reply)["hookSpecificOutput"]
    assert specific["hookEventName"] == "PreToolUse"
    assert specific["permissionDecision"] == verdict.value
    reason = specific["permissionDecisionReason"]
    assert "It pushes. Ask first. See `ringwall why 7`." in reason
    assert "limits.some_code" in reason


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("verdict", [Verdict.ASK, Verdict.DENY])
def test_ask_and_deny_are_said_in_every_mode(mode: str, verdict: Verdict) -> None:
    specific = printed(claude.reply(event(mode=mode), decision(verdict, "git.push")))["hookSpecificOutput"]
    assert specific["permissionDecision"] == verdict.value


@pytest.mark.parametrize("mode", STRICTER_MODES)
def test_allow_lifts_no_mode_that_is_stricter_than_its_questions(mode: str) -> None:
    assert printed(claude.reply(event(mode=mode), decision(Verdict.ALLOW, "write"))) == {}
    assert printed(claude.reply(event(mode=mode), decision(Verdict.ALLOW, "observe", "write"))) == {}
    assert printed(claude.reply(event(mode=mode), decision(Verdict.ALLOW))) == {}


@pytest.mark.parametrize("mode", MODES)
def test_looking_is_free_in_every_mode(mode: str) -> None:
    specific = printed(claude.reply(event(mode=mode), decision(Verdict.ALLOW, "observe")))
    assert specific["hookSpecificOutput"]["permissionDecision"] == "allow"


def test_a_permission_request_is_denied_in_its_own_words() -> None:
    denied = printed(
        claude.reply(event("PermissionRequest"), decision(Verdict.DENY, "catastrophic", reason="No."))
    )
    answer = denied["hookSpecificOutput"]
    assert answer["hookEventName"] == "PermissionRequest"
    assert answer["decision"]["behavior"] == "deny"
    assert "No." in answer["decision"]["message"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("verdict", [Verdict.ALLOW, Verdict.ASK])
def test_a_question_of_the_hosts_own_is_left_to_the_person(mode: str, verdict: Verdict) -> None:
    asked = event("PermissionRequest", mode)
    assert printed(claude.reply(asked, decision(verdict, "write"))) == {}
    assert printed(claude.reply(asked, decision(verdict, "observe"))) == {}


@pytest.mark.parametrize("tool", ["ExitPlanMode", "AskUserQuestion"])
def test_no_allow_stands_for_a_persons_answer(tool: str) -> None:
    asked = claude.parse(encoded(call(tool, tool_input={"plan": "x"})))
    assert printed(claude.reply(asked, decision(Verdict.ALLOW, "observe"))) == {}


@pytest.mark.parametrize("kind", ["PreToolUse", "PreSkillShellCommand", "PermissionRequest"])
def test_no_verdict_stops_the_call(kind: str) -> None:
    reply = claude.reply(event(kind), None)
    assert (reply.stdout, reply.exit) == (b"", 2)
    assert reply.stderr.strip()


@pytest.mark.parametrize("kind", ["PreToolUse", "PreSkillShellCommand", "PermissionRequest", None])
def test_a_failure_stops_the_call_and_says_how_to_mend_it(kind: str | None) -> None:
    error = StateError("state.full", msg("The disk is full."), msg("Free some space."))
    reply = claude.failure(event(kind) if kind else None, error)
    assert (reply.stdout, reply.exit) == (b"", 2)
    assert b"The disk is full. Free some space. [state.full]" in reply.stderr


def test_a_failure_where_no_call_waits_harms_nothing() -> None:
    error = StateError("state.full", msg("The disk is full."), msg("Free some space."))
    reply = claude.failure(claude.parse(encoded(fields("Stop"))), error)
    assert (reply.stdout, reply.exit) == (b"{}", 0)


def test_the_session_is_told_once_that_ringwall_is_on() -> None:
    start = claude.parse(encoded(fields("SessionStart", source="startup")))
    specific = printed(claude.reply(start, None, msg("Ringwall is on.")))["hookSpecificOutput"]
    assert specific == {"hookEventName": "SessionStart", "additionalContext": "Ringwall is on."}
    assert printed(claude.reply(start, None)) == {}


def test_events_that_cannot_speak_say_nothing() -> None:
    stop = claude.parse(encoded(fields("Stop")))
    assert printed(claude.reply(stop, None, msg("words"))) == {}


def test_what_a_person_reads_cannot_be_disguised() -> None:
    hidden = "push\u202eniam\x1b[2K\nyes\u200b\ue000"
    told = decision(Verdict.ASK, "git.push", reason=hidden)
    reason = printed(claude.reply(event(), told))["hookSpecificOutput"]["permissionDecisionReason"]
    assert "push\\u{202e}niam\\u{1b}[2K\\u{a}yes\\u{200b}\\u{e000}" in reason


def test_a_file_name_that_is_not_text_does_not_break_the_reply() -> None:
    told = decision(Verdict.DENY, "delete", reason="deletes \udcff{braces} 日本")
    reason = printed(claude.reply(event(), told))["hookSpecificOutput"]["permissionDecisionReason"]
    assert "\\u{dcff}{braces} 日本" in reason
    error = StateError("state.x", msg("{path}", path="\udcff"), msg("Mend it."))
    assert claude.failure(None, error).stderr.isascii()


def test_each_registered_event_is_one_that_parse_knows() -> None:
    for row in claude.registrations:
        assert claude.parse(encoded(call("Bash", row.event))).moment is row.moment
        assert row.decides == row.moment.decides


def test_hosts_are_found_by_name_only() -> None:
    assert host("claude") is HOSTS["claude"]
    with pytest.raises(UsageError):
        host("clade")
