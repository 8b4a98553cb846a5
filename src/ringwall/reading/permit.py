"""A person's permission to read by one contract, for a while and so many times.

Invariant: it holds for exactly one window, one revision of it and one contract; it dies of every change, and
a dead one never lives again. An attempt is counted before it is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ringwall.model.errors import RingwallError
from ringwall.model.text import Text, msg
from ringwall.reading import limits
from ringwall.reading.failures import refused


class End(StrEnum):
    """Why a permit has ended."""

    INPUT = "a person typed or clicked in the login window"
    NAVIGATION = "the login window navigated"
    TAKEOVER = "a person took the login window over"
    RESUME = "passive observation was resumed"
    RESTART = "the login window was closed or restarted"
    EXPIRED = "its ten minutes are over"
    SPENT = "its attempts are used up"
    CONTRACT = "the contract or its settings have changed"
    FAILED = "a read has failed"
    REPLACED = "a newer permit was given"


@dataclass(frozen=True, slots=True)
class Permit:
    """Times are Unix seconds. `ended` is empty while it lives."""

    number: int
    session: str
    revision: int
    digest: str
    by: str
    granted: int
    expires: int
    budget: int = limits.PERMIT_ATTEMPTS
    used: int = 0
    ended: str = ""

    @property
    def left(self) -> int:
        return self.budget - self.used


@dataclass(frozen=True, slots=True)
class Presented:
    """What an agent presents with a read: all three must be those of the permit."""

    session: str
    revision: int
    digest: str


def refusal(permit: Permit | None, presented: Presented, now: int) -> RingwallError | None:
    """Why this read is refused; None where the permit covers it."""
    if permit is None:
        return _refused("no_permit", msg("No person has permitted reading here."))
    if permit.session != presented.session:
        return _refused("other_session", msg("The permit is for another login window."))
    if permit.ended:
        return _refused("ended", msg("The permit has ended: {why}.", why=permit.ended))
    if permit.revision != presented.revision:
        return _refused(
            "other_revision",
            msg("The permit is for revision {revision} of the window.", revision=permit.revision),
        )
    if permit.digest != presented.digest:
        return _refused(
            "other_contract", msg("The permit is for another contract ({digest}).", digest=permit.digest)
        )
    if now >= permit.expires or now < permit.granted:
        return _refused("expired", msg("The permit has ended: {why}.", why=End.EXPIRED))
    if permit.left <= 0:
        return _refused("spent", msg("The permit has ended: {why}.", why=End.SPENT))
    return None


def _refused(code: str, what: Text) -> RingwallError:
    return refused(
        code,
        what,
        msg("Look at browser_status, and ask with browser_read_enable; a person must confirm it."),
    )
