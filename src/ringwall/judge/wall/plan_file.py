"""Whether the Markdown file of a sealed plan is still what was sealed.

Invariant: the file is part of the seal, byte for byte; its content is read again whenever anything about the
file differs, and a file that cannot be read is a broken seal (docs/adr/0065).
"""

from __future__ import annotations

import os
import stat

from ringwall.judge.wall.kept import Kept
from ringwall.model.canonical import digest_bytes
from ringwall.model.text import Text, msg

MOST_BYTES = 4 << 20

Stamp = tuple[int, int, int, int, int]


class PlanFiles:
    """What the files of the active plans were found to be, by the plan's number."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Stamp, Text | None]] = {}

    def fault(self, kept: Kept) -> Text | None:
        """What is wrong with the plan's file now."""
        stamp = _stamp(kept.path)
        known = self._known.get(kept.number)
        if known is None or known[0] != stamp:
            known = (stamp, _compared(kept))
            self._known[kept.number] = known
        return known[1]


def content_of(path: str) -> bytes | None:
    """The bytes of a plan file; None where it is no regular file, too long, or cannot be read."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        with os.fdopen(handle, "rb", closefd=False) as file:
            content = file.read(MOST_BYTES + 1)
    except OSError:
        return None
    finally:
        os.close(handle)
    return content if len(content) <= MOST_BYTES else None


def _compared(kept: Kept) -> Text | None:
    content = content_of(kept.path)
    if content is None:
        return msg("its file {path} is gone or cannot be read", path=kept.path)
    if digest_bytes(content) != kept.file:
        return msg("its file {path} was changed after it was sealed", path=kept.path)
    return None


def _stamp(path: str) -> Stamp:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return (0, 0, 0, 0, 0)
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
