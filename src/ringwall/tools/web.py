"""What fetching an address does.

Invariant: an address is judged by what it reaches: a file URL is a file, a script is an act on the page, and
Ringwall's own servers are Ringwall itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

from ringwall.model.effects import Effect
from ringwall.model.surroundings import Surroundings
from ringwall.tools.arguments import is_file_url, place_effects

_UNSEEN = re.compile(r"[\x00-\x20]")
"""What a browser skips before and within the scheme of an address."""
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}


def fetch_effects(url: str, field: str, cwd: str, surroundings: Surroundings) -> Iterator[Effect]:
    """The effects of looking at `url`."""
    span = (0, len(url))
    if is_file_url(url):
        yield from place_effects("read", url, field, cwd, surroundings)
        return
    if is_script(url):
        yield Effect("browse.act", url, span=span, field=field)
    yield Effect("network.read", url, span=span, field=field)
    if _reaches(url, surroundings.places.endpoints):
        yield Effect("write.governor", url, span=span, field=field)


def is_script(url: str) -> bool:
    """Whether a browser that is led there runs the address itself."""
    return _UNSEEN.sub("", url).lower().startswith("javascript:")


def _reaches(url: str, endpoints: tuple[str, ...]) -> bool:
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme.lower(), 0)
    except ValueError:
        return bool(endpoints)
    host = parts.hostname or ""
    return any(
        str(port) == endpoint.rpartition(":")[2]
        and (_is_loopback(host) or host == endpoint.rpartition(":")[0].strip("[]"))
        for endpoint in endpoints
    )


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ip_address(int(host) if host.isdigit() else host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
