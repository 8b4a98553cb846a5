"""Where a plan's pointer stands by what the journal tells.

Invariant: pure; every record is checked against its hash and its predecessor, and every move that it tells
of must be one that the pointer could make.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ringwall.journal.events import PlanSealed, StepCommitted, StepLost, StepReleased, StepReserved
from ringwall.journal.record import Record
from ringwall.journal.redact import redact
from ringwall.model.text import Text, msg
from ringwall.plan.model import SealedPlan, SessionStep
from ringwall.plan.pointer import Match, Pointer, commit, lose, release, reserve


def pointer_as_told(records: Sequence[Record], sealed: Mapping[str, Any], plan: SealedPlan) -> Pointer | Text:
    """The pointer after `records`, which begin with the seal; or what is wrong with them. `sealed` are the
    fields that the seal's record must have."""
    changed = _changed(records)
    if changed is not None:
        return changed
    begin = records[0].content() if records[0].type == PlanSealed.TYPE else {}
    if any(begin.get(name) != value for name, value in redact(dict(sealed)).items()):
        return msg("what is kept of it is not what the journal says was sealed")
    pointer = Pointer(len(plan.plan.steps), at=int(begin.get("done", 0)))
    for record in records[1:]:
        body = record.content()
        if body.get("plan") == sealed["plan"]:
            moved = _moved(pointer, record.type, body, plan)
            if moved is None:
                return msg("record {seq} of the journal's plans tells of no possible move", seq=record.seq)
            pointer = moved
    return pointer


def output_index(plan: SealedPlan, match: Match) -> int:
    """Which of a session's files a match writes, -1 where it is no session."""
    step = plan.plan.steps[match.step]
    return step.produces.index(match.output) if isinstance(step, SessionStep) else -1


def _changed(records: Sequence[Record]) -> Text | None:
    prev = records[0].prev
    for record in records:
        if record.prev != prev or record.hash != record.expected_hash():
            return msg("record {seq} of the journal's plans was changed", seq=record.seq)
        prev = record.hash
    return None


def _moved(pointer: Pointer, kind: str, body: Mapping[str, Any], plan: SealedPlan) -> Pointer | None:
    call = str(body.get("call", ""))
    if kind == StepReserved.TYPE:
        match = _match(body, plan)
        after = reserve(pointer, call, match) if match is not None else pointer
    elif kind == StepCommitted.TYPE:
        after = commit(pointer, call)
    elif kind == StepReleased.TYPE:
        after = release(pointer, call)
    elif kind == StepLost.TYPE:
        after = lose(pointer)
    else:
        return pointer
    return after if after != pointer else None


def _match(body: Mapping[str, Any], plan: SealedPlan) -> Match | None:
    number, output = body.get("step"), body.get("output")
    if not isinstance(number, int) or not isinstance(output, int) or not 0 <= number < len(plan.plan.steps):
        return None
    step = plan.plan.steps[number]
    if not isinstance(step, SessionStep):
        return Match(number)
    if not 0 <= output < len(step.produces):
        return None
    return Match(number, step.produces[output], bool(body.get("closes")))
