"""What an ACP agent wants to do, from what it asks its client, as a tool call.

Invariant: a command that stands anywhere in a request is judged as a command, whatever the request calls
itself; where it is not certain that what is judged is all that will happen, the call is not `exact`.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

PERMISSION = "session/request_permission"
WRITE, READ, TERMINAL = "fs/write_text_file", "fs/read_text_file", "terminal/create"
JUDGED = frozenset({PERMISSION, WRITE, READ, TERMINAL})

_COMMANDS = ("command", "cmd", "commands", "script")
_PATHS = ("path", "file_path", "filePath", "filepath", "abs_path", "absolutePath", "paths")
_FOLDERS = ("cwd", "workdir", "working_directory", "directory", "dir")
_ONE_FILE = {"read": "Read", "edit": "Write"}
_OWN = "mcp__acp__"
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Unclear(ValueError):
    """Why a request cannot be judged; it is refused."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A tool call. `exact`: it is known to be all that a yes would let happen."""

    tool: str
    input: Mapping[str, Any] = field(default_factory=dict)
    cwd: str = ""
    exact: bool = True


def wanted(method: str, given: Mapping[str, Any], folder: str) -> Wanted:
    """What the agent of a session in `folder` wants by this request. Raises `Unclear`."""
    if method == WRITE:
        return Wanted(
            "Write", {"file_path": _text(given, "path"), "content": _text(given, "content")}, folder
        )
    if method == READ:
        return Wanted("Read", {"file_path": _text(given, "path")}, folder)
    if method == TERMINAL:
        return _terminal(given, folder)
    call = given.get("toolCall")
    if not isinstance(call, Mapping):
        raise Unclear("it names no tool call")
    return _asked(call, folder)


def _terminal(given: Mapping[str, Any], folder: str) -> Wanted:
    """A program with its words. Clients differ in whether a shell reads them, so both readings are judged."""
    command, words = _text(given, "command"), given.get("args") or []
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise Unclear("its args are no list of texts")
    variables = "".join(f"{name}={shlex.quote(value)} " for name, value in _variables(given.get("env") or []))
    as_shell = " ".join([command, *words])
    as_words = shlex.join([command, *words])
    lines = dict.fromkeys((as_shell, as_words) if words else (command,))
    cwd = given.get("cwd") or folder
    if not isinstance(cwd, str) or not cwd.startswith("/"):
        raise Unclear("its cwd is no absolute path")
    return Wanted("Bash", {"command": "\n".join(variables + line for line in lines)}, posixpath.normpath(cwd))


def _variables(given: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(given, list):
        raise Unclear("its env is no list")
    for one in given:
        name, value = (one.get("name"), one.get("value")) if isinstance(one, Mapping) else (None, None)
        if not isinstance(name, str) or not isinstance(value, str) or not _VARIABLE.fullmatch(name):
            raise Unclear("its env holds something else than names and texts")
        yield name, value


def _asked(call: Mapping[str, Any], folder: str) -> Wanted:
    """What a permission is asked for."""
    raw = call.get("rawInput")
    values: Mapping[str, Any] = raw if isinstance(raw, Mapping) else {}
    kind, title = str(call.get("kind") or "other"), str(call.get("title") or "")
    commands = list(dict.fromkeys(_commands(values)))
    if commands:
        cwd = next((values[name] for name in _FOLDERS if isinstance(values.get(name), str)), "")
        return Wanted(
            "Bash", {"command": "\n".join(commands)}, posixpath.normpath(posixpath.join(folder, cwd))
        )
    if kind == "execute":
        return Wanted("Bash", {"command": title}, folder, exact=False)  # the title is all that there is
    if kind == "fetch" and isinstance(values.get("url"), str):
        return Wanted("WebFetch", {"url": values["url"], "prompt": ""}, folder)
    paths = list(dict.fromkeys(_paths(call, values)))
    if kind in _ONE_FILE and len(paths) == 1:
        content = {"content": "\n".join(_written(call))} if kind == "edit" else {}
        return Wanted(_ONE_FILE[kind], {"file_path": paths[0], **content}, folder)
    if kind in ("read", "edit", "delete", "move") and paths:
        return Wanted(f"{_OWN}{kind}_files", {"paths": paths}, folder)
    name = re.sub(r"[^A-Za-z0-9]+", "_", title or kind).strip("_")[:64] or "tool"
    return Wanted(f"{_OWN}{name}", dict(values), folder, exact=False)


def _commands(values: Mapping[str, Any]) -> Iterator[str]:
    for name in _COMMANDS:
        value = values.get(name)
        if isinstance(value, str) and value.strip():
            yield value
        elif isinstance(value, list) and value:
            texts = [one for one in value if isinstance(one, str)]
            if len(texts) != len(value):
                raise Unclear(f"its {name} holds something else than texts")
            if name == "commands":
                yield from texts
            else:
                yield shlex.join(texts)
        elif value not in (None, "", []):
            raise Unclear(f"its {name} is no text")


def _paths(call: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[str]:
    for place in _objects(call.get("locations")):
        if isinstance(place.get("path"), str):
            yield place["path"]
    for part in _objects(call.get("content")):
        if part.get("type") == "diff" and isinstance(part.get("path"), str):
            yield part["path"]
    for name in _PATHS:
        value = values.get(name)
        yield from (one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str))


def _written(call: Mapping[str, Any]) -> Iterator[str]:
    for part in _objects(call.get("content")):
        if part.get("type") == "diff" and isinstance(part.get("newText"), str):
            yield part["newText"]


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    yield from (one for one in value if isinstance(one, Mapping)) if isinstance(value, list) else ()


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or (not value and name != "content"):
        raise Unclear(f"its {name} is no text")
    return value
