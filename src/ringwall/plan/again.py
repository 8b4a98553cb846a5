"""Sealing an edited plan again: what stays done, and what differs.

Invariant: only steps at the front that are the same and done stay done; a step that nobody has done in this
form is never counted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from difflib import SequenceMatcher

from ringwall.model.text import Text, msg
from ringwall.model.visible import visible_line
from ringwall.plan.model import Aim, AnyStep, Plan, SealedPlan, SessionStep
from ringwall.plan.words import step_line


def still_done(old: SealedPlan, done: int, new: SealedPlan) -> int:
    """How many steps of `new` are done, the first `done` of `old` being so."""
    count = 0
    while count < min(done, len(new.aims)) and _same(old, new, count):
        count += 1
    return count


def difference(old: Plan, new: Plan) -> Iterator[tuple[str, Text]]:
    """The lines of both plans: `-` for what went, `+` for what came, a blank for what stayed."""
    before, after = [*_lines(old)], [*_lines(new)]
    matcher = SequenceMatcher(None, [str(line) for line in before], [str(line) for line in after], False)
    for word, first, last, start, end in matcher.get_opcodes():
        if word == "equal":
            yield from ((" ", line) for line in before[first:last])
            continue
        yield from (("-", line) for line in before[first:last])
        yield from (("+", line) for line in after[start:end])


def _same(old: SealedPlan, new: SealedPlan, at: int) -> bool:
    return _does(old.plan.steps[at], old.aims[at]) == _does(new.plan.steps[at], new.aims[at])


def _does(step: AnyStep, aim: Aim) -> Hashable:
    """What a step does, without its words for people."""
    session = (step.goal, step.effective) if isinstance(step, SessionStep) else ()
    return step.op, aim, step.expected, session


def _lines(plan: Plan) -> Iterator[Text]:
    for step in plan.steps:
        line = step_line(step)
        for key in ("requires", "creates", "modifies", "deletes"):
            if paths := getattr(step.expected, key):
                line = msg("{line}, {key} {paths}", line=line, key=key, paths=", ".join(paths))
        if step.role:
            line = msg("{line}, role {role}", line=line, role=step.role)
        if step.note:
            line = msg("{line}, “{note}”", line=line, note=visible_line(step.note))
        if isinstance(step, SessionStep) and (dropped := set(step.tools) - set(step.effective)):
            line = msg("{line}, dropped {names}", line=line, names=", ".join(sorted(dropped)))
        yield line
    for skill in plan.skills:
        yield msg("skill {name}", name=skill.name)
