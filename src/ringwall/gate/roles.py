"""The least role that an effect needs. Invariant: an unknown role has none of what needs a role."""

from __future__ import annotations

from ringwall.gate.situation import Situation
from ringwall.model.analysis import Analysis
from ringwall.model.decision import Opinion, RuleRef
from ringwall.model.effects import Effect
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict
from ringwall.policy.roles import least_role, rank

STAGE = "roles"


def opinion(analysis: Analysis, situation: Situation, so_far: Verdict | None) -> Opinion | None:
    """Deny what the role may not have; ask where the call only may have it; else silent."""
    own = rank(situation.principal.role)
    doubtful: Opinion | None = None
    for effect in analysis.effects:
        needed = least_role(situation.policy, effect.name)
        if needed is None or own >= rank(needed[0]):
            continue
        found = _opinion(effect, needed, situation.principal.role)
        if found.verdict is Verdict.DENY:
            return found
        doubtful = doubtful or found
    return doubtful


def _opinion(effect: Effect, needed: tuple[str, RuleRef], role: str) -> Opinion:
    least, ref = needed
    return Opinion(
        stage=STAGE,
        verdict=Verdict.DENY if effect.certain else Verdict.ASK,
        code=f"{STAGE}.least_role",
        reason=msg(
            "{effect} needs the role {least}; this agent is {role}",
            effect=effect.name,
            least=least,
            role=role,
        ),
        rule=ref,
        effect=effect,
        advice=msg("Leave this step to an agent or a person with that role."),
        binding=True,
    )
