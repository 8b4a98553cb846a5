"""Escapes from the floor: a person lifts it for one act, once.

Invariant: an escape holds for exactly one action digest, ends by itself, is used in the transaction that
journals the decision it was used for, and is gone then.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from ringwall.approvals import faults
from ringwall.approvals.write import AGENT
from ringwall.journal.events import EscapeIssued, EscapeRevoked, EscapeUsed
from ringwall.journal.write import Entry
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.store.schema import escapes

LASTS_SECONDS = 600
"""How long an escape waits for its act, unless the person says otherwise."""


@dataclass(frozen=True, slots=True)
class Escape:
    """`action` is the digest of the one act; times are Unix seconds."""

    number: int
    action: str
    because: str
    issued_by: str
    opened: int
    expires: int
    event: str


def issue(entry: Entry, action: str, because: str, by: str, now: int, lasts: int = LASTS_SECONDS) -> Escape:
    """Lift the floor for the act with this digest; an earlier escape for it counts no longer. Raises
    `UsageError` for an agent, and without a reason."""
    if by.startswith(AGENT):
        raise faults.own(by)
    if not because.strip():
        raise UsageError(
            "escape.no_reason",
            msg("An escape says why; it stands in the journal."),
            msg('Add --because "…".'),
            "--because",
        )
    number = (entry.connection.execute(sa.select(sa.func.max(escapes.c.number))).scalar() or 0) + 1
    issued = EscapeIssued(number=number, action=action, because=because, expires=now + lasts)
    event = entry.append(issued, by)
    escape = Escape(number, action, because, by, now, now + lasts, event)
    entry.connection.execute(sa.delete(escapes).where(escapes.c.action == action))
    values = {name: getattr(escape, name) for name in Escape.__dataclass_fields__}
    entry.connection.execute(sa.insert(escapes).values(**values))
    return escape


def revoke(entry: Entry, number: int, by: str) -> Escape:
    """Take an escape back that nobody has used."""
    row = entry.connection.execute(sa.select(escapes).where(escapes.c.number == number)).first()
    if row is None:
        raise UsageError(
            "escape.no_such",
            msg("There is no escape {number} that could be taken back.", number=number),
            msg("See `ringwall escape` for those that there are."),
        )
    escape = Escape(**row._mapping)
    entry.append(EscapeRevoked(number=number, action=escape.action), by)
    entry.connection.execute(sa.delete(escapes).where(escapes.c.number == number))
    return escape


def live(connection: sa.Connection, now: int) -> tuple[Escape, ...]:
    """Those that can be used now, oldest first."""
    query = sa.select(escapes).where(escapes.c.expires > now).order_by(escapes.c.number)
    return tuple(Escape(**row._mapping) for row in connection.execute(query))


def holds(connection: sa.Connection, action: str, now: int) -> bool:
    """Whether there is one for the act with this digest."""
    wanted = sa.and_(escapes.c.action == action, escapes.c.expires > now)
    return connection.execute(sa.select(escapes.c.number).where(wanted)).first() is not None


def use(entry: Entry, action: str, decision: str, actor: str) -> None:
    """The act happens now, by the decision with this event's id; the escape is gone."""
    number = entry.connection.execute(sa.select(escapes.c.number).where(escapes.c.action == action)).scalar()
    if number is None:
        raise faults.no_such(0)
    entry.append(EscapeUsed(number=number, action=action, decision=decision), actor)
    entry.connection.execute(sa.delete(escapes).where(escapes.c.number == number))
