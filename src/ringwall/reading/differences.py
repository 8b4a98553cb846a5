"""How two readings of one route differ. Invariant: every line of both is in the answer or equal in both."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Literal

Change = tuple[Literal["-", "+"], str]


def differences(before: Sequence[str], after: Sequence[str]) -> list[Change]:
    """The lines that went (`-`) and came (`+`), in order."""
    changes: list[Change] = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            changes += [("-", line) for line in before[a:b]] + [("+", line) for line in after[c:d]]
    return changes
