"""Serving the console on this machine.

Invariant: one console per state directory; it listens on loopback alone, at every address that `localhost`
has, so that nobody else can answer there under its name.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import uvicorn

from ringwall.console.app import app
from ringwall.console.console import Console
from ringwall.console.registry import pages
from ringwall.judge.endpoint import Endpoint
from ringwall.model.errors import StateError, UsageError
from ringwall.model.text import msg
from ringwall.store.paths import StateDir

PORT = 7464
"""The usual port: RING on the keys of a telephone."""

_TRIES = 5
_LOOPBACK = ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"))


@contextmanager
def listening(state: StateDir, port: int) -> Iterator[tuple[list[socket.socket], Endpoint]]:
    """The sockets of the one console of this state directory. Raises `StateError` and `UsageError`."""
    pages()  # one that cannot be loaded is told before anything is served
    state.prepare()
    handle = os.open(state.console, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        _lock(handle, state)
        sockets = _bound(port)
        try:
            here = Endpoint(os.getpid(), sockets[0].getsockname()[1])
            os.ftruncate(handle, 0)
            os.pwrite(handle, json.dumps({"pid": here.pid, "port": here.port}).encode(), 0)
            yield sockets, here
        finally:
            for one in sockets:
                one.close()
    finally:
        os.close(handle)


def run(
    state: StateDir,
    sockets: list[socket.socket],
    here: Endpoint,
    translate: Callable[[str], str],
    language: str,
) -> None:
    """Answer until the process is told to end."""
    console = Console(state, here.port, translate, language)
    config = uvicorn.Config(
        app(console),
        access_log=False,
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        ws="none",
        http="h11",
        loop="asyncio",
        timeout_keep_alive=10,
        timeout_graceful_shutdown=1,
        limit_concurrency=128,
    )
    try:
        uvicorn.Server(config).run(sockets)
    finally:
        console.close()


def _lock(handle: int, state: StateDir) -> None:
    for _ in range(10):  # whoever looks whether a console runs holds the lock for a moment
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise StateError(
        "console.running",
        msg("A console runs already for this state."),
        msg("Open it: ringwall open"),
        state.console,
    )


def _bound(port: int) -> list[socket.socket]:
    """One socket per address of `localhost`, all at one port. A free port may be taken at the other address,
    so another one is tried then."""
    for _ in range(0 if port else _TRIES):
        with suppress(UsageError):
            return _bound_at(port)
    return _bound_at(port)


def _bound_at(port: int) -> list[socket.socket]:
    """The second address only where there is one."""
    found: list[socket.socket] = []
    try:
        for family, address in _LOOPBACK:
            one = socket.socket(family, socket.SOCK_STREAM)
            found.append(one)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            one.bind((address, port))
            one.listen(128)
            port = found[0].getsockname()[1]
    except OSError as fault:
        absent = fault.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
        if absent and len(found) > 1:
            with suppress(OSError):
                found.pop().close()
            return found
        for one in found:
            one.close()
        raise UsageError(
            "console.port",
            msg("Port {port} cannot be had: {fault}.", port=port, fault=fault.strerror or fault),
            msg("Choose another with --port, or any free one with --port 0."),
            "--port",
        ) from fault
    return found
