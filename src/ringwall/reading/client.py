"""Asks the reading process, and starts it where it does not run.

Invariant: one question per connection; closing the connection takes the question back. The process inherits
nothing of its starter but a short list of variables.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec

from ringwall.model.errors import RingwallError
from ringwall.model.text import msg
from ringwall.reading.failures import refused
from ringwall.reading.protocol import REPLY_BYTES, Asked, Close, Open, Reply, Status, result_of
from ringwall.store.paths import StateDir

SOCKET = "reading.sock"
LOG = "reading.log"
MODULE = "ringwall.daemon.reading"

_KEPT = (
    "HOME", "USER", "LOGNAME", "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "RINGWALL_HOME", "DISPLAY",
    "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "XDG_CONFIG_HOME",
    "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "PLAYWRIGHT_BROWSERS_PATH",
)  # fmt: skip
_START_SECONDS = 20.0
_LONG_PATH = 100


class Question:
    """One question, which whoever asked can take back from another thread."""

    def __init__(
        self, state: StateDir, asked: Asked, environ: Mapping[str, str], seconds: float = 120.0
    ) -> None:
        self._state = state
        self._asked = asked
        self._environ = environ
        self._seconds = seconds
        self._peer: socket.socket | None = None
        self._back = False

    def answer(self) -> dict[str, Any]:
        """Raises `RingwallError`: the refusal, or that nobody answered."""
        peer = self._peer = self._reached()
        with peer:
            try:
                peer.settimeout(self._seconds)
                if not self._back:
                    peer.sendall(msgspec.json.encode(self._asked) + b"\n")
                return result_of(msgspec.json.decode(_line(peer), type=Reply))
            except (OSError, msgspec.DecodeError) as error:
                raise refused(
                    "no_answer",
                    msg("The reading process did not answer: {why}.", why=error or type(error).__name__),
                    msg("See {log}, and try `ringwall reading open`.", log=f"{self._state.path}/{LOG}"),
                ) from error

    def take_back(self) -> None:
        """Nobody waits for the answer any more: what was begun for it is ended."""
        self._back = True
        if self._peer is not None:
            with suppress(OSError):
                self._peer.shutdown(socket.SHUT_RDWR)

    def _reached(self) -> socket.socket:
        peer = _connected(self._state)
        if peer is not None:
            return peer
        if not isinstance(self._asked, Open):
            raise not_open()
        _start(self._state, self._environ)
        return _connected_soon(self._state)


def ask(state: StateDir, asked: Asked, environ: Mapping[str, str], seconds: float = 120.0) -> dict[str, Any]:
    """The answer. Raises `RingwallError`: the refusal, or that nobody answered."""
    return Question(state, asked, environ, seconds).answer()


def running(state: StateDir) -> bool:
    peer = _connected(state)
    if peer is not None:
        peer.close()
    return peer is not None


def status(state: StateDir, environ: Mapping[str, str]) -> dict[str, Any] | None:
    """What the process says of itself; None where it does not run."""
    return ask(state, Status(), environ, 20) if running(state) else None


def close(state: StateDir, environ: Mapping[str, str]) -> bool:
    """End it; whether it ran."""
    if not running(state):
        return False
    ask(state, Close(), environ, 30)
    return True


def not_open() -> RingwallError:
    return refused(
        "not_open",
        msg("The login window is not open."),
        msg("Open it with browser_open or `ringwall reading open`; a person logs in there."),
    )


def _connected(state: StateDir) -> socket.socket | None:
    peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    folder = -1
    try:
        path = f"{state.path}/{SOCKET}"
        if len(os.fsencode(path)) > _LONG_PATH and os.path.isdir("/proc/self/fd"):
            folder = os.open(state.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            path = f"/proc/self/fd/{folder}/{SOCKET}"
        peer.connect(path)
    except OSError:
        peer.close()
        return None
    finally:
        if folder >= 0:
            os.close(folder)
    return peer


def _connected_soon(state: StateDir) -> socket.socket:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end:
        if (peer := _connected(state)) is not None:
            return peer
        time.sleep(0.05)
    raise refused(
        "not_started",
        msg("The reading process did not start."),
        msg("See {log}.", log=f"{state.path}/{LOG}"),
    )


def _start(state: StateDir, environ: Mapping[str, str]) -> None:
    state.prepare()
    log = os.open(f"{state.path}/{LOG}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        subprocess.Popen(
            [sys.executable, "-E", "-P", "-m", MODULE, state.path],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", start_new_session=True,
            env={name: environ[name] for name in _KEPT if name in environ},
        )  # fmt: skip
    finally:
        os.close(log)


def _line(peer: socket.socket) -> bytes:
    got = bytearray()
    while not got.endswith(b"\n"):
        chunk = peer.recv(1 << 16)
        if not chunk or len(got) > REPLY_BYTES:
            raise ConnectionError("the connection ended early")
        got += chunk
    return bytes(got)
