"""What reviewers are handed of a plan. Invariant: every field of every step is in it, and nothing is cut."""

from __future__ import annotations

from typing import Any

from ringwall.plan.model import AnyStep, Op, Plan, SessionStep

STEP_TYPES = {
    **{
        op.value: f"the agent may call {op.value} once, on exactly this object"
        for op in Op
        if op not in (Op.BASH, Op.DELETE, Op.MOVE, Op.SESSION)
    },
    Op.BASH.value: "the agent may run exactly this command once",
    Op.DELETE.value: "the agent may delete exactly this file",
    Op.MOVE.value: "the agent may move exactly this file to `to`",
    Op.SESSION.value: (
        "the agent may use the effective tools as often as it wants, with any arguments, until it writes the"
        " last file of `produces`, which closes the session; these files are the verification, so no step"
        " for verifying is needed"
    ),
}


def review_json(plan: Plan, plan_id: str) -> dict[str, Any]:
    """The whole plan as JSON values. `plan_id` is what a seal of exactly this plan would have."""
    return {
        "v": 1,
        "plan_id": plan_id,
        "title": plan.title,
        "step_types": STEP_TYPES,
        "steps": [_step(step) for step in plan.steps],
        "skills": [{"name": entry.name, "note": entry.note} for entry in plan.skills],
        "warnings": [
            {"code": caution.code, "what": str(caution.what), "line": caution.line, "step": caution.step}
            for caution in plan.cautions
        ],
    }


def _step(step: AnyStep) -> dict[str, Any]:
    more = {"effective_tools": list(step.effective)} if isinstance(step, SessionStep) else {}
    return {
        "number": step.number,
        "line": step.line,
        "op": step.op.value,
        "titles": list(step.titles),
        "source": step.source,
        **more,
    }
