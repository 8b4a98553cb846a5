"""Which line of autonomy speaks about an effect for an agent.

Invariant: a stronger layer's line replaces a weaker one's; inside a layer the precise effect beats the
general, then a named agent beats a named role, and both beat `*`. An untrusted layer can only tighten, and
nothing lifts a person's own `deny`. `*` stands for every effect but `observe`, which needs its own line.
"""

from __future__ import annotations

from ringwall.model.action import Principal
from ringwall.model.verdict import Verdict
from ringwall.policy.model import Approval, Autonomy, Layer, LayerName, Policy
from ringwall.policy.names import ANY, CHAINS, OBSERVE

_MOST_REMEMBERED = 4096

VERDICTS: dict[Approval, Verdict] = {
    Approval.AUTO_APPROVE: Verdict.ALLOW,
    Approval.REQUIRE_APPROVAL: Verdict.ASK,
    Approval.DENY: Verdict.DENY,
}


def autonomy_of(policy: Policy, principal: Principal, effect: str) -> Autonomy | None:
    """The line that decides about `effect` (`*` asks for the wildcard alone)."""
    key = (principal.role, principal.agent, effect)
    if key in policy.lines:
        return policy.lines[key]
    found = _found(policy, principal, effect)
    if len(policy.lines) >= _MOST_REMEMBERED:
        policy.lines.clear()
    policy.lines[key] = found
    return found


def _found(policy: Policy, principal: Principal, effect: str) -> Autonomy | None:
    names = (ANY,) if effect == ANY else CHAINS[effect] if effect == OBSERVE else (*CHAINS[effect], ANY)
    found: Autonomy | None = None
    final = False  # a person's own refusal
    for layer in policy.layers:
        here = _in_layer(layer, principal, names) if layer.lines else None
        if here and (found is None or (layer.trusted and not final) or _stricter(here, found)):
            found = here
            final = layer.name is LayerName.USER and here.approval is Approval.DENY
    return found


def _in_layer(layer: Layer, principal: Principal, names: tuple[str, ...]) -> Autonomy | None:
    for name in names:
        for line in layer.lines.get(name, ()):
            if line.role in (ANY, principal.role) and line.agent in (ANY, principal.agent):
                return line
    return None


def _stricter(here: Autonomy, there: Autonomy) -> bool:
    return VERDICTS[here.approval].rank > VERDICTS[there.approval].rank
