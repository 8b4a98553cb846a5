"""Whether words name one of Ringwall's own servers.

Invariant: a loopback address counts in each spelling that programs understand; a port alone, or an address
alone, names nothing.
"""

from __future__ import annotations

import ipaddress
import re

_LOOPBACK_NAME = re.compile(r"(.+\.)?localhost\.?|localhost\.localdomain|ip6-localhost|ip6-loopback|0")
_PLACE = re.compile(r"(\[[0-9a-fA-F:.%]+\]|[A-Za-z0-9_.-]+)[:/,](\d{1,5})(?!\d)")


def is_own(authority: str, endpoints: tuple[str, ...]) -> bool:
    """Whether `host:port` (or `host/port`) is an endpoint."""
    host, _, port = authority.replace("/", ":").rpartition(":")
    return any(
        authority == own or (port == own.rpartition(":")[2] and is_loopback(host)) for own in endpoints
    )


def authority_of(target: str) -> str:
    """`host:port` of a URL, of what a shell's `/dev/tcp` names, or of what is written so already."""
    _scheme, found, rest = target.rpartition("://")
    if not found and rest.count("/") == 1 and rest.rpartition("/")[2].isdigit():
        return rest.lower()
    return rest.partition("/")[0].rpartition("@")[2].lower()


def names_own(words: tuple[str, ...], endpoints: tuple[str, ...]) -> bool:
    """Whether the words of a command name an endpoint, in one word or as address and port apart."""
    if not endpoints:
        return False
    ports = {own.rpartition(":")[2] for own in endpoints}
    if ports.intersection(words) and any(is_loopback(word) for word in words):
        return True
    return any(port in ports and is_loopback(host) for word in words for host, port in _PLACE.findall(word))


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, as resolvers and programs read it."""
    bare = host.lower().strip("[]")
    if _LOOPBACK_NAME.fullmatch(bare):
        return True
    try:
        address = ipaddress.ip_address(int(bare, 0) if bare.isdigit() or bare.startswith("0x") else bare)
    except ValueError:
        return bool(re.fullmatch(r"0*127(\.\w+){1,3}|0x7f(\.\w+){1,3}", bare))
    mapped = getattr(address, "ipv4_mapped", None)
    return any(one.is_loopback or one.is_unspecified for one in (address, mapped) if one is not None)
