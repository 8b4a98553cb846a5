"""What is approved without asking, per effect, role and agent.

Invariant: the strictest line among the effects speaks for the call.
"""

from __future__ import annotations

from functools import lru_cache

from ringwall.gate.situation import Situation
from ringwall.model.analysis import Analysis
from ringwall.model.decision import Opinion
from ringwall.model.effects import EFFECTS, Effect
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict
from ringwall.policy.autonomy import VERDICTS, autonomy_of
from ringwall.policy.model import Approval, Autonomy
from ringwall.policy.names import ANY, OBSERVE

STAGE = "autonomy"


def opinion(analysis: Analysis, situation: Situation, so_far: Verdict | None) -> Opinion | None:
    """The strictest of all effects; an input without any effect is judged by the wildcard."""
    policy, principal = situation.policy, situation.principal
    strictest: Effect | None = None
    held: Verdict | None = None
    seen: set[int] = set()
    for effect in analysis.effects:
        line = autonomy_of(policy, principal, effect.name)
        if id(line) in seen and effect.certain:
            continue
        seen.add(id(line))
        verdict = _verdict(line, effect)
        if verdict is not None and (held is None or verdict.rank > held.rank):
            strictest, held = effect, verdict
    if analysis.effects and strictest is None:
        return None
    return of_effect(strictest, situation)


def _verdict(line: Autonomy | None, effect: Effect | None) -> Verdict | None:
    if line is None:
        return Verdict.ALLOW if effect is not None and effect.name == OBSERVE else None
    if line.approval is Approval.DENY and effect is not None and not effect.certain:
        return Verdict.ASK
    return VERDICTS[line.approval]


def of_effect(effect: Effect | None, situation: Situation) -> Opinion | None:
    """What autonomy says about one effect; None stands for what has no known effect."""
    line = autonomy_of(situation.policy, situation.principal, effect.name if effect else ANY)
    verdict = _verdict(line, effect)
    if verdict is None:
        return None
    if line is None:
        return Opinion(STAGE, Verdict.ALLOW, f"{STAGE}.observe", msg("it only looks"), effect=effect)
    return Opinion(
        stage=STAGE,
        verdict=verdict,
        code=f"{STAGE}.{line.approval.value}",
        reason=_reason(effect.name if effect else None, line.approval),
        rule=line.ref,
        effect=effect,
        advice=msg("Another way without this effect would pass.") if verdict is Verdict.DENY else None,
        binding=verdict is not VERDICTS[line.approval],
    )


@lru_cache(maxsize=512)
def _reason(effect: str | None, approval: Approval) -> Text:
    does = EFFECTS[effect].meaning if effect else msg("does what Ringwall does not know")
    match approval:
        case Approval.AUTO_APPROVE:
            return msg("approved beforehand: it {does}", does=does)
        case Approval.REQUIRE_APPROVAL:
            return msg("a person decides: it {does}", does=does)
        case Approval.DENY:
            return msg("refused by autonomy: it {does}", does=does)
