"""Claude Code's settings files: where they are, which hooks stand in them, and how ours get in and out.

Invariant: only entries whose command is Ringwall's client are ever added, replaced or taken out.
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from ringwall.hosts.claude import registrations
from ringwall.hosts.protocol import Registration
from ringwall.model.errors import PolicyError
from ringwall.model.json_tree import Array, Node, Object, Scalar, read, where
from ringwall.model.text import Text, msg
from ringwall.setup.json_edit import add_item, add_member, remove_child

DECIDING_TIMEOUT = 60
"""Seconds; beyond it the host stops the call, because of `onFailure`."""
NOTIFYING_TIMEOUT = 10

CLIENT_PROGRAM = "ringwall-hook"
CLIENT_SCRIPT = "ringwall/daemon/client.py"


MANAGED = (
    "/etc/claude-code/managed-settings.json",
    "/Library/Application Support/ClaudeCode/managed-settings.json",
)
"""Where an administrator's settings are, which nothing else outranks."""


@dataclass(frozen=True, slots=True)
class Handler:
    """One registered hook command. `place` is `file:line:column`."""

    event: str
    matcher: str
    command: str
    timeout: float | None
    blocks: bool
    ours: bool
    place: str


@dataclass(frozen=True, slots=True)
class Settings:
    """What Ringwall needs to know of one settings file."""

    path: str
    handlers: tuple[Handler, ...] = ()
    switched_off: str = ""  # the place of `disableAllHooks: true`
    managed_only: str = ""  # the place of `allowManagedHooksOnly: true`

    @property
    def ours(self) -> tuple[Handler, ...]:
        return tuple(handler for handler in self.handlers if handler.ours)


def wanted(client: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Per event, the group that shall stand in the settings for this client."""
    return {row.event: {"matcher": "*", "hooks": [_handler(row, client)]} for row in registrations}


def _handler(row: Registration, client: Sequence[str]) -> dict[str, Any]:
    notify = () if row.decides or row.speaks else ("--notify",)
    handler: dict[str, Any] = {
        "type": "command",
        "command": shlex.join([*client, *notify, "claude"]),
        "timeout": DECIDING_TIMEOUT if row.decides else NOTIFYING_TIMEOUT,
    }
    return {**handler, "onFailure": "block"} if row.decides else handler


def is_ours(command: str) -> bool:
    """Whether a hook command runs Ringwall's client."""
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    return any(
        posixpath.basename(word) == CLIENT_PROGRAM or word.endswith(f"/{CLIENT_SCRIPT}") for word in words
    )


def examine(text: str, path: str) -> Settings:
    """The hooks in a settings file. Raises `PolicyError` for what is not JSON or not of the known shape."""
    root = _root(text, path)
    switched_off = _set(text, path, root, "disableAllHooks")
    managed_only = _set(text, path, root, "allowManagedHooksOnly")
    handlers = tuple(_described(text, path, entry) for entry in _entries(text, path, root))
    return Settings(path, handlers, switched_off, managed_only)


def _set(text: str, path: str, root: Object, key: str) -> str:
    """The place of `key` where it is true."""
    found = root.get(key)
    return where(text, found.start, path) if isinstance(found, Scalar) and found.value is True else ""


def with_hooks(text: str, path: str, client: Sequence[str]) -> str:
    """`text` with exactly one group of ours for each event."""
    for event, group in wanted(client).items():
        ours = [entry for entry in _entries(text, path, _root(text, path)) if entry.ours(event)]
        if len(ours) == 1 and _value(ours[0].group) == group:
            continue
        text = _without(text, path, event)
        text = _with_group(text, path, event, group)
    return text


def without_hooks(text: str, path: str) -> str:
    """`text` without any hook of ours, and without the lists and objects that this leaves empty."""
    return _without(text, path, None)


def notices(settings: Settings) -> tuple[Text, ...]:
    """What in a settings file works against Ringwall."""
    found: list[Text] = []
    if settings.switched_off:
        found.append(msg("{where}: disableAllHooks switches Ringwall off.", where=settings.switched_off))
    found += [
        msg(
            "{where}: another PreToolUse hook may change a call after Ringwall has judged it.",
            where=handler.place,
        )
        for handler in settings.handlers
        if handler.event == "PreToolUse" and not handler.ours
    ]
    return tuple(found)


def locations(project: str, env: Mapping[str, str]) -> dict[str, str]:
    """The settings files that a session in `project` reads, by scope, weakest first."""
    home = env.get("CLAUDE_CONFIG_DIR") or posixpath.join(env.get("HOME", "/"), ".claude")
    return {
        "user": posixpath.join(home, "settings.json"),
        "project": posixpath.join(project, ".claude", "settings.json"),
        "local": posixpath.join(project, ".claude", "settings.local.json"),
    }


@dataclass(frozen=True, slots=True)
class _Entry:
    """A handler in its tree: settings → hooks → event → group → handlers → handler."""

    root: Object
    hooks: Object
    event: str
    groups: Array
    group: Object
    handlers: Array
    handler: Object

    @property
    def command(self) -> str:
        found = self.handler.get("command")
        return found.value if isinstance(found, Scalar) and isinstance(found.value, str) else ""

    def ours(self, event: str | None) -> bool:
        return event in (None, self.event) and is_ours(self.command)


def _entries(text: str, path: str, root: Object) -> Iterator[_Entry]:
    hooks = root.get("hooks")
    if hooks is None:
        return
    if not isinstance(hooks, Object):
        _misshapen(text, path, hooks, msg("`hooks` is not an object."))
    for member in hooks.members:
        groups = member.value
        if not isinstance(groups, Array):
            _misshapen(text, path, groups, msg("The hooks of {event} are not a list.", event=member.key))
        for group in groups.items:
            handlers = group.get("hooks") if isinstance(group, Object) else None
            if not isinstance(group, Object) or not isinstance(handlers, Array):
                _misshapen(text, path, group, msg("A group of hooks is not an object with a list `hooks`."))
            for handler in handlers.items:
                if not isinstance(handler, Object):
                    _misshapen(text, path, handler, msg("A hook is not an object."))
                yield _Entry(root, hooks, member.key, groups, group, handlers, handler)


def _described(text: str, path: str, entry: _Entry) -> Handler:
    handler = _value(entry.handler)
    timeout = handler.get("timeout")
    return Handler(
        event=entry.event,
        matcher=str(_value(entry.group).get("matcher", "")),
        command=entry.command,
        timeout=timeout if isinstance(timeout, int | float) else None,
        blocks=handler.get("onFailure") == "block",
        ours=is_ours(entry.command),
        place=where(text, entry.handler.start, path),
    )


def _with_group(text: str, path: str, event: str, group: dict[str, Any]) -> str:
    root = _root(text, path)
    hooks = root.get("hooks")
    if not isinstance(hooks, Object):
        return add_member(text, root, "hooks", {event: [group]})
    groups = hooks.get(event)
    if not isinstance(groups, Array):
        return add_member(text, hooks, event, [group])
    return add_item(text, groups, group)


def _without(text: str, path: str, event: str | None) -> str:
    while True:
        entries = _entries(text, path, _root(text, path))
        entry = next((entry for entry in entries if entry.ours(event)), None)
        if entry is None:
            return text
        text = _without_entry(text, entry)


def _without_entry(text: str, entry: _Entry) -> str:
    """Take out the largest part of the tree that holds nothing but this handler."""
    if len(entry.handlers.items) > 1:
        return remove_child(text, entry.handlers, entry.handlers.items.index(entry.handler))
    if len(entry.groups.items) > 1:
        return remove_child(text, entry.groups, entry.groups.items.index(entry.group))
    if len(entry.hooks.members) > 1:
        return remove_child(text, entry.hooks, _index(entry.hooks, entry.event))
    return remove_child(text, entry.root, _index(entry.root, "hooks"))


def _index(parent: Object, key: str) -> int:
    return next(at for at, member in enumerate(parent.members) if member.key == key)


def _root(text: str, path: str) -> Object:
    root = read(text, path)
    if not isinstance(root, Object):
        _misshapen(text, path, root, msg("The settings are not an object."))
    return root


def _value(node: Node) -> Any:
    if isinstance(node, Object):
        return {member.key: _value(member.value) for member in node.members}
    if isinstance(node, Array):
        return [_value(item) for item in node.items]
    return node.value


def _misshapen(text: str, path: str, node: Node, what: Text) -> NoReturn:
    repair = msg("Correct it as the documentation of Claude Code's hooks shows, and run the command again.")
    raise PolicyError("settings.shape", what, repair, where(text, node.start, path))
