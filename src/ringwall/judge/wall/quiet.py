"""The quiet log: what was called under a plan, for looking back only.

Invariant: every call under a plan has one row, by the event of its decision; nothing here warns, counts
against anybody or changes a verdict.
"""

from __future__ import annotations

from enum import StrEnum

import sqlalchemy as sa

from ringwall.gate.free import is_observe_only, is_query_only
from ringwall.journal.write import Entry
from ringwall.judge.wall.kept import Kept
from ringwall.model.decision import Decision
from ringwall.plan.model import SessionStep
from ringwall.plan.pointer import Match
from ringwall.store.prepared import Prepared, driver
from ringwall.store.schema import quiet


class Kind(StrEnum):
    """What a call was under the plan."""

    LOOK = "look"
    QUERY = "query"
    SESSION = "session"  # a tool of the session under the pointer
    SKILL = "skill"
    STEP = "step"
    OUTPUT = "output"  # a file of a session
    OTHER = "other"


class Outcome(StrEnum):
    OPEN = ""
    DONE = "done"
    FAILED = "failed"
    DENIED = "denied"
    ASKED = "asked"
    UNJUDGED = "unjudged"  # a person had switched judging off


_INSERT = Prepared(
    sa.insert(quiet).values(
        {name: sa.bindparam(name) for name in ("plan", "step", "kind", "call", "event", "began", "outcome")}
        | {"ended": 0}
    )
)
_END = Prepared(
    sa.update(quiet)
    .where(
        quiet.c.plan == sa.bindparam("of"),
        quiet.c.call == sa.bindparam("named"),
        quiet.c.ended == sa.bindparam("open"),
    )
    .values(ended=sa.bindparam("at"), outcome=sa.bindparam("became"))
)


def kind_of(decision: Decision, match: Match | None, kept: Kept) -> Kind:
    """What the call is; of a denied one, what it would have been."""
    step = kept.expected
    if match is not None:
        return Kind.OUTPUT if isinstance(step, SessionStep) else Kind.STEP
    analysis = decision.analysis
    if is_query_only(analysis.action):
        return Kind.QUERY
    if is_observe_only(analysis):
        return Kind.LOOK
    if analysis.action.tool == "Skill":
        return Kind.SKILL
    return Kind.SESSION if isinstance(step, SessionStep) else Kind.OTHER


def begin(
    entry: Entry, kept: Kept, call: str, event: str, kind: Kind, outcome: Outcome, now: int
) -> None:  # fmt: skip
    """Write a call down. `now` is in Unix microseconds."""
    step = kept.expected
    row = {
        "plan": kept.number, "step": step.number if step is not None else 0, "kind": kind.value,
        "call": call, "event": event, "began": now, "outcome": outcome.value, "ended": 0,
    }  # fmt: skip
    _INSERT.run(driver(entry.connection), row)


def end(entry: Entry, number: int, call: str, outcome: Outcome, now: int) -> None:
    """What became of a call."""
    given = {"of": number, "named": call, "at": now, "became": outcome.value, "open": 0}
    _END.run(driver(entry.connection), given)
