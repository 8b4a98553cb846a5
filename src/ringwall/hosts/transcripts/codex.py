"""Transcripts of Codex (`sessions/**/rollout-*.jsonl`, as 0.171.0 writes them, and older ones).

Invariant: a command is taken as the host runs it, shell and directory included. This host does not write
down that it asked: a question is known only where a person refused.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from ringwall.hosts.transcripts.told import End, Open, Told, Unread
from ringwall.model.action import ToolCall
from ringwall.model.text import msg

HOST = "codex"
TYPES = frozenset({"session_meta", "turn_context", "response_item", "event_msg", "compacted"})

_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_RESULTS = frozenset({"function_call_output", "custom_tool_call_output"})
_SHELLS = frozenset({"bash", "sh", "zsh", "dash"})
_BLOCKED = "Command blocked by PreToolUse hook: "
_REFUSED = ("exec command rejected by user", "patch rejected by user", "rejected by user")
_EXIT = re.compile(r"(?:^|\n)(?:Process exited with code|Exit code:) (-?\d+)|\"exit_code\": ?(-?\d+)")
_NOT_RUN = ("unsupported call: ", "unsupported custom tool call: ")
_STATUS = {"completed": End.RAN, "failed": End.FAILED, "declined": End.REFUSED}
_NOTHING = msgspec.Raw(b"null")


class _Item(msgspec.Struct, frozen=True):
    type: str = ""
    id: str | None = None
    command: list[str] | None = None
    cwd: str | None = None
    status: str | None = None


class _Payload(msgspec.Struct, frozen=True):
    type: str = ""
    id: str | None = None
    session_id: str | None = None
    cwd: str | None = None
    approval_policy: Any = None
    call_id: str | None = None
    name: str | None = None
    namespace: str | None = None
    arguments: str | None = None
    input: Any = None
    output: Any = None
    action: Any = None
    item: msgspec.Raw = _NOTHING


class _Line(msgspec.Struct, frozen=True):
    type: str = ""
    payload: msgspec.Raw = _NOTHING


_DECODE = msgspec.json.Decoder(_Line)
_PAYLOAD = msgspec.json.Decoder(_Payload)
_ITEM = msgspec.json.Decoder(_Item)


class CodexReader:
    """Reads one transcript of Codex."""

    def __init__(self) -> None:
        self._open = Open()
        self._session = self._cwd = self._mode = ""

    def line(self, number: int, content: bytes) -> Iterator[Told | Unread]:
        try:
            line = _DECODE.decode(content)
            if line.type not in TYPES:
                return
            payload = _PAYLOAD.decode(line.payload)
            match line.type:
                case "session_meta" | "turn_context":
                    self._settle(line.type, payload)
                case "response_item" if payload.type in _CALLS:
                    yield from self._call(number, payload)
                case "response_item" if payload.type in _RESULTS:
                    yield from self._result(payload)
                case "event_msg" if payload.type == "item_completed":
                    yield from self._item(number, _ITEM.decode(payload.item))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError) as fault:
            yield Unread(number, msg("not a line that Ringwall can read: {why}", why=fault))

    def rest(self) -> Iterator[Told]:
        return self._open.rest()

    def _settle(self, kind: str, payload: _Payload) -> None:
        self._cwd = payload.cwd or self._cwd
        if kind == "session_meta":
            self._session = payload.session_id or payload.id or ""
        elif isinstance(payload.approval_policy, str):
            self._mode = payload.approval_policy

    def _call(self, number: int, payload: _Payload) -> Iterator[Told | Unread]:
        given = _given(payload)
        name = "local_shell" if payload.type == "local_shell_call" else payload.name or ""
        if given is None or not name:
            yield Unread(number, msg("a call without a name or an input"))
            return
        tool, values, cwd = _neutral(name, payload.namespace or "", given)
        told = Told(self._made(tool, values, cwd, payload.call_id or payload.id or ""), number)
        if told.call.call_id:
            yield from self._open.begin(told)
        else:
            yield told

    def _result(self, payload: _Payload) -> Iterator[Told]:
        words = _words(payload.output)
        call_id = payload.call_id or ""
        if words.startswith(_BLOCKED):
            self._open.note(call_id, end=End.DENIED)
        elif words.startswith(_REFUSED):
            self._open.note(call_id, end=End.REFUSED, asked=True)
        told = self._open.finish(call_id)
        if told is None:
            return
        yield told if told.end is not End.UNKNOWN else replace(told, end=_ended(words))

    def _item(self, number: int, item: _Item) -> Iterator[Told]:
        """What the host did. A command that no call stands for was started by code (`exec`)."""
        end = _STATUS.get(item.status or "", End.UNKNOWN)
        call_id = item.id or ""
        known = self._open.note(call_id, end=end, asked=True if end is End.REFUSED else None)
        if (
            not known
            and not self._open.was_told(call_id)
            and item.type == "CommandExecution"
            and item.command
        ):
            values = {"command": _command_line(item.command)}
            call = self._made("Bash", values, _path(item.cwd or ""), call_id)
            yield Told(call, number, end, asked=end is End.REFUSED)

    def _made(self, tool: str, values: dict[str, Any], cwd: str, call_id: str) -> ToolCall:
        return ToolCall(
            host=HOST,
            tool=tool,
            input=values,
            cwd=posixpath.join(self._cwd, cwd) if cwd else self._cwd,
            session=self._session,
            mode=self._mode,
            call_id=call_id,
        )


def _given(payload: _Payload) -> dict[str, Any] | None:
    """The input of a call as an object; a custom tool's free text stands under `command`."""
    if payload.type == "local_shell_call":
        return payload.action if isinstance(payload.action, dict) else None
    if payload.type == "custom_tool_call":
        return {"command": payload.input} if isinstance(payload.input, str) else None
    values = msgspec.json.decode(payload.arguments) if payload.arguments else {}
    return values if isinstance(values, dict) else None


def _neutral(name: str, namespace: str, given: dict[str, Any]) -> tuple[str, dict[str, Any], str]:
    """Tool, input and directory, in the words in which this host's hooks report them."""
    if namespace.startswith("mcp__"):
        return f"{namespace.rstrip('_')}__{name}", given, ""
    match name:
        case "exec_command":
            return (
                "Bash",
                {"command": _in_shell(given.get("shell"), given.get("cmd"))},
                _text(given.get("workdir")),
            )
        case "shell_command":
            return "Bash", {"command": given.get("command")}, _text(given.get("workdir"))
        case "shell" | "local_shell" | "container.exec":
            folder = _text(given.get("workdir") or given.get("working_directory"))
            return "Bash", {"command": _command_line(given.get("command"))}, folder
    return name, given, ""


def _in_shell(shell: Any, command: Any) -> Any:
    """The command line, inside the shell that the call names where that is another than usual."""
    if not isinstance(shell, str) or not isinstance(command, str) or posixpath.basename(shell) in _SHELLS:
        return command
    return shlex.join((shell, "-c", command))


def _command_line(words: Any) -> Any:
    """An argument vector as a command line; `bash -lc TEXT` is TEXT."""
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        return words
    return words[2] if _is_shell(words) else shlex.join(words)


def _is_shell(words: Sequence[str]) -> bool:
    return len(words) == 3 and posixpath.basename(words[0]) in _SHELLS and words[1] in ("-c", "-lc")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _path(cwd: str) -> str:
    return unquote(urlsplit(cwd).path) if cwd.startswith("file:") else cwd


def _words(output: Any) -> str:
    if isinstance(output, dict):  # older transcripts
        output = output.get("content")
    if isinstance(output, list):
        output = next((part.get("text") for part in output if isinstance(part, dict)), "")
    return output if isinstance(output, str) else ""


def _ended(words: str) -> End:
    """How a call ended whose result is all that tells of it."""
    if words.startswith(_NOT_RUN):
        return End.FAILED
    found = _EXIT.search(words)
    if found is None:
        return End.RAN if words else End.UNKNOWN
    return End.RAN if (found[1] or found[2]) == "0" else End.FAILED
