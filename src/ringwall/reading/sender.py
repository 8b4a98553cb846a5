"""Sends the contract's own requests, and nothing of the page's.

Invariant: what goes out is made of the contract's bytes, the borrowed cookies and a fixed Accept; no redirect
is followed, nothing is tried twice, and an answer that is not 2xx or too large is a failure.
"""

from __future__ import annotations

import ssl
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ringwall.reading import limits
from ringwall.reading.contract import Request
from ringwall.reading.cookies import Borrowed
from ringwall.reading.failures import ReadFailed, without_extra

if TYPE_CHECKING:
    import httpx

ACCEPT = "*/*"
DOCUMENT_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
_IDENTITY = ("", "identity")
_DEFLATED = ("gzip", "x-gzip", "deflate")


@dataclass(frozen=True, slots=True)
class Answer:
    """A 2xx answer; `content_type` is all that is kept of its header."""

    status: int
    content_type: str
    body: bytes


class Sender:
    """One pool of connections, kept between reads; it has no cookies, no proxy and no environment."""

    def __init__(self, ca_file: str = "") -> None:
        try:
            import httpx
        except ImportError as error:
            raise without_extra("httpx") from error
        self._httpx = httpx
        self._transport = httpx.AsyncHTTPTransport(
            verify=ssl.create_default_context(cafile=ca_file or None), trust_env=False, http2=False, retries=0
        )

    async def send(self, request: Request, borrowed: Borrowed, document: bool, room: int) -> Answer:
        """The answer to a listed request, of at most `room` bytes. Raises `ReadFailed`."""
        try:
            response = await self._transport.handle_async_request(self._composed(request, borrowed, document))
            try:
                if not 200 <= response.status_code < 300:
                    raise ReadFailed(f"{request.id} was answered with status {response.status_code}")
                body = await _body(response, request.id, min(room, limits.BODY_BYTES))
                return Answer(response.status_code, response.headers.get("content-type", ""), body)
            finally:
                await response.aclose()
        except (self._httpx.HTTPError, ssl.SSLError, OSError, zlib.error) as error:
            raise ReadFailed(f"{request.id} could not be sent ({type(error).__name__})") from error

    async def close(self) -> None:
        await self._transport.aclose()

    def _composed(self, request: Request, borrowed: Borrowed, document: bool) -> httpx.Request:
        address = request.address
        cookie = borrowed.header(request.url)
        headers = [("Host", address.authority), ("Accept", DOCUMENT_ACCEPT if document else ACCEPT)]
        headers += [("Cookie", cookie)] if cookie else []
        headers += [("Content-Type", request.content_type)] if request.content_type else []
        composed = self._httpx.Request(
            request.method,
            request.url,
            headers=headers,
            content=request.body.encode() or None,
            extensions={
                "target": address.target.encode("ascii"),
                "timeout": dict.fromkeys(("connect", "read", "write", "pool"), limits.LOAD_SECONDS),
            },
        )
        if request.method == "POST" and not request.body:
            composed.headers["Content-Length"] = "0"
        return composed


async def _body(response: httpx.Response, name: str, most: int) -> bytes:
    coding = response.headers.get("content-encoding", "").strip().lower()
    if coding not in (*_IDENTITY, *_DEFLATED):
        raise ReadFailed(f"{name} came in the coding {coding!r}, which was not asked for")
    inflate = zlib.decompressobj(wbits=47) if coding in _DEFLATED else None
    body = bytearray()
    async for chunk in _chunks(response):
        body += inflate.decompress(chunk, most + 1 - len(body)) if inflate else chunk
        if len(body) > most:
            raise ReadFailed(f"{name} is larger than {most} bytes")
    return bytes(body)


async def _chunks(response: httpx.Response) -> AsyncIterator[bytes]:
    async for chunk in response.aiter_raw():
        yield chunk
