"""All that a decision depends on besides the action and its effects.

Invariant: frozen and complete; a stage reads nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

from ringwall.model.action import Principal
from ringwall.model.surroundings import Places
from ringwall.plan.view import WallView
from ringwall.policy.model import Policy


@dataclass(frozen=True, slots=True)
class Situation:
    """`escapes` are the digests of actions for which a person has issued an escape from the floor; `wall` is
    the active sealed plan of this worktree, None in conversation."""

    principal: Principal
    places: Places
    policy: Policy
    escapes: frozenset[str] = frozenset()
    wall: WallView | None = None
