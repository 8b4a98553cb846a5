"""Event ids: UUID version 7 (RFC 9562). Invariant: sorted as text, ids stand in the order of their time."""

from __future__ import annotations

import os


def uuid7(nanoseconds: int) -> str:
    """An id for a moment given in nanoseconds since 1970: 60 bits of time, 62 random bits."""
    milliseconds, rest = divmod(nanoseconds, 1_000_000)
    fraction = rest * 4096 // 1_000_000
    random = int.from_bytes(os.urandom(8), "big") >> 2
    value = (milliseconds & (1 << 48) - 1) << 80 | 0x7 << 76 | fraction << 64 | 0b10 << 62 | random
    digits = f"{value:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
