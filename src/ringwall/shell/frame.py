"""Where the text that is being walked came from.

Invariant: a frame never changes; a deeper text has a frame of its own.
"""

from __future__ import annotations

from typing import NamedTuple

from ringwall.shell.ast import Span


class Frame(NamedTuple):
    """`via` names what led here, outermost first. `span` is the place in the input for texts that are not
    the input itself. `label` names the file that `text` was read from; its first line is `line`."""

    via: tuple[str, ...] = ()
    span: Span | None = None
    certain: bool = True
    depth: int = 0
    label: str = ""
    text: str = ""
    line: int = 1

    def reached(self, at: int) -> tuple[str, ...]:
        """`via` for a command that stands at `at` in this frame's text."""
        if not self.label:
            return self.via
        return (*self.via, f"{self.label}:{self.line + self.text.count(chr(10), 0, at)}")
