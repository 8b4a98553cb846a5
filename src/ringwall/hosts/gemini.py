"""Gemini CLI: hook payloads in, hook replies out (contract of 0.61.0; see docs/hosts/gemini.md).

Invariants: `ask` is never said, because this host then hangs; `continue` is never used, because it ends the
session; a reply never loosens what the person has switched on in the host.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
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
from ringwall.hosts.payload import check_folder, check_tool, refuse
from ringwall.hosts.protocol import HookReply, HostEvent, Moment, Registration
from ringwall.hosts.wording import failed, hints, no_verdict, printed, reason
from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision
from ringwall.model.errors import RingwallError
from ringwall.model.step import Message
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict

name = "gemini"
"""The word for this host on the command line, in tool calls and in the journal."""

can_ask = False

registrations: tuple[Registration, ...] = (
    Registration("BeforeTool", Moment.BEFORE_CALL, decides=True),
    Registration("AfterTool", Moment.AFTER_CALL),
    Registration("BeforeAgent", Moment.PROMPT),
    Registration("SessionStart", Moment.SESSION_START),
    Registration("SessionEnd", Moment.SESSION_END),
    Registration("AfterAgent", Moment.STOP),
)

_UNREGISTERED = frozenset({"BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress", "Notification"})
_SPEAKING = frozenset({"SessionStart", "BeforeAgent"})
_MCP = "mcp_"
_TOLD = re.compile(r"\A(?:\s*<hook_context>.*?</hook_context>)+\s*", re.DOTALL)


def parse(payload: bytes) -> HostEvent:
    """The event in `payload`. Raises `PayloadError` for anything that is not certain."""
    return _without_told(read_event(payload, registrations, _UNREGISTERED, _call, _failed))


def _without_told(event: HostEvent) -> HostEvent:
    """The event with the person's own words: what hooks have told stands before them in the prompt."""
    if event.step is None:
        return event
    said = tuple(Message(each.kind, _TOLD.sub("", each.text)) for each in event.step.messages)
    return replace(event, step=replace(event.step, messages=said))


def reply(event: HostEvent, decision: Decision | None, notice: Text | None = None) -> HookReply:
    """The reply that this host honours. With no decision for a call that waits for one, the call stops."""
    if not event.moment.decides:
        if notice is None or event.event not in _SPEAKING:
            return printed({})
        context = {"hookEventName": event.event, "additionalContext": hints(notice)}
        return printed({"hookSpecificOutput": context})
    if decision is None:
        return no_verdict()
    if decision.verdict is Verdict.ALLOW:
        return printed({})
    return printed({"decision": "deny", "reason": reason(decision, notice)})


def asks(event: HostEvent, environ: Mapping[str, str]) -> bool:
    """Never: `ask` is no answer here."""
    return False


def failure(event: HostEvent | None, error: RingwallError) -> HookReply:
    """What is said when there is no verdict."""
    return failed(event is None or event.moment.decides, error)


def _call(fields: Fields) -> ToolCall:
    tool, given = check_tool(fields.tool_name, fields.tool_input)
    server, tool = _served(tool, fields.mcp_context)
    below = given.get("dir_path", given.get("directory")) if tool == "run_shell_command" else None
    return ToolCall(
        host=name,
        tool=tool,
        input=given,
        cwd=check_folder(fields.cwd, below),
        session=fields.session_id,
        call_id=fields.tool_use_id or "",
        server=server,
    )


def _failed(raw: Mapping[str, Any]) -> bool:
    """Whether a call that ran failed: it has an error, or its command another exit status than 0."""
    told = raw.get("tool_response")
    if not isinstance(told, Mapping):
        return False
    return bool(told.get("error")) or str(told.get("returnDisplay")).startswith("Command exited with code:")


def _served(tool: str, context: Mapping[str, Any] | None) -> tuple[str, str]:
    """The MCP server of a tool and the tool's own name, which the payload tells besides its joined name."""
    if context is None:
        joined, _, rest = tool.removeprefix(_MCP).partition("_")
        return (joined, rest) if tool.startswith(_MCP) and joined and rest else ("", tool)
    server, own = context.get("server_name"), context.get("tool_name")
    if not isinstance(server, str) or not isinstance(own, str) or not server or not own:
        refuse("payload.field", msg("The payload names an MCP tool without its server."))
    return server, own


# ---- what setup writes


def _lists(planned: Planned) -> Mapping[tuple[str, ...], Any]:
    return {("hooks", row.event): _group(row, planned) for row in registrations}


def _group(row: Registration, planned: Planned) -> dict[str, Any]:
    command = planned.command(*(() if row.decides else ("--notify",)), name)
    seconds = DECIDING_TIMEOUT if row.decides else NOTIFYING_TIMEOUT
    handler = {
        "type": "command",
        "name": "ringwall",
        "command": closed(command) if row.decides else command,
        "timeout": seconds * 1000,
    }
    about_tools = row.moment in (Moment.BEFORE_CALL, Moment.AFTER_CALL)
    return {**({"matcher": ".*"} if about_tools else {}), "hooks": [handler]}


def _sample(command: str, cwd: str) -> Mapping[str, Any]:
    return {
        "session_id": "ringwall-doctor",
        "transcript_path": "",
        "cwd": cwd,
        "hook_event_name": "BeforeTool",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "tool_name": "run_shell_command",
        "tool_input": {"command": command},
    }


def _answer(reply: HookReply) -> str:
    try:
        said = json.loads(reply.stdout)
    except ValueError:
        return ""
    if reply.exit != 0 or not isinstance(said, dict):
        return ""
    if said.get("decision") == "deny" and said.get("reason"):
        return "deny"
    return "" if said else "allow"


installation = Installation(
    title="Gemini CLI",
    program="gemini",
    least=(0, 61, 0),
    sites=(
        Site(Scope.PROJECT, ".gemini", "settings.json"),
        Site(Scope.USER, "~/.gemini", "settings.json"),
    ),
    guards=(
        Site(Scope.USER, "~/.gemini", "trustedFolders.json"),
        Site(Scope.USER, "~/.gemini", "policies"),
        Site(Scope.USER, "~/.gemini", "extensions"),
    ),
    session_variables=("GEMINI_CLI",),
    form=Form.LISTS,
    lists=_lists,
    unhooks=("--skip-trust",),
    sample=_sample,
    answer=_answer,
    holds=Holds(
        asks=msg("console"),
        subagents=msg("unnamed"),
        crash=msg("stops"),
        timeout=msg("RUNS"),
        unloaded=msg("RUNS"),
        holes=(
            msg(
                "With `--skip-trust`, or in a folder that Gemini does not trust, the hooks of a project do "
                "not run; `ringwall init gemini --scope user` registers where they always do."
            ),
            msg("A hook that hangs for {seconds} seconds lets the call run.", seconds=DECIDING_TIMEOUT),
        ),
    ),
)
