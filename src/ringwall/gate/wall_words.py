"""What the wall says when it says no.

Invariant: under a plan each denial names the step that is expected, in one line, and what to do.
"""

from __future__ import annotations

from ringwall.gate.free import LOOKS
from ringwall.gate.steps import missing_products, product_of
from ringwall.model.analysis import Analysis
from ringwall.model.decision import Opinion
from ringwall.model.effects import EFFECTS, Effect
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict
from ringwall.plan.identity import skill_of
from ringwall.plan.model import AnyStep, Op
from ringwall.plan.view import WallView
from ringwall.plan.words import named, short

STAGE = "wall"


def conversation(analysis: Analysis, folders: tuple[str, ...]) -> Opinion:
    """Nothing is sealed, and the call is more than looking and planning."""
    return _denied(
        "conversation",
        msg(
            "no plan is sealed, and until then only looking and writing plans pass; {why}",
            why=_why(analysis),
        ),
        msg(
            "Write what you want to do as a plan under {folders} and show it to the person.",
            folders=", ".join(f"{folder}/" for folder in folders),
        ),
        _offending(analysis),
    )


def broken(fault: Text) -> Opinion:
    """The plan does not hold."""
    return _denied("fault", fault, msg("Until a person has settled that, only looking passes."), None)


def mismatch(analysis: Analysis, view: WallView) -> Opinion:
    """The call is not the step under the pointer."""
    effect, why, step = _offending(analysis), _why(analysis), view.expected
    if step is None:
        return _denied(
            "finished",
            msg("all steps of sealed plan {plan} are done; {why}", plan=short(view.plan.plan_id), why=why),
            msg("Tell the person; more work needs a new plan."),
            effect,
        )
    expected = named(step, view.plan.plan_id)
    missing = missing_products(step, view)
    if missing and product_of(view.plan.aims[view.pointer.at], analysis) is not None:
        return _denied(
            "product_missing",
            msg(
                "{missing} must be written before the file that closes {step}",
                missing=", ".join(missing),
                step=expected,
            ),
            msg("Write that file first."),
            effect,
        )
    if skill_of(analysis.action.tool, analysis.action.input) is not None:
        return _denied(
            "skill",
            msg("this skill is not declared in the plan's skills-json; expected is {step}", step=expected),
            msg("Do the expected step, or ask the person for a plan that declares the skill."),
            effect,
        )
    return _denied(
        "plan_step_mismatch",
        msg("it is not the plan's next step, and {why}; expected is {step}", step=expected, why=why),
        _how(step, view),
        effect,
    )


def _how(step: AnyStep, view: WallView) -> Text:
    if step.op is Op.BASH:
        return msg(
            "Run exactly that command, started in {root}. Looking is free. If the plan is wrong, tell the"
            " person.",
            root=view.plan.root,
        )
    return msg("Do exactly the expected step. Looking is free. If the plan is wrong, tell the person.")


def taken(step: AnyStep, view: WallView) -> Opinion:
    """The call is the step, but another one has it."""
    expected = named(step, view.plan.plan_id)
    if view.pointer.unknown:
        return _denied(
            "unknown",
            msg("it is not known whether {step} has happened", step=expected),
            msg("Tell the person, who says it with `ringwall plan resolve`."),
            None,
        )
    return _denied(
        "held",
        msg("another call is doing {step}", step=expected),
        msg("Wait for its result."),
        None,
    )


def _why(analysis: Analysis) -> Text:
    if analysis.doubts:
        return msg("it cannot be read with certainty ({doubt})", doubt=analysis.doubts[0].reason)
    effect = _offending(analysis)
    if effect is None:
        return msg("{tool} is not known only to look", tool=analysis.action.tool)
    return msg("it {meaning}", meaning=EFFECTS[effect.name].meaning)


def _offending(analysis: Analysis) -> Effect | None:
    return next((effect for effect in analysis.effects if effect.name not in LOOKS), None)


def _denied(code: str, reason: Text, advice: Text, effect: Effect | None) -> Opinion:
    return Opinion(
        stage=STAGE,
        verdict=Verdict.DENY,
        code=f"{STAGE}.{code}",
        reason=reason,
        effect=effect,
        advice=advice,
        binding=True,
    )
