"""One client's connection: a request in, a reply out.

Invariant: only a complete request of this user is judged; anything else is closed without a word.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

from ringwall.daemon import protocol
from ringwall.daemon.peer import is_own
from ringwall.daemon.protocol import HEAD_SIZE, Malformed, Request
from ringwall.hosts.protocol import HookReply

REQUEST_SECONDS = 30.0
"""How long a client may take to hand its request over."""


class Connection(asyncio.Protocol):
    """`received` gets the finished request; `ended` is told when the connection is gone."""

    def __init__(
        self,
        received: Callable[[Connection, Request], None],
        begun: Callable[[Connection], bool],
        ended: Callable[[Connection], None],
    ) -> None:
        self._received, self._begun, self._ended = received, begun, ended
        self._buffer = bytearray()
        self._sizes: tuple[int, int] | None = None
        self._transport: asyncio.Transport | None = None
        self._limit: asyncio.TimerHandle | None = None
        self._complete = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - what a stream server makes
        self._transport = transport
        peer: socket.socket = transport.get_extra_info("socket")
        if not self._begun(self) or not is_own(peer):
            transport.abort()
            return
        self._limit = asyncio.get_running_loop().call_later(REQUEST_SECONDS, transport.abort)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        try:
            self._take()
        except (Malformed, UnicodeError):
            self.close()

    def connection_lost(self, error: Exception | None) -> None:
        if self._limit is not None:
            self._limit.cancel()
        self._buffer.clear()
        self._ended(self)

    def answer(self, reply: HookReply) -> None:
        self._send(protocol.reply_frame(reply))

    def answer_other_version(self) -> None:
        self._send(protocol.other_version_frame())

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def _take(self) -> None:
        if self._complete:
            raise Malformed
        if self._sizes is None and len(self._buffer) >= HEAD_SIZE:
            self._sizes = protocol.sizes(bytes(self._buffer[:HEAD_SIZE]))
        if self._sizes is None:
            return
        start, end = HEAD_SIZE + self._sizes[0], HEAD_SIZE + sum(self._sizes)
        if len(self._buffer) > end:
            raise Malformed
        if len(self._buffer) == end:
            self._complete = True
            request = protocol.request(bytes(self._buffer[HEAD_SIZE:start]), bytes(self._buffer[start:]))
            self._buffer.clear()
            if self._limit is not None:
                self._limit.cancel()
            self._received(self, request)

    def _send(self, frame: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(frame)
            self._transport.close()
