"""Moments as ledgers hold them. Invariant: text in UTC to the second; what is no moment is not made one."""

from __future__ import annotations

from datetime import UTC, datetime


def moment(nanoseconds: int) -> str:
    """A moment from Unix nanoseconds."""
    at = datetime.fromtimestamp(nanoseconds / 1e9, UTC)
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")


def read_moment(text: str) -> datetime | None:
    """The moment in a text, None where it is none."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)
