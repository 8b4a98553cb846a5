"""Is a step delegated to a subagent? Invariant: only signals of the runtime count, and a fork is none."""

from __future__ import annotations

from ringwall.model.step import Lineage


def is_delegated(lineage: Lineage) -> bool:
    """Whether the session is a subagent's (P-27). A session with a parent and no such signal is a fork."""
    return lineage.origin == "subagent" or lineage.delegation_depth > 0 or lineage.subagent_depth > 0
