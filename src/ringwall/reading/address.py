"""The one reader of URLs: a contract's URL is written exactly as a browser writes it and as it is sent.

Invariant: of an accepted URL the text, what Chromium reports of it and the bytes on the wire are the same, so
that comparing texts compares requests. Everything that two readers could understand differently is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ringwall.model.text import Text, msg

_PARTS = re.compile(r"(https?)://(\[[^\]/?#]*\]|[^:/?#@\[\]\\]*)(?::([0-9]*))?(/[^?#]*)(\?[^#]*)?", re.ASCII)
_NAME = re.compile(
    r"(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?"
)
_FOUR = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:\.(?:0|[1-9][0-9]{0,2})){3}")
_SIX = re.compile(r"\[[0-9a-f:]+\]")
_PATH = re.compile(r"(?:[A-Za-z0-9/!$&'()*+,\-.:;=@_~|\[\]]|%[0-9A-Fa-f]{2})*")
_QUERY = re.compile(r"(?:[A-Za-z0-9/!$&()*+,\-.:;=?@_~|\[\]\\^`{}]|%[0-9A-Fa-f]{2})*")
_DOTS = re.compile(r"(?:\.|%2e){1,2}", re.IGNORECASE)
_SLASHES = re.compile(r"%(?:2f|5c|00)", re.IGNORECASE)
_DEFAULT = {"http": "80", "https": "443"}


@dataclass(frozen=True, slots=True)
class Address:
    """A URL in its only spelling. `target` is path and query as they are sent; `host` has no brackets."""

    text: str
    scheme: str
    host: str
    port: int
    target: str

    @property
    def origin(self) -> str:
        return self.text[: len(self.text) - len(self.target)]

    @property
    def authority(self) -> str:
        """The value of the Host header."""
        return self.origin.partition("://")[2]

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


def read_address(text: str) -> Address | Text:
    """The address, or what is wrong with the text."""
    if "#" in text:
        return msg("a fragment is never sent; leave it out")
    found = _PARTS.fullmatch(text)
    if found is None:
        return msg("write it as http:// or https://, a host in small letters, and a path that begins with /")
    scheme, host, port, path, query = found.groups()
    faults = (_host_problem(host), _port_problem(scheme, port), _path_problem(path), _query_problem(query))
    wrong = next((fault for fault in faults if fault is not None), None)
    target = path + (query or "")
    return wrong or Address(text, scheme, host.strip("[]"), int(port or _DEFAULT[scheme]), target)


def without_fragment(url: str) -> str:
    """A URL as a browser reports it, without the part that is never sent."""
    return url.partition("#")[0]


def _host_problem(host: str) -> Text | None:
    if _FOUR.fullmatch(host):
        return (
            None
            if all(int(part) < 256 for part in host.split("."))
            else msg("the address has no such number")
        )
    if _SIX.fullmatch(host):
        from ipaddress import AddressValueError, IPv6Address

        try:
            short = IPv6Address(host[1:-1]).compressed
        except AddressValueError:
            return msg("this is no IPv6 address")
        return None if short == host[1:-1] else msg("write the IPv6 address as [{short}]", short=short)
    if not _NAME.fullmatch(host):
        return msg("the host must be a name in small ASCII letters (others in their xn-- form) or an address")
    return None


def _port_problem(scheme: str, port: str | None) -> Text | None:
    if port is None:
        return None
    if port == _DEFAULT[scheme]:
        return msg("leave the default port {port} out", port=port)
    if not port or port.startswith("0") or len(port) > 5 or int(port) > 65535:
        return msg("this is no port")
    return None


def _path_problem(path: str) -> Text | None:
    if not _PATH.fullmatch(path):
        return msg("the path has a character that must be written as %XX, or that no URL may have")
    if any(_DOTS.fullmatch(segment) for segment in path.split("/")):
        return msg("the path has a segment . or ..; write where it leads")
    if _SLASHES.search(path):
        return msg("the path hides a slash, backslash or null (%2F, %5C, %00)")
    return None


def _query_problem(query: str | None) -> Text | None:
    if query is not None and not _QUERY.fullmatch(query[1:]):
        return msg("the query has a character that must be written as %XX")
    return None
