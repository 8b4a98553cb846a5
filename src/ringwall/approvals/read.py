"""Proposals as they stand. Invariant: reading changes nothing; what is past its time is shown as such."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import sqlalchemy as sa

from ringwall.approvals.faults import no_such
from ringwall.approvals.proposal import Channel, Proposal, State
from ringwall.store.schema import proposals

_LIVE = (State.PENDING.value, State.APPROVED.value)


def pending(
    connection: sa.Connection, now: int, after: int = 0, count: int | None = None
) -> Iterator[Proposal]:
    """Those that wait for a person, oldest first: all, or the next `count` after a number."""
    query = sa.select(proposals).where(_waiting(now), proposals.c.number > after)
    for row in connection.execute(query.order_by(proposals.c.number).limit(count)):
        yield proposal_of(row)


def tally(connection: sa.Connection, now: int) -> tuple[int, int, int]:
    """How many wait, the newest number of all proposals, and the sum of those that wait: another answer
    when something was asked or decided."""
    newest = sa.select(sa.func.max(proposals.c.number)).scalar_subquery()
    live = sa.and_(
        proposals.c.state == State.PENDING.value, proposals.c.expires + 0 > now
    )  # one index has all
    waiting = sa.select(sa.func.count(), newest, sa.func.sum(proposals.c.number)).where(live)
    count, highest, total = connection.execute(waiting.select_from(proposals)).one()
    return count, highest or 0, total or 0


def of_decision(connection: sa.Connection, event: str, now: int) -> Proposal | None:
    """The proposal that a decision has opened, if it did."""
    row = connection.execute(sa.select(proposals).where(proposals.c.event == event).limit(1)).first()
    return as_of(proposal_of(row), now) if row is not None else None


def newest(connection: sa.Connection, now: int, count: int) -> Iterator[Proposal]:
    """The last proposals, whatever became of them, newest first."""
    query = sa.select(proposals).order_by(proposals.c.number.desc()).limit(count)
    for row in connection.execute(query):
        yield as_of(proposal_of(row), now)


def one(connection: sa.Connection, number: int, now: int) -> Proposal:
    """The proposal with this number. Raises `UsageError`."""
    row = connection.execute(sa.select(proposals).where(proposals.c.number == number)).first()
    if row is None:
        raise no_such(number)
    return as_of(proposal_of(row), now)


def undecided(connection: sa.Connection, numbers: Sequence[int], now: int) -> frozenset[int]:
    """Which of `numbers` still wait."""
    wanted = sa.and_(
        proposals.c.number.in_(numbers), proposals.c.state == State.PENDING.value, proposals.c.expires > now
    )
    return frozenset(connection.execute(sa.select(proposals.c.number).where(wanted)).scalars())


def latest(connection: sa.Connection, binding: str, now: int) -> Proposal | None:
    """The last proposal about exactly this, as of now."""
    query = sa.select(proposals).where(proposals.c.binding == binding)
    row = connection.execute(query.order_by(proposals.c.number.desc()).limit(1)).first()
    return as_of(proposal_of(row), now) if row is not None else None


def overdue(connection: sa.Connection, now: int) -> Iterator[Proposal]:
    """Live ones whose time is over."""
    late = sa.and_(proposals.c.state.in_(_LIVE), proposals.c.expires <= now)
    for row in connection.execute(sa.select(proposals).where(late).order_by(proposals.c.number)).all():
        yield proposal_of(row)


def superseded(connection: sa.Connection, action: str, binding: str, session: str) -> Iterator[Proposal]:
    """Live ones of this session about the same words, which now mean something else."""
    same = sa.and_(
        proposals.c.state.in_(_LIVE),
        proposals.c.action == action,
        proposals.c.session == session,
        proposals.c.binding != binding,
    )
    for row in connection.execute(sa.select(proposals).where(same).order_by(proposals.c.number)).all():
        yield proposal_of(row)


def _waiting(now: int) -> sa.ColumnElement[bool]:
    return sa.and_(proposals.c.state == State.PENDING.value, proposals.c.expires > now)


def as_of(proposal: Proposal, now: int) -> Proposal:
    if proposal.state.live and proposal.expires <= now:
        return replace(proposal, state=State.EXPIRED)
    return proposal


def proposal_of(row: sa.Row[Any]) -> Proposal:
    values = dict(row._mapping)
    return Proposal(
        **{
            **values,
            "state": State(values["state"]),
            "channel": Channel(values["channel"]),
            "content": msgspec.json.decode(values["content"]),
        }
    )
