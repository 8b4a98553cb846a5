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
    """One finding. `name` is stable and dotted; `repair` begins with a verb, and is there unless ok;
    `host` says of which host it is, where it is of one."""

    name: str
    status: Status
    what: Text
    repair: Text | None = None
    host: str = ""


@dataclass(frozen=True, slots=True)
class HostRow:
    """One host in doctor's table: what was seen of it, and what it can hold. `version` is empty where the
    host is not here, `hooks` are the files that register Ringwall, `probed` is None where no call could be
    sent through."""

    host: str
    title: str
    version: str
    hooks: tuple[str, ...]
    probed: bool | None
    asks: Text
    subagents: Text
    crash: Text
    timeout: Text
    unloaded: Text


@dataclass(frozen=True, slots=True)
class Report:
    checks: tuple[Check, ...]
    hosts: tuple[HostRow, ...] = ()

    @property
    def ok(self) -> bool:
        return all(check.status is not Status.FAIL for check in self.checks)


def ok(name: str, what: Text) -> Check:
    return Check(name, Status.OK, what)


def warn(name: str, what: Text, repair: Text) -> Check:
    return Check(name, Status.WARN, what, repair)


def fail(name: str, what: Text, repair: Text) -> Check:
    return Check(name, Status.FAIL, what, repair)
