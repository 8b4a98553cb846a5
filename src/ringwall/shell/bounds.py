"""How much text is read.

Invariant: every bound is a count, so that the same text meets the same bound on every machine.
"""

from __future__ import annotations

MOST_CHARACTERS = 1 << 17
"""No longer text reaches a shell as one argument on Linux."""
MOST_UNCOUNTED = 1_000
"""Characters of the longest text whose parsing is not counted."""
MOST_PARTS = 1_000
"""Nodes of the first reader's tree beyond which a text is not read a second time."""
MOST_NESTING = 40
MOST_TICKS = 16
"""Substitutions in backticks that are taken out of one text."""
MOST_BRACKETS = 64
"""Brackets open at one place of the text, quoted or not: the second reader needs quadratic time."""
MOST_COMMANDS = 300


class BoundError(Exception):
    """Reading stopped at a bound; `code` is the doubt's."""

    code = ""


class TooDeep(BoundError):
    """The text nests deeper than `MOST_NESTING`."""

    code = "too_deep"


class TooMany(BoundError):
    """The text holds more than `MOST_COMMANDS` commands."""

    code = "too_many"


class TooTangled(BoundError):
    """The first reader works more on the text than its length explains."""

    code = "parsers_disagree"
