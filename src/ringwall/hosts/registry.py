"""The hosts that Ringwall speaks to. Invariant: a host is found here or it is an error, never guessed."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ringwall.hosts import claude, codex, copilot, cursor, dsh, gemini, opencode, pi
from ringwall.hosts.gateway import ACP, MCP
from ringwall.hosts.protocol import Dialect, Host
from ringwall.model.errors import UsageError
from ringwall.model.text import msg

HOSTS: Mapping[str, Host] = MappingProxyType(
    {each.name: each for each in (claude, codex, copilot, cursor, dsh, gemini, opencode, pi)}
)

GATEWAYS: Mapping[str, Dialect] = MappingProxyType({each.name: each for each in (MCP, ACP)})
"""What Ringwall itself puts between, where a host has no hooks; nothing is installed for them."""


def host(word: str) -> Dialect:
    """The host, or the gateway, called `word`."""
    return GATEWAYS[word] if word in GATEWAYS else real_host(word)


def real_host(word: str) -> Host:
    """The host called `word`, in front of which Ringwall can be put."""
    try:
        return HOSTS[word]
    except KeyError:
        known = ", ".join(sorted(HOSTS))
        raise UsageError(
            "hosts.unknown",
            msg("There is no host called {word}.", word=ascii(word)),
            msg("Use one of: {known}.", known=known),
        ) from None
