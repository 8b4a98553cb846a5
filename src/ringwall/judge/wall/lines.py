"""What an agent is told of the plan, in one line.

Invariant: the line names the plan, the step under the pointer, and what is wrong.
"""

from __future__ import annotations

from ringwall.judge.wall.base import Moved
from ringwall.judge.wall.kept import Kept
from ringwall.judge.wall.turn import Fate, Settled
from ringwall.model.text import Text, msg
from ringwall.plan.words import named

MOST_NAMED = 10
"""Files that are named in a line."""


def step_line(kept: Kept, fault: Text | None = None) -> Text:
    """Where the plan stands."""
    if fault is not None:
        return msg(
            "Plan {number} does not hold: {fault}. Only looking passes until a person seals it again or runs"
            " `ringwall plan abandon`.",
            number=kept.number, fault=fault,
        )  # fmt: skip
    step = kept.expected
    if step is None:
        return msg("Plan {number} is done.", number=kept.number)
    if kept.pointer.unknown:
        return msg(
            "It is not known whether {step} has happened; a person says it with `ringwall plan resolve`.",
            step=named(step, kept.plan_id),
        )  # fmt: skip
    return msg(
        "The plan's next is {step} ({of} in all).", step=named(step, kept.plan_id), of=kept.pointer.length
    )


def settled_line(settled: Settled, before: Kept, after: Kept) -> Text:
    """What became of the step that a call held, and what is next."""
    step = before.expected
    if settled.fate is Fate.HAPPENED:
        done = msg("Step {step} is done.", step=step.number if step is not None else 0)
        if settled.others:
            done = msg(
                "{done} It also changed what it does not name: {files}.",
                done=done, files=", ".join(settled.others[:MOST_NAMED]),
            )  # fmt: skip
        return msg("{done} {line}", done=done, line=step_line(after))
    return msg("The step is not done: {why}. {line}", why=settled.why, line=step_line(after))


def with_moved(line: Text, moved: Moved) -> Text:
    """The line with what is not as the plan left it."""
    if not moved:
        return line
    return msg("{line} Since its last step: {moved}.", line=line, moved="; ".join(map(str, moved.told)))
