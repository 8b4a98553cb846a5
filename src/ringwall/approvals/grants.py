"""Allow rules that a person has granted out of a question.

Invariant: a grant is as narrow as the rule that was shown, ends by itself, and is read as a rule of its
layer; it lifts no limit, no floor and no denial.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from ringwall.approvals import faults
from ringwall.approvals.write import AGENT
from ringwall.journal.events import RuleGranted, RuleRevoked
from ringwall.journal.write import Entry
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.store.schema import grants


class Scope(StrEnum):
    """How far a yes reaches. `ONCE` is the approval itself and leaves no grant."""

    ONCE = "once"
    STEP = "step"
    SESSION = "session"
    PROJECT = "project"


SECONDS = {Scope.STEP: 12 * 3600, Scope.SESSION: 12 * 3600, Scope.PROJECT: 30 * 24 * 3600}
"""How long a grant holds, unless the person says otherwise."""


@dataclass(frozen=True, slots=True)
class Grant:
    """`session` is empty for a whole project; times are Unix seconds."""

    number: int
    scope: Scope
    rule: str
    project: str
    session: str
    proposal: int
    granted_by: str
    opened: int
    expires: int
    event: str

    def holds(self, project: str, session: str, now: float) -> bool:
        """Whether it counts for a call of this session in this project."""
        return self.expires > now and self.project == project and self.session in ("", session)


def give(
    entry: Entry, scope: Scope, rule: str, project: str, session: str, by: str, now: int,
    *, lasts: int = 0, proposal: int = 0,
) -> Grant:  # fmt: skip
    """Let what `rule` matches pass from now on. Raises `UsageError` where the scope cannot be had."""
    if by.startswith(AGENT):
        raise faults.own(by)
    if scope is Scope.STEP:
        raise UsageError(
            "approvals.no_step",
            msg("A step of a plan is done once, so a yes to it is a yes once."),
            msg("Choose once, session or project."),
            "--scope",
        )
    if scope is Scope.ONCE or not project or (scope is Scope.SESSION and not session):
        raise UsageError(
            "approvals.no_scope",
            msg("There is nothing that a grant of the scope {scope} could hold for.", scope=scope.value),
            msg("Approve this one call."),
            "--scope",
        )
    highest = entry.connection.execute(sa.select(sa.func.max(grants.c.number))).scalar() or 0
    bound = session if scope is Scope.SESSION else ""
    expires = now + (lasts or SECONDS[scope])
    given = RuleGranted(
        number=highest + 1, rule=rule, scope=scope.value, project=project, expires=expires,
        proposal=proposal, session=bound,
    )  # fmt: skip
    event = entry.append(given, by, bound)
    grant = Grant(highest + 1, scope, rule, project, bound, proposal, by, now, expires, event)
    values = {name: getattr(grant, name) for name in Grant.__dataclass_fields__}
    entry.connection.execute(sa.insert(grants).values({**values, "scope": scope.value}))
    return grant


def revoke(entry: Entry, number: int, by: str) -> Grant:
    """Take a grant back; it counts no longer from the next call on."""
    at = grants.c.number == number
    row = entry.connection.execute(sa.select(grants).where(at)).first()
    if row is None:
        raise UsageError(
            "approvals.no_grant",
            msg("There is no grant {number}.", number=number),
            msg("See `ringwall grants list`."),
        )
    grant = _grant(row)
    entry.append(RuleRevoked(number=number, rule=grant.rule), by, grant.session)
    entry.connection.execute(sa.update(grants).where(at).values(expires=0))
    return grant


def live(connection: sa.Connection, now: int) -> tuple[Grant, ...]:
    """The grants that hold now, oldest first."""
    query = sa.select(grants).where(grants.c.expires > now).order_by(grants.c.number)
    return tuple(map(_grant, connection.execute(query)))


def _grant(row: sa.Row[Any]) -> Grant:
    values = dict(row._mapping)
    return Grant(**{**values, "scope": Scope(values["scope"])})
