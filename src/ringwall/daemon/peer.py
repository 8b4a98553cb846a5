"""Who is at the other end of a Unix socket. Invariant: nobody but this user is answered."""

from __future__ import annotations

import os
import socket
import struct
import sys

_LOCAL_PEERCRED = 1  # of macOS, at level 0: struct xucred { version, uid, … }


def is_own(connection: socket.socket) -> bool:
    """Whether the peer runs as this user."""
    try:
        return _uid(connection) == os.geteuid()
    except OSError:
        return False


def _uid(connection: socket.socket) -> int:
    if sys.platform == "darwin":
        uid: int = struct.unpack("II", connection.getsockopt(0, _LOCAL_PEERCRED, 8))[1]
        return uid
    owner: int = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[1]
    return owner
