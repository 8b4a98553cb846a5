"""The daemon: listens on a socket in the state directory until it has been idle for a while.

Invariant: a request that was accepted is answered or its connection is closed, never left waiting; while
the daemon ends, the socket's name is gone first, so that no new client can come too late.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Collection, Sequence

from ringwall import __version__
from ringwall.daemon.connection import Connection
from ringwall.daemon.parked import Parking, Undecided
from ringwall.daemon.protocol import Request
from ringwall.daemon.worker import Handler, Reply, Worker
from ringwall.judge.waiting import LOOK_SECONDS, Waiting
from ringwall.store.paths import StateDir

IDLE_SECONDS = 30 * 60.0
WATCH_SECONDS = 5.0
CONNECTIONS = 512
"""Open at once; more are closed, which their clients take for "no verdict"."""

_NAME = "daemon.sock"  # relative: the daemon stands in its state directory, whose path may be long


class Server:
    """One daemon. The caller holds the lock of the state directory."""

    def __init__(
        self, state: StateDir, handler: Handler, idle_seconds: float = IDLE_SECONDS,
        undecided: Undecided = lambda numbers: numbers,
    ) -> None:  # fmt: skip
        self._state = state
        self._idle_seconds = idle_seconds
        self._worker = Worker(handler, self._judged)
        self._undecided = undecided
        self._open: set[Connection] = set()
        self._requests: dict[Connection, tuple[Request, float]] = {}
        self._parking = Parking(self._put)
        self._looking = False
        self._judging = 0
        self._last = 0.0
        self._ending = asyncio.Event()

    async def run(self) -> None:
        """Serve until idle, ended by a signal, replaced, or outdated."""
        self._loop = asyncio.get_running_loop()
        self._last = self._loop.time()
        for number in (signal.SIGTERM, signal.SIGINT):
            self._loop.add_signal_handler(number, self._ending.set)
        listening = _listen(self._state)
        identity = _identity()
        server = await self._loop.create_unix_server(self._connection, sock=listening)
        self._worker.start()
        self._look()
        while not self._ending.is_set():
            await self._pause(min(WATCH_SECONDS, self._idle_seconds))
            if self._idle() or _identity() != identity:
                self._ending.set()
        if _identity() == identity:
            os.unlink(_NAME)
        await self._drain()
        server.close()
        self._worker.finish()
        await asyncio.sleep(0)  # lets the last answers out

    def _connection(self) -> Connection:
        return Connection(self._received, self._begun, self._ended)

    def _begun(self, connection: Connection) -> bool:
        self._open.add(connection)
        return len(self._open) <= CONNECTIONS

    def _ended(self, connection: Connection) -> None:
        self._open.discard(connection)
        self._requests.pop(connection, None)
        self._parking.forget(connection)

    def _received(self, connection: Connection, request: Request) -> None:
        self._last = self._loop.time()
        if request.version != __version__:
            connection.answer_other_version()
            self._ending.set()
            return
        self._requests[connection] = (request, self._last)
        self._put(connection, request)

    def _put(self, connection: Connection, request: Request) -> None:
        self._judging += 1
        self._worker.put(connection, request)

    def _judged(self, answers: Sequence[tuple[object, Reply]]) -> None:
        self._loop.call_soon_threadsafe(self._answer, answers)

    def _answer(self, answers: Sequence[tuple[object, Reply]]) -> None:
        self._judging -= len(answers)
        for connection, reply in answers:
            assert isinstance(connection, Connection)  # noqa: S101 - what `_received` put in
            if not isinstance(reply, Waiting):
                connection.answer(reply)
            elif connection in self._requests:  # else its client has gone
                request, since = self._requests[connection]
                self._parking.park(connection, request, reply, since)

    def _look(self) -> None:
        """Now and then, while calls wait for a person: see whether the person has decided."""
        self._loop.call_later(LOOK_SECONDS, self._look)
        if self._ending.is_set():
            self._parking.stop_all()
        elif len(self._parking) and not self._looking:
            self._looking = True
            numbers = self._parking.proposals
            self._worker.run(lambda: self._look_up(numbers))

    def _look_up(self, numbers: Sequence[int]) -> None:
        """In the worker's thread. What cannot be seen counts as undecided."""
        decided: Collection[int] = ()
        try:
            decided = frozenset(numbers) - frozenset(self._undecided(numbers))
        finally:
            self._loop.call_soon_threadsafe(self._seen, decided)

    def _seen(self, decided: Collection[int]) -> None:
        self._looking = False
        self._parking.look(decided, self._loop.time())

    def _idle(self) -> bool:
        return (
            not self._judging
            and not len(self._parking)
            and self._loop.time() - self._last >= self._idle_seconds
        )

    async def _pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._ending.wait()
        except TimeoutError:
            pass

    async def _drain(self) -> None:
        """Answer those who came before the socket's name was gone."""
        quiet = 0
        while quiet < 3:
            await asyncio.sleep(0.01)
            quiet = 0 if self._judging or self._open else quiet + 1


def _listen(state: StateDir) -> socket.socket:
    """A listening socket. It gets its name when it listens, so that no client finds it too early."""
    os.chdir(state.path)
    coming = f"{_NAME}.new"
    if os.path.lexists(coming):
        os.unlink(coming)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listening.bind(coming)
    finally:
        os.umask(before)
    listening.listen(CONNECTIONS)
    listening.setblocking(False)
    os.replace(coming, _NAME)
    return listening


def _identity() -> tuple[int, int]:
    try:
        entry = os.lstat(_NAME)
    except OSError:
        return (0, 0)
    return (entry.st_dev, entry.st_ino)
