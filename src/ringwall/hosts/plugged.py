"""The dialect of Ringwall's own plug-ins, for hosts whose hooks are functions in their process.

Invariant: a plug-in forwards what its host tells it and does what it is answered; it takes anything but
`{"verdict": "allow"}` (or `{}`, which is answered only while a person has switched Ringwall off) for a
denial, so that no failure on the way opens.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from ringwall.hosts.payload import check_folder, check_session, check_tool, read_fields, unknown_event
from ringwall.hosts.protocol import BLOCK, HookReply, HostEvent, Moment, Registration
from ringwall.hosts.wording import failed, hints, no_verdict, printed, reason
from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision
from ringwall.model.errors import RingwallError
from ringwall.model.step import Lineage, Message, Step
from ringwall.model.text import Text
from ringwall.model.verdict import Verdict

LOADED = "loaded"
"""The event by which a plug-in says that its host has loaded it."""

REGISTRATIONS: tuple[Registration, ...] = (
    Registration("before_call", Moment.BEFORE_CALL, decides=True),
    Registration("after_call", Moment.AFTER_CALL),
    Registration("call_failed", Moment.CALL_FAILED),
    Registration("session_start", Moment.SESSION_START),
    Registration("session_end", Moment.SESSION_END),
    Registration("step", Moment.STEP),
    Registration("compact", Moment.COMPACT),
    Registration(LOADED, Moment.OTHER),
)
"""What the plug-ins forward; not every host has every moment."""

_MOMENTS = {row.event: row.moment for row in REGISTRATIONS}
_WITH_CALL = frozenset({Moment.BEFORE_CALL, Moment.AFTER_CALL, Moment.CALL_FAILED})
_BEFORE_STEPS = frozenset({Moment.SESSION_START, Moment.STEP})


class _Message(msgspec.Struct, frozen=True):
    kind: str
    text: str


class _Lineage(msgspec.Struct, frozen=True, rename="camel"):
    origin: str = ""
    delegation_depth: int = 0
    subagent_depth: int = 0
    parent_session: str = ""


class Fields(msgspec.Struct, frozen=True):
    """What a plug-in forwards. `parent` is the session that started this one; `lineage` is told by a host
    that has forks as well as subagents; `messages` and `surface` are those of a step (model/step.py)."""

    event: str
    session: str
    cwd: str
    tool: str | None = None
    input: dict[str, Any] | None = None
    call: str = ""
    agent: str = ""
    parent: str = ""
    depth: int = 0
    messages: list[_Message] = []
    surface: list[str] = []
    emptied: bool = False
    switches: dict[str, bool] = {}
    lineage: _Lineage | None = None


Named = Callable[[str], tuple[str, str]]
"""A tool's name in its host → its MCP server (or nothing) and its own name."""


def itself(tool: str) -> tuple[str, str]:
    return "", tool


@dataclass(frozen=True, slots=True)
class Dialect:
    """One host behind a plug-in. `named` takes MCP tools' names apart; `below` is the field by which a call
    of `bash` names another directory."""

    host: str
    named: Named = itself
    below: str = ""

    def parse(self, payload: bytes) -> HostEvent:
        """The event in `payload`. Raises `PayloadError` for anything that is not certain."""
        raw, fields = read_fields(payload, Fields)
        check_session(fields.session)
        check_folder(fields.cwd)
        if fields.event not in _MOMENTS:
            unknown_event(fields.event)
        moment = _MOMENTS[fields.event]
        call = self._call(fields) if moment in _WITH_CALL else None
        step = _step(fields) if moment in _BEFORE_STEPS else None
        return HostEvent(fields.event, moment, call, fields.session, fields.cwd, raw, step)

    def reply(self, event: HostEvent, decision: Decision | None, notice: Text | None = None) -> HookReply:
        """What the plug-in is answered. With no decision for a call that waits for one, the call stops."""
        if not event.moment.decides:
            speaks = notice is not None and event.moment in _BEFORE_STEPS
            return printed({"context": hints(notice)} if speaks and notice else {})
        if decision is None:
            return no_verdict()
        if decision.verdict is Verdict.ALLOW:
            return printed({"verdict": "allow"})
        return printed({"verdict": "deny", "reason": reason(decision, notice)})

    def asks(self, event: HostEvent, environ: Mapping[str, str]) -> bool:
        """Never: a plug-in's call waits for a person in Ringwall."""
        return False

    def failure(self, event: HostEvent | None, error: RingwallError) -> HookReply:
        """What is said when there is no verdict."""
        return failed(event is None or event.moment.decides, error)

    def sample(self, command: str, cwd: str) -> Mapping[str, Any]:
        """A payload as the plug-in would send it."""
        call = {"tool": "bash", "input": {"command": command}, "call": "ringwall-doctor"}
        return {"event": "before_call", "session": "ringwall-doctor", "cwd": cwd, **call}

    def _call(self, fields: Fields) -> ToolCall:
        tool, given = check_tool(fields.tool, fields.input)
        server, tool = self.named(tool)
        below = given.get(self.below) if self.below and tool == "bash" else None
        return ToolCall(
            host=self.host,
            tool=tool,
            input=given,
            cwd=check_folder(fields.cwd, below),
            session=fields.session,
            agent=fields.agent,
            depth=max(fields.depth, 1 if fields.agent else 0),
            call_id=fields.call,
            server=server,
        )


def answer(reply: HookReply) -> str:
    """The verdict in a reply, as the plug-in reads it."""
    if reply.exit == BLOCK or reply.exit != 0:
        return ""
    try:
        said = json.loads(reply.stdout)
    except ValueError:
        return ""
    return str(said.get("verdict", "")) if isinstance(said, dict) else ""


def _step(fields: Fields) -> Step:
    return Step(
        lineage=_lineage(fields),
        messages=tuple(Message(each.kind, each.text) for each in fields.messages),
        surface=tuple(fields.surface),
        emptied=fields.emptied,
        switches=tuple(fields.switches.items()),
    )


def _lineage(fields: Fields) -> Lineage:
    told = fields.lineage
    if told is None:
        return Lineage("subagent" if fields.agent else "", fields.depth, parent=fields.parent)
    return Lineage(told.origin, told.delegation_depth, told.subagent_depth, told.parent_session)
