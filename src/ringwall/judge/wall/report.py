"""What happened under a plan, put together from the quiet log and the journal.

Invariant: looking back only; every number is counted from a record, none is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from ringwall.journal.events import StepCommitted, StepLost, StepReleased, StepReserved
from ringwall.journal.record import Record
from ringwall.judge.wall.kept import STREAM, Kept
from ringwall.judge.wall.quiet import Kind, Outcome
from ringwall.plan.model import AnyStep
from ringwall.store.schema import events, quiet

LONGEST = 160
"""Characters of what a call was about."""

_ABOUT = (
    "file_path", "notebook_path", "command", "url", "query", "pattern", "path", "element", "skill", "text",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Call:
    """One call under the plan. Times are Unix microseconds, `ended` 0 where no end was reported; `step` is
    the number of the step that was under the pointer; `code` and `why` are the decision's."""

    event: str
    step: int
    kind: Kind
    outcome: Outcome
    tool: str
    about: str
    began: int
    ended: int
    code: str = ""
    why: str = ""
    session: str = ""
    agent: str = ""

    @property
    def denied(self) -> bool:
        return self.outcome is Outcome.DENIED


@dataclass(slots=True)
class Span:
    """One step: from when the pointer came to it until it left, 0 where it did not. `tries` are the calls
    that held it, `ran` how long they held it together; `by` is who said that it happened."""

    number: int
    step: AnyStep
    began: int = 0
    ended: int = 0
    tries: int = 0
    ran: int = 0
    by: str = ""
    kept: bool = False  # done under the plan before this one
    released: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    held: int = 0
    closes: bool = True  # whether the call that holds it leaves it

    @property
    def done(self) -> bool:
        return bool(self.ended) or self.kept


@dataclass(frozen=True, slots=True)
class Report:
    """All of it. Times are Unix microseconds; `until` is when the plan ended, or when one looked."""

    plan: Kept
    began: int
    until: int
    spans: tuple[Span, ...]
    calls: tuple[Call, ...]

    @property
    def denied(self) -> list[Call]:
        return [call for call in self.calls if call.denied]

    def of_kind(self, *kinds: Kind) -> list[Call]:
        """The calls of these kinds that were let through."""
        return [call for call in self.calls if call.kind in kinds and not call.denied]


def report_of(connection: sa.Connection, plan: Kept, now: int) -> Report:
    """The report on a plan. `now` is in Unix nanoseconds."""
    records = [*_records(connection, plan)]
    began = _micro(records[0].at) if records else plan.sealed * 1_000_000
    until = plan.ended * 1_000_000 + 999_999 if plan.ended else now // 1_000
    return Report(plan, began, until, tuple(_spans(plan, records, began)), tuple(_calls(connection, plan)))


def _records(connection: sa.Connection, plan: Kept) -> Iterator[Record]:
    query = sa.select(*(events.c[name] for name in Record.__struct_fields__)).where(
        events.c.stream == STREAM, events.c.subject == f"plan {plan.number}"
    )
    for row in connection.execute(query.order_by(events.c.seq)):
        yield Record(*row)


def _spans(plan: Kept, records: Iterable[Record], began: int) -> list[Span]:
    """The steps, filled from the records of the plan. Where records are not what they were, as far as they
    can be read."""
    spans = [Span(step.number, step) for step in plan.steps]
    at = 0
    for record in records:
        try:
            body: Mapping[str, Any] = record.content()
        except msgspec.DecodeError:
            continue
        moment = _micro(record.at)
        if "done" in body and "steps" in body:
            at = min(int(body["done"]), len(spans))
            for span in spans[:at]:
                span.kept = True
        elif 0 <= (step := int(body.get("step", -1))) < len(spans):
            _tell(spans[step], record.type, body, moment)
            if record.type == StepCommitted.TYPE and spans[step].closes:
                at = step + 1
                spans[step].ended = moment
        if at < len(spans) and not spans[at].began:
            spans[at].began = moment if at else max(began, moment)
    return spans


def _tell(span: Span, kind: str, body: Mapping[str, Any], moment: int) -> None:
    if kind == StepReserved.TYPE:
        span.tries += 1
        span.held = moment
        span.moved += map(str, body.get("moved", ()))
        span.closes = bool(body.get("closes", True))
    elif kind in (StepCommitted.TYPE, StepReleased.TYPE):
        span.ran += moment - span.held if span.held else 0
        span.held = 0
        if kind == StepCommitted.TYPE:
            span.by = str(body.get("by", ""))
            span.others += map(str, body.get("others", ()))
        else:
            span.released.append(str(body.get("why", "")) or str(body.get("by", "")))
    elif kind == StepLost.TYPE:
        span.released.append(str(body.get("why", "")))


def _calls(connection: sa.Connection, plan: Kept) -> Iterator[Call]:
    query = (
        sa.select(quiet, events.c.body)
        .select_from(quiet.outerjoin(events, events.c.id == quiet.c.event))
        .where(quiet.c.plan == plan.number)
        .order_by(quiet.c.number)
    )
    for row in connection.execute(query):
        try:
            body = msgspec.json.decode(row.body or "{}")
        except msgspec.DecodeError:
            body = {}
        trace = body.get("trace", {})
        yield Call(
            row.event, row.step, Kind(row.kind), Outcome(row.outcome), str(body.get("tool", "")),
            _about(body.get("input", {})), row.began, row.ended, str(trace.get("code", "")),
            str(trace.get("reason", "")), str(body.get("session", "")), str(body.get("agent", "")),
        )  # fmt: skip


def _about(given: object) -> str:
    if not isinstance(given, Mapping):
        return ""
    found = next((given[name] for name in _ABOUT if isinstance(given.get(name), str)), "")
    line = str(found).replace("\n", " ⏎ ")
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def _micro(at: str) -> int:
    moment = datetime.fromisoformat(at.replace("Z", "+00:00"))
    return int(moment.timestamp()) * 1_000_000 + moment.microsecond
