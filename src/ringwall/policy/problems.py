"""What is wrong with policy files, collected.

Invariant: nothing is dropped without a problem; `obscured` tells that something which may have tightened
could not be read.
"""

from __future__ import annotations

from ringwall.model.errors import PolicyError
from ringwall.model.text import Text


class Problems:
    """The problems of one load, in the order they were found."""

    def __init__(self) -> None:
        self.found: list[PolicyError] = []
        self.obscured = False

    def add(self, code: str, what: Text, repair: Text, where: str, *, may_tighten: bool = True) -> None:
        """Note one problem. `may_tighten` is false where only something that loosens was lost."""
        self.found.append(PolicyError(f"policy.{code}", what, repair, where))
        self.obscured = self.obscured or may_tighten
