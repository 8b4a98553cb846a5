"""What every request must be before anything of it is looked at.

Invariant: only requests to `localhost` at our own port are answered; what changes something is taken only
from our own pages, in our own form encoding, within bounds; and every answer forbids the browser to load,
embed, keep or pass on anything of it elsewhere.
"""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ringwall.console.forms import FORM, MOST_BYTES

SAFE = frozenset({"GET", "HEAD"})
MOST_QUERY = 8 * 1024

HEADERS = {
    "content-security-policy": (
        "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
_FOREIGN_READS = frozenset({"cors", "no-cors", "websocket"})


class Guard:
    """Refuses with a plain sentence, or hands on."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._host = f"localhost:{port}"
        self._origin = f"http://{self._host}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await PlainTextResponse(refusal[1] + "\n", refusal[0])(scope, receive, sealed)
            return
        await self._app(scope, receive, sealed)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Status and sentence, or None where there is nothing to say against it."""
        if scope["type"] != "http":
            return 400, "Only HTTP is spoken here."
        headers = Headers(scope=scope)
        if headers.getlist("host") != [self._host]:
            return 421, f"This console is at {self._origin}/ and nowhere else."
        if len(scope["query_string"]) > MOST_QUERY:
            return 414, "The address is too long."
        if scope["method"] in SAFE:
            return _unwanted_read(headers)
        if scope["method"] != "POST":
            return 405, "Only GET and POST are known here."
        return self._unwanted_act(headers)

    def _unwanted_act(self, headers: Headers) -> tuple[int, str] | None:
        if headers.getlist("origin") != [self._origin]:
            return 403, "This did not come from a page of this console (Origin)."
        if headers.getlist("sec-fetch-site") != ["same-origin"]:
            return 403, "This did not come from a page of this console (Sec-Fetch-Site)."
        kind, _, parameters = headers.get("content-type", "").partition(";")
        if kind.strip().lower() != FORM or parameters.strip().lower() not in ("", "charset=utf-8"):
            return 415, f"Only {FORM} is read here."
        length = headers.get("content-length", "")
        if not (length.isascii() and length.isdigit()) or "transfer-encoding" in headers:
            return 411, "The length of the form is not given."
        if int(length) > MOST_BYTES:
            return 413, f"A form has at most {MOST_BYTES} bytes."
        return None


def _unwanted_read(headers: Headers) -> tuple[int, str] | None:
    """Another site may link here, and that is all."""
    site, mode = headers.get("sec-fetch-site", ""), headers.get("sec-fetch-mode", "")
    if site in ("cross-site", "same-site") and (mode in _FOREIGN_READS or "origin" in headers):
        return 403, "Pages of other places do not read this one."
    return None
