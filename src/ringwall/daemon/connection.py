"""One client's connection: a request in, a reply out.

Invariant: only a complete request is handed on; anything else is `Malformed`. Nothing here ever waits.
"""

from __future__ import annotations

import socket

from ringwall.daemon import protocol
from ringwall.daemon.protocol import HEAD_SIZE, Malformed, Request

_ROOM = 256 * 1024


class Connection:
    """A connection that was accepted at the moment `begun`."""

    def __init__(self, peer: socket.socket, begun: float) -> None:
        self.peer, self.begun = peer, begun
        self._got = bytearray()
        self._end = 0
        self._left = memoryview(b"")

    def read(self) -> Request | None:
        """The request, or None while a part of it is missing. Raises `Malformed` and `OSError`."""
        while True:
            try:
                part = self.peer.recv(_ROOM, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return None
            if not part:
                raise Malformed
            self._got += part
            if not self._end and len(self._got) >= HEAD_SIZE:
                self._end = HEAD_SIZE + sum(protocol.sizes(self._got))
            if self._end and len(self._got) >= self._end:
                return self._request()

    def write(self, frame: bytes) -> bool:
        """Send `frame`, or with nothing given what is left of it; whether all is gone. Raises `OSError`."""
        self._left = memoryview(frame) if frame else self._left
        while self._left:
            try:
                self._left = self._left[self.peer.send(self._left, socket.MSG_DONTWAIT) :]
            except BlockingIOError:
                return False
        return True

    @property
    def answering(self) -> bool:
        return bool(self._left)

    def _request(self) -> Request:
        if len(self._got) > self._end:
            raise Malformed
        got, self._got = bytes(self._got), bytearray()
        start = HEAD_SIZE + protocol.sizes(got)[0]
        return protocol.request(got[HEAD_SIZE:start], got[start:])
