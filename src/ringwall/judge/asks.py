"""What a person has said about a call that needs one, and the question where nobody has said anything.

Invariant: a call that needs a person passes only on an approval of exactly this call, which is consumed in
the transaction that journals the decision. Everything else asks, or answers with the person's no.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ringwall.approvals import calls, read, write
from ringwall.approvals.binding import Binding
from ringwall.approvals.proposal import REJECTED_SECONDS, Channel, Proposal, Question, State
from ringwall.gate.trace import as_json
from ringwall.hosts.protocol import HostEvent, Moment
from ringwall.journal.write import Entry
from ringwall.judge import telling
from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision, Opinion
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict

STAGE = "approvals"
BY_PROMPT = "person at the host's prompt"
_RAN = (Moment.AFTER_CALL, Moment.CALL_FAILED)


@dataclass(frozen=True, slots=True)
class Asking:
    """A call that needs a person: what was decided, what an answer holds for, and where to ask."""

    call: ToolCall
    decision: Decision
    binding: Binding
    channel: Channel
    project: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The decision with the person's word in it, and the proposal that the word is about."""

    decision: Decision
    proposal: Proposal


def answer(entry: Entry, asking: Asking, tell: Callable[[Decision], str], now: int) -> Answer:
    """Find the person's word or ask for it. `tell` journals the decision and gives the event's id."""
    write.expire_overdue(entry, now)
    _end_superseded(entry, asking)
    actor = telling.actor(asking.call.host, asking.call.agent)
    last = read.latest(entry.connection, asking.binding.digest, now)
    if last is not None and last.state is State.APPROVED:
        decision = _with(asking.decision, Verdict.ALLOW, "consumed", _approved(last))
        return Answer(decision, write.consume(entry, last, tell(decision), actor))
    if last is not None and _still_rejected(last, asking.call.session, now):
        decision = _with(asking.decision, Verdict.DENY, "rejected", _rejected(last))
        tell(decision)
        return Answer(decision, last)
    event = tell(asking.decision)
    if last is None or last.state is not State.PENDING:
        last = write.open_proposal(entry, _question(asking, actor), event, now)
    elif last.channel is not asking.channel:
        write.listen_elsewhere(entry, last, asking.channel)
    if asking.channel is Channel.HOST:
        call = asking.call
        calls.listen(entry, call.host, call.session, call.call_id, event, last)
    return Answer(asking.decision, last)


def undecided(decision: Decision, proposal: Proposal) -> Decision:
    """The stop of a call about which nobody has decided yet, and how to go on."""
    reason = msg("nobody has decided yet; it is proposal {number}", number=proposal.number)
    advice = msg(
        "Go on with other work and try exactly this again later, or end your turn and tell the person:"
        " `ringwall approve {number}`, in a terminal outside the agent. Do not look for another way.",
        number=proposal.number,
    )
    why = msg("{why}; {reason}.", why=decision.deciding.reason, reason=reason)
    return _with(decision, Verdict.DENY, "pending", why, advice)


def settle(entry: Entry, host: str, event: HostEvent, now: int) -> None:
    """Write what this moment shows about questions that the host's own prompt put."""
    if event.moment in _RAN and event.call is not None and event.call.call_id:
        for asked in calls.take(entry, host, event.session, event.call.call_id):
            _ran(entry, asked, telling.actor(host, event.call.agent), now)
    elif event.moment is Moment.SESSION_END:
        for asked in calls.take(entry, host, event.session):
            proposal = read.one(entry.connection, asked.proposal, now)
            if proposal.state is State.PENDING and proposal.channel is Channel.HOST:
                write.withdraw(entry, proposal, "the session ended, and the call had not run")


def _ran(entry: Entry, asked: calls.Asked, actor: str, now: int) -> None:
    """The call ran, so the person has said yes at the prompt; a second call of the same words had a question
    of its own there."""
    proposal = read.one(entry.connection, asked.proposal, now)
    if not proposal.state.live:
        newer = read.latest(entry.connection, proposal.binding, now)
        live = newer is not None and newer.state.live
        proposal = newer if newer and live else write.open_proposal(entry, _same(proposal), asked.event, now)
    if proposal.state is State.PENDING:
        proposal = write.approve(entry, proposal.number, proposal.binding, BY_PROMPT, now)
    write.consume(entry, proposal, asked.event, actor)


def _end_superseded(entry: Entry, asking: Asking) -> None:
    """The same words mean something else now: a script, a program, the commits or the policy has changed."""
    binding = asking.binding
    for proposal in read.superseded(entry.connection, binding.action, binding.digest, asking.call.session):
        why = "what it was about has changed: " + ", ".join(_changed(proposal, binding))
        if proposal.state is State.APPROVED:
            write.invalidate(entry, proposal, why)
        else:
            write.withdraw(entry, proposal, why)


def _changed(proposal: Proposal, binding: Binding) -> list[str]:
    before, now = proposal.content.get("bound", {}), _bound(binding)
    return [name for name in now if before.get(name) != now[name]] or ["the plan"]


def _still_rejected(proposal: Proposal, session: str, now: int) -> bool:
    recent = proposal.decided + REJECTED_SECONDS > now
    return proposal.state is State.REJECTED and proposal.session == session and recent


def _question(asking: Asking, actor: str) -> Question:
    call, action = asking.call, asking.decision.analysis.action
    content = {
        "tool": action.tool,
        "call_tool": call.tool,
        "server": call.server,
        "input": dict(call.input),
        "cwd": call.cwd,
        "mode": call.mode,
        "trace": as_json(asking.decision),
        "bound": _bound(asking.binding),
    }
    return Question(
        binding=asking.binding.digest,
        action=action.digest,
        requester=actor,
        content=content,
        channel=asking.channel,
        host=call.host,
        session=call.session,
        agent=call.agent,
        plan=asking.binding.plan,
        step=asking.binding.step,
        project=asking.project,
    )


def _bound(binding: Binding) -> dict[str, Any]:
    return {
        "policy": binding.policy,
        "files": [list(file) for file in binding.files],
        "programs": [list(program) for program in binding.programs],
        "commits": binding.commits,
    }


def _same(proposal: Proposal) -> Question:
    names = Question.__dataclass_fields__
    return Question(**{name: getattr(proposal, name) for name in names})


def _with(
    decision: Decision, verdict: Verdict, code: str, reason: Text, advice: Text | None = None
) -> Decision:
    return decision.then(Opinion(STAGE, verdict, f"{STAGE}.{code}", reason, advice=advice, binding=True))


def _approved(proposal: Proposal) -> Text:
    return msg(
        "{who} approved exactly this, once (proposal {number})",
        who=proposal.decided_by, number=proposal.number,
    )  # fmt: skip


def _rejected(proposal: Proposal) -> Text:
    return msg(
        "{who} rejected this (proposal {number}): {because}",
        who=proposal.decided_by, number=proposal.number, because=proposal.because,
    )  # fmt: skip
