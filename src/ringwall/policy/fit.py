"""How well something fits a pattern. Invariant: the less sure of two is the fit of both."""

from __future__ import annotations

from enum import IntEnum


class Fit(IntEnum):
    """`MAYBE` where the answer depends on what cannot be known beforehand."""

    NO = 0
    MAYBE = 1
    YES = 2

    @staticmethod
    def of(possible: bool) -> Fit:
        """MAYBE or NO."""
        return Fit.MAYBE if possible else Fit.NO
