"""What a session shows already, read from where its host keeps it.

Invariant: reading only, and bounded; what cannot be read shows nothing, so that a hint is rather told again
than lost.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator

from ringwall.hosts.transcripts.surface import shown
from ringwall.model.step import Step

MOST_BYTES = 64 * 1024 * 1024
"""Of a transcript, from its end. What a session shows after more than that was compacted long ago."""

_LONGEST = 1024 * 1024
_CHUNK = 65_536


def surface_of(step: Step) -> Iterable[str]:
    """The texts that hooks have told the session and that it still shows."""
    if step.emptied:
        return ()
    return step.surface + (shown(_lines(step.transcript)) if step.transcript.startswith("/") else ())


def _lines(path: str) -> Iterator[bytes | None]:
    """The lines at the end of a file, as far as the bound; None for one that is too long."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError):
        return
    with os.fdopen(handle, "rb", buffering=_LONGEST) as file:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            return
        try:
            file.seek(max(0, about.st_size - MOST_BYTES))
            while line := file.readline(_LONGEST):
                whole = line.endswith(b"\n")
                yield line if whole else None
                while line and not whole:
                    line = file.readline(_CHUNK)
                    whole = line.endswith(b"\n")
        except OSError:
            return
