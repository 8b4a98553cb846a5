"""Plans that were sealed and of which the journal knows no end.

Invariant: a plan ends by a record of its end, not by what becomes of its row; looking only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import sqlalchemy as sa

from ringwall.journal.events import PlanEnded, PlanSealed
from ringwall.store.schema import events

_LAST_SEAL = sa.func.max(sa.case((events.c.type == PlanSealed.TYPE, events.c.seq), else_=0))
_LAST_END = sa.func.max(sa.case((events.c.type == PlanEnded.TYPE, events.c.seq), else_=0))
_OPEN = (
    sa.select(_LAST_SEAL)
    .where(events.c.stream == PlanSealed.STREAM, events.c.type.in_((PlanSealed.TYPE, PlanEnded.TYPE)))
    .group_by(events.c.subject)
    .having(_LAST_SEAL > _LAST_END)
)
_SEALS = (
    sa.select(events.c.id, events.c.actor, events.c.body)
    .where(events.c.stream == PlanSealed.STREAM, events.c.seq.in_(_OPEN))
    .order_by(events.c.seq)
)


@dataclass(frozen=True, slots=True)
class Unended:
    """What the record of its seal says of a plan."""

    number: int
    plan_id: str
    root: str
    path: str
    file: str
    sealed_by: str
    event: str


def unended(connection: sa.Connection) -> Iterator[Unended]:
    """Every plan that holds by the journal, in the order of the seals."""
    for row in connection.execute(_SEALS):
        body = msgspec.json.decode(row.body)
        yield Unended(
            body["plan"], body["plan_id"], body["root"], body["path"], body["file"], row.actor, row.id
        )
