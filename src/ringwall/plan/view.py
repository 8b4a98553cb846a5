"""What the gate's wall stage is handed of a sealed plan. Invariant: frozen; nothing is looked up later."""

from __future__ import annotations

from dataclasses import dataclass

from ringwall.model.text import Text
from ringwall.plan.model import AnyStep, SealedPlan
from ringwall.plan.pointer import Pointer


@dataclass(frozen=True, slots=True)
class WallView:
    """The active plan of the call's worktree, where its pointer stands, and the id of this call (the same id
    that judge reserves and commits with).

    `fault` says what is wrong with the kept plan or pointer (a broken seal, a pointer that does not fit):
    then nothing but looking passes, and the message says it.
    """

    plan: SealedPlan
    pointer: Pointer
    call: str = ""
    fault: Text | None = None

    @property
    def expected(self) -> AnyStep | None:
        """The step under the pointer, or None when all are done."""
        return None if self.pointer.finished else self.plan.plan.steps[self.pointer.at]
