"""What `ringwall doctor` finds. Invariant: a check that could not be made is not `ok`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ringwall.model.text import Text


class Status(StrEnum):
    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Check:
    """One finding. `name` is stable and dotted; `repair` begins with a verb, and is there unless ok."""

    name: str
    status: Status
    what: Text
    repair: Text | None = None


@dataclass(frozen=True, slots=True)
class Report:
    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        return all(check.status is not Status.FAIL for check in self.checks)


def ok(name: str, what: Text) -> Check:
    return Check(name, Status.OK, what)


def warn(name: str, what: Text, repair: Text) -> Check:
    return Check(name, Status.WARN, what, repair)


def fail(name: str, what: Text, repair: Text) -> Check:
    return Check(name, Status.FAIL, what, repair)
