"""Roles, least first, and the least role that an effect needs.

Invariant: a role that nobody knows is below every known one; an untrusted layer can only raise. `*` stands
for every effect but `observe`.
"""

from __future__ import annotations

from ringwall.model.decision import RuleRef
from ringwall.policy.model import Layer, Policy
from ringwall.policy.names import ANY, CHAINS, OBSERVE

ROLES: tuple[str, ...] = ("reader", "worker", "lead", "owner")
_RANKS = {role: rank for rank, role in enumerate(ROLES)}


def rank(role: str) -> int:
    """0 for reader and up; -1 for an unknown role."""
    return _RANKS.get(role, -1)


def least_role(policy: Policy, effect: str) -> tuple[str, RuleRef] | None:
    """The least role that may have `effect`, and where that is written; None where any role may."""
    if effect in policy.least:
        return policy.least[effect]
    found: tuple[str, RuleRef] | None = None
    for layer in policy.layers:
        here = _in_layer(layer, effect) if layer.least else None
        if here and (found is None or layer.trusted or rank(here[0]) > rank(found[0])):
            found = here
    policy.least[effect] = found
    return found


def _in_layer(layer: Layer, effect: str) -> tuple[str, RuleRef] | None:
    for name in CHAINS[effect]:
        if name in layer.least:
            return layer.least[name]
    return None if effect == OBSERVE else layer.least.get(ANY)
