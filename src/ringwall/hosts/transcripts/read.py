"""From the lines of a file to the calls that they tell of, whichever host wrote them.

Invariant: memory is bounded by the longest line and by the calls that wait for a result; any bytes are
answered with calls or with `Unread`, never with an exception.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from ringwall.hosts.transcripts import codex
from ringwall.hosts.transcripts.claude import ClaudeReader
from ringwall.hosts.transcripts.codex import CodexReader
from ringwall.hosts.transcripts.told import Reader, Told, Unread
from ringwall.model.text import msg

MOST_STRANGE = 100
"""Lines of no known shape at the head of a file, after which the rest of it is left alone."""

_CLAUDE_TYPES = frozenset({"user", "assistant", "attachment", "system", "summary"})


class _Head(msgspec.Struct, frozen=True):
    type: str = ""
    payload: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    sessionId: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_HEAD = msgspec.json.Decoder(_Head)


def read(lines: Iterable[bytes | None]) -> Iterator[Told | Unread]:
    """The calls of a transcript; None stands for a line that was too long to hold."""
    reader: Reader | None = None
    strange = 0
    for number, content in enumerate(lines, 1):
        if content is None:
            yield Unread(number, msg("the line is too long"))
        elif content.strip():
            reader = reader or _reader_for(content)
            if reader is not None:
                yield from reader.line(number, content)
                continue
            strange += 1
            yield Unread(number, msg("no line of a transcript of Claude Code or Codex"))
            if strange >= MOST_STRANGE:
                break
    if reader is not None:
        yield from reader.rest()


def _reader_for(content: bytes) -> Reader | None:
    """The reader for a file in which this line stands first; None where the line does not tell."""
    try:
        head = _HEAD.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    if head.payload is not msgspec.UNSET and head.type in codex.TYPES:
        return CodexReader()
    if head.sessionId is not msgspec.UNSET or head.type in _CLAUDE_TYPES:
        return ClaudeReader()
    return None
