"""Where the console listens, as its lock file says.

Invariant: read only, and never trusted for more than keeping agents away from what it names.
"""

from __future__ import annotations

import fcntl
import json
import os
from dataclasses import dataclass

from ringwall.store.paths import StateDir

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The console's process and port."""

    pid: int
    port: int

    @property
    def name(self) -> str:
        return f"localhost:{self.port}"


def endpoint(state: StateDir) -> Endpoint | None:
    """The console that runs now, None where none does."""
    try:
        handle = os.open(state.console, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return _read(os.pread(handle, _LONGEST, 0))
    finally:
        os.close(handle)
    return None


def _read(content: bytes) -> Endpoint | None:
    try:
        told = json.loads(content)
        return Endpoint(int(told["pid"]), int(told["port"]))
    except (ValueError, KeyError, TypeError):
        return None
