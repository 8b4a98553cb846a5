"""What is approved without asking, per effect, role and agent.

Invariant: the strictest line among the effects speaks for the call.
"""

from __future__ import annotations

from ringwall.gate.situation import Situation
from ringwall.model.analysis import Analysis
from ringwall.model.decision import Opinion
from ringwall.model.effects import Effect
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict
from ringwall.policy.autonomy import VERDICTS, autonomy_of
from ringwall.policy.model import Autonomy
from ringwall.policy.names import ANY, OBSERVE

STAGE = "autonomy"


def opinion(analysis: Analysis, situation: Situation, so_far: Verdict | None) -> Opinion | None:
    """The strictest of all effects; an input without any effect is judged by the wildcard."""
    best: Opinion | None = None
    for effect in analysis.effects:
        found = of_effect(effect, situation)
        if found is not None and (best is None or found.verdict.rank > best.verdict.rank):
            best = found
    return best if analysis.effects else of_effect(None, situation)


def of_effect(effect: Effect | None, situation: Situation) -> Opinion | None:
    """What autonomy says about one effect; None stands for what has no known effect."""
    line = autonomy_of(situation.policy, situation.principal, effect.name if effect else ANY)
    if line is None:
        if effect is None or effect.name != OBSERVE:
            return None
        return Opinion(STAGE, Verdict.ALLOW, f"{STAGE}.observe", msg("it only looks"), effect=effect)
    verdict = VERDICTS[line.approval]
    doubted = verdict is Verdict.DENY and effect is not None and not effect.certain
    return Opinion(
        stage=STAGE,
        verdict=Verdict.ASK if doubted else verdict,
        code=f"{STAGE}.{line.approval.value}",
        reason=_reason(effect, line),
        rule=line.ref,
        effect=effect,
        advice=msg("Another way without this effect would pass.") if verdict is Verdict.DENY else None,
        binding=doubted,
    )


def _reason(effect: Effect | None, line: Autonomy) -> Text:
    name = effect.name if effect else ANY
    match VERDICTS[line.approval]:
        case Verdict.ALLOW:
            return msg("{effect} is approved beforehand", effect=name)
        case Verdict.ASK:
            return msg("{effect} needs a person's approval", effect=name)
        case Verdict.DENY:
            return msg("{effect} is refused by autonomy", effect=name)
