"""The wall without a sealed plan: looking is free, plans and specs may be written, nothing else passes.

Invariant: silent unless the preset has the wall; what is not known to pass does not pass.
"""

from __future__ import annotations

import posixpath

from ringwall.gate.situation import Situation
from ringwall.model.analysis import Analysis
from ringwall.model.decision import Opinion
from ringwall.model.effects import EFFECTS, Effect
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict
from ringwall.policy.paths import paths_of

STAGE = "wall"
FREE = frozenset({"observe", "read.outside", "network.read", "cloud.read", "browse.look", "browse.read"})
AUTHORING = frozenset({"write"})
PLAN_FOLDERS = ("plans", "specs", "docs/plans", "docs/specs")


def opinion(analysis: Analysis, situation: Situation, so_far: Verdict | None) -> Opinion | None:
    """Deny whatever is more than looking, querying or writing a plan."""
    if situation.policy.preset != "walled":
        return None
    folders = tuple(posixpath.join(situation.places.root, folder) + "/" for folder in PLAN_FOLDERS)
    for effect in analysis.effects:
        if effect.name in FREE:
            continue
        paths = paths_of(effect, analysis)
        if effect.name in AUTHORING and paths and all(path.startswith(folders) for path in paths):
            continue
        return _opinion(effect)
    return None


def _opinion(effect: Effect) -> Opinion:
    return Opinion(
        stage=STAGE,
        verdict=Verdict.DENY,
        code=f"{STAGE}.conversation",
        reason=msg(
            "no plan is sealed, and until then only looking and writing plans pass; this {meaning}",
            meaning=EFFECTS[effect.name].meaning,
        ),
        effect=effect,
        advice=msg(
            "Write what you want to do as a plan under plans/ or docs/plans/ and show it to the person."
        ),
        binding=True,
    )
