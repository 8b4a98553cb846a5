"""The headers under which a listed answer is handed to the browser: ours, and no other than its type.

Invariant: nothing that a server writes into its headers reaches the browser (cookies, links, refresh,
reporting, speculation), and each page is told to reach nothing but the contract's own URLs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ringwall.reading.contract import Request

_DENIED_FEATURES = (
    "attribution-reporting", "bluetooth", "browsing-topics", "camera", "deferred-fetch",
    "deferred-fetch-minimal", "display-capture", "geolocation", "hid", "identity-credentials-get",
    "join-ad-interest-group", "local-network-access", "microphone", "otp-credentials", "payment",
    "private-state-token-issuance", "private-state-token-redemption", "publickey-credentials-create",
    "publickey-credentials-get", "run-ad-auction", "serial", "shared-storage", "storage-access", "usb",
)  # fmt: skip
_PATTERN_SIGNS = frozenset("*+?(){}\\")
_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+(?:\s*;\s*[\x20-\x7e]*)?")


def answer_headers(content_type: str, requests: Iterable[Request]) -> dict[str, str]:
    """The whole header of one answer."""
    urls = sorted({request.url for request in requests})
    safe = content_type if _TYPE.fullmatch(content_type) else "application/octet-stream"
    return {
        "content-type": safe,
        "content-security-policy": content_policy(urls),
        "connection-allowlist": connection_allowlist(urls),
        "permissions-policy": ", ".join(f"{name}=()" for name in _DENIED_FEATURES),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "x-dns-prefetch-control": "off",
        "referrer-policy": "no-referrer",
    }


def content_policy(urls: Iterable[str]) -> str:
    """No worker, plugin, form or base; everything else from the listed URLs only."""
    listed = " ".join(url.partition("?")[0].replace(";", "%3B").replace(",", "%2C") for url in urls)
    return (
        f"default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' {listed}; "
        f"style-src 'unsafe-inline' {listed}; img-src data: blob: {listed}; font-src data: {listed}; "
        f"media-src blob: {listed}; connect-src {listed}; frame-src {listed}; manifest-src 'none'; "
        "worker-src 'none'; object-src 'none'; form-action 'none'; base-uri 'none'; "
        "fenced-frame-src 'none'; webrtc 'block'"
    )


def connection_allowlist(urls: Iterable[str]) -> str:
    """The listed URLs as patterns that match nothing else, in the form of a structured header."""
    return "(" + " ".join(f'"{_pattern(url)}"' for url in urls) + ")"


def _pattern(url: str) -> str:
    scheme, separator, rest = url.partition("://")
    return scheme + separator + "".join(f"\\\\{sign}" if sign in _PATTERN_SIGNS else sign for sign in rest)
