"""Lines of JSON → tool calls, for `check` and for whoever feeds it.

Invariant: a line either is one unambiguous tool call or raises `PayloadError`; what the line holds besides
is kept, and nothing is guessed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ringwall.model.action import ToolCall
from ringwall.model.errors import PayloadError
from ringwall.model.text import Text, msg

HOST = "claude"
"""Whose tool names are meant."""

_REPAIR = msg('Write one call per line: {"tool": "Bash", "input": {"command": "…"}, "cwd": "…"}.')


@dataclass(frozen=True, slots=True)
class Row:
    """One line: what it holds, and the call or why there is none."""

    values: dict[str, Any]
    call: ToolCall | None
    error: PayloadError | None = None


def rows(lines: Iterable[bytes], cwd: str) -> Iterator[Row]:
    """The calls of a stream, in order. Blank lines hold nothing and are passed over."""
    for number, line in enumerate(lines, 1):
        line = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if line.strip():
            yield _row(line, number, cwd)


def bash(command: str, cwd: str) -> ToolCall:
    """A command line as the call that would run it."""
    return ToolCall(HOST, "Bash", {"command": command}, cwd=cwd)


def input_object(text: str) -> dict[str, Any]:
    """A tool's input, given as JSON on the command line."""
    try:
        values = _parsed(text.encode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError) as error:
        raise _no_input(msg("The input is not JSON: {detail}.", detail=_detail(error))) from error
    if not isinstance(values, dict):
        raise _no_input(msg("The input is not a JSON object."))
    return values


def _no_input(what: Text) -> PayloadError:
    repair = msg("Write it like: --tool Write --input '{example}'", example='{"file_path": "notes.txt"}')
    return PayloadError("input.unreadable", what, repair, "--input")


def _row(line: bytes, number: int, cwd: str) -> Row:
    values: Any = {}
    try:
        values = _json(line, str(number))
        return Row(values, _call(values, number, cwd))
    except PayloadError as error:
        return Row(values if isinstance(values, dict) else {}, None, error)


def _call(values: Any, number: int, cwd: str) -> ToolCall:
    where = str(number)
    if not isinstance(values, dict):
        raise _unreadable(msg("The line is not a JSON object."), where)
    tool = values.get("tool", "Bash" if "command" in values else None)
    if not isinstance(tool, str):
        raise _unreadable(msg("The line names no tool and holds no command."), where)
    directory = values.get("cwd", cwd)
    if not isinstance(directory, str):
        raise _unreadable(msg("The line's cwd is not a text."), where)
    given = values.get("input", {"command": values["command"]} if "command" in values else {})
    if not isinstance(given, dict):
        raise _unreadable(msg("The line's input is not a JSON object."), where)
    return ToolCall(HOST, tool, given, cwd=os.path.join(cwd, directory) if directory else cwd)


def _json(line: bytes, where: str) -> Any:
    try:
        return _parsed(line)
    except (ValueError, RecursionError) as error:
        raise _unreadable(msg("The line is not JSON: {detail}.", detail=_detail(error)), where) from error


def _parsed(text: bytes) -> Any:
    return json.loads(text.decode("utf-8"), object_pairs_hook=_object, parse_constant=_constant)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return values


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _detail(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} (column {error.colno})"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error).split(":")[0]


def _unreadable(what: Text, where: str) -> PayloadError:
    return PayloadError("input.unreadable", what, _REPAIR, where)
