"""Transcripts of Claude Code (`projects/*/SESSION.jsonl`, as 2.1.332 writes them, and older ones).

Invariant: only fields that the host itself writes tell how a call ended; what a tool printed never does,
but for the host's own fixed sentences in transcripts that are older than those fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from ringwall.hosts.transcripts.told import End, Open, Told, Unread
from ringwall.model.action import ToolCall
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict

HOST = "claude"

_NOTHING = msgspec.Raw(b"null")
_PERSON = "user"
"""So begins the source of a permission that is a person's answer (`user_temporary`, `user_reject`)."""

_REFUSED_ONCE = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action",
)
_UNANSWERED_ONCE = ("Claude requested permissions",)
_DENIED_ONCE = ("PreToolUse:", "Permission to use")
"""How the host's own refusals began before it wrote `permissionDecision`."""

_VERDICTS = {verdict.value: verdict for verdict in Verdict}
_OWN_WORDS = {
    "Ringwall denies this: ": Verdict.DENY,
    "Ringwall leaves this to a person: ": Verdict.ASK,
}


class _Permission(msgspec.Struct, frozen=True):
    decision: str | None = None
    source: str | None = None
    reasonCode: str | None = None


class _Line(msgspec.Struct, frozen=True):
    type: str = ""
    cwd: str | None = None
    sessionId: str | None = None
    agentId: str | None = None
    permissionMode: str | None = None
    permissionDecision: _Permission | None = None
    toolDenialKind: str | None = None
    message: msgspec.Raw = _NOTHING
    attachment: msgspec.Raw = _NOTHING


class _Block(msgspec.Struct, frozen=True):
    type: str = ""
    id: str = ""
    name: str = ""
    input: Any = None
    tool_use_id: str = ""
    is_error: bool | None = None
    content: Any = None


class _Message(msgspec.Struct, frozen=True):
    content: str | list[_Block] | None = None


class _Attachment(msgspec.Struct, frozen=True):
    hookEvent: str | None = None
    toolUseID: str | None = None
    command: str | None = None
    stdout: str | None = None


class _Specific(msgspec.Struct, frozen=True):
    permissionDecision: str | None = None


class _Output(msgspec.Struct, frozen=True):
    hookSpecificOutput: _Specific | None = None


_DECODE = msgspec.json.Decoder(_Line)
_MESSAGE = msgspec.json.Decoder(_Message)
_ATTACHMENT = msgspec.json.Decoder(_Attachment)
_OUTPUT = msgspec.json.Decoder(_Output)


class ClaudeReader:
    """Reads one transcript of Claude Code."""

    def __init__(self) -> None:
        self._open = Open()
        self._mode = ""

    def line(self, number: int, content: bytes) -> Iterator[Told | Unread]:
        try:
            line = _DECODE.decode(content)
            match line.type:
                case "assistant":
                    yield from self._calls(number, line)
                case "user":
                    yield from self._results(line)
                case "attachment":
                    self._hook(_ATTACHMENT.decode(line.attachment))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
            yield Unread(number, msg("not a line that Ringwall can read: {why}", why=fault))

    def rest(self) -> Iterator[Told]:
        return self._open.rest()

    def _calls(self, number: int, line: _Line) -> Iterator[Told | Unread]:
        for block in _blocks(line):
            if block.type != "tool_use":
                continue
            if not block.id or not block.name or not isinstance(block.input, dict):
                yield Unread(number, msg("a call without a name, an id or an input"))
                continue
            call = ToolCall(
                host=HOST,
                tool=block.name,
                input=block.input,
                cwd=line.cwd or "",
                session=line.sessionId or "",
                agent=line.agentId or "",
                depth=1 if line.agentId else 0,
                mode=self._mode,
                call_id=block.id,
            )
            yield from self._open.begin(Told(call, number))

    def _results(self, line: _Line) -> Iterator[Told]:
        if line.permissionMode is not None:
            self._mode = line.permissionMode
        for block in _blocks(line):
            if block.type == "tool_result":
                words = _words(block.content)
                end, asked = _ended(line, block, words)
                own = _own_verdict(words) if end is End.DENIED else None
                asked = asked or own is Verdict.ASK
                self._open.note(block.tool_use_id, end=end, asked=asked or None, verdict=own)
                told = self._open.finish(block.tool_use_id)
                if told is not None:
                    yield told

    def _hook(self, attachment: _Attachment) -> None:
        """A hook's answer before a call: whoever asks there has a person asked."""
        if attachment.hookEvent != "PreToolUse" or not attachment.toolUseID or not attachment.stdout:
            return
        try:
            output = _OUTPUT.decode(attachment.stdout).hookSpecificOutput
        except msgspec.MsgspecError:
            return  # what a hook prints need not be JSON
        word = output.permissionDecision if output is not None else None
        verdict = _VERDICTS.get(word or "")
        if verdict is not None:
            own = "ringwall" in (attachment.command or "")
            self._open.note(
                attachment.toolUseID,
                asked=True if verdict is Verdict.ASK else None,
                verdict=verdict if own else None,
            )


def _blocks(line: _Line) -> list[_Block]:
    content = _MESSAGE.decode(line.message).content
    return content if isinstance(content, list) else []


def _ended(line: _Line, block: _Block, words: str) -> tuple[End, bool]:
    """How the call ended, and whether a question was due."""
    permission = line.permissionDecision
    ran = End.FAILED if block.is_error else End.RAN
    if permission is not None and permission.decision is not None:
        by_person = (permission.source or "").startswith(_PERSON)
        if permission.decision == "accept":
            return ran, by_person
        return (End.REFUSED if by_person else End.DENIED), by_person
    if block.is_error and words.startswith(_REFUSED_ONCE):
        return End.REFUSED, True
    if block.is_error and words.startswith(_UNANSWERED_ONCE):
        return End.DENIED, True
    if line.toolDenialKind or (block.is_error and words.startswith(_DENIED_ONCE)):
        return End.DENIED, False
    return ran, False


def _own_verdict(words: str) -> Verdict | None:
    """Ringwall's verdict, as the host hands its reason on."""
    told = words.partition(" hook error: ")[2] if words.startswith("PreToolUse:") else words
    return next((verdict for start, verdict in _OWN_WORDS.items() if told.startswith(start)), None)


def _words(content: Any) -> str:
    if isinstance(content, list):
        content = next((part.get("text") for part in content if isinstance(part, dict)), "")
    return content if isinstance(content, str) else ""
