"""The marker of an injection, and whether a session shows it already.

Invariant: a marker is made from the text that it stands above and from nothing else, so the same text is
never added twice while it is visible, and any other text is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from enum import StrEnum

from ringwall.model.step import Message

PREFIX = "<!-- DSH-HARNESS-"
"""How every marker begins, whoever wrote it."""

_DIGITS = 16


class Kind(StrEnum):
    """What an injection is for; part of its marker."""

    PRESTEP = "PRESTEP"
    BOOTSTRAP = "BOOTSTRAP"


def marker_of(text: str, kind: Kind = Kind.PRESTEP) -> str:
    """The marker of a final, rendered text (P-29)."""
    return f"{PREFIX}{kind}:{hashlib.sha256(text.encode('utf-8')).hexdigest()[:_DIGITS]} -->"


def body_of(text: str, kind: Kind = Kind.PRESTEP) -> str:
    """The text with its marker as the first line."""
    return f"{marker_of(text, kind)}\n{text}"


def is_injection_visible(surface: Iterable[str], messages: Sequence[Message], marker: str) -> bool:
    """Whether the injection with this marker can be seen: first in the messages of the step, then in what
    the session shows (P-31). `surface` is not touched where the messages tell. A marker counts where it is
    a line of its own."""
    return any(_holds(message.text, marker) for message in messages) or any(
        _holds(text, marker) for text in surface
    )


def _holds(text: str, marker: str) -> bool:
    return marker in text and marker in (line.strip() for line in text.splitlines())
