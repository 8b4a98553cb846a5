"""What the journal is told about a call or another moment.

Invariant: made from what was judged, not judged again; redaction is the journal's.
"""

from __future__ import annotations

from ringwall.gate.trace import as_json
from ringwall.hosts.protocol import HostEvent, Moment
from ringwall.journal.events import Decided, HostReported, Undecided, Unjudged
from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision
from ringwall.model.errors import RingwallError

_DETAIL = ("source", "reason", "trigger", "prompt", "agent_type", "error", "stop_hook_active")
"""Fields of a host's payload that say something about a moment and are short enough to keep."""


def actor(host: str, agent: str) -> str:
    """Who acts, in the journal's words."""
    return f"agent:{host}/{agent}" if agent else f"agent:{host}"


def decided(call: ToolCall, moment: Moment, decision: Decision) -> Decided:
    analysis = decision.analysis
    return Decided(
        host=call.host,
        tool=analysis.action.tool,
        input=dict(call.input),
        action=analysis.action.digest,
        verdict=decision.verdict.value,
        trace=as_json(decision),
        policy=decision.policy_digest,
        cwd=call.cwd,
        session=call.session,
        agent=call.agent,
        agent_type=call.agent_type,
        mode=call.mode,
        call_id=call.call_id,
        moment=moment.value,
        files=tuple((file.path, file.digest) for file in analysis.files),
    )


def unjudged(call: ToolCall, pause: str) -> Unjudged:
    return Unjudged(
        host=call.host,
        tool=call.tool,
        input=dict(call.input),
        pause=pause,
        cwd=call.cwd,
        session=call.session,
        call_id=call.call_id,
    )


def undecided(host: str, event: HostEvent | None, error: RingwallError) -> Undecided:
    session, name = (event.session, event.event) if event else ("", "")
    return Undecided(host=host, code=error.code, what=str(error), session=session, event=name)


def reported(host: str, event: HostEvent) -> HostReported:
    call = event.call
    return HostReported(
        host=host,
        event=event.event,
        moment=event.moment.value,
        session=event.session,
        cwd=event.cwd,
        tool=call.tool if call else "",
        call_id=call.call_id if call else "",
        agent=call.agent if call else str(event.raw.get("agent_id") or ""),
        detail={name: event.raw[name] for name in _DETAIL if name in event.raw},
    )
