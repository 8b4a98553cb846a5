"""The daemon: listens on a socket in the state directory until it has been idle for a while.

One thread reads, judges and answers: whatever is waiting when it comes back from judging is the next group.
A call that waits for a person is parked meanwhile.

Invariant: a request that was accepted is answered or its connection is closed, never left waiting; while
the daemon ends, the socket's name is gone first, so that no new client can come too late.
"""

from __future__ import annotations

import math
import os
import selectors
import signal
import socket
import time
from contextlib import suppress
from dataclasses import replace

from ringwall import __version__
from ringwall.daemon import protocol
from ringwall.daemon.connection import Connection
from ringwall.daemon.group import GROUP, Handler, judged
from ringwall.daemon.parked import Parking, Undecided
from ringwall.daemon.peer import is_own
from ringwall.daemon.protocol import Malformed, Request
from ringwall.judge.waiting import LOOK_SECONDS, Waiting
from ringwall.store.paths import StateDir

IDLE_SECONDS = 30 * 60.0
WATCH_SECONDS = 5.0
REQUEST_SECONDS = 30.0
"""How long a client may take to hand its request over or to take its reply."""
CONNECTIONS = 512
"""Open at once; more are closed, which their clients take for "no verdict"."""

_NAME = "daemon.sock"  # relative: the daemon stands in its state directory, whose path may be long


class Server:
    """One daemon. The caller holds the lock of the state directory."""

    def __init__(
        self, state: StateDir, handler: Handler, idle_seconds: float = IDLE_SECONDS,
        undecided: Undecided = tuple,
    ) -> None:  # fmt: skip
        self._state = state
        self._handler = handler
        self._idle_seconds = idle_seconds
        self._ready = selectors.DefaultSelector()
        self._open: set[Connection] = set()
        self._parking = Parking(undecided)
        self._waiting: list[tuple[Connection, Request]] = []
        self._last = 0.0
        self._ending = False

    def run(self) -> None:
        """Serve until idle, ended by a signal, replaced, or outdated."""
        self._listening = _listen(self._state)
        identity = _identity()
        self._ready.register(self._listening, selectors.EVENT_READ)
        self._wake_for_signals()
        self._last = time.monotonic()
        while not self._ending:
            self._turn(min(WATCH_SECONDS, self._idle_seconds))
            if self._idle() or _identity() != identity:
                self._ending = True
        if _identity() == identity:
            os.unlink(_NAME)
        self._drain()
        self._listening.close()

    def _turn(self, seconds: float) -> None:
        """Wait for something to do, at most so long, and do it."""
        for key, _ in self._ready.select(min(seconds, LOOK_SECONDS) if len(self._parking) else seconds):
            if key.fileobj is self._listening:
                self._accept()
            elif isinstance(key.data, Connection):
                if key.data in self._open:
                    self._go_on(key.data)
            else:
                self._woken.recv(64)
        self._look_at_parked(time.monotonic())
        while self._waiting:
            group, self._waiting = self._waiting[:GROUP], self._waiting[GROUP:]
            replies = judged(self._handler, [request for _, request in group])
            for (connection, request), reply in zip(group, replies, strict=True):
                if isinstance(reply, Waiting):
                    self._parking.park(connection, request, reply)
                    self._ready.register(connection.peer, selectors.EVENT_READ, connection)
                else:
                    self._answer(connection, protocol.reply_frame(reply))
            self._last = time.monotonic()
        self._close_late()

    def _look_at_parked(self, now: float) -> None:
        """Judge again what a person has decided; stop what has waited long enough, or all at the end."""
        for parked in self._parking.decided(now):
            self._unpark(parked.connection, now)
            self._waiting.append((parked.connection, replace(parked.request, waited=True)))
        for parked in self._parking.late(math.inf if self._ending else now):
            self._unpark(parked.connection, now)
            self._answer(parked.connection, protocol.reply_frame(parked.waiting.otherwise))

    def _unpark(self, connection: Connection, now: float) -> None:
        self._ready.unregister(connection.peer)
        connection.begun = now  # so much time to take the reply

    def _accept(self) -> None:
        """Take all who have come; most have sent their request already."""
        with suppress(BlockingIOError):
            while True:
                try:
                    peer, _ = self._listening.accept()
                except BlockingIOError:
                    raise
                except OSError:
                    return self._make_room()
                connection = Connection(peer, time.monotonic())
                self._open.add(connection)
                if len(self._open) > CONNECTIONS or not is_own(peer):
                    self._close(connection)
                else:
                    self._read(connection)

    def _make_room(self) -> None:
        """No descriptor is left for who knocks: close the one that has kept us waiting longest."""
        kept = [
            key.data
            for key in self._ready.get_map().values()
            if isinstance(key.data, Connection) and key.data not in self._parking
        ]
        if not kept:
            time.sleep(0.01)
            return
        oldest = min(kept, key=lambda one: one.begun)
        self._ready.unregister(oldest.peer)
        self._close(oldest)

    def _go_on(self, connection: Connection) -> None:
        self._ready.unregister(connection.peer)
        if connection in self._parking:
            self._close(connection)  # its client has gone, or says more than it may
        elif connection.answering:
            self._answer(connection)
        else:
            self._read(connection)

    def _read(self, connection: Connection) -> None:
        try:
            request = connection.read()
        except (Malformed, UnicodeError, OSError):
            self._close(connection)
            return
        if request is None:
            self._ready.register(connection.peer, selectors.EVENT_READ, connection)
        elif request.version != __version__:
            self._answer(connection, protocol.other_version_frame())
            self._ending = True
        else:
            self._waiting.append((connection, request))

    def _answer(self, connection: Connection, frame: bytes = b"") -> None:
        """Give an answer, or what is left of one, and close."""
        with suppress(OSError):
            if not connection.write(frame):
                self._ready.register(connection.peer, selectors.EVENT_WRITE, connection)
                return
        self._close(connection)

    def _close(self, connection: Connection) -> None:
        self._open.discard(connection)
        self._parking.forget(connection)
        connection.peer.close()

    def _close_late(self) -> None:
        limit = time.monotonic() - REQUEST_SECONDS
        for connection in [one for one in self._open if one.begun < limit and one not in self._parking]:
            self._ready.unregister(connection.peer)
            self._close(connection)

    def _idle(self) -> bool:
        return not len(self._parking) and time.monotonic() - self._last >= self._idle_seconds

    def _drain(self) -> None:
        """Answer those who came before the socket's name was gone."""
        quiet = 0
        while quiet < 3:
            self._turn(0.01)
            quiet = 0 if self._open else quiet + 1

    def _wake_for_signals(self) -> None:
        """Let a signal end the waiting, for it may come between a look at `_ending` and the wait."""
        self._woken, waking = socket.socketpair()
        waking.setblocking(False)
        self._ready.register(self._woken, selectors.EVENT_READ)
        signal.set_wakeup_fd(waking.detach(), warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._end)

    def _end(self, *_: object) -> None:
        self._ending = True


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
