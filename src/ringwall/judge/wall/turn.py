"""What one hook call means to the wall: worked out before the transaction, written in it.

Invariant: frozen; everything that looks at the disk has been done when a turn is made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from ringwall.judge.wall.kept import Holder
from ringwall.judge.wall.quiet import Kind, Outcome
from ringwall.judge.wall.snapshot import Snapshot
from ringwall.model.text import Text
from ringwall.plan.pointer import Match


@dataclass(frozen=True, slots=True)
class Trial:
    """A call under the plan of `root`, before it runs. With a `match` it is the step under the pointer, which
    `holder` then holds; `before` is what the files were, `moved` what had changed since the last step."""

    root: str
    name: str
    kind: Kind
    first: bool
    match: Match | None = None
    holder: Holder | None = None
    before: Snapshot | None = None
    moved: tuple[str, ...] = ()


class Fate(StrEnum):
    """What is known of the call that holds a step."""

    HAPPENED = "happened"
    FAILED = "failed"  # it ran and failed, or did not do what the step states
    NOT_RUN = "not_run"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of the call that holds the step of `root`. `by` says who knows; `others` are changes that
    the step does not name."""

    root: str
    name: str
    fate: Fate
    by: str
    why: str = ""
    others: tuple[str, ...] = ()
    after: Snapshot | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Report:
    """A call ended, as its host reports."""

    root: str
    name: str
    outcome: Outcome
    settled: Settled | None = None


Turn = Trial | Settled | Report

Line = Callable[[], Text | None]
