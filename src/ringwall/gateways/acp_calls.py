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

from ringwall.gateways.frames import look_alike

PERMISSION = "session/request_permission"
WRITE, READ, TERMINAL = "fs/write_text_file", "fs/read_text_file", "terminal/create"
JUDGED = frozenset({PERMISSION, WRITE, READ, TERMINAL})

_PARAMETERS = ("sessionId", "toolCall", "options", "path", "content", "command", "args", "cwd", "env")
_COMMANDS = ("command", "cmd", "commands", "script")
_WORDS = ("args", "arguments", "argv")
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
    if (twin := look_alike(given, _PARAMETERS)) is not None:
        raise Unclear(f"some would read {twin!a} as another parameter")
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
    variables = _set_first(given.get("env") or [])
    cwd = given.get("cwd") or folder
    if not isinstance(cwd, str) or not cwd.startswith("/"):
        raise Unclear("its cwd is no absolute path")
    lines = [variables + line for line in _readings(command, words)]
    return Wanted("Bash", {"command": "\n".join(lines)}, posixpath.normpath(cwd))


def _readings(command: str, words: Any) -> tuple[str, ...]:
    """A command with its words, as a shell would read them and as a program would."""
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise Unclear("its args are no list of texts")
    if not words:
        return (command,)
    return tuple(dict.fromkeys((" ".join([command, *words]), shlex.join([command, *words]))))


def _set_first(variables: Any) -> str:
    return "".join(f"{name}={shlex.quote(value)} " for name, value in _variables(variables))


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
    parts = list(_within(values))
    commands = list(dict.fromkeys(command for part in parts for command in _commands(part)))
    if commands:
        folders = (part.get(name) for part in parts for name in _FOLDERS)
        cwd = next((each for each in folders if isinstance(each, str)), "")
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


def _within(value: Any) -> Iterator[Mapping[str, Any]]:
    """Every object in a value, the outer ones first."""
    if isinstance(value, Mapping):
        yield value
    for inner in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from _within(inner)


def _commands(values: Mapping[str, Any]) -> Iterator[str]:
    """The command lines that stand in an object, each with its words and its variables."""
    plain = [command for name in _COMMANDS for command in _named(name, values.get(name))]
    if not plain:
        return
    given = values.get("env") or []
    if isinstance(given, Mapping):
        given = [{"name": name, "value": value} for name, value in given.items()]
    variables = _set_first(given)
    words = [each for name in _WORDS if (each := values.get(name)) not in (None, "", [])]
    for command in plain:
        yield from () if words else (variables + command,)
        for each in words:
            lines = (f"{command} {each}",) if isinstance(each, str) else _readings(command, each)
            yield from (variables + line for line in lines)


def _named(name: str, value: Any) -> Iterator[str]:
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
