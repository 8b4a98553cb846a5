"""Which processes belong to a stage: its daemon, and a hook client that waits for it.

Only processes of one state directory are ever found, so that no test touches another's.
"""

from __future__ import annotations

import fcntl
import os
import stat
import time
from pathlib import Path


def daemon_of(state: Path) -> int | None:
    """The daemon that holds the lock of `state`."""
    try:
        handle = os.open(state / "daemon.lock", os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return int(os.read(handle, 32))
    finally:
        os.close(handle)
    return None


def wait_for_daemon(state: Path) -> int:
    """The daemon of `state`, as soon as it listens."""
    for _ in range(600):
        daemon = daemon_of(state)
        if daemon is not None and (state / "daemon.sock").exists():
            return daemon
        time.sleep(0.05)
    raise AssertionError("no daemon came up")


def wait_for_client(state: Path) -> int:
    """A deciding hook client of `state` that has sent its call and waits for the reply."""
    for _ in range(1200):
        for process in Path("/proc").iterdir():
            if process.name.isdigit() and _waits(process, state):
                return int(process.name)
        time.sleep(0.05)
    raise AssertionError("no hook client came to wait")


def _waits(process: Path, state: Path) -> bool:
    try:
        words = (process / "cmdline").read_bytes().split(b"\0")
        environ = (process / "environ").read_bytes().split(b"\0")
        sleeping = (process / "stat").read_text().rpartition(")")[2].split()[0] == "S"
        client = any(Path(os.fsdecode(word)).name in ("ringwall-hook", "client.py") for word in words[:5])
        if not client or b"--notify" in words or f"RINGWALL_HOME={state}".encode() not in environ:
            return False
        return sleeping and any(_is_socket(handle) for handle in (process / "fd").iterdir())
    except OSError:
        return False


def _is_socket(handle: Path) -> bool:
    """The socket to the daemon; the first three may be sockets to the host."""
    return int(handle.name) > 2 and stat.S_ISSOCK(handle.stat().st_mode)
