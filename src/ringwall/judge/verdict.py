"""From a tool call to its decision, with nothing but what is handed in.

Invariant: every way to a decision goes through here, whether it is journalled or not.
"""

from __future__ import annotations

from ringwall.gate.decide import decide
from ringwall.gate.situation import Situation
from ringwall.judge.recall import Recall
from ringwall.judge.surroundings import DiskSurroundings
from ringwall.model.action import Principal, ToolCall
from ringwall.model.analysis import Analysis
from ringwall.model.decision import Decision
from ringwall.model.verdict import Verdict
from ringwall.plan.view import WallView
from ringwall.policy.model import Policy
from ringwall.tools.classify import to_action
from ringwall.tools.effects import effects_of


def judge(
    call: ToolCall, disk: DiskSurroundings, policy: Policy, recall: Recall,
    who: Principal | None = None, escapes: frozenset[str] = frozenset(), wall: WallView | None = None,
) -> Decision:  # fmt: skip
    """The decision on `call` under `policy`. Without `who` it is a call of an agent with the usual role;
    `escapes` are the actions for which a person has lifted the floor, `wall` the plan that it is under."""
    analysis: Analysis = recall.analysis(to_action(call), disk, effects_of)
    who = who or Principal(agent=call.agent, depth=call.depth)
    return recall.decision(analysis, Situation(who, disk.places, policy, escapes, wall), decide)


def only_observes(decision: Decision) -> bool:
    """Whether the call is allowed and does nothing but look, beyond any doubt."""
    analysis = decision.analysis
    return (
        decision.verdict is Verdict.ALLOW
        and not analysis.doubts
        and bool(analysis.effects)
        and all(effect.name == "observe" and effect.certain for effect in analysis.effects)
    )
