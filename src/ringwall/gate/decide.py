"""The decision: each stage in turn, one opinion each.

Invariant: a deny ends the walk; the last opinion wins, but nothing loosens a binding one; without any
opinion a person is asked.
"""

from __future__ import annotations

from ringwall.gate import autonomy, floor, limits, permissions, roles, selfguard, wall
from ringwall.gate.branches import on_protected_branches
from ringwall.gate.situation import Situation
from ringwall.model.analysis import Analysis
from ringwall.model.decision import Decision, Opinion
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict

STAGES = (selfguard, roles, floor, wall, autonomy, permissions, limits)


def decide(analysis: Analysis, situation: Situation) -> Decision:
    """The verdict on `analysis` in `situation`, with every opinion on the way."""
    analysis = on_protected_branches(analysis, situation.policy)
    opinions: list[Opinion] = []
    silent: list[str] = []
    winner = -1
    bound = 0  # the rank below which no later opinion counts
    for stage in STAGES:
        opinion = stage.opinion(analysis, situation, opinions[winner].verdict if winner >= 0 else None)
        if opinion is None:
            silent.append(stage.STAGE)
            continue
        opinions.append(opinion)
        if opinion.verdict.rank >= bound and not wall.lifts(opinions, opinion):
            winner = len(opinions) - 1
        if opinion.binding:
            bound = max(bound, opinion.verdict.rank)
        if opinion.verdict is Verdict.DENY:
            break
    if not opinions:
        opinions.append(
            Opinion("default", Verdict.ASK, "default.silent", msg("no stage had anything to say"))
        )
        winner = 0
    opinions[winner] = wall.with_step(opinions, opinions[winner])
    return Decision(
        verdict=opinions[winner].verdict,
        opinions=tuple(opinions),
        winner=winner,
        analysis=analysis,
        silent=tuple(silent),
        policy_digest=situation.policy.digest,
    )
