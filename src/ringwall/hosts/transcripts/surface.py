"""What hooks have told a session that it still shows, read from its transcript.

Invariant: only lines that the host itself writes about its hooks count, never what a tool printed or a model
said; what stood before the last compaction is not shown any more.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

import msgspec

_NOTHING = msgspec.Raw(b"null")
_CONTEXT = "hook_additional_context"
_COMPACTED = (b"compact_boundary", b'"compacted"')
_TOLD = (_CONTEXT.encode(), b'"developer"', b"<hook_context>", b'{"$set":{"messages"')
_HOOK = re.compile(r"<hook_context>(.*?)</hook_context>", re.DOTALL)
"""How Gemini CLI puts what its hooks told into a message of the person, with `<` and `>` spelled out."""


class _Part(msgspec.Struct, frozen=True):
    text: str = ""


class _Item(msgspec.Struct, frozen=True):
    """A message of Codex."""

    type: str = ""
    role: str = ""
    content: str | list[_Part] = ""


class _Payload(_Item, frozen=True):
    replacement_history: list[_Item] | None = None


class _Attachment(msgspec.Struct, frozen=True):
    """An attachment of Claude Code."""

    type: str = ""
    content: str | list[str] = ""


class _Message(msgspec.Struct, frozen=True):
    """A message of Gemini CLI."""

    type: str = ""
    content: str | list[_Part] = ""


class _Set(msgspec.Struct, frozen=True):
    messages: list[_Message] | None = None


class _Line(msgspec.Struct, frozen=True):
    type: str = ""
    subtype: str = ""
    isSidechain: bool | None = None
    attachment: msgspec.Raw = _NOTHING
    payload: msgspec.Raw = _NOTHING
    set: _Set | None = msgspec.field(name="$set", default=None)


_LINE = msgspec.json.Decoder(_Line)
_ATTACHMENT = msgspec.json.Decoder(_Attachment)
_PAYLOAD = msgspec.json.Decoder(_Payload)
_MESSAGE = msgspec.json.Decoder(_Message)


def shown(lines: Iterable[bytes | None]) -> tuple[str, ...]:
    """The texts, in order; None stands for a line that was too long to hold. A line that cannot be read
    tells nothing."""
    found: list[str] = []
    for content in lines:
        if content is None or not any(word in content for word in (*_COMPACTED, *_TOLD)):
            continue
        try:
            line = _LINE.decode(content)
            if line.type == "system" and line.subtype == "compact_boundary":
                found.clear()
            elif line.type == "attachment" and not line.isSidechain:
                found += _attached(_ATTACHMENT.decode(line.attachment))
            elif line.type == "compacted":
                found.clear()
                found += _kept(_PAYLOAD.decode(line.payload))
            elif line.type == "response_item":
                found += _message(_PAYLOAD.decode(line.payload))
            elif line.set is not None and line.set.messages is not None:
                found.clear()
                found += [text for each in line.set.messages for text in _hooked(each)]
            elif line.type == "user" and b"<hook_context>" in content:
                found += _hooked(_MESSAGE.decode(content))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue
    return tuple(found)


def _attached(attachment: _Attachment) -> list[str]:
    if attachment.type != _CONTEXT:
        return []
    return [attachment.content] if isinstance(attachment.content, str) else attachment.content


def _kept(payload: _Payload) -> list[str]:
    return [text for item in payload.replacement_history or () for text in _message(item)]


def _message(item: _Item) -> list[str]:
    if item.type != "message" or item.role != "developer":
        return []
    return [item.content] if isinstance(item.content, str) else [part.text for part in item.content]


def _hooked(message: _Message) -> list[str]:
    if message.type != "user":
        return []
    texts = [message.content] if isinstance(message.content, str) else [each.text for each in message.content]
    return [html.unescape(told) for text in texts for told in _HOOK.findall(text)]
