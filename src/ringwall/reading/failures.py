"""Why there is no result. Invariant: one class for a read that failed, and each refusal has its own code."""

from __future__ import annotations

from ringwall.model.errors import RingwallError
from ringwall.model.text import Text, msg


class ReadFailed(RingwallError):
    """A read that must not become an observation. `reasons` are what was seen, in order."""

    def __init__(self, *reasons: str, code: str = "reading.failed") -> None:
        self.reasons = reasons
        super().__init__(
            code,
            msg("The page could not be read by its contract: {why}.", why="; ".join(reasons[:4])),
            msg("Look at the page in the login window, and at the contract; a new confirmation is needed."),
        )


def refused(code: str, what: Text, repair: Text, where: str = "") -> RingwallError:
    """Nothing was tried."""
    return RingwallError(f"reading.{code}", what, repair, where)


def without_extra(name: str) -> RingwallError:
    return refused(
        "not_installed",
        msg("Reading pages needs {name}, which is not installed.", name=name),
        msg("Install it: pip install 'ringwall[reading]'."),
    )
