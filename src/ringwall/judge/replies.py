"""What the host is told about a case, once it is recorded or could not be.

Invariant: whatever fails here ends in a reply that stops the call; no failure opens (docs/adr/0010).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from ringwall.approvals.proposal import Channel
from ringwall.hosts.protocol import BLOCK, Dialect, HookReply, HostEvent, Moment
from ringwall.judge import asks
from ringwall.judge.case import Asked, Case
from ringwall.judge.failures import unforeseen
from ringwall.judge.hints import told
from ringwall.judge.policies import InForce
from ringwall.judge.standing import Pause
from ringwall.judge.verdict import only_observes
from ringwall.judge.waiting import Waiting
from ringwall.model.errors import RingwallError, StateError
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict
from ringwall.policy.model import LayerName

STEP_ASIDE = HookReply(b"{}")
"""No opinion: the host goes on as if Ringwall were not there. Only while a person has switched it off, and
not for what would change Ringwall itself (docs/policy.md)."""


def reply(case: Case, fault: StateError | None) -> HookReply | Waiting:
    host, event, error = case.host, case.event, case.error or fault
    if host is None:
        return _stopped(error or unforeseen(ValueError("no host")))
    try:
        if event is None or case.error is not None:
            return host.failure(event, error or unforeseen(ValueError("no event")))
        if not event.moment.decides:
            return host.failure(event, fault) if fault else host.reply(event, None, _told(case))
        if fault is not None and (case.decision is None or not only_observes(case.decision)):
            return host.failure(event, fault)
        if case.pause is not None and case.decision is None:
            return STEP_ASIDE
        if fault is None and case.asking is not None:
            return _asked(case, case.asking, host, event)
        return host.reply(event, case.decision, case.line)
    except Exception as error:
        return _stopped(unforeseen(error))


def _asked(case: Case, asking: asks.Asking, host: Dialect, event: HostEvent) -> HookReply | Waiting:
    """The reply to a call that needs a person. Without an answer there is no verdict."""
    answer = case.answer
    if answer is None or answer.decision.verdict is not Verdict.ASK:
        return host.reply(event, answer.decision if answer else None)
    if asking.channel is Channel.HOST:
        number = msg("(proposal {number})", number=answer.proposal.number)
        return host.reply(event, answer.decision, number)
    stop = host.reply(event, asks.undecided(answer.decision, answer.proposal))
    seconds = case.in_force.loaded.policy.approvals.wait if case.in_force else 0
    return stop if case.asked.waited or not seconds else Waiting(answer.proposal.number, seconds, stop)


def bounded(asked: Asked, reply: HookReply | Waiting) -> HookReply | Waiting:
    """Where no call waits, a reply never blocks the host."""
    if isinstance(reply, Waiting):
        return reply.otherwise if asked.notify else reply
    return replace(reply, exit=1) if asked.notify and reply.exit == BLOCK else reply


def _told(case: Case) -> Text | None:
    """The opening notice where a session starts, where its plan stands, and the hints for its next step."""
    opens = case.event is not None and case.event.moment is Moment.SESSION_START
    line = (str(case.line),) if case.line is not None else ()
    return told(notice(case.pause, case.in_force) if opens else None, (*line, *case.hints))


def notice(pause: Pause | None, in_force: InForce | None) -> Text | None:
    """What a session should know from its start."""
    if pause is not None:
        until = datetime.fromtimestamp(pause.ends, UTC)
        return msg(
            "Ringwall is switched off until {until} and lets tool calls through, except what would change "
            "Ringwall itself.",
            until=until.isoformat(timespec="seconds"),
        )
    if in_force is None:
        return None
    preset = in_force.loaded.policy.preset
    more = _policy_notice(in_force)
    if more is None:
        return msg("Ringwall is on: it judges each tool call by the preset {preset}.", preset=preset)
    return msg(
        "Ringwall is on: it judges each tool call by the preset {preset}; {more}", preset=preset, more=more
    )


def _policy_notice(in_force: InForce) -> Text | None:
    """What of the policy does not count, and why."""
    if in_force.problems:
        problem = in_force.problems[0]
        return msg("a policy file is not valid, the last good one is in force. {problem}", problem=problem)
    project = in_force.loaded.policy.layer(LayerName.PROJECT)
    if project is None or project.trusted:
        return None
    if project.dropped:
        return msg(
            "the project's policy files are not trusted: what they loosen does not count until a person runs "
            "`ringwall trust` (lines: {count}).",
            count=len(project.dropped),
        )
    return msg("the project's policy files are not trusted, so they only tighten.")


def _stopped(error: RingwallError) -> HookReply:
    return HookReply(b"", f"{error}\n".encode("utf-8", "backslashreplace"), BLOCK)
