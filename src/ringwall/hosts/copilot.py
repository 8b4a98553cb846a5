"""GitHub Copilot CLI: hook payloads in, hook replies out (contract of 1.0.102; see docs/hosts/copilot.md).

Invariants: events are registered by their capitalised names, whose payloads say which event they are and
which agent acts; `allow` is never said, because it would lift a permission that the person keeps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ringwall.hosts.hook_events import Fields, read_event
from ringwall.hosts.installation import (
    DECIDING_TIMEOUT,
    NOTIFYING_TIMEOUT,
    Form,
    Holds,
    Installation,
    Planned,
    Scope,
    Site,
    closed,
)
from ringwall.hosts.payload import check_folder, check_tool
from ringwall.hosts.protocol import HookReply, HostEvent, Moment, Registration
from ringwall.hosts.wording import failed, hints, no_verdict, printed, reason
from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision
from ringwall.model.errors import RingwallError
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict

name = "copilot"
"""The word for this host on the command line, in tool calls and in the journal."""

can_ask = True

registrations: tuple[Registration, ...] = (
    Registration("PreToolUse", Moment.BEFORE_CALL, decides=True),
    Registration("PostToolUse", Moment.AFTER_CALL),
    Registration("PostToolUseFailure", Moment.CALL_FAILED),
    Registration("UserPromptSubmit", Moment.PROMPT),
    Registration("SessionStart", Moment.SESSION_START),
    Registration("SessionEnd", Moment.SESSION_END),
    Registration("SubagentStop", Moment.AGENT_STOP),
    Registration("Stop", Moment.STOP),
    Registration("PreCompact", Moment.COMPACT),
)

_UNREGISTERED = frozenset({"ErrorOccurred", "Notification", "PermissionRequest", "SubagentStart"})
_EXIT = re.compile(r"completed with exit code (\d+)>\s*\Z")
_SPEAKING = frozenset({"SessionStart", "UserPromptSubmit", "PostToolUse"})


def parse(payload: bytes) -> HostEvent:
    """The event in `payload`. Raises `PayloadError` for anything that is not certain."""
    return read_event(payload, registrations, _UNREGISTERED, _call, _failed)


def reply(event: HostEvent, decision: Decision | None, notice: Text | None = None) -> HookReply:
    """The reply that this host honours. With no decision for a call that waits for one, the call stops."""
    if not event.moment.decides:
        if notice is None or event.event not in _SPEAKING:
            return printed({})
        return printed({"additionalContext": hints(notice)})  # elsewhere this host does not look for it
    if decision is None:
        return no_verdict()
    if decision.verdict is Verdict.ALLOW:
        return printed({})
    told = reason(decision, notice)
    return _specific(event, {"permissionDecision": decision.verdict.value, "permissionDecisionReason": told})


def asks(event: HostEvent, environ: Mapping[str, str]) -> bool:
    """Not unless somebody says so (`RINGWALL_HEADLESS=0`): the host does not tell whether a person sits at
    its prompt, and without one it denies at once."""
    return False


def failure(event: HostEvent | None, error: RingwallError) -> HookReply:
    """What is said when there is no verdict."""
    return failed(event is None or event.moment.decides, error)


def _call(fields: Fields) -> ToolCall:
    tool, given = check_tool(fields.tool_name, fields.tool_input)
    server, tool = _served(tool)
    return ToolCall(
        host=name,
        tool=tool,
        input=given,
        cwd=check_folder(fields.cwd),
        session=fields.parent_agent_id or fields.session_id,
        agent=fields.agent_id or "",
        agent_type=fields.agent_type or "",
        depth=1 if fields.agent_id else 0,
        call_id=fields.tool_use_id or "",
        server=server,
    )


def _failed(raw: Mapping[str, Any]) -> bool:
    """Whether a command that ran ended with another exit status than 0, which the host counts as success."""
    told = raw.get("tool_result")
    text = str(told.get("text_result_for_llm", "")) if isinstance(told, Mapping) else ""
    found = _EXIT.search(text)
    return found is not None and found.group(1) != "0"


def _served(tool: str) -> tuple[str, str]:
    """The MCP server and tool of `server-tool`; tools of the host itself have no hyphen."""
    server, _, own = tool.rpartition("-")
    return (server, own) if server and own else ("", tool)


def _specific(event: HostEvent, fields: Mapping[str, Any]) -> HookReply:
    return printed({"hookSpecificOutput": {"hookEventName": event.event, **fields}})


# ---- what setup writes


def _text(planned: Planned) -> str:
    hooks = {row.event: [_handler(row, planned)] for row in registrations}
    return json.dumps({"version": 1, "hooks": hooks}, indent=2, ensure_ascii=False) + "\n"


def _handler(row: Registration, planned: Planned) -> dict[str, Any]:
    command = planned.command(*(() if row.decides else ("--notify",)), name)
    return {
        "type": "command",
        "bash": closed(command) if row.decides else command,
        "timeoutSec": DECIDING_TIMEOUT if row.decides else NOTIFYING_TIMEOUT,
    }


def _sample(command: str, cwd: str) -> Mapping[str, Any]:
    return {
        "hook_event_name": "PreToolUse",
        "session_id": "ringwall-doctor",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "cwd": cwd,
        "tool_name": "Bash",
        "tool_input": {"command": command, "description": "doctor"},
    }


def _answer(reply: HookReply) -> str:
    try:
        said = json.loads(reply.stdout)
        if reply.exit != 0:
            return ""
        return str(said["hookSpecificOutput"]["permissionDecision"]) if said else "allow"
    except (ValueError, KeyError, TypeError):
        return ""


installation = Installation(
    title="GitHub Copilot CLI",
    program="copilot",
    least=(1, 0, 102),
    sites=(
        Site(Scope.PROJECT, ".github/hooks", "ringwall.json"),
        Site(Scope.USER, "~/.copilot", "hooks/ringwall.json", "COPILOT_HOME"),
    ),
    guards=(
        Site(Scope.USER, "~/.copilot", "config.json", "COPILOT_HOME"),
        Site(Scope.USER, "~/.copilot", "hooks", "COPILOT_HOME"),
        Site(Scope.PROJECT, ".github/hooks", ""),
    ),
    session_variables=("COPILOT_AGENT_SESSION_ID", "COPILOT_CLI"),
    form=Form.OWN,
    text=_text,
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
                "The hooks of a project (`.github/hooks`) run only in a folder that Copilot trusts "
                "(`--trust-folder`); `ringwall init copilot --scope user` registers where they always run."
            ),
            msg(
                "Ringwall registers a command. A local HTTP hook would be refused, and calls run, unless "
                "COPILOT_HOOK_ALLOW_LOCALHOST=1 is set."
            ),
            msg("A hook that hangs for {seconds} seconds lets the call run.", seconds=DECIDING_TIMEOUT),
        ),
    ),
)
