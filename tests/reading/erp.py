"""A small application behind a login, for tests: it counts what it is asked to do and keeps every request."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass, field
from typing import Any

HOST = "127.0.0.1"
SESSION = "sid=s3ss1on"
_PIXEL = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")


@dataclass(frozen=True, slots=True)
class Came:
    """One request as it arrived."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


@dataclass(slots=True)
class Erp:
    """Pages by target; `{base}` in them is the application's own address."""

    pages: dict[str, tuple[int, dict[str, str], str]] = field(default_factory=dict)
    came: list[Came] = field(default_factory=list)
    writes: int = 0
    delay: float = 0.0
    port: int = 0
    _server: asyncio.Server | None = None

    @property
    def base(self) -> str:
        return f"http://{HOST}:{self.port}/erp/"

    def page(self, name: str, html: str, status: int = 200, **headers: str) -> None:
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        self.pages[f"/erp/{name}"] = (status, {"content-type": "text/html", **named}, html)

    def targets(self) -> list[str]:
        return [f"{one.method} {one.target.removeprefix('/erp/')}" for one in self.came]

    async def __aenter__(self) -> Erp:
        self._server = await asyncio.start_server(self._serve, HOST, self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_error: object) -> None:
        assert self._server is not None
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                method, target, _ = head[0].split(" ", 2)
                headers = {
                    k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head[1:]) if k
                }
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                self.came.append(Came(method, target, headers, body))
                await asyncio.sleep(self.delay)
                writer.write(self._answer(method, target))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def _answer(self, method: str, target: str) -> bytes:
        status, headers, text = self.pages.get(target, (404, {"content-type": "text/plain"}, "none"))
        if method == "POST" or target.startswith("/erp/write"):
            self.writes += target not in ("/erp/query",)
        body = _PIXEL if target.endswith(".gif") else text.replace("{base}", self.base).encode()
        lines = [
            f"HTTP/1.1 {status} X",
            *(f"{k}: {v}" for k, v in headers.items()),
            f"content-length: {len(body)}",
        ]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def contract(erp: Erp, route: str, *requests: tuple[str, str, str, str], **changes: Any) -> dict[str, Any]:
    """A contract for one page and the requests (name, method, body, content type) beside it."""
    rows = [(route, "GET", "", ""), *requests]
    listed = [
        {"id": f"r{n}", "url": erp.base + name, "method": method, "body": body, "contentType": kind}
        for n, (name, method, body, kind) in enumerate(rows)
    ]
    names = [one["id"] for one in listed]
    return {
        "format": 1, "id": "test-v1", "siteUrl": erp.base,
        "scope": {"site": "fixture", "account": "reader", "tenant": "demo", "role": "reader"},
        "reviewBasis": "The application of this test, all of whose code stands beside it.",
        "requests": listed,
        "routes": [{"id": "it", "label": "It", "url": erp.base + route, "requests": names}],
        **changes,
    }  # fmt: skip
