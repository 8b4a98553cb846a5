"""How much text is read.

Invariant: every bound is a count, so that the same text meets the same bound on every machine.
"""

from __future__ import annotations

MOST_BYTES = 1 << 20
MOST_FOR_SECOND = 1 << 17
"""Texts longer than this are not given to the second reader."""
MOST_NESTING = 40
MOST_COMMANDS = 20_000


class BoundError(Exception):
    """Reading stopped at a bound; `code` is the doubt's."""

    code = ""


class TooDeep(BoundError):
    """The text nests deeper than `MOST_NESTING`."""

    code = "too_deep"


class TooMany(BoundError):
    """The text holds more than `MOST_COMMANDS` commands."""

    code = "too_many"
