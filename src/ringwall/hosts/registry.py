"""The hosts that Ringwall speaks to. Invariant: a host is found here or it is an error, never guessed."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from types import MappingProxyType

from ringwall.hosts import claude, codex, copilot, cursor, dsh, gemini, opencode, pi
from ringwall.hosts.gateway import ACP, MCP
from ringwall.hosts.installation import folder_of
from ringwall.hosts.protocol import Dialect, Host
from ringwall.model.errors import UsageError
from ringwall.model.text import msg

HOSTS: Mapping[str, Host] = MappingProxyType(
    {each.name: each for each in (claude, codex, copilot, cursor, dsh, gemini, opencode, pi)}
)

MANAGED = (
    "/etc/claude-code/managed-settings.json",
    "/Library/Application Support/ClaudeCode/managed-settings.json",
    "/etc/codex",
    "/etc/gemini-cli",
    "/etc/opencode",
    "/etc/cursor",
    "/Library/Application Support/Cursor/hooks.json",
)
"""Where an administrator registers hooks."""

GATEWAYS: Mapping[str, Dialect] = MappingProxyType({each.name: each for each in (MCP, ACP)})
"""What Ringwall itself puts between, where a host has no hooks; nothing is installed for them."""


FOLDER_VARIABLES = tuple(
    sorted(
        {
            site.variable
            for each in HOSTS.values()
            for site in (*each.installation.sites, *each.installation.guards)
            if site.variable
        }
    )
)
"""The environment variables that say where hosts keep their files."""


def registration_files(root: str, env: Mapping[str, str]) -> tuple[str, ...]:
    """Every file and folder that decides whether a host's hooks run, in the project `root`, for this user
    and for everyone; whether or not it is there. `~` stands for the home also where a variable names another
    folder, for it may be unset the next time."""
    found: list[str] = []
    plain = {"HOME": env.get("HOME", "")}
    for each in HOSTS.values():
        for site in (*each.installation.sites, *each.installation.guards):
            for variables in (env, plain):
                folder = folder_of(site, root, variables)
                if folder is not None:
                    found.append(posixpath.join(folder, site.name.partition("/*")[0]).rstrip("/"))
    return tuple(dict.fromkeys((*found, *MANAGED)))


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
