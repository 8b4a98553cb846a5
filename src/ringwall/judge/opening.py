"""What a session is told at its start, on hosts where a step is the first moment to tell it anything.

Invariant: the same words as at a session's start, under a marker of their own kind, so that it is told once
for as long as it is visible.
"""

from __future__ import annotations

from collections.abc import Iterator

from ringwall.hosts.protocol import Moment
from ringwall.judge.hints import Hint, Occasion
from ringwall.judge.replies import notice
from ringwall.prestep.lineage import is_delegated
from ringwall.prestep.markers import Kind


def opening(occasion: Occasion) -> Iterator[Hint]:
    """The opening notice, unless the host's configuration switches it off (`bootstrap`)."""
    step = occasion.step
    off = any(name in ("bootstrap", "enabled") and not on for name, on in step.switches)
    if occasion.event.moment is not Moment.STEP or off or is_delegated(step.lineage):
        return
    told = notice(occasion.pause, occasion.in_force)
    if told is not None:
        yield Hint(str(told), Kind.BOOTSTRAP)
