"""What a changed policy would have decided differently, counted by kind of call.

Invariant: pure, and bounded: beyond `MOST_ROWS` kinds only counts grow. Equal calls with equal verdicts are
one row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from ringwall.judge.past import Past
from ringwall.model.decision import Decision, RuleRef
from ringwall.model.verdict import Verdict

MOST_ROWS = 20_000


class Turn(StrEnum):
    """Which way a verdict goes."""

    LOOSER = "looser"
    STRICTER = "stricter"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Change:
    """One kind of call. `before` was recorded, or is what the present policy says; `elsewhere`: the present
    policy decides as the changed one does, so that something else has changed since (files, the program)."""

    before: Verdict
    after: Verdict
    tool: str
    shown: str
    code: str
    rule: RuleRef | None
    elsewhere: bool
    count: int
    where: str

    @property
    def turn(self) -> Turn:
        return turn(self.before, self.after)


def turn(before: Verdict, after: Verdict) -> Turn:
    if before is after:
        return Turn.SAME
    return Turn.LOOSER if after.rank < before.rank else Turn.STRICTER


class Replay:
    """Counts calls as they come."""

    def __init__(self) -> None:
        self.calls = 0
        self.unlisted = 0
        self.counts = dict.fromkeys(Turn, 0)
        self.loosened = 0  # by the changed policy itself
        self._rows: dict[tuple[object, ...], Change] = {}

    def add(self, past: Past, shown: str, before: Verdict, after: Decision, present: Verdict) -> None:
        """A call: its verdict before and by the changed policy, and what the present policy says."""
        self.calls += 1
        way = turn(before, after.verdict)
        self.counts[way] += 1
        if way is Turn.SAME:
            return
        elsewhere = present is after.verdict
        if way is Turn.LOOSER and not elsewhere:
            self.loosened += 1
        tool, deciding = after.analysis.action.tool, after.deciding
        key = (before, after.verdict, after.analysis.action.digest, deciding.code, deciding.rule, elsewhere)
        row = self._rows.get(key)
        if row is not None:
            self._rows[key] = replace(row, count=row.count + 1)
        elif len(self._rows) < MOST_ROWS:
            self._rows[key] = Change(
                before, after.verdict, tool, shown, deciding.code, deciding.rule, elsewhere, 1, past.where
            )
        else:
            self.unlisted += 1

    def changes(self) -> list[Change]:
        """The rows: what got looser first, then the most frequent."""
        return sorted(self._rows.values(), key=_order)


def _order(row: Change) -> tuple[bool, bool, int, str]:
    return (row.turn is Turn.STRICTER, row.elsewhere, -row.count, row.shown)
