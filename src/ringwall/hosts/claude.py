"""Claude Code: hook payloads in, hook replies out (contract of 2.1.332; see docs/hosts/claude-code.md).

Invariants: stdout is exactly one JSON object, or empty with exit status 2; a reply never loosens what the
person has switched on in the host itself (plan mode and its kin); `continue` is never used, because this
host runs the tool in spite of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from ringwall.hosts.installation import (
    DECIDING_TIMEOUT,
    NOTIFYING_TIMEOUT,
    Form,
    Holds,
    Installation,
    Planned,
    Scope,
    Site,
)
from ringwall.hosts.payload import check_folder, check_session, check_tool, read_fields, unknown_event
from ringwall.hosts.protocol import HookReply, HostEvent, Moment, Registration
from ringwall.hosts.wording import failed, hints, no_verdict, printed, reason
from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision
from ringwall.model.errors import RingwallError
from ringwall.model.step import USER, Lineage, Message, Step
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict

name = "claude"
"""The word for this host on the command line, in tool calls and in the journal."""

can_ask = True

registrations: tuple[Registration, ...] = (
    Registration("PreToolUse", Moment.BEFORE_CALL, decides=True),
    Registration("PreSkillShellCommand", Moment.BEFORE_CALL, decides=True),
    Registration("PermissionRequest", Moment.PERMISSION, decides=True),
    Registration("PostToolUse", Moment.AFTER_CALL),
    Registration("PostToolUseFailure", Moment.CALL_FAILED),
    Registration("UserPromptSubmit", Moment.PROMPT),
    Registration("SessionStart", Moment.SESSION_START),
    Registration("SessionEnd", Moment.SESSION_END),
    Registration("SubagentStart", Moment.AGENT_START),
    Registration("SubagentStop", Moment.AGENT_STOP),
    Registration("Stop", Moment.STOP),
    Registration("PreCompact", Moment.COMPACT),
)

_MOMENTS: Mapping[str, Moment] = {row.event: row.moment for row in registrations}

_UNREGISTERED = frozenset(
    {
        "ConfigChange", "CwdChanged", "DirectoryAdded", "Elicitation", "ElicitationResult", "FileChanged",
        "InstructionsLoaded", "MessageDisplay", "Notification", "PermissionDenied", "PostCompact",
        "PostModelSwitch", "PostToolBatch", "PreModelSwitch", "Setup", "StopFailure", "TaskCompleted",
        "TaskCreated", "TeammateIdle", "UserPromptExpansion", "WorktreeCreate", "WorktreeRemove",
    }
)  # fmt: skip
"""Words that this host uses for events that Ringwall does not need; any other word is an error."""

_WITH_CALL = frozenset({Moment.BEFORE_CALL, Moment.PERMISSION, Moment.AFTER_CALL, Moment.CALL_FAILED})

_BEFORE_STEPS = frozenset({Moment.PROMPT, Moment.SESSION_START})

_EMPTYING = frozenset({"compact", "clear"})
"""Why a session begins anew with nothing of before in sight."""

_SPEAKING = frozenset({"SessionStart", "UserPromptSubmit", "SubagentStart", "PostToolUse"})
"""Events whose reply may carry `additionalContext`."""

LIFTED_MODES = frozenset({"default", "acceptEdits", "bypassPermissions"})
"""Permission modes in which `allow` spares the person the host's own question. In every other (`plan`,
`dontAsk`, `auto`, a mode not yet known) the host itself is stricter than its questions, and stays so."""

QUESTIONS = frozenset({"AskUserQuestion", "ExitPlanMode"})
"""Tools whose whole point is a person's answer; `allow` might be taken for it."""


ENTRY_POINT = "CLAUDE_CODE_ENTRYPOINT"
"""Set by the host for its hooks: how it was started."""

UNATTENDED = frozenset({"sdk-cli"})
"""Entry points at which nobody sees a question (docs/adr/0041)."""


class _Server(msgspec.Struct, frozen=True):
    name: str


class _Payload(msgspec.Struct, frozen=True):
    """The fields that Ringwall relies on; newer ones are carried along in `HostEvent.raw`."""

    hook_event_name: str
    session_id: str
    cwd: str
    permission_mode: str | None = None
    tool_name: str | None = None
    tool_input: dict[str, Any] | None = None
    tool_use_id: str | None = None
    agent_id: str | None = None
    agent_type: str | None = None
    mcp_server: _Server | None = None
    transcript_path: str | None = None
    source: str | None = None
    prompt: str | None = None


def parse(payload: bytes) -> HostEvent:
    """The event in `payload`. Raises `PayloadError` for anything that is not certain."""
    raw, fields = read_fields(payload, _Payload)
    check_session(fields.session_id)
    check_folder(fields.cwd)
    moment = _moment(fields.hook_event_name)
    call = _call(fields) if moment in _WITH_CALL else None
    step = _step(fields) if moment in _BEFORE_STEPS else None
    return HostEvent(fields.hook_event_name, moment, call, fields.session_id, fields.cwd, raw, step)


def reply(event: HostEvent, decision: Decision | None, notice: Text | None = None) -> HookReply:
    """The reply that this host honours. With no decision for a call that waits for one, the call stops."""
    if not event.moment.decides:
        return _context(event, notice)
    if decision is None:
        return no_verdict()
    told = reason(decision, notice)
    if event.moment is Moment.PERMISSION:
        return _answer_question(event, decision, told)
    if decision.verdict is Verdict.ALLOW and not _may_allow(event, decision):
        return printed({})
    return _specific(event, {"permissionDecision": decision.verdict.value, "permissionDecisionReason": told})


def asks(event: HostEvent, environ: Mapping[str, str]) -> bool:
    """This host asks at its prompt, unless it runs without one (`-p`, which its entry point tells). Shell
    lines in skills never reach the prompt."""
    call = event.call
    if call is not None and call.mode not in LIFTED_MODES:
        return True  # this host stops the call by itself
    if event.event == "PreSkillShellCommand":
        return False
    return environ.get(ENTRY_POINT) not in UNATTENDED


def failure(event: HostEvent | None, error: RingwallError) -> HookReply:
    """What is said when there is no verdict. An event that cannot be read may be a call that waits."""
    return failed(event is None or event.moment.decides, error)


def _moment(word: str) -> Moment:
    if word not in _MOMENTS and word not in _UNREGISTERED:
        unknown_event(word)
    return _MOMENTS.get(word, Moment.OTHER)


def _call(fields: _Payload) -> ToolCall:
    tool, given = check_tool(fields.tool_name, fields.tool_input)
    return ToolCall(
        host=name,
        tool=tool,
        input=given,
        cwd=fields.cwd,
        session=fields.session_id,
        agent=fields.agent_id or "",
        agent_type=fields.agent_type or "",
        depth=1 if fields.agent_id else 0,  # this host tells no more than "a subagent"
        mode=fields.permission_mode or "",
        call_id=fields.tool_use_id or "",
        server=fields.mcp_server.name if fields.mcp_server else "",
    )


def _step(fields: _Payload) -> Step:
    return Step(
        lineage=Lineage(origin="subagent" if fields.agent_id else ""),
        messages=(Message(USER, fields.prompt),) if fields.prompt is not None else (),
        transcript=fields.transcript_path or "",
        emptied=fields.source in _EMPTYING,
    )


def _may_allow(event: HostEvent, decision: Decision) -> bool:
    """Whether `allow` may be said, which lifts the host's own permission check."""
    call = event.call
    if call is None or call.tool in QUESTIONS:
        return False
    return call.mode in LIFTED_MODES or _observes(decision)


def _observes(decision: Decision) -> bool:
    effects = decision.analysis.effects
    return bool(effects) and all(effect.name == "observe" for effect in effects)


def _answer_question(event: HostEvent, decision: Decision, told: str) -> HookReply:
    """PermissionRequest: the host is about to ask, although `allow` at PreToolUse spares a person its
    ordinary questions. So this one is the person's own wish (an ask rule, a mode, a plan to approve), and
    only a denial answers it."""
    if decision.verdict is Verdict.DENY:
        return _specific(event, {"decision": {"behavior": "deny", "message": told}})
    return printed({})


def _context(event: HostEvent, notice: Text | None) -> HookReply:
    if notice is None or event.event not in _SPEAKING:
        return printed({})
    return _specific(event, {"additionalContext": hints(notice)})


def _specific(event: HostEvent, fields: Mapping[str, Any]) -> HookReply:
    return printed({"hookSpecificOutput": {"hookEventName": event.event, **fields}})


# ---- what setup writes


def _lists(planned: Planned) -> Mapping[tuple[str, ...], Any]:
    return {
        ("hooks", row.event): {"matcher": "*", "hooks": [_handler(row, planned)]} for row in registrations
    }


def _handler(row: Registration, planned: Planned) -> dict[str, Any]:
    handler: dict[str, Any] = {
        "type": "command",
        "command": planned.command(*(() if row.decides else ("--notify",)), name),
        "timeout": DECIDING_TIMEOUT if row.decides else NOTIFYING_TIMEOUT,
    }
    return {**handler, "onFailure": "block"} if row.decides else handler


def _sample(command: str, cwd: str) -> Mapping[str, Any]:
    return {
        "session_id": "ringwall-doctor",
        "transcript_path": "",
        "cwd": cwd,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command, "description": "doctor"},
        "tool_use_id": "ringwall-doctor",
    }


def _answer(reply: HookReply) -> str:
    try:
        specific = json.loads(reply.stdout)["hookSpecificOutput"]
        return str(specific["permissionDecision"]) if reply.exit == 0 else ""
    except (ValueError, KeyError, TypeError):
        return ""


installation = Installation(
    title="Claude Code",
    program="claude",
    least=(2, 1, 295),  # the first that honours `onFailure`, without which a crashed hook lets the call run
    sites=(
        Site(Scope.USER, "~/.claude", "settings.json", "CLAUDE_CONFIG_DIR"),
        Site(Scope.PROJECT, ".claude", "settings.json"),
        Site(Scope.LOCAL, ".claude", "settings.local.json"),
    ),
    usual=Scope.PROJECT,
    session_variables=("CLAUDECODE", "CLAUDE_CODE_SESSION_ID"),
    form=Form.LISTS,
    lists=_lists,
    sample=_sample,
    answer=_answer,
    unhooks=("--bare",),
    run=("--settings", "{}"),
    holds=Holds(
        asks=msg("prompt"),
        subagents=msg("yes"),
        crash=msg("stops"),
        timeout=msg("stops"),
        unloaded=msg("-"),
    ),
)
