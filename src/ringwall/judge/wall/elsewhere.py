"""A call that is made under no plan and reaches into a worktree that is under one.

Invariant: whoever changes a worktree is held to its plan, wherever the call is made; looking stays free.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ringwall.gate.free import LOOKS
from ringwall.gate.wall import STAGE
from ringwall.judge.wall.kept import Kept
from ringwall.model.analysis import Analysis
from ringwall.model.decision import Decision, Opinion
from ringwall.model.effects import Effect, covers
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict
from ringwall.policy.paths import paths_of


def held_elsewhere(decision: Decision, plans: Sequence[Kept]) -> Decision:
    """The decision, denied where the call changes a worktree of one of these plans."""
    if decision.verdict is Verdict.DENY:
        return decision
    for effect in decision.analysis.effects:
        kept = next((kept for kept in plans if _changes(effect, decision.analysis, kept.root)), None)
        if kept is not None:
            opinions = (*decision.opinions, _denied(kept, effect))
            return replace(decision, verdict=Verdict.DENY, opinions=opinions, winner=len(opinions) - 1)
    return decision


def _changes(effect: Effect, analysis: Analysis, root: str) -> bool:
    if effect.name in LOOKS:
        return False
    return any(
        f"{path}/".startswith(f"{root}/") or (covers("delete", effect.name) and root.startswith(f"{path}/"))
        for path in _places(effect, analysis)
    )


def _places(effect: Effect, analysis: Analysis) -> Iterator[str]:
    """Its paths; of one without any, the folder that its command runs in and those that its words name
    (`git -C DIR`, `make -C DIR`)."""
    paths = paths_of(effect, analysis)
    yield from paths
    if not paths and 0 <= effect.command < len(analysis.commands):
        command = analysis.commands[effect.command]
        yield command.cwd
        for word in command.argv[1:]:
            value = word.partition("=")[2] if word.startswith("-") and "=" in word else word
            yield posixpath.normpath(posixpath.join(command.cwd, value))


def _denied(kept: Kept, effect: Effect) -> Opinion:
    reason = msg("it changes {root}, which is under sealed plan {number}", root=kept.root, number=kept.number)
    return Opinion(
        stage=STAGE,
        verdict=Verdict.DENY,
        code=f"{STAGE}.elsewhere",
        reason=reason,
        effect=effect,
        advice=msg("Only a session that works there can do the plan's next step. Looking is free."),
        binding=True,
    )
