"""How much text is read.

Invariant: every bound is a count, so that the same text meets the same bound on every machine.
"""

from __future__ import annotations

MOST_CHARACTERS = 1 << 17
"""No longer text reaches a shell as one argument on Linux."""
MOST_UNCHECKED = 1_000
"""Longer texts must be accepted by the second reader first: the first one needs quadratic time to recover
from errors."""
MOST_NESTING = 40
MOST_BRACKETS = 64
"""Brackets open at one place of a longer text, quoted or not: the second reader needs quadratic time."""
MOST_COMMANDS = 5_000


class BoundError(Exception):
    """Reading stopped at a bound; `code` is the doubt's."""

    code = ""


class TooDeep(BoundError):
    """The text nests deeper than `MOST_NESTING`."""

    code = "too_deep"


class TooMany(BoundError):
    """The text holds more than `MOST_COMMANDS` commands."""

    code = "too_many"
