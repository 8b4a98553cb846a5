"""What Ringwall's own gateways say to the judge and hear from it: for hosts that have no hooks.

Invariant: only a reply that says `allow` in so many words lets a call go on; a gateway takes anything else,
and nothing at all, for a denial.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from ringwall.hosts.payload import check_folder, check_session, check_tool, read_object, refuse, unknown_event
from ringwall.hosts.protocol import BLOCK, HookReply, HostEvent, Moment, Registration
from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision
from ringwall.model.errors import RingwallError
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict
from ringwall.model.visible import visible

_MOMENTS = {
    moment.value: moment
    for moment in (Moment.BEFORE_CALL, Moment.AFTER_CALL, Moment.CALL_FAILED, Moment.SESSION_END)
}
_WITH_CALL = frozenset({Moment.BEFORE_CALL, Moment.AFTER_CALL, Moment.CALL_FAILED})


class _Payload(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    event: str
    session: str
    cwd: str
    tool: str | None = None
    input: dict[str, Any] | None = None
    server: str = ""
    call: str = ""
    client: str = ""


@dataclass(frozen=True, slots=True)
class Gateway:
    """One gateway as a host. `can_ask`: a person sits at the client, and the client has a prompt."""

    name: str
    can_ask: bool
    registrations: tuple[Registration, ...] = ()

    def parse(self, payload: bytes) -> HostEvent:
        """The event in `payload`. Raises `PayloadError` for anything that is not certain."""
        raw = read_object(payload)
        try:
            fields = msgspec.convert(raw, _Payload)
        except msgspec.ValidationError as error:
            refuse("payload.field", msg("The payload is not as agreed: {detail}.", detail=error))
        moment = _MOMENTS.get(fields.event)
        if moment is None:
            unknown_event(fields.event)
        session, folder = check_session(fields.session), check_folder(fields.cwd)
        call = None
        if moment in _WITH_CALL:
            tool, given = check_tool(fields.tool, fields.input)
            call = ToolCall(
                self.name, tool, given, cwd=folder, session=session, call_id=fields.call, server=fields.server
            )
        return HostEvent(fields.event, moment, call, session, folder, raw)

    def reply(self, event: HostEvent, decision: Decision | None, notice: Text | None = None) -> HookReply:
        """The verdict with its words; for a call that waits, no decision is a denial."""
        if not event.moment.decides:
            return HookReply(b"{}")
        if decision is None:
            return _stop(msg("Ringwall reached no verdict, so the call is stopped."))
        opinion = decision.deciding
        parts = [opinion.reason, opinion.advice, notice]
        told = " ".join(str(part) for part in parts if part is not None)
        text = _WORDS[decision.verdict].format(told=told, code=opinion.code)
        answer = {"verdict": decision.verdict.value, "reason": visible(text), "code": opinion.code}
        return HookReply(msgspec.json.encode(answer))

    def asks(self, event: HostEvent, environ: Mapping[str, str]) -> bool:
        """The client's prompt, where there is one."""
        return self.can_ask

    def failure(self, event: HostEvent | None, error: RingwallError) -> HookReply:
        """What is said when there is no verdict."""
        if event is None or event.moment.decides:
            return _stop(msg("Ringwall has no verdict, so the call is stopped: {error}", error=error))
        return HookReply(b"{}")


_WORDS = {
    Verdict.ALLOW: "Ringwall allows this: {told} [{code}]",
    Verdict.ASK: "Ringwall leaves this to a person: {told} [{code}]",
    Verdict.DENY: "Ringwall denies this: {told} [{code}]",
}


def _stop(told: Text) -> HookReply:
    return HookReply(b"", visible(str(told)).encode("utf-8", "backslashreplace") + b"\n", BLOCK)


MCP = Gateway("mcp", can_ask=False)
ACP = Gateway("acp", can_ask=True)
