"""The one family of errors.

Invariant: every error has a stable code, says what is wrong and how to mend it.
"""

from __future__ import annotations

from ringwall.model.text import Text


class RingwallError(Exception):
    """Something that Ringwall cannot go on with.

    `code` is stable and dotted (`policy.unknown_key`); `what` is one sentence; `repair` is one sentence that
    begins with a verb; `where` is `file:line:column`, a flag, or empty.
    """

    def __init__(self, code: str, what: Text, repair: Text, where: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.what = what
        self.repair = repair
        self.where = where

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.what} {self.repair} [{self.code}]"


class PolicyError(RingwallError):
    """A policy file that cannot be used as it stands; the last good policy stays in force."""


class PayloadError(RingwallError):
    """A host payload that cannot be read; the call it speaks of is denied."""


class StateError(RingwallError):
    """Ringwall's own state cannot be read or written; a call that needs it is denied."""


class UsageError(RingwallError):
    """A wrong use of the command line (exit status 2)."""
