"""A step in one line, as agents and people are told it. Invariant: the author's words, on one line, whole."""

from __future__ import annotations

from ringwall.model.text import Text, msg
from ringwall.model.visible import visible_line
from ringwall.plan.model import AnyStep, Op, SessionStep


def step_line(step: AnyStep) -> Text:
    """What a step does: `Write src/a.py`."""
    if isinstance(step, SessionStep):
        return msg(
            "session ‘{goal}’ with {tools}, closed by Write {produces}",
            goal=visible_line(step.goal),
            tools=", ".join(step.effective) or "—",
            produces=", ".join(step.produces),
        )
    if step.op is Op.MOVE:
        return msg("Move {source} to {target}", source=step.object, target=step.to)
    return msg("{op} {object}", op=step.op.value, object=visible_line(step.object))


def named(step: AnyStep, plan_id: str) -> Text:
    """The step with its number and its plan: `step 2 of sealed plan 0123456789ab: “Write src/a.py”`."""
    return msg(
        "step {number} of sealed plan {plan}: “{step}”",
        number=step.number,
        plan=short(plan_id),
        step=step_line(step),
    )


def short(plan_id: str) -> str:
    """The beginning of a plan's digest, by which people name it."""
    return plan_id.removeprefix("sha256:")[:12]
