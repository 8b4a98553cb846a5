"""What the journal is told of the harvest. Invariant: a decision is told once, however often it is made again
after a crash."""

from __future__ import annotations

import sqlalchemy as sa

from ringwall.harvest.model import Key, Status
from ringwall.journal.events import CandidateDecided, Event, LedgerMoved
from ringwall.journal.write import Journal
from ringwall.store.schema import events


def decided(journal: Journal, key: Key, candidate: str, status: Status, by: str, reason: str) -> None:
    """A candidate has this status from now on; it has each status at most once."""
    event = CandidateDecided(key=str(key), candidate=candidate, status=status.value, by=by, reason=reason)
    _once(journal, event, by, f"{candidate}:{status.value}")


def moved(journal: Journal, before: str, after: str, by: str) -> None:
    """The ledgers of one project key are under another."""
    _once(journal, LedgerMoved(before=before, after=after, by=by), by, f"{before}:{after}")


def _once(journal: Journal, event: Event, by: str, subject: str) -> None:
    told = sa.select(events.c.id).where(events.c.type == event.TYPE, events.c.subject == subject)
    with journal.writing() as entry:
        if entry.connection.execute(told).first() is None:
            entry.append(event, by, subject)
