"""Moving proposals from state to state.

Invariant: a move and the event that tells of it are one transaction, and it is made only from the state
that `MOVES` allows, so that of two who race one wins. Requester and approver are never the same.
"""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from ringwall.approvals import faults, read
from ringwall.approvals.proposal import (
    APPROVED_SECONDS,
    MOVES,
    PENDING_SECONDS,
    Channel,
    Proposal,
    Question,
    State,
)
from ringwall.journal.events import ProposalConsumed, ProposalDecided, ProposalEnded, ProposalOpened
from ringwall.journal.redact import redact
from ringwall.journal.write import Entry
from ringwall.store.schema import proposals

RINGWALL = "ringwall"
AGENT = "agent:"
"""How the names of those begin that can never decide."""


def open_proposal(entry: Entry, question: Question, decision: str, now: int) -> Proposal:
    """Ask a person. Of one binding only one proposal may be live."""
    highest = entry.connection.execute(sa.select(sa.func.max(proposals.c.number))).scalar() or 0
    proposal = Proposal(
        number=highest + 1,
        state=State.PENDING,
        binding=question.binding,
        action=question.action,
        kind=question.kind,
        requester=question.requester,
        host=question.host,
        session=question.session,
        agent=question.agent,
        channel=question.channel,
        plan=question.plan,
        step=question.step,
        project=question.project,
        opened=now,
        expires=now + PENDING_SECONDS,
        decided_by="",
        because="",
        decided=0,
        event=decision,
        content=question.content,
    )
    opened = ProposalOpened(
        number=proposal.number,
        decision=decision,
        action=proposal.action,
        binding=proposal.binding,
        channel=proposal.channel.value,
        expires=proposal.expires,
        kind=proposal.kind,
        plan=proposal.plan,
        step=proposal.step,
    )
    entry.append(opened, proposal.requester, proposal.session)
    entry.connection.execute(sa.insert(proposals).values(_columns(proposal)))
    return proposal


def approve(
    entry: Entry, number: int, shown: str, by: str, now: int, lasts: int = APPROVED_SECONDS, because: str = ""
) -> Proposal:
    """A person says yes to the proposal whose binding was `shown`. Raises `UsageError` where it is not
    theirs to say, not what was shown, or too late."""
    proposal = _answerable(entry, number, shown, by, now)
    expires = now + lasts
    decided = ProposalDecided(
        number=number, binding=shown, outcome="approved", by=by, because=because, expires=expires
    )
    entry.append(decided, by, proposal.session)
    return _move(
        entry, proposal, State.APPROVED, decided_by=by, because=because, decided=now, expires=expires
    )


def reject(entry: Entry, number: int, shown: str, by: str, now: int, because: str) -> Proposal:
    """A person says no, and why; the agent is told those words when it tries again."""
    if not because.strip():
        raise faults.no_reason()
    proposal = _answerable(entry, number, shown, by, now)
    decided = ProposalDecided(number=number, binding=shown, outcome="rejected", by=by, because=because)
    entry.append(decided, by, proposal.session)
    return _move(entry, proposal, State.REJECTED, decided_by=by, because=because, decided=now)


def take_back(entry: Entry, number: int, by: str, now: int, because: str) -> Proposal:
    """A person takes an approval back that has not been used."""
    proposal = read.one(entry.connection, number, now)
    if by.startswith(AGENT):
        raise faults.own(by)
    if proposal.state is not State.APPROVED:
        raise faults.settled(proposal)
    return invalidate(entry, proposal, f"taken back by {by}: {because}")


def consume(entry: Entry, proposal: Proposal, decision: str, actor: str) -> Proposal:
    """The act happens now, once."""
    used = ProposalConsumed(number=proposal.number, binding=proposal.binding, decision=decision)
    entry.append(used, actor, proposal.session)
    return _move(entry, proposal, State.CONSUMED)


def withdraw(entry: Entry, proposal: Proposal, why: str) -> Proposal:
    """Nobody waits for the answer any more."""
    return _end(entry, proposal, State.WITHDRAWN, why)


def invalidate(entry: Entry, proposal: Proposal, why: str) -> Proposal:
    """What was approved is not what would happen now."""
    return _end(entry, proposal, State.INVALIDATED, why)


def expire_overdue(entry: Entry, now: int) -> None:
    """Settle what time has settled."""
    for proposal in read.overdue(entry.connection, now):
        why = "nobody decided" if proposal.state is State.PENDING else "the approval was not used"
        _end(entry, proposal, State.EXPIRED, why)


def listen_elsewhere(entry: Entry, proposal: Proposal, channel: Channel) -> None:
    """The same question is put on another channel now."""
    at = proposals.c.number == proposal.number
    entry.connection.execute(sa.update(proposals).where(at).values(channel=channel.value))


def _answerable(entry: Entry, number: int, shown: str, by: str, now: int) -> Proposal:
    proposal = read.one(entry.connection, number, now)
    if by == proposal.requester or by.startswith(AGENT):
        raise faults.own(by)
    if proposal.state is not State.PENDING:
        raise faults.settled(proposal)
    if proposal.binding != shown:
        raise faults.stale(proposal)
    return proposal


def _end(entry: Entry, proposal: Proposal, outcome: State, why: str) -> Proposal:
    ended = ProposalEnded(number=proposal.number, outcome=outcome.value, why=why)
    entry.append(ended, RINGWALL, proposal.session)
    return _move(entry, proposal, outcome)


def _move(entry: Entry, proposal: Proposal, to: State, **values: object) -> Proposal:
    """One step of the state machine, from exactly the state that `proposal` was read in."""
    if to not in MOVES[proposal.state]:
        raise faults.settled(proposal)
    changes: dict[str, object] = {**values, "state": to.value}
    if not to.live:
        changes["content"] = _json(redact(dict(proposal.content)))
    at = sa.and_(proposals.c.number == proposal.number, proposals.c.state == proposal.state.value)
    if entry.connection.execute(sa.update(proposals).where(at).values(**changes)).rowcount != 1:
        raise faults.settled(proposal)
    row = entry.connection.execute(sa.select(proposals).where(proposals.c.number == proposal.number)).one()
    return read.proposal_of(row)


def _columns(proposal: Proposal) -> dict[str, object]:
    values: dict[str, object] = {
        name: getattr(proposal, name) for name in Proposal.__dataclass_fields__ if name != "content"
    }
    return {
        **values,
        "state": proposal.state.value,
        "channel": proposal.channel.value,
        "content": _json(proposal.content),
    }


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
