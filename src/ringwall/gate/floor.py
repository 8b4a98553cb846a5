"""Acts that are refused outright unless a person issued an escape for exactly this action.

Invariant: an escape is bound to one action digest and lifts the floor alone; that it did is said.
"""

from __future__ import annotations

from ringwall.gate.situation import Situation
from ringwall.model.analysis import Analysis
from ringwall.model.decision import Opinion
from ringwall.model.effects import EFFECTS, Effect
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict
from ringwall.policy.names import covered

STAGE = "floor"
ESCAPED = f"{STAGE}.escaped"
"""The code of the opinion that rests on an escape."""
SHOWN_DIGITS = 16
"""Of an action's digest, enough to find it in the journal."""

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
    """Deny what lies on the floor; ask where the call only may do it; let it pass under an escape."""
    floor = _WALLED if situation.policy.preset == "walled" else _ALWAYS
    found = [effect for effect in analysis.effects if effect.name in floor]
    if not found:
        return None
    action = analysis.action.digest
    effect = next((effect for effect in found if effect.certain), found[0])
    if action in situation.escapes:
        reason = msg("a person issued an escape for exactly this, once")
        return Opinion(STAGE, Verdict.ALLOW, ESCAPED, reason, effect=effect)
    return _opinion(effect, Verdict.DENY if effect.certain else Verdict.ASK, action)


def how(action: str) -> Text:
    """How a person lifts the floor for the act with this digest."""
    return msg(
        "Name exactly the files that are meant, below the project folder. If the person wants exactly this,"
        " they run `ringwall escape {action} --because WHY` in a terminal outside the agent; then try exactly"
        " this again.",
        action=action.removeprefix("sha256:")[:SHOWN_DIGITS],
    )


def _opinion(effect: Effect, verdict: Verdict, action: str) -> Opinion:
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
        advice=how(action)
        if verdict is Verdict.DENY
        else msg("Name exactly the files that are meant, below the project folder."),
        binding=True,
    )
