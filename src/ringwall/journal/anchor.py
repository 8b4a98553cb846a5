"""The heads of all streams once more, in a file beside the database.

Invariant: a line only moves forward, and it is written after the commit that it speaks of; so it never
names a record that was not in the database (a power cut may take the record back; then that is found).
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Mapping

from ringwall.model.errors import StateError
from ringwall.model.text import msg

Head = tuple[int, str]

_LIMIT = 65_536


def read(path: str) -> dict[str, Head] | None:
    """The anchored heads by stream; None where there is no file. Raises `StateError` for a damaged one."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise _unreadable(path, fault) from fault
    try:
        fcntl.flock(handle, fcntl.LOCK_SH)
        return _parse(os.read(handle, _LIMIT), path)
    except OSError as fault:
        raise _unreadable(path, fault) from fault
    finally:
        os.close(handle)


def advance(path: str, heads: Mapping[str, Head]) -> None:
    """Write `heads` over older lines of the same streams. Raises `StateError`."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as fault:
        raise _unreadable(path, fault) from fault
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        known = _parse(os.read(handle, _LIMIT), path)
        for stream, head in heads.items():
            known[stream] = max(known.get(stream, head), head, key=lambda at: at[0])
        text = b"".join(f"{name} {seq:020d} {seal}\n".encode() for name, (seq, seal) in sorted(known.items()))
        os.pwrite(handle, text, 0)
    except OSError as fault:
        raise _unreadable(path, fault) from fault
    finally:
        os.close(handle)


def _parse(text: bytes, path: str) -> dict[str, Head]:
    heads = {}
    text = text.strip(b"\0")  # what a power cut leaves of a file that was being made
    try:
        for line in text.decode("ascii").splitlines():
            stream, seq, seal = line.split(" ")
            heads[stream] = (int(seq), seal)
    except ValueError as fault:
        raise _unreadable(path, fault) from fault
    return heads


def _unreadable(path: str, fault: Exception) -> StateError:
    return StateError(
        "journal.anchor",
        msg("The journal's anchor cannot be used: {fault}.", fault=fault),
        msg("Run `ringwall log verify`, then move the file aside; a new one is made."),
        path,
    )
