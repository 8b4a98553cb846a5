"""Which branches are protected: the policy says it, the analysis only says which branch is merged into.

Invariant: an effect is dropped only where its branch is known and no glob of the policy names it.
"""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase

from ringwall.model.analysis import Analysis
from ringwall.policy.model import Policy

MERGE = "git.merge.protected"


def on_protected_branches(analysis: Analysis, policy: Policy) -> Analysis:
    """`analysis` without merges into branches that `policy` does not protect. The target of such an effect
    is the branch that changes, empty where it is not known."""
    if not any(effect.name == MERGE for effect in analysis.effects):
        return analysis
    kept = tuple(
        effect
        for effect in analysis.effects
        if effect.name != MERGE
        or not effect.target
        or any(fnmatchcase(effect.target, glob) for glob in policy.protected)
    )
    return replace(analysis, effects=kept)
