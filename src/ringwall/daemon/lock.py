"""The lock that makes the daemon the only one of its state directory."""

from __future__ import annotations

import fcntl
import os

from ringwall.store.paths import StateDir


def take(state: StateDir) -> int | None:
    """The lock, held until the process ends; None where another process has it."""
    handle = os.open(state.lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
    return handle


def holder(state: StateDir) -> int | None:
    """The process id of the running daemon, None where there is none."""
    try:
        handle = os.open(state.lock, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        text = os.pread(handle, 32, 0).strip()
        return int(text) if text.isdigit() else 0
    finally:
        os.close(handle)
    return None
