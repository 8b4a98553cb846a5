"""The hosts that Ringwall speaks to. Invariant: a host is found here or it is an error, never guessed."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ringwall.hosts import claude, codex, copilot, cursor, dsh, gemini, opencode, pi
from ringwall.hosts.protocol import Host
from ringwall.model.errors import UsageError
from ringwall.model.text import msg

HOSTS: Mapping[str, Host] = MappingProxyType(
    {each.name: each for each in (claude, codex, copilot, cursor, dsh, gemini, opencode, pi)}
)


def host(word: str) -> Host:
    """The host called `word`."""
    try:
        return HOSTS[word]
    except KeyError:
        known = ", ".join(sorted(HOSTS))
        raise UsageError(
            "hosts.unknown",
            msg("There is no host called {word}.", word=ascii(word)),
            msg("Use one of: {known}.", known=known),
        ) from None
