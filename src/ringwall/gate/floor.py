"""Acts that are refused outright unless a person issued an escape for exactly this action.

Invariant: an escape is bound to one action digest and lifts the floor alone.
"""

from __future__ import annotations

from ringwall.gate.situation import Situation
from ringwall.model.analysis import Analysis
from ringwall.model.decision import Opinion
from ringwall.model.effects import EFFECTS, Effect
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict
from ringwall.policy.names import covered

STAGE = "floor"
ALWAYS = ("catastrophic",)
UNDER_THE_WALL = (
    *ALWAYS,
    "install",
    "cloud.write",
    "remote.exec",
    "delete.recursive",
    "delete.lost",
    "delete.outside",
    "git.discard",
    "data.destroy",
    "read.secret",
    "system",
    "download.exec",
)
_ALWAYS = frozenset(name for general in ALWAYS for name in covered(general))
_WALLED = frozenset(name for general in UNDER_THE_WALL for name in covered(general))


def opinion(analysis: Analysis, situation: Situation, so_far: Verdict | None) -> Opinion | None:
    """Deny what lies on the floor; ask where the call only may do it; silent under an escape."""
    if analysis.action.digest in situation.escapes:
        return None
    floor = _WALLED if situation.policy.preset == "walled" else _ALWAYS
    doubtful: Opinion | None = None
    for effect in analysis.effects:
        if effect.name not in floor:
            continue
        if effect.certain:
            return _opinion(effect, Verdict.DENY)
        doubtful = doubtful or _opinion(effect, Verdict.ASK)
    return doubtful


def _opinion(effect: Effect, verdict: Verdict) -> Opinion:
    meaning = EFFECTS[effect.name].meaning
    if verdict is Verdict.DENY:
        reason = msg("it {meaning}: {target}", meaning=meaning, target=effect.target or "?")
    else:
        reason = msg("it may be that it {meaning}: {target}", meaning=meaning, target=effect.target or "?")
    return Opinion(
        stage=STAGE,
        verdict=verdict,
        code=f"{STAGE}.{effect.name.replace('.', '_')}",
        reason=reason,
        effect=effect,
        advice=msg("Name exactly the files that are meant, below the project folder."),
        binding=True,
    )
