"""Calls about which a host's own prompt asks, until the host reports what became of them.

Invariant: a call is taken out once, in the transaction that settles it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from ringwall.approvals.proposal import Proposal
from ringwall.journal.write import Entry
from ringwall.store.schema import asks


@dataclass(frozen=True, slots=True)
class Asked:
    """A call by the host's words for it, the decision that asked, and the proposal."""

    host: str
    session: str
    call_id: str
    event: str
    proposal: int


def listen(entry: Entry, host: str, session: str, call_id: str, event: str, proposal: Proposal) -> None:
    """Keep a call until the host reports on it. One that the host does not name cannot be kept."""
    if not call_id:
        return
    key = {"host": host, "session": session, "call_id": call_id}
    values = {**key, "event": event, "action": proposal.action, "proposal": proposal.number}
    entry.connection.execute(sa.delete(asks).filter_by(**key))
    entry.connection.execute(sa.insert(asks).values(**values))


def take(entry: Entry, host: str, session: str, call_id: str = "") -> Sequence[Asked]:
    """The kept call, or without a call's name all of a session; they are kept no longer."""
    concerned = sa.and_(asks.c.host == host, asks.c.session == session)
    if call_id:
        concerned = sa.and_(concerned, asks.c.call_id == call_id)
    columns = [asks.c[name] for name in Asked.__dataclass_fields__]
    rows = entry.connection.execute(sa.select(*columns).where(concerned).order_by(asks.c.event)).all()
    if rows:
        entry.connection.execute(sa.delete(asks).where(concerned))
    return [Asked(*row) for row in rows]
