"""The login that one read borrows from the window: for each listed URL the cookies that a browser would send.

Invariant: values are in memory only and never shown; HttpOnly cookies are for the sender alone and never
enter the reading browser; a partitioned cookie counts only for the contract's own site.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Cookie:
    """One cookie as the window holds it; `partition` is the site that it is kept for, where it is."""

    name: str
    value: str = field(repr=False)
    domain: str
    path: str
    secure: bool
    http_only: bool
    same_site: str
    partition: str = ""


@dataclass(frozen=True, slots=True)
class Borrowed:
    """What one read may use: cookies by the URL that they are for, and the site's localStorage."""

    cookies: Mapping[str, tuple[Cookie, ...]] = field(default_factory=dict, repr=False)
    storage: Mapping[str, str] = field(default_factory=dict, repr=False)

    def header(self, url: str) -> str:
        """The Cookie header for a URL, longer paths first; empty where there is none."""
        found = sorted(self.cookies.get(url, ()), key=lambda cookie: -len(cookie.path))
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in found)

    def for_page(self) -> list[dict[str, Any]]:
        """The cookies that a page's own scripts could read, for the temporary context."""
        seen = {cookie for cookies in self.cookies.values() for cookie in cookies if not cookie.http_only}
        return [
            _as_given(cookie) for cookie in sorted(seen, key=lambda one: (one.domain, one.path, one.name))
        ]


def cookies_from(found: Iterable[Mapping[str, Any]], site: str) -> tuple[Cookie, ...]:
    """The usable ones of a browser's answer."""
    cookies = (
        Cookie(
            name=one["name"],
            value=one["value"],
            domain=one["domain"],
            path=one["path"],
            secure=bool(one.get("secure")),
            http_only=bool(one.get("httpOnly")),
            same_site=str(one.get("sameSite") or "Lax"),
            partition=str(one.get("partitionKey") or ""),
        )
        for one in found
    )
    return tuple(cookie for cookie in cookies if not cookie.partition or _within(site, cookie.partition))


def _within(site: str, partition: str) -> bool:
    host, key = urlsplit(site), urlsplit(partition)
    same = host.hostname == key.hostname or (host.hostname or "").endswith(f".{key.hostname}")
    return host.scheme == key.scheme and same


def _as_given(cookie: Cookie) -> dict[str, Any]:
    given: dict[str, Any] = {
        "name": cookie.name,
        "value": cookie.value,
        "domain": cookie.domain,
        "path": cookie.path,
        "secure": cookie.secure,
        "sameSite": cookie.same_site,
    }
    return {**given, "partitionKey": cookie.partition} if cookie.partition else given
