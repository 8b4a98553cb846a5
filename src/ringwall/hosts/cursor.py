"""Cursor: hook payloads in, hook replies out, as its documentation has them (see docs/hosts/cursor.md).

Invariants: this host could not be run here, so a denial is said in both ways that its documentation names,
the answer and exit status 2; `ask` is never said, because for `preToolUse` it is not documented to stop.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec

from ringwall.hosts.hook_events import BEFORE_STEPS, WITH_CALL, moment_of
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
from ringwall.hosts.payload import check_folder, check_session, check_tool, read_fields, refuse
from ringwall.hosts.protocol import BLOCK, HookReply, HostEvent, Moment, Registration
from ringwall.hosts.wording import failed, hints, line, no_verdict, printed, reason
from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision
from ringwall.model.errors import RingwallError
from ringwall.model.step import USER, Message, Step
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict

name = "cursor"
"""The word for this host on the command line, in tool calls and in the journal."""

can_ask = False

registrations: tuple[Registration, ...] = (
    Registration("preToolUse", Moment.BEFORE_CALL, decides=True),
    Registration("postToolUse", Moment.AFTER_CALL),
    Registration("postToolUseFailure", Moment.CALL_FAILED),
    Registration("beforeSubmitPrompt", Moment.PROMPT),
    Registration("sessionStart", Moment.SESSION_START),
    Registration("sessionEnd", Moment.SESSION_END),
    Registration("subagentStart", Moment.AGENT_START),
    Registration("subagentStop", Moment.AGENT_STOP),
    Registration("preCompact", Moment.COMPACT),
    Registration("stop", Moment.STOP),
)

_UNREGISTERED = frozenset(
    {
        "beforeShellExecution", "afterShellExecution", "beforeMCPExecution", "afterMCPExecution",
        "beforeReadFile", "afterFileEdit", "afterAgentResponse", "afterAgentThought",
    }
)  # fmt: skip
_MCP = "MCP:"


class _Fields(msgspec.Struct, frozen=True):
    hook_event_name: str
    conversation_id: str
    workspace_roots: list[str] = []
    cwd: str | None = None
    tool_name: str | None = None
    tool_input: dict[str, Any] | None = None
    tool_use_id: str | None = None
    transcript_path: str | None = None
    prompt: str | None = None


def parse(payload: bytes) -> HostEvent:
    """The event in `payload`. Raises `PayloadError` for anything that is not certain."""
    raw, fields = read_fields(payload, _Fields)
    session = check_session(fields.conversation_id)
    folder = fields.cwd or next(iter(fields.workspace_roots), "")
    if not folder:
        refuse("payload.field", msg("The working directory in the payload is not absolute."))
    check_folder(folder)
    moment = moment_of(fields.hook_event_name, registrations, _UNREGISTERED)
    call = _call(fields, folder) if moment in WITH_CALL else None
    step = _step(fields) if moment in BEFORE_STEPS else None
    return HostEvent(fields.hook_event_name, moment, call, session, folder, raw, step)


def reply(event: HostEvent, decision: Decision | None, notice: Text | None = None) -> HookReply:
    """The reply that this host honours. With no decision for a call that waits for one, the call stops."""
    if not event.moment.decides:
        speaks = notice is not None and event.event == "sessionStart"
        return printed({"additional_context": hints(notice)} if speaks and notice else {})
    if decision is None:
        return no_verdict()
    if decision.verdict is Verdict.ALLOW:
        return printed({})
    told = reason(decision, notice)
    denial = printed({"permission": "deny", "user_message": told, "agent_message": told})
    return replace(denial, stderr=line(msg("{told}", told=told)), exit=BLOCK)


def asks(event: HostEvent, environ: Mapping[str, str]) -> bool:
    """Never: `ask` is no answer here."""
    return False


def failure(event: HostEvent | None, error: RingwallError) -> HookReply:
    """What is said when there is no verdict."""
    return failed(event is None or event.moment.decides, error)


def _call(fields: _Fields, folder: str) -> ToolCall:
    tool, given = check_tool(fields.tool_name, fields.tool_input)
    return ToolCall(
        host=name,
        tool=tool.removeprefix(_MCP),
        input=given,
        cwd=check_folder(folder, given.get("working_directory")),
        session=fields.conversation_id,
        call_id=fields.tool_use_id or "",
        server="cursor" if tool.startswith(_MCP) else "",  # the payload does not name the server
    )


def _step(fields: _Fields) -> Step:
    messages = (Message(USER, fields.prompt),) if fields.prompt is not None else ()
    return Step(messages=messages, transcript=fields.transcript_path or "")


# ---- what setup writes


def _lists(planned: Planned) -> Mapping[tuple[str, ...], Any]:
    return {("hooks", row.event): _handler(row, planned) for row in registrations}


def _handler(row: Registration, planned: Planned) -> dict[str, Any]:
    command = planned.command(*(() if row.decides else ("--notify",)), name)
    if not row.decides:
        return {"command": command, "timeout": NOTIFYING_TIMEOUT}
    return {"command": closed(command), "timeout": DECIDING_TIMEOUT, "failClosed": True}


def _sample(command: str, cwd: str) -> Mapping[str, Any]:
    return {
        "hook_event_name": "preToolUse",
        "conversation_id": "ringwall-doctor",
        "generation_id": "ringwall-doctor",
        "model": "doctor",
        "workspace_roots": [cwd],
        "cwd": cwd,
        "tool_name": "Shell",
        "tool_input": {"command": command},
        "tool_use_id": "ringwall-doctor",
    }


def _answer(reply: HookReply) -> str:
    try:
        said = json.loads(reply.stdout)
    except ValueError:
        return ""
    if reply.exit == BLOCK:
        return "deny" if said.get("permission") == "deny" else ""
    return "allow" if reply.exit == 0 and said == {} else ""


installation = Installation(
    title="Cursor",
    program="cursor-agent",
    least=(0,),
    sites=(
        Site(Scope.PROJECT, ".cursor", "hooks.json"),
        Site(Scope.USER, "~/.cursor", "hooks.json"),
    ),
    session_variables=("CURSOR_AGENT",),
    form=Form.LISTS,
    seed='{\n  "version": 1\n}\n',
    lists=_lists,
    sample=_sample,
    answer=_answer,
    holds=Holds(
        asks=msg("console"),
        subagents=msg("?"),
        crash=msg("stops?"),
        timeout=msg("stops?"),
        unloaded=msg("?"),
        holes=(msg("Cursor could not be run in tests; what is said of it comes from its documentation."),),
    ),
)
