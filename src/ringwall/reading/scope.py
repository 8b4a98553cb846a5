"""What a contract and a window speak about. Invariant: equal means the very same text in every field."""

from __future__ import annotations

import msgspec

from ringwall.model.errors import RingwallError
from ringwall.model.text import msg

SCOPE_MISMATCH = "READ_SCOPE_MISMATCH"


class Scope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which application, account, tenant and role; confirmed by a person, verified by no server."""

    site: str
    account: str
    tenant: str
    role: str


def check_scope(contract: tuple[str, Scope], window: tuple[str, Scope]) -> None:
    """Raises `RingwallError` (READ_SCOPE_MISMATCH) unless siteUrl and every field are the same."""
    if different := differing(contract, window):
        raise RingwallError(
            SCOPE_MISMATCH,
            msg("Contract and login window differ in {fields}.", fields=", ".join(different)),
            msg("Open the window for the contract's own site and scope ([reading.window] in ringwall.toml)."),
        )


def differing(contract: tuple[str, Scope], window: tuple[str, Scope]) -> list[str]:
    """The names of what differs."""
    found = [] if contract[0] == window[0] else ["siteUrl"]
    names = Scope.__struct_fields__
    return found + [
        f"scope.{name}" for name in names if getattr(contract[1], name) != getattr(window[1], name)
    ]
