"""Verdicts and their algebra. Invariant: `strictest` is the only way two verdicts combine."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    """What Ringwall answers to a tool call (DESIGN §1)."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"

    @property
    def rank(self) -> int:
        """0 for allow, 1 for ask, 2 for deny: higher is stricter."""
        return _RANK[self]


_RANK = {Verdict.ALLOW: 0, Verdict.ASK: 1, Verdict.DENY: 2}


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    """The strictest of `verdicts`; `allow` where there are none."""
    return max(verdicts, key=_RANK.__getitem__, default=Verdict.ALLOW)
