"""Which terminal this is.

Invariant: two processes have one terminal exactly when it controls the one session that both belong to; a
terminal that a program opens for itself is another one, or none, also where it gets a number that was in use
before.
"""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from dataclasses import dataclass

from ringwall.model.canonical import digest


@dataclass(frozen=True, slots=True)
class Terminal:
    """`device` is its number, `session` the process that leads its session, `started` when that began."""

    name: str
    device: int
    session: int
    started: str

    @property
    def digest(self) -> str:
        return digest({"device": self.device, "session": self.session, "started": self.started})


def terminal(handle: int = 0) -> Terminal | None:
    """The terminal behind an open file, None where it is none, or not the one of this session."""
    try:
        os.tcgetpgrp(handle)  # fails for any other terminal
        name = os.ttyname(handle)
        device = os.fstat(handle).st_rdev
    except OSError:
        return None
    session = os.getsid(0)
    return Terminal(name, device, session, _started(session))


def _started(process: int) -> str:
    with suppress(OSError, IndexError), open(f"/proc/{process}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()[19].decode()
    with suppress(OSError, subprocess.SubprocessError):
        words = ["ps", "-o", "lstart=", "-p", str(process)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=5, check=False)
        return " ".join(done.stdout.split())
    return ""
