"""`python -m ringwall.daemon.reading STATE`: the process that has the login window and the reader.

Invariant: one per state directory; only this user is answered; a question whose asker has gone is taken back,
and what it had opened is closed. It ends when the window is closed.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import socket
import sys
from contextlib import suppress
from typing import Any

import msgspec

from ringwall.daemon.peer import is_own
from ringwall.judge.failures import unforeseen
from ringwall.judge.reading import ReadingDesk
from ringwall.model.errors import RingwallError
from ringwall.reading.client import SOCKET
from ringwall.reading.protocol import MOST_BYTES, Close, Reply, read_request, reply_of
from ringwall.store.paths import StateDir

LOCK = "reading.lock"
IDLE_SECONDS = 30.0
"""So long after its window was closed, or was never opened, the process ends."""


class Server:
    """Serves one desk until its window is closed."""

    def __init__(self, desk: ReadingDesk) -> None:
        self._desk = desk
        self._ending = asyncio.Event()
        self._busy = 0

    async def run(self) -> None:
        with suppress(FileNotFoundError):
            os.unlink(SOCKET)
        before = os.umask(0o177)
        try:
            server = await asyncio.start_unix_server(self._serve, SOCKET, limit=MOST_BYTES)
        finally:
            os.umask(before)
        async with server:
            await self._until_the_end()
            with suppress(FileNotFoundError):
                os.unlink(SOCKET)
        await self._desk.close()

    def end(self) -> None:
        """End soon."""
        self._ending.set()

    async def _until_the_end(self) -> None:
        idle = 0.0
        while not self._ending.is_set() and idle < IDLE_SECONDS:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), 1.0)
            idle = 0.0 if self._desk.open or self._busy else idle + 1.0

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._busy += 1
        try:
            peer: socket.socket = writer.get_extra_info("socket")
            if is_own(socket.socket(fileno=os.dup(peer.fileno()))):
                writer.write(msgspec.json.encode(await self._reply(reader)) + b"\n")
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, ValueError, asyncio.CancelledError):
            pass  # whoever asked has gone
        finally:
            self._busy -= 1
            writer.close()

    async def _reply(self, reader: asyncio.StreamReader) -> Reply:
        """The answer to one line. Raises `CancelledError` when the asker hangs up before it is there."""
        try:
            asked = read_request(await reader.readuntil(b"\n"))
        except RingwallError as error:
            return reply_of(error)
        if isinstance(asked, Close):
            self._ending.set()
            return Reply(result={"closed": True})
        answering = asyncio.ensure_future(self._desk.answer(asked))
        gone = asyncio.ensure_future(reader.read(1))
        await asyncio.wait({answering, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not answering.done():
            answering.cancel()
            await asyncio.wait({answering})
        gone.cancel()
        return _reply_of(answering)


def _reply_of(answering: asyncio.Future[dict[str, Any]]) -> Reply:
    try:
        return Reply(result=answering.result())
    except RingwallError as error:
        return reply_of(error)
    except Exception as error:
        return reply_of(unforeseen(error))


def main() -> int:
    state = StateDir(sys.argv[1])
    state.prepare()
    os.chdir(state.path)
    lock = os.open(LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return 0
    asyncio.run(_run(state))
    return 0


async def _run(state: StateDir) -> None:
    server = Server(ReadingDesk(state))
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, server.end)
    await server.run()


if __name__ == "__main__":
    sys.exit(main())
