"""A policy with what people have granted.

Invariant: a grant is an allow rule of the project's or the session's layer and nothing more: limits, floor
and a person's own denials hold in spite of it.
"""

from __future__ import annotations

from ringwall.approvals.grants import Grant
from ringwall.model.canonical import digest
from ringwall.model.decision import RuleRef
from ringwall.model.surroundings import Places
from ringwall.model.verdict import Verdict
from ringwall.policy.model import Layer, LayerName, Policy, Rule
from ringwall.policy.rule_text import RuleFault, read_rule
from ringwall.shell.analyse import command_pattern

_BEFORE = (LayerName.PRESET, LayerName.PROJECT)
"""Layers that a grant for the project is stronger than."""


_KEPT = 64


class Granted:
    """Policies with grants, made once for each set of grants."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[Grant, ...]], Policy] = {}

    def policy(self, policy: Policy, grants: tuple[Grant, ...], places: Places) -> Policy:
        """`policy` with the rules of `grants`, all of which hold for the call."""
        if not grants:
            return policy
        key = (policy.digest, grants)
        if key not in self._known:
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[key] = with_grants(policy, grants, places)
        return self._known[key]


def with_grants(policy: Policy, grants: tuple[Grant, ...], places: Places) -> Policy:
    """`policy` with a layer for what was granted in the project and one for the session."""
    weaker = tuple(layer for layer in policy.layers if layer.name in _BEFORE)
    stronger = tuple(layer for layer in policy.layers if layer.name not in _BEFORE)
    layers = (
        *weaker,
        *_layer(LayerName.PROJECT, [grant for grant in grants if not grant.session], places),
        *stronger,
        *_layer(LayerName.SESSION, [grant for grant in grants if grant.session], places),
    )
    parts = {"policy": policy.digest, "grants": [[one.number, one.rule, one.session] for one in grants]}
    return Policy(policy.preset, layers, digest(parts), policy.protected, policy.approvals)


def _layer(name: LayerName, grants: list[Grant], places: Places) -> tuple[Layer, ...]:
    rules = tuple(rule for grant in grants if (rule := _rule(grant, name, places)) is not None)
    return (Layer(name, rules=rules),) if rules else ()


def _rule(grant: Grant, name: LayerName, places: Places) -> Rule | None:
    """The rule of a grant; none where today's grammar no longer reads it, so that it allows nothing."""
    try:
        pattern = read_rule(grant.rule, places, command_pattern, allowing=True)
    except RuleFault:
        return None
    ref = RuleRef(grant.rule, f"grant {grant.number}", 1, name.value)
    return Rule(Verdict.ALLOW, pattern, ref)
