"""What a session shows already, read from where its host keeps it.

Invariant: reading only, and bounded; what cannot be read shows nothing, so that a hint is rather told again
than lost.
"""

from __future__ import annotations

from collections.abc import Iterable

from ringwall.model.step import Step


def surface_of(step: Step) -> Iterable[str]:
    """The texts of hooks that the session shows."""
    return () if step.emptied else step.surface
