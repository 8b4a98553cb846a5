"""`ringwall doctor`: looks at every part that a judged call needs, and really sends calls through.

Invariant: doctor changes nothing; a check that could not be made is not `ok`.
"""

from __future__ import annotations

from collections.abc import Mapping
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


def examine(host: str, project: str, env: Mapping[str, str]) -> Report:
    """All checks for `host` in `project`, in a fixed order."""
    raise NotImplementedError
