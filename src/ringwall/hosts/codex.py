"""Codex CLI: hook payloads in, hook replies out (contract of 0.171.0; see docs/hosts/codex.md).

Invariants: `ask` is never said, because this host then runs the call; a denial has a reason and no field
that the host does not know, because it otherwise runs the call too; no opinion is no output at all.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ringwall.hosts import codex_trust
from ringwall.hosts.hook_events import Fields, read_event
from ringwall.hosts.installation import (
    DECIDING_TIMEOUT,
    NOTIFYING_TIMEOUT,
    Extra,
    Form,
    Holds,
    Installation,
    Planned,
    Scope,
    Site,
    closed,
)
from ringwall.hosts.payload import check_folder, check_tool
from ringwall.hosts.protocol import BLOCK, HookReply, HostEvent, Moment, Registration
from ringwall.hosts.wording import NOTHING, failed, hints, no_verdict, printed, reason
from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision
from ringwall.model.errors import RingwallError
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict

name = "codex"
"""The word for this host on the command line, in tool calls and in the journal."""

can_ask = False

registrations: tuple[Registration, ...] = (
    Registration("PreToolUse", Moment.BEFORE_CALL, decides=True),
    Registration("PermissionRequest", Moment.PERMISSION, decides=True),
    Registration("PostToolUse", Moment.AFTER_CALL),
    Registration("UserPromptSubmit", Moment.PROMPT),
    Registration("SessionStart", Moment.SESSION_START),
    Registration("SessionEnd", Moment.SESSION_END),
    Registration("SubagentStart", Moment.AGENT_START),
    Registration("SubagentStop", Moment.AGENT_STOP),
    Registration("Stop", Moment.STOP),
    Registration("PreCompact", Moment.COMPACT),
)

_UNREGISTERED = frozenset({"PostCompact", "PreModelRequest"})
_SPEAKING = frozenset({"SessionStart", "UserPromptSubmit", "PostToolUse"})

SHELL = "exec_command"
"""What runs a command line here. Hooks call it `Bash`; but its input stays open for `write_stdin`, which no
hook sees, so it is judged as a tool of its own."""


def parse(payload: bytes) -> HostEvent:
    """The event in `payload`. Raises `PayloadError` for anything that is not certain."""
    return read_event(payload, registrations, _UNREGISTERED, _call)


def reply(event: HostEvent, decision: Decision | None, notice: Text | None = None) -> HookReply:
    """The reply that this host honours. With no decision for a call that waits for one, the call stops."""
    if not event.moment.decides:
        if notice is None or event.event not in _SPEAKING:
            return NOTHING
        return _specific(event, {"additionalContext": hints(notice)})
    if decision is None:
        return no_verdict()
    if decision.verdict is Verdict.ALLOW:
        return NOTHING  # the host's own approvals and sandbox stay as the person set them
    told = reason(decision, notice)
    if event.moment is Moment.BEFORE_CALL:
        return _specific(event, {"permissionDecision": "deny", "permissionDecisionReason": told})
    if decision.verdict is Verdict.DENY:
        return _specific(event, {"decision": {"behavior": "deny", "message": told}})
    return NOTHING  # the host is about to ask the person


def asks(event: HostEvent, environ: Mapping[str, str]) -> bool:
    """Never: `ask` is no answer here."""
    return False


def failure(event: HostEvent | None, error: RingwallError) -> HookReply:
    """What is said when there is no verdict."""
    told = failed(event is None or event.moment.decides, error)
    return told if told.exit == BLOCK else replace(told, stdout=b"")


def _call(fields: Fields) -> ToolCall:
    tool, given = check_tool(fields.tool_name, fields.tool_input)
    return ToolCall(
        host=name,
        tool=SHELL if tool == "Bash" else tool,
        input=given,
        cwd=check_folder(fields.cwd, given.get("workdir")),
        session=fields.session_id,
        agent=fields.agent_id or "",
        agent_type=fields.agent_type or "",
        depth=1 if fields.agent_id else 0,
        mode=fields.permission_mode or "",
        call_id=fields.tool_use_id or "",
    )


def _specific(event: HostEvent, fields: Mapping[str, Any]) -> HookReply:
    return printed({"hookSpecificOutput": {"hookEventName": event.event, **fields}})


# ---- what setup writes


def _lists(planned: Planned) -> Mapping[tuple[str, ...], Any]:
    return {("hooks", row.event): {"hooks": [_handler(row, planned)]} for row in registrations}


def _handler(row: Registration, planned: Planned) -> dict[str, Any]:
    command = planned.command(*(() if row.decides else ("--notify",)), name)
    return {
        "type": "command",
        "command": closed(command) if row.decides else command,
        "timeout": DECIDING_TIMEOUT if row.decides else NOTIFYING_TIMEOUT,
    }


def _extras(planned: Planned) -> tuple[Extra, ...]:
    """The trust that this host wants for hooks, and rules for what no hook sees."""
    home = planned.home
    return (
        Extra(
            path=posixpath.join(home, "config.toml"),
            form=Form.BLOCK,
            text=lambda rest, ours: codex_trust.table(planned.path, planned.text, rest, ours),
            left=lambda ours: codex_trust.of_others(planned.path, ours),
            why=msg("Codex runs a hook only after a person has trusted exactly this hook; else it skips it."),
            consent=msg("Tell Codex on your behalf that you trust these hooks?"),
        ),
        Extra(
            path=posixpath.join(home, "rules", "ringwall.rules"),
            form=Form.OWN,
            text=lambda _rest, _ours: codex_trust.RULES,
            why=msg("These rules of Codex's own hold where no hook is called."),
        ),
    )


def _sample(command: str, cwd: str) -> Mapping[str, Any]:
    return {
        "session_id": "ringwall-doctor",
        "turn_id": "ringwall-doctor",
        "transcript_path": "",
        "cwd": cwd,
        "hook_event_name": "PreToolUse",
        "model": "doctor",
        "permission_mode": "default",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": "ringwall-doctor",
    }


def _answer(reply: HookReply) -> str:
    if reply.exit == 0 and not reply.stdout:
        return "allow"
    try:
        specific = json.loads(reply.stdout)["hookSpecificOutput"]
        denies = specific["permissionDecision"] == "deny" and specific["permissionDecisionReason"]
    except (ValueError, KeyError, TypeError):
        return ""
    return "deny" if reply.exit == 0 and denies else ""


installation = Installation(
    title="Codex CLI",
    program="codex",
    least=(0, 171, 0),
    sites=(
        Site(Scope.PROJECT, ".codex", "hooks.json"),
        Site(Scope.USER, "~/.codex", "hooks.json", "CODEX_HOME"),
    ),
    home=Site(Scope.USER, "~/.codex", "", "CODEX_HOME"),
    guards=(
        Site(Scope.USER, "~/.codex", "config.toml", "CODEX_HOME"),
        Site(Scope.USER, "~/.codex", "rules", "CODEX_HOME"),
        Site(Scope.PROJECT, ".codex", "config.toml"),
    ),
    session_variables=("CODEX_SESSION_ID", "CODEX_THREAD_ID"),
    form=Form.LISTS,
    lists=_lists,
    extras=_extras,
    sample=_sample,
    answer=_answer,
    holds=Holds(
        asks=msg("console"),
        subagents=msg("yes"),
        crash=msg("stops"),
        timeout=msg("RUNS"),
        unloaded=msg("RUNS"),
        holes=(
            msg(
                "What is typed into a program that already runs (`write_stdin`) reaches no hook; so Ringwall "
                "asks before a program starts that takes commands from its input."
            ),
            msg("A hook that is not trusted, or was changed since, is skipped without a word."),
            msg("A hook that hangs for {seconds} seconds lets the call run.", seconds=DECIDING_TIMEOUT),
        ),
    ),
)
